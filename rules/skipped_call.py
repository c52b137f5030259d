"""
## What it does

Finds calls that Dynamo does not trace: clocks, `copy.deepcopy`, Python's and NumPy's random numbers, `inspect`,
hashing, files, `uuid`, `torch.get_default_device`, text made of tensors, and the like.

## Why it breaks the graph

These functions have effects, or are written in C, or look at the interpreter. Dynamo ends the graph and calls them from
Python.

## Example

```python
import logging
import time

import torch

logger = logging.getLogger(__name__)


def forward(x: torch.Tensor) -> torch.Tensor:
    begun = time.perf_counter()
    x = x + 1
    logger.info("begun at %f", begun)
    return x


compiled = torch.compile(forward)
```

Use instead:

```python
import logging
import time

import torch

logger = logging.getLogger(__name__)


def forward(x: torch.Tensor) -> torch.Tensor:
    if not torch.compiler.is_compiling():
        begun = time.perf_counter()
    x = x + 1
    if not torch.compiler.is_compiling():
        logger.info("begun at %f", begun)
    return x


compiled = torch.compile(forward)
```

## Fix safety

A value that only people see (a clock, an id, text made of a tensor) is left out when compiled, by
`if not torch.compiler.is_compiling():`, with all that depends on it: safe if nothing does, unsafe if text is lost, or a
time that is kept. It is not done if the value is used for anything else.

Safe: `copy.deepcopy` of a tensor that is proven not to require grad becomes `clone()`, `copy.copy` of one `detach()`,
of a list, dict or set its `copy()`; `torch.get_default_device()` asks an empty tensor; `torch.empty(...).random_(...)`
becomes `torch.randint`; hashes of constants, `importlib.import_module("name")` and `logging.getLogger("name")` move
into a function that Dynamo calls while it traces.

Unsafe: `os.path.exists("name")` and the like are asked once per trace; `gc.collect()`, `time.sleep`, profiler ranges,
files that are only written, and progress bars are left out when compiled; a tensor is never copied for the sake of its
address.

Everything else is refused: what the call is for decides whether it can move out of the compiled code.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator
from typing import Final

from graphmend_lint.facts import Facts
from graphmend_lint.facts.values import CONTAINER, MODULE, NDARRAY, TENSOR
from graphmend_lint.model import Applicability, Finding, Fix, Refusal
from graphmend_lint.rewrite.aside import aside
from graphmend_lint.rewrite.copies import copied
from graphmend_lint.rewrite.equivalents import equivalent
from graphmend_lint.rewrite.errands import errand
from graphmend_lint.rewrite.hoisted import hoisted
from graphmend_lint.rule import Option, rule

#: what a name begins with, if it ends in a dot; else the whole name
SKIPPED: Final[dict[str, str]] = {
    "time.": "reads a clock",
    "datetime.": "reads a clock",
    "random.random": "draws from Python's random numbers",
    "random.choice": "draws from Python's random numbers",
    "random.choices": "draws from Python's random numbers",
    "random.sample": "draws from Python's random numbers",
    "random.shuffle": "draws from Python's random numbers",
    "numpy.random.permutation": "draws from NumPy's random numbers",
    "numpy.random.choice": "draws from NumPy's random numbers",
    "numpy.random.default_rng": "draws from NumPy's random numbers",
    "numpy.random.RandomState": "draws from NumPy's random numbers",
    "numpy.setdiff1d": "is not part of torch's NumPy",
    "numpy.intersect1d": "is not part of torch's NumPy",
    "numpy.union1d": "is not part of torch's NumPy",
    "inspect.currentframe": "looks at the interpreter's frames or code",
    "inspect.stack": "looks at the interpreter's frames or code",
    "inspect.getsource": "looks at the interpreter's frames or code",
    "traceback.": "looks at the interpreter's frames or code",
    "builtins.globals": "looks at the interpreter's frames or code",
    "builtins.eval": "runs code that cannot be seen",
    "builtins.exec": "runs code that cannot be seen",
    "builtins.open": "opens a file",
    "builtins.input": "waits for input",
    "os.path.exists": "asks the file system",
    "os.path.isfile": "asks the file system",
    "os.listdir": "asks the file system",
    "subprocess.": "starts a process",
    "multiprocessing.": "starts a process",
    "threading.": "uses threads",
    "socket.": "uses the network",
    "hashlib.": "is written in C",
    "zlib.": "is written in C",
    "json.": "is written in C",
    "pickle.": "is written in C",
    "uuid.": "draws from the system's random numbers",
    "gc.": "changes the interpreter's state",
    "importlib.import_module": "imports a module",
    "logging.getLogger": "looks up a logger",
    "scipy.": "computes outside torch",
    "warnings.catch_warnings": "changes the interpreter's state",
    "tqdm.tqdm": "draws a progress bar",
    "torch.get_default_device": "returns something else than a tensor",
    "torch.manual_seed": "changes the state of the random numbers",
    "torch.seed": "changes the state of the random numbers",
    "torch.get_rng_state": "reads the state of the random numbers",
    "torch.set_rng_state": "changes the state of the random numbers",
    "torch.random.fork_rng": "changes the state of the random numbers",
    "torch.Generator": "makes a random number generator",
    "torch.save": "writes a file",
    "torch.load": "reads a file",
    "torch.is_inference_mode_enabled": "reads the state of autograd",
    "torch.Tensor.data_ptr": "reads a memory address",
    "torch.cuda.memory_allocated": "asks the device",
    "torch.cuda.device_count": "asks the device",
    "torch.cuda.nvtx.": "marks a range for a profiler",
    "torch.autograd.set_detect_anomaly": "changes the state of autograd",
    "torch.Tensor.resize_": "changes the storage of a tensor",
    "torch.Tensor.to_sparse": "makes a sparse tensor",
    "contextlib.ExitStack": "enters contexts that cannot be seen",
    "torch.Tensor.apply_": "calls Python for each element",
    "torch.Tensor.map_": "calls Python for each element",
    "torch.Tensor.random_": "draws random numbers in place",
    "torch._dynamo.graph_break": "asks for a graph break",
    "torch.nn.utils.rnn.pack_padded_sequence": "makes a ragged batch",
    "torch.sparse_coo_tensor": "makes a sparse tensor",
    "torch.Tensor.to_sparse_csr": "makes a sparse tensor",
    "torch.nested.nested_tensor": "makes a nested tensor",
    "torch.nested.as_nested_tensor": "makes a nested tensor",
    "torch.Tensor.as_subclass": "makes a tensor of another class",
    "torch.Tensor.to_mkldnn": "makes an opaque tensor",
    "torch.Tensor.share_memory_": "changes the storage of a tensor",
    "torch.Tensor.is_shared": "asks for the storage of a tensor",
    "torch.Tensor.storage": "asks for the storage of a tensor",
    "torch.Tensor.storage_offset": "asks for the storage of a tensor",
    "torch.Tensor.is_inference": "reads the state of autograd",
    "torch.initial_seed": "reads the state of the random numbers",
    "torch.get_num_threads": "asks the interpreter",
    "torch.set_num_threads": "changes the interpreter's state",
    "torch.jit.trace": "compiles in another way",
    "torch.jit.script": "compiles in another way",
    "torch.autograd.functional.jacobian": "runs autograd",
    "torch.autograd.graph.saved_tensors_hooks": "changes the state of autograd",
    "torch.utils.data.DataLoader": "loads data",
    "torch.library.Library": "defines operators",
    "os.getpid": "asks the system",
    "os.getcwd": "asks the system",
    "os.cpu_count": "asks the system",
    "os.urandom": "draws from the system's random numbers",
    "os.path.abspath": "asks the file system",
    "os.path.isdir": "asks the file system",
    "os.path.getsize": "asks the file system",
    "os.makedirs": "asks the file system",
    "os.stat": "asks the file system",
    "shutil.which": "asks the file system",
    "glob.glob": "asks the file system",
    "sys.getsizeof": "looks at the interpreter's memory",
    "sys.getrefcount": "looks at the interpreter's memory",
    "sys._getframe": "looks at the interpreter's frames or code",
    "secrets.": "draws from the system's random numbers",
    "heapq.heappush": "is written in C",
    "heapq.heappop": "is written in C",
    "bisect.bisect": "is written in C",
    "base64.b64encode": "is written in C",
    "io.StringIO": "is written in C",
    "decimal.Decimal": "is written in C",
    "array.array": "is written in C",
    "ctypes.": "is written in C",
    "types.SimpleNamespace": "is written in C",
    "weakref.proxy": "is written in C",
    "atexit.register": "changes the interpreter's state",
    "contextlib.closing": "enters contexts that cannot be seen",
    "torch.jit.fork": "starts a task",
    "torch.futures.Future": "waits for a task",
    "torch.autograd.detect_anomaly": "changes the state of autograd",
    "re.finditer": "is written in C",
    "statistics.mean": "is not traced",
    "numpy.copyto": "is not part of torch's NumPy",
    "builtins.dir": "looks at the interpreter's objects",
    "builtins.memoryview": "is written in C",
    "builtins.compile": "compiles code",
}
STAYS: Final = Refusal(
    "call-not-traceable", "the call has to stay, but it may move to where the compiled code is called"
)
WITH_TENSOR: Final = frozenset({"builtins.str", "builtins.repr", "builtins.pow", "operator.index"})
ARRAY_METHODS: Final = frozenset({"tobytes", "tofile", "dump", "dumps"})
#: what Dynamo cannot copy, by function
HOOKS: Final = (".register_forward_hook", ".register_forward_pre_hook")
COPIES: Final = {"copy.copy": TENSOR | NDARRAY | MODULE | CONTAINER, "copy.deepcopy": TENSOR | NDARRAY | MODULE}
#: one random number from NumPy is an array without dimensions, which torch's NumPy turns into a number
ONE_NUMBER: Final = frozenset(
    f"numpy.random.{name}" for name in ("rand", "randn", "random", "uniform", "normal", "randint")
)
#: what is skipped only with certain arguments, or on certain objects
IN_PART: Final = WITH_TENSOR | COPIES.keys() | ONE_NUMBER | {"torch.nn.utils.clip_grad_norm_"}
METHODS: Final = ("numpy.ndarray.", "torch.nn.")
FUNCTIONS: Final = Option("functions", "more functions that Dynamo does not trace; `a.b.*` stands for all below `a.b`")
TRACED: Final = Option(
    "traced", "functions that Dynamo does trace here, say by `torch.compiler.substitute_in_graph`: not reported"
)


@rule(
    "GM401",
    graph_breaks=(
        *("GB0007", "GB0156", "GB0208", "GB4198", "GB5976", "GB0059", "GB0569", "GB0363", "GB0055", "GB0107"),
        *("GB0294", "GB0033", "GB0467", "GB0374", "GB0277", "GB0090", "GB0001", "GB0045", "GB0046", "GB4197"),
        *(
            "GB0147",
            "GB0087",
            "GB0117",
            "GB0126",
            "GB6215",
            "GB0158",
            "GB0262",
            "GB0008",
            "GB0233",
            "GB0245",
            "GB0112",
            "GB0134",
            "GB4315",
            "GB0250",
            "GB0157",
        ),
    ),
    options=(FUNCTIONS, TRACED),
    calls=lambda name, facts: reason(name, facts) is not None or name in IN_PART or name.startswith(METHODS),
)
def skipped_call(node: ast.Call | ast.BinOp | ast.Attribute, facts: Facts) -> Iterator[Finding]:
    if isinstance(node, ast.Attribute):
        if node.attr == "flags" and facts.kinds(node.value) == NDARRAY:
            yield Finding(node, f"`{facts.text(node)}` is not part of torch's NumPy")
        return
    if isinstance(node, ast.BinOp):
        if _is_formatted(node, facts):
            yield Finding(node, "`%` formats a tensor, which needs its value")
        return
    name = facts.resolve(node.func)
    if facts.lists("skipped-call.traced", name):
        return
    why = reason(name, facts) if name else None
    if why is not None:
        yield Finding(node, f"Dynamo does not trace `{facts.text(node.func)}`: it {why}")
    elif name in WITH_TENSOR and any(_holds_tensor(argument, facts) for argument in node.args):
        yield Finding(node, f"Dynamo does not trace `{facts.text(node.func)}` of a tensor")
    elif isinstance(node.func, ast.Attribute) and (_is_array_method(node.func, facts) or _makes_objects(node, facts)):
        yield Finding(node, f"`{facts.text(node.func)}` is not part of torch's NumPy")
    elif name is not None and name.startswith("torch.nn.") and name.endswith(HOOKS):
        yield Finding(node, f"`{facts.text(node.func)}` puts a hook on a module while it is traced")
    elif name == "torch.nn.utils.clip_grad_norm_" and _is_on(node, "error_if_nonfinite"):
        yield Finding(node, f"`{facts.text(node.func)}` with `error_if_nonfinite` needs the value of the norm")
    elif name in COPIES and any(_is_copied_outside(argument, COPIES[name], facts) for argument in node.args):
        yield Finding(node, f"Dynamo does not trace `{facts.text(node.func)}` of this")
    elif name in ONE_NUMBER and _draws_one(node, name):
        yield Finding(node, f"`{facts.text(node.func)}` without a size draws one number from NumPy, which is read")


def _holds_tensor(node: ast.expr, facts: Facts) -> bool:
    """True for a tensor, and for a container of tensors."""
    value = facts.value(node)
    within = value.kinds == CONTAINER and value.element is not None and value.element.kinds == TENSOR
    return value.kinds == TENSOR or within


def _is_array_method(node: ast.Attribute, facts: Facts) -> bool:
    return node.attr in ARRAY_METHODS and facts.kinds(node.value) == NDARRAY


def _makes_objects(node: ast.Call, facts: Facts) -> bool:
    """True for `array.astype(object)`."""
    match node:
        case ast.Call(func=ast.Attribute(value=array, attr="astype"), args=[ast.Name(id="object"), *_]):
            return facts.kinds(array) == NDARRAY
    return False


def _is_formatted(node: ast.BinOp, facts: Facts) -> bool:
    match node:
        case ast.BinOp(left=ast.Constant(value=str()), op=ast.Mod(), right=ast.Tuple(elts=parts)):
            return any(facts.kinds(each) == TENSOR for each in parts)
        case ast.BinOp(left=ast.Constant(value=str()), op=ast.Mod(), right=right):
            return facts.kinds(right) == TENSOR
    return False


def _is_on(node: ast.Call, flag: str) -> bool:
    return any(word.arg == flag and getattr(word.value, "value", None) is True for word in node.keywords)


def _is_copied_outside(node: ast.expr, kinds: int, facts: Facts) -> bool:
    """True for what Dynamo cannot copy. Plain objects, and `deepcopy` of constants, are copied while tracing."""
    value = facts.value(node)
    deep = value.element is not None and kinds & ~CONTAINER and value.element.kinds & kinds & ~CONTAINER
    return bool(value.kinds & kinds or (deep and not kinds & CONTAINER))


def _draws_one(node: ast.Call, name: str) -> bool:
    """True if no argument is a size: the first of `rand`, `randn` and `random`, the third of the others."""
    sizes = 2 if name.endswith(("uniform", "normal", "randint")) else 0
    return len(node.args) <= sizes and not any(keyword.arg == "size" for keyword in node.keywords)


def reason(name: str, facts: Facts) -> str | None:
    """Why Dynamo does not trace the function of this name; None if it does, or is not known not to."""
    if facts.lists("skipped-call.functions", name):
        return "is listed in the settings"
    if name in SKIPPED or "()" in name:
        return SKIPPED.get(name)
    parts = name.split(".")
    prefixes = (".".join(parts[:end]) + "." for end in range(1, len(parts)))
    return next((SKIPPED[prefix] for prefix in prefixes if prefix in SKIPPED), None)


@skipped_call.fixer
def traced(node: ast.Call | ast.BinOp | ast.Attribute, facts: Facts) -> Fix | Refusal:
    if isinstance(node, ast.Attribute):
        return STAYS
    if isinstance(node, ast.BinOp):
        return aside(node, facts, "%") or STAYS
    for rewrite in (equivalent, copied, errand):
        if found := rewrite(node, facts):
            return found
    unseen = aside(node, facts, facts.text(node.func))
    if isinstance(unseen, Fix) and unseen.applicability is Applicability.SAFE:
        return unseen
    return hoisted(node, facts) or unseen or STAYS
