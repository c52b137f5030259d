"""Calls of Python's builtins, containers' methods, and libraries that models use beside torch."""

from __future__ import annotations

import ast
import re
from collections.abc import Callable
from typing import TYPE_CHECKING, Final

from graphmend_lint.facts import narrow
from graphmend_lint.facts.library_calls import PACKS, is_python_number, iterated, numpy_call, packed, whole_number
from graphmend_lint.facts.objects import Arguments, Instance, Super
from graphmend_lint.facts.ordering import ask_key
from graphmend_lint.facts.scope import made
from graphmend_lint.facts.sites import Compiled, asks_whole
from graphmend_lint.facts.state import unknown_from
from graphmend_lint.facts.statements import with_item
from graphmend_lint.facts.values import (
    ANY_CLASS,
    BOOL,
    CONSTANT,
    CONSTANT_VALUE,
    CONTAINER,
    CONTAINER_VALUE,
    DATA,
    IS_COMPILING,
    MISSING,
    MODULE,
    NONE_VALUE,
    OBJECT,
    PATTERN,
    SCALAR,
    SCALAR_VALUE,
    SYMBOLIC_VALUE,
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

Handler = Callable[[Arguments, "Activation"], Value]

#: functions of other libraries that give back what they are given first
LIKE_FIRST: Final = frozenset({"einops.rearrange", "einops.reduce", "einops.repeat", "copy.copy"})
CASTS: Final = frozenset({"typing.cast", "typing_extensions.cast"})
LIKE_FIRST_NAMES: Final = frozenset({"deepcopy"})
#: Python's own random numbers become symbolic: a branch on one breaks like a branch on a tensor's number
RANDOM_NUMBERS: Final = frozenset(
    f"{owner}.{name}"
    for owner in ("random", "random.Random()")
    for name in ("random", "uniform", "randint", "randrange", "gauss")
)
#: libraries whose functions compute a tensor from the tensors among their arguments
TENSOR_LIBRARIES: Final = frozenset({"einx", "opt_einsum"})
ANSWERS: Final = frozenset("less less_equal greater greater_equal equal not_equal logical_and logical_or".split())
ERRORS: Final = ("Error", "Exception", "Warning")
COLLECTIONS: Final = frozenset({"collections.OrderedDict", "collections.defaultdict", "collections.deque"})
LOGGER_FACTORIES: Final = frozenset({"getLogger", "get_logger"})
READERS: Final = frozenset("get pop popleft popitem setdefault __getitem__".split())
FIELD: Final = r"\{[^{}]*\}"  #: in a format
GROWERS: Final = frozenset("append add insert appendleft extend update".split())


class BuiltinCalls:
    """Evaluates calls of things outside torch and outside the project, by qualified name."""

    def __init__(self, interpreter: Interpreter) -> None:
        self._run = interpreter
        self._builtins: dict[str, Handler] = {
            "abs": self._same,
            "all": self._any,
            "any": self._any,
            "bool": self._number,
            "dict": self._dict,
            "divmod": self._pair,
            "enumerate": self._enumerate,
            "filter": self._filter,
            "float": self._number,
            "getattr": self._getattr,
            "hasattr": self._constant,
            "int": self._number,
            "isinstance": self._isinstance,
            "iter": self._same,
            "len": self._len,
            "list": self._list,
            "map": self._map,
            "max": self._extreme,
            "min": self._extreme,
            "next": self._next,
            "pow": self._same,
            "print": self._none,
            "range": self._range,
            "reversed": self._list,
            "round": self._number,
            "set": self._list,
            "setattr": self._setattr,
            "sorted": self._list,
            "sum": self._sum,
            "super": self._super,
            "tuple": self._list,
            "zip": self._zip,
        }

    def apply(self, function: Value, name: str, arguments: Arguments, activation: Activation, node: ast.Call) -> Value:
        """The value of calling something outside the project by its qualified name."""
        owner, _, last = name.rpartition(".")
        if owner == "builtins":
            ask_key(self._run, arguments, activation)
            handler = self._builtins.get(last)
            return handler(arguments, activation) if handler else self._other_builtin(last, arguments)
        if owner == "container":
            return self._container_method(function.receiver or CONTAINER_VALUE, last, arguments, activation, node)
        if owner == "constant":
            receiver = function.receiver or CONSTANT_VALUE
            if last == "format" and isinstance(receiver.const, str):
                return Value(CONSTANT, name=PATTERN + re.sub(FIELD, "{}", receiver.const))
            whole = whole_number(receiver, last, arguments)
            return whole or (SCALAR_VALUE if receiver.kinds & SCALAR else CONSTANT_VALUE)
        if owner.partition(".")[0] == "numpy":
            return numpy_call(function, last, arguments, activation)
        if name in CASTS:
            return self._cast(arguments, activation, node)
        return self._library(name, owner, last, arguments)

    def _cast(self, arguments: Arguments, activation: Activation, node: ast.Call) -> Value:
        """`typing.cast(T, value)`: the value; if that is unknown, what an annotation `T` says."""
        value = arguments.positional[1] if len(arguments.positional) > 1 else UNKNOWN_VALUE
        known = not value.kinds & UNKNOWN or not node.args
        return value if known else self._run.annotations.value(node.args[0], activation.module, otherwise=value)

    def _library(self, name: str, owner: str, last: str, arguments: Arguments) -> Value:
        first = arguments.positional[0] if arguments.positional else None
        if last in LOGGER_FACTORIES:
            return Value(OBJECT, name="logging.Logger")
        if owner == "logging.Logger":
            return CONSTANT_VALUE if last == "isEnabledFor" else NONE_VALUE
        if name in LIKE_FIRST or last in LIKE_FIRST_NAMES:
            return first._replace(const=MISSING) if first is not None else UNKNOWN_VALUE
        if name in PACKS:
            return packed(last, first)
        if owner in TENSOR_LIBRARIES and any(value.kinds & TENSOR for value in arguments.positional):
            return Value(TENSOR, traits=BOOL) if last in ANSWERS else TENSOR_VALUE
        if owner == "itertools" and not arguments.open:
            found = iterated(last, arguments.positional, self._run.expressions.element)
            if found is not None:
                return found
        if name in RANDOM_NUMBERS:
            return SYMBOLIC_VALUE
        if owner == "math":
            return SCALAR_VALUE if any(a.kinds & DATA for a in arguments.positional) else self._number(arguments, None)
        if name in {"os.environ.get", "os.getenv"}:
            default = arguments.positional[1] if len(arguments.positional) > 1 else NONE_VALUE
            return default._replace(dormant=True) if default.const in {None, "", "0", False} else CONSTANT_VALUE
        if name in COLLECTIONS:
            return container_of(self._run.expressions.element(first) if first and first.kinds & CONTAINER else None)
        return made(name, unknown_from(*arguments.positional), arguments)

    # Builtins

    def _other_builtin(self, name: str, arguments: Arguments) -> Value:
        if name in {"str", "repr", "format", "type", "id", "hash", "callable", "issubclass", "ord", "chr"}:
            return CONSTANT_VALUE
        if name in {"frozenset", "slice"}:
            return CONTAINER_VALUE
        return Value(OBJECT) if name.endswith(ERRORS) else unknown_from(*arguments.positional)

    @staticmethod
    def _none(arguments: Arguments, activation: Activation) -> Value:
        return NONE_VALUE

    @staticmethod
    def _constant(arguments: Arguments, activation: Activation) -> Value:
        return CONSTANT_VALUE

    @staticmethod
    def _same(arguments: Arguments, activation: Activation) -> Value:
        return arguments.positional[0]._replace(const=MISSING) if arguments.positional else UNKNOWN_VALUE

    @staticmethod
    def _number(arguments: Arguments, activation: Activation | None) -> Value:
        """int(), float(), bool(), round(): a tensor's number, or a size, or a constant."""
        value = arguments.positional[0] if arguments.positional else CONSTANT_VALUE
        if value.kinds & UNKNOWN:
            return unknown_from(value)
        if value.kinds & DATA:
            return CONSTANT_VALUE if is_python_number(value) else SCALAR_VALUE
        if value.name == IS_COMPILING:
            return value
        return SYMINT_VALUE if value.kinds & SYMINT else CONSTANT_VALUE

    def _any(self, arguments: Arguments, activation: Activation) -> Value:
        """any(), all(): test the truth of each element."""
        value = arguments.positional[0] if arguments.positional else UNKNOWN_VALUE
        element = self._run.expressions.element(value)
        if element.kinds & DATA and not element.kinds & UNKNOWN:
            return SCALAR_VALUE
        return CONSTANT_VALUE if is_static(element) else unknown_from(element)

    def _len(self, arguments: Arguments, activation: Activation) -> Value:
        value = arguments.positional[0] if arguments.positional else UNKNOWN_VALUE
        if value.kinds & TENSOR:
            return SYMINT_VALUE
        if value.items is not None:
            return constant(len(value.items))
        return CONSTANT_VALUE

    def _range(self, arguments: Arguments, activation: Activation) -> Value:
        kinds = 0
        for value in arguments.positional:
            kinds |= value.kinds
        if kinds & DATA:
            return Value(CONTAINER, name="range.data", element=SCALAR_VALUE)
        if kinds & UNKNOWN:
            return container_of(UNKNOWN_VALUE)
        return container_of(SYMINT_VALUE if kinds & SYMINT else CONSTANT_VALUE)

    def _list(self, arguments: Arguments, activation: Activation) -> Value:
        if not arguments.positional:
            return container(())
        value = arguments.positional[0]
        plain = value.kinds == CONTAINER and value.keys is None
        return value if plain else container_of(self._run.expressions.element(value))

    def _dict(self, arguments: Arguments, activation: Activation) -> Value:
        if arguments.positional and arguments.positional[0].kinds & CONTAINER:
            return arguments.positional[0]
        if arguments.open or arguments.positional:
            return container_of(UNKNOWN_VALUE)
        made = container(tuple(v for _, v in arguments.keywords), tuple(k for k, _ in arguments.keywords))
        return made._replace(name="builtins.dict")

    def _pair(self, arguments: Arguments, activation: Activation) -> Value:
        value = self._number(arguments, activation)
        return container((value, value))

    def _enumerate(self, arguments: Arguments, activation: Activation) -> Value:
        value = arguments.positional[0] if arguments.positional else UNKNOWN_VALUE
        return container_of(container((CONSTANT_VALUE, self._run.expressions.element(value))))

    def _zip(self, arguments: Arguments, activation: Activation) -> Value:
        if arguments.open:
            return container_of(UNKNOWN_VALUE)
        return container_of(container(tuple(map(self._run.expressions.element, arguments.positional))))

    def _map(self, arguments: Arguments, activation: Activation) -> Value:
        if len(arguments.positional) < 2:
            return CONTAINER_VALUE
        function, *iterables = arguments.positional
        passed = Arguments(tuple(map(self._run.expressions.element, iterables)))
        return container_of(self._run.calls.apply(function, passed, activation))

    def _filter(self, arguments: Arguments, activation: Activation) -> Value:
        if len(arguments.positional) < 2:
            return CONTAINER_VALUE
        function, iterable = arguments.positional[:2]
        element = self._run.expressions.element(iterable)
        self._run.calls.apply(function, Arguments((element,)), activation)
        return container_of(element)

    def _next(self, arguments: Arguments, activation: Activation) -> Value:
        value = self._run.expressions.element(arguments.positional[0]) if arguments.positional else UNKNOWN_VALUE
        return join(value, arguments.positional[1]) if len(arguments.positional) > 1 else value

    def _sum(self, arguments: Arguments, activation: Activation) -> Value:
        element = self._run.expressions.element(arguments.positional[0] if arguments.positional else UNKNOWN_VALUE)
        return TENSOR_VALUE if element.kinds & TENSOR else element._replace(const=MISSING)

    def _extreme(self, arguments: Arguments, activation: Activation) -> Value:
        values = arguments.positional
        if len(values) == 1:
            values = (self._run.expressions.element(values[0]),)
        if not values:
            return UNKNOWN_VALUE
        if any(value.kinds & TENSOR for value in values):
            return TENSOR_VALUE
        result = join_all(values)._replace(const=MISSING)
        return SCALAR_VALUE if result.kinds & SCALAR and not result.kinds & UNKNOWN else result

    def _isinstance(self, arguments: Arguments, activation: Activation) -> Value:
        given = arguments.positional
        return narrow.is_instance(self._run, *given) if len(given) == 2 else CONSTANT_VALUE

    def _getattr(self, arguments: Arguments, activation: Activation) -> Value:
        match arguments.positional[:2]:
            case (value, Value(const=str(name))):
                found = self._run.attributes.attribute(value, name, activation)
                known = len(arguments.positional) < 3 or found.kinds != UNKNOWN or found.name is not None
                return found if known else UNKNOWN_VALUE
            case (Value(name="torch.nn"), _):
                return Value(UNKNOWN, name=ANY_CLASS)
            case (value, Value(name=str(name))) if name.startswith(PATTERN):
                found = self._run.attributes.attribute(value, name, activation)
                return found if found.kinds != UNKNOWN else self._run.attributes.alike(value, name, activation)
        return UNKNOWN_VALUE

    def _setattr(self, arguments: Arguments, activation: Activation) -> Value:
        match arguments.positional:
            case (value, Value(const=str(name)), stored):
                self._run.attributes.store(value, name, stored, activation)
            case (value, Value(name=str(name)), stored) if name.startswith(PATTERN):
                self._store_alike(value, name, stored, activation)
        return NONE_VALUE

    def _store_alike(self, value: Value, name: str, stored: Value, activation: Activation) -> None:
        """`setattr(self, f"layer{i}", ...)`: later reads through the same pattern give one of the values stored so."""
        before = activation.state.attributes.get((value.target, name))
        self._run.attributes.store(value, name, join_optional(before, stored) or stored, activation)

    def _super(self, arguments: Arguments, activation: Activation) -> Value:
        function, receiver = activation.function, activation.receiver
        if len(arguments.positional) == 2 and isinstance(arguments.positional[1].target, Instance):
            receiver = arguments.positional[1]
        if function is None or function.owner is None or receiver is None:
            return UNKNOWN_VALUE
        return Value(OBJECT, target=Super(function.owner, receiver))

    # Containers

    def _container_method(
        self, receiver: Value, name: str, arguments: Arguments, activation: Activation, node: ast.Call
    ) -> Value:
        element = receiver.element
        if name == "items":
            return container_of(container((CONSTANT_VALUE, element or UNKNOWN_VALUE)))
        if name == "keys":
            return container_of(CONSTANT_VALUE)
        if name in {"values", "copy", "__iter__"}:
            return receiver if name == "copy" else container_of(element)
        if name in READERS:
            return self._read(receiver, name, arguments)
        if name in GROWERS:
            self.grow(receiver, name, arguments, activation, node)
            return NONE_VALUE
        return CONSTANT_VALUE if name in {"index", "count", "numel"} else UNKNOWN_VALUE

    def _read(self, receiver: Value, name: str, arguments: Arguments) -> Value:
        values = arguments.positional
        if receiver.keys is not None and values and values[0].const is not MISSING:
            if values[0].const in receiver.keys:
                return receiver.items[receiver.keys.index(values[0].const)] if receiver.items else UNKNOWN_VALUE
            if name != "popitem":
                return values[1] if len(values) > 1 else NONE_VALUE
        element = receiver.element or UNKNOWN_VALUE
        if name in {"get", "setdefault"}:
            return join(element, values[1] if len(values) > 1 else NONE_VALUE)
        return element

    def grow(self, receiver: Value, name: str, arguments: Arguments, activation: Activation, node: ast.Call) -> None:
        """`layers.append(layer)` on a list, or on a module that holds a list: note what it holds from now on."""
        if not arguments.positional or not isinstance(node.func, ast.Attribute):
            return
        added = arguments.positional[-1]
        if name in {"extend", "update"}:
            added = self._run.expressions.element(added)
        grown = with_item(receiver._replace(keys=None), Value(CONSTANT), added)
        if name == "append" and receiver.items is not None and not activation.loops and len(receiver.items) < 32:
            grown = receiver._replace(items=(*receiver.items, added), element=join_optional(receiver.element, added))
        if isinstance(node.func.value, ast.Name | ast.Attribute):
            self._run.statements.assign(node.func.value, grown, activation)

    def module_method(
        self, function: Value, name: str, arguments: Arguments, activation: Activation, node: ast.Call
    ) -> Value:
        """The value of a method that every nn.Module has."""
        receiver, last = function.receiver, name.rpartition(".")[2]
        if last in {"register_buffer", "register_parameter", "add_module", "register_module"}:
            match arguments.positional:
                case (Value(const=str(attribute)), stored, *_) if receiver is not None:
                    self._run.attributes.store(receiver, attribute, stored, activation)
                case (Value(name=str(attribute)), stored, *_) if receiver and attribute.startswith(PATTERN):
                    self._store_alike(receiver, attribute, stored, activation)
            return NONE_VALUE
        if last in {"parameters", "buffers"}:
            return container_of(TENSOR_VALUE)
        if last in {"named_parameters", "named_buffers"}:
            return container_of(container((CONSTANT_VALUE, TENSOR_VALUE)))
        if last in {"modules", "children"}:
            return container_of(Value(MODULE))
        if last in {"named_modules", "named_children"}:
            return container_of(container((CONSTANT_VALUE, Value(MODULE))))
        if last == "state_dict":
            return container_of(TENSOR_VALUE)
        if last == "compile" and receiver is not None:
            self._run.compiled.append(Compiled(receiver, activation.module, node, asks_whole(node)))
            return NONE_VALUE
        return receiver if receiver is not None and last in {"eval", "train", "to", "cuda", "cpu"} else UNKNOWN_VALUE
