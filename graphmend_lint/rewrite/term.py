"""Conditions as tensors: one 0-dim bool tensor, and what it takes to write it down."""

from __future__ import annotations

import ast
from collections.abc import Callable
from typing import TYPE_CHECKING, Final, NamedTuple

if TYPE_CHECKING:
    from graphmend_lint.rewrite.site import Site

Code = Callable[["Site"], str]

COMPARISONS: Final[dict[type[ast.cmpop], str]] = {
    ast.Eq: "==", ast.NotEq: "!=", ast.Lt: "<", ast.LtE: "<=", ast.Gt: ">", ast.GtE: ">=",
}  # fmt: skip


class Named(NamedTuple):
    """A value that a condition uses more than once, and so gives a name."""

    name: str
    value: ast.expr


class Term(NamedTuple):
    """A 0-dim bool tensor."""

    code: Code
    atom: bool  #: binds tighter than `~` and `&`
    doubt: str = ""  #: one sentence: what may be other than it was; "" if that is proven to be nothing
    before: tuple[Named, ...] = ()  #: what must have a name first
    gates: tuple[Code, ...] = ()  #: it is right only where Python finds these true
    shared: bool = False  #: may be a tensor that something else refers to, and could change
    past: frozenset[str] = frozenset()  #: names that the condition reads, and the code does not

    def operand(self) -> Code:
        return self.code if self.atom else lambda site: f"({self.code(site)})"

    def inverted(self) -> Term:
        code = self.operand()
        return self._replace(code=lambda site: f"~{code(site)}", atom=True, shared=False)

    def names(self, site: Site) -> str:
        """The lines that give names to what the condition uses, each with its line break."""
        return "".join(f"{each.name} = {site.code(each.value)}\n" for each in self.before)


class Condition(NamedTuple):
    """`all(static) and tensor`, or with `or`."""

    static: list[ast.expr]
    joined: type[ast.boolop]  #: And or Or
    tensor: Term
    tests: list[ast.expr]  #: the parts that are tensors


def side(site: Site, node: ast.expr) -> str:
    """The text of an expression as one side of a comparison."""
    return site.operand(node) if isinstance(node, LOOSE_SIDES) else site.code(node)


LOOSE_SIDES: Final = (ast.Compare, ast.BoolOp, ast.IfExp, ast.Lambda, ast.NamedExpr, ast.Tuple, ast.BinOp)
