"""One graph-break pattern per file; the file's docstring is its documentation page."""
