"""A number read from a tensor, left in the tensor: `x * t.item()` as `x * t.detach()`."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from typing import TYPE_CHECKING, Final, NamedTuple

from graphmend_lint.facts.meta import FLOATS, meta, words
from graphmend_lint.facts.values import BOOL, FLOATING, INTEGRAL, TENSOR
from graphmend_lint.model import Applicability, Edit, Fix, Refusal
from graphmend_lint.rewrite.asked import kept_as_tensor
from graphmend_lint.rewrite.changes import may_change_path
from graphmend_lint.rewrite.comparison import is_count
from graphmend_lint.rewrite.guard import checked
from graphmend_lint.rewrite.imports import SHADOWED, torch_name
from graphmend_lint.rewrite.number_places import MATH, MATH_CAVEAT, windowed
from graphmend_lint.rewrite.number_uses import Uses, uses
from graphmend_lint.rewrite.select import is_fresh
from graphmend_lint.rewrite.tried import in_try
from graphmend_lint.rewrite.two_forms import may_be_number
from graphmend_lint.shapes import names_read, told_to_change
from graphmend_lint.syntax import walk

if TYPE_CHECKING:
    from graphmend_lint.facts import Facts
    from graphmend_lint.rewrite.site import Site

#: functions that give an int, which tensors have under the same name, too
WHOLE: Final = frozenset({"math.floor", "math.ceil", "math.trunc", "builtins.round"})
TITLE: Final = "Use the 0-dim tensor in place of the number"
CAVEAT: Final = (
    "What is computed with numbers, integers or 0-dim tensors alone has the tensor's dtype and precision; "
    "all must be on the same device."
)
INTEGER_CAVEAT: Final = " NaN and infinity become some integer, where they used to be an error."
DECIMALS: Final = " Integers cannot be rounded to decimals."
SUMMED: Final = " What is added up must have one dtype."
BOOLS: Final = Refusal("scalar-escapes", "a bool counts as a number in Python, but not as a tensor")
ESCAPES: Final = Refusal("scalar-escapes", "the number is used as a Python value from here on")


class Reading(NamedTuple):
    """The expression that gives the number, and the tensor it comes from."""

    node: ast.expr
    tensor: ast.expr
    function: str = "item"  #: "item", "float", "int", "round", one of `MATH` or of `WHOLE`
    digits: int = 0  #: for "round"

    @property
    def fresh(self) -> bool:
        """True if what stands in the number's place shares no memory with the tensor."""
        return self.function in MATH or self.function in WHOLE or self.function == "round"


def scalar(node: ast.Call | ast.Subscript, facts: Facts) -> Fix | Refusal:
    """A rewrite of what reads a number, if a tensor serves as well wherever the number goes."""
    found = _reading(node, facts)
    if found is None:
        return (windowed(node, facts) if isinstance(node, ast.Subscript) else None) or ESCAPES
    kind = _kind(found, facts)
    if kind == BOOL:
        return kept_as_tensor(found.node, facts, BOOLS)
    if found.function == "round" and dtype_kind(found.tensor, facts) in (BOOL, INTEGRAL):
        return ESCAPES
    used = uses(found.node, facts, kind)
    torch = torch_name(facts, node)
    if used.escapes or not used.consumers or not can_fill(found.node, used, kind, facts):
        return checked(found.node, facts) or ESCAPES
    if torch is None:
        return SHADOWED
    if (found.fresh and used.indexes) or (_may_raise(found, facts) and in_try(node, facts)):
        return ESCAPES
    detached = _detached(found, used, torch, facts)

    def edits(site: Site) -> tuple[Edit, ...]:
        text = site.operand(found.tensor) + detached
        changed = {call: filled(call, value, text, kind, torch, site) for call, value in used.fills}
        return rewritten({found.node: text} | changed, used, site)

    caveat = MATH_CAVEAT if found.fresh else used.caveat or CAVEAT
    caveat += INTEGER_CAVEAT if found.function not in MATH and _may_raise(found, facts) else ""
    caveat += SUMMED if used.summed else ""
    caveat += DECIMALS if found.function == "round" and not dtype_kind(found.tensor, facts) else ""
    imports = {"torch"} if f"{torch}." in detached or used.fills else set()
    imports.update(name for each in used.places for name in each.imports)
    return Fix(TITLE, Applicability.UNSAFE, edits, caveat, tuple(imports))


def _may_raise(found: Reading, facts: Facts) -> bool:
    """True for a function of `math`, and for what makes an integer of NaN or infinity."""
    if found.function in MATH:
        return True
    return found.function in WHOLE | {"int"} and dtype_kind(found.tensor, facts) not in (BOOL, INTEGRAL)


def rewritten(changed: dict[ast.expr, str], used: Uses, site: Site) -> tuple[Edit, ...]:
    """The edits that put new code in place of the `changed` expressions, and of the places in `used`."""
    places = {each.node: each for each in used.places}

    def render(node: ast.expr) -> str:
        if node in changed:
            return changed[node]
        if node in places:
            return places[node].code(site, render)
        return site.code(node, {each: render(each) for each in _outermost(node)})

    def _outermost(node: ast.AST) -> Iterator[ast.expr]:
        for child in ast.iter_child_nodes(node):
            if isinstance(child, ast.expr) and (child in changed or child in places):
                yield child
            else:
                yield from _outermost(child)

    inner = {each for node in (*changed, *places) for each in _outermost(node)}
    return tuple(site.expression(each, render(each)) for each in (*changed, *places) if each not in inner)


def _reading(node: ast.expr, facts: Facts) -> Reading | None:
    """The number, with a conversion right around it."""
    match node:
        case ast.Call(func=ast.Attribute(value=tensor), args=[], keywords=[]):
            found = Reading(node, tensor) if facts.resolve(node.func) == "torch.Tensor.item" else None
        case ast.Call(args=[tensor], keywords=[]) if (name := _conversion(node, facts)) is not None:
            if name in ("builtins.round", "math.trunc") or facts.kinds(tensor) != TENSOR:
                return None
            found = Reading(node, tensor, name)
        case _:
            found = None
    if found is None or facts.kinds(found.tensor) != TENSOR or facts.may_be_other(found.tensor):
        return None
    if found.function != "item" and may_be_number(found.tensor, facts):
        return None
    match facts.parent(node):
        case _ if found.function not in ("item", "float"):
            return found
        case ast.Call(args=[only], keywords=[]) as above if only is node and (name := _conversion(above, facts)):
            return Reading(above, found.tensor, name)
        case ast.Call(args=[only, ast.Constant(value=int(digits))], keywords=[]) as above if (
            only is node and digits > 0
        ):
            rounds = facts.resolve(above.func) == "builtins.round"
            return Reading(above, found.tensor, "round", digits) if rounds else found
    return found


def _conversion(node: ast.Call, facts: Facts) -> str | None:
    name = facts.resolve(node.func) or ""
    if name in ("builtins.float", "builtins.int"):
        return name.rpartition(".")[2]
    return name if name in MATH or name in WHOLE else None


def _kind(found: Reading, facts: Facts) -> int:
    """The kind of number: FLOATING, INTEGRAL, BOOL, or 0 if that is not known."""
    if found.function == "item":
        return dtype_kind(found.tensor, facts)
    return INTEGRAL if found.function == "int" or found.function in WHOLE else FLOATING


def dtype_kind(tensor: ast.expr, facts: Facts) -> int:
    """FLOATING, INTEGRAL or BOOL, or 0 if the dtype is not known."""
    traits, dtype = facts.value(tensor).traits, meta(tensor, facts).dtype
    if traits & BOOL or dtype == "bool":
        return BOOL
    if traits & FLOATING or dtype in FLOATS or (dtype or "").startswith("float("):
        return FLOATING
    if traits & INTEGRAL or dtype in INTEGERS:
        return INTEGRAL
    return _result_kind(tensor, facts) if isinstance(tensor, ast.Call) else 0


def _result_kind(call: ast.Call, facts: Facts) -> int:
    """The kind of what a function returns, whatever it is given: a mean, or a count."""
    name = facts.resolve(call.func) or ""
    if is_count(call, facts):
        return INTEGRAL
    return FLOATING if name.startswith("torch.") and name.rpartition(".")[2] in FLOAT_RESULTS else 0


INTEGERS: Final = words("int8 int16 int32 int64 uint8")
NARROW: Final = INTEGERS - {"int64"}  #: a sum of Python's numbers may be too large for them
FLOAT_RESULTS: Final = words("mean std var norm exp sqrt rsqrt sigmoid tanh softmax log_softmax logsumexp")


def _detached(found: Reading, used: Uses, torch: str, facts: Facts) -> str:
    """The methods that make the tensor stand for its number, as text: `.detach()` and the like."""
    shared, operates = _shared(found, used, facts), len(used.fills) < len(used.consumers)
    kind, is_0d = dtype_kind(found.tensor, facts), meta(found.tensor, facts).is_0d
    if used.indexes and found.function in ("item", "int"):  # bytes and bools would be taken for a mask
        alone = is_0d or len(used.consumers) == sum(each.whole for each in used.places)
        wide = "" if meta(found.tensor, facts).dtype == "int64" else ".long()"
        return ("" if alone else ".reshape(())") + wide + (".clone()" if shared else "")
    is_cast = found.function == "int" and meta(found.tensor, facts).dtype != "int64"
    whole = kind in (INTEGRAL, BOOL) or is_cast or found.function in WHOLE  # integers have no gradient
    text = "" if whole and not shared else ".detach()"
    text += "" if is_0d else ".reshape(())"
    if found.function in WHOLE:
        return f"{text}.{found.function.rpartition('.')[2]}().to({torch}.int64)"
    if found.function in MATH:
        return f"{text}.{found.function.rpartition('.')[2]}()"
    if found.function == "round":
        return f"{text}.round(decimals={found.digits})"
    if found.function == "float" and kind != FLOATING and operates:
        return f"{text}.mul(1.0)"  # floating then, in the dtype that Python's floats have, too
    if found.function == "item" and operates and meta(found.tensor, facts).dtype in NARROW:
        return f"{text}.long()"
    text += ".clone()" if shared else ""
    return f"{text}.to({torch}.int64)" if is_cast else text


def can_fill(node: ast.expr, used: Uses, kind: int, facts: Facts) -> bool:
    """True if the dtype of every new tensor is known, or can be asked for, and its code is spelled plainly."""
    for call, value in used.fills:
        typed = not _infers(call, facts) or any(word.arg == "dtype" for word in call.keywords)
        if not typed and not kind and not isinstance(value, ast.Name):  # it would be evaluated twice
            return False
        if not isinstance(call.func, ast.Attribute) or not (isinstance(value, ast.Name) or value is node):
            return False
    return True


def _infers(call: ast.Call, facts: Facts) -> bool:
    """True for `torch.full` and `torch.tensor`: the dtype is that of the number, unless it is named."""
    return facts.resolve(call.func) in ("torch.full", "torch.tensor")


def filled(call: ast.Call, value: ast.expr, text: str, kind: int, torch: str, site: Site) -> str:
    """`torch.full(size, t.item())` as `torch.empty(size).fill_(t)`."""
    name = call.func.attr if isinstance(call.func, ast.Attribute) else ""
    function = site.code(call.func).removesuffix(name) + MAKES[name]
    given = ["()"] if name == "tensor" else []
    given += [site.argument(each) for each in call.args if each is not value]
    given += [f"{word.arg}={site.code(word.value)}" for word in call.keywords if word.value is not value]
    filler = value.id if isinstance(value, ast.Name) else text
    infers = name in ("full", "tensor") and not any(word.arg == "dtype" for word in call.keywords)
    if infers and kind != FLOATING:
        floating = f"{torch}.get_default_dtype() if {filler}.is_floating_point() else " if not kind else ""
        given.append(f"dtype={floating}{torch}.int64")
    return f"{function}({', '.join(given)}).fill_({filler})"


MAKES: Final = {"full": "empty", "full_like": "empty_like", "new_full": "new_empty", "tensor": "empty"}


def _shared(found: Reading, used: Uses, facts: Facts) -> bool:
    """True if the tensor may be changed in place before the number is used up, or before its gradient is taken."""
    if found.fresh or is_fresh(found.tensor, facts):
        return False
    function = facts.function(found.node)
    if function is None or any(may_change_path(path, found.node, facts) for path in names_read(found.tensor)):
        return True
    end = max(_end(each, found.node, facts) for each in used.consumers)
    last = next(each for each in used.consumers if _end(each, found.node, facts) == end)
    above = {id(each) for each in _ancestors(last, facts)} | {id(last)} if _stop(last) == end else set()
    between = (each for each in walk(function) if hasattr(each, "lineno") and _start(found.node) < _start(each) < end)
    return any(id(each) not in above and may_change(each, facts) for each in between)


Place = tuple[int, int]


def _start(node: ast.AST) -> Place:
    return getattr(node, "lineno", 0), getattr(node, "col_offset", 0)


def _stop(node: ast.AST) -> Place:
    return getattr(node, "end_lineno", None) or 0, getattr(node, "end_col_offset", None) or 0


def _ancestors(node: ast.AST, facts: Facts) -> Iterator[ast.AST]:
    while (above := facts.parent(node)) is not None:
        yield above
        node = above


def _end(consumer: ast.AST, reading: ast.expr, facts: Facts) -> Place:
    """The end of the last use of a number. If a loop uses what was read before it, that is the end of the loop."""
    around = {id(each) for each in _ancestors(reading, facts)}
    loops = [each for each in _ancestors(consumer, facts) if isinstance(each, LOOPS) and id(each) not in around]
    return _stop(loops[-1] if loops else consumer)


LOOPS: Final = (ast.For, ast.AsyncFor, ast.While)
HARMLESS: Final = frozenset(
    f"builtins.{name}"
    for name in words("abs bool enumerate float int isinstance len list max min range reversed tuple zip")
)


def may_change(node: ast.AST, facts: Facts) -> bool:
    """True if a statement, or a call whose code is not at hand, may change a tensor in place."""
    match node:
        case ast.AugAssign() | ast.Subscript(ctx=ast.Store() | ast.Del()):
            return True
        case ast.Call():
            name = facts.resolve(node.func) or ""
            plain = (name.startswith("torch.") and not name.endswith("_")) or name in HARMLESS
            told = told_to_change(node) is not None or any(word.arg == "out" for word in node.keywords)
            return not plain or told
    return False
