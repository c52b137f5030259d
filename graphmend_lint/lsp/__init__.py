"""The language server: diagnostics, fixes and rule pages in an editor."""
