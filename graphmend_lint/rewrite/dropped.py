"""Items of a list that a tensor of flags picks, then looped over: each item with its flag, and no shorter list.

`layers = [f for f, drop in zip(layers, flags) if not drop]` in a function, `for f in drop_layers(...)` in its callers.
"""

from __future__ import annotations

import ast
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final, NamedTuple

from graphmend_lint.facts.meta import meta
from graphmend_lint.facts.reaching import definition, statement_of
from graphmend_lint.facts.values import BOOL, TENSOR
from graphmend_lint.model import Applicability, Edit, Fix
from graphmend_lint.rewrite.imports import torch_name
from graphmend_lint.rewrite.naming import unused
from graphmend_lint.rewrite.number_uses import loads_of
from graphmend_lint.shapes import names_bound, names_read, same, walk_function
from graphmend_lint.syntax import walk

if TYPE_CHECKING:
    from graphmend_lint.facts import Facts
    from graphmend_lint.rewrite.site import Site

CAVEAT: Final = (
    "Compiled code runs every turn and keeps what its flag allows: a turn that is left out takes its time, moves its "
    "statistics and random numbers on, has zero gradients, not None, and must keep shape and dtype."
)
RANDOM: Final = frozenset({"random.randrange", "random.randint"})


class Filter(NamedTuple):
    """`[item for item, flag in zip(items, flags) if not flag]`."""

    item: str
    flag: str
    flags: ast.Name
    pairs: str  #: what is looped over, as text
    drops: bool  #: the flag says what is left out


@dataclass(frozen=True)
class Loop:
    """A loop over what the function returns."""

    call: ast.Call
    node: ast.For
    carried: str  #: the one name that a turn changes


def items_with_flags(node: ast.ListComp, facts: Facts) -> Fix | None:
    """The function that gives pairs of an item and its flag, and its callers' loops; None if it is not plain."""
    function, torch = facts.function(node), torch_name(facts, node)
    found = _filter(node, facts)
    if found is None or torch is None or not isinstance(function, ast.FunctionDef):
        return None
    plain = _is_plain(function, facts) and _returns(function, node, facts)
    loops = _loops(function, facts) if plain else None
    if not loops:
        return None
    name = _new_name(function, facts)
    text = _copied(function, name, node, found, torch, facts)
    return Fix(
        title="Keep every item, with the flag that picks it",
        applicability=Applicability.UNSAFE,
        edits=lambda site: tuple(edit for each in loops for edit in _edits(each, name, torch, facts, site)),
        caveat=CAVEAT,
        imports=("torch",),
        definitions=(text,),
    )


def _filter(node: ast.ListComp, facts: Facts) -> Filter | None:
    """The comprehension taken apart; None for any other."""
    match node:
        case ast.ListComp(
            elt=ast.Name(id=item),
            generators=[
                ast.comprehension(
                    target=ast.Tuple(elts=[ast.Name(id=first), ast.Name(id=flag)]),
                    iter=ast.Call(args=[_, ast.Name() as flags], keywords=[]) as pairs,
                    ifs=[test],
                    is_async=0,
                )
            ],
        ):
            pass
        case _:
            return None
    drops = isinstance(test, ast.UnaryOp) and isinstance(test.op, ast.Not)
    asked = test.operand if isinstance(test, ast.UnaryOp) and drops else test
    is_bool = facts.value(flags).traits & BOOL or meta(flags, facts).is_bool
    if item != first or not isinstance(asked, ast.Name) or asked.id != flag or facts.kinds(flags) != TENSOR:
        return None
    zipped = facts.resolve(pairs.func) == "builtins.zip" and is_bool
    return Filter(item, flag, flags, facts.text(pairs), drops) if zipped else None


def _is_plain(function: ast.FunctionDef, facts: Facts) -> bool:
    """True for a function of the module whose defaults are constants, so that a copy may stand further up."""
    given = [*function.args.defaults, *(each for each in function.args.kw_defaults if each is not None)]
    notes = [each.annotation for each in walk_function(function.args) if isinstance(each, ast.arg)]
    return (
        isinstance(facts.parent(function), ast.Module)
        and not function.decorator_list
        and function.returns is None
        and all(isinstance(each, ast.Constant) for each in given)
        and not any(notes)
    )


def _returns(function: ast.FunctionDef, node: ast.expr, facts: Facts) -> bool:
    """True if every `return` gives the picked items, or a parameter as it came in."""
    found = [each for each in walk_function(function) if isinstance(each, ast.Return)]
    return bool(found) and all(_is_picked(each, node, facts) or _is_whole(each, facts) for each in found)


def _is_picked(statement: ast.Return, node: ast.expr, facts: Facts) -> bool:
    value = statement.value
    return value is node or (isinstance(value, ast.Name) and _holds_picked(value, node, facts))


def _holds_picked(name: ast.Name, node: ast.expr, facts: Facts) -> bool:
    """True if the name holds the list that `node` makes, which may be made from one of the same name."""
    above = facts.parent(node)
    if not isinstance(above, ast.Assign) or len(above.targets) != 1:
        return False
    target = above.targets[0]
    return same(target, name) and definition(name, facts).row == above.lineno


def _is_whole(statement: ast.Return, facts: Facts) -> bool:
    value, function = statement.value, facts.function(statement)
    if not isinstance(value, ast.Name) or not isinstance(function, ast.FunctionDef):
        return False
    parameters = {each.arg for each in (*function.args.posonlyargs, *function.args.args)}
    return value.id in parameters and definition(value, facts).row == 0


def _loops(function: ast.FunctionDef, facts: Facts) -> list[Loop] | None:
    """The loops over what the function returns; None if anything else is done with it."""
    found: list[Loop] = []
    for each in walk(facts.source.tree):
        if isinstance(each, ast.Name) and each.id == function.name:
            loop = _loop(each, facts)
            if loop is None:
                return None
            found.append(loop)
    return found


def _loop(name: ast.Name, facts: Facts) -> Loop | None:
    """The loop over a call of the function, also by way of a name; None if the call is used for anything else."""
    call = facts.parent(name)
    above = facts.parent(call) if isinstance(call, ast.Call) and call.func is name else None
    if not isinstance(call, ast.Call):
        return None
    if isinstance(above, ast.Assign) and len(above.targets) == 1 and isinstance(above.targets[0], ast.Name):
        loads = loads_of(above.targets[0].id, above, facts)
        above = facts.parent(loads[0]) if loads and len(loads) == 1 else None
        over = loads[0] if loads else None
    else:
        over = call
    if not isinstance(above, ast.For) or above.iter is not over or above.orelse:
        return None
    carried = _carried(above, facts)
    return None if carried is None else Loop(call, above, carried)


def _carried(loop: ast.For, facts: Facts) -> str | None:
    """The one tensor that a turn takes over from the turn before; None unless the body only gives values to names."""
    function = facts.function(loop)
    if function is None or not all(_sets_name(each) for each in loop.body) or facts.function(function) is not None:
        return None
    if any(isinstance(each, BOUND) or _is_super(each) for statement in loop.body for each in walk(statement)):
        return None
    if loop.body[0].lineno <= (loop.iter.end_lineno or loop.lineno):
        return None  # all on one line
    inside, read = names_bound(loop.body), list[ast.Name]()
    for statement in loop.body:
        bound = names_bound(loop.body[: loop.body.index(statement)])
        names = [each for each in walk(statement) if isinstance(each, ast.Name) and isinstance(each.ctx, ast.Load)]
        read += [each for each in names if each.id in inside and each.id not in bound]
    carried = {each.id for each in read}
    behind = {each.id for each in walk_function(function) if isinstance(each, ast.Name) and _reads_outside(each, loop)}
    if len(carried) != 1 or (inside & behind) - carried or carried & names_bound([loop.target]):
        return None
    return read[0].id if all(facts.kinds(each) == TENSOR for each in read) else None


BOUND: Final = (ast.Yield, ast.YieldFrom, ast.Await, ast.Lambda, ast.NamedExpr)


def _is_super(node: ast.AST) -> bool:
    return isinstance(node, ast.Name) and node.id in ("super", "locals")


def _sets_name(statement: ast.stmt) -> bool:
    return isinstance(statement, ast.Assign) and all(isinstance(each, ast.Name) for each in statement.targets)


def _reads_outside(node: ast.Name, loop: ast.For) -> bool:
    end = loop.end_lineno or loop.lineno
    return isinstance(node.ctx, ast.Load) and not loop.lineno <= node.lineno <= end


def _edits(found: Loop, name: str, torch: str, facts: Facts, site: Site) -> tuple[Edit, ...]:
    """The edits of one loop: each turn as a function, which runs always when compiled, with its flag to select."""
    loop, x = found.node, found.carried
    kept, step = unused(("kept", "is_kept"), loop, facts), unused(("layer", "turn"), loop, facts)
    call = site.expression(found.call.func, name)
    over = f"{name}({site.code(found.call).partition('(')[2]}" if loop.iter is found.call else site.code(loop.iter)
    target = site.code(loop.target)
    target = f"({target})" if isinstance(loop.target, ast.Tuple) and target[0] != "(" else target
    choice = f"{torch}.where({kept}.to({x}.device), {step}({x}.clone()), {x})"
    text = "\n".join([
        f"for {target}, {kept} in {over}:",
        "",
        f"    def {step}({x}):",
        *_lines(loop, facts, "        "),
        f"        return {x}",
        "",
        f"    if {torch}.compiler.is_compiling():",
        f"        {x} = {step}({x}) if {kept} is True else {choice}",
        f"    elif {kept}:",
        f"        {x} = {step}({x})",
    ])  # fmt: skip
    edit = site.replace(loop, text)
    return (edit,) if loop.iter is found.call else (call, edit)


def _lines(loop: ast.For, facts: Facts, margin: str) -> list[str]:
    """The body as it is written, moved to a margin."""
    first = (loop.iter.end_lineno or loop.lineno) + 1
    rows, cut = facts.source.lines[first - 1 : loop.body[-1].end_lineno], loop.body[0].col_offset
    while rows and not rows[0].strip():
        rows = rows[1:]
    return [f"{margin}{row[cut:].rstrip()}" if row.strip() else "" for row in rows]


def _new_name(function: ast.FunctionDef, facts: Facts) -> str:
    taken = names_bound([facts.source.tree]) | names_read(facts.source.tree)
    taken |= {each.name for each in walk(facts.source.tree) if isinstance(each, ast.FunctionDef)}
    names = [f"{function.name}_with_flags", *(f"{function.name}_with_flags_{n}" for n in range(2, 100))]
    return next(each for each in names if each not in taken)


def _copied(function: ast.FunctionDef, name: str, node: ast.ListComp, found: Filter, torch: str, facts: Facts) -> str:
    """The function with pairs in place of items."""
    flag = f"~{found.flag}" if found.drops else found.flag
    pairs = f"[({found.item}, {flag}) for {found.item}, {found.flag} in {found.pairs}]"
    new: dict[int, tuple[int, list[str]]] = {}
    for each in walk_function(function):
        if isinstance(each, ast.Return) and not _is_picked(each, node, facts) and isinstance(each.value, ast.Name):
            kept = f"[({found.item}, True) for {found.item} in {each.value.id}]"
            new[each.lineno] = (each.end_lineno or each.lineno, [f"return {kept}"])
        elif isinstance(each, ast.If) and (lines := _spared(each, found, torch, facts)):
            new[each.lineno] = (each.lineno, lines)
    holder = statement_of(node, facts)
    if isinstance(holder, ast.Assign | ast.Return):
        lead = "return" if isinstance(holder, ast.Return) else f"{facts.text(holder.targets[0])} ="
        new[holder.lineno] = (holder.end_lineno or holder.lineno, [f"{lead} {pairs}"])
    return _rewritten(function, name, new, facts)


def _rewritten(function: ast.FunctionDef, name: str, new: dict[int, tuple[int, list[str]]], facts: Facts) -> str:
    rows, row = [], function.lineno
    while row <= (function.end_lineno or function.lineno):
        line = facts.source.lines[row - 1].rstrip()
        end, lines = new.get(row, (row, []))
        margin = line[: len(line) - len(line.lstrip())]
        rows += [f"{margin}{each}" for each in lines] if lines else [line]
        row = end + 1
    return "\n".join(rows).replace(f"def {function.name}(", f"def {name}(", 1)


def _asks_all(test: ast.expr, flags: str, facts: Facts) -> bool:
    """True for `all(flags)`."""
    match test:
        case ast.Call(args=[ast.Name(id=name)]):
            return name == flags and facts.resolve(test.func) == "builtins.all"
    return False


def _spared(node: ast.If, found: Filter, torch: str, facts: Facts) -> list[str]:
    """`if all(flags): i = randrange(n); flags[i] = False` with a number that is drawn always, when compiled."""
    match node.body:
        case [
            ast.Assign(targets=[ast.Name(id=chosen)], value=ast.Call() as draw),
            ast.Assign(
                targets=[ast.Subscript(value=ast.Name(id=flags), slice=ast.Name(id=index))],
                value=ast.Constant(value=False),
            ),
        ] if found.drops and flags == found.flags.id and index == chosen and facts.resolve(draw.func) in RANDOM:
            pass
        case _:
            return []
    if node.orelse or not _asks_all(node.test, flags, facts):
        return []
    return [
        f"if {torch}.compiler.is_compiling():",
        f"    {chosen} = {facts.text(draw)}",
        f"    spared = {torch}.arange({flags}.shape[0], device={flags}.device) == {chosen}",
        f"    {flags} = {flags} & ~({flags}.all() & spared)",
        f"elif {facts.text(node.test)}:",
    ]
