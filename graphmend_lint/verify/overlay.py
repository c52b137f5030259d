"""Serve other texts for given source files, in this process only: the files stay as they are.

Works for any module that is imported after `install`, third-party packages too. Line numbers in tracebacks and
`inspect.getsource` show the served text.
"""

from __future__ import annotations

import importlib.util
import linecache
import os
import sys
from collections.abc import Mapping, Sequence
from importlib.abc import MetaPathFinder
from importlib.machinery import ModuleSpec, SourceFileLoader
from pathlib import Path
from types import CodeType, ModuleType


class OverlayLoader(SourceFileLoader):
    """Loads a module from a text instead of its file."""

    def __init__(self, fullname: str, path: str, text: str) -> None:
        super().__init__(fullname, path)
        self._text = text

    def get_code(self, fullname: str) -> CodeType:
        return compile(self._text, self.path, "exec", dont_inherit=True)

    def get_source(self, fullname: str) -> str:
        return self._text


class OverlayFinder(MetaPathFinder):
    """Finds modules as the other finders do, then swaps in the loader of a served text."""

    def __init__(self, texts: Mapping[Path, str]) -> None:
        self._texts = {os.path.realpath(path): text for path, text in texts.items()}

    def find_spec(
        self, fullname: str, path: Sequence[str] | None, target: ModuleType | None = None
    ) -> ModuleSpec | None:
        for finder in sys.meta_path:
            find = None if finder is self else getattr(finder, "find_spec", None)
            spec = find(fullname, path, target) if find is not None else None
            if spec is not None:
                return self._served(spec)
        return None

    def text(self, path: str) -> str | None:
        """The text served for `path`, if any."""
        return self._texts.get(os.path.realpath(path))

    def _served(self, spec: ModuleSpec) -> ModuleSpec:
        text = self.text(spec.origin) if spec.origin and isinstance(spec.loader, SourceFileLoader) else None
        if text is not None and spec.origin is not None:
            spec.loader = OverlayLoader(spec.name, spec.origin, text)
            show(spec.origin, text)
        return spec


def show(path: str, text: str) -> None:
    """Let tracebacks and `inspect` read `text` for `path` (an entry without a time is never refreshed from disk)."""
    linecache.cache[path] = (len(text), None, text.splitlines(keepends=True), path)


def install(texts: Mapping[Path, str]) -> OverlayFinder:
    """Serve `texts` from now on; modules that are loaded already stay as they are."""
    finder = OverlayFinder(texts)
    sys.meta_path.insert(0, finder)
    return finder


def load_file(path: Path, name: str, finder: OverlayFinder | None = None) -> ModuleType:
    """Run a lone file as module `name`, from the text that `finder` serves or else from disk."""
    text = finder.text(str(path)) if finder else None
    loader = SourceFileLoader(name, str(path)) if text is None else OverlayLoader(name, str(path), text)
    if text is not None:
        show(str(path), text)
    spec = importlib.util.spec_from_file_location(name, path, loader=loader)
    assert spec is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules[name] = module
    loader.exec_module(module)
    return module
