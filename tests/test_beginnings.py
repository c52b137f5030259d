"""Where a region may begin is told from the text, and never misses a class that is a module."""

from __future__ import annotations

import ast
from pathlib import Path

import pytest

from graphmend_lint.headers import Bound, Header, headers, imports, may_compile
from graphmend_lint.project import Project
from graphmend_lint.region import analyse, may_begin
from graphmend_lint.source import Source

NN = "from torch import nn\nimport torch\n"
FORWARD = "    def forward(self, x):\n        return x\n"
MAY: dict[str, dict[str, str]] = {
    "a module": {"a": f"{NN}class A(nn.Module):\n{FORWARD}"},
    "by another name": {"a": f"from torch.nn import Module as M\nclass A(M):\n{FORWARD}"},
    "behind a line break": {"a": f"{NN}class A \\\n    (nn.Module):\n{FORWARD}"},
    "on several lines": {"a": f"{NN}class A(  # (\n    object,\n    nn.Module,\n):\n{FORWARD}"},
    "with a generic base": {"a": f"{NN}class A(Generic[T, (U)], nn.Module):\n{FORWARD}"},
    "with type parameters": {"a": f"{NN}class A[T](nn.Module):\n{FORWARD}"},
    "inside an if": {"a": f"{NN}if nn:\n  class A(nn.Module):\n{FORWARD}"},
    "what a call returns": {"a": f"{NN}class A(base()):\n{FORWARD}"},
    "an assigned name": {"a": f"{NN}Base = nn.Module\nclass A(Base):\n{FORWARD}"},
    "a class of another file": {
        "a": f"from b import B\nclass A(B):\n{FORWARD}",
        "b": f"{NN}class B(nn.Module):\n    pass\n",
    },
    "a name of another file": {"a": f"from b import B\nclass A(B):\n{FORWARD}", "b": f"{NN}B = nn.Module\n"},
    "a name imported twice": {
        "a": f"from b import B\nclass A(B):\n{FORWARD}",
        "b": "from torch.nn import Module as B\n",
    },
    "all names of another file": {"a": f"from b import *\nclass A(B):\n{FORWARD}", "b": f"{NN}B = nn.Module\n"},
    "one of two imports": {
        "a": "try:\n    from x import M\nexcept ImportError:\n    from torch.nn import Module as M\n"
        f"class A(M):\n{FORWARD}"
    },
    "a known layer": {"a": f"import torch.nn\nclass A(torch.nn.Linear):\n{FORWARD}"},
    "a base class of any library": {"a": f"{NN}from library import Base\nclass A(Base):\n{FORWARD}"},
    "a base class elsewhere": {"a": f"from transformers import PreTrainedModel\nclass A(PreTrainedModel):\n{FORWARD}"},
    "old line ends": {"a": f"{NN}class A(nn.Module):\n{FORWARD}".replace("\n", "\r")},
    "something compiled": {"a": "import torch\nf = torch.compile(g)\n"},
}
MAY_NOT: dict[str, dict[str, str]] = {
    "functions": {"a": "import torch\ndef f(x):\n    return x\n"},
    "no base": {"a": f"import torch\nclass A:\n{FORWARD}"},
    "builtin bases": {"a": f"import torch\nclass A(ValueError):\n{FORWARD}"},
    "another library's module": {"a": f"import flax.linen as nn\nclass A(nn.Module):\n{FORWARD}"},
    "the class of a sentence": {"a": f'"""Of the\nclass nn.Module (torch)\n"""\nclass A:\n{FORWARD}'},
    "a class of another file": {
        "a": f"from b import Config\nclass A(Config):\n{FORWARD}",
        "b": "import enum\nclass Config(enum.Enum):\n    pass\n",
    },
    "a library of another file": {
        "a": f"from b import keras\nclass A(keras.Layer):\n{FORWARD}",
        "b": "import keras\n",
    },
    "another library's module beside torch": {
        "a": "import torch\nfrom keras import Layer\nclass A(Layer):\n    pass\n"
    },
    "neither word": {"a": "from b import B\nclass A(B):\n    pass\n"},
}


def sources(files: dict[str, str]) -> list[Source]:
    return [Source(Path(f"{name}.py"), text) for name, text in files.items()]


@pytest.mark.parametrize("case", MAY)
def test_a_region_may_begin(case: str) -> None:
    assert Path("a.py") in {each.path for each in may_begin(Project(sources(MAY[case])))}


@pytest.mark.parametrize("case", MAY_NOT)
def test_no_region_begins(case: str) -> None:
    given = sources(MAY_NOT[case])
    assert Path("a.py") not in {each.path for each in may_begin(Project(given))}
    assert analyse(given)[Path("a.py")].nodes({ast.Call, ast.Return}) == []


def test_a_tree_is_made_only_where_a_region_may_begin() -> None:
    given = sources(MAY_NOT["a class of another file"] | {"c": MAY["a module"]["a"]})
    analyse(given)
    assert ["tree" in vars(each) for each in given] == [False, False, True]


SPOKEN_OF = [
    "# torch.compile(f)",
    "    x = 1  # see torch.compile",
    "re.compile(p)",
    "jit_compile = 1",
    "compiled = 1",
]
SPOKEN = [
    "torch.compile(f)",
    "print('#', torch.compile(f))",
    "x = f.export(y)",
    "compile  # torch's",
    "torch._dynamo.x()",
]


@pytest.mark.parametrize("line", SPOKEN_OF)
def test_a_comment_compiles_nothing(line: str) -> None:
    assert not may_compile(f"import torch\n{line}\n")


@pytest.mark.parametrize("line", SPOKEN)
def test_what_stands_in_code_may_compile(line: str) -> None:
    assert may_compile(f"import torch\n{SPOKEN_OF[0]}\n{line}\n")


def test_headers_are_read_as_they_stand() -> None:
    text = "class A:\n  class B(x.Y, Z, metaclass=M): pass\nsubclass C(D): ...\nclass E(f(g)): ...\n"
    assert list(headers(text)) == [Header("A", ()), Header("B", ("x.Y", "Z")), Header("E", None)]


def test_imports_are_read_as_they_stand() -> None:
    text = "import a.b, c.d as e\nfrom . import f\nfrom ..g import (  # why\n    h as i,\n    j,\n)\n"
    text += "from k import l, \\\n  m\n"
    assert imports(text) == {
        "a": [Bound("a", None)],
        "a.b": [Bound("a.b", None)],
        "e": [Bound("c.d", None)],
        "f": [Bound(".", "f")],
        "i": [Bound("..g", "h")],
        "j": [Bound("..g", "j")],
        "l": [Bound("k", "l")],
        "m": [Bound("k", "m")],
    }
