"""Calls that give the same each time: moved into a function that Dynamo calls once, while it traces."""

from __future__ import annotations

import ast
import re
from collections.abc import Callable
from typing import TYPE_CHECKING, Final

from graphmend_lint.facts.meta import words
from graphmend_lint.model import Applicability, Fix
from graphmend_lint.rewrite.imports import module_statements, torch_name
from graphmend_lint.rewrite.once import is_local, is_static
from graphmend_lint.shapes import dotted, names_bound
from graphmend_lint.syntax import kept, walk

if TYPE_CHECKING:
    from graphmend_lint.facts import Facts

Key = Callable[[ast.Call], str]  #: the same for calls that one function does for
#: the same result for the same arguments, in every process, and one that nobody changes; or what such names begin with
PURE: Final = frozenset({"zlib.crc32", "zlib.adler32", "importlib.import_module", "logging.getLogger", "json.dumps"})
PURE_MODULES: Final = ("hashlib.", "base64.")
#: what a program asks of its surroundings, which may change while it runs
ASKS: Final = frozenset(
    [
        *(f"os.path.{name}" for name in words("exists lexists isfile isdir islink ismount getsize getmtime getctime")),
        *(f"os.path.{name}" for name in words("getatime samefile abspath realpath")),
        *(f"os.{name}" for name in words("listdir stat access getcwd getpid getppid getuid cpu_count uname")),
        *(f"pathlib.Path().{name}" for name in words("exists is_file is_dir resolve absolute")),
        *words("pathlib.Path.cwd os.sched_getaffinity shutil.which shutil.disk_usage glob.glob locale.getlocale"),
        *words("socket.gethostname getpass.getuser multiprocessing.cpu_count gc.isenabled sys.gettrace"),
        *words("sys.getdefaultencoding sys.getfilesystemencoding torch.cuda.device_count torch.cuda.is_bf16_supported"),
        *(f"torch.backends.{name}.is_available" for name in words("mps cudnn mkldnn mkl openmp opt_einsum")),
        *words("torch.backends.mps.is_built torch.backends.cuda.is_built torch.accelerator.device_count"),
        *(f"torch.get_{name}" for name in words("num_threads num_interop_threads float32_matmul_precision")),
        *words("torch.is_inference_mode_enabled torch.is_anomaly_enabled torch.get_deterministic_debug_mode"),
        *words("torch.is_warn_always_enabled torch.is_deterministic_algorithms_warn_only_enabled"),
    ]
)
#: what such arguments are made with
PATHS: Final = frozenset(
    {"pathlib.Path", "builtins.str"} | {f"os.path.{name}" for name in words("join dirname basename")}
)
#: these give something that changes, or that the graph cannot hold
OPEN: Final = re.compile(r"^hashlib\.\w+$")
CAVEAT: Final = "Compiled code asks once, while it is traced, not at each call."


def hoisted(node: ast.Call, facts: Facts) -> Fix | None:
    """The call in a function of its own, if all its arguments mean the same at the top level of the module."""
    name = facts.resolve(node.func) or ""
    if not (name in ASKS or _is_pure(name)) or facts.function(node) is None:
        return None
    whole = _whole(node, facts)
    lasting = not _is_pure(name)  # a constant of the module may be another one later: it is asked only once
    if (OPEN.match(name) and whole is node) or not _is_constant(whole, lasting, facts) or "\n" in facts.text(whole):
        return None
    return _while_tracing(whole, name, facts)


def _is_pure(name: str) -> bool:
    return name in PURE or name.startswith(PURE_MODULES)


def _whole(node: ast.Call, facts: Facts) -> ast.expr:
    """The call with the methods called on its result: `hashlib.md5(b"a").hexdigest()`."""
    found: ast.expr = node
    while isinstance(above := facts.parent(found), ast.Attribute):
        call = facts.parent(above)
        if not isinstance(call, ast.Call) or call.func is not above:
            break
        if above.attr not in ("hexdigest", "digest", "hex", "upper", "lower", "decode"):
            break
        found = call
    return found


def _is_constant(node: ast.expr, lasting: bool, facts: Facts) -> bool:
    """True if the expression means the same at the top level; `lasting`: values that are set there count as well."""
    calls = [each for each in walk(node) if isinstance(each, ast.Call)]
    given = [value for call in calls for value in (*call.args, *(word.value for word in call.keywords))]
    names = [each.id for each in walk(node) if isinstance(each, ast.Name)]
    early = imported(facts.source.tree) | ({"str", "__name__", "__file__"} - names_bound([facts.source.tree]))
    set_there = _set_at_top(facts.source.tree) if lasting else frozenset()
    return all(_is_known(each, set_there, facts) for each in given) and all(
        each in early | set_there and not is_local(each, node, facts) for each in names
    )


def _is_known(node: ast.expr, set_there: frozenset[str], facts: Facts) -> bool:
    """True for a constant, a name of one, a list or dict of those, or a pure call (whose arguments are asked too)."""
    match node:
        case ast.Dict(keys=keys, values=values):
            return all(each is not None and _is_known(each, set_there, facts) for each in (*keys, *values))
        case ast.List(elts=parts) | ast.Tuple(elts=parts):
            return all(_is_known(each, set_there, facts) for each in parts)
        case ast.Call(func=ast.Attribute(value=text, attr="encode"), args=[], keywords=[]):
            return _is_known(text, set_there, facts)
        case ast.Call():  # its arguments are looked at themselves
            name = facts.resolve(node.func) or ""
            return name in ASKS | PATHS or _is_pure(name)
        case ast.Name(id=name):
            return name == "__file__" or name in set_there or is_static(node, facts)
    return is_static(node, facts)


@kept(8)
def _set_at_top(tree: ast.Module) -> frozenset[str]:
    """Names that the module itself gives a value."""
    plain = [each for each in tree.body if isinstance(each, ast.Assign | ast.AnnAssign | ast.Import | ast.ImportFrom)]
    return frozenset(names_bound(plain))


@kept(8)
def imported(tree: ast.Module) -> frozenset[str]:
    """Names that the module imports when it is imported itself, under `if` and `try` as well."""
    imports = [each for each in module_statements(tree.body) if isinstance(each, ast.Import | ast.ImportFrom)]
    return frozenset(names_bound(imports))


def _while_tracing(whole: ast.expr, name: str, facts: Facts) -> Fix | None:
    torch = torch_name(facts, whole)
    if torch is None:
        return None
    function, pure = unused_in_module(name.rpartition(".")[2], whole, facts), _is_pure(name)
    text = f"@{torch}.compiler.assume_constant_result\ndef {function}():\n    return {facts.text(whole)}\n"
    return Fix(
        title="Compute once per trace",
        applicability=Applicability.SAFE if pure else Applicability.UNSAFE,
        edits=lambda site: (site.expression(whole, f"{function}()"),),
        caveat="" if pure else CAVEAT,
        imports=("torch",),
        definitions=(text,),
    )


def unused_in_module(stem: str, node: ast.expr, facts: Facts, key: Key | None = None) -> str:
    """A name that nothing else in the file has or gets in this round; with a number or a row where one is needed.

    Where calls are the same code, by their `key`, one function does for all.
    """
    name, text = "_" + re.sub(r"(?<=[a-z])(?=[A-Z])", "_", stem).lower(), facts.source.text
    calls = _calls(facts.source.tree).get(stem, [])
    if node in calls:
        codes = list(dict.fromkeys(map(key or facts.text, calls)))
        at = codes.index((key or facts.text)(node))
        found = f"{name}_{at + 1}" if at else name
    else:
        named = len(re.findall(rf"\b{stem}\b", text)) - _imported(stem, facts)
        alike = len(re.findall(rf"(?<![\w.]){re.escape(facts.text(node))}", text))
        found = name if named in (1, alike * len(re.findall(rf"\b{stem}\b", facts.text(node)))) else ""
    if found and not re.search(rf"\b{found}\b", text):
        return found
    twice = len(re.findall(rf"\b{stem}\b", facts.source.lines[node.lineno - 1])) > 1
    return f"{name}_{node.lineno}" + (f"_{node.col_offset}" if twice else "")


@kept(4)
def _calls(tree: ast.Module) -> dict[str, list[ast.Call]]:
    """The calls of a file in order, by the last name of what they call."""
    found: dict[str, list[ast.Call]] = {}
    calls = [each for each in walk(tree) if isinstance(each, ast.Call)]
    for each in sorted(calls, key=lambda call: (call.lineno, call.col_offset)):
        found.setdefault((dotted(each.func) or "").rpartition(".")[2], []).append(each)
    return found


def _imported(stem: str, facts: Facts) -> int:
    """How often the word stands in an import."""
    imports = [each for each in module_statements(facts.source.tree.body) if isinstance(each, ast.ImportFrom)]
    return sum(alias.name == stem for each in imports for alias in each.names)
