"""Classes and attributes: base classes in order, what objects hold, what `x.y` is and what storing it does."""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING, Final

from graphmend_lint.facts import torch_api
from graphmend_lint.facts.api_values import category_value
from graphmend_lint.facts.objects import Arguments, Instance, Super
from graphmend_lint.facts.scope import external
from graphmend_lint.facts.state import unknown_from
from graphmend_lint.facts.values import (
    CONSTANT,
    CONSTANT_VALUE,
    CONTAINER,
    FUNCTION,
    MISSING,
    MODULE,
    NDARRAY,
    NDARRAY_VALUE,
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
    container_of,
    join,
    join_optional,
)
from graphmend_lint.project import ClassDef, FunctionDef, Module

if TYPE_CHECKING:
    from graphmend_lint.facts.interpreter import Activation, Interpreter

SILENT: Final = 0  #: as in `interpreter`
MAX_INSTANCES: Final = 12  #: per class; then one stands for the rest
#: base classes outside the project whose subclasses are modules; torch.nn's own are known from its API data
MODULE_BASES: Final = frozenset({"torch.nn.Module", "torch.jit.ScriptModule", "torch.fx.GraphModule"})
MODULE_BASE_NAMES: Final = frozenset({"PreTrainedModel", "ModelMixin", "LightningModule", "GenerationMixin"})
MODULE_WEIGHTS: Final = frozenset(
    {"weight", "bias", "in_proj_weight", "in_proj_bias", "running_mean", "running_var", "num_batches_tracked"}
)
MODULE_METHODS: Final = {
    "parameters": container_of(TENSOR_VALUE),
    "buffers": container_of(TENSOR_VALUE),
    "state_dict": container_of(TENSOR_VALUE),
}
TENSOR_EVIDENCE: Final = frozenset({"shape", "ndim", "requires_grad", "is_cuda", "grad_fn", "itemsize"})
PROPERTIES: Final = frozenset({"property", "cached_property"})


class Classes:
    """Answers for classes and their objects."""

    def __init__(self, interpreter: Interpreter) -> None:
        self._run = interpreter
        self._orders: dict[ClassDef, tuple[ClassDef, ...]] = {}
        self._externals: dict[ClassDef, frozenset[str]] = {}
        self._version = 0  #: of everything that methods have stored
        self._instances: dict[ClassDef, dict[Arguments | None, Instance]] = {}

    # Classes

    def order(self, cls: ClassDef) -> tuple[ClassDef, ...]:
        """The class and its bases inside the project, nearest first."""
        known = self._orders.get(cls)
        if known is None:
            self._orders[cls], self._externals[cls] = (cls,), frozenset()
            found: dict[ClassDef, None] = {cls: None}
            outside: set[str] = set()
            for base in cls.node.bases:
                value = self._base(base, cls)
                if isinstance(value.target, ClassDef):
                    found |= dict.fromkeys(self.order(value.target))
                    outside |= self._externals[value.target]
                else:
                    outside.add(value.name or "?")
            known = self._orders[cls] = tuple(found)
            self._externals[cls] = frozenset(outside)
        return known

    def _base(self, node: ast.expr, cls: ClassDef) -> Value:
        top = self._run.top(cls.module)
        if cls.closure:
            top.state.names.update({k: v for k, v in cls.closure.items() if k != cls.node.name})
        value = self._run.eval(node.value if isinstance(node, ast.Subscript) else node, top)
        if isinstance(node, ast.Name) and node.id == cls.node.name and value.target is cls:
            return UNKNOWN_VALUE
        return value

    def externals(self, cls: ClassDef) -> frozenset[str]:
        """Names of the base classes outside the project; "?" for one that is not understood."""
        self.order(cls)
        return self._externals[cls]

    def is_module(self, cls: ClassDef) -> bool:
        """True if the class derives from nn.Module, inside the project or through a known library."""
        return any(_is_module_name(name) for name in self.externals(cls))

    def find(self, cls: ClassDef, name: str, after: ClassDef | None = None) -> FunctionDef | ast.expr | None:
        """The member `name`, looked up as Python does; behind `after` in the order, for `super()`."""
        order = self.order(cls)
        for base in order[order.index(after) + 1 :] if after in order else order:
            member = base.members.get(name)
            if member is not None:
                return member
        return None

    def behaves_like(self, cls: ClassDef, owner: ClassDef, name: str = "") -> bool:
        """True if a module class changes nothing that the methods of its base `owner` see: `name` aside, no method."""
        order = self.order(cls)
        if owner not in order or not self.is_module(owner):
            return False
        allowed = {"__init__", name}
        return not any(
            isinstance(member, FunctionDef) and key not in allowed
            for base in order[: order.index(owner)]
            for key, member in base.members.items()
        )

    # Objects

    def outside(self, cls: ClassDef) -> Value:
        """An object of the class that was made elsewhere."""
        return self._object(cls, None)

    def build(self, cls: ClassDef, arguments: Arguments) -> Value:
        """The object that a call of the class makes. Numbers make no difference between objects."""
        arguments = Arguments(
            tuple(map(_unnumbered, arguments.positional)),
            tuple((name, _unnumbered(value)) for name, value in arguments.keywords),
            arguments.open,
        )
        made = self._instances.setdefault(cls, {})
        if arguments not in made and (len(made) >= MAX_INSTANCES or self._settings_only(cls, arguments)):
            return self._object(cls, None)
        return self._object(cls, arguments)

    def _settings_only(self, cls: ClassDef, arguments: Arguments) -> bool:
        """True for a module whose arguments say nothing that an object made elsewhere would not have as well."""
        values = (*arguments.positional, *(value for _, value in arguments.keywords))
        plain = all(value.kinds & (UNKNOWN | OBJECT) or value == CONSTANT_VALUE for value in values)
        return bool(values) and plain and self.is_module(cls)

    def _object(self, cls: ClassDef, arguments: Arguments | None) -> Value:
        made = self._instances.setdefault(cls, {})
        instance = made.get(arguments)
        if instance is None:
            instance = made[arguments] = Instance(cls, arguments)
        return Value(MODULE if self.is_module(cls) else OBJECT, target=instance)

    def built(self, value: Value) -> Instance:
        """The object of a value, after its constructor has run."""
        instance: Instance = value.target
        if instance.state == "new":
            instance.state = "building"
            self._construct(value, instance)
            instance.state = "built"
        return instance

    def _construct(self, value: Value, instance: Instance) -> None:
        arguments = instance.arguments
        constructor = self.find(instance.cls, "__init__")
        top = self._run.top(instance.cls.module)
        if isinstance(constructor, FunctionDef):
            passed = self._outside_arguments(constructor) if arguments is None else arguments
            receiver = value._replace(kinds=value.kinds)
            bound = passed._replace(positional=(receiver, *passed.positional))
            self._run.call(constructor, bound, top, receiver)
            instance.attributes.update({k[1]: v for k, v in top.state.attributes.items() if k[0] is instance})
        else:
            self._fields(instance)

    def _outside_arguments(self, constructor: FunctionDef) -> Arguments:
        """Constructor arguments of an object made elsewhere: anything, but a flag that is off by default is dormant."""
        keywords = []
        signature = constructor.node.args
        parameters = [*signature.posonlyargs, *signature.args][1:]
        pairs = list(zip(reversed(parameters), reversed(signature.defaults), strict=False))
        pairs += [(p, d) for p, d in zip(signature.kwonlyargs, signature.kw_defaults, strict=True) if d is not None]
        for parameter, default in pairs:
            match default:
                case ast.Constant(value=False):
                    value = Value(CONSTANT, False, dormant=True)
                case ast.Constant(value=None) | ast.Name() | ast.Attribute() | ast.Call():
                    value = UNKNOWN_VALUE
                case ast.Constant():
                    value = CONSTANT_VALUE
                case _:
                    value = self._run.scope.default(default, constructor)._replace(const=MISSING)
            keywords.append((parameter.arg, value))
        return Arguments((), tuple(keywords), open=True)

    def _fields(self, instance: Instance) -> None:
        """Attributes of a dataclass, named tuple or similar: from the call, the defaults, the annotations."""
        fields = {name: node for cls in reversed(self.order(instance.cls)) for name, node in cls.fields.items()}
        arguments = instance.arguments or Arguments()
        passed = dict(zip(fields, arguments.positional, strict=False)) | dict(arguments.keywords)
        for name, node in fields.items():
            value = passed.get(name)
            if value is None or value.kinds == UNKNOWN:
                annotated = self._run.annotations.value(node.annotation, instance.cls.module)
                is_none = isinstance(node.value, ast.Constant) and node.value.value is None
                value = NONE_VALUE if value is None and is_none and instance.arguments is not None else annotated
            instance.attributes[name] = value

    def item(self, value: Value, index: Value) -> Value:
        """`x[i]` on an object: by its `__getitem__`, or by its fields in order."""
        method = self.find(value.target.cls, "__getitem__")
        if isinstance(method, FunctionDef) and not self.find(value.target.cls, "to_tuple"):
            return self._run.call(method, Arguments((value, index)), self._run.top(method.module), value)
        held = list(self.built(value).attributes.values())
        if isinstance(index.const, int) and -len(held) <= index.const < len(held):
            found = held[index.const]
            return found if not found.kinds & NONE else UNKNOWN_VALUE
        return value.element or UNKNOWN_VALUE

    # Attributes

    def attribute(self, value: Value, name: str, activation: Activation) -> Value:
        """`value.name`."""
        target = value.target
        if isinstance(target, Instance):
            return self._of_instance(value, name, activation)
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
        if value.name is not None and not value.kinds & ~(UNKNOWN | OBJECT | FUNCTION | MODULE):
            return self._of_external(value, name)
        return self._of_plain(value, name)

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
            if value.name == "torch.return_types" and name not in {"index", "count"}:
                return TENSOR_VALUE
            return Value(FUNCTION, name=f"container.{name}", receiver=value)
        if value.kinds & NDARRAY:
            return (
                CONSTANT_VALUE
                if name in {"shape", "dtype", "ndim", "size"}
                else Value(FUNCTION, name=f"numpy.ndarray.{name}", receiver=NDARRAY_VALUE)
            )
        if value.kinds & (CONSTANT | SYMINT | SCALAR) and not value.kinds & UNKNOWN:
            kept = value.kinds & (CONSTANT | SYMINT | SCALAR)
            return Value(kept if kept & SCALAR else CONSTANT, name=f"constant.{name}", receiver=value)
        if value.origin and name in TENSOR_EVIDENCE:
            self._run.calls.proves(value, "tensor")
            return category_value(torch_api.attribute(name) or "constant")
        if len(value.origin) == 1:
            self._run.evidence.setdefault(next(iter(value.origin)), set()).add(f".{name}")
        return (
            unknown_from(value)
            if not value.origin
            else Value(UNKNOWN, origin=frozenset(f"{origin}.{name}" for origin in value.origin))
        )

    def _of_class(self, value: Value, cls: ClassDef, name: str) -> Value:
        member = self.find(cls, name)
        if isinstance(member, FunctionDef):
            return self._bound(member, value, cls)
        if member is not None:
            return self._class_attribute(member, cls)
        return CONSTANT_VALUE if name.startswith("__") else UNKNOWN_VALUE

    def _class_attribute(self, node: ast.expr, cls: ClassDef) -> Value:
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
        member = self.find(cls, name)
        return isinstance(member, FunctionDef) and bool(member.decorator_names & PROPERTIES)

    def _member(self, value: Value, name: str, activation: Activation, after: ClassDef | None) -> Value:
        if not isinstance(value.target, Instance):
            return UNKNOWN_VALUE
        cls = value.target.cls
        if after is None and (held := self._held(value, name)) is not None:
            return held
        member = self.find(cls, name, after)
        if isinstance(member, FunctionDef):
            if after is not None and member.owner is not None and self.behaves_like(cls, member.owner, name):
                value = self.outside(member.owner)
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
        return function._replace(receiver=receiver)

    def _held(self, value: Value, name: str) -> Value | None:
        """An attribute of the object itself: after its constructor, joined with what methods store later."""
        instance = self.built(value)
        held = join_optional(instance.attributes.get(name), instance.stored.get(name))
        if instance.state == "built":
            for cls in self.order(instance.cls):
                methods = cls.stores.get(name, set()) - {"__init__"}
                if methods:
                    held = join_optional(held, self._stored_by(cls, methods, name))
        return held

    def _stored_by(self, cls: ClassDef, methods: set[str], name: str) -> Value | None:
        """What methods of a class store under a name; run once, for an object made elsewhere."""
        value = self.outside(cls)
        instance = self.built(value)
        for method in methods - instance.examined:
            instance.examined.add(method)
            member = cls.members[method]
            if isinstance(member, FunctionDef):
                self._run.call(member, Arguments((value,), open=True), self._run.top(member.module), value)
        return instance.stored.get(name)

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
        known = self.externals(cls) - {"?", "builtins.object"}
        if len(known) == 1 and value.kinds == OBJECT:
            return Value(FUNCTION, name=f"{next(iter(known))}.{name}", receiver=value)
        return UNKNOWN_VALUE

    def store(self, value: Value, name: str, stored: Value, activation: Activation) -> None:
        """`value.name = stored`."""
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


_MODULE_API: Final = frozenset(
    "parameters named_parameters buffers named_buffers modules named_modules children named_children state_dict "
    "eval train to cuda cpu half float double apply register_buffer register_parameter add_module register_module "
    "requires_grad_ zero_grad register_forward_hook register_forward_pre_hook register_full_backward_hook "
    "get_submodule get_parameter get_buffer compile load_state_dict type".split()
)


def _unnumbered(value: Value) -> Value:
    if value.kinds == CONSTANT and type(value.const) in {int, float}:
        return CONSTANT_VALUE
    return UNKNOWN_VALUE if value.kinds == UNKNOWN and not value.origin else value


def settled(value: Value) -> Value:
    """A value stored by code outside regions: a number that it read from a tensor is just a number."""
    element = value.element
    if element is not None and element.kinds & SCALAR:
        value = (
            container_of(settled(element))
            if value.items is None
            else value._replace(items=tuple(map(settled, value.items)), element=settled(element))
        )
    return value._replace(kinds=value.kinds & ~SCALAR | CONSTANT) if value.kinds & SCALAR else value


def _is_module_name(name: str) -> bool:
    if name in MODULE_BASES or name.rpartition(".")[2] in MODULE_BASE_NAMES:
        return True
    return name.startswith("torch.nn.") and torch_api.module(name) is not None
