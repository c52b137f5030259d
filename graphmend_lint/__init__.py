"""A linter that finds graph breaks of torch.compile, fixes them in the source, and proves the fix."""

__version__ = "0.1.0"
