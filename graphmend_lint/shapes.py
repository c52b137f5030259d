"""Names for the syntax shapes that rules and fixes look for, on `ast`."""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Final, NamedTuple

from graphmend_lint.syntax import kept, walk

Function = ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda
#: control flow that torch keeps in the graph
CONTROL_FLOW: Final = frozenset(
    f"{place}.{name}"
    for name in ("cond", "while_loop")
    for place in ("torch", "torch._higher_order_ops", f"torch._higher_order_ops.{name}")
)


class Assignment(NamedTuple):
    """`target = value`, one target; an augmented assignment reads as `target = target op value`."""

    target: ast.expr
    value: ast.expr
    augmented: ast.AugAssign | None = None


class Raising(NamedTuple):
    """`if test: ...; raise exception`, with what the `if` does otherwise."""

    test: ast.expr
    before: list[ast.stmt]
    error: ast.expr  #: the exception; or the call that ends the program
    orelse: list[ast.stmt]
    exits: bool = False  #: by such a call


def assignment(statement: ast.stmt) -> Assignment | None:
    """The statement as an assignment to one plain target."""
    match statement:
        case ast.Assign(targets=[target], value=value) if not isinstance(target, ast.Tuple | ast.List):
            return Assignment(target, value)
        case ast.AnnAssign(target=target, value=ast.expr() as value, simple=1):
            return Assignment(target, value)
        case ast.AugAssign(target=target, value=value):
            return Assignment(target, value, statement)
    return None


def returned(statement: ast.stmt) -> ast.expr | None:
    """What `return value` returns; None for any other statement and for a bare `return`."""
    return statement.value if isinstance(statement, ast.Return) else None


def guarded_raise(node: ast.If) -> Raising | None:
    """The `if` whose body ends in `raise`, or in `sys.exit()`."""
    *before, last = node.body
    if isinstance(last, ast.Raise) and last.exc is not None:
        return Raising(node.test, before, last.exc, node.orelse)
    match last:
        case (
            ast.Expr(value=ast.Call(func=ast.Attribute(value=ast.Name(id="sys"), attr="exit")) as call)
            | ast.Expr(value=ast.Call(func=ast.Name(id="exit" | "quit")) as call)
        ):
            return Raising(node.test, before, call, node.orelse, exits=True)
    return None


def call_statement(statement: ast.stmt) -> ast.Call | None:
    """The call that is all of the statement, its value unused."""
    if isinstance(statement, ast.Expr) and isinstance(statement.value, ast.Call):
        return statement.value
    return None


def dotted(node: ast.expr) -> str | None:
    """`self.a.b` as text; None unless it is a name with attributes."""
    match node:
        case ast.Name(id=name):
            return name
        case ast.Attribute(value=value, attr=attr):
            base = dotted(value)
            return None if base is None else f"{base}.{attr}"
    return None


#: where functions take `inplace`, and those that scale the rows of their second argument, `max_norm`
INPLACE: Final = {
    **dict.fromkeys(("relu", "relu6", "silu", "mish", "hardswish", "hardsigmoid", "selu"), 1),
    **dict.fromkeys(("elu", "celu", "leaky_relu"), 2),
    **dict.fromkeys(("hardtanh", "threshold", "dropout", "dropout1d", "dropout2d", "dropout3d"), 3),
    **dict.fromkeys(("alpha_dropout", "feature_alpha_dropout", "embedding", "embedding_bag"), 3),
    "rrelu": 4,
}


def told_to_change(node: ast.Call) -> ast.expr | None:
    """The argument that a call is told to change: `x` in `F.relu(x, inplace=True)`; the call, if that is not plain."""
    name = (dotted(node.func) or "").rpartition(".")[2]
    at, words = INPLACE.get(name, len(node.args)), {each.arg: each.value for each in node.keywords}
    told = [*node.args[at : at + 1], *(words[each] for each in ("inplace", "max_norm") if each in words)]
    if all(isinstance(each, ast.Constant) and not each.value for each in told):
        return None
    is_table = name.startswith("embedding")
    given = node.args[is_table : is_table + 1]
    return given[0] if given else words.get("weight" if is_table else "input", node)


def names_read(node: ast.AST) -> set[str]:
    """Names and dotted attributes that are loaded anywhere below `node`."""
    found: set[str] = set()
    for child in walk(node):
        if isinstance(child, ast.Name | ast.Attribute) and isinstance(child.ctx, ast.Load):
            path = dotted(child)
            if path is not None:
                found.add(path)
    return found


def names_bound(nodes: Sequence[ast.AST]) -> frozenset[str]:
    """Names and dotted attributes that are assigned, deleted or imported anywhere below."""
    if len(nodes) == 1:
        return _bound_below(nodes[0])
    return frozenset().union(*map(_bound_below, nodes))


@kept(8192)
def _bound_below(node: ast.AST) -> frozenset[str]:
    found: set[str] = set()
    for child in walk(node):
        if isinstance(child, ast.Name | ast.Attribute) and not isinstance(child.ctx, ast.Load):
            found.add(dotted(child) or "")
        elif isinstance(child, ast.Import | ast.ImportFrom):
            found.update((alias.asname or alias.name).partition(".")[0] for alias in child.names)
        elif isinstance(child, ast.arg):
            found.add(child.arg)
    return frozenset(found - {""})


def bound_in(function: ast.AST | None, name: str) -> bool:
    """True if `function` itself makes `name` a local variable."""
    return function is not None and name in names_bound([function])


@kept(256)
def declared(function: ast.AST) -> frozenset[str]:
    """Names that are parameters, or belong to an outer scope."""
    found: set[str] = set()
    for node in walk(function):
        if isinstance(node, ast.Global | ast.Nonlocal):
            found.update(node.names)
        elif isinstance(node, ast.arg):
            found.add(node.arg)
    return frozenset(found)


def blocks(node: ast.AST) -> Iterator[list[ast.stmt]]:
    """The statement lists that `node` holds directly."""
    for name in ("body", "orelse", "finalbody"):
        block = getattr(node, name, None)
        if isinstance(block, list):
            yield block
    for handler in (*getattr(node, "handlers", ()), *getattr(node, "cases", ())):
        yield handler.body


def block_of(statement: ast.stmt, parent: ast.AST) -> list[ast.stmt]:
    """The statement list of `parent` that holds `statement`; empty if there is none."""
    return next((block for block in blocks(parent) if statement in block), [])


def walk_function(function: ast.AST) -> Iterator[ast.AST]:
    """Every node of a function but those of functions and classes inside it."""
    return iter(_own_nodes(function))


@kept(64)
def _own_nodes(function: ast.AST) -> tuple[ast.AST, ...]:
    """Asked for each finding of a function, which may have thousands."""
    nodes, found, end = walk(function), list[ast.AST](), 1
    for at, node in enumerate(nodes):
        if at >= end and isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda | ast.ClassDef):
            found += nodes[end : at + 1]
            end = at + len(walk(node))
    return (*found, *nodes[end:])


def mentions(function: ast.AST, name: str) -> list[ast.Name]:
    """Where a function names something, functions inside it left out."""
    return _mentions(function).get(name, [])


@kept(64)
def _mentions(function: ast.AST) -> dict[str, list[ast.Name]]:
    return _by_name(_own_nodes(function))


def mentions_inside(function: ast.AST, name: str) -> list[ast.Name]:
    """Where a function, or one inside it, names something."""
    return _mentions_inside(function).get(name, [])


@kept(64)
def _mentions_inside(function: ast.AST) -> dict[str, list[ast.Name]]:
    return _by_name(walk(function))


def _by_name(nodes: Iterable[ast.AST]) -> dict[str, list[ast.Name]]:
    found: dict[str, list[ast.Name]] = {}
    for node in nodes:
        if isinstance(node, ast.Name):
            found.setdefault(node.id, []).append(node)
    return found


def in_test(node: ast.expr, parent: Callable[[ast.AST], ast.AST | None]) -> bool:
    """True if the truth of `node` is asked by a statement or expression that has a test of its own."""
    above = parent(node)
    while isinstance(above, ast.BoolOp) or (isinstance(above, ast.UnaryOp) and isinstance(above.op, ast.Not)):
        node, above = above, parent(above)
    match above:
        case ast.If(test=test) | ast.While(test=test) | ast.IfExp(test=test) | ast.Assert(test=test):
            return test is node
        case ast.comprehension(ifs=tests):
            return any(test is node for test in tests)
    return False


def same(a: ast.AST, b: ast.AST) -> bool:
    """True if two nodes are the same code, whatever their context (load, store)."""
    return _shape(a) == _shape(b)


def _shape(node: object) -> object:
    if isinstance(node, list):
        return [_shape(item) for item in node]
    if not isinstance(node, ast.AST):
        return (type(node).__name__, node)
    return (type(node).__name__, [_shape(getattr(node, name, None)) for name in node._fields if name != "ctx"])
