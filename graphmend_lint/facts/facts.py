"""The questions a rule may ask. Every answer may be "unknown"."""

from __future__ import annotations

import ast
from collections.abc import Container, Mapping
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import TYPE_CHECKING

from graphmend_lint.facts.values import (
    CHOICE,
    CONSTANT,
    CONTAINER,
    DATA,
    NDARRAY,
    SCALAR,
    SYMBOLIC,
    SYMINT,
    TENSOR,
    UNKNOWN_VALUE,
    Kinds,
    Value,
    constant,
)
from graphmend_lint.model import Frame
from graphmend_lint.syntax import children

if TYPE_CHECKING:
    from graphmend_lint.facts.meta import Meta
    from graphmend_lint.facts.sites import CompileSite
    from graphmend_lint.project import FunctionNode
    from graphmend_lint.source import Source


@dataclass(eq=False, repr=False, slots=True)
class Table:
    """What the interpreter wrote down about one file."""

    values: dict[ast.expr, Value] = field(default_factory=dict)  #: expressions that Dynamo reaches
    dormant_values: dict[ast.expr, Value] = field(default_factory=dict)  #: reached only under a flag that is off
    mixed: set[ast.expr] = field(default_factory=set)  #: known in some runs, and in others not
    reached: dict[ast.stmt, tuple[Frame, ...]] = field(default_factory=dict)  #: statements, with a call chain
    dormant: set[ast.stmt] = field(default_factory=set)  #: reached only under a flag that is off by default
    functions: dict[FunctionNode, tuple[Frame, ...]] = field(default_factory=dict)  #: region functions and their chain

    def clear(self) -> None:
        """Forget everything."""
        for each in (self.values, self.dormant_values, self.mixed, self.reached, self.dormant, self.functions):
            each.clear()


class Facts:
    """Everything inferred about the regions of one file."""

    side_effects: str = "print-op"  #: what fixes make of text, from the settings
    print_op: bool = True  #: the oldest torch that the code must run on has the print operator

    lasting: bool = False  #: asked again when all files are known
    listed: Mapping[str, tuple[str, ...]] = MappingProxyType({})  #: names by option, "log-call.functions"

    def __init__(self, source: Source, table: Table) -> None:
        self.source = source
        self._table = table
        self._parents: dict[ast.AST, ast.AST] = {}
        self._calls: list[ast.Call] | None = None
        self.torch_names: dict[ast.AST | None, str | None] = {}  #: what torch is called, by function
        self.metas: dict[tuple[ast.expr, int], Meta] = {}  #: what `meta` found, by node and depth
        self.sites: tuple[CompileSite, ...] = ()  #: where the file hands something to torch.compile
        self.whole: frozenset[FunctionNode] = frozenset()  #: functions compiled with `fullgraph=True`, and only so

    def let_go(self) -> None:
        """Forget everything. What rules remember of a file may refer to these facts, and these facts to it."""
        self._table.clear()
        for each in (self._parents, self.torch_names, self.metas):
            each.clear()
        self._calls = None

    def value(self, node: ast.expr) -> Value:
        """The abstract value of an expression; UNKNOWN where Dynamo never gets or nothing is known."""
        if isinstance(node, ast.Constant):
            return constant(node.value)
        value = self._table.values.get(node)
        return self._table.dormant_values.get(node, UNKNOWN_VALUE) if value is None else value

    def kinds(self, node: ast.expr) -> Kinds:
        return self.value(node).kinds

    def may_be_other(self, node: ast.expr) -> bool:
        """True if the value is known on some paths that lead here, and unknown on others."""
        return node in self._table.mixed

    def is_tensor(self, node: ast.expr) -> bool:
        """True if the value may be a tensor (or an array that is traced as one), and is not unknown."""
        return bool(self.kinds(node) & (TENSOR | NDARRAY))

    def is_scalar(self, node: ast.expr) -> bool:
        """True if the value may be a Python number read out of a tensor."""
        return bool(self.kinds(node) & SCALAR)

    def is_data(self, node: ast.expr) -> bool:
        """True if the value may hold data that is known only when the graph runs."""
        return bool(self.kinds(node) & DATA)

    def nodes(self, types: Container[type[ast.AST]]) -> list[ast.AST]:
        """Every statement and expression of some types that Dynamo may evaluate, in no particular order."""
        dormant = self._table.dormant
        found: list[ast.AST] = [each for each in self._table.reached if type(each) in types and each not in dormant]
        found += [each for each in self._table.values if type(each) in types]
        return found

    def calls(self) -> list[ast.Call]:
        """Every call that Dynamo may evaluate, in no particular order."""
        if self._calls is None:
            self._calls = [each for each in self._table.values if isinstance(each, ast.Call)]
        return self._calls

    def reached(self, node: ast.stmt) -> bool:
        """True if Dynamo may trace this statement, with no flag that is off by default in between."""
        return node in self._table.reached and node not in self._table.dormant

    def met(self, node: ast.stmt) -> bool:
        """True if Dynamo may trace this statement, perhaps only once a flag that is off by default is turned on."""
        return node in self._table.reached

    def resolve(self, node: ast.expr) -> str | None:
        """Qualified name of what an expression refers to outside the project: "torch.any", "builtins.print".

        Methods of known classes are named after the class: "torch.Tensor.sum", "logging.Logger.info".
        """
        name = self.value(node).name
        return None if name == CHOICE else name

    def lists(self, option: str, name: str | None) -> bool:
        """True if the settings list a qualified name under an option; `a.b.*` stands for all below `a.b`."""
        if name is None or option not in self.listed:
            return False
        name = name.replace("()", "")  # a method of what a call made
        return any(name.startswith(each[:-1]) if each.endswith(".*") else name == each for each in self.listed[option])

    def needs_data(self, test: ast.expr) -> bool:
        """True if Dynamo must read data right here to know the truth of `test`.

        A number that an earlier statement read (`n = t.item()`) is not read again: the reading is the break, and
        rules report it there.
        """
        match test:
            case ast.BoolOp(values=values):
                return any(self.needs_data(value) for value in values)
            case ast.UnaryOp(op=ast.Not(), operand=operand):
                return self.needs_data(operand)
        value = self.value(test)
        if value.kinds & (TENSOR | NDARRAY) or value.traits & SYMBOLIC:
            return True
        return bool(value.kinds & SCALAR) and self._takes_tensor(test)

    def _takes_tensor(self, test: ast.expr) -> bool:
        """True if a tensor stands in the expression, other than for its shape or what else is known while tracing."""
        rest: list[ast.AST] = [test]
        while rest:
            node = rest.pop()
            if isinstance(node, ast.expr) and self.is_tensor(node):
                return True
            known = CONSTANT | SYMINT | (CONTAINER if isinstance(node, ast.Attribute) else 0)
            if not isinstance(node, ast.expr) or self.kinds(node) & ~known:
                rest.extend(children(node))
        return False

    def chain(self, node: ast.AST) -> tuple[Frame, ...]:
        """How Dynamo gets to the function around `node`: entry point first."""
        row = getattr(node, "lineno", 0)
        around = [f for f in self._table.functions if f.lineno <= row <= (f.end_lineno or f.lineno)]
        return self._table.functions[max(around, key=lambda f: f.lineno)] if around else ()

    def parent(self, node: ast.AST) -> ast.AST | None:
        """The node around `node`. Links are made when asked for, one top-level definition at a time."""
        found = self._parents.get(node)
        if found is None and hasattr(node, "lineno"):
            self._link(self.source.tree, node.lineno)
            found = self._parents.get(node)
        return found

    def _link(self, above: ast.Module | ast.ClassDef, row: int) -> None:
        """Note the parents of everything inside the statement of `above` that stands on a row."""
        for statement in above.body:
            first = min((d.lineno for d in getattr(statement, "decorator_list", ())), default=statement.lineno)
            if not first <= row <= (statement.end_lineno or first):
                continue
            self._parents[statement] = above
            if isinstance(statement, ast.ClassDef) and row >= statement.body[0].lineno - 1:
                self._link(statement, row)
            else:
                self._link_below(statement)

    def _link_below(self, statement: ast.stmt) -> None:
        stack: list[ast.AST] = [statement]
        while stack:
            node = stack.pop()
            below = children(node)
            stack += below
            for each in below:
                self._parents[each] = node

    def function(self, node: ast.AST) -> ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda | None:
        """The innermost function around `node`."""
        while (above := self.parent(node)) is not None:
            if isinstance(above, ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda):
                return above
            node = above
        return None

    def enters(self, functions: frozenset[FunctionNode]) -> bool:
        """True if the file holds some of these functions."""
        return not self._table.functions.keys().isdisjoint(functions)

    def among(self, functions: frozenset[FunctionNode], node: ast.AST) -> bool:
        """True if the code around `node` runs in one of these functions."""
        function = self.function(node)
        while function is not None and function not in functions:
            function = self.function(function) if isinstance(function, ast.Lambda) else None
        return function is not None

    def text(self, node: ast.expr | ast.stmt) -> str:
        """The source of `node`, as written."""
        return self.source.segment(node)
