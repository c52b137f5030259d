"""A condition as one 0-dim bool tensor, apart from the parts that Python knows while tracing."""

from __future__ import annotations

import ast
import operator
from functools import reduce
from typing import TYPE_CHECKING, Final

from graphmend_lint.facts import torch_api
from graphmend_lint.facts.callee import is_quiet, runs_nothing
from graphmend_lint.facts.effects import PARTIAL, PURE, Effects, effects
from graphmend_lint.facts.meta import is_number, meta
from graphmend_lint.facts.reaching import definition
from graphmend_lint.facts.values import CONSTANT, CONTAINER, DATA, TENSOR, UNKNOWN
from graphmend_lint.model import Refusal
from graphmend_lint.project import FunctionDef
from graphmend_lint.rewrite.allowed import allowed
from graphmend_lint.rewrite.comparison import compared, unread
from graphmend_lint.rewrite.fresh import is_fresh
from graphmend_lint.rewrite.imports import SHADOWED, torch_name
from graphmend_lint.rewrite.iterators import may_be_iterator
from graphmend_lint.rewrite.naming import value_name
from graphmend_lint.rewrite.reread import read_again
from graphmend_lint.rewrite.term import COMPARISONS, Code, Condition, Named, Term, side
from graphmend_lint.rewrite.told import check_of
from graphmend_lint.rewrite.truth import element_test, is_number_test
from graphmend_lint.rewrite.two_forms import in_two_forms, may_be_number
from graphmend_lint.shapes import dotted, walk_function
from graphmend_lint.syntax import walk

if TYPE_CHECKING:
    from graphmend_lint.facts import Facts
    from graphmend_lint.rewrite.site import Site

ALWAYS: Final = "Every part of the condition is evaluated now, and may raise where it was skipped before."


def condition(
    test: ast.expr, facts: Facts, *, named: bool = False, gated: bool = False, chooses: bool = True
) -> Condition | Refusal:
    """The condition taken apart into what Python knows and one tensor, or why it cannot be a tensor.

    `named`: statements may be put before it; `gated`: it is used only where its gates are true; `chooses`: it decides
    between values that may have a gradient.
    """
    op = test.op if isinstance(test, ast.BoolOp) else ast.And()
    parts = test.values if isinstance(test, ast.BoolOp) else [test]
    # what is unknown stays Python's to ask, too
    static = [part for part in parts if not facts.kinds(part) & DATA and not either(part, facts)]
    tests = [part for part in parts if part not in static]
    if not tests:
        return Refusal("predicate-not-a-tensor", "no part of the condition is known to be a tensor")
    late = [part for part in parts[parts.index(tests[0]) :] if part in static]
    if not all(_simple(part) and is_quiet(part, facts) for part in late):
        return Refusal("condition-order", "a Python condition after the tensor one may rely on it")
    terms = [term(part, facts) for part in tests]
    for found in terms:
        if isinstance(found, Refusal):
            return found
    joined = _together([found for found in terms if isinstance(found, Term)], op, tests, facts)
    if isinstance(joined, Refusal):
        return joined
    joined = joined if gated else joined.ungated()
    if joined.before and not named:
        return Refusal("condition-not-simple", "a part of the condition would be evaluated twice")
    if joined.gates and not gated:
        return Refusal("predicate-shape", "tensors of different shapes are not equal, but would be broadcast")
    changed = read_again(tests, joined.shared, facts) if chooses and not gated else None
    return changed or Condition(static, type(op), joined, tests)


def _together(terms: list[Term], op: ast.boolop, tests: list[ast.expr], facts: Facts) -> Term | Refusal:
    """The terms joined by `op`, with a variant that needs no gates (see `Term.ungated`)."""
    found = _join(terms, op, tests, facts)
    if isinstance(found, Refusal) or not found.gates or len(terms) == 1:
        return found
    return found._replace(alone=_alone(terms, " & " if isinstance(op, ast.And) else " | "))


def _alone(terms: list[Term], sign: str) -> tuple[Code, bool, tuple[Named, ...]] | None:
    """The terms joined, each without its gates; None if one of them cannot do without."""
    free = [each.ungated() for each in terms]
    if any(each.gates for each in free):
        return None
    codes, known = [each.operand() for each in free], {named.name for each in terms for named in each.before}
    names = [named for each in free for named in each.before if named.name not in known]
    if len({each.name for each in names}) < len(names):
        return None
    return lambda site: sign.join(code(site) for code in codes), False, tuple(names)


def _simple(node: ast.expr) -> bool:
    match node:
        case ast.Name() | ast.Constant():
            return True
        case ast.Attribute(value=value):
            return _simple(value)
        case ast.UnaryOp(op=ast.Not(), operand=operand):
            return _simple(operand)
        case ast.Compare(left=left, comparators=[right]):
            return _simple(left) and _simple(right)
    return False


def _join(terms: list[Term], op: ast.boolop, tests: list[ast.expr], facts: Facts) -> Term | Refusal:
    """The terms joined by `op`; a refusal if a later one may not be asked where Python would have stopped before it."""
    if len(terms) == 1:
        return terms[0]
    found = [_early_beside(test, tests[0], facts) for test in tests[1:]]
    for each in found:
        if each.refusal:
            return each.refusal
    sign = " & " if isinstance(op, ast.And) else " | "
    codes, before = [each.operand() for each in terms], [named for each in terms for named in each.before]
    if len({each.name for each in before}) < len(before):
        return Refusal("condition-not-simple", "two parts of the condition need names")
    doubts = [*(each.doubt for each in terms), *("" if each.total else ALWAYS for each in found)]
    gates, past = tuple(gate for each in terms for gate in each.gates), {name for each in terms for name in each.past}
    doubt = max(doubts, key=bool)
    known = frozenset(past)
    return Term(lambda site: sign.join(code(site) for code in codes), False, doubt, tuple(before), gates, past=known)


def _early_beside(test: ast.expr, first: ast.expr, facts: Facts) -> Effects:
    """The same as `early`; a tensor that the first part of the condition indexes with a number has other elements."""
    found = early(test, facts)
    return found.in_range() if _indexed(test) <= _indexed(first) - {""} else found


def _indexed(test: ast.expr) -> set[str]:
    return {dotted(each.value) or "" for each in walk(test) if isinstance(each, ast.Subscript)}


def early(test: ast.expr, facts: Facts) -> Effects:
    """What it may do to evaluate this always, where Python would have stopped before it."""
    name = facts.resolve(test.func) if isinstance(test, ast.Call) else None
    match test:
        case ast.UnaryOp(op=ast.Not(), operand=operand):
            return early(operand, facts)
        case ast.BoolOp(values=parts):
            return _all([PURE, *(early(each, facts) for each in parts)])
        case ast.Compare(left=left, comparators=others) if facts.kinds(test) != TENSOR:
            return _all([PARTIAL, *(early(each, facts) for each in (left, *others))])
        case ast.Call(args=[ast.GeneratorExp(generators=[loop])], keywords=[]) if name in (
            "builtins.any",
            "builtins.all",
        ):
            return PARTIAL | effects(loop.iter, facts)
        case ast.Call(args=[asked], keywords=[]) if name in ASKS | TRUTH:
            return PARTIAL | early(asked, facts)
        case ast.Call() if (number := is_number_test(test, facts)) is not None:
            return PARTIAL | effects(number, facts)
        case ast.Call(func=ast.Attribute(value=tensor), args=[]) if name in OWN_TRUTH:
            return PARTIAL | effects(tensor, facts)
        case ast.Call(func=ast.Attribute(value=owner), args=given) if name in WHOLE:
            method = [owner] if (name or "").startswith(torch_api.METHOD) else []
            return _all([PARTIAL, *(effects(each, facts) for each in (*method, *given))])
    return effects(test, facts)


def _all(found: list[Effects]) -> Effects:
    return reduce(operator.or_, found)


ASKS: Final = frozenset(f"builtins.{name}" for name in ("any", "all", "bool", "int", "float"))
#: whether the one number of a tensor, the argument or the owner, is not 0
TRUTH: Final = frozenset({"builtins.bool", "torch.is_nonzero", "operator.truth"})
OWN_TRUTH: Final = frozenset(f"{torch_api.METHOD}{name}" for name in ("item", "is_nonzero", "__bool__"))
WHOLE: Final = frozenset(f"{owner}{name}" for owner in ("torch.", torch_api.METHOD) for name in ("allclose", "equal"))


OTHER: Final = "Called in ways that are not known here, it must be given tensors as well."


def term(test: ast.expr, facts: Facts) -> Term | Refusal:
    """`bool(test)` as a 0-dim bool tensor."""
    found = _term(test, facts)
    if isinstance(found, Term) and facts.kinds(test) == TENSOR and facts.may_be_other(test):
        return found._replace(doubt=f"{found.doubt} {OTHER}".strip())
    return found


def _term(test: ast.expr, facts: Facts) -> Term | Refusal:
    """The term of one test, by its syntax; a refusal if the test cannot be asked of tensors."""
    found = element_test(test, facts)
    if found is not None:
        return found
    if isinstance(test, ast.Name) and either(test, facts):
        return _converted(test, facts)
    if _is_of_two_forms(test, facts):
        return _converted(test, facts)
    if facts.kinds(test) == TENSOR and may_be_number(test, facts):
        return Refusal("predicate-not-a-tensor", "what is compared may be a number of Python's as well")
    match test:
        case ast.Name() if (answer := _told(test, facts)) is not None:
            return _behind(test.id, term(answer, facts))
        case ast.UnaryOp(op=ast.Not(), operand=operand):
            return negated(operand, facts)
        case ast.BoolOp(op=op, values=values):
            terms = [term(value, facts) for value in values]
            refusal = next((each for each in terms if isinstance(each, Refusal)), None)
            return refusal or _together([each for each in terms if isinstance(each, Term)], op, values, facts)
        case ast.Compare(ops=[_, _, *_]):
            return _chain(test, facts)
        case ast.Call():
            return _call(test, facts)
        case ast.Compare() if facts.kinds(test) != TENSOR:
            return compared(test, facts)
    return _tensor(test, facts)


def _told(test: ast.Name, facts: Facts) -> ast.expr | None:
    """The comparison whose answer a name holds, if it was made for this check and for nothing else."""
    given = definition(test, facts).value if facts.is_scalar(test) else None
    statement = facts.parent(given) if isinstance(given, ast.Compare) else None
    return given if isinstance(statement, ast.stmt) and check_of(statement, facts) is not None else None


def _behind(name: str, found: Term | Refusal) -> Term | Refusal:
    """The term for what a name holds, which is not needed then."""
    return found._replace(past=found.past | {name}) if isinstance(found, Term) else found


def either(test: ast.expr, facts: Facts) -> bool:
    """True for a name that was given `flag and t.all()`: a Python bool or a tensor, depending on the flag."""
    match test:
        case ast.UnaryOp(op=ast.Not(), operand=operand):
            return either(operand, facts)
        case ast.Name():
            given = definition(test, facts).value
            if isinstance(given, ast.Call):
                return _answers(given, facts)
            return isinstance(given, ast.BoolOp) and _is_mixed(given.values, facts)
    return False


def _answers(call: ast.Call, facts: Facts) -> bool:
    """True for a function that returns a tensor on some paths, and a Python bool on others."""
    target = facts.value(call.func).target
    if in_two_forms(call, facts):
        return True
    if facts.kinds(call) != TENSOR | CONSTANT or not isinstance(target, FunctionDef):
        return False
    found = [each for each in walk_function(target.node) if isinstance(each, ast.Return) and facts.reached(each)]
    return bool(found) and all(each.value is not None and _is_answer(each.value, facts) for each in found)


def _is_answer(node: ast.expr, facts: Facts) -> bool:
    match node:
        case ast.IfExp(body=body, orelse=orelse):
            return _is_answer(body, facts) and _is_answer(orelse, facts)
        case ast.Constant(value=value):
            return isinstance(value, bool)
    return facts.kinds(node) == TENSOR


def _is_mixed(parts: list[ast.expr], facts: Facts) -> bool:
    """True for flags followed by a test of a tensor; that may be unknown, behind a flag which is off."""
    *flags, last = parts
    tests = isinstance(last, ast.Call) and isinstance(last.func, ast.Attribute) and last.func.attr in ("any", "all")
    is_test = facts.kinds(last) == TENSOR or (tests and facts.kinds(last) & UNKNOWN != 0)
    return is_test and not any(facts.kinds(each) & (DATA | UNKNOWN) for each in flags)


def _is_of_two_forms(test: ast.expr, facts: Facts) -> bool:
    """True for a test that is a tensor when compiled, and may be a Python value in eager mode."""
    whole = not isinstance(test, ast.BoolOp) and not (isinstance(test, ast.UnaryOp) and isinstance(test.op, ast.Not))
    return whole and facts.kinds(test) == TENSOR and in_two_forms(test, facts)


def _converted(test: ast.expr, facts: Facts) -> Term | Refusal:
    torch = torch_name(facts, test)
    if torch is None:
        return SHADOWED
    return Term(lambda site: f"{torch}.as_tensor({site.code(test)}).bool().reshape(())", True)


def negated(test: ast.expr, facts: Facts) -> Term | Refusal:
    """`not test` as a 0-dim bool tensor."""
    match test:
        case ast.Name() if (answer := _told(test, facts)) is not None:
            return _behind(test.id, negated(answer, facts))
        case ast.UnaryOp(op=ast.Not(), operand=operand):
            return term(operand, facts)
        case ast.Compare() if _is_of_two_forms(test, facts) or may_be_number(test, facts):
            pass
        case ast.Compare(left=left, ops=[ast.Eq() | ast.NotEq() as op], comparators=[right]) if _is_tensor(test, facts):
            return _unequal(left, "!=" if isinstance(op, ast.Eq) else "==", right, meta(test, facts).is_0d)
    if (values := allowed(test, facts)) is not None:
        return values.term(negate=True)
    match test:
        case ast.Compare(left=left, ops=[ast.Eq() | ast.NotEq() as op], comparators=[right]):
            turned = ast.NotEq() if isinstance(op, ast.Eq) else ast.Eq()
            if isinstance(opposite := compared(ast.Compare(left, [turned], [right]), facts), Term):
                return opposite
    found = term(test, facts)
    return found if isinstance(found, Refusal) else found.inverted()


def _is_tensor(test: ast.expr, facts: Facts) -> bool:
    return facts.kinds(test) == TENSOR


def _unequal(left: ast.expr, sign: str, right: ast.expr, is_0d: bool) -> Term:
    """The opposite of an equality. (An order has none: with NaN neither `a < b` nor `a >= b` holds.)"""
    if is_0d:
        return Term(lambda site: f"{side(site, left)} {sign} {side(site, right)}", False)
    return Term(lambda site: f"({side(site, left)} {sign} {side(site, right)}).reshape(())", True)


def _tensor(test: ast.expr, facts: Facts) -> Term | Refusal:
    if facts.kinds(test) != TENSOR:
        return unread(test, facts)
    known, shared = meta(test, facts), not is_fresh(test, facts)
    if known.is_0d and known.is_bool:
        atom = isinstance(test, ast.Name | ast.Attribute | ast.Call | ast.Subscript)
        return Term(lambda site: site.code(test), atom, shared=shared)
    shaped = "" if known.is_0d else ".reshape(())"
    if known.is_bool:
        return Term(lambda site: site.operand(test) + shaped, True, shared=shared)
    return Term(lambda site: f"{site.operand(test)}{shaped} != 0", False)


def _chain(test: ast.Compare, facts: Facts) -> Term | Refusal:
    """`a < b < c` as two comparisons; `b` gets a name unless it is one already."""
    operands = [test.left, *test.comparators]
    if any(facts.kinds(each) != TENSOR and not is_number(each, facts) for each in operands):
        return unread(test, facts)
    shaped = [each for each in operands if not (is_number(each, facts) or meta(each, facts).is_0d)]
    if shaped not in ([], operands[1:-1]) or len(shaped) > 1:  # the same shape in both comparisons, which must be one
        return Refusal("predicate-shape", "a chained comparison of tensors that may have several elements")
    signs = [COMPARISONS.get(type(op), "") for op in test.ops]
    inner = [each for each in operands[1:-1] if not (isinstance(each, ast.Constant) or runs_nothing(each, facts))]
    if not all(signs) or len(inner) > 1:
        return Refusal("condition-not-simple", "the comparison is not an arithmetic one, or has several inner operands")
    before = tuple(Named(value_name(each, facts), each) for each in inner)
    early = [effects(each, facts).refusal for each in (operands if before else operands[2:])]
    if any(early):
        return Refusal("condition-not-simple", "the operands of the chain must be evaluated in turn")

    flat = ".reshape(())" if shaped else ""

    def code(site: Site) -> str:
        texts = [before[0].name if each in inner else side(site, each) for each in operands]
        return " & ".join(f"({a} {sign} {b}){flat}" for a, sign, b in zip(texts, signs, texts[1:], strict=False))

    return Term(code, False, before=before)


def _call(test: ast.Call, facts: Facts) -> Term | Refusal:
    """Calls that read a tensor: `t.item()`, `bool(t)`, `torch.allclose(a, b)`."""
    name = facts.resolve(test.func)
    if name in EACH and (found := _each(test, EACH[name], facts)) is not None:
        return found
    if name in OWN_TRUTH and isinstance(test.func, ast.Attribute):
        return term(test.func.value, facts)
    if name in TRUTH and len(test.args) == 1:
        return term(test.args[0], facts)
    if name in ("torch.allclose", "torch.Tensor.allclose") and isinstance(test.func, ast.Attribute):
        owner, arguments = test.func.value, [*test.args, *(word.value for word in test.keywords)]
        return Term(lambda site: _all_close(site, owner, test, arguments), True)
    return _tensor(test, facts)


EACH: Final = {"builtins.any": "any", "builtins.all": "all"}
STACKED: Final = (
    "An empty list raises; all items are asked, not only those up to the one that decides, and must be on one device."
)


def _each(test: ast.Call, word: str, facts: Facts) -> Term | None:
    """`all(x.isfinite().all() for x in xs)` as `torch.stack([...]).all()`; None for any other call."""
    match test.args:
        case [ast.GeneratorExp(elt=asked, generators=[ast.comprehension(ifs=[], is_async=0) as loop])]:
            known = meta(asked, facts)
        case _:
            return None
    torch = torch_name(facts, test)
    if torch is None or facts.kinds(asked) != TENSOR or not (known.is_0d and known.is_bool):
        return None
    if facts.kinds(loop.iter) != CONTAINER or effects(asked, facts).refusal or may_be_iterator(loop.iter, facts):
        return None

    def code(site: Site) -> str:
        each = f"{site.code(asked)} for {site.code(loop.target)} in {site.code(loop.iter)}"
        return f"{torch}.stack([{each}]).{word}()"

    return Term(code, True, STACKED)


def _all_close(site: Site, owner: ast.expr, test: ast.Call, arguments: list[ast.expr]) -> str:
    names = ["" for _ in test.args] + [f"{word.arg}=" for word in test.keywords]
    inside = ", ".join(name + site.code(value) for name, value in zip(names, arguments, strict=True))
    return f"{site.operand(owner)}.isclose({inside}).all()"
