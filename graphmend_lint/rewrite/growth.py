"""Tables that grow to the length that a tensor asks for, and at least to a configured length.

Compiled code makes it that long at once, and asserts that no more is asked for; eager code lets it grow as before.
"""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING, Final, NamedTuple

from graphmend_lint.facts.objects import Instance
from graphmend_lint.facts.reaching import statement_of
from graphmend_lint.facts.values import CONSTANT, FLOATING, INTEGRAL, SYMINT, TENSOR
from graphmend_lint.model import Applicability, Edit, Fix, Refusal
from graphmend_lint.project import FunctionDef
from graphmend_lint.rewrite.imports import torch_name
from graphmend_lint.rewrite.template import call, indented, quoted
from graphmend_lint.shapes import block_of, call_statement, dotted, names_bound, same, walk_function
from graphmend_lint.syntax import walk

if TYPE_CHECKING:
    from graphmend_lint.facts import Facts
    from graphmend_lint.rewrite.site import Site

TITLE: Final = "Make the table as long as it is configured to be while compiling"
UNBOUNDED: Final = Refusal("table-grows", "only you know the largest length: fill the table up to it in `__init__`")
LARGEST: Final = ("torch.Tensor.max", "torch.max", "torch.Tensor.amax", "torch.amax")


class Growth(NamedTuple):
    """`needed = positions.max() + 1; if needed > self.length: self.grow(max(needed, self.limit))`."""

    branch: ast.If
    given: ast.Assign | None  #: what gives `needed` its value; None if the test computes it
    needed: ast.expr  #: that value
    number: ast.expr  #: the part of it that is read from the tensor
    tensor: ast.expr  #: where it is read from
    length: str  #: "self.length"
    longest: tuple[ast.expr, ...]  #: `max(needed, limit)`, wherever the branch says it
    limit: ast.expr


def grown(node: ast.expr | ast.If, facts: Facts) -> Fix | Refusal | None:
    """The growth in two forms, compiled and eager, for a `node` that reads a tensor; None if nothing grows."""
    torch, branch = torch_name(facts, node), _branch(node, facts)
    if branch is None or torch is None:
        return None
    found = _growth(branch, facts)
    if not isinstance(found, Growth):
        return found
    if not _starts_empty(found, facts):
        return UNBOUNDED
    words = f"Compiled code raises where more than `{facts.text(found.limit)}` is needed, instead of growing the table."
    return Fix(TITLE, Applicability.UNSAFE, lambda site: _edits(site, found, torch, facts), words, ("torch",))


def _branch(node: ast.expr | ast.If, facts: Facts) -> ast.If | None:
    """The `if` that asks whether the table is long enough."""
    if isinstance(node, ast.If):
        return node
    statement = statement_of(node, facts)
    if isinstance(statement, ast.If):
        return statement if any(each is node for each in walk(statement.test)) else None
    parent = facts.parent(statement) if statement is not None else None
    if not isinstance(statement, ast.Assign) or parent is None:
        return None
    block = block_of(statement, parent)
    behind = block[block.index(statement) + 1 :] if block else []
    return behind[0] if behind and isinstance(behind[0], ast.If) else None


def _growth(branch: ast.If, facts: Facts) -> Growth | Refusal | None:
    """The growth that an `if` is; a refusal if it has no limit, None for any other `if`."""
    match branch.test:
        case ast.Compare(left=needed, ops=[ast.Gt() | ast.GtE()], comparators=[length]):
            pass
        case ast.Compare(left=length, ops=[ast.Lt() | ast.LtE()], comparators=[needed]):
            pass
        case _:
            return None
    path, given = dotted(length), _given(needed, branch, facts)
    value = given.value if given is not None else needed
    number, tensor = _read(value, facts)
    if path is None or not path.startswith("self.") or number is None or tensor is None or branch.orelse:
        return None
    if not _fills(branch, path, facts):
        return None
    longest = _longest(branch, _whole(needed), facts)
    limit = _limit(longest, _whole(needed)) if longest else None
    if limit is None or _is_used_elsewhere(needed, branch, given, facts):
        return UNBOUNDED
    return Growth(branch, given, value, number, tensor, path, tuple(longest), limit)


def _given(needed: ast.expr, branch: ast.If, facts: Facts) -> ast.Assign | None:
    """The statement right before the `if`, if it gives the name its value."""
    parent = facts.parent(branch)
    block = block_of(branch, parent) if parent is not None else []
    before = block[block.index(branch) - 1] if block and block.index(branch) else None
    match needed, before:
        case ast.Name(id=name), ast.Assign(targets=[ast.Name(id=target)]) if name == target:
            return before
    return None


def _read(node: ast.expr, facts: Facts) -> tuple[ast.expr | None, ast.expr | None]:
    """The parts of `int(t.max()) + 1`: the number that is read, and the largest element that it is read from."""
    match node:
        case ast.BinOp(left=left, op=ast.Add(), right=ast.Constant(value=int())):
            return _read(left, facts)
        case ast.Call(func=ast.Name(id="int"), args=[inner], keywords=[]):
            _, tensor = _read(inner, facts)
            return (node, tensor) if tensor is not None else (None, None)
        case ast.Call(func=ast.Attribute(attr="item", value=inner), args=[]):
            return (node, inner) if _is_largest(inner, facts) else (None, None)
    return (node, node) if _is_largest(node, facts) else (None, None)


def _is_largest(node: ast.expr, facts: Facts) -> bool:
    match node:
        case ast.Call(func=ast.Attribute(value=base), args=given, keywords=[]) if facts.resolve(node.func) in LARGEST:
            method = facts.kinds(base) == TENSOR
            tensor = base if method and not given else given[0] if not method and len(given) == 1 else None
            plain = tensor is not None and dotted(tensor) is not None
            return plain and tensor is not None and not facts.value(tensor).traits & FLOATING
    return False


def _fills(branch: ast.If, length: str, facts: Facts) -> bool:
    """True if the branch, or a method that it calls, stores attributes of the object, the length among them."""
    if length in names_bound(branch.body):
        return True
    functions = [_method(each, facts) for each in map(call_statement, branch.body) if each is not None]
    return any(each is not None and length in names_bound([each]) for each in functions)


def _method(node: ast.Call, facts: Facts) -> ast.FunctionDef | None:
    target = facts.value(node.func).target
    found = target.node if isinstance(target, FunctionDef) else None
    own = isinstance(node.func, ast.Attribute) and isinstance(node.func.value, ast.Name)
    return found if own and isinstance(found, ast.FunctionDef) and not isinstance(target, Instance) else None


def _longest(branch: ast.If, needed: ast.expr, facts: Facts) -> list[ast.expr]:
    """Every `max(needed, limit)` of the branch; none if it also uses the number in another way."""
    calls = [each for part in branch.body for each in walk(part) if isinstance(each, ast.Call)]
    found = [each for each in calls if _is_max(each, needed, facts)]
    inside = {id(each) for one in found for argument in one.args for each in walk(argument)}
    bare = [each for part in branch.body for each in walk(part) if isinstance(each, ast.expr) and same(each, needed)]
    return list(found) if all(id(each) in inside for each in bare) else []


def _is_max(node: ast.Call, needed: ast.expr, facts: Facts) -> bool:
    plain = facts.resolve(node.func) == "builtins.max" and len(node.args) == 2 and not node.keywords
    return plain and any(same(_whole(each), needed) for each in node.args)


def _whole(node: ast.expr) -> ast.expr:
    """The `needed` of `int(needed)` or `needed.item()`; any other expression itself."""
    match node:
        case ast.Call(func=ast.Name(id="int"), args=[inner], keywords=[]):
            return _whole(inner)
        case ast.Call(func=ast.Attribute(value=inner, attr="item"), args=[]):
            return inner
    return node


def _limit(longest: list[ast.expr], needed: ast.expr) -> ast.expr | None:
    """The length that the table has at least."""
    calls = [each for each in longest if isinstance(each, ast.Call)]
    limits = [each for call in calls for each in call.args if not same(_whole(each), needed)]
    first = limits[0] if limits else None
    plain = isinstance(first, ast.Constant | ast.Attribute | ast.Name) and len(limits) == len(longest)
    return first if plain and first is not None and all(same(each, first) for each in limits) else None


def _is_used_elsewhere(needed: ast.expr, branch: ast.If, given: ast.Assign | None, facts: Facts) -> bool:
    function = facts.function(branch)
    if given is None or function is None or not isinstance(needed, ast.Name):
        return False
    inside = {id(each) for part in (branch, given) for each in walk(part)}
    used = [each for each in walk_function(function) if isinstance(each, ast.Name) and id(each) not in inside]
    return any(each.id == needed.id for each in used)


def _starts_empty(found: Growth, facts: Facts) -> bool:
    """True if the first call makes the table at least as long as the limit, and nothing else sets its length."""
    function = facts.function(found.branch)
    owner = facts.parent(function) if function is not None else None
    known = facts.kinds(found.limit)
    if not isinstance(owner, ast.ClassDef) or not known or known & ~(CONSTANT | SYMINT):
        return False
    methods = [each for each in owner.body if isinstance(each, ast.FunctionDef)]
    path = dotted(found.limit)
    if path is not None and "." in path and any(path in names_bound([m]) for m in methods if m.name != "__init__"):
        return False
    return all(_keeps(method, found, facts) for method in methods if found.length in names_bound([method]))


def _keeps(method: ast.FunctionDef, found: Growth, facts: Facts) -> bool:
    """True if the method only sets the length to 0 to begin with, or to what was asked for."""
    stored = [each for each in walk_function(method) if isinstance(each, ast.Assign | ast.AugAssign | ast.AnnAssign)]
    values = [each.value for each in stored if found.length in names_bound([each])]
    if method.name == "__init__":
        return all(isinstance(each, ast.Constant) and each.value == 0 for each in values)
    if method is facts.function(found.branch):
        return all(any(each is longest for longest in found.longest) for each in values)
    return all(isinstance(each, ast.Name) and _is_asked(each.id, method, found, facts) for each in values)


def _is_asked(name: str, method: ast.FunctionDef, found: Growth, facts: Facts) -> bool:
    """True if the branch calls the method with the longest length for this parameter."""
    calls = [each for each in map(call_statement, found.branch.body) if each is not None]
    mine = [each for each in calls if _method(each, facts) is method]
    names = [each.arg for each in method.args.args][1:]
    if len(mine) != 1 or name not in names or name in _set_in(method):
        return False
    words = {each.arg: each.value for each in mine[0].keywords}
    value = dict(zip(names, mine[0].args, strict=False)).get(name) or words.get(name)
    return any(value is each for each in found.longest)


def _set_in(method: ast.FunctionDef) -> frozenset[str]:
    return names_bound(method.body)


def _edits(site: Site, found: Growth, torch: str, facts: Facts) -> tuple[Edit, ...]:
    """The growth in two forms: to the limit at once when compiled, as before in eager mode."""
    limit = site.code(found.limit)
    integral = facts.value(found.tensor).traits & INTEGRAL or _is_index(found.tensor, facts)
    largest = site.code(found.tensor) + ("" if integral else ".long()")
    needed = site.code(found.needed, {found.number: largest})
    body = [site.code(each, _swapped(found, each, limit)) for each in found.branch.body]
    text = quoted(f"the table is too short, and does not grow beyond {limit} in compiled code")
    check = call(f"{torch}._assert_async", [f"{needed} <= {found.length}", text], site.room(found.branch, 4))
    lines = [
        f"if {torch}.compiler.is_compiling():",
        f"    if {found.length} < {limit}:",
        *(f"        {indented(indented(each))}" for each in body),
        f"    {indented(check)}",
    ]
    if found.given is None:
        lines += [f"elif {site.code(found.branch.test)}:", "    BODY"]
        return (site.replace(found.branch, "\n".join(lines), BODY=found.branch.body),)
    lines += ["else:", "    GIVEN", "    BRANCH"]
    edit = site.replace(found.given, "\n".join(lines), GIVEN=[found.given], BRANCH=[found.branch])
    return edit, site.remove(found.branch)


def _swapped(found: Growth, statement: ast.stmt, limit: str) -> dict[ast.expr, str]:
    inside = {id(each) for each in walk(statement)}
    return {each: limit for each in found.longest if id(each) in inside}


def _is_index(largest: ast.expr, facts: Facts) -> bool:
    """True if the function indexes with the tensor, so that it holds integers."""
    function = facts.function(largest)
    tensor = largest.args[0] if isinstance(largest, ast.Call) and largest.args else None
    if tensor is None and isinstance(largest, ast.Call) and isinstance(largest.func, ast.Attribute):
        tensor = largest.func.value
    slices = [each.slice for each in walk_function(function) if isinstance(each, ast.Subscript)] if function else []
    return tensor is not None and any(same(each, tensor) for each in slices)
