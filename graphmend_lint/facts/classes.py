"""Classes and attributes: base classes in order, what objects hold, what `x.y` is and what storing it does."""

from __future__ import annotations

import ast
import re
import sys
from typing import TYPE_CHECKING, Final

from graphmend_lint.facts import torch_api
from graphmend_lint.facts.objects import Arguments, Instance
from graphmend_lint.facts.values import (
    CONSTANT,
    CONSTANT_VALUE,
    MISSING,
    MODULE,
    NONE,
    NONE_VALUE,
    OBJECT,
    UNKNOWN,
    UNKNOWN_VALUE,
    Value,
)
from graphmend_lint.project import ClassDef, FunctionDef, Module
from graphmend_lint.syntax import defaults

if TYPE_CHECKING:
    from graphmend_lint.facts.interpreter import Interpreter

MAX_INSTANCES: Final = 12  #: per class; then one stands for the rest
#: base classes outside the project whose subclasses are modules; torch.nn's own are known from its API data
MODULE_BASES: Final = frozenset({"torch.nn.Module", "torch.jit.ScriptModule", "torch.fx.GraphModule"}) | {
    f"torch.nn.modules.{name}"
    for name in """
    batchnorm._NormBase batchnorm._BatchNorm batchnorm._LazyNormBase instancenorm._InstanceNorm conv._ConvNd
    conv._ConvTransposeNd dropout._DropoutNd linear.NonDynamicallyQuantizableLinear loss._Loss loss._WeightedLoss
    pooling._MaxPoolNd pooling._AvgPoolNd pooling._AdaptiveMaxPoolNd pooling._AdaptiveAvgPoolNd pooling._LPPoolNd
    padding._ConstantPadNd padding._ReflectionPadNd padding._ReplicationPadNd
    """.split()
}
MODULE_BASE_NAMES: Final = frozenset({"PreTrainedModel", "ModelMixin", "LightningModule", "MessagePassing"})
#: what constructors of modules do, and few others
HOLDS_MODULES: Final = (
    r"self\.\w+\s*(:[^=\n]+)?=\s*(torch\.)?nn\.[A-Z]|self\.(apply|register_buffer|register_parameter|add_module)\("
)


class Classes:
    """Answers for classes and their objects."""

    def __init__(self, interpreter: Interpreter) -> None:
        self._run = interpreter
        self._orders: dict[ClassDef, tuple[ClassDef, ...]] = {}
        self._externals: dict[ClassDef, frozenset[str]] = {}
        self._modules: dict[ClassDef, bool] = {}
        self._instances: dict[Module, dict[ClassDef, dict[Arguments | None, Instance]]] = {}

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

    def close(self, module: Module) -> None:
        """Forget the objects of a module's classes."""
        self._instances.pop(module, None)

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
        """True if the class derives from nn.Module: inside the project, through a known library, or evidently."""
        known = self._modules.get(cls)
        if known is None:
            known = any(map(is_module_name, self.externals(cls))) or any(map(self._is_evident, self.order(cls)))
            self._modules[cls] = known
        return known

    def _is_evident(self, cls: ClassDef) -> bool:
        """True for a class whose base is not at hand, but whose own text shows that it is used as a module."""
        constructor = cls.members.get("__init__") if "forward" in cls.members else None
        if not isinstance(constructor, FunctionDef) or not cls.module.source.imports_torch:
            return False
        if not re.search(HOLDS_MODULES, constructor.text):
            return False
        outside = [self._base(base, cls) for base in cls.node.bases]
        return any(base.target is None and is_foreign(base.name or "?") for base in outside)

    def find(self, cls: ClassDef, name: str, after: ClassDef | None = None) -> FunctionDef | ClassDef | ast.expr | None:
        """The member `name`, looked up as Python does; for `super()`, only in the classes that come behind `after`."""
        order = self.order(cls)
        for base in order[order.index(after) + 1 :] if after in order else order:
            member = base.members.get(name)
            if member is not None:
                return member
        return None

    def behaves_like(self, cls: ClassDef, owner: ClassDef, name: str = "") -> bool:
        """True if a module class overrides no method between itself and its base `owner`, except perhaps `name`.

        The methods of `owner` then do the same for both.
        """
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
        """An object of the class that was made outside the region, with arguments that are not known."""
        return self._object(cls, None)

    def build(self, cls: ClassDef, arguments: Arguments) -> Value:
        """The object that a call of the class makes. Objects that differ only in numbers are taken for one."""
        arguments = Arguments(
            tuple(map(_unnumbered, arguments.positional)),
            tuple((name, _unnumbered(value)) for name, value in arguments.keywords),
            arguments.open,
        )
        made = self._made(cls)
        if arguments not in made and (len(made) >= MAX_INSTANCES or self._settings_only(cls, arguments)):
            return self._object(cls, None)
        return self._object(cls, arguments)

    def _made(self, cls: ClassDef) -> dict[Arguments | None, Instance]:
        return self._instances.setdefault(cls.module, {}).setdefault(cls, {})

    def _settings_only(self, cls: ClassDef, arguments: Arguments) -> bool:
        """True for a module whose arguments tell no more than is known of one made outside the region."""
        values = (*arguments.positional, *(value for _, value in arguments.keywords))
        plain = all(value.kinds & (UNKNOWN | OBJECT) or value._replace(traits=0) == CONSTANT_VALUE for value in values)
        return bool(values) and plain and self.is_module(cls)

    def _object(self, cls: ClassDef, arguments: Arguments | None) -> Value:
        made = self._made(cls)
        instance = made.get(arguments)
        if instance is None:
            instance = made[arguments] = Instance(cls, arguments, self.order(cls))
        return Value(MODULE if self.is_module(cls) else OBJECT, target=instance)

    def built(self, value: Value) -> Instance:
        """The object that a value stands for; its constructor is run on the first question."""
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
        """What the constructor of an object made outside the region may have been given: anything.

        A flag that is False by default is taken to be dormant.
        """
        keywords = []
        for name, default in defaults(constructor.node.args).items():
            match default:
                case ast.Constant(value=False):
                    value = Value(CONSTANT, False, dormant=True)
                case ast.Constant(value=None) | ast.Name() | ast.Attribute() | ast.Call():
                    value = UNKNOWN_VALUE
                case ast.Constant():
                    value = CONSTANT_VALUE
                case _:
                    value = self._run.scope.default(default, constructor)._replace(const=MISSING)
            keywords.append((name, value))
        return Arguments((), tuple(keywords), open=True)

    def _fields(self, instance: Instance) -> None:
        """Set the attributes of a dataclass, named tuple or the like from the call, the defaults and annotations."""
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


def _unnumbered(value: Value) -> Value:
    if value.kinds == CONSTANT and type(value.const) in {int, float}:
        return CONSTANT_VALUE
    return UNKNOWN_VALUE if value.kinds == UNKNOWN and not value.origin else value


def is_module_name(name: str) -> bool:
    """True for a class outside the project that derives from nn.Module, by its qualified name."""
    if name in MODULE_BASES or name.rpartition(".")[2] in MODULE_BASE_NAMES:
        return True
    return name.startswith("torch.nn.") and torch_api.module(name) is not None


def is_foreign(name: str) -> bool:
    """True for a class that neither Python nor torch brings, by its qualified name; "?" is one that is not found."""
    root = name.partition(".")[0]
    return root not in {"torch", "builtins"} and root not in sys.stdlib_module_names
