"""Compiles what takes most of a run's time, if asked to; otherwise everything is plain Python.

    GRAPHMEND_LINT_MYPYC=1 pip install .

needs a C compiler and takes a minute. Everything else about the package stands in pyproject.toml.
"""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from setuptools import Extension

#: Their classes may have no `cached_property`, which mypyc takes for a property that is computed each time.
COMPILED: Final = (
    *(
        f"graphmend_lint/facts/{name}.py"
        for name in """
        annotations api_values attributes autograd builtin_calls callee calls conditions correlated derived docstrings
        effects evaluated expressions facts grad_mode interpreter library_calls meta narrow objects operators
        random_numbers ranks reaching selected shares sites state statements stubs text_calls torch_api
        torch_calls untraced values
        """.split()
    ),
    *(f"graphmend_lint/{name}.py" for name in "compiling dispatch entering memory region shapes syntax turns".split()),
)
WANTED: Final = os.environ.get("GRAPHMEND_LINT_MYPYC") == "1"


def extensions() -> list[Extension]:
    """The compiled modules; none while pip only asks what building requires."""
    try:
        from mypyc.build import mypycify
    except ImportError:
        return []
    return list(mypycify([*COMPILED, "--follow-imports=silent", "--ignore-missing-imports"], opt_level="3"))


if __name__ == "__main__":
    from setuptools import setup

    setup(
        setup_requires=["mypy>=1.13"] if WANTED else [],
        ext_modules=extensions() if WANTED else [],
    )
