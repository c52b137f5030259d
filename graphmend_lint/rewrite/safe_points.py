"""Operations whose gradient may be NaN, given a 1 where they do not count: `x / torch.where(active, y, 1)`."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from graphmend_lint.facts.effects import NAN_GRADIENT, OVERFLOWS, effects
from graphmend_lint.facts.meta import is_number, words
from graphmend_lint.facts.values import TENSOR
from graphmend_lint.syntax import children, walk

if TYPE_CHECKING:
    from graphmend_lint.facts import Facts
    from graphmend_lint.rewrite.site import Site

Risky = ast.BinOp | ast.Call
#: functions of one tensor whose result and gradient are finite where it is full of ones
SAFE_AT_ONE: Final = words("""
    sqrt rsqrt log log2 log10 log1p reciprocal norm vector_norm normalize logsumexp exp exp2 expm1 square prod pow
""")


def risky_parts(value: ast.expr, facts: Facts) -> tuple[Risky, ...] | None:
    """The operations in a value that must be made safe; None if there are others that cannot be."""
    found = [each for each in walk(value) if isinstance(each, Risky) and _is_own(each, facts)]
    if any(_operand(each, facts) is None for each in found):
        return None
    return tuple(found) if found or not _spoils(value, facts) else None


def _spoils(node: ast.expr, facts: Facts) -> bool:
    found = effects(node, facts)
    return found.nan_gradient or found.overflows


def _is_own(node: Risky, facts: Facts) -> bool:
    """True if the operation itself may spoil a gradient, not what it is given."""
    if not _spoils(node, facts):
        return False
    if isinstance(node, ast.BinOp):
        return isinstance(node.op, ast.Div | ast.FloorDiv | ast.Mod | ast.Pow) and not is_number(node, facts)
    last = (facts.resolve(node.func) or "").rpartition(".")[2]
    given = [*node.args, *(word.value for word in node.keywords), *_receiver(node, facts)]
    return last in NAN_GRADIENT or last in OVERFLOWS or not any(_spoils(each, facts) for each in given)


def _receiver(node: ast.Call, facts: Facts) -> list[ast.expr]:
    method = (facts.resolve(node.func) or "").startswith("torch.Tensor.")
    return [node.func.value] if method and isinstance(node.func, ast.Attribute) else []


def _operand(node: Risky, facts: Facts) -> ast.expr | None:
    """The operand that a 1 makes safe; None if none does."""
    match node:
        case ast.BinOp(op=ast.Div(), right=right):
            return right if facts.kinds(right) == TENSOR else None
        case ast.BinOp(left=left, op=ast.Pow(), right=right):
            return left if facts.kinds(left) == TENSOR and is_number(right, facts) else None
        case ast.Call():
            given = [*_receiver(node, facts), *node.args]
            known = (facts.resolve(node.func) or "").rpartition(".")[2] in SAFE_AT_ONE
            plain = all(_is_setting(each, facts) for each in given[1:])
            return given[0] if known and plain and given and facts.kinds(given[0]) == TENSOR else None
    return None


def _is_setting(node: ast.expr, facts: Facts) -> bool:
    """True for a number or a tuple of numbers: a dimension, an exponent."""
    return is_number(node, facts) or (isinstance(node, ast.Tuple) and all(is_number(each, facts) for each in node.elts))


@dataclass(frozen=True)
class Safe:
    """Writes operations so that their gradient is finite where a mask does not hold."""

    site: Site
    torch: str
    mask: str
    risky: tuple[Risky, ...]
    facts: Facts

    def changes(self, node: ast.AST) -> dict[ast.expr, str]:
        """What takes the place of the outermost of these operations in a node."""
        return {each: self._written(each) for each in self._outermost(node)}

    def _outermost(self, node: ast.AST) -> Iterator[Risky]:
        if isinstance(node, Risky) and node in self.risky:
            yield node
            return
        for child in children(node):
            yield from self._outermost(child)

    def _written(self, node: Risky) -> str:
        """`x / torch.where(mask, y, 1)`."""
        operand = _operand(node, self.facts)
        assert operand is not None
        chosen = f"{self.torch}.where({self.mask}, {self.site.argument(operand, self.changes(operand))}, 1)"
        match node:
            case ast.BinOp(left=left, op=ast.Div()):
                return f"{self.site.operand(left, self.changes(left))} / {chosen}"
            case ast.BinOp(right=right):
                return f"{chosen} ** {self.site.operand(right)}"
            case ast.Call(func=ast.Attribute(value=value, attr=name)) if value is operand:
                given = [self.site.argument(each) for each in node.args]
                given += [f"{word.arg}={self.site.code(word.value)}" for word in node.keywords]
                return f"{chosen}.{name}({', '.join(given)})"
        return self.site.code(node, {operand: chosen})
