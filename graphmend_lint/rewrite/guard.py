"""Checks that raise on a tensor, in two forms: exact in eager mode, asserted on the device when compiled."""

from __future__ import annotations

import ast
import re
from collections.abc import Sequence
from textwrap import dedent
from typing import TYPE_CHECKING, Final

from graphmend_lint.facts.values import MISSING
from graphmend_lint.model import Applicability, Edit, Fix, Refusal
from graphmend_lint.rewrite.imports import SHADOWED, torch_name
from graphmend_lint.rewrite.lasting import outlives
from graphmend_lint.rewrite.loads import loads_of
from graphmend_lint.rewrite.predicate import condition, negated, term
from graphmend_lint.rewrite.static_numbers import is_rebound
from graphmend_lint.rewrite.template import call, indented, quoted
from graphmend_lint.rewrite.term import Condition, Term
from graphmend_lint.rewrite.told import check_of, may_pass
from graphmend_lint.rewrite.tried import in_try
from graphmend_lint.rewrite.vendored import Raised, asserted, raised
from graphmend_lint.shapes import Raising, assignment, block_of, dotted, guarded_raise, names_bound, same
from graphmend_lint.syntax import walk

if TYPE_CHECKING:
    from graphmend_lint.facts import Facts
    from graphmend_lint.rewrite.site import Site

TITLE: Final = "Assert on the device while compiling"
LEFT_OUT: Final = "What the branch says before it raises is left out when compiled."
LEAVES: Final = (ast.Return, ast.Break, ast.Continue, ast.Yield, ast.YieldFrom, ast.Await)
ELLIPSIS: Final = "..."  #: stands for what a constant message cannot say
FIELD: Final = re.compile(r"%(?:\(\w+\))?[-#0 +]*[\d*]*(?:\.[\d*]+)?[a-zA-Z]")
BRACES: Final = re.compile(r"(?<!\{)\{[^{}]*\}(?!\})")


def raising(node: ast.If, found: Raising, facts: Facts) -> Fix | Refusal:
    """`if bad: raise E(...)`: the assertion when compiled, the same `raise` otherwise."""
    torch, test = torch_name(facts, node), condition(node.test, facts, named=True, gated=True)
    refusal = _refusal(node, found, torch, facts)
    if refusal or torch is None:
        return refusal or SHADOWED
    if isinstance(test, Refusal):
        return test
    wrong = _negation(test, facts)
    if isinstance(wrong, Refusal):
        return wrong
    plain = not found.before and not found.exits and _is_plain(test)
    operator = raised(found.error, node, facts) if plain else None
    if operator is not None:
        return _by_operator(node, test, operator)
    error, text, exact = _exit(found.error, facts) if found.exits else message(found.error, facts, found.before)
    left_out = LEFT_OUT if any(isinstance(each, ast.Expr) for each in found.before) else ""
    safe = exact and _is_runtime_error(found.error, facts) and not test.tensor.doubt and not left_out
    moved = _only_here(node, test, facts)
    return Fix(
        TITLE,
        Applicability.SAFE if safe else Applicability.UNSAFE,
        lambda site: (_raising(site, node, test, wrong, torch, text, moved), *map(site.remove, moved)),
        "" if safe else " ".join(filter(None, (_caveat(error, exact), left_out, test.tensor.doubt))),
        ("torch",),
    )


def _is_runtime_error(error: ast.expr | None, facts: Facts) -> bool:
    """True for Python's own, which is what an assertion in the graph raises."""
    match error:
        case ast.Call(func=ast.Name(id="RuntimeError" as name)):
            return not is_rebound(name, facts)
    return False


def _by_operator(node: ast.If | ast.Assert, test: Condition, operator: Raised) -> Fix:
    """The check by an operator of the user's package: `raise_if(bad, E, "...")`, the same in both modes."""

    def edits(site: Site) -> tuple[Edit, ...]:
        static = test.known(site)
        line = operator.call(test.tensor.code(site), site, site.room(node, 4 if static else 0))
        line = f"if {static}:\n    {indented(line)}" if static else line
        orelse = node.orelse if isinstance(node, ast.If) else []
        return (site.replace(node, line + ("\nORELSE" if orelse else ""), ORELSE=orelse),)

    level = Applicability.UNSAFE if operator.doubt else Applicability.SAFE
    return Fix("Raise from inside the graph", level, edits, operator.doubt, (operator.line,))


def _is_plain(test: Condition) -> bool:
    """True if nothing but the tensor decides, apart from conditions joined to it by `and`."""
    known = test.tensor.doubt or test.tensor.before or test.tensor.gates or test.tensor.past
    return not known and (not test.static or test.joined is ast.And)


def _compiling(site: Site, torch: str, test: Condition) -> str:
    """The test under which the tensor decides: while compiling, and only if Python has not decided yet."""
    known = [unless(site, each) for each in test.static] if test.joined is ast.Or else []
    gates = [gate(site) for gate in test.tensor.gates]
    gates = [each for each in gates if test.joined is ast.Or or each not in map(site.code, test.static)]
    return " and ".join([f"{torch}.compiler.is_compiling()", *known, *gates])


def unless(site: Site, node: ast.expr) -> str:
    """The opposite of a Python condition."""
    match node:
        case ast.UnaryOp(op=ast.Not(), operand=operand):
            return site.operand(operand) if isinstance(operand, ast.BoolOp) else site.code(operand)
        case ast.Compare(left=left, ops=[op], comparators=[right]) if type(op) in OPPOSITES:
            return f"{site.code(left)} {OPPOSITES[type(op)]} {site.code(right)}"
    return f"not {site.operand(node)}"


def is_settled(node: ast.If | ast.Assert, facts: Facts) -> bool:
    """True for the eager half of a check in two forms, in the `else` of `if torch.compiler.is_compiling() and ...:`.

    Compiled code comes here only where the part behind `and` is false, and then no tensor is needed to decide.
    """
    match facts.parent(node):
        case ast.If(test=ast.BoolOp(op=ast.And(), values=[ast.Call() as first, *known]), orelse=[only]) if only is node:
            return facts.resolve(first.func) == COMPILING and all(_settles(each, node.test) for each in known)
    return False


def _settles(known: ast.expr, test: ast.expr) -> bool:
    """True if the test is decided without its tensors where `known` is false."""
    parts = test.values if isinstance(test, ast.BoolOp) else [test]
    match known:
        case ast.Compare(left=ast.Attribute(attr="shape"), ops=[ast.Eq()], comparators=[ast.Attribute(attr="shape")]):
            return any(isinstance(each, ast.Call) for part in parts for each in walk(part))
    if not isinstance(test, ast.BoolOp) or not isinstance(test.op, ast.Or):
        return False
    return any(same(known, _opposite(part)) for part in parts)


def _opposite(node: ast.expr) -> ast.expr:
    match node:
        case ast.UnaryOp(op=ast.Not(), operand=operand):
            return operand
        case ast.Compare(left=left, ops=[op], comparators=[right]) if type(op) in INVERSE:
            return ast.Compare(left, [INVERSE[type(op)]()], [right])
    return ast.UnaryOp(ast.Not(), node)


COMPILING: Final = "torch.compiler.is_compiling"
INVERSE: Final[dict[type[ast.cmpop], type[ast.cmpop]]] = {
    ast.Is: ast.IsNot, ast.IsNot: ast.Is, ast.Eq: ast.NotEq, ast.NotEq: ast.Eq, ast.In: ast.NotIn, ast.NotIn: ast.In,
}  # fmt: skip
OPPOSITES: Final[dict[type[ast.cmpop], str]] = {
    ast.Is: "is not", ast.IsNot: "is", ast.Eq: "!=", ast.NotEq: "==", ast.In: "not in", ast.NotIn: "in",
}  # fmt: skip


def _caveat(error: str, exact: bool) -> str:
    words = "" if exact else ", and the message leaves out what is computed"
    return f"Compiled code raises RuntimeError instead of {error}{words}."


def _refusal(node: ast.If, found: Raising, torch: str | None, facts: Facts) -> Refusal | None:
    if torch is None:
        return SHADOWED
    if in_try(node, facts):
        return Refusal("raise-in-try", "the exception may be caught by the `try` around it")
    if names_bound(found.before) & _read_after(node, facts):
        return Refusal("arm-not-simple", "the branch sets names that are used elsewhere")
    function = facts.function(node)
    if function is not None and any(outlives(each, function, facts) for each in found.before):
        return Refusal("arm-not-simple", "the branch changes something before it raises, which a caller may see")
    if any(isinstance(child, LEAVES) for each in found.before for child in walk(each)):
        return Refusal("arm-not-simple", "the branch may be left before it raises")
    return None


def _read_after(node: ast.If, facts: Facts) -> set[str]:
    """Names that the function reads outside the body of `node`."""
    function = facts.function(node)
    inside = {id(child) for statement in node.body for child in walk(statement)}
    outside = [] if function is None else [child for child in walk(function) if id(child) not in inside]
    return {child.id for child in outside if isinstance(child, ast.Name) and isinstance(child.ctx, ast.Load)}


def _negation(test: Condition, facts: Facts) -> Term | Refusal:
    """The term for what must hold: the opposite of the tensor part of the condition."""
    if len(test.tests) == 1:
        return negated(test.tests[0], facts)
    if test.joined is ast.And and (held := _without_not(test.tests, facts)):
        return Term(lambda site: " | ".join(each.operand()(site) for each in held), False)
    code = test.tensor.operand()
    return Term(lambda site: f"~{code(site)}", True)


def _without_not(tests: list[ast.expr], facts: Facts) -> list[Term]:
    """For `not a and not b`: the terms of `a` and `b`, one of which must hold."""
    found = [
        term(each.operand, facts) for each in tests if isinstance(each, ast.UnaryOp) and isinstance(each.op, ast.Not)
    ]
    terms = [each for each in found if isinstance(each, Term) and not each.before]
    return terms if len(terms) == len(tests) else []


def _only_here(node: ast.If | ast.Assert, test: Condition, facts: Facts) -> list[ast.stmt]:
    """The statements before the check that only prepare it, and so are not needed when compiled."""
    parent, found, passed = facts.parent(node), list[ast.stmt](), list[ast.stmt]()
    block = block_of(node, parent) if parent is not None else []
    if test.tensor.gates or (test.static and test.joined is ast.Or):
        return []
    asking = [node] if isinstance(node, ast.Assert) else [node.test, *node.body]
    inside = {id(child) for each in asking for child in walk(each)}
    for each in reversed(block[: block.index(node)] if node in block else []):
        name = dotted(parts.target) if (parts := assignment(each)) is not None else None
        loads = loads_of(name, each, facts) if name is not None and name in test.tensor.past else None
        if loads and all(id(load) in inside for load in loads) and all(may_pass(each, p, facts) for p in passed):
            inside |= {id(child) for child in walk(each)}
            found.insert(0, each)
        else:
            passed.append(each)
        if len(found) == len(test.tensor.past):
            break
    return found


def checked(node: ast.expr, facts: Facts) -> Fix | None:
    """The check in two forms, if `node` reads a number for it alone; None if there is no such check."""
    read = facts.parent(node)
    while isinstance(read, ast.Compare | ast.UnaryOp):
        read = facts.parent(read)
    check = check_of(read, facts) if isinstance(read, ast.stmt) else None
    test = condition(check.test, facts, named=True, gated=True) if check is not None else None
    if check is None or test is None or isinstance(test, Refusal) or read not in _only_here(check, test, facts):
        return None
    raises = guarded_raise(check) if isinstance(check, ast.If) else None
    found = raising(check, raises, facts) if raises and isinstance(check, ast.If) else None
    found = asserting(check, facts) if isinstance(check, ast.Assert) else found
    return found if isinstance(found, Fix) else None


def _raising(
    site: Site, node: ast.If, test: Condition, wrong: Term, torch: str, text: str, moved: list[ast.stmt]
) -> Edit:
    """The check in two forms: an assertion on the device when compiled, the same `raise` in eager mode."""
    static = test.known(site) if test.joined is ast.And else ""
    room = site.room(node, 8 if static else 4)
    check = call(f"{torch}._assert_async", [wrong.code(site), quoted(text, room)], room)
    check = test.tensor.names(site) + check
    if static:
        check = f"if {static}:\n    {indented(check)}"
    condition_text = site.code(node.test)
    if "\n" in condition_text and not _stands_alone(condition_text):
        first, _, others = condition_text.partition("\n")
        condition_text = "(\n    " + indented(f"{first}\n{dedent(others)}") + "\n)"
    lines = [
        f"if {_compiling(site, torch, test)}:",
        f"    {indented(check)}",
        *(["else:", "    MOVED", f"    if {indented(condition_text)}:"] if moved else [f"elif {condition_text}:"]),
        "        BODY" if moved else "    BODY",
    ]
    rest = ["ORELSE"] if node.orelse else []  # statements of their own now: the body has raised
    return site.replace(node, "\n".join([*lines, *rest]), BODY=node.body, ORELSE=node.orelse, MOVED=moved)


def _stands_alone(condition: str) -> bool:
    """True if the condition is complete on its own: several lines of it stand in brackets."""
    try:
        ast.parse(f"if {condition}:\n    pass")
    except SyntaxError:
        return False
    return True


def asserting(node: ast.Assert, facts: Facts) -> Fix | Refusal:
    """The assertion of a tensor: with constant text, if it is computed, and while compiling only, if it must."""
    torch, test = torch_name(facts, node), condition(node.test, facts, named=True, gated=True)
    if torch is None:
        return SHADOWED
    if isinstance(test, Refusal):
        return test
    if in_try(node, facts):
        return Refusal("raise-in-try", "the exception may be caught by the `try` around it")
    operator = asserted(node, facts) if not test.static and _is_plain(test) else None
    if operator is not None:
        return _by_operator(node, test, operator)
    text, exact = constant_parts(node.msg, facts) if node.msg is not None else ("", True)
    caveat = f"{_caveat('AssertionError', exact)} {test.tensor.doubt}".strip()
    moved, said = _only_here(node, test, facts), _said(text, node.test, facts)
    if exact and not test.tensor.gates:
        return Fix(
            "Assert one tensor",
            Applicability.UNSAFE,
            lambda site: (_plain(site, node, test), *map(site.remove, moved)),
            caveat,
        )
    return Fix(
        TITLE,
        Applicability.UNSAFE,
        lambda site: (_asserting(site, node, test, torch, said, moved), *map(site.remove, moved)),
        caveat,
        ("torch",),
    )


def _said(text: str, test: ast.expr, facts: Facts) -> str:
    """The text of a failed assertion: its message or, if all of that is computed, the condition."""
    if not text:
        return "assertion failed"
    asserted = " ".join(facts.text(test).split())
    return text if any(map(str.isalnum, text)) or len(asserted) > ASSERTED else asserted


ASSERTED: Final = 100  #: characters of a condition that make a message


def _plain(site: Site, node: ast.Assert, test: Condition) -> Edit:
    """`assert ok, "..."` with one tensor, which torch puts into the graph."""
    known, tensor = test.known(site), test.tensor
    code = f"{known}{test.word}{tensor.operand()(site)}" if known else tensor.code(site)
    return site.replace(node, f"{tensor.names(site)}assert {code}{f', {site.code(node.msg)}' if node.msg else ''}")


def _asserting(site: Site, node: ast.Assert, test: Condition, torch: str, text: str, moved: list[ast.stmt]) -> Edit:
    """The assertion in two forms: on the device when compiled, the same `assert` in eager mode."""
    known = test.static if test.joined is ast.And else []
    lines = [*(f"assert {site.code(each)}, {quoted(text)}" for each in known), *test.tensor.names(site).splitlines()]
    room = site.room(node, 4)
    lines.append(call(f"{torch}._assert_async", [test.tensor.code(site), quoted(text, room)], room))
    body = "\n".join(f"    {indented(line)}" for line in lines)
    code = f"if {_compiling(site, torch, test)}:\n{body}\nelse:\n    ASSERT"
    return site.replace(node, code, ASSERT=[*moved, node])


def message(error: ast.expr | None, facts: Facts, before: Sequence[ast.stmt] = ()) -> tuple[str, str, bool]:
    """Name of the exception, the constant text of its message, and whether that is all of it."""
    match error:
        case ast.Call(func=kind, args=[first, *_]):
            text, exact = constant_parts(_given(first, before), facts)
            name = facts.text(kind).rpartition(".")[2]
            whole = len(error.args) == 1 and not error.keywords and not _words_it(kind, facts)
            return name, text if any(map(str.isalnum, text)) else name, exact and whole
        case ast.Call(func=kind):
            name = facts.text(kind).rpartition(".")[2]
            return name, name, False
        case ast.expr():
            name = facts.text(error).rpartition(".")[2]
            return name, name, False
    return "the original", "check failed", False


def _words_it(kind: ast.expr, facts: Facts) -> bool:
    """True for an exception class of the file that makes a message of its own from its arguments."""
    classes = [each for each in facts.source.tree.body if isinstance(each, ast.ClassDef) and each.name == dotted(kind)]
    members = [each for cls in classes for each in cls.body if isinstance(each, ast.FunctionDef)]
    return any(each.name in ("__init__", "__new__", "__str__") for each in members)


def _exit(call: ast.expr, facts: Facts) -> tuple[str, str, bool]:
    """The same for a call that ends the program: its text, or that of the call itself."""
    match call:
        case ast.Call(args=[ast.Constant(value=str(text))]):
            return "SystemExit", text, True
    return "SystemExit", " ".join(facts.text(call).split()), True


def _given(node: ast.expr, before: Sequence[ast.stmt]) -> ast.expr:
    """The expression, or for a name the value that a statement just before gives it."""
    if not isinstance(node, ast.Name) or sum(node.id in names_bound([each]) for each in before) != 1:
        return node
    given = [each for each in map(assignment, before) if each is not None and not each.augmented]
    return next((each.value for each in given if dotted(each.target) == node.id), node)


def constant_parts(node: ast.expr, facts: Facts) -> tuple[str, bool]:
    """The text of a message with `...` for what is computed, and whether nothing is."""
    match node:
        case ast.Constant(value=value):
            return str(value), isinstance(value, str)
        case ast.JoinedStr(values=values):
            parts = [part.value if isinstance(part, ast.Constant) else ELLIPSIS for part in values]
            return "".join(map(str, parts)), all(isinstance(part, ast.Constant) for part in values)
        case ast.BinOp(left=left, op=ast.Add(), right=right):
            (a, exact_a), (b, exact_b) = constant_parts(left, facts), constant_parts(right, facts)
            return a + b, exact_a and exact_b
        case ast.BinOp(left=ast.Constant(value=str(text)), op=ast.Mod()):
            return FIELD.sub(ELLIPSIS, text).replace("%%", "%"), False
        case ast.Call(func=ast.Attribute(value=ast.Constant(value=str(text)), attr="format")):
            return BRACES.sub(ELLIPSIS, text).replace("{{", "{").replace("}}", "}"), False
    const = facts.value(node).const
    return (const, False) if const is not MISSING and isinstance(const, str) else (ELLIPSIS, False)
