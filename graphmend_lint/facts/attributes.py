"""What `x.y` is, for every kind of `x`, and what storing it does."""

from __future__ import annotations

import ast
import re
from typing import TYPE_CHECKING, Final

from graphmend_lint.facts import autograd, torch_api
from graphmend_lint.facts.api_values import RETURNED, category_value
from graphmend_lint.facts.objects import Arguments, Instance, Super
from graphmend_lint.facts.scope import external
from graphmend_lint.facts.state import SILENT, unknown_from
from graphmend_lint.facts.values import (
    CHOICE,
    CONSTANT,
    CONSTANT_VALUE,
    CONTAINER,
    FUNCTION,
    KNOWN,
    MAX_CHOICE,
    MISSING,
    MODULE,
    NDARRAY,
    NDARRAY_VALUE,
    NONE,
    OBJECT,
    PATTERN,
    SCALAR,
    SYMINT,
    TENSOR,
    TENSOR_VALUE,
    UNKNOWN,
    UNKNOWN_VALUE,
    ZERO_DIM,
    Value,
    container_of,
    join,
    join_all,
    join_optional,
    part_of,
)
from graphmend_lint.project import ClassDef, FunctionDef, Module

if TYPE_CHECKING:
    from graphmend_lint.facts.interpreter import Activation, Interpreter

MODULE_WEIGHTS: Final = frozenset(
    {"weight", "bias", "in_proj_weight", "in_proj_bias", "running_mean", "running_var", "num_batches_tracked"}
)
TENSOR_EVIDENCE: Final = frozenset({"shape", "ndim", "requires_grad", "is_cuda", "grad_fn", "itemsize"})
PROPERTIES: Final = frozenset({"property", "cached_property"})
#: methods that nothing but modules has
MODULE_ONLY: Final = frozenset({"register_forward_hook", "register_forward_pre_hook"})
MIN_NAMED: Final = 3  #: letters that names made by one text have in common, so that they say something
_MODULE_API: Final = frozenset(
    "parameters named_parameters buffers named_buffers modules named_modules children named_children state_dict "
    "eval train to cuda cpu half float double apply register_buffer register_parameter add_module register_module "
    "requires_grad_ zero_grad register_forward_hook register_forward_pre_hook register_full_backward_hook "
    "get_submodule get_parameter get_buffer compile load_state_dict type".split()
)

PLAIN_HOLDERS: Final = frozenset(f"torch.nn.{name}" for name in ("Identity", "ModuleDict", "ModuleList", "Sequential"))
HOLDER_API: Final = frozenset("append clear extend forward insert items keys pop training update values".split())


class Attributes:
    """Looks attributes up as Python does, and remembers what is stored."""

    def __init__(self, interpreter: Interpreter) -> None:
        self._run = interpreter
        self._version = 0  #: of everything that methods have stored

    def attribute(self, value: Value, name: str, activation: Activation) -> Value:
        """`value.name`."""
        target = value.target
        if isinstance(target, Instance):
            return self._of_instance(value, name, activation)
        if value.name == CHOICE and value.items:
            having = [each for each in value.items if self._may_have(each, name)] or value.items
            return join_all([self.attribute(each, name, activation) for each in having])
        if isinstance(target, Super):
            return self._member(target.receiver, name, activation, target.cls)
        if isinstance(target, Module):
            return self._run.scope.member(target, name)
        if isinstance(target, ClassDef):
            return self._of_class(value, target, name)
        if isinstance(target, FunctionDef):
            return CONSTANT_VALUE if name.startswith("__") else UNKNOWN_VALUE
        if value.kinds & TENSOR:
            return self._of_tensor(value, name)
        if value.name is not None and not value.kinds & ~(UNKNOWN | OBJECT | FUNCTION | MODULE | NONE):
            return self._of_external(value, name)
        return self._of_plain(value, name)

    def _may_have(self, value: Value, name: str) -> bool:
        """False for an object on which this attribute would be an error: its classes are known, and none has it."""
        if value.name in PLAIN_HOLDERS:
            return name in _MODULE_API or name in HOLDER_API
        if not isinstance(value.target, Instance):
            return True
        cls = value.target.cls
        if self._run.classes.externals(cls) - {"torch.nn.Module", "builtins.object"} or name in _MODULE_API:
            return True
        found = (self._run.classes.find(cls, each) for each in (name, "__getattr__", "__getattribute__"))
        return any(each is not None for each in found) or self._held(value, name) is not None

    def _of_tensor(self, value: Value, name: str) -> Value:
        category = torch_api.attribute(name)
        if category is not None:
            return category_value(category)
        if torch_api.method(name) is not None:
            return Value(FUNCTION, name=f"torch.Tensor.{name}", receiver=value)
        return UNKNOWN_VALUE

    @staticmethod
    def _of_external(value: Value, name: str) -> Value:
        if value.kinds & MODULE:
            if name in MODULE_WEIGHTS:
                return TENSOR_VALUE
            if name == "training":
                return CONSTANT_VALUE
            return Value(FUNCTION, name=f"{value.name}.{name}", receiver=value)
        return external(f"{value.name}.{name}")

    def _of_plain(self, value: Value, name: str) -> Value:
        if value.kinds & CONTAINER and not value.kinds & UNKNOWN:
            if value.name == RETURNED and name not in {"index", "count"}:
                return TENSOR_VALUE
            return Value(FUNCTION, name=f"container.{name}", receiver=value)
        if value.kinds & NDARRAY:
            return (
                CONSTANT_VALUE
                if name in {"shape", "dtype", "ndim", "size"}
                else Value(FUNCTION, name=f"numpy.ndarray.{name}", receiver=value if value.traits else NDARRAY_VALUE)
            )
        if value.kinds & (CONSTANT | SYMINT | SCALAR) and not value.kinds & UNKNOWN:
            kept = value.kinds & (CONSTANT | SYMINT | SCALAR)
            return Value(kept if kept & SCALAR else CONSTANT, name=f"constant.{name}", receiver=value)
        if name in MODULE_ONLY:
            return Value(FUNCTION, name=f"torch.nn.Module.{name}", receiver=value)
        if value.origin and name in TENSOR_EVIDENCE:
            self._run.calls.proves(value, "tensor")
            return category_value(torch_api.attribute(name) or "constant")
        if len(value.origin) == 1:
            self._run.evidence.setdefault(next(iter(value.origin)), set()).add(f".{name}")
        return part_of(value, f".{name}") if value.origin else unknown_from(value)

    def _of_class(self, value: Value, cls: ClassDef, name: str) -> Value:
        member = self._run.classes.find(cls, name)
        if isinstance(member, FunctionDef):
            return self._bound(member, value, cls)
        if member is not None:
            return self._class_attribute(member, cls)
        if name == "apply" and autograd.FUNCTION_CLASS in self._run.classes.externals(cls):
            return Value(FUNCTION, target=cls, name=autograd.APPLY)
        return CONSTANT_VALUE if name.startswith("__") else UNKNOWN_VALUE

    def _class_attribute(self, node: ClassDef | ast.expr, cls: ClassDef) -> Value:
        if isinstance(node, ClassDef):
            return Value(FUNCTION, target=node)
        top = self._run.top(cls.module)
        top.state.names.update(cls.closure)
        value = self._run.eval(node, top)
        if isinstance(node, ast.Constant) and node.value is False:
            return value._replace(dormant=True)
        return value._replace(const=MISSING) if isinstance(value.const, int | float) else value

    def _of_instance(self, value: Value, name: str, activation: Activation) -> Value:
        instance: Instance = value.target
        stored = activation.state.attributes.get((instance, name))
        if stored is not None:
            return stored
        known = instance.known.get(name)
        if known is not None and known[0] == self._version:
            return known[1]
        found = self._member(value, name, activation, None)
        if instance.state == "built" and not self._is_property(instance.cls, name):
            instance.known[name] = (self._version, found)
        return found

    def _is_property(self, cls: ClassDef, name: str) -> bool:
        member = self._run.classes.find(cls, name)
        return isinstance(member, FunctionDef) and bool(member.decorator_names & PROPERTIES)

    def _member(self, value: Value, name: str, activation: Activation, after: ClassDef | None) -> Value:
        if not isinstance(value.target, Instance):
            return UNKNOWN_VALUE
        cls = value.target.cls
        if after is None and (held := self._held(value, name)) is not None:
            return held
        member = self._run.classes.find(cls, name, after)
        if isinstance(member, FunctionDef):
            if (
                after is not None
                and member.owner is not None
                and self._run.classes.behaves_like(cls, member.owner, name)
            ):
                value = self._run.classes.outside(member.owner)
            return self._method(member, value, activation)
        if member is not None:
            return self._class_attribute(member, cls)
        return self._inherited(value, cls, name)

    def _method(self, member: FunctionDef, value: Value, activation: Activation) -> Value:
        if member.decorator_names & PROPERTIES:
            return self._run.call(member, Arguments((value,)), activation, value)
        return self._bound(member, value, value.target.cls)

    def _bound(self, member: FunctionDef, value: Value, cls: ClassDef) -> Value:
        names = member.decorator_names
        function = self._run.calls.decorated(member)
        if "staticmethod" in names or (isinstance(value.target, ClassDef) and "classmethod" not in names):
            return function
        receiver = Value(FUNCTION, target=cls) if "classmethod" in names else value
        return Value(
            function.kinds, name=function.name, target=function.target, receiver=receiver, items=function.items
        )

    def _held(self, value: Value, name: str) -> Value | None:
        """An attribute of the object itself: what its constructor stores, joined with what methods store later."""
        instance = self._run.classes.built(value)
        held = join_optional(instance.attributes.get(name), instance.stored.get(name))
        if instance.state == "built":
            for cls in self._run.classes.order(instance.cls):
                methods = cls.stores.get(name, set()) - {"__init__"}
                if methods:
                    held = join_optional(held, self._stored_by(cls, methods, name))
        return held

    def _stored_by(self, cls: ClassDef, methods: set[str], name: str) -> Value | None:
        """What these methods of a class store under a name. Each is run once, on an object made outside the region."""
        value = self._run.classes.outside(cls)
        instance = self._run.classes.built(value)
        traced = {"forward"} if value.kinds & MODULE else set()  #: its stores are seen when it is entered
        for method in methods - instance.examined - traced:
            instance.examined.add(method)
            member = cls.members[method]
            if isinstance(member, FunctionDef):
                self._run.call(member, Arguments((value,), open=True), self._run.top(member.module), value)
        return instance.stored.get(name)

    def alike(self, value: Value, name: str, activation: Activation) -> Value:
        """`getattr(self, f"{kind}_loss")`: any of the methods whose names fit the pattern."""
        text = name.removeprefix(PATTERN)
        if not isinstance(value.target, Instance) or len(text.replace("{}", "")) < MIN_NAMED:
            return UNKNOWN_VALUE
        written = re.compile(r"\w+".join(map(re.escape, text.split("{}"))))
        members = [pair for cls in self._run.classes.order(value.target.cls) for pair in cls.members.items()]
        names = {each: None for each, member in members if isinstance(member, FunctionDef) and written.fullmatch(each)}
        if not 0 < len(names) <= MAX_CHOICE:
            return UNKNOWN_VALUE
        return join_all([self.attribute(value, each, activation) for each in names])

    def _inherited(self, value: Value, cls: ClassDef, name: str) -> Value:
        if value.kinds & MODULE:
            if name == "training":
                return CONSTANT_VALUE
            return (
                Value(FUNCTION, name=f"torch.nn.Module.{name}", receiver=value)
                if name in _MODULE_API
                else (UNKNOWN_VALUE)
            )
        if name in {"__class__", "__dict__", "__doc__", "__name__"}:
            return CONSTANT_VALUE
        known = self._run.classes.externals(cls) - {"?", "builtins.object"}
        if len(known) == 1 and value.kinds == OBJECT:
            return Value(FUNCTION, name=f"{next(iter(known))}.{name}", receiver=value)
        return UNKNOWN_VALUE

    def store(self, value: Value, name: str, stored: Value, activation: Activation) -> None:
        """`value.name = stored`."""
        if value.name == CHOICE:
            for each in value.items or ():
                self.store(each, name, join(self.attribute(each, name, activation), stored), activation)
            return
        instance = value.target
        if not isinstance(instance, Instance):
            return
        if activation.mode == SILENT:
            stored = settled(stored)
        activation.state.attributes[(instance, name)] = stored
        if instance.state != "building":
            old = instance.stored.get(name)
            new = stored if old is None else join(old, stored)
            if new != old:
                instance.stored[name] = new
                self._version += 1


def settled(value: Value) -> Value:
    """A stored value as the region finds it, where code outside the region stored it.

    A number that was read from a tensor is a constant by then. What a tensor was made of is forgotten, since Dynamo
    only meets the tensor.
    """
    if value.kinds == NDARRAY:
        return value._replace(traits=value.traits | KNOWN) if value.traits & ZERO_DIM else value
    if value.traits & KNOWN:
        value = value._replace(traits=value.traits & ~KNOWN)
    element = value.element
    if element is not None and element.kinds & SCALAR:
        value = (
            container_of(settled(element))
            if value.items is None
            else value._replace(items=tuple(map(settled, value.items)), element=settled(element))
        )
    return value._replace(kinds=value.kinds & ~SCALAR | CONSTANT) if value.kinds & SCALAR else value
