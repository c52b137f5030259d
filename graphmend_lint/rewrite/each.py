"""An `if` around work on each item of a list: the choice moves inside, where `torch.where` can make it.

`if c: xs = [f(x) for x in xs]` becomes `xs = [f(x) if c else x for x in xs]`, and an `if` around a loop goes inside it.
"""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING, Final, NamedTuple

from graphmend_lint.facts.reaching import definition
from graphmend_lint.facts.values import CONTAINER, MODULE, TENSOR, UNKNOWN
from graphmend_lint.model import Applicability, Edit, Fix, Refusal
from graphmend_lint.rewrite.arms import branch
from graphmend_lint.rewrite.iterators import may_be_iterator
from graphmend_lint.rewrite.naming import fresh_name
from graphmend_lint.rewrite.predicate import condition
from graphmend_lint.rewrite.select import Arm, judge
from graphmend_lint.rewrite.template import indented
from graphmend_lint.rewrite.term import Condition, part
from graphmend_lint.rewrite.used_up import is_used_up
from graphmend_lint.shapes import assignment, names_bound, names_read, same, walk_function
from graphmend_lint.syntax import walk

if TYPE_CHECKING:
    from graphmend_lint.facts import Facts
    from graphmend_lint.rewrite.site import Site

TITLE: Final = "Choose for each item"
NEW_LIST: Final = (
    "A new list is made where the old one was kept, as long as the shortest of those looped over together."
)
LATER: Final = Refusal("in-place-later", "items are changed in place later, which must reach the originals")
#: what a loop may go over although nothing is to be done: going over it changes nothing
STEADY: Final = frozenset(f"builtins.{name}" for name in ("range", "enumerate", "zip", "reversed"))
COMPREHENSIONS: Final = (ast.ListComp, ast.DictComp)
Comprehension = ast.ListComp | ast.DictComp


class Choice(NamedTuple):
    """A comprehension, and what an item is if it is not computed."""

    node: Comprehension
    value: ast.expr  #: what is computed for each item
    other: ast.expr | str  #: what it is otherwise; a name if it stays as it is


def for_each(node: ast.If, facts: Facts) -> Fix | Refusal | None:
    """The choice made for each item; None if the branches do no such work."""
    test = condition(node.test, facts, named=True)
    if isinstance(test, Refusal) or (test.static and (test.joined is ast.Or or node.orelse)):
        return None
    return _items(node, test, facts) or _turns(node, test, facts)


def _lead(site: Site, node: ast.If, test: Condition, facts: Facts) -> tuple[str, str]:
    """The lines that give the condition a name, and that name."""
    name, code = fresh_name(node, facts), test.tensor.code(site)
    kept = f"{test.tensor.operand()(site)}.clone()" if test.tensor.shared else code
    return f"{test.tensor.names(site)}{name} = {kept}\n", name


def _under(site: Site, test: Condition, text: str) -> str:
    """The text as a block under those parts of the condition that Python knows."""
    known = test.known(site)
    return f"if {known}:\n    {indented(text)}" if known else text


# Comprehensions


def _items(node: ast.If, test: Condition, facts: Facts) -> Fix | Refusal | None:
    """Every statement of the branches gives a name a list made item by item."""
    found = [_choice(each, node, facts) for each in node.body]
    if not found or any(each is None for each in found):
        return None
    names, choices = [name for name, _ in filter(None, found)], [each for _, each in filter(None, found)]
    if len(set(names)) < len(names) or len(node.orelse) not in (0, len(node.body)):
        return None
    for name, each in zip(names, choices, strict=True):
        refusal = _refusal(name, each, node, facts)
        if refusal is not None:
            return refusal
    if set(names) & names_read(node.test):
        return None

    def edits(site: Site) -> tuple[Edit, ...]:
        named = isinstance(node.test, ast.Name)  # nothing changes it in between
        lead, asked = ("", site.code(node.test)) if named else _lead(site, node, test, facts)
        lines = [f"{name} = {_written(site, each, asked)}" for name, each in zip(names, choices, strict=True)]
        return (site.replace(node, _under(site, test, lead + "\n".join(lines))),)

    return Fix(TITLE, Applicability.UNSAFE, edits, f"{NEW_LIST} {test.tensor.doubt}".strip(), opens=True)


def _choice(statement: ast.stmt, node: ast.If, facts: Facts) -> tuple[str, Choice] | None:
    """The name and the choice for `xs = [f(x) for x in xs]`, in one branch, or in both over the same items."""
    parts = assignment(statement)
    if parts is None or parts.augmented or not isinstance(parts.target, ast.Name):
        return None
    made = parts.value
    if not isinstance(made, COMPREHENSIONS) or not _is_plain(made, facts):
        return None
    value = made.elt if isinstance(made, ast.ListComp) else made.value
    if node.orelse:
        other = _opposite(parts.target, made, node)
        return None if other is None else (parts.target.id, Choice(made, value, other))
    kept = _item_of(parts.target.id, made, facts)
    return None if kept is None else (parts.target.id, Choice(made, value, kept))


def _is_plain(made: Comprehension, facts: Facts) -> bool:
    """True for one `for` without `if`, over something that can be iterated over again."""
    loop = made.generators[0]
    return len(made.generators) == 1 and not loop.ifs and not loop.is_async and is_steady(loop.iter, facts)


def is_steady(over: ast.expr, facts: Facts) -> bool:
    """True if going over it again, or although nothing is to be done, changes nothing."""
    match over:
        case ast.Call(func=ast.Attribute(value=ast.Name() as owner, attr="items" | "values" | "keys"), args=[]):
            return facts.kinds(owner) == CONTAINER
        case ast.Call(func=ast.Attribute(value=owner, attr="parameters" | "buffers" | "children" | "modules"), args=[]):
            return facts.kinds(owner) == MODULE
        case ast.Call(func=ast.Name(), args=given, keywords=[]):
            return facts.resolve(over.func) in STEADY and all(is_steady(each, facts) for each in given)
        case ast.Name() | ast.Attribute():
            known = facts.value(over)
            if may_be_iterator(over, facts):
                return False
            items = known.element.kinds if known.element is not None else 0
            return known.kinds == CONTAINER or (bool(known.kinds & UNKNOWN) and items == TENSOR)
    return not facts.kinds(over) & TENSOR and not [each for each in walk(over) if isinstance(each, ast.Call)]


def _opposite(target: ast.Name, made: Comprehension, node: ast.If) -> ast.expr | None:
    """The item in the list of the other branch, if that goes over the same items under the same names."""
    parts = [each for each in map(assignment, node.orelse) if each is not None and same(each.target, target)]
    match parts:
        case [one] if not one.augmented and type(one.value) is type(made):
            pass
        case _:
            return None
    other = parts[0].value
    if not isinstance(other, COMPREHENSIONS) or not all(map(same, made.generators, other.generators)):
        return None
    if len(other.generators) != 1:
        return None
    if isinstance(other, ast.DictComp) and isinstance(made, ast.DictComp):
        return other.value if same(made.key, other.key) else None
    return other.elt if isinstance(other, ast.ListComp) else None


def _item_of(name: str, made: Comprehension, facts: Facts) -> str | None:
    """The variable that holds an item of the list of that name, which the comprehension goes over."""
    loop = made.generators[0]
    match made, loop.iter, loop.target:
        case ast.ListComp(), ast.Name(id=over), ast.Name(id=item) if over == name:
            return item
        case ast.ListComp(), ast.Call(args=given), ast.Tuple(elts=items) if len(given) == len(items):
            zipped = facts.resolve(loop.iter.func) == "builtins.zip" if isinstance(loop.iter, ast.Call) else False
            pairs = [(a, b) for a, b in zip(given, items, strict=True) if isinstance(a, ast.Name) and a.id == name]
            return pairs[0][1].id if zipped and len(pairs) == 1 and isinstance(pairs[0][1], ast.Name) else None
        case (
            ast.DictComp(key=ast.Name(id=key)),
            ast.Call(func=ast.Attribute(value=ast.Name(id=over), attr="items")),
            ast.Tuple(elts=[ast.Name(id=first), ast.Name(id=item)]),
        ) if over == name and first == key:
            return item
    return None


def _refusal(name: str, choice: Choice, node: ast.If, facts: Facts) -> Refusal | None:
    """Why an item cannot be selected, as far as that is known now."""
    loads = [each for each in walk(choice.node) if isinstance(each, ast.Name) and isinstance(each.ctx, ast.Load)]
    if isinstance(choice.other, str):
        old = next((each for each in loads if each.id == choice.other), None)
        if old is None or _changes_items(name, node, facts):
            return LATER if old is not None else Refusal("arms-differ", "the items are not made of the old ones")
        other = Arm.of(old, facts)
    else:
        other = Arm.of(choice.other, facts)
    then = Arm.of(choice.value, facts)
    if isinstance(then, Refusal):
        return then
    if isinstance(other, Refusal):
        return other
    kept = not (then.passed or other.passed) or not is_used_up(name, node, facts)
    verdict = judge(then, other, node, facts, kept=kept)
    return verdict if isinstance(verdict, Refusal) else None


def _changes_items(name: str, node: ast.If, facts: Facts) -> bool:
    """True if something behind the `if` may change an item in place, or the list itself."""
    function = facts.function(node)
    later = [] if function is None else [each for each in walk_function(function) if _row(each) > _last(node)]
    looped = set().union(
        *(names_bound([each.target]) for each in later if isinstance(each, ast.For | ast.comprehension))
    )
    return any(_changes(each, {name, *looped}) for each in later)


def _changes(node: ast.AST, names: set[str]) -> bool:
    match node:
        case ast.AugAssign(target=target) | ast.Subscript(value=target, ctx=ast.Store() | ast.Del()):
            return _root(target) in names
        case ast.Call(func=ast.Attribute(value=owner, attr=called), args=given):
            method = called.endswith("_") or called in LIST_METHODS
            return (method and _root(owner) in names) or (called.endswith("_") and bool(names & names_read_of(given)))
    return False


LIST_METHODS: Final = frozenset("append extend insert pop remove clear sort reverse update setdefault popitem".split())


def names_read_of(nodes: list[ast.expr]) -> set[str]:
    """Names that any of the expressions reads."""
    return set().union(*map(names_read, nodes))


def _root(node: ast.expr) -> str | None:
    while isinstance(node, ast.Attribute | ast.Subscript):
        node = node.value
    return node.id if isinstance(node, ast.Name) else None


def _row(node: ast.AST) -> int:
    return getattr(node, "lineno", 0) or min(
        (getattr(each, "lineno", 0) for each in ast.iter_child_nodes(node)), default=0
    )


def _last(node: ast.If) -> int:
    return node.end_lineno or node.lineno


def _written(site: Site, choice: Choice, asked: str) -> str:
    """The comprehension with a conditional expression for each item."""
    other = choice.other if isinstance(choice.other, str) else site.code(choice.other)
    chosen = f"{part(site, choice.value)} if {asked} else {other}"
    return site.code(choice.node, {choice.value: chosen})


# Loops


def _turns(node: ast.If, test: Condition, facts: Facts) -> Fix | Refusal | None:
    """The branch is a loop over a list: each turn is chosen."""
    match node:
        case ast.If(body=[ast.For(orelse=[]) as loop], orelse=[]) if is_steady(loop.iter, facts):
            pass
        case _:
            return None
    if names_bound([loop]) & names_read(node.test) or is_read_elsewhere(names_bound([loop.target]), node, facts):
        return None
    found = branch(loop.body, node, facts)
    if isinstance(found, Refusal) or not found.values:
        return found if isinstance(found, Refusal) else None

    def edits(site: Site) -> tuple[Edit, ...]:
        lead, asked = _lead(site, node, test, facts)
        head = f"for {site.code(loop.target)} in {site.code(loop.iter)}:"
        text = f"{lead}{head}\n    if {asked}:\n        BODY"
        return (site.replace(node, _under(site, test, text), BODY=loop.body),)

    return Fix(TITLE, Applicability.UNSAFE, edits, test.tensor.doubt or TURNS, opens=True)


TURNS: Final = "The loop is run whatever the condition."


def is_read_elsewhere(names: frozenset[str], node: ast.If, facts: Facts) -> bool:
    """True if code outside the branch reads one of the names; a comprehension has names of its own."""
    function = facts.function(node)
    inside = {id(each) for each in walk(node)}
    used = [] if function is None else [each for each in walk_function(function) if id(each) not in inside]
    loads = [each for each in used if isinstance(each, ast.Name) and isinstance(each.ctx, ast.Load)]
    return any(each.id in names and definition(each, facts).row >= 0 for each in loads)
