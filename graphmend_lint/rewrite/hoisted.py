"""Calls that give the same each time, in a function that Dynamo calls while it traces, and never again."""

from __future__ import annotations

import ast
import re
from typing import TYPE_CHECKING, Final

from graphmend_lint.model import Applicability, Fix
from graphmend_lint.rewrite.imports import torch_name
from graphmend_lint.rewrite.once import is_local, is_static
from graphmend_lint.shapes import names_bound
from graphmend_lint.syntax import walk

if TYPE_CHECKING:
    from graphmend_lint.facts import Facts

#: the same result for the same arguments, in every process, and one that nobody changes
PURE: Final = ("zlib.crc32", "zlib.adler32", "hashlib.", "base64.", "importlib.import_module", "logging.getLogger")
#: what a program asks of its surroundings, which may change while it runs
ASKS: Final = (
    *("os.path.exists", "os.path.isfile", "os.path.isdir", "os.path.getsize", "os.path.abspath", "os.getcwd"),
    *("os.getpid", "os.cpu_count", "shutil.which", "torch.get_num_threads", "torch.cuda.device_count"),
)
#: these give something that changes, or that the graph cannot hold
OPEN: Final = re.compile(r"^hashlib\.\w+$")
CAVEAT: Final = "Compiled code asks once, while it is traced, not at each call."


def hoisted(node: ast.Call, facts: Facts) -> Fix | None:
    """The call in a function of its own, if all that it is given is known to the module."""
    name = facts.resolve(node.func) or ""
    if not name.startswith(PURE + ASKS) or facts.function(node) is None:
        return None
    whole = _whole(node, facts)
    if (OPEN.match(name) and whole is node) or not _is_constant(whole, facts) or "\n" in facts.text(whole):
        return None
    return _while_tracing(whole, name, facts)


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


def _is_constant(node: ast.expr, facts: Facts) -> bool:
    """True if the expression means the same at the top of the module."""
    calls = [each for each in walk(node) if isinstance(each, ast.Call)]
    given = [value for call in calls for value in (*call.args, *(word.value for word in call.keywords))]
    names = [each.id for each in walk(node) if isinstance(each, ast.Name)]
    early = _bound_early(facts.source.tree)
    return all(is_static(each, facts) for each in given) and all(
        (each in early or each == "__name__") and not is_local(each, node, facts) for each in names
    )


def _bound_early(tree: ast.Module) -> set[str]:
    """Names that the module imports before its first function or class."""
    found: set[str] = set()
    for statement in tree.body:
        if isinstance(statement, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
            break
        if isinstance(statement, ast.Import | ast.ImportFrom):
            found |= names_bound([statement])
    return found


def _while_tracing(whole: ast.expr, name: str, facts: Facts) -> Fix | None:
    torch = torch_name(facts, whole)
    if torch is None:
        return None
    function, pure = _unused(name.rpartition(".")[2], whole, facts), name.startswith(PURE)
    text = f"@{torch}.compiler.assume_constant_result\ndef {function}():\n    return {facts.text(whole)}\n"
    return Fix(
        title="Compute once per trace",
        applicability=Applicability.SAFE if pure else Applicability.UNSAFE,
        edits=lambda site: (site.expression(whole, f"{function}()"),),
        caveat="" if pure else CAVEAT,
        imports=("torch",),
        definitions=(text,),
    )


def _unused(stem: str, node: ast.expr, facts: Facts) -> str:
    """A name that nothing else in the file has."""
    name = "_" + re.sub(r"(?<=[a-z])(?=[A-Z])", "_", stem).lower()
    return name if not re.search(rf"\b{name}\b", facts.source.text) else f"{name}_{node.lineno}"
