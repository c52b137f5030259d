"""Abstract values of expressions."""

from __future__ import annotations

import ast
from collections.abc import Callable
from typing import TYPE_CHECKING, Any, Final

from graphmend_lint.facts import narrow
from graphmend_lint.facts.nesting import counted
from graphmend_lint.facts.objects import Instance
from graphmend_lint.facts.operators import compared, operate, truth_of
from graphmend_lint.facts.scope import pattern
from graphmend_lint.facts.state import unknown_from
from graphmend_lint.facts.values import (
    BOOL,
    CHOICE,
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
    SCALAR,
    SCALAR_VALUE,
    SYMINT,
    SYMINT_VALUE,
    TENSOR,
    TENSOR_VALUE,
    UNKNOWN,
    UNKNOWN_VALUE,
    ZERO_DIM,
    Value,
    constant,
    container,
    container_of,
    is_static,
    join,
    join_all,
    join_answers,
    join_optional,
    part_of,
)

if TYPE_CHECKING:
    from graphmend_lint.facts.interpreter import Activation, Interpreter

Evaluate = Callable[[Any, "Activation"], Value]
NUMBERS: Final = CONSTANT | SYMINT | SCALAR


class Expressions:
    """One method per expression type; `eval` dispatches and writes the result down (but for literals)."""

    def __init__(self, interpreter: Interpreter) -> None:
        self._run = interpreter
        self._dispatch: dict[type[ast.expr], Evaluate] = counted(
            {
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
        )

    def eval(self, node: ast.expr, activation: Activation) -> Value:
        """The value of `node` here. The table gets the join over all runs."""
        if isinstance(node, ast.Constant):
            return constant(node.value)
        state = activation.state
        if isinstance(node, ast.Name):
            value = state.names.get(node.id) or self.name(node, activation)
        else:
            evaluate = self._dispatch.get(type(node))
            value = UNKNOWN_VALUE if evaluate is None else evaluate(node, activation)
        table = activation.table
        if table is None:
            return value
        values = table.dormant_values if state.dormant else table.values
        old = values.get(node)
        if old is None:
            values[node] = value
        elif old is value:
            pass
        elif old.kinds == UNKNOWN or value.kinds == UNKNOWN:
            table.mixed.add(node)
            values[node] = value if old.kinds == UNKNOWN else old
        else:
            values[node] = join(old, value)
        return value

    # Names and literals

    def name(self, node: ast.Name, activation: Activation) -> Value:
        """The value of a name that is not local."""
        return activation.outer.get(node.id) or self._run.scope.name(node.id, activation)

    def text(self, node: ast.JoinedStr, activation: Activation) -> Value:
        for part in node.values:
            self.eval(part, activation)
        return pattern(node)

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
                if value.keys is not None and value.items is not None:
                    keys.extend(value.keys)
                    items.extend(value.items)
                else:
                    known = False
                    items.append(self.element(value))
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
        """What iterating over the value, or indexing into it, gives: the join over its elements."""
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
        return part_of(value, "[]") if value.origin else UNKNOWN_VALUE

    def subscript(self, node: ast.Subscript, activation: Activation) -> Value:
        value = self.eval(node.value, activation)
        index = self.eval(node.slice, activation)
        if value.kinds == UNKNOWN and (
            _indexes_dimensions(node.slice) or (index.kinds == TENSOR and index.traits & BOOL)
        ):
            self._run.calls.proves(value, "tensor")
            return TENSOR_VALUE
        if value.kinds == TENSOR and index.origin and index.traits & BOOL:  # `t[labels > 0]`: a mask
            self._run.calls.proves(index, "tensor")
        return self.item(value, index, node.slice)

    def item(self, value: Value, index: Value, node: ast.expr) -> Value:
        """`value[index]`."""
        if value.kinds & (TENSOR | NDARRAY):
            return self.element(value)
        if isinstance(value.target, Instance):
            return self._run.classes.item(value, index)
        if value.name == CHOICE and value.items:
            return join_all([self.item(each, index, node) for each in value.items])
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
        elif left.kinds == right.kinds == UNKNOWN and _is_difference(node):
            self._run.calls.proves(left, "tensor")
            self._run.calls.proves(right, "tensor")
            return TENSOR_VALUE
        return operate(left, right, node.op)

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
        """`and` and `or`: a later operand is evaluated only where the earlier ones do not decide."""
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
            return compared(operands[0], node.ops[0], operands[1])
        results = [compared(a, op, b) for a, op, b in zip(operands, node.ops, operands[1:], strict=False)]
        if any(result.kinds & TENSOR for result in results):
            return SCALAR_VALUE if len(results) > 1 else results[0]
        return join_all(results)._replace(const=MISSING)

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
        return join_answers(results)

    # Attributes and calls

    def attribute(self, node: ast.Attribute, activation: Activation) -> Value:
        value = self.eval(node.value, activation)
        return self._run.attributes.attribute(value, node.attr, activation)

    def call(self, node: ast.Call, activation: Activation) -> Value:
        return self._run.calls.call(node, activation)


def _is_difference(node: ast.BinOp) -> bool:
    """True for `x[1:] - x[:-1]`: no list or string can be subtracted."""
    match node:
        case ast.BinOp(left=ast.Subscript(slice=ast.Slice()), op=ast.Sub(), right=ast.Subscript(slice=ast.Slice())):
            return True
    return False


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
