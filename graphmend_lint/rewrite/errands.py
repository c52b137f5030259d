"""Calls for the sake of what they do to something else than the result: files, the garbage collector, a profiler."""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING, Final

from graphmend_lint.facts.reaching import statement_of
from graphmend_lint.model import Applicability, Fix
from graphmend_lint.rewrite.defer import has_effect
from graphmend_lint.rewrite.imports import torch_name
from graphmend_lint.rewrite.read_again import is_read_again
from graphmend_lint.shapes import call_statement, names_bound, names_read
from graphmend_lint.syntax import walk

if TYPE_CHECKING:
    from graphmend_lint.facts import Facts

#: what its name begins with, and what is not done when it is left out
ERRANDS: Final = {
    "gc.": "Garbage is not collected when compiled.",
    "torch.cuda.nvtx.": "The profiler's range is not marked when compiled.",
    "torch.cuda.empty_cache": "Memory is not given back when compiled.",
    "torch.save": "The file is not written when compiled.",
    "pickle.dump": "The file is not written when compiled.",
    "json.dump": "The file is not written when compiled.",
    "os.makedirs": "The folder is not made when compiled.",
    "time.sleep": "Compiled code does not wait.",
    "warnings.simplefilter": "Warnings are not filtered when compiled.",
    "warnings.filterwarnings": "Warnings are not filtered when compiled.",
    "torch.autograd.set_detect_anomaly": "Anomalies are not looked for when compiled.",
}
WRITERS: Final = frozenset({"json.dump", "pickle.dump", "torch.save", "builtins.print"})
WRITES: Final = frozenset("wax")  #: letters of a mode for writing


def errand(node: ast.Call, facts: Facts) -> Fix | None:
    """Keep a call for eager mode whose value nobody uses; None for any other call."""
    name, statement = facts.resolve(node.func) or "", statement_of(node, facts)
    if statement is None or is_read_again(node, facts):
        return None
    caveat = next((ERRANDS[each] for each in ERRANDS if name.startswith(each)), None)
    if caveat is not None and call_statement(statement) is node and not has_effect(node, facts):
        return _skipped(statement, facts, caveat)
    if name == "builtins.open" and isinstance(statement, ast.With) and _only_writes(statement, node, facts):
        return _skipped(statement, facts, "The file is not written when compiled.")
    return None


def _skipped(statement: ast.stmt, facts: Facts, caveat: str) -> Fix | None:
    torch = torch_name(facts, statement)
    if torch is None or facts.function(statement) is None:
        return None
    return Fix(
        title="Skip while compiling",
        applicability=Applicability.UNSAFE,
        edits=lambda site: (
            site.replace(statement, f"if not {torch}.compiler.is_compiling():\n    WHOLE", WHOLE=[statement]),
        ),
        caveat=caveat,
        imports=("torch",),
    )


def _only_writes(node: ast.With, opened: ast.Call, facts: Facts) -> bool:
    """True for `with open(path, "w") as file:` whose body does nothing but write into it."""
    mode = opened.args[1] if len(opened.args) > 1 else None
    if len(node.items) != 1 or node.items[0].context_expr is not opened or not isinstance(mode, ast.Constant):
        return False
    file, function = node.items[0].optional_vars, facts.function(node)
    if not isinstance(file, ast.Name) or not WRITES & set(str(mode.value)) or function is None:
        return False
    outside = [each for each in walk(function) if isinstance(each, ast.Name) and each.id == file.id]
    inside = [each for each in walk(node) if isinstance(each, ast.Name) and each.id == file.id]
    return len(outside) == len(inside) and all(_writes(each, file.id, facts) for each in node.body)


def _writes(statement: ast.stmt, file: str, facts: Facts) -> bool:
    """True for a call that writes into the file: its own method, or a function that is given it."""
    call = call_statement(statement)
    if call is None or names_bound([statement]):
        return False
    method = isinstance(call.func, ast.Attribute) and call.func.attr in ("write", "writelines", "flush")
    arguments = [*call.args, *(word.value for word in call.keywords)]
    given = any(isinstance(each, ast.Name) and each.id == file for each in arguments)
    writes = (method and file in names_read(call)) or (given and facts.resolve(call.func) in WRITERS)
    return writes and not any(has_effect(each, facts) for each in arguments)
