"""Proof by torch: original and fixed code run in child processes, and what they did is compared."""
