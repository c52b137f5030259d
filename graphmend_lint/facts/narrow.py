"""What a test says about the names in it, on the path where it holds and on the one where it does not."""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING

from graphmend_lint.facts import correlated
from graphmend_lint.facts.objects import Instance
from graphmend_lint.facts.values import (
    CHOICE,
    CONSTANT,
    CONSTANT_VALUE,
    CONTAINER,
    CONTAINER_VALUE,
    FUNCTION,
    MISSING,
    MODULE,
    NDARRAY,
    NONE,
    NONE_VALUE,
    OBJECT,
    SCALAR,
    SYMINT,
    TENSOR,
    TENSOR_VALUE,
    UNKNOWN,
    UNKNOWN_VALUE,
    Value,
    join_all,
    without,
)
from graphmend_lint.project import ClassDef

if TYPE_CHECKING:
    from graphmend_lint.facts.interpreter import Activation, Interpreter

#: kinds that the builtin classes cover
BUILTIN_CLASSES = {
    "builtins.int": CONSTANT | SYMINT | SCALAR,
    "builtins.float": CONSTANT | SCALAR,
    "builtins.bool": CONSTANT | SCALAR,
    "builtins.str": CONSTANT,
    "builtins.bytes": CONSTANT,
    "numbers.Number": CONSTANT | SYMINT | SCALAR,
    "builtins.list": CONTAINER,
    "builtins.tuple": CONTAINER,
    "builtins.dict": CONTAINER,
    "builtins.set": CONTAINER,
    "builtins.range": CONTAINER,
    "torch.Tensor": TENSOR,
    "torch.FloatTensor": TENSOR,
    "torch.LongTensor": TENSOR,
    "torch.BoolTensor": TENSOR,
    "torch.nn.Parameter": TENSOR,
    "torch.nn.Module": MODULE,
    "numpy.ndarray": NDARRAY,
    "torch.Size": CONTAINER,
    "torch.dtype": CONSTANT,
    "torch.device": CONSTANT,
}


def narrow(run: Interpreter, test: ast.expr, activation: Activation, holds: bool) -> None:
    """Sharpen the activation's state by `test` being true (or false)."""
    if isinstance(test, ast.Compare):
        operator = test.ops[0]
        if len(test.ops) == 1 and isinstance(operator, ast.Is | ast.IsNot) and _is_none(test.comparators[0]):
            _narrow_none(run, test.left, activation, isinstance(operator, ast.Is) is holds)
    elif isinstance(test, ast.Name | ast.Attribute):
        value = _peek(run, test, activation) if holds else None
        if value is not None and value.kinds & NONE:
            run.statements.assign(test, without(value, NONE), activation)
    elif isinstance(test, ast.BoolOp):
        if isinstance(test.op, ast.And) is holds:
            for each in test.values:
                narrow(run, each, activation, holds)
    elif isinstance(test, ast.UnaryOp) and isinstance(test.op, ast.Not):
        narrow(run, test.operand, activation, not holds)
    elif isinstance(test, ast.NamedExpr):
        narrow(run, test.target, activation, holds)
    elif isinstance(test, ast.Call):
        _narrow_call(run, test, activation, holds)


def _is_none(node: ast.expr) -> bool:
    return isinstance(node, ast.Constant) and node.value is None


def _narrow_call(run: Interpreter, test: ast.Call, activation: Activation, holds: bool) -> None:
    match test:
        case ast.Call(func=ast.Name(id="isinstance"), args=[subject, classes]):
            _narrow_class(run, subject, classes, activation, holds)
        case ast.Call(func=ast.Attribute(attr="is_tensor") | ast.Name(id="is_tensor"), args=[subject]):
            _narrow_kinds(run, subject, activation, TENSOR, holds, TENSOR_VALUE)


def identity(left: Value, right: Value, positive: bool) -> Value:
    """`left is right`: decided when one is None and the other surely is or is not."""
    if right.kinds != NONE:
        return CONSTANT_VALUE
    if left.kinds == NONE:
        return Value(CONSTANT, positive, dormant=left.dormant)
    if not left.kinds & (NONE | UNKNOWN):
        return Value(CONSTANT, not positive)
    return CONSTANT_VALUE


def _peek(run: Interpreter, node: ast.expr, activation: Activation) -> Value | None:
    """The value of a name or attribute path, without writing it down."""
    table, activation.table = activation.table, None
    try:
        match node:
            case ast.Name():
                return activation.state.names.get(node.id)
            case ast.Attribute():
                return run.eval(node, activation)
    finally:
        activation.table = table
    return None


def _narrow_none(run: Interpreter, node: ast.expr, activation: Activation, is_none: bool) -> None:
    if isinstance(node, ast.NamedExpr):
        node = node.target
    value = _peek(run, node, activation)
    if value is None or not isinstance(node, ast.Name | ast.Attribute):
        return
    if isinstance(node, ast.Name):
        correlated.recall(activation.given, node.id, activation.state, is_none=is_none)
    if is_none:
        narrowed = NONE_VALUE if value.kinds & NONE or value.kinds & UNKNOWN else value
    else:
        narrowed = without(value, NONE)
    if narrowed is not value:
        run.statements.assign(node, narrowed, activation)


def _narrow_class(run: Interpreter, subject: ast.expr, classes: ast.expr, activation: Activation, holds: bool) -> None:
    table, activation.table = activation.table, None
    named = run.eval(classes, activation)
    activation.table = table
    if _narrow_choice(run, subject, named, activation, holds):
        return
    options = named.items if named.items is not None else (named,)
    kinds, example = 0, UNKNOWN_VALUE
    sequences = {"builtins.list", "builtins.tuple"} <= {option.name for option in options}
    for option in options:
        kind, value = class_kinds(run, option)
        if not kind:
            return
        kinds, example = kinds | kind, value
    example = example if len(options) == 1 else UNKNOWN_VALUE
    _narrow_kinds(run, subject, activation, kinds, holds, example, CONTAINER if sequences else 0)


def _narrow_choice(run: Interpreter, subject: ast.expr, named: Value, activation: Activation, holds: bool) -> bool:
    """Keep those of several objects that pass the test, or those that do not; False if the subject is not a choice."""
    value = _peek(run, subject, activation)
    if value is None or value.name != CHOICE or not isinstance(subject, ast.Name | ast.Attribute):
        return False
    left = [each for each in value.items or () if is_instance(run, each, named).const is not (not holds)]
    if left:
        narrowed = join_all(left)
        kinds = narrowed.kinds | (0 if holds else value.kinds & NONE)
        run.statements.assign(subject, narrowed._replace(kinds=kinds), activation)
    return True


def class_kinds(run: Interpreter, option: Value) -> tuple[int, Value]:
    """The kinds that objects of a class have, and what is known of one that was unknown before."""
    if isinstance(option.target, ClassDef):
        instance = run.classes.outside(option.target)
        return instance.kinds, instance
    kinds = BUILTIN_CLASSES.get(option.name or "", 0)
    examples = {TENSOR: TENSOR_VALUE, CONTAINER: CONTAINER_VALUE, MODULE: Value(MODULE)}
    return kinds, examples.get(kinds, CONSTANT_VALUE if kinds & CONSTANT else UNKNOWN_VALUE)


def _narrow_kinds(
    run: Interpreter, subject: ast.expr, activation: Activation, kinds: int, holds: bool, example: Value, ruled: int = 0
) -> None:
    """Keep the kinds of `subject` that pass the test, or those that do not.

    `example` is the value of an unknown subject that passes. `ruled` are the kinds, beside tensors and arrays, none of
    which can fail the test.
    """
    value = _peek(run, subject, activation)
    if value is None or not isinstance(subject, ast.Name | ast.Attribute):
        return
    if holds:
        both = value.kinds & kinds
        if both and both != value.kinds:
            run.statements.assign(subject, value._replace(kinds=both), activation)
        elif value.kinds & UNKNOWN and example is not UNKNOWN_VALUE:
            run.statements.assign(subject, example, activation)
    elif not kinds & (OBJECT | MODULE | FUNCTION):
        whole = kinds & (TENSOR | CONTAINER) if kinds & ~CONSTANT else kinds
        narrowed = without(value, whole & (TENSOR | NDARRAY | ruled))
        if narrowed is not value:
            run.statements.assign(subject, narrowed, activation)


def is_instance(run: Interpreter, value: Value, classes: Value) -> Value:
    """`isinstance(value, classes)`: decided when all or none of the value's kinds belong to the classes."""
    options = classes.items if classes.items is not None else (classes,)
    if value.kinds & UNKNOWN or value.const is not MISSING:
        return CONSTANT_VALUE
    sure = possible = False
    for option in options:
        kinds, _ = class_kinds(run, option)
        if isinstance(option.target, ClassDef):
            verdict = _instance_of(run, value, option.target)
            sure, possible = sure or verdict is True, possible or verdict is not False
        elif not kinds:
            possible = possible or bool(value.kinds & ~(TENSOR | NONE | CONSTANT | SYMINT | SCALAR)) or not option.name
        else:
            sure = sure or (value.kinds in {TENSOR, MODULE} and value.kinds & kinds == value.kinds)
            possible = possible or bool(value.kinds & kinds)
    if sure:
        return Value(CONSTANT, True)
    return CONSTANT_VALUE if possible else Value(CONSTANT, False)


def _instance_of(run: Interpreter, value: Value, wanted: ClassDef) -> bool | None:
    if isinstance(value.target, Instance) and not value.kinds & ~(OBJECT | MODULE):
        made, cls = value.target.arguments is not None, value.target.cls
        if wanted in run.classes.order(cls):
            return True
        return False if made and "?" not in run.classes.externals(cls) else None
    return None if value.kinds & (OBJECT | MODULE | CONTAINER | FUNCTION) else False


__all__ = ["class_kinds", "identity", "is_instance", "narrow"]
