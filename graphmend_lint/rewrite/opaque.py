"""Loops over indices that data gives, which only fill tensors without gradients: moved into an operator."""

from __future__ import annotations

import ast
import keyword
import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Final

from graphmend_lint.facts import torch_api
from graphmend_lint.facts.meta import words
from graphmend_lint.facts.reaching import definition_at, statement_of
from graphmend_lint.facts.values import BOOL, CONSTANT, INTEGRAL, SYMINT, TENSOR
from graphmend_lint.model import Applicability, Edit, Fix
from graphmend_lint.rewrite.changing import changed_paths
from graphmend_lint.rewrite.imports import torch_name
from graphmend_lint.rewrite.template import call
from graphmend_lint.shapes import block_of, mentions, mentions_inside, names_bound, told_to_change, walk_function
from graphmend_lint.syntax import walk

if TYPE_CHECKING:
    from graphmend_lint.facts import Facts
    from graphmend_lint.rewrite.site import Site

CAVEAT: Final = (
    "The loop is one operator, which runs as before, outside of what is compiled: "
    "a program that is exported needs its definition."
)
LOOPS: Final = (ast.For, ast.While)
SCOPES: Final = (ast.FunctionDef, ast.AsyncFunctionDef, ast.Lambda, ast.ClassDef, ast.Global, ast.Nonlocal)
PLAIN: Final = (
    ast.Assign, ast.AugAssign, ast.For, ast.While, ast.If, ast.Break, ast.Continue, ast.Pass, ast.expr,
    ast.expr_context, ast.operator, ast.unaryop, ast.boolop, ast.cmpop, ast.keyword,
)  # fmt: skip
COMPLEX: Final = (
    ast.Lambda, ast.ListComp, ast.SetComp, ast.DictComp, ast.GeneratorExp, ast.Await, ast.Yield, ast.YieldFrom,
    ast.NamedExpr, ast.Starred, ast.JoinedStr,
)  # fmt: skip
FRESH: Final = words(
    "zeros ones full empty eye arange zeros_like ones_like full_like new_zeros new_ones new_full repeat"
)
BUILTINS: Final = frozenset(f"builtins.{name}" for name in words("range len int float bool min max abs enumerate zip"))


@dataclass
class Operator:
    """What runs in the operator, and what it is given."""

    name: str
    block: list[ast.stmt]
    parameters: dict[str, str] = field(default_factory=dict)  #: name and type
    given: list[str] = field(default_factory=list)  #: what is passed for them
    renamed: dict[str, str] = field(default_factory=dict)  #: attributes that are passed instead of their tensor
    filled: set[str] = field(default_factory=set)

    def definition(self, torch: str, facts: Facts) -> str:
        """The operator's code."""
        kept = [f'"{each}"' for each in self.parameters if each in self.filled]
        body = [line for statement in self.block for line in _lines(statement, facts, self.block[-1])]
        for old, new in self.renamed.items():
            body = [re.sub(rf"\b{re.escape(old)}\b", new, line) for line in body]
        return "\n".join([
            f"@{torch}.library.custom_op(",
            f'    "{namespace(facts.source.path)}::{self.name}",',
            f"    mutates_args=[{', '.join(kept)}],",
            f"    tags=[{torch}.Tag.cudagraph_unsafe],",
            ")",
            f"def {self.name}(",
            *(f"    {name}: {kind}," for name, kind in self.parameters.items()),
            ") -> None:",
            *body,
        ])  # fmt: skip

    def call(self, room: int) -> str:
        return call(self.name, self.given, room)


def namespace(path: Path) -> str:
    """The name that the module is imported by, as one word."""
    parts, folder = [path.stem], path.absolute().parent
    while (folder / "__init__.py").exists():
        parts.insert(0, folder.name)
        folder = folder.parent
    name = re.sub(r"\W", "_", "_".join(parts))
    return f"_{name}" if name[0].isdigit() or keyword.iskeyword(name) else name


def opaque(node: ast.expr, facts: Facts) -> Fix | None:
    """The loop as an operator; None unless it does nothing but fill tensors that have no gradients."""
    torch, function, made = torch_name(facts, node), facts.function(node), statement_of(node, facts)
    if torch != "torch" or not isinstance(function, ast.FunctionDef) or made is None:
        return None
    loop = made if isinstance(made, ast.For) else _user(made, function, facts)
    if loop is None or facts.function(function) is not None:
        return None
    if any(isinstance(each, SCOPES) for each in walk_function(function)):
        return None
    block: list[ast.stmt] = [loop] if loop is made else [made, loop]
    found = _operator(block, function, facts) if all(_is_plain(each, facts) for each in block) else None
    if found is None:
        return None

    def edits(site: Site) -> tuple[Edit, ...]:
        gone = () if loop is made else (site.remove(made),)
        return (*gone, site.replace(loop, found.call(site.room(loop))))

    return Fix(
        title="Run the loop in an operator of its own",
        applicability=Applicability.UNSAFE,
        edits=edits,
        caveat=CAVEAT,
        imports=("torch",),
        definitions=(found.definition(torch, facts),),
    )


def _user(made: ast.stmt, function: ast.FunctionDef, facts: Facts) -> ast.For | ast.While | None:
    """The loop that alone uses what the statement makes, if what that is made of stays the same until there."""
    match made:
        case ast.Assign(targets=[ast.Name(id=name)], value=value):
            pass
        case _:
            return None
    parent = facts.parent(made)
    block = block_of(made, parent) if parent is not None else []
    loads = [each for each in walk_function(function) if isinstance(each, ast.Name) and each.id == name]
    later = block[block.index(made) + 1 :] if block else []
    at = next((i for i, each in enumerate(later) if name in _loaded(each)), None)
    if at is None or not isinstance(later[at], LOOPS):
        return None
    loop, between = later[at], later[:at]
    inside = {id(each) for each in walk(loop)} | {id(each) for each in walk(made)}
    sources = {each.id for each in walk(value) if isinstance(each, ast.Name)}
    still = all(isinstance(each, ast.Assign) and not names_bound([each]) & sources for each in between)
    return loop if still and all(id(each) in inside for each in loads) and isinstance(loop, LOOPS) else None


def _loaded(node: ast.AST) -> set[str]:
    return {each.id for each in walk(node) if isinstance(each, ast.Name) and isinstance(each.ctx, ast.Load)}


def _is_plain(block: ast.stmt, facts: Facts) -> bool:
    """True if the block does nothing but set names and fill tensors."""
    for each in walk(block):
        if not isinstance(each, PLAIN) or isinstance(each, COMPLEX):
            return False
        if isinstance(each, ast.Call) and not _is_harmless(each, facts):
            return False
        if isinstance(each, ast.Attribute) and not isinstance(each.ctx, ast.Load):
            return False
        if isinstance(each, ast.Subscript) and isinstance(each.ctx, ast.Store) and not isinstance(each.value, ast.Name):
            return False
        if isinstance(each, ast.AugAssign) and not isinstance(each.target, ast.Name):
            return False
    return True


def _is_harmless(node: ast.Call, facts: Facts) -> bool:
    name = facts.resolve(node.func) or ""
    entry = torch_api.function(name) if name.startswith("torch.") else None
    plain = not any(word.arg in ("out", None) for word in node.keywords) and told_to_change(node) is None
    return plain and (name in BUILTINS or (entry is not None and entry.pure and not entry.random))


def _operator(block: list[ast.stmt], function: ast.FunctionDef, facts: Facts) -> Operator | None:
    """The operator, if all that it needs can be passed, and all that it leaves is in the tensors that it fills."""
    found = Operator(_name(function, facts), block)
    local, inside = names_bound([function]), {id(each) for statement in block for each in walk(statement)}
    bound = {each.id for each in _names(block) if not isinstance(each.ctx, ast.Load)}
    outside = [each for each in walk_function(function) if isinstance(each, ast.Name) and id(each) not in inside]
    end = block[-1].end_lineno or 0
    if any(each.id in bound and isinstance(each.ctx, ast.Load) and each.lineno > end for each in outside):
        return None
    if any(len(mentions(function, name)) != len(mentions_inside(function, name)) for name in bound):
        return None
    found.filled = {each.value.id for each in _stores(block) if isinstance(each.value, ast.Name)}
    begins = {each.id for each in _names(block[:-1]) if not isinstance(each.ctx, ast.Load)}
    for name in dict.fromkeys(each.id for each in _names(block) if each.id in local and each.id not in begins):
        needed = name in {each.id for each in outside if not isinstance(each.ctx, ast.Load)} | _parameters(function)
        if needed and not _pass(name, found, function, facts):
            return None
    tensors = {each for each, kind in found.parameters.items() if kind == "torch.Tensor"}
    changed = {each.target.id for each in _augmented(block) if isinstance(each.target, ast.Name)}
    return found if found.filled and found.filled <= tensors and not changed & tensors else None


def _names(block: list[ast.stmt]) -> Iterator[ast.Name]:
    yield from (each for statement in block for each in walk(statement) if isinstance(each, ast.Name))


def _stores(block: list[ast.stmt]) -> Iterator[ast.Subscript]:
    for statement in block:
        for each in walk(statement):
            if isinstance(each, ast.Subscript) and isinstance(each.ctx, ast.Store):
                yield each


def _augmented(block: list[ast.stmt]) -> Iterator[ast.AugAssign]:
    for statement in block:
        yield from (each for each in walk(statement) if isinstance(each, ast.AugAssign))


def _parameters(function: ast.FunctionDef) -> set[str]:
    return {each.arg for each in walk_function(function.args) if isinstance(each, ast.arg)}


def _pass(name: str, found: Operator, function: ast.FunctionDef, facts: Facts) -> bool:
    """Make a name a parameter of the operator; False if that is not possible, or might cut off a gradient."""
    loads = [each for each in _names(found.block) if each.id == name and isinstance(each.ctx, ast.Load)]
    kinds = {facts.kinds(each) for each in loads[:1]}
    if name in found.filled:
        if not _is_fresh(name, found.block, facts) or _is_changed_before(name, found.block, function, facts):
            return False
        return _add(found, name, "torch.Tensor")
    above = [facts.parent(each) for each in loads]
    if loads and all(isinstance(each, ast.Attribute) and each.attr == "device" for each in above):
        found.renamed[f"{name}.device"] = "device"
        found.given.append(f"{name}.device")
        new = "device" not in found.parameters and "device" not in names_bound([function])
        found.parameters["device"] = "torch.device"
        return new
    if kinds == {TENSOR} and all(facts.value(each).traits & (BOOL | INTEGRAL) for each in loads):
        return _add(found, name, "torch.Tensor")
    return _is_int(name, found.block, loads, facts) and _add(found, name, "int")


def _add(found: Operator, name: str, kind: str) -> bool:
    found.parameters[name] = kind
    found.given.append(name)
    return True


def _is_int(name: str, block: list[ast.stmt], loads: list[ast.Name], facts: Facts) -> bool:
    """True for a size, or for what was given a whole number before the loop."""
    given = definition_at(name, block[-1], facts).value
    if isinstance(given, ast.Constant):
        return type(given.value) is int
    kinds = [facts.kinds(each) for each in loads]
    return bool(loads) and all(each & SYMINT and not each & ~(SYMINT | CONSTANT) for each in kinds)


def _is_fresh(name: str, block: list[ast.stmt], facts: Facts) -> bool:
    """True for a tensor that was made right here of numbers: it has no gradient, and no other name."""
    given = definition_at(name, block[-1], facts).value
    called = given.func if isinstance(given, ast.Call) else None
    last = called.attr if isinstance(called, ast.Attribute) else ""
    if (
        not isinstance(given, ast.Call)
        or last not in FRESH
        or any(word.arg == "requires_grad" for word in given.keywords)
    ):
        return False
    tensors = [each for each in walk(given) if isinstance(each, ast.Name) and facts.kinds(each) == TENSOR]
    return all(_is_only_asked(each, facts) for each in tensors) and not isinstance(facts.parent(given), ast.AugAssign)


def _is_changed_before(name: str, block: list[ast.stmt], function: ast.FunctionDef, facts: Facts) -> bool:
    """True if the function changes the tensor in place before the loop, which may give it a gradient."""
    before = [each for each in walk_function(function) if getattr(each, "lineno", 0) < block[-1].lineno]
    return any(name in changed_paths(each, facts) for each in before)


def _is_only_asked(node: ast.Name, facts: Facts) -> bool:
    """True for a tensor that holds no floats, or whose device, dtype or shape alone is asked for."""
    above = facts.parent(node)
    asked = isinstance(above, ast.Attribute) and above.attr in (
        "device",
        "dtype",
        "shape",
        "size",
        "new_zeros",
        "new_ones",
    )
    return asked or bool(facts.value(node).traits & (BOOL | INTEGRAL))


def _name(function: ast.FunctionDef, facts: Facts) -> str:
    taken = names_bound([facts.source.tree])
    taken |= {each.name for each in walk(facts.source.tree) if isinstance(each, ast.FunctionDef)}
    names = [f"{function.name}_loop", *(f"{function.name}_loop_{n}" for n in range(2, 100))]
    return next(each for each in names if each not in taken)


def _lines(statement: ast.stmt, facts: Facts, loop: ast.stmt) -> list[str]:
    """The source lines of a statement, one level in, with the comments above it; those of the loop stay outside."""
    first, lines = statement.lineno - 1, facts.source.lines
    while statement is not loop and first and lines[first - 1].strip().startswith("#"):
        first -= 1
    rows = lines[first : statement.end_lineno]
    return [f"    {row[statement.col_offset :].rstrip()}" if row.strip() else "" for row in rows]
