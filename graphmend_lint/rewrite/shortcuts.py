"""Shortcuts around work that would come to the same: `if not mask.any(): return x` before stores under the mask."""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING, Final, NamedTuple

from graphmend_lint.facts.effects import effects
from graphmend_lint.facts.values import BOOL
from graphmend_lint.model import Applicability, Edit, Fix
from graphmend_lint.rewrite.fresh import is_fresh
from graphmend_lint.rewrite.masked_rows import Masked
from graphmend_lint.rewrite.noop import SELECTED, TITLE
from graphmend_lint.rewrite.rows import class_of
from graphmend_lint.rewrite.rowwise_values import INDEX, NUMBER, Frame, NotRowWise, Rows, Seen
from graphmend_lint.rewrite.select import GRADIENT
from graphmend_lint.rewrite.some_rows import of_all
from graphmend_lint.shapes import block_of, dotted, names_read, returned, same
from graphmend_lint.syntax import walk

if TYPE_CHECKING:
    from graphmend_lint.facts import Facts
    from graphmend_lint.rewrite.site import Site

NEW: Final = "A new tensor is returned where it used to be the one that was given."
EVERY: Final = "The rows are computed as those of a mask; the result must have the dtype of what they are stored into."


class Ways(NamedTuple):
    """The two ways through the rest of a function."""

    early: ast.expr  #: what is returned by the short one
    work: list[ast.stmt]  #: the long one, up to its `return`
    gone: ast.stmt | None  #: the `return` of the short one, if it is not in the `if`
    when: str  #: what the condition says of the mask


class Work(NamedTuple):
    """The long way: all that it does is to store what it makes of the elements that a mask selects."""

    mask: str
    result: str  #: the name that is returned at the end
    begun: ast.expr | None  #: what it is set to first
    stored: list[ast.expr]  #: values that are then stored into it under the mask
    names: set[str]  #: others that are set on the way

    @property
    def is_new(self) -> bool:
        return self.begun is None and not self.stored


def shortcut(node: ast.If, facts: Facts) -> Fix | None:
    """The fix that does the work always; None if the shortcut around it may make a difference."""
    ways, asked = _ways(node, facts), _asked(node.test, facts)
    if ways is None or asked is None or asked[1] != ways.when:
        return None
    work = _work(ways.work, asked[0], node, facts)
    if work is None:
        return None
    caveat = _caveat_of_all(ways.early, work, facts) if ways.when == "all" else _caveat_of_none(ways.early, work)

    return Fix(TITLE, Applicability.UNSAFE, lambda site: _edits(site, node, ways, facts), caveat) if caveat else None


def _edits(site: Site, node: ast.If, ways: Ways, facts: Facts) -> tuple[Edit, ...]:
    if ways.gone is not None:
        return site.replace(node, "BODY", BODY=ways.work), site.remove(ways.gone)
    above = _other_return(node, facts)
    if above is None:
        return (site.remove(node),)
    return (site.replace(above, f"if {site.code(above.test)}:\n    BODY", BODY=above.body),)


def _ways(node: ast.If, facts: Facts) -> Ways | None:
    """`if not mask.any(): return x`, then the work; or `if mask.any():` around the work, then `return x`."""
    place = _other_return(node, facts) or node
    parent = facts.parent(place)
    block = block_of(place, parent) if parent is not None and not node.orelse else []
    after = block[block.index(place) + 1 :] if block else []
    first, last = returned(node.body[0]), returned(after[-1]) if after else None
    when = (_asked(node.test, facts) or ("", ""))[1]
    if len(node.body) == 1 and first is not None and last is not None:
        return Ways(first, after, None, "all" if when == "all" else "none")
    if len(after) == 1 and place is node and last is not None and returned(node.body[-1]) is not None:
        return Ways(last, node.body, after[0], "some")
    return None


def _other_return(node: ast.If, facts: Facts) -> ast.If | None:
    """The `if` that returns, and whose `elif` this is."""
    above = facts.parent(node)
    is_elif = isinstance(above, ast.If) and above.orelse == [node] and returned(above.body[-1]) is not None
    return above if is_elif and isinstance(above, ast.If) else None


def _asked(test: ast.expr, facts: Facts) -> tuple[str, str] | None:
    """A mask, and what a test says of it: that it selects "none", "some" or "all" of the elements."""
    match test:
        case ast.Call(func=ast.Attribute(value=ast.Name() as mask, attr="all"), args=[], keywords=[]):
            return (mask.id, "all") if facts.value(mask).traits & BOOL else None
    masks = [each.id for each in walk(test) if isinstance(each, ast.Name) and facts.value(each).traits & BOOL]
    try:
        none = Masked(facts, frozenset()).asks(test, Frame({masks[0]: INDEX}, None)) if masks else None
    except NotRowWise:
        return None
    return (masks[0], "none" if none else "some") if none is not None else None


def _work(block: list[ast.stmt], mask: str, node: ast.If, facts: Facts) -> Work | None:
    """The statements up to the last return of the function, if they do nothing but store under the mask."""
    last, function = returned(block[-1]), facts.function(node)
    if not isinstance(last, ast.Name) or not isinstance(function, ast.FunctionDef):
        return None
    run, frame = Masked(facts, frozenset()), Frame({mask: INDEX}, class_of(function, facts))
    try:
        work = _run(block[:-1], last.id, mask, run, frame)
    except NotRowWise:
        return None
    return None if run.notes or run.copies else work


def _run(block: list[ast.stmt], result: str, mask: str, run: Masked, frame: Frame) -> Work | None:
    """The work, if it does nothing but store under the mask.

    Raises:
        NotRowWise: if a value is not computed row by row.
    """
    work = Work(mask, result, None, [], set())
    for statement in block:
        match statement:
            case ast.Assign(targets=[ast.Name(id=name)], value=value) if name == result and work.is_new:
                work = work._replace(begun=value)
            case ast.Assign(targets=[ast.Name(id=name)], value=value) if name not in (result, mask):
                frame.names[name] = run.eval(value, frame)
                work.names.add(name)
                if not isinstance(frame.names[name], Rows) and _may_differ(value, run.facts):
                    return None
            case ast.Assign(targets=[ast.Subscript(value=ast.Name(id=name), slice=ast.Name(id=index))], value=value):
                if (name, index) != (result, mask) or not _fits(run.eval(value, frame)):
                    return None
                work.stored.append(value)
            case _:
                return None
    return work if work.stored else None


def _fits(value: Seen) -> bool:
    """True for what can be stored however many elements are selected."""
    return value is NUMBER or (isinstance(value, Rows) and value.exact)


def _may_differ(value: ast.expr, facts: Facts) -> bool:
    found = effects(value, facts)
    return found.refusal is not None or found.nan_gradient


def _caveat_of_none(early: ast.expr, work: Work) -> str:
    """What may change if nothing is stored into what is returned; "" if it would be something else."""
    if names_read(early) & work.names:
        return ""
    if work.begun is None:
        return f"{SELECTED} {GRADIENT}" if dotted(early) == work.result else ""
    match work.begun:
        case ast.Call(func=ast.Attribute(value=copied, attr="clone"), args=[], keywords=[]) if same(copied, early):
            return f"{SELECTED} {NEW} {GRADIENT}" if isinstance(early, ast.Name) else ""
    return f"{SELECTED} {GRADIENT}" if same(work.begun, early) else ""


def _caveat_of_all(early: ast.expr, work: Work, facts: Facts) -> str:
    """What may change if all elements are stored; "" if they would not be those that are returned early."""
    if work.begun is None or not is_fresh(work.begun, facts) or _may_differ(work.begun, facts):
        return ""
    if work.names or len(work.stored) > 1:
        return ""
    return f"{EVERY} {GRADIENT}" if same(of_all(work.stored[0], work.mask), early) else ""
