"""Reads torch's own stubs and sources, without importing torch: what each call returns, as a category.

Categories are listed in `graphmend_lint.facts.generate`.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Final

Function = ast.FunctionDef | ast.AsyncFunctionDef
Overloads = dict[str, list["Signature"]]

CATEGORIES: Final = {
    "Tensor": "tensor",
    "Self": "tensor",
    "torch.Tensor": "tensor",
    "bool": "bool",
    "_bool": "bool",
    "int": "symint",
    "_int": "symint",
    "SymInt": "symint",
    "float": "scalar",
    "_float": "scalar",
    "Number": "scalar",
    "complex": "scalar",
    "_complex": "scalar",
    "str": "constant",
    "_dtype": "constant",
    "torch.dtype": "constant",
    "_device": "constant",
    "torch.device": "constant",
    "_layout": "constant",
    "_qscheme": "constant",
    "_size": "size",
    "Size": "size",
    "torch.Size": "size",
    "tuple[_int, ...]": "size",
    "tuple[int, ...]": "size",
    "tuple[_int, _int]": "size",
    "None": "none",
    "numpy.ndarray": "ndarray",
    "tuple[Tensor, ...]": "tensors",
    "list[Tensor]": "tensors",
    "Sequence[Tensor]": "tensors",
}


@dataclass(frozen=True, slots=True)
class Signature:
    """One overload: what it returns, and the parameters that a caller can name."""

    returns: str
    parameters: tuple[str, ...] = ()
    needs_dim: bool = False  #: `dim` has no default


def category(annotation: str, structs: dict[str, str]) -> str:
    """The category of a written return type; "unknown" if none fits."""
    text = annotation.strip("\"' ")
    if text in CATEGORIES:
        return CATEGORIES[text]
    if text.endswith(" | None"):
        inner = category(text.removesuffix(" | None"), structs)
        return f"{inner}|none" if inner in ("tensor", "constant") else "unknown"
    if text.startswith("torch.return_types."):
        return structs.get(text.rpartition(".")[2], "unknown")
    if re.fullmatch(r"tuple\[Tensor(, Tensor)*\]", text):
        return f"tensors:{text.count('Tensor')}"
    return "unknown"


def parse(path: Path) -> ast.Module:
    """The tree of one of torch's files; OSError if it is not there."""
    return ast.parse(path.read_text(encoding="utf-8"))


def structs(torch: Path) -> dict[str, str]:
    """Named tuples of `torch.return_types` that hold nothing but tensors."""
    classes = [node for node in parse(torch / "return_types.pyi").body if isinstance(node, ast.ClassDef)]
    return {node.name: category(ast.unparse(node.bases[0]), {}) for node in classes if node.bases}


def signature(node: Function, known: dict[str, str]) -> Signature:
    """What one `def` says."""
    positional = [*node.args.posonlyargs, *node.args.args]
    required = positional[: len(positional) - len(node.args.defaults)]
    return Signature(
        category(ast.unparse(node.returns), known) if node.returns else "unknown",
        tuple(arg.arg for arg in (*positional, *node.args.kwonlyargs)),
        any(arg.arg == "dim" for arg in required),
    )


def definitions(body: list[ast.stmt], known: dict[str, str]) -> Overloads:
    """Every function defined in a body, with its overloads in order; properties are left out."""
    found: Overloads = {}
    for node in body:
        if isinstance(node, Function) and not is_property(node):
            found.setdefault(node.name, []).append(signature(node, known))
    return found


def is_property(node: Function) -> bool:
    return any(ast.unparse(decorator).endswith(("property", ".setter")) for decorator in node.decorator_list)


def documented(path: Path, prefix: str) -> Overloads:
    """Functions made by `name = _add_docstr(builtin, "name(...) -> Tensor")`: the text tells the return type."""
    found: Overloads = {}
    for node in parse(path).body:
        match node:
            case ast.Assign(targets=[ast.Name(id=name)], value=ast.Call(func=ast.Name(id="_add_docstr")) as call):
                found[name] = [_from_text(_first_text(call))]
    return found


def _first_text(call: ast.Call) -> str:
    constants = [node for node in ast.walk(call) if isinstance(node, ast.Constant) and isinstance(node.value, str)]
    return str(min(constants, key=lambda node: (node.lineno, node.col_offset)).value) if constants else ""


def _from_text(text: str) -> Signature:
    """The first line such as "linalg.svd(A, full_matrices=True, *, out=None) -> (Tensor, Tensor, Tensor)"."""
    line = next((line.strip() for line in text.splitlines() if line.strip()), "")
    returns = line.rpartition("->")[2].strip() if "->" in line else "Tensor"  # an alias names no type
    parameters = re.findall(r"(\w+)(?:=[^,)]*)?[,)]", line.partition("(")[2].partition("->")[0])
    count = len(re.findall(r"\bTensor\b", returns))
    return Signature("tensor" if count < 2 else f"tensors:{count}", tuple(parameters))


def tensor_class(torch: Path) -> Iterator[list[ast.stmt]]:
    """The bodies of torch.Tensor: the part written in C, then the part written in Python, which wins."""
    for path, name in ((torch / "_C" / "__init__.pyi", "TensorBase"), (torch / "_tensor.py", "Tensor")):
        yield from (n.body for n in parse(path).body if isinstance(n, ast.ClassDef) and n.name == name)


def attributes(body: list[ast.stmt], known: dict[str, str]) -> dict[str, str]:
    """Public attributes and properties of a class body, by category."""
    found: dict[str, str] = {}
    for node in body:
        match node:
            case ast.AnnAssign(target=ast.Name(id=name), annotation=annotation):
                found[name] = category(ast.unparse(annotation), known)
            case ast.FunctionDef(name=name, returns=returns) if is_property(node):
                found.setdefault(name, category(ast.unparse(returns), known) if returns else "unknown")
    return {name: kind for name, kind in found.items() if not name.startswith("_")}


def exported(tree: ast.Module) -> tuple[str, ...]:
    """The names in `__all__`."""
    names: list[str] = []
    for node in tree.body:
        match node:
            case ast.Assign(targets=[ast.Name(id="__all__")], value=ast.List(elts=elements)):
                names += [element.value for element in elements if isinstance(element, ast.Constant)]  # type: ignore[misc]
    return tuple(names)


def modules(torch: Path, known: dict[str, str]) -> dict[str, str]:
    """Every class that `torch.nn` exports, and what its `forward` returns."""
    folder = torch / "nn" / "modules"
    classes = {
        node.name: node
        for path in sorted(folder.glob("*.py"))
        for node in parse(path).body
        if isinstance(node, ast.ClassDef)
    }
    names = exported(parse(folder / "__init__.py"))
    return {name: _forward(classes, name, known) for name in names if _is_module(classes, name)}


def _is_module(classes: dict[str, ast.ClassDef], name: str) -> bool:
    if name == "Module" or name not in classes:
        return name == "Module"
    return any(_is_module(classes, _base(base)) for base in classes[name].bases)


def _base(node: ast.expr) -> str:
    return ast.unparse(node).rpartition(".")[2]


def _forward(classes: dict[str, ast.ClassDef], name: str, known: dict[str, str]) -> str:
    """What `forward` of a class or of its first base that has one returns."""
    if name not in classes:
        return "unknown"
    for node in classes[name].body:
        if isinstance(node, ast.FunctionDef) and node.name == "forward":
            return signature(node, known).returns
    inherited = (_forward(classes, _base(base), known) for base in classes[name].bases)
    return next((kind for kind in inherited if kind != "unknown"), "unknown")
