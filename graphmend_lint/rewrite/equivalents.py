"""Functions of torch that do the same inside the graph as the one that is not traced."""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING, Final

from graphmend_lint.facts.untraced import PROGRESS_BARS
from graphmend_lint.facts.values import CONSTANT, SYMINT, TENSOR
from graphmend_lint.model import Applicability, Fix
from graphmend_lint.rewrite.imports import torch_name
from graphmend_lint.shapes import same

if TYPE_CHECKING:
    from graphmend_lint.facts import Facts
    from graphmend_lint.rewrite.site import Site

#: what makes a tensor of its own, without a gradient
MADE: Final = frozenset(f"torch.{name}" for name in "zeros ones empty rand randn arange FloatTensor LongTensor".split())
PLAIN_CLASSES: Final = frozenset({*(f"builtins.{name}" for name in ("int", "float", "bool", "str")), "torch.Tensor"})
COPIES: Final = frozenset({"torch.Tensor.clone", "torch.Tensor.contiguous"})


def equivalent(node: ast.Call, facts: Facts) -> Fix | None:
    """The same from other functions of torch; None if there are none."""
    torch = torch_name(facts, node)
    if torch is None:
        return None
    match facts.resolve(node.func):
        case "torch.get_default_device" if not node.args and not node.keywords:
            return _default_device(node, torch)
        case "torch.autograd.Variable":
            return _without_variable(node, facts)
        case "torch.jit.isinstance":
            return _plain_instance(node, facts)
        case "torch.Tensor.random_":
            return _random_integers(node, torch, facts)
        case "torch.Tensor.data_ptr":
            return _aligned(node, torch, facts)
        case name if name in PROGRESS_BARS:
            return _without_bar(node, torch, facts)
    return None


def _default_device(node: ast.Call, torch: str) -> Fix:
    """torch itself asks an empty tensor where it is."""
    return Fix(
        title="Ask an empty tensor for its device",
        applicability=Applicability.SAFE,
        edits=lambda site: (site.expression(node, f"{torch}.tensor([]).device"),),
        imports=("torch",),
    )


def _without_variable(node: ast.Call, facts: Facts) -> Fix | None:
    """`Variable(x)` is `x.detach()` since torch 0.4: one storage, one count of changes, no gradient."""
    match node:
        case ast.Call(args=[value], keywords=words) if facts.kinds(value) == TENSOR and all(map(_says_no, words)):
            pass
        case _:
            return None
    if not isinstance(value, ast.Name | ast.Attribute | ast.Call | ast.Subscript):
        return None
    made = _is_detached(value, facts)
    return Fix(
        title="Leave `Variable` out" if made else "Detach the tensor, which is what `Variable` does",
        applicability=Applicability.SAFE,
        edits=lambda site: (site.expression(node, _inside(node, value, site) + ("" if made else ".detach()")),),
    )


def _is_detached(value: ast.expr, facts: Facts) -> bool:
    """True for a new tensor that has no gradient."""
    match value:
        case ast.Attribute(value=owner, attr="data"):
            return facts.kinds(owner) == TENSOR
        case ast.Call(func=func):
            name = facts.resolve(func)
            return name == "torch.Tensor.detach" or (name in MADE and not _asks_gradient(value))
    return False


def _inside(node: ast.Call, value: ast.expr, site: Site) -> str:
    """The only argument of a call; over several lines it keeps the parentheses of the call."""
    text = site.code(value)
    if "\n" not in text or node.keywords:
        return text
    whole = site.code(node)[len(site.code(node.func)) :].strip()
    return text if whole[1:-1].rstrip().endswith(",") else whole


def _plain_instance(node: ast.Call, facts: Facts) -> Fix | None:
    """`torch.jit.isinstance(x, int)`: what it does for classes that hold no types of elements is `isinstance`."""
    match node:
        case ast.Call(func=function, args=[_, asked], keywords=[]) if facts.resolve(asked) in PLAIN_CLASSES:
            return Fix(
                title="Ask with `isinstance`",
                applicability=Applicability.SAFE,
                edits=lambda site: (site.expression(function, "isinstance"),),
            )
    return None


def _says_no(word: ast.keyword) -> bool:
    """True for `requires_grad=False`, which is the default."""
    return word.arg == "requires_grad" and isinstance(word.value, ast.Constant) and word.value.value is False


def _asks_gradient(node: ast.Call) -> bool:
    return any(word.arg in (None, "requires_grad") for word in node.keywords)


def _random_integers(node: ast.Call, torch: str, facts: Facts) -> Fix | None:
    """`torch.empty(size, dtype=torch.int64).random_(low, high)`, which is what `randint` does."""
    match node:
        case ast.Call(
            func=ast.Attribute(
                value=ast.Call(func=made, args=[_, *_] as size, keywords=[ast.keyword(arg="dtype", value=dtype)])
            ),
            args=[low, high],
            keywords=[],
        ) if facts.resolve(made) == "torch.empty" and facts.resolve(dtype) in ("torch.int64", "torch.long"):
            pass
        case _:
            return None
    if not all(facts.kinds(each) in (CONSTANT, SYMINT) for each in (*size, low, high)):
        return None

    bounds, sizes = f"{facts.text(low)}, {facts.text(high)}", ", ".join(map(facts.text, size))
    text = f"{torch}.randint({bounds}, ({sizes}{',' if len(size) == 1 else ''}))"
    return Fix(
        title="Draw with `torch.randint`",
        applicability=Applicability.SAFE,
        edits=lambda site: (site.expression(node, text),),
        imports=("torch",),
    )


def _aligned(node: ast.Call, torch: str, facts: Facts) -> Fix | None:
    """`x if x.data_ptr() % 16 == 0 else x.clone()`: an address is nothing to a graph, and both are equal."""
    choice, test = None, facts.parent(node)
    while isinstance(test, ast.BinOp | ast.Compare):
        choice, test = test, facts.parent(test)
    if not isinstance(test, ast.IfExp) or test.test is not choice or not isinstance(node.func, ast.Attribute):
        return None
    tensor, copies = node.func.value, (_is_copy(test.orelse, test.body, facts), _is_copy(test.body, test.orelse, facts))
    plain = test.body if copies[0] else test.orelse
    if facts.kinds(tensor) != TENSOR or not any(copies) or not same(plain, tensor):
        return None
    asked = test.test if isinstance(test.test, ast.expr) else choice
    guard = f"{torch}.compiler.is_compiling() or" if copies[0] else f"not {torch}.compiler.is_compiling() and"
    return Fix(
        title="Do not ask for an address while compiling",
        applicability=Applicability.UNSAFE,
        edits=lambda site: (site.expression(asked, f"{guard} {site.code(asked)}"),),
        caveat="When compiled, the tensor itself is used, never its copy.",
        imports=("torch",),
    )


def _is_copy(copy: ast.expr, of: ast.expr, facts: Facts) -> bool:
    """True for `x.clone()` of `x`."""
    match copy:
        case ast.Call(func=ast.Attribute(value=value) as function, args=[], keywords=[]):
            return facts.resolve(function) in COPIES and same(value, of)
    return False


def _without_bar(node: ast.Call, torch: str, facts: Facts) -> Fix | None:
    """The thing itself instead of the progress bar over it."""
    above = facts.parent(node)
    if not isinstance(above, ast.For | ast.comprehension) or above.iter is not node or len(node.args) != 1:
        return None
    off = any(word.arg == "disable" and getattr(word.value, "value", None) is True for word in node.keywords)
    inner, call = node.args[0], (facts.resolve(node.func) or "").endswith("trange")
    wrap = "range({})" if call else "{}"
    whole = "{}" if isinstance(above, ast.For) else "({})"  # an `if` would belong to the comprehension
    return Fix(
        title="Leave the progress bar out while compiling",
        applicability=Applicability.SAFE if off else Applicability.UNSAFE,
        edits=lambda site: (
            site.expression(
                node,
                whole.format(
                    f"{wrap.format(site.operand(inner))} if {torch}.compiler.is_compiling() else {site.code(node)}"
                ),
            ),
        ),
        caveat="" if off else "No progress is shown when compiled.",
        imports=("torch",),
    )
