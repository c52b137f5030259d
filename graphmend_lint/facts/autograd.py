"""Functions with a derivative of their own: `apply` of a `torch.autograd.Function`."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from graphmend_lint.facts.objects import Arguments
from graphmend_lint.facts.values import FUNCTION, TENSOR_VALUE, UNKNOWN_VALUE, Value, container
from graphmend_lint.project import ClassDef, FunctionDef

if TYPE_CHECKING:
    from graphmend_lint.facts.interpreter import Activation, Interpreter

FUNCTION_CLASS: Final = "torch.autograd.Function"
APPLY: Final = f"{FUNCTION_CLASS}.apply"
SAVE: Final = f"{FUNCTION_CLASS}.save_for_backward"
SAVED: Final = "saved_tensors"  #: the attribute of the context that holds what was saved


def apply(run: Interpreter, cls: ClassDef, arguments: Arguments, activation: Activation) -> Value:
    """What `forward` gives. Dynamo traces `backward` with it, since parameters need gradients also in evaluation.

    The context is taken to be an object of the class: what `forward` stores on it, `backward` reads. With a
    `setup_context`, `forward` takes none.
    """
    context = run.classes.outside(cls)
    setup = run.classes.find(cls, "setup_context")
    given = arguments.positional if isinstance(setup, FunctionDef) else (context, *arguments.positional)
    value = _call(run, cls, "forward", arguments._replace(positional=given), activation)
    if isinstance(setup, FunctionDef):
        both = (context, container(arguments.positional), value)
        _call(run, cls, "setup_context", Arguments(both), activation)
    backward = run.classes.find(cls, "backward")
    if isinstance(backward, FunctionDef):
        signature = backward.node.args
        count = len(signature.posonlyargs) + len(signature.args) - 1 + (signature.vararg is not None)
        _call(run, cls, "backward", Arguments((context, *[TENSOR_VALUE] * count)), activation)
    return value


def _call(run: Interpreter, cls: ClassDef, name: str, arguments: Arguments, activation: Activation) -> Value:
    method = run.attributes.attribute(Value(FUNCTION, target=cls), name, activation)
    return run.calls.apply(method, arguments, activation)


def save(run: Interpreter, context: Value, arguments: Arguments, activation: Activation) -> None:
    """`ctx.save_for_backward(x, y)`."""
    saved = UNKNOWN_VALUE if arguments.open else container(arguments.positional)
    run.attributes.store(context, SAVED, saved, activation)


def has_class_methods(applied: Value) -> bool:
    """True for `apply` of a class whose `forward` or `backward` is a class method."""
    members = applied.target.members if isinstance(applied.target, ClassDef) else {}
    methods = (members.get(name) for name in ("forward", "backward"))
    return any(isinstance(each, FunctionDef) and "classmethod" in each.decorator_names for each in methods)


__all__ = ["APPLY", "FUNCTION_CLASS", "SAVE", "apply", "has_class_methods", "save"]
