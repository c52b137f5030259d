"""Text and exceptions from operators of a module that the user's package carries: exact, compiled or not."""

from __future__ import annotations

import ast
import builtins
from functools import lru_cache
from pathlib import Path
from typing import TYPE_CHECKING, Final, NamedTuple

from graphmend_lint.facts.reaching import statement_of
from graphmend_lint.facts.values import CONSTANT, FUNCTION, NONE, SYMINT, TENSOR
from graphmend_lint.model import Applicability, Fix, Refusal
from graphmend_lint.rewrite.cached import runs_once
from graphmend_lint.rewrite.defer import text_only_test
from graphmend_lint.rewrite.once import is_local
from graphmend_lint.rewrite.predicate import condition
from graphmend_lint.rewrite.printing import GRAD
from graphmend_lint.rewrite.template import call, quoted
from graphmend_lint.rewrite.term import Term
from graphmend_lint.shapes import call_statement, dotted, names_bound

if TYPE_CHECKING:
    from graphmend_lint.facts import Facts
    from graphmend_lint.rewrite.site import Site

NAME: Final = "_compiled_effects"
EXACT: Final = TENSOR | SYMINT | CONSTANT | NONE
TITLE: Final = "Say it from inside the graph"


def helper_refusal(facts: Facts) -> Refusal | None:
    """Why nothing can be fixed: the module that fixes call has not been written yet."""
    if helper_import(facts.source.path) is None:
        return Refusal("vendor-module-missing", f"write `{NAME}.py` with `graphmend-lint vendor` first")
    return None


@lru_cache(maxsize=4096)
def helper_import(path: Path) -> str | None:
    """The line by which a file imports the nearest helper module, in its folder or in a package around it."""
    folder, dots = path.absolute().parent, "."
    while not (folder / f"{NAME}.py").is_file():
        if not (folder / "__init__.py").is_file():
            return None
        folder, dots = folder.parent, f"{dots}."
    return f"from {dots} import {NAME}" if (folder / "__init__.py").is_file() else NAME


class Spoken(NamedTuple):
    """A call that only speaks: where to find its function, and what it is given."""

    path: str
    arguments: list[ast.expr]
    exact: bool  #: False: a tensor that requires grad reads differently in eager mode


def emitted(node: ast.Call, facts: Facts) -> Fix | None:
    """The same call from inside the graph, with the tensor test around it if it has one."""
    line, statement, spoken = helper_import(facts.source.path), statement_of(node, facts), _spoken(node, facts)
    if line is None or statement is None or spoken is None or call_statement(statement) is not node:
        return None
    above = text_only_test(statement, facts)
    test = None if above is None else _tensor_test(above, statement, facts)
    if (above is None) != (test is None) or is_local(NAME, node, facts) or runs_once(node, facts):
        return None
    return Fix(
        title=TITLE,
        applicability=Applicability.SAFE if spoken.exact else Applicability.UNSAFE,
        edits=lambda site: (site.replace(above or statement, _emit(site, above or statement, test, spoken)),),
        caveat="" if spoken.exact else GRAD,
        imports=(line,),
    )


def _emit(site: Site, place: ast.stmt, test: Term | None, spoken: Spoken) -> str:
    first = [] if test is None else [test.code(site)]
    arguments = [*first, "__name__", quoted(spoken.path), *(site.argument(each) for each in spoken.arguments)]
    return call(f"{NAME}.emit" if test is None else f"{NAME}.emit_if", arguments, site.room(place))


def _tensor_test(node: ast.If, statement: ast.stmt, facts: Facts) -> Term | None:
    """The test of an `if` that does nothing else than `statement`, as one tensor."""
    found = condition(node.test, facts) if node.body == [statement] and not node.orelse else None
    return None if found is None or isinstance(found, Refusal) or found.static or found.tensor.doubt else found.tensor


def _spoken(node: ast.Call, facts: Facts) -> Spoken | None:
    """The call taken apart; None if the operator could not repeat it."""
    path = dotted(node.func)
    if path is None or node.keywords or is_local(path.partition(".")[0], node, facts):
        return None
    if not all(is_plain(each, facts) or _is_class(each, node, facts) for each in node.args):
        return None
    return Spoken(path, node.args, not any(facts.kinds(each) & TENSOR for each in node.args))


def is_plain(node: ast.expr, facts: Facts) -> bool:
    """True for what goes through an operator as it is: tensors, sizes, literals; text made of constants."""
    match node:
        case ast.JoinedStr(values=parts):
            return all(not isinstance(part, ast.FormattedValue) or _is_constant(part, facts) for part in parts)
        case ast.Starred() | ast.NamedExpr() | ast.Await() | ast.Yield():
            return False
    kinds = facts.kinds(node)
    return bool(kinds) and not kinds & ~EXACT


def _is_constant(part: ast.FormattedValue, facts: Facts) -> bool:
    kinds = facts.kinds(part.value)
    return isinstance(part.value, ast.Name | ast.Attribute) and bool(kinds) and not kinds & ~(CONSTANT | NONE)


def _is_class(node: ast.expr, around: ast.AST, facts: Facts) -> bool:
    """True for a class that the operator finds again by its name."""
    return isinstance(node, ast.Name) and facts.kinds(node) == FUNCTION and not is_local(node.id, around, facts)


class Raised(NamedTuple):
    """An exception that the operator raises exactly: class and message; and how to import the operator."""

    line: str
    kind: str
    text: str

    def call(self, test: str, room: int) -> str:
        return call(f"{NAME}.raise_if", [test, self.kind, quoted(self.text)], room)


def raised(error: ast.expr | None, around: ast.stmt, facts: Facts) -> Raised | None:
    """`ValueError("constant text")`, where the project wants the operator; None for anything else."""
    line = helper_import(facts.source.path) if facts.side_effects == "vendor" else None
    match error:
        case ast.Call(func=ast.Name(id=kind), args=[ast.Constant(value=str(text))], keywords=[]) if line is not None:
            local = is_local(NAME, around, facts) or is_local(kind, around, facts)
            return Raised(line, kind, text) if not local and _is_exception(kind, facts) else None
    return None


def _is_exception(name: str, facts: Facts) -> bool:
    """True for an exception class that the operator finds again: of Python, or at the top level of this file."""
    top = [statement for statement in facts.source.tree.body if getattr(statement, "name", None) == name]
    if top:
        return len(top) == 1 and isinstance(top[0], ast.ClassDef)
    found = getattr(builtins, name, None)
    return isinstance(found, type) and issubclass(found, Exception) and not _is_rebound(name, facts)


def _is_rebound(name: str, facts: Facts) -> bool:
    """True if the file gives the name of something built in another meaning."""
    return name in names_bound([each for each in facts.source.tree.body if not isinstance(each, ast.ClassDef)])
