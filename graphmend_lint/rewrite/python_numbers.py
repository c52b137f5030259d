"""Tensors made of sizes, where Python could have computed with the sizes: `torch.tensor(x.shape).prod() > 100`."""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING, Final

from graphmend_lint.facts.meta import is_number
from graphmend_lint.facts.reaching import definition, statement_of
from graphmend_lint.facts.values import CONSTANT, CONTAINER, DATA, SYMINT, TENSOR, UNKNOWN, Value
from graphmend_lint.model import Applicability, Edit, Fix
from graphmend_lint.rewrite.naming import unused
from graphmend_lint.rewrite.number_uses import is_operand, loads_of
from graphmend_lint.rewrite.once import is_local
from graphmend_lint.rewrite.static_numbers import is_rebound
from graphmend_lint.syntax import walk

if TYPE_CHECKING:
    from graphmend_lint.facts import Facts
    from graphmend_lint.rewrite.site import Site

Code = Callable[["Site"], str]
MAKERS: Final = frozenset({"torch.tensor", "torch.as_tensor"})
REDUCED: Final = {"prod": "math.prod", "sum": "sum", "max": "max", "min": "min"}
WIDER: Final = frozenset({"torch.Tensor.float", "torch.Tensor.double"})
NUMBERS: Final = frozenset({"builtins.int", "builtins.float", "builtins.abs", "builtins.round", "builtins.bool"})
EXACT: Final = (ast.Add, ast.Sub, ast.Mult)
DIVIDES: Final = (ast.Div, ast.FloorDiv, ast.Mod)
ORDERS: Final = (ast.Eq, ast.NotEq, ast.Lt, ast.LtE, ast.Gt, ast.GtE)
ATOMS: Final = (ast.Name, ast.Attribute, ast.Call, ast.Subscript, ast.Constant, ast.List, ast.Tuple)
CAVEAT: Final = "The numbers are Python's, and computed in its precision, where they used to be those of tensors."


def tested_in_python(test: ast.expr, facts: Facts) -> Fix | None:
    """A condition whose tensors are made of numbers that Python knows, computed from those numbers."""
    return _fix(_Numbers(facts), test, facts)


def read_in_python(node: ast.expr, facts: Facts) -> Fix | None:
    """The number that `node` reads from a tensor that was made of numbers, computed from those."""
    numbers = _Numbers(facts)
    calls = [each for each in (node, facts.parent(node)) if isinstance(each, ast.Call)]
    numbers.exact = any(facts.resolve(each.func) == "builtins.int" for each in calls)
    return _fix(numbers, node, facts)


def _fix(numbers: _Numbers, root: ast.expr, facts: Facts) -> Fix | None:
    if not numbers.decide(root) or not numbers.settle() or not numbers.changed:
        return None
    if any(is_local(name, root, facts) or is_rebound(name, facts) for name in numbers.functions):
        return None
    return Fix(
        title="Compute with Python's numbers",
        applicability=Applicability.SAFE if numbers.exact else Applicability.UNSAFE,
        edits=numbers.edits,
        caveat="" if numbers.exact else CAVEAT,
        imports=("math",) if "math" in numbers.functions else (),
    )


class _Numbers:
    """Expressions whose tensors become numbers, or lists of numbers."""

    def __init__(self, facts: Facts) -> None:
        self.facts = facts
        self.changed: dict[ast.expr, Code] = {}  #: what other code stands for
        self.names: dict[str, ast.stmt] = {}  #: names that hold numbers then, and where they are given their values
        self.seen: set[ast.expr] = set()
        self.functions: set[str] = set()  #: that the new code calls
        self.exact = True  #: whole numbers, and nothing that rounds

    def decide(self, test: ast.expr) -> bool:
        """True if the test becomes one of numbers."""
        match test:
            case ast.BoolOp(values=values):
                return all(self.decide(each) for each in values)
            case ast.UnaryOp(op=ast.Not(), operand=operand):
                return self.decide(operand)
        return not self.facts.kinds(test) & DATA or self._is_number(test)

    def settle(self) -> bool:
        """True if numbers serve wherever the names that become numbers are read."""
        done: set[str] = set()
        while left := self.names.keys() - done:
            name = left.pop()
            done.add(name)
            loads = loads_of(name, self.names[name], self.facts)
            if loads is None or not all(each in self.seen or self._fits(each) for each in loads):
                return False
        return True

    def _fits(self, load: ast.expr) -> bool:
        """True if a number serves where else the name is read: in another test, or in arithmetic with tensors."""
        if self.facts.kinds(load) == TENSOR and is_operand(load, self.facts):
            self.exact = False
            return True
        node, above = load, self.facts.parent(load)
        while isinstance(above, ast.expr) and not (isinstance(above, ast.IfExp) and above.test is node):
            node, above = above, self.facts.parent(above)
        is_test = isinstance(above, ast.If | ast.While | ast.IfExp | ast.Assert) and above.test is node
        return is_test and self.decide(node) and load in self.seen

    def edits(self, site: Site) -> tuple[Edit, ...]:
        inner = {each for node in self.changed for each in self._inside(node)}
        return tuple(site.expression(each, self.changed[each](site)) for each in self.changed if each not in inner)

    def _inside(self, node: ast.expr) -> Iterator[ast.expr]:
        return (each for each in walk(node) if each is not node and isinstance(each, ast.expr) and each in self.changed)

    def _code(self, node: ast.expr) -> Code:
        """The new text of an expression."""

        def code(site: Site) -> str:
            if node in self.changed:
                return self.changed[node](site)
            inside = [*self._inside(node)]
            deeper = {each for outer in inside for each in self._inside(outer)}
            return site.code(node, {each: self.changed[each](site) for each in inside if each not in deeper})

        return code

    def _operand(self, node: ast.expr) -> Code:
        code = self._code(node)
        return code if isinstance(node, ATOMS) else lambda site: f"({code(site)})"

    def _is_number(self, node: ast.expr) -> bool:
        """True if the expression becomes one number."""
        self.seen.add(node)
        match node:
            case _ if is_number(node, self.facts):
                self.exact &= _is_whole(self.facts.value(node))
                return True
            case ast.Name() if self.facts.kinds(node) & DATA:
                return self._is_named(node, self._is_number)
            case ast.BinOp(left=left, op=op, right=right):
                return self._operates(op, right) and self._is_number(left) and self._is_number(right)
            case ast.UnaryOp(op=ast.USub(), operand=operand):
                return self._is_number(operand)
            case ast.Compare(left=left, ops=[op], comparators=[right]) if isinstance(op, ORDERS):
                return self._is_number(left) and self._is_number(right)
            case ast.Subscript(value=value, slice=index) if self.facts.kinds(node) == TENSOR:
                return isinstance(self.facts.value(index).const, int) and self._is_list(value)
            case ast.Call():
                return self._calls(node)
        self.exact = False
        return self.facts.kinds(node) == UNKNOWN and isinstance(node, ast.Name | ast.Attribute)

    def _operates(self, op: ast.operator, right: ast.expr) -> bool:
        """True if Python's arithmetic gives the same but for rounding, and does not raise."""
        if isinstance(op, EXACT):
            return True
        self.exact = False
        const = self.facts.value(right).const
        plain = isinstance(right, ast.BinOp | ast.Constant) and all(
            isinstance(each, ast.Constant | ast.BinOp | ast.operator) for each in walk(right)
        )
        return isinstance(op, DIVIDES) and (plain or (isinstance(const, int | float) and const != 0))

    def _is_named(self, node: ast.Name, holds: Callable[[ast.expr], bool]) -> bool:
        value, statement = definition(node, self.facts).value, None
        if value is not None:
            statement = statement_of(value, self.facts)
        if value is None or not isinstance(statement, ast.Assign) or len(statement.targets) != 1:
            return False
        known = self.names.get(node.id) is statement
        self.names[node.id] = statement
        return known or holds(value)

    def _is_list(self, node: ast.expr) -> bool:
        """True if the expression becomes a sequence of numbers."""
        self.seen.add(node)
        match node:
            case ast.Name() if self.facts.kinds(node) == TENSOR:
                return self._is_named(node, self._is_list)
            case ast.Call(args=[given]) if self._makes(node):
                if not _are_numbers(self.facts.value(given)):
                    return False
                self.exact &= all(_is_whole(each) for each in _parts(self.facts.value(given)))
                fixed = not isinstance(given, ast.Name)  # a list of that name may change
                inner = self._code(given)
                self.changed[node] = inner if fixed else lambda site: f"tuple({inner(site)})"
                return True
        return False

    def _makes(self, node: ast.Call) -> bool:
        """True for a call that makes a tensor of numbers as they are."""
        dtypes = [self.facts.resolve(each.value) for each in node.keywords if each.arg == "dtype"]
        self.exact &= set(dtypes) <= {"torch.int64", "torch.long"}
        others = {each.arg for each in node.keywords} - {"dtype", "device"}
        wide = {"torch.int64", "torch.long", "torch.float32", "torch.float", "torch.float64", "torch.double"}
        return self.facts.resolve(node.func) in MAKERS and not others and set(dtypes) <= wide

    def _calls(self, node: ast.Call) -> bool:
        """True if a call can be made of numbers instead of tensors; notes how."""
        name = self.facts.resolve(node.func) or ""
        owner, _, last = name.rpartition(".")
        given = node.func.value if owner == "torch.Tensor" and isinstance(node.func, ast.Attribute) else None
        if given is None and len(node.args) == 1:
            given = node.args[0]
        if given is None or isinstance(given, ast.Starred):
            return False
        if self._makes(node):
            return self._becomes(node, given) if is_number(given, self.facts) else False
        if node.keywords or len(node.args) + (given not in node.args) != 1:
            return False
        if owner in ("torch", "torch.Tensor") and last in REDUCED:
            return self._reduces(node, given, REDUCED[last])
        if owner in ("torch", "torch.Tensor") and last in ("all", "any"):
            return self._asks(node, given, last)
        if name == "torch.Tensor.item" or name in WIDER:
            self.exact &= name not in WIDER
            return self._becomes(node, given)
        self.exact &= name == "builtins.int"
        return name in NUMBERS and self._is_number(given)

    def _becomes(self, node: ast.Call, given: ast.expr) -> bool:
        self.changed[node] = self._operand(given)
        return self._is_number(given)

    def _reduces(self, node: ast.Call, given: ast.expr, function: str) -> bool:
        self.functions.add(function.partition(".")[0])
        self.exact &= function not in ("max", "min")  # of nothing, they raise another exception
        code = self._code(given)
        self.changed[node] = lambda site: f"{function}({code(site)})"
        return self._is_list(given)

    def _asks(self, node: ast.Call, given: ast.expr, function: str) -> bool:
        """`(sizes > 4).all()` as `all(size > 4 for size in sizes)`."""
        match given:
            case ast.Compare(left=left, ops=[op], comparators=[right]) if isinstance(op, ORDERS):
                name, sizes = unused(["size", "each"], node, self.facts), self._code(left)
                sign = f"{{}} {SIGNS[type(op)]} {{}}".format
                other = self._operand(right)
                self.functions.add(function)
                self.changed[node] = lambda site: f"{function}({sign(name, other(site))} for {name} in {sizes(site)})"
                return self._is_list(left) and self._is_number(right)
        return False


SIGNS: Final[dict[type[ast.cmpop], str]] = {
    ast.Eq: "==", ast.NotEq: "!=", ast.Lt: "<", ast.LtE: "<=", ast.Gt: ">", ast.GtE: ">=",
}  # fmt: skip


def _parts(value: Value) -> tuple[Value, ...]:
    return value.items or ((value.element,) if value.element is not None else ())


def _are_numbers(value: Value) -> bool:
    parts = _parts(value)
    return value.kinds == CONTAINER and bool(parts) and all(not each.kinds & ~(SYMINT | CONSTANT) for each in parts)


def _is_whole(value: Value) -> bool:
    return value.kinds == SYMINT or type(value.const) is int
