"""Calls of torch's functions, methods and modules."""

from __future__ import annotations

import ast
import re
from functools import cache
from typing import TYPE_CHECKING, Final

from graphmend_lint.facts import autograd, torch_api
from graphmend_lint.facts.api_values import RETURNED, call_value, category_value, tensor_positions
from graphmend_lint.facts.objects import Arguments
from graphmend_lint.facts.scope import made
from graphmend_lint.facts.state import unknown_from
from graphmend_lint.facts.values import (
    ANY_CLASS,
    BOOL,
    CHANGES,
    CONSTANT,
    CONTAINER,
    FLOATING,
    FUNCTION,
    INTEGRAL,
    KNOWN,
    MODULE,
    NONE_VALUE,
    RECURRENT,
    RNNS,
    SYMINT,
    TENSOR,
    TENSOR_VALUE,
    UNKNOWN,
    UNKNOWN_VALUE,
    ZERO_DIM,
    Value,
    container_of,
    join_all,
)
from graphmend_lint.project import FunctionDef
from graphmend_lint.shapes import INPLACE

if TYPE_CHECKING:
    from graphmend_lint.facts.interpreter import Activation, Interpreter

#: torch functions whose first argument is not a tensor, so that a call proves nothing about it
CREATORS: Final = frozenset(
    "tensor as_tensor asarray from_numpy zeros ones empty full arange linspace logspace eye rand randn randint "
    "randperm is_tensor Size stack cat concat hstack vstack dstack cartesian_prod block_diag meshgrid einsum "
    "broadcast_tensors broadcast_shapes normal tril_indices triu_indices finfo iinfo device no_grad is_storage "
    "promote_types can_cast result_type set_grad_enabled manual_seed Generator sym_int sym_max concatenate "
    "column_stack row_stack empty_strided empty_permuted frombuffer from_file scalar_tensor range load save typename "
    "seed compile fork_rng calculate_gain _check Tensor BoolTensor ByteTensor DoubleTensor FloatTensor HalfTensor "
    "IntTensor LongTensor".split()
)
#: what recurrent modules return beside their output
STATES: Final = {
    "torch.nn.LSTM": container_of(TENSOR_VALUE),
    "torch.nn.LSTMCell": container_of(TENSOR_VALUE),
    RECURRENT: UNKNOWN_VALUE,
}
#: modules that hold others, and methods by which they are given more
#: return the module that they are given, whose weights are then computed
NORMED: Final = frozenset(
    f"torch.nn.utils.{name}"
    for name in (
        *("weight_norm", "remove_weight_norm", "spectral_norm", "remove_spectral_norm"),
        *(f"parametrizations.{each}" for each in ("weight_norm", "spectral_norm", "orthogonal")),
        "parametrize.register_parametrization",
    )
)
HOLDERS: Final = frozenset(f"torch.nn.{name}" for name in ("ModuleList", "ParameterList", "Sequential"))
HELD: Final = frozenset({"append", "extend", "insert"})
WRAPPERS: Final = frozenset({"torch.nn.Parameter", "torch.nn.Buffer", "torch.autograd.Variable"})
CHECKPOINT: Final = "torch.utils.checkpoint.checkpoint"
CHECKPOINT_WORDS: Final = frozenset(
    "use_reentrant preserve_rng_state context_fn determinism_check debug early_stop".split()
)
#: beginnings and ends of other names that say nothing of their first argument, unless a tensor has such a method
NO_TENSOR_FIRST: Final = re.compile(r"(get|set|is|sym|use|init)_\w+|\w+_window|\w+\.\w+")


@cache
def takes_tensor(name: str) -> bool:
    """True if the first argument of a function of torch is a tensor, by the qualified name."""
    last, plain = name.rpartition(".")[2], name.removeprefix("torch.")
    if last in CREATORS:
        return False
    if plain.startswith(("nn.functional.", "nn.init.", "linalg.", "fft.", "special.")):
        return True
    return torch_api.method(last) is not None or NO_TENSOR_FIRST.fullmatch(plain) is None


class TorchCalls:
    """Evaluates calls on torch's API, from its data."""

    def __init__(self, interpreter: Interpreter) -> None:
        self._run = interpreter

    def run_module(self, module: Value, arguments: Arguments, activation: Activation) -> Value:
        entry = torch_api.module(module.name or "")
        pair = (module.name or "").endswith(("Loss", "Bilinear", "CosineSimilarity", "PairwiseDistance"))
        for value in arguments.positional[: 2 if pair else 1]:
            self._run.calls.proves(value, "tensor")
        category = entry.returns if entry is not None else "unknown"
        first = arguments.positional[0] if arguments.positional else UNKNOWN_VALUE
        if category == "first":
            return first
        if category == "chain":
            return self._chain(module, arguments, activation)
        if category.startswith("tensors:2") and module.name in STATES:
            output = first if first.name == RETURNED else TENSOR_VALUE  # a ragged batch in, a ragged batch out
            return container_of(None)._replace(items=(output, STATES[module.name]), element=UNKNOWN_VALUE)
        return category_value(category)

    def _chain(self, module: Value, arguments: Arguments, activation: Activation) -> Value:
        if module.items is None:
            if module.element is None:
                return UNKNOWN_VALUE
            result = self._run.calls.apply(module.element, arguments, activation)
            return join_all([result, self._run.calls.apply(module.element, Arguments((result,)), activation)])
        current = arguments
        for part in module.items:
            current = Arguments((self._run.calls.apply(part, current, activation),))
        return current.positional[0] if current.positional else UNKNOWN_VALUE

    def call(self, function: Value, name: str, arguments: Arguments, activation: Activation, node: ast.Call) -> Value:
        if name.startswith("torch.nn.Module."):
            return self._run.calls.builtins.module_method(function, name, arguments, activation, node)
        if name == autograd.SAVE and function.receiver is not None:
            autograd.save(self._run, function.receiver, arguments, activation)
            return NONE_VALUE
        owner, _, last = name.rpartition(".")
        if owner in HOLDERS and last in HELD and function.receiver is not None:
            self._run.calls.builtins.grow(function.receiver, last, arguments, activation, node)
            return function.receiver
        if torch_api.module(name) is not None or name.startswith("torch.nn.modules."):
            return self._new_module(name, arguments)
        if name in NORMED and arguments.positional and (normed := _normed(name, arguments.positional[0])) is not None:
            return normed
        if name in WRAPPERS:
            given = arguments.positional[0] if arguments.positional else TENSOR_VALUE
            return given if given.kinds == TENSOR else TENSOR_VALUE
        if name == CHECKPOINT and arguments.positional:
            return self._checkpoint(arguments, activation)
        is_method = name.startswith("torch.Tensor.")
        entry = torch_api.function(name)
        if entry is None:
            return self._unlisted(name, arguments)
        first = function.receiver if is_method else arguments.positional[0] if arguments.positional else None
        if not is_method and first is not None and takes_tensor(name):
            self._run.calls.proves(first, "tensor")
        for position in tensor_positions(name.rpartition(".")[2]):
            at = position - is_method
            if 0 <= at < len(arguments.positional):
                self._run.calls.proves(arguments.positional[at], "tensor")
        others = len(arguments.positional) - (0 if is_method else 1)
        value = call_value(name.rpartition(".")[2], entry, node, others, is_method, first or UNKNOWN_VALUE)
        plain = name.removeprefix("torch.").removeprefix("Tensor.new_")
        if value.kinds != TENSOR or "." in plain or (is_method and plain not in SIZED):
            return value
        traits = value.traits | made_of(plain, arguments, node)
        traits |= KNOWN if not is_method and _only_numbers(name, arguments) else 0
        return value if traits == value.traits else value._replace(traits=traits)

    def _checkpoint(self, arguments: Arguments, activation: Activation) -> Value:
        """`checkpoint(f, x)` gives what `f(x)` gives; some keywords are for `checkpoint` itself."""
        function, *rest = arguments.positional
        keywords = tuple((word, value) for word, value in arguments.keywords if word not in CHECKPOINT_WORDS)
        return self._run.calls.apply(function, Arguments(tuple(rest), keywords, arguments.open), activation)

    @staticmethod
    def _unlisted(name: str, arguments: Arguments) -> Value:
        """A call of torch that the API data does not list: a class, or `torch.jit.script`."""
        first = arguments.positional[0] if arguments.positional else UNKNOWN_VALUE
        if name == ANY_CLASS:
            recurrent = any(word == "bidirectional" for word, _ in arguments.keywords)
            return Value(MODULE, name=RECURRENT) if recurrent else UNKNOWN_VALUE
        if name == "torch.jit.script" and isinstance(first.target, FunctionDef):
            return first
        return made(name, unknown_from(*arguments.positional), arguments)

    def _new_module(self, name: str, arguments: Arguments) -> Value:
        if name == "torch.nn.Sequential":
            single = arguments.positional[0] if len(arguments.positional) == 1 else None
            if single is not None and not single.kinds & (MODULE | FUNCTION | UNKNOWN):
                return Value(MODULE, name=name, items=single.items, element=single.element)
            items = None if arguments.open else arguments.positional
            spread = [*arguments.positional, arguments.spread] if arguments.open and arguments.spread else []
            return Value(MODULE, name=name, items=items, element=join_all(spread) if spread else None)
        if name in {"torch.nn.ModuleList", "torch.nn.ModuleDict", "torch.nn.ParameterList", "torch.nn.ParameterDict"}:
            held = arguments.positional[0] if arguments.positional else None
            return Value(
                MODULE,
                name=name,
                items=held.items if held else (),
                keys=held.keys if held else None,
                element=held.element if held else None,
            )
        return Value(MODULE, name=name, traits=CHANGES if _is_told_to_change(name, arguments) else 0)


#: where constructors take `inplace`: functions are given the tensor, and some whether they train, before that
INPLACE_AT: Final = {
    name.replace("_", ""): at - 1 - (name == "rrelu" or "dropout" in name)
    for name, at in INPLACE.items()
    if "embedding" not in name
}


def _is_told_to_change(name: str, arguments: Arguments) -> bool:
    """True for `nn.ReLU(inplace=True)`, and also if the flag is not known."""
    at = INPLACE_AT.get(name.rpartition(".")[2].lower(), len(arguments.positional))
    told = [*arguments.positional[at : at + 1], *(value for word, value in arguments.keywords if word == "inplace")]
    return any(value.const is not False for value in told)


def _normed(name: str, module: Value) -> Value | None:
    """The module that a normalizer such as `weight_norm` is given and returns; None if it may be another one.

    Other normalizers may keep a state: of those, only recurrent modules are followed.
    """
    if module.kinds == MODULE and name.endswith("weight_norm"):
        return module
    return module if module.name in RNNS else None


def made_of(name: str, arguments: Arguments, node: ast.Call) -> int:
    """The traits of a new tensor: 0-dim if it is made of one number, `torch.tensor(False)`, or `torch.zeros(())`."""
    first = arguments.positional[0] if arguments.positional else dict(arguments.keywords).get("size")
    if name in SIZED:
        return ZERO_DIM if first is not None and first.kinds == CONTAINER and first.items == () else 0
    if name not in {"tensor", "as_tensor"} or first is None or not first.kinds or first.kinds & ~(CONSTANT | SYMINT):
        return 0
    kind = INTEGRAL if first.kinds == SYMINT else NUMBERS.get(type(first.const), 0)
    typed = any(each.arg in ("dtype", None) for each in node.keywords) or len(node.args) > 1
    return (ZERO_DIM | (0 if typed else kind)) if kind else 0


SIZED: Final = frozenset({"zeros", "ones", "empty", "full", "rand", "randn"})
NUMBERS: Final[dict[type, int]] = {bool: BOOL, int: INTEGRAL, float: FLOATING}


def _only_numbers(name: str, arguments: Arguments) -> bool:
    """True for `torch.tensor(3)` and `torch.div(4, 2)`: a tensor whose value Dynamo keeps."""
    if name not in {"torch.tensor", "torch.as_tensor"} and name.rpartition(".")[2] in CREATORS:
        return False
    plain = CONSTANT | SYMINT | CONTAINER
    return bool(arguments.positional) and all(
        not value.kinds & ~plain and not (value.element and value.element.kinds & ~plain)
        for value in arguments.positional
    )
