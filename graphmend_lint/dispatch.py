"""Which rules to ask about a node: by its type, and about a call by the name of what it calls."""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterable, Sequence

from graphmend_lint.facts import Facts
from graphmend_lint.rule import Rule


class Dispatch:
    """The rules of one run. Calls are most of what there is to check, and few names concern any rule."""

    def __init__(self, rules: Iterable[Rule]) -> None:
        self.rules = tuple(rules)
        self._by_type: dict[type[ast.AST], list[Rule]] = {}
        self._by_name: dict[str | None, list[Rule]] = {}
        for rule in self.rules:
            for node_type in rule.node_types:
                self._by_type.setdefault(node_type, []).append(rule)
        self.types = frozenset(self._by_type)

    def of(self, node: ast.AST, facts: Facts) -> Sequence[Rule]:
        """The rules that may find something in `node`."""
        kind = type(node)
        if kind is not ast.Call:
            return self._by_type.get(kind, ())
        name = facts.value(node.func).name  # type: ignore[attr-defined]
        known = self._by_name.get(name)
        if known is None:
            known = self._by_name[name] = [each for each in self.of_type(ast.Call) if _concerns(each, name, facts)]
        return known

    def of_type(self, node_type: type[ast.AST]) -> Sequence[Rule]:
        """The rules that look at nodes of a type."""
        return self._by_type.get(node_type, ())

    def only(self, wanted: Callable[[Rule], bool]) -> Dispatch:
        """The same with the wanted rules only."""
        return Dispatch(each for each in self.rules if wanted(each))


def _concerns(rule: Rule, name: str | None, facts: Facts) -> bool:
    return rule.calls is None or (name is not None and rule.calls(name, facts))
