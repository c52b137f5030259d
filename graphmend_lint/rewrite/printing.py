"""`print(...)` as `torch._higher_order_ops.print(format, ...)`, which stays in the graph and prints the same text."""

from __future__ import annotations

import ast
import re
import string
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Final

from graphmend_lint.facts.meta import meta
from graphmend_lint.facts.reaching import definition
from graphmend_lint.facts.values import CONSTANT, MISSING, NONE, SYMINT, TENSOR
from graphmend_lint.model import Applicability, Edit, Fix
from graphmend_lint.rewrite.cached import runs_once
from graphmend_lint.rewrite.callers import stored_as
from graphmend_lint.rewrite.imports import torch_name
from graphmend_lint.rewrite.template import call, quoted
from graphmend_lint.shapes import assignment, bound_in, call_statement, dotted, names_bound

if TYPE_CHECKING:
    from graphmend_lint.facts import Facts
    from graphmend_lint.rewrite.site import Site

GRAD: Final = "A tensor that requires grad is printed without its `grad_fn` when compiled."
WORDS: Final = {"builtins.str": "!s", "builtins.repr": "!r"}
PERCENT: Final = re.compile(r"(%%|%[sr])")
CONVERSIONS: Final = {-1: "", 115: "!s", 114: "!r", 97: "!a"}


@dataclass
class Text:
    """A format string, and the expressions that fill it."""

    format: str = ""
    values: list[ast.expr] = field(default_factory=list)
    exact: bool = True  #: False: a tensor that requires grad reads differently in eager mode

    def literal(self, text: str) -> None:
        self.format += text.replace("{", "{{").replace("}", "}}")

    def value(self, node: ast.expr, spec: str, facts: Facts) -> bool:
        """Add a field; False if the operator would not print it the same."""
        read = _item(node, facts)
        if read is not None:
            if "!" in spec.replace("!s", ""):
                return False
            node, spec = read, spec.replace("!s", "")
        number = read is not None or (not spec.startswith("!") and meta(node, facts).is_0d)
        self.exact &= number or not facts.kinds(node) & TENSOR
        self.format += "{" + spec + "}"
        self.values.append(node)
        return _printable(node, facts)


def print_op(statement: ast.Expr, facts: Facts) -> Fix | None:
    """The same text by the print operator; None unless it is certain to print the same."""
    node, torch = call_statement(statement), torch_name(facts, statement)
    if node is None or torch is None or facts.function(node) is None or runs_once(node, facts):
        return None
    text = message(node, facts)
    if text is None or not isinstance(node.func, ast.Name | ast.Attribute):
        return None
    return Fix(
        title="Print with `torch._higher_order_ops.print`",
        applicability=Applicability.SAFE if text.exact else Applicability.UNSAFE,
        edits=lambda site: (_edit(site, statement, torch, text),),
        caveat="" if text.exact else GRAD,
        imports=("torch",),
    )


def _edit(site: Site, statement: ast.Expr, torch: str, text: Text) -> Edit:
    arguments = [quoted(text.format), *(site.argument(value) for value in text.values)]
    return site.replace(statement, call(f"{torch}._higher_order_ops.print", arguments, site.room(statement)))


def _item(node: ast.expr, facts: Facts) -> ast.expr | None:
    """The 0-dim tensor that `node` reads a number from: formatted without a conversion, it reads as the number."""
    match node:
        case ast.Call(func=ast.Attribute(value=tensor), args=[]) if facts.resolve(node.func) == "torch.Tensor.item":
            return tensor if facts.kinds(tensor) == TENSOR and meta(tensor, facts).is_0d else None
    return None


def _printable(node: ast.expr, facts: Facts) -> bool:
    """True for what the operator takes: tensors, numbers, strings, None; not tuples, sizes, lists, dicts, classes."""
    kinds, const = facts.kinds(node), facts.value(node).const
    known = bool(kinds) and not kinds & ~(TENSOR | CONSTANT | SYMINT | NONE)
    plain = const is MISSING or const is None or type(const) in (bool, int, float, str)
    return known and plain and not any(_is_refused(each, facts) for each in _may_be(node, facts))


def _may_be(node: ast.expr, facts: Facts) -> list[ast.expr]:
    """What a name or an attribute of `self` was given; else the expression itself."""
    function = facts.function(node)
    match node:
        case ast.Name(id=name):
            given = definition(node, facts).value
            found = [given] if given is not None else [] if bound_in(function, name) else _global(name, facts)
        case ast.Attribute(value=ast.Name(id="self"), attr=name):
            cls = facts.parent(function) if function is not None else None
            found = stored_as(name, cls) if isinstance(cls, ast.ClassDef) else []
        case _:
            found = []
    return found or [node]


def _global(name: str, facts: Facts) -> list[ast.expr]:
    """What a name of the file is given at its top level."""
    statements = [each for each in facts.source.tree.body if name in names_bound([each])]
    return [parts.value for each in statements if (parts := assignment(each))]


def _is_refused(node: ast.expr, facts: Facts) -> bool:
    """True for constants that the operator does not take: classes, `type(x)`, and bytes."""
    match node:
        case ast.Call(func=func):
            return (facts.resolve(func) or dotted(func)) in ("builtins.type", "type")
        case ast.Attribute(attr=name):
            return name == "__class__"
        case ast.Constant(value=value):
            return value is not None and type(value) not in (bool, int, float, str)
    return False


def message(node: ast.Call, facts: Facts) -> Text | None:
    """What `print(...)` says; None if that is not plain."""
    separator = " "
    for word in node.keywords:
        if word.arg != "sep" or not isinstance(word.value, ast.Constant) or not isinstance(word.value.value, str):
            return None
        separator = word.value.value
    return joined(node.args, separator, facts)


def joined(arguments: list[ast.expr], separator: str, facts: Facts) -> Text | None:
    """The text of some expressions, one after the other; None if that is not plain."""
    text = Text()
    for index, argument in enumerate(arguments):
        if index:
            text.literal(separator)
        if not _add(text, argument, facts):
            return None
    return text


def _add(text: Text, node: ast.expr, facts: Facts) -> bool:
    """Add what `print` makes of one argument; False if the operator might print it otherwise."""
    match node:
        case ast.Constant(value=value):
            text.literal(str(value))
        case ast.JoinedStr(values=values):
            return all(_add_field(text, part, facts) for part in values)
        case ast.Call(func=ast.Attribute(value=ast.Constant(value=str(pattern)), attr="format"), keywords=[]):
            return _add_format(text, pattern, node.args, facts)
        case ast.Call(args=[value], keywords=[]) if facts.resolve(node.func) in WORDS:
            return _is_value(value) and text.value(value, WORDS[facts.resolve(node.func) or ""], facts)
        case ast.BinOp(left=ast.Constant(value=str(pattern)), op=ast.Mod(), right=right):
            return _add_percent(text, pattern, right.elts if isinstance(right, ast.Tuple) else [right], facts)
        case ast.Starred() | ast.NamedExpr() | ast.Await() | ast.Yield():
            return False
        case _:
            return text.value(node, "!s", facts)
    return True


def _add_field(text: Text, part: ast.expr, facts: Facts) -> bool:
    match part:
        case ast.Constant(value=str(value)):
            text.literal(value)
            return True
        case ast.FormattedValue(value=value, conversion=conversion, format_spec=spec):
            written = _spec(spec)
            if written is None or isinstance(value, ast.NamedExpr | ast.Await | ast.Yield | ast.JoinedStr):
                return False
            return text.value(value, CONVERSIONS[conversion] + (f":{written}" if written else ""), facts)
    return False


def _add_format(text: Text, pattern: str, values: list[ast.expr], facts: Facts) -> bool:
    """Add `"{} of {:d}".format(...)`; False unless its fields are in order."""
    left = iter(values)
    for literal, name, spec, conversion in string.Formatter().parse(pattern):
        text.literal(literal)
        if name is None:
            continue
        value = next(left, None)
        if name or value is None or "{" in (spec or "") or not _is_value(value):
            return False
        mark = f"!{conversion}" if conversion else ""
        if not text.value(value, mark + (f":{spec}" if spec else ""), facts):
            return False
    return next(left, None) is None


def _add_percent(text: Text, pattern: str, values: list[ast.expr], facts: Facts) -> bool:
    """Add `"%s of %r" % (...)`; False if it has any marks but `%s` and `%r`."""
    left = iter(values)
    for part in PERCENT.split(pattern):
        if part in ("%s", "%r"):
            value = next(left, None)
            if value is None or not _is_value(value) or not text.value(value, f"!{part[1]}", facts):
                return False
        elif "%" in part.replace("%%", ""):
            return False
        else:
            text.literal(part.replace("%%", "%"))
    return next(left, None) is None


def _is_value(node: ast.expr) -> bool:
    return not isinstance(node, ast.Starred | ast.NamedExpr | ast.Await | ast.Yield | ast.YieldFrom)


def _spec(node: ast.expr | None) -> str | None:
    """The format spec, if it is constant."""
    if node is None:
        return ""
    if isinstance(node, ast.JoinedStr) and all(isinstance(part, ast.Constant) for part in node.values):
        return "".join(str(part.value) for part in node.values if isinstance(part, ast.Constant))
    return None
