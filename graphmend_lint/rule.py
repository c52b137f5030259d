"""A rule: one graph-break pattern, its documentation, its check, and its fixer."""

from __future__ import annotations

import ast
import importlib.util
import pkgutil
import sys
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from functools import cache
from types import ModuleType, UnionType
from typing import TYPE_CHECKING, Any, NamedTuple, get_args

from graphmend_lint.deferred import BUILTINS
from graphmend_lint.model import Finding, Fix, Refusal

if TYPE_CHECKING:
    from graphmend_lint.facts import Facts

Check = Callable[[Any, "Facts"], Iterator[Finding]]
Fixer = Callable[[Any, "Facts"], "Fix | Refusal"]
Concerns = Callable[[str, "Facts"], bool]


class Option(NamedTuple):
    """A setting of one rule: a list of qualified names; or a word among `choices`, whose first is the default."""

    name: str  #: "functions"
    doc: str  #: one sentence, in Markdown
    choices: tuple[str, ...] = ()

    @property
    def default(self) -> str | tuple[str, ...]:
        return self.choices[0] if self.choices else ()


LEAST_SEVERITY = Option(
    "least-severity", 'with `"error"`, only what `fullgraph=True` rejects is reported', ("warning", "error")
)
COMMON = (LEAST_SEVERITY,)  #: every rule has these


@dataclass(eq=False, slots=True)
class Rule:
    """One graph-break pattern."""

    code: str  #: "GM101", for configuration and suppression comments
    name: str  #: "tensor-branch", for people
    graph_breaks: tuple[str, ...]  #: ids in torch._dynamo's graph-break registry
    node_types: tuple[type[ast.AST], ...]  #: what `check` is called with
    check: Check
    doc: str  #: the documentation page, in Markdown
    options: tuple[Option, ...] = ()  #: beside those that every rule has
    calls: Concerns | None = None  #: may a call of this qualified name be a finding? None: any call may
    fix: Fixer | None = field(default=None)

    def fixer(self, function: Fixer) -> Fixer:
        """Let the decorated function answer for this rule's findings: a fix, or the reason why not."""
        self.fix = function
        return function


def rule(
    code: str, *, graph_breaks: tuple[str, ...], options: tuple[Option, ...] = (), calls: Concerns | None = None
) -> Callable[[Check], Rule]:
    """Make the decorated check a rule, named and documented by its module.

    The annotation of the check's first parameter says which nodes it is called with. `calls` leaves out the calls
    whose name tells that they are none of the rule's business; it is asked once per name, not once per call.
    """

    def make(check: Check) -> Rule:
        module = sys.modules[check.__module__]
        hint = next(iter(check.__annotations__.values()))
        nodes = eval(hint, vars(module)) if isinstance(hint, str) else hint  # `get_type_hints` would take all of them
        node_types = get_args(nodes) if isinstance(nodes, UnionType) else (nodes,)
        name = module.__name__.rpartition(".")[2].replace("_", "-")
        return Rule(code, name, graph_breaks, node_types, check, module.__doc__ or "", options, calls)

    return make


@cache
def load_rules() -> dict[str, Rule]:
    """Import every file of `rules/` and collect its rules, by code.

    Raises:
        ValueError: if two rules share a code.
    """
    rules = importlib.import_module("graphmend_lint.rules")
    found: dict[str, Rule] = {}
    for info in pkgutil.iter_modules(rules.__path__, f"{rules.__name__}."):
        for value in vars(_imported(info.name)).values():
            if isinstance(value, Rule) and found.setdefault(value.code, value) is not value:
                raise ValueError(f"{value.code} is both {value.name} and {found[value.code].name}")
    return dict(sorted(found.items()))


def _imported(name: str) -> ModuleType:
    """The module of a rule; what its fixes are built from is loaded when it is called."""
    if name in sys.modules:
        return sys.modules[name]
    spec = importlib.util.find_spec(name)
    assert spec is not None, name
    assert spec.loader is not None, name
    module = sys.modules[name] = importlib.util.module_from_spec(spec)
    vars(module)["__builtins__"] = BUILTINS
    spec.loader.exec_module(module)
    return module
