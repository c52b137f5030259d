"""Functions outside torch whose results have a known shape: called from an operator made for the purpose."""

from __future__ import annotations

import ast
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from graphmend_lint.facts.meta import words
from graphmend_lint.facts.reaching import definition
from graphmend_lint.facts.values import BOOL, INTEGRAL, NDARRAY, TENSOR
from graphmend_lint.model import Applicability, Edit, Fix
from graphmend_lint.rewrite.copies import no_grad_needed
from graphmend_lint.rewrite.hoisted import imported, unused_in_module
from graphmend_lint.rewrite.imports import name_of, torch_name
from graphmend_lint.rewrite.once import is_local
from graphmend_lint.rewrite.opaque import namespace
from graphmend_lint.rewrite.template import call
from graphmend_lint.syntax import walk

if TYPE_CHECKING:
    from graphmend_lint.facts import Facts
    from graphmend_lint.rewrite.site import Site

CAVEAT: Final = (
    "The call is one operator, which runs as before, outside of what is compiled: a program that is exported needs its "
    "definition, and an array without dimensions stays one, where it used to give a number."
)
TAKEN: Final = "A tensor that requires grad is no longer refused."
#: functions whose result has the shape of their first array; what dtype it has, they are asked with one element
SAME_SHAPE: Final = frozenset(
    [
        *(
            f"scipy.special.{name}"
            for name in words(
                "expit logit log_expit erf erfc erfcx erfinv erfcinv gamma gammaln loggamma rgamma digamma psi ndtr "
                "ndtri log_ndtr i0 i0e i1 i1e j0 j1 y0 y1 k0 k0e k1 k1e exp1 expi expm1 log1p exp2 exp10 cbrt entr "
                "spence softmax log_softmax dawsn sinc ellipk ellipe cosm1"
            )
        ),
        *(
            f"scipy.ndimage.{name}"
            for name in words(
                "gaussian_filter gaussian_laplace gaussian_gradient_magnitude median_filter uniform_filter "
                "maximum_filter minimum_filter sobel prewitt laplace distance_transform_edt distance_transform_cdt "
                "binary_dilation binary_erosion binary_opening binary_closing binary_fill_holes"
            )
        ),
        *(f"scipy.fft.{name}" for name in words("dct idct dst idst fftshift ifftshift")),
        *(f"scipy.stats.norm.{name}" for name in words("cdf pdf ppf logpdf logcdf sf isf")),
        *words("scipy.signal.detrend scipy.signal.medfilt scipy.signal.wiener scipy.stats.zscore"),
        *words("numpy.interp numpy.unwrap numpy.digitize numpy.isin numpy.spacing"),
    ]
)
MATCHING: Final = "scipy.optimize.linear_sum_assignment"
ROOM: Final = 70  #: columns for a call in the operator, before it goes over several lines
PARAMETERS: Final = ("x", "y", "z")


@dataclass(frozen=True)
class Operator:
    """A call, and the function that it is made in."""

    call: ast.Call
    name: str
    torch: str
    numpy: str
    space: str
    arrays: tuple[ast.expr, ...]  #: its arguments that are arrays or tensors, in order
    pair: bool  #: it gives two arrays

    def definitions(self, facts: Facts) -> tuple[str, str]:
        """The definition of the operator, and of the fake result that it gives while the graph is traced."""
        names = PARAMETERS[: len(self.arrays)]
        given = ", ".join(f"{each}: {self.torch}.Tensor" for each in names)
        kind = f"{self.torch}.Tensor"
        kind = f"tuple[{kind}, {kind}]" if self.pair else kind
        called = self._called([f"{each}.numpy()" for each in names], facts)
        lines = (
            [f"first, second = {called}", f"return {self.torch}.as_tensor(first), {self.torch}.as_tensor(second)"]
            if self.pair
            else [f"result = {called}", f"return {self.torch}.as_tensor(result).contiguous()"]
        )
        head = f'@{self.torch}.library.custom_op("{self.space}::{self.name.strip("_")}", mutates_args=[])\n'
        return (
            f"{head}def {self.name}({given}) -> {kind}:\n" + _block(lines),
            f"@{self.name}.register_fake\ndef {self.name}_shape({given}) -> {kind}:\n" + _block(self._shape(facts)),
        )

    def _shape(self, facts: Facts) -> Iterator[str]:
        if self.pair:
            yield "size = min(x.shape)"
            empty = f"x.new_empty(size, dtype={self.torch}.int64)"
            yield f"return {empty}, {empty}"
            return
        small = [
            f'{self.numpy}.ones((1,) * {each}.dim(), str({each}.dtype).removeprefix("torch."))'
            for each in PARAMETERS[: len(self.arrays)]
        ]
        yield f"like = {self._called(small, facts)}"
        yield f"return x.new_empty(x.shape, dtype=getattr({self.torch}, str(like.dtype)))"

    def _called(self, arrays: list[str], facts: Facts) -> str:
        texts = dict(zip(self.arrays, arrays, strict=True))
        given = [texts.get(each) or facts.text(each) for each in self.call.args]
        given += [f"{each.arg}={texts.get(each.value) or facts.text(each.value)}" for each in self.call.keywords]
        return call(facts.text(self.call.func), given, ROOM)

    def use(self, site: Site, facts: Facts) -> str:
        """What stands for the call."""
        called = f"{self.name}({', '.join(_tensor(each, self.torch, site, facts) for each in self.arrays)})"
        return f"tuple(each.numpy() for each in {called})" if self.pair else f"{called}.numpy()"


def _block(lines: Iterable[str]) -> str:
    """The lines, one level in."""
    return "".join(f"    {row}\n" for line in lines for row in line.splitlines())


def _tensor(array: ast.expr, torch: str, site: Site, facts: Facts) -> str:
    """The array as a tensor without a gradient. `x.numpy()` stays if `x` may have one: it raises in eager mode."""
    match array:
        case ast.Call(func=ast.Attribute(value=tensor, attr="numpy"), args=[], keywords=[]) if _is_plain(tensor, facts):
            return site.code(tensor)
        case _ if facts.kinds(array) == TENSOR and _is_plain(array, facts):
            return site.argument(array)
    given = definition(array, facts).value if isinstance(array, ast.Name) else None
    match given:
        case ast.Call(func=ast.Attribute(value=tensor, attr="numpy"), args=[], keywords=[]) if _is_plain(tensor, facts):
            return f"{torch}.as_tensor({site.argument(array)})"
    return f"{torch}.as_tensor({site.argument(array)}).detach()"


def _is_plain(tensor: ast.expr, facts: Facts) -> bool:
    """True for a tensor that has no gradient: whole numbers and bools, and what is detached."""
    match tensor:
        case ast.Call(func=ast.Attribute(value=inner, attr="cpu"), args=[], keywords=[]):
            tensor = inner
    return bool(facts.value(tensor).traits & (INTEGRAL | BOOL)) or no_grad_needed(tensor, facts)


def outside(node: ast.Call, facts: Facts) -> Fix | None:
    """The call of an operator that calls the function; None unless it is known what shape it gives."""
    name, torch = facts.resolve(node.func) or "", torch_name(facts, node)
    if (name not in SAME_SHAPE and name != MATCHING) or torch is None or facts.function(node) is None:
        return None
    given = [*node.args, *(word.value for word in node.keywords)]
    data = [each for each in given if facts.kinds(each) in (TENSOR, NDARRAY)]
    arrays = tuple(each for each in data if each is given[0] or not _is_literal(each, facts))
    if not arrays or arrays[0] is not given[0] or len(arrays) > len(PARAMETERS) or not _is_known(node, arrays, facts):
        return None
    numpy, stem = name_of("numpy", facts.source.tree) or "numpy", name.rpartition(".")[2]
    made = Operator(
        node,
        unused_in_module(stem, node, facts, lambda each: _alike(each, facts)),
        torch,
        numpy,
        namespace(facts.source.path),
        arrays,
        name == MATCHING,
    )

    def edits(site: Site) -> tuple[Edit, ...]:
        return (site.expression(node, made.use(site, facts)),)

    imports = ("torch",) if made.pair else ("torch", "numpy")
    taken = any(facts.kinds(each) == TENSOR and not _is_plain(each, facts) for each in arrays)
    caveat = f"{CAVEAT} {TAKEN}" if taken else CAVEAT
    return Fix(
        "Call it in an operator of its own", Applicability.UNSAFE, edits, caveat, imports, made.definitions(facts)
    )


def _alike(node: ast.Call, facts: Facts) -> str:
    """A key for a call: calls with the same key may share one operator."""
    words = [f"{word.arg}={facts.text(word.value)}" for word in node.keywords]
    return ", ".join([facts.text(node.func), str(len(node.args)), *words])


def _is_known(node: ast.Call, arrays: tuple[ast.expr, ...], facts: Facts) -> bool:
    """True if the function, and all arguments but the arrays, mean the same at the top level of the module."""
    others = [each for each in (*node.args, *(word.value for word in node.keywords)) if each not in arrays]
    names = [each.id for part in (node.func, *others) for each in walk(part) if isinstance(each, ast.Name)]
    early = imported(facts.source.tree)
    if any(word.arg in (None, "out", "output") for word in node.keywords):
        return False
    return all(_is_literal(each, facts) for each in others) and all(
        each in early and not is_local(each, node, facts) for each in names
    )


def _is_literal(node: ast.expr, facts: Facts) -> bool:
    """True for constants, lists of them, and arrays made of those."""
    match node:
        case ast.Constant():
            return True
        case ast.UnaryOp(op=ast.USub(), operand=operand):
            return _is_literal(operand, facts)
        case ast.Tuple(elts=parts) | ast.List(elts=parts):
            return all(_is_literal(each, facts) for each in parts)
        case ast.Call(args=parts, keywords=[]) if facts.resolve(node.func) in ("numpy.array", "numpy.linspace"):
            return all(_is_literal(each, facts) for each in parts)
    return False
