"""What becomes of code that only speaks to a person: the project's choice."""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING, Final

from graphmend_lint.model import Fix, Refusal
from graphmend_lint.rewrite.defer import defer, defer_if
from graphmend_lint.rewrite.once import once
from graphmend_lint.rewrite.vendored import emitted, helper_refusal
from graphmend_lint.shapes import call_statement

if TYPE_CHECKING:
    from graphmend_lint.facts import Facts

REPORTED: Final = Refusal("side-effects-reported", "the project asks to leave text as it is")


def keep(call: ast.Call, facts: Facts, caveat: str) -> Fix | Refusal:
    """The fix that the policy asks for; where that would not be exact, the call is kept for eager mode."""
    match facts.side_effects:
        case "report":
            return REPORTED
        case "once":
            return once(call, facts) or defer(call, facts, caveat)
        case "vendor":
            return helper_refusal(facts) or emitted(call, facts) or defer(call, facts, caveat)
    return defer(call, facts, caveat)


def keep_if(node: ast.If, facts: Facts, caveat: str) -> Fix | Refusal:
    """The same for a whole `if` that does nothing but speak."""
    match facts.side_effects:
        case "report":
            return REPORTED
        case "vendor":
            call = call_statement(node.body[0])
            return helper_refusal(facts) or (emitted(call, facts) if call else None) or defer_if(node, facts, caveat)
    return defer_if(node, facts, caveat)
