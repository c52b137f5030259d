"""Numbers that are read from tensors made of constants alone: computed once, and not in every call."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from typing import TYPE_CHECKING, Final

from graphmend_lint.facts import torch_api
from graphmend_lint.facts.values import CONSTANT, UNKNOWN
from graphmend_lint.model import Applicability, Edit, Fix
from graphmend_lint.rewrite.callers import method_of
from graphmend_lint.rewrite.hoisted import imported, unused_in_module
from graphmend_lint.rewrite.imports import torch_name
from graphmend_lint.rewrite.once import is_local
from graphmend_lint.shapes import walk_function
from graphmend_lint.syntax import walk

if TYPE_CHECKING:
    from graphmend_lint.facts import Facts
    from graphmend_lint.rewrite.site import Site

MAKERS: Final = frozenset(
    f"torch.{name}" for name in ("linspace", "logspace", "arange", "tensor", "full", "ones", "zeros")
)
BUILTINS: Final = frozenset(
    f"builtins.{name}" for name in ("float", "int", "round", "list", "range", "len", "sum", "max", "min", "abs")
)
READS: Final = frozenset({"torch.Tensor.item", "torch.Tensor.tolist"})
NODES: Final = (
    ast.Call, ast.Attribute, ast.Name, ast.Constant, ast.BinOp, ast.UnaryOp, ast.operator, ast.unaryop, ast.keyword,
    ast.List, ast.Tuple, ast.ListComp, ast.comprehension, ast.Subscript, ast.Slice, ast.expr_context,
)  # fmt: skip
ONCE: Final = "Compiled code reads what other modules hold once, while it is traced, not at each call."
CAVEAT: Final = (
    "Computed when the module is made, on the CPU: later changes of the attributes are not seen, "
    "and modules that were pickled before lack it."
)


def computed_once(node: ast.expr, facts: Facts) -> Fix | None:
    """The number, or list of numbers, computed in the constructor, or while tracing if it needs nothing of `self`."""
    function, whole = facts.function(node), _whole(node, facts)
    if whole is None or not isinstance(function, ast.FunctionDef) or "\n" in facts.text(whole) or _nested(whole, facts):
        return None
    owned = {each.attr for each in walk(whole) if isinstance(each, ast.Attribute) and _is_own(each)}
    if not owned:
        return _while_tracing(whole, facts)
    return _in_constructor(whole, owned, function, facts)


def _while_tracing(whole: ast.expr, facts: Facts) -> Fix | None:
    """The value computed by a function that Dynamo calls once, while it traces."""
    torch, early = torch_name(facts, whole), imported(facts.source.tree)
    own = _targets(whole)
    names = {each.id for each in walk(whole) if isinstance(each, ast.Name)} - own
    if torch is None or any(each not in early and f"builtins.{each}" not in BUILTINS for each in names):
        return None
    name = unused_in_module(_stem(whole, facts), whole, facts)
    text = f"@{torch}.compiler.assume_constant_result\ndef {name}():\n    return {facts.text(whole)}\n"
    code = f"{name}()" if _is_only_read(whole, facts) else f"list({name}())"
    lasting = not _reads_others(whole, own, facts)
    return Fix(
        title="Compute once per trace",
        applicability=Applicability.SAFE if lasting else Applicability.UNSAFE,
        edits=lambda site: (site.expression(whole, code),),
        caveat="" if lasting else ONCE,
        imports=("torch",),
        definitions=(text,),
    )


def _reads_others(whole: ast.expr, own: set[str], facts: Facts) -> bool:
    """True if the value depends on an attribute of another module, which may change later."""
    for each in walk(whole):
        if isinstance(each, ast.Name) and each.id not in own:
            path = facts.resolve(_chain(each, facts)) or ""
            if not path.startswith(("torch.", "math.", "builtins.")):
                return True
    return False


def _chain(node: ast.expr, facts: Facts) -> ast.expr:
    """`config.steps` around `config`."""
    while isinstance(above := facts.parent(node), ast.Attribute):
        node = above
    return node


def _targets(node: ast.AST) -> set[str]:
    """Names that comprehensions bind."""
    loops = [each for each in walk(node) if isinstance(each, ast.comprehension)]
    return {name.id for loop in loops for name in walk(loop.target) if isinstance(name, ast.Name)}


def _stem(whole: ast.expr, facts: Facts) -> str:
    """A name for the value: the one that the code gives it, or that of the function that makes it."""
    match facts.parent(whole):
        case ast.Assign(targets=[ast.Name(id=name)]):
            return name
    return next((facts.resolve(each.func) or "").rpartition(".")[2] for each in _made(whole, facts))


def _made(whole: ast.AST, facts: Facts) -> Iterator[ast.Call]:
    return (each for each in walk(whole) if isinstance(each, ast.Call) and facts.resolve(each.func) in MAKERS)


def _nested(whole: ast.expr, facts: Facts) -> bool:
    """True if one tensor of constants is made of another one: the two could end up on different devices."""
    return sum(1 for _ in _made(whole, facts)) > 1


def _whole(node: ast.expr, facts: Facts) -> ast.expr | None:
    """The largest expression around the reading that is made of constants, and gives numbers."""
    best, current = None, node
    while isinstance(current, ast.expr):
        if _is_constant(current, facts):
            best = current
        elif best is not None or isinstance(current, ast.Lambda):
            break
        above = facts.parent(current)
        if isinstance(above, ast.comprehension | ast.keyword):
            above = facts.parent(above)
        if above is None or not isinstance(above, ast.expr):
            break
        current = above
    return best if best is not None and any(True for _ in _made(best, facts)) and _gives_numbers(best, facts) else None


def _gives_numbers(node: ast.expr, facts: Facts) -> bool:
    """True for a number, and for a list of numbers."""
    if isinstance(node, ast.ListComp | ast.List):
        return _gives_numbers(node.elt if isinstance(node, ast.ListComp) else node.elts[0], facts)
    if isinstance(node, ast.BinOp):
        return _gives_numbers(node.left, facts) or _gives_numbers(node.right, facts)
    name = facts.resolve(node.func) if isinstance(node, ast.Call) else None
    return name in READS or name in ("builtins.float", "builtins.int", "builtins.round")


def _is_constant(node: ast.expr, facts: Facts) -> bool:
    """True if the value depends on nothing but constants and attributes of `self`."""
    own = _targets(node)
    return all(isinstance(each, NODES) and _is_plain(each, own, facts) for each in walk(node))


def _is_plain(node: ast.AST, own: set[str], facts: Facts) -> bool:
    match node:
        case ast.Call(func=function, keywords=words):
            return _is_pure(facts.resolve(function) or "") and all(each.arg not in (None, "out") for each in words)
        case ast.Attribute(value=ast.Name(id="self")):
            return not facts.kinds(node) & ~(CONSTANT | UNKNOWN)
        case ast.Name(id=name):
            return name in own or name == "self" or not is_local(name, node, facts)
        case ast.comprehension(is_async=is_async):
            return not is_async
    return True


def _is_pure(name: str) -> bool:
    if name in BUILTINS or name.startswith("math."):
        return True
    entry = torch_api.function(name) if name.startswith("torch.") else None
    return name in READS or name in MAKERS or (entry is not None and entry.pure and not entry.random)


def _is_own(node: ast.Attribute) -> bool:
    return isinstance(node.value, ast.Name) and node.value.id == "self"


def _in_constructor(whole: ast.expr, owned: set[str], function: ast.FunctionDef, facts: Facts) -> Fix | None:
    """The value as an attribute that the constructor sets, after all attributes that it depends on."""
    cls = facts.parent(function)
    made = method_of(cls, "__init__") if isinstance(cls, ast.ClassDef) else None
    if made is None or made is function or isinstance(made.body[-1], ast.Raise):
        return None
    if any(isinstance(each, ast.Return) for each in walk_function(made)):
        return None
    if not all(_is_set_in(made, each, facts) and not _is_set_elsewhere(each, made, facts) for each in owned):
        return None
    name = _unused(_stem(whole, facts), facts)
    last, makers = made.body[-1], [*_made(whole, facts)]
    copied = "" if _is_only_read(whole, facts) else "list"

    def edits(site: Site) -> tuple[Edit, ...]:
        value = site.code(whole, {each: _on_the_cpu(each, site) for each in makers})
        kept = f"{copied}(self.{name})" if copied else f"self.{name}"
        return site.expression(whole, kept), site.replace(last, f"LAST\nself.{name} = {value}", LAST=[last])

    return Fix("Compute in the constructor", Applicability.UNSAFE, edits, CAVEAT)


def _on_the_cpu(call: ast.Call, site: Site) -> str:
    """The call with `device="cpu"`, since modules may be constructed on the meta device, which holds no numbers."""
    text = site.code(call)
    return text if any(each.arg == "device" for each in call.keywords) else f'{text[:-1]}, device="cpu")'


def _is_set_in(made: ast.FunctionDef, name: str, facts: Facts) -> bool:
    """True if the constructor sets the attribute to a number; an unknown value may be one, from a configuration."""
    values = [
        each.value
        for each in walk_function(made)
        if isinstance(each, ast.Assign) and any(_stores(target, name) for target in each.targets)
    ]
    known = (facts.kinds(each) == CONSTANT or isinstance(each, ast.Attribute | ast.Name) for each in values)
    return bool(values) and all(known)


def _stores(node: ast.AST, name: str) -> bool:
    return isinstance(node, ast.Attribute) and node.attr == name and not isinstance(node.ctx, ast.Load)


def _is_set_elsewhere(name: str, made: ast.FunctionDef, facts: Facts) -> bool:
    """True if the file sets an attribute of that name anywhere but in this constructor."""
    inside = {id(each) for each in walk(made)}
    return any(_stores(each, name) and id(each) not in inside for each in walk(facts.source.tree)) or (
        f'"{name}"' in facts.source.text
    )


def _unused(stem: str, facts: Facts) -> str:
    used = {each.attr for each in walk(facts.source.tree) if isinstance(each, ast.Attribute)}
    return next(each for each in (stem, *(f"{stem}_{n}" for n in range(2, 100))) if each not in used)


def _is_only_read(whole: ast.expr, facts: Facts) -> bool:
    """True for a number, and for a list that nothing changes."""
    if not isinstance(whole, ast.List | ast.ListComp) and not (
        isinstance(whole, ast.Call) and facts.resolve(whole.func) == "torch.Tensor.tolist"
    ):
        return True
    match facts.parent(whole):
        case ast.For() | ast.comprehension():
            return True
        case ast.Subscript(value=value, ctx=ast.Load()):
            return value is whole
        case ast.Call(func=ast.Name(id="zip" | "enumerate" | "len" | "sum" | "max" | "min" | "reversed")):
            return True
        case ast.Assign(targets=[ast.Name(id=name)]) as statement:
            loads = [
                each
                for each in walk_function(facts.function(statement) or statement)
                if isinstance(each, ast.Name) and each.id == name and isinstance(each.ctx, ast.Load)
            ]
            return all(_is_only_read_at(each, facts) for each in loads)
    return False


def _is_only_read_at(load: ast.Name, facts: Facts) -> bool:
    match facts.parent(load):
        case ast.For(iter=over) | ast.comprehension(iter=over):
            return over is load
        case ast.Subscript(value=value, ctx=ast.Load()):
            return value is load
        case ast.Call(func=ast.Name(id="zip" | "enumerate" | "len" | "sum" | "max" | "min" | "reversed")):
            return True
    return False
