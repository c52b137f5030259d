"""Text and exceptions from operators of a module that the user's package carries: exact, compiled or not."""

from __future__ import annotations

import ast
import builtins
from functools import lru_cache
from pathlib import Path
from typing import TYPE_CHECKING, Final, NamedTuple

from graphmend_lint.facts.effects import effects
from graphmend_lint.facts.reaching import statement_of
from graphmend_lint.facts.values import CONSTANT, FUNCTION, NONE, SYMINT, TENSOR
from graphmend_lint.model import Applicability, Fix, Refusal
from graphmend_lint.rewrite.cached import runs_once
from graphmend_lint.rewrite.defer import text_only_test
from graphmend_lint.rewrite.once import is_local
from graphmend_lint.rewrite.predicate import condition
from graphmend_lint.rewrite.printing import GRAD, Text, joined
from graphmend_lint.rewrite.template import call, quoted
from graphmend_lint.rewrite.term import Term
from graphmend_lint.shapes import call_statement, dotted, names_bound
from graphmend_lint.syntax import walk

if TYPE_CHECKING:
    from graphmend_lint.facts import Facts
    from graphmend_lint.rewrite.site import Site

NAME: Final = "_compiled_effects"
EXACT: Final = TENSOR | SYMINT | CONSTANT | NONE
EARLY: Final = "What the text shows is computed always, and may raise where it was skipped before."
TITLE: Final = "Say it from inside the graph"


def helper_refusal(facts: Facts) -> Refusal | None:
    """Why nothing can be fixed, if the module that fixes call has not been written yet; else None."""
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
    text: Text | None  #: the first argument, where tensors are written into it
    arguments: list[ast.expr]  #: the others
    keywords: list[ast.keyword]

    @property
    def values(self) -> list[ast.expr]:
        return [*(self.text.values if self.text else ()), *self.arguments]

    @property
    def named(self) -> list[ast.keyword]:
        """Keywords that are given on: between the parts of one text there is nothing left to put."""
        return [word for word in self.keywords if self.text is None or word.arg != "sep"]

    def exact(self, facts: Facts) -> bool:
        """False if a tensor that requires grad reads differently in eager mode."""
        return (self.text is None or self.text.exact) and not any(facts.kinds(each) & TENSOR for each in self.arguments)


def emitted(node: ast.Call, facts: Facts) -> Fix | None:
    """The same call from inside the graph, with the tensor test around it if it has one."""
    line, statement, spoken = helper_import(facts.source.path), statement_of(node, facts), _spoken(node, facts)
    if line is None or statement is None or spoken is None or call_statement(statement) is not node:
        return None
    above = text_only_test(statement, facts)
    test = None if above is None else _tensor_test(above, statement, facts)
    if (above is None) != (test is None) or is_local(NAME, node, facts) or runs_once(node, facts):
        return None
    early = _early(spoken.values, facts) if test is not None else ""
    if early is None:
        return None
    doubt = early or ("" if spoken.exact(facts) else GRAD)
    return Fix(
        title=TITLE,
        applicability=Applicability.UNSAFE if doubt else Applicability.SAFE,
        edits=lambda site: (site.replace(above or statement, _emit(site, above or statement, test, spoken)),),
        caveat=doubt,
        imports=(line,),
    )


def _early(values: list[ast.expr], facts: Facts) -> str | None:
    """What may change now that values are always computed; "" if nothing does, None if computing has an effect."""
    found = [effects(each, facts) for each in values]
    if any(each.refusal is not None for each in found):
        return None
    return "" if all(each.total for each in found) else EARLY


def _emit(site: Site, place: ast.stmt, test: Term | None, spoken: Spoken) -> str:
    arguments = [] if test is None else [test.code(site)]
    arguments += ["__name__", quoted(spoken.path)]
    if spoken.text is not None:
        values = ", ".join(map(site.argument, spoken.text.values))
        arguments += [quoted(spoken.text.format), f"({values}{',' if len(spoken.text.values) == 1 else ''})"]
    arguments += [site.argument(each) for each in spoken.arguments]
    arguments += [f"{word.arg}={_keyword(site, word)}" for word in spoken.named]
    function = ("emit" if spoken.text is None else "emit_text") + ("" if test is None else "_if")
    return call(f"{NAME}.{function}", arguments, site.room(place))


def _keyword(site: Site, word: ast.keyword) -> str:
    """A file goes by its name, since an operator takes no objects."""
    return quoted(site.code(word.value)) if word.arg == "file" else site.argument(word.value)


def _tensor_test(node: ast.If, statement: ast.stmt, facts: Facts) -> Term | None:
    """The test of an `if` that does nothing else than `statement`, as one tensor."""
    found = condition(node.test, facts, chooses=False) if node.body == [statement] and not node.orelse else None
    return None if found is None or isinstance(found, Refusal) or found.static or found.tensor.doubt else found.tensor


def _spoken(node: ast.Call, facts: Facts) -> Spoken | None:
    """The call taken apart; None if the operator could not repeat it."""
    path = dotted(node.func)
    if path is None or is_local(path.partition(".")[0], node, facts):
        return None
    if not all(_is_repeated(word, node, facts) for word in node.keywords) or (is_warning(path) and len(node.args) > 2):
        return None
    if all(is_plain(each, facts) or _is_class(each, node, facts) for each in node.args):
        return Spoken(path, None, node.args, node.keywords)
    return _filled(node, path, facts)


def _filled(node: ast.Call, path: str, facts: Facts) -> Spoken | None:
    """The call of a text with tensors in it: all that `print` is given, or the first argument of others."""
    prints = facts.resolve(node.func) == "builtins.print"
    first, others = (node.args, []) if prints else (node.args[:1], node.args[1:])
    between = next((word.value for word in node.keywords if word.arg == "sep"), None)
    separator = between.value if isinstance(between, ast.Constant) else " "
    if not isinstance(separator, str) or not all(
        is_plain(each, facts) or _is_class(each, node, facts) for each in others
    ):
        return None
    text = joined(first, separator, facts)
    return Spoken(path, text, others, node.keywords) if text is not None and text.values else None


def _is_repeated(word: ast.keyword, node: ast.Call, facts: Facts) -> bool:
    """True for a keyword that an operator passes on as it is."""
    match word:
        case ast.keyword(arg="sep" | "end" | "flush" | "stacklevel", value=ast.Constant()):
            return True
        case ast.keyword(arg="category"):
            return _is_class(word.value, node, facts)
        case ast.keyword(arg="extra", value=ast.Dict(keys=keys, values=values)):
            return all(isinstance(each, ast.Constant) for each in (*keys, *values))
        case ast.keyword(arg="file", value=value):
            path = dotted(value)
            return path is not None and not is_local(path.partition(".")[0], node, facts)
    return False


def is_warning(path: str) -> bool:
    """True for `warnings.warn`, whose third argument says what its place is."""
    return path.rpartition(".")[2] == "warn"


def is_plain(node: ast.expr, facts: Facts) -> bool:
    """True for what goes through an operator as it is: tensors, sizes, literals; text made of constants."""
    match node:
        case ast.JoinedStr(values=parts):
            return all(not isinstance(part, ast.FormattedValue) or _is_constant(part, facts) for part in parts)
        case ast.Starred() | ast.NamedExpr() | ast.Await() | ast.Yield():
            return False
    kinds = facts.kinds(node)
    return bool(kinds) and not kinds & ~EXACT and (bool(kinds & TENSOR) or not _reads_tensor(node, facts))


def _reads_tensor(node: ast.expr, facts: Facts) -> bool:
    """True for text that a tensor's value is written into: the graph does not know it."""
    if not isinstance(node, ast.Call | ast.BinOp):
        return False
    return any(facts.kinds(each) & TENSOR for each in walk(node) if isinstance(each, ast.Name | ast.Call))


def _is_constant(part: ast.FormattedValue, facts: Facts) -> bool:
    kinds = facts.kinds(part.value)
    return isinstance(part.value, ast.Name | ast.Attribute) and bool(kinds) and not kinds & ~(CONSTANT | NONE)


def _is_class(node: ast.expr, around: ast.AST, facts: Facts) -> bool:
    """True for a class that the operator finds again by its name."""
    return isinstance(node, ast.Name) and facts.kinds(node) == FUNCTION and not is_local(node.id, around, facts)


class Raised(NamedTuple):
    """An exception that the operator raises exactly: class and message; and how to import the operator."""

    line: str
    kind: str  #: the class; "" for an assertion
    text: Text
    doubt: str  #: one sentence: what may be other than it was; "" for nothing

    def call(self, test: str, site: Site, room: int) -> str:
        plain = self.text.format if self.text.values else self.text.format.format()
        told = [quoted(plain), *map(site.argument, self.text.values)]
        return (
            call(f"{NAME}.raise_if", [test, self.kind, *told], room) if self.kind else self._assertion(test, told, room)
        )

    def _assertion(self, test: str, told: list[str], room: int) -> str:
        return call(f"{NAME}.assert_that", [test, *told], room)


def raised(error: ast.expr | None, around: ast.stmt, facts: Facts) -> Raised | None:
    """`ValueError("text")`, where the project wants the operator; None for anything else."""
    match error:
        case ast.Call(
            func=ast.Name(id=kind),
            args=[ast.Constant(value=str()) | ast.JoinedStr() | ast.Call() | ast.BinOp() as text],
            keywords=[],
        ):
            known = not is_local(kind, around, facts) and _is_exception(kind, facts)
            return _raised(kind, text, around, facts) if known else None
    return None


def asserted(node: ast.Assert, facts: Facts) -> Raised | None:
    """The same for `assert ..., "text"`."""
    return _raised("", node.msg, node, facts) if node.msg is not None else None


def _raised(kind: str, message: ast.expr, around: ast.stmt, facts: Facts) -> Raised | None:
    """The exception by the operator. The values in its message are computed always, not only when it is raised."""
    line = helper_import(facts.source.path) if facts.side_effects == "vendor" else None
    text = joined([message], "", facts) if line is not None and not is_local(NAME, around, facts) else None
    early = None if text is None else _early(text.values, facts)
    if line is None or text is None or early is None:
        return None
    return Raised(line, kind, text, early or ("" if text.exact else GRAD))


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
