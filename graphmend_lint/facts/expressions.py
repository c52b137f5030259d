"""Abstract values of expressions."""

from __future__ import annotations

import ast
from collections.abc import Callable
from typing import TYPE_CHECKING, Any, Final

from graphmend_lint.facts import narrow
from graphmend_lint.facts.objects import Instance
from graphmend_lint.facts.state import unknown_from
from graphmend_lint.facts.values import (
    BOOL,
    CONSTANT,
    CONSTANT_VALUE,
    CONTAINER,
    DATA,
    FUNCTION,
    KNOWN,
    MISSING,
    MODULE,
    NDARRAY,
    NDARRAY_VALUE,
    NONE,
    OBJECT,
    SCALAR,
    SCALAR_VALUE,
    SYMBOLIC,
    SYMINT,
    SYMINT_VALUE,
    TENSOR,
    TENSOR_VALUE,
    UNKNOWN,
    UNKNOWN_VALUE,
    Value,
    constant,
    container,
    container_of,
    is_static,
    join,
    join_all,
    join_optional,
)

if TYPE_CHECKING:
    from graphmend_lint.facts.interpreter import Activation, Interpreter

Evaluate = Callable[[Any, "Activation"], Value]
NUMBERS: Final = CONSTANT | SYMINT | SCALAR
ZERO_DIM: Final = 1


class Expressions:
    """One method per expression type; `eval` dispatches and writes the result down (but for literals)."""

    def __init__(self, interpreter: Interpreter) -> None:
        self._run = interpreter
        self._dispatch: dict[type[ast.expr], Evaluate] = {
            ast.Attribute: self.attribute,
            ast.Await: self._await,
            ast.BinOp: self.binary,
            ast.BoolOp: self.boolean,
            ast.Call: self.call,
            ast.Compare: self.compare,
            ast.Dict: self.dictionary,
            ast.DictComp: self.comprehension,
            ast.FormattedValue: self.formatted,
            ast.GeneratorExp: self.comprehension,
            ast.IfExp: self.conditional,
            ast.JoinedStr: self.text,
            ast.Lambda: self.function,
            ast.List: self.sequence,
            ast.ListComp: self.comprehension,
            ast.NamedExpr: self.walrus,
            ast.Set: self.sequence,
            ast.SetComp: self.comprehension,
            ast.Slice: self.slice,
            ast.Starred: self.starred,
            ast.Subscript: self.subscript,
            ast.Tuple: self.sequence,
            ast.UnaryOp: self.unary,
            ast.Yield: self._yield,
            ast.YieldFrom: self._yield,
        }

    def eval(self, node: ast.expr, activation: Activation) -> Value:
        """The value of `node` here; what is known about it over all runs goes into the table."""
        if isinstance(node, ast.Constant):
            return constant(node.value)
        state = activation.state
        if isinstance(node, ast.Name):
            value = state.names.get(node.id) or self.name(node, activation)
        else:
            evaluate = self._dispatch.get(type(node))
            value = UNKNOWN_VALUE if evaluate is None else evaluate(node, activation)
        table = activation.table
        if table is not None:
            values = table.dormant_values if state.dormant else table.values
            old = values.get(node)
            if old is None or old.kinds == UNKNOWN:
                values[node] = value
            elif old is not value and value.kinds != UNKNOWN:
                values[node] = join(old, value)
        return value

    # Names and literals

    def name(self, node: ast.Name, activation: Activation) -> Value:
        """A name that is no local."""
        return activation.outer.get(node.id) or self._run.scope.name(node.id, activation)

    def text(self, node: ast.JoinedStr, activation: Activation) -> Value:
        for part in node.values:
            self.eval(part, activation)
        return CONSTANT_VALUE

    def formatted(self, node: ast.FormattedValue, activation: Activation) -> Value:
        self.eval(node.value, activation)
        if node.format_spec is not None:
            self.eval(node.format_spec, activation)
        return CONSTANT_VALUE

    def function(self, node: ast.Lambda, activation: Activation) -> Value:
        return Value(FUNCTION, target=self._run.closure(node, activation))

    def walrus(self, node: ast.NamedExpr, activation: Activation) -> Value:
        value = self.eval(node.value, activation)
        activation.state.names[node.target.id] = value
        return value

    def starred(self, node: ast.Starred, activation: Activation) -> Value:
        return self.eval(node.value, activation)

    def slice(self, node: ast.Slice, activation: Activation) -> Value:
        for part in (node.lower, node.upper, node.step):
            if part is not None:
                self.eval(part, activation)
        return Value(CONTAINER, name="builtins.slice")

    def _await(self, node: ast.Await, activation: Activation) -> Value:
        self.eval(node.value, activation)
        return UNKNOWN_VALUE

    def _yield(self, node: ast.Yield | ast.YieldFrom, activation: Activation) -> Value:
        value = self.eval(node.value, activation) if node.value is not None else constant(None)
        if isinstance(node, ast.YieldFrom):
            value = self.element(value)
        activation.yields.append(value)
        return UNKNOWN_VALUE

    # Containers

    def sequence(self, node: ast.Tuple | ast.List | ast.Set, activation: Activation) -> Value:
        items: list[Value] = []
        element: Value | None = None
        known = True
        for part in node.elts:
            value = self.eval(part, activation)
            if not isinstance(part, ast.Starred):
                items.append(value)
            elif value.items is not None and value.keys is None:
                items.extend(value.items)
            else:
                known, element = False, join_optional(element, self.element(value))
        if known:
            return container(tuple(items))
        return container_of(join_optional(element, join_all(items) if items else None))

    def dictionary(self, node: ast.Dict, activation: Activation) -> Value:
        keys: list[Any] = []
        items: list[Value] = []
        known = True
        for key, part in zip(node.keys, node.values, strict=True):
            value = self.eval(part, activation)
            if key is None:
                known = known and value.keys is not None
                keys.extend(value.keys or ())
                items.extend(value.items or (self.element(value),))
                continue
            name = self.eval(key, activation)
            known = known and name.const is not MISSING
            keys.append(name.const)
            items.append(value)
        if known and len(set(map(repr, keys))) == len(keys):
            return container(tuple(items), tuple(keys))
        return container_of(join_all(items))

    def comprehension(
        self, node: ast.ListComp | ast.SetComp | ast.GeneratorExp | ast.DictComp, activation: Activation
    ) -> Value:
        outer = activation.state
        activation.state = outer.copy()
        for generator in node.generators:
            iterated = self.eval(generator.iter, activation)
            self._run.statements.assign(generator.target, self.element(iterated), activation)
            for test in generator.ifs:
                self.eval(test, activation)
                narrow.narrow(self._run, test, activation, True)
        if isinstance(node, ast.DictComp):
            self.eval(node.key, activation)
            value = self.eval(node.value, activation)
        else:
            value = self.eval(node.elt, activation)
        activation.state = outer
        return container_of(value)

    def element(self, value: Value) -> Value:
        """What iterating over (or indexing into) the value gives: the join over what it may be."""
        parts = [] if value.element is None else [value.element]
        if value.kinds & TENSOR:
            parts.append(Value(TENSOR, traits=value.traits & ~(ZERO_DIM | KNOWN)))
        if value.kinds & NDARRAY:
            parts.append(NDARRAY_VALUE)
        if parts:
            return parts[0] if len(parts) == 1 else join_all(parts)
        if value.kinds & SYMINT:
            return SYMINT_VALUE
        if value.kinds & (CONSTANT | NONE) and not value.kinds & UNKNOWN:
            return CONSTANT_VALUE
        return Value(UNKNOWN, origin=frozenset(f"{o}[]" for o in value.origin)) if value.origin else UNKNOWN_VALUE

    def subscript(self, node: ast.Subscript, activation: Activation) -> Value:
        value = self.eval(node.value, activation)
        index = self.eval(node.slice, activation)
        if value.kinds == UNKNOWN and (
            _indexes_dimensions(node.slice) or (index.kinds == TENSOR and index.traits & BOOL)
        ):
            self._run.calls.proves(value, "tensor")
            return TENSOR_VALUE
        return self.item(value, index, node.slice)

    def item(self, value: Value, index: Value, node: ast.expr) -> Value:
        """`value[index]`."""
        if value.kinds & (TENSOR | NDARRAY):
            return self.element(value)
        if isinstance(value.target, Instance):
            return self._run.classes.item(value, index)
        if isinstance(node, ast.Slice):
            return self._sliced(value, node)
        if value.items is not None and index.const is not MISSING:
            return self._at(value, index.const)
        if value.kinds & (CONTAINER | MODULE) and value.element is not None:
            return value.element if index.kinds & ~DATA or not value.items else join_all(value.items)
        if value.kinds & FUNCTION:
            return value
        return self.element(value)

    def _at(self, value: Value, key: Any) -> Value:
        items = value.items or ()
        if value.keys is not None:
            for name, item in zip(value.keys, items, strict=True):
                if type(name) is type(key) and name == key:
                    return item
        elif isinstance(key, int) and -len(items) <= key < len(items):
            return items[key]
        return UNKNOWN_VALUE

    def _sliced(self, value: Value, node: ast.Slice) -> Value:
        bounds = [None if part is None else _integer(part) for part in (node.lower, node.upper, node.step)]
        if value.items is not None and value.keys is None and MISSING not in bounds:
            return container(value.items[slice(*bounds)])._replace(kinds=value.kinds)
        if value.kinds & (CONTAINER | MODULE):
            return value._replace(items=None, keys=None, const=MISSING)
        return value if is_static(value) else unknown_from(value)

    # Operators

    def binary(self, node: ast.BinOp, activation: Activation) -> Value:
        left, right = self.eval(node.left, activation), self.eval(node.right, activation)
        if isinstance(node.op, ast.MatMult):
            self._run.calls.proves(left, "tensor")
            self._run.calls.proves(right, "tensor")
        return self.operate(left, right, node.op)

    def operate(self, left: Value, right: Value, operator: ast.operator) -> Value:
        """`left <operator> right`."""
        kinds = left.kinds | right.kinds
        if kinds == CONTAINER | TENSOR and isinstance(operator, ast.Mult):
            listed = left if left.kinds == CONTAINER else right
            return TENSOR_VALUE if listed.element is None else container_of(listed.element)
        if kinds & TENSOR:
            traits = _result_traits(left, right, operator)
            return Value(TENSOR, traits=traits) if traits else TENSOR_VALUE
        if kinds & NDARRAY:
            return NDARRAY_VALUE
        if kinds & SCALAR and not kinds & ~(NUMBERS | NONE | UNKNOWN):
            return Value(SCALAR, traits=(left.traits | right.traits) & SYMBOLIC)
        if kinds & UNKNOWN:
            return unknown_from(left, right)
        if left.kinds & right.kinds & CONTAINER and isinstance(operator, ast.Add):
            return self._concatenated(left, right)
        if kinds & CONTAINER:
            return container_of(join_optional(left.element, right.element))
        if kinds & SYMINT and not kinds & ~(NUMBERS | NONE):
            return SYMINT_VALUE
        return CONSTANT_VALUE if not kinds & ~(CONSTANT | NONE) else UNKNOWN_VALUE

    @staticmethod
    def _concatenated(left: Value, right: Value) -> Value:
        if left.items is not None and right.items is not None and left.keys is None and len(left.items) < 32:
            return container(left.items + right.items)
        return container_of(join_optional(left.element, right.element))

    def unary(self, node: ast.UnaryOp, activation: Activation) -> Value:
        value = self.eval(node.operand, activation)
        if isinstance(node.op, ast.Not):
            truth = truth_of(value)
            if truth is not None:
                return Value(CONSTANT, not truth, dormant=value.dormant)
            if value.kinds & DATA and not value.kinds & UNKNOWN:
                return SCALAR_VALUE
            return CONSTANT_VALUE if is_static(value) else unknown_from(value)
        if isinstance(node.op, ast.USub) and isinstance(value.const, int | float):
            return constant(-value.const)
        return value._replace(const=MISSING)

    def boolean(self, node: ast.BoolOp, activation: Activation) -> Value:
        """`and` / `or`: later operands are met only if earlier ones let them."""
        outer = activation.state
        activation.state = outer.copy()
        stop = isinstance(node.op, ast.Or)
        values: list[Value] = []
        dormant = False
        for operand in node.values:
            value = self.eval(operand, activation)
            truth = truth_of(value)
            if truth is not None and truth is not stop:
                dormant = dormant or value.dormant
                if operand is not node.values[-1]:
                    continue
            values.append(value)
            if truth is stop:
                break
            narrow.narrow(self._run, operand, activation, not stop)
        activation.state = outer
        return self._decided(values, stop, dormant)

    @staticmethod
    def _decided(values: list[Value], stop: bool, dormant: bool) -> Value:
        last = values[-1]
        if truth_of(last) is stop and last.const is not MISSING:
            if len(values) == 1:
                return last
            return Value(CONSTANT, stop, dormant=last.dormant) if last.dormant or all(map(is_static, values)) else last
        result = join_all(values)
        return result._replace(dormant=dormant) if dormant and result.const is not MISSING else result

    def compare(self, node: ast.Compare, activation: Activation) -> Value:
        operands = [self.eval(node.left, activation), *(self.eval(c, activation) for c in node.comparators)]
        if len(node.ops) == 1:
            return self._compared(operands[0], node.ops[0], operands[1])
        results = [self._compared(a, op, b) for a, op, b in zip(operands, node.ops, operands[1:], strict=False)]
        if any(result.kinds & TENSOR for result in results):
            return SCALAR_VALUE if len(results) > 1 else results[0]
        return join_all(results)._replace(const=MISSING)

    def _compared(self, left: Value, operator: ast.cmpop, right: Value) -> Value:
        if isinstance(operator, ast.Is | ast.IsNot):
            return narrow.identity(left, right, isinstance(operator, ast.Is))
        if isinstance(operator, ast.In | ast.NotIn):
            return self._contained(left, right, isinstance(operator, ast.In))
        kinds = left.kinds | right.kinds
        if kinds & TENSOR:
            other = right if left.kinds & TENSOR else left
            if other.kinds == NONE or isinstance(other.const, str):
                return Value(CONSTANT, isinstance(operator, ast.NotEq))
            return Value(TENSOR, traits=BOOL | _zero_dim(left, right))
        if kinds & NDARRAY:
            return NDARRAY_VALUE
        if kinds & SCALAR:
            return Value(SCALAR, traits=(left.traits | right.traits) & SYMBOLIC)
        if kinds & UNKNOWN:
            return unknown_from(left, right)
        if left.kinds & right.kinds & CONTAINER and (_has_data(left) or _has_data(right)):
            return SCALAR_VALUE
        return _folded(left, operator, right)

    @staticmethod
    def _contained(left: Value, right: Value, positive: bool) -> Value:
        if right.kinds & (TENSOR | NDARRAY):
            return SCALAR_VALUE
        if right.keys is not None and left.const is not MISSING:
            return Value(CONSTANT, (left.const in right.keys) is positive)
        among_arrays = left.kinds & NDARRAY and right.element is not None and right.element.kinds & NDARRAY
        if among_arrays and right.keys is None:
            return SCALAR_VALUE
        if left.kinds & (TENSOR | SCALAR) and right.kinds & CONTAINER and right.keys is None and _holds_data(right):
            return SCALAR_VALUE
        return CONSTANT_VALUE if is_static(left) and is_static(right) else unknown_from(left, right)

    def conditional(self, node: ast.IfExp, activation: Activation) -> Value:
        test = self.eval(node.test, activation)
        truth = truth_of(test)
        outer, results = activation.state, []
        for wanted, branch in ((True, node.body), (False, node.orelse)):
            if truth is not None and truth is not wanted and not test.dormant:
                continue
            activation.state = outer.copy()
            activation.state.dormant = outer.dormant or (test.dormant and truth is not wanted)
            narrow.narrow(self._run, node.test, activation, wanted)
            results.append(self.eval(branch, activation))
        activation.state = outer
        return join_all(results)

    # Attributes and calls

    def attribute(self, node: ast.Attribute, activation: Activation) -> Value:
        value = self.eval(node.value, activation)
        return self._run.classes.attribute(value, node.attr, activation)

    def call(self, node: ast.Call, activation: Activation) -> Value:
        return self._run.calls.call(node, activation)


def truth_of(value: Value) -> bool | None:
    """The truth of a value, if Dynamo decides it the same way in every run."""
    if value.const is not MISSING:
        return bool(value.const)
    if value.kinds == NONE:
        return False
    if value.kinds == FUNCTION and not value.dormant:
        return True
    if value.kinds == CONTAINER and value.items is not None:
        return bool(value.items)
    return True if value.kinds == MODULE and value.name is None and isinstance(value.target, Instance) else None


def _integer(node: ast.expr) -> Any:
    match node:
        case ast.Constant(value=int(number)):
            return number
        case ast.UnaryOp(op=ast.USub(), operand=ast.Constant(value=int(number))):
            return -number
    return MISSING


def _indexes_dimensions(node: ast.expr) -> bool:
    """True for `x[:, 0]` or `x[..., None]`: only tensors and arrays take such an index."""
    if not isinstance(node, ast.Tuple):
        return False
    return any(
        isinstance(part, ast.Slice) or (isinstance(part, ast.Constant) and part.value in {None, ...})
        for part in node.elts
    )


def _zero_dim(left: Value, right: Value) -> int:
    """0-dim if every tensor among the operands is."""
    tensors = [value for value in (left, right) if value.kinds & TENSOR]
    plain = all(value.kinds & (TENSOR | CONSTANT | SYMINT | SCALAR) for value in (left, right))
    return ZERO_DIM if plain and all(value.traits & ZERO_DIM for value in tensors) else 0


def _result_traits(left: Value, right: Value, operator: ast.operator) -> int:
    traits = _zero_dim(left, right)
    if all(value.traits & KNOWN or not value.kinds & ~(CONSTANT | SYMINT) for value in (left, right)):
        traits |= KNOWN
    if isinstance(operator, ast.BitAnd | ast.BitOr | ast.BitXor):
        both = left.traits & right.traits if left.kinds & right.kinds & TENSOR else left.traits | right.traits
        return traits | (both & BOOL)
    return traits


def _has_data(value: Value) -> bool:
    """True if comparing the container's elements compares data."""
    parts = value.items or ((value.element,) if value.element is not None else ())
    return any(part.kinds & DATA and not part.kinds & UNKNOWN for part in parts)


def _holds_data(value: Value) -> bool:
    return value.element is None or not value.element.kinds & (CONTAINER | FUNCTION | MODULE | OBJECT)


def _folded(left: Value, operator: ast.cmpop, right: Value) -> Value:
    """A comparison of values that are known while tracing; decided if both are known here."""
    if isinstance(operator, ast.Eq | ast.NotEq) and left.const is not MISSING and right.const is not MISSING:
        equal = type(left.const) is type(right.const) and left.const == right.const
        return Value(CONSTANT, equal is isinstance(operator, ast.Eq), dormant=left.dormant or right.dormant)
    return CONSTANT_VALUE
