"""Values that only people see, kept for eager mode: a clock that is read for a log line, text made of a tensor.

What depends on such a value is followed through local names, attributes of the file's classes, and text. If it ends
there, all of it stands under `if not torch.compiler.is_compiling():`.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Final

from graphmend_lint.facts.reaching import statement_of
from graphmend_lint.facts.values import CONTAINER
from graphmend_lint.model import Applicability, Edit, Fix, Refusal
from graphmend_lint.rewrite.defer import has_effect, is_text, speaks_only
from graphmend_lint.rewrite.imports import torch_name
from graphmend_lint.shapes import Function, block_of, dotted
from graphmend_lint.syntax import walk

if TYPE_CHECKING:
    from graphmend_lint.facts import Facts
    from graphmend_lint.rewrite.site import Site

#: what only looks, by what its name begins with: to leave it out changes nothing but the value
LOOKS: Final = (
    *("time.", "datetime.", "inspect.", "traceback.", "uuid.", "hashlib.", "zlib.", "base64.", "math.", "secrets."),
    *("os.getpid", "os.getcwd", "os.cpu_count", "os.path.", "os.stat", "sys.getsizeof", "sys.getrefcount"),
    *("json.dumps", "logging.getLogger", "torch.cuda.memory_", "torch.cuda.max_memory_", "torch.get_default_device"),
    *("torch.get_rng_state", "torch.initial_seed", "torch.get_num_threads", "torch.is_inference_mode_enabled"),
    *("torch.Tensor.data_ptr", "torch.Tensor.is_shared", "torch.Tensor.storage", "torch.Tensor.is_inference"),
    *(f"builtins.{name}" for name in ("str", "repr", "format", "float", "int", "round", "len", "max", "min", "abs")),
    *(f"builtins.{name}" for name in ("globals", "dir", "type", "str.", "bytes.")),
)
ACTS: Final = ("time.sleep", "inspect.getmembers", "time.pthread")
#: methods of tensors that do more than compute
CHANGES: Final = ("backward", "bernoulli", "multinomial", "register_hook", "retain_grad", "_")
STEPS: Final = 32  #: statements, before the search gives up
KEEPERS: Final = frozenset({"get", "append", "setdefault"})  #: methods of containers that times are kept in


@dataclass
class Slice:
    """Statements that depend on one value, and the paths that carry it."""

    statements: list[ast.stmt] = field(default_factory=list)
    paths: set[str] = field(default_factory=set)
    speaks: bool = False  #: text is lost
    stores: bool = False  #: what outlives the function is not set


def aside(node: ast.Call | ast.BinOp, facts: Facts, what: str) -> Fix | Refusal | None:
    """Keep the value of `node` and all that depends on it for eager mode; None if it is used for anything else."""
    statement, torch = statement_of(node, facts), torch_name(facts, node)
    if statement is None or torch is None or facts.function(node) is None or not _only_looks(node, facts):
        return None
    found = Slice()
    if isinstance(statement, ast.Expr) and statement.value is node:
        found.statements.append(statement)
    elif is_text(statement, facts) or not _follow(statement, found, facts):
        return None
    if found.speaks and facts.side_effects == "report":
        return Refusal("side-effects-reported", "the project asks to leave text as it is")
    kept = not found.stores and (not found.speaks or facts.side_effects == "guard")
    return Fix(
        title="Skip while compiling",
        applicability=Applicability.SAFE if kept else Applicability.UNSAFE,
        edits=lambda site: tuple(_edits(site, found.statements, torch, facts)),
        caveat="" if kept else f"`{what}` is not called when compiled, and what is made of it is left out.",
        imports=("torch",),
    )


def _edits(site: Site, statements: list[ast.stmt], torch: str, facts: Facts) -> Iterator[Edit]:
    """One `if` around each run of statements that stand next to each other."""
    left = set(statements)
    for statement in sorted(statements, key=lambda each: each.lineno):
        if statement not in left:
            continue
        parent = facts.parent(statement)
        block = block_of(statement, parent) if parent is not None else []
        run = [statement]
        for after in block[block.index(statement) + 1 :]:
            if after not in left:
                break
            run.append(after)
        left -= set(run)
        yield site.replace(statement, f"if not {torch}.compiler.is_compiling():\n    RUN", RUN=run)
        yield from (site.remove(each) for each in run[1:])


def _follow(statement: ast.stmt, found: Slice, facts: Facts) -> bool:
    """Add a statement, and all that reads what it sets; False if one of them does more than speak or keep a value."""
    if statement in found.statements:
        return True
    found.statements.append(statement)
    if len(found.statements) > STEPS:
        return False
    if is_text(statement, facts) or (isinstance(statement, ast.If) and speaks_only(statement, facts)):
        found.speaks = True
        return not has_effect(statement, facts)
    if not _is_harmless(statement, facts):
        return False
    carried = _carried(statement)
    if carried is None:
        return False
    path, local = carried
    if path in found.paths:
        return True
    found.paths.add(path)
    found.stores |= not local
    users = _local_users(path, statement, facts) if local else _attribute_users(path, statement, facts)
    return users is not None and all(_follow(each, found, facts) for each in users)


def _carried(statement: ast.stmt) -> tuple[str, bool] | None:
    """The name or attribute that holds the value afterwards, and whether it is a local name."""
    match statement:
        case (
            ast.Assign(targets=[target]) | ast.AnnAssign(target=target, value=ast.expr()) | ast.AugAssign(target=target)
        ):
            return _target(target)
        case ast.Expr(value=ast.Call(func=ast.Attribute(value=kept, attr="append"))):
            return _target(kept) if isinstance(kept, ast.Attribute) else None
    return None


def _target(target: ast.expr) -> tuple[str, bool] | None:
    match target:
        case ast.Name(id=name):
            return name, True
        case ast.Attribute(value=ast.Name()):
            return dotted(target) or "", False
        case ast.Subscript(value=ast.Attribute(value=ast.Name()) as kept):
            return dotted(kept) or "", False
    return None


def _local_users(name: str, statement: ast.stmt, facts: Facts) -> list[ast.stmt] | None:
    """The statements of the function that read or set a local name; None if it is no plain local name."""
    function = facts.function(statement)
    if function is None or any(_is_outer(each, name) for each in walk(function)):
        return None
    found = [each for each in walk(function) if isinstance(each, ast.Name) and each.id == name]
    return _statements(found, function, facts)


def _is_outer(node: ast.AST, name: str) -> bool:
    """True for a parameter, `global` or `nonlocal` of that name: what it holds is seen outside the function."""
    if isinstance(node, ast.Global | ast.Nonlocal):
        return name in node.names
    return isinstance(node, ast.arg) and node.arg == name


def _attribute_users(path: str, statement: ast.stmt, facts: Facts) -> list[ast.stmt] | None:
    """The statements of the file that read or set an attribute of this name, on whatever object."""
    attr, here = path.rpartition(".")[2], facts.function(statement)
    found = [each for each in walk(facts.source.tree) if isinstance(each, ast.Attribute) and each.attr == attr]
    inside = [each for each in found if facts.function(each) is not None and _name(facts.function(each)) != "__init__"]
    return _statements(inside, None, facts) if here is not None else None


def _name(function: Function | None) -> str:
    return getattr(function, "name", "")


def _statements(nodes: Sequence[ast.AST], function: Function | None, facts: Facts) -> list[ast.stmt] | None:
    """The statements around those nodes that Dynamo traces; None if one of them is not in `function`."""
    found: list[ast.stmt] = []
    for node in nodes:
        if function is not None and facts.function(node) is not function:
            return None
        statement = statement_of(node, facts)
        if statement is None or isinstance(getattr(node, "ctx", None), ast.Del):
            return None
        statement = _spoken(statement, facts)
        if statement not in found and not _is_skipped(statement, facts) and (function or facts.met(statement)):
            found.append(statement)
    return found


def _spoken(statement: ast.stmt, facts: Facts) -> ast.stmt:
    """The statement, or the outermost `if` around it that only speaks and whose test can be left out as well."""
    above = facts.parent(statement)
    while isinstance(above, ast.If) and speaks_only(above, facts) and not _is_guard(above.test):
        statement, above = above, facts.parent(above)
    return statement


def _is_skipped(statement: ast.stmt, facts: Facts) -> bool:
    """True for code that is already left out when compiled."""
    above = facts.parent(statement)
    while above is not None:
        if isinstance(above, ast.If) and _is_guard(above.test):
            return True
        above = facts.parent(above)
    return False


def _is_guard(test: ast.expr) -> bool:
    """True for `not torch.compiler.is_compiling()`, alone or joined by `and`."""
    parts = test.values if isinstance(test, ast.BoolOp) and isinstance(test.op, ast.And) else [test]
    return any(
        isinstance(part, ast.UnaryOp)
        and isinstance(part.op, ast.Not)
        and isinstance(part.operand, ast.Call)
        and (dotted(part.operand.func) or "").endswith("is_compiling")
        for part in parts
    )


def _is_harmless(statement: ast.stmt, facts: Facts) -> bool:
    """True if leaving the statement out changes nothing but what it sets."""
    for child in walk(statement):
        if isinstance(child, ast.NamedExpr | ast.Await | ast.Yield | ast.YieldFrom | ast.Starred):
            return False
        if isinstance(child, ast.Call) and not _only_looks(child, facts) and not _keeps(child, facts):
            return False
    return True


def _keeps(call: ast.Call, facts: Facts) -> bool:
    """True for a method that reads the container in which values are kept: `totals.get(name, 0.0)`."""
    match call.func:
        case ast.Attribute(value=kept, attr=attr):
            return attr in KEEPERS and facts.kinds(kept) == CONTAINER
    return False


def _only_looks(node: ast.Call | ast.BinOp, facts: Facts) -> bool:
    """True for a call that changes nothing."""
    if isinstance(node, ast.BinOp):
        return True
    name = facts.resolve(node.func) or ""
    if name.startswith("torch.Tensor."):
        return not name.endswith(CHANGES)
    return name.startswith(LOOKS) and not name.startswith(ACTS)
