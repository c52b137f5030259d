"""What a docstring says about parameters that have no annotation: `lengths (torch.LongTensor): ...`, `x : Tensor`."""

from __future__ import annotations

import ast
import re
from typing import Final

from graphmend_lint.project import FunctionNode
from graphmend_lint.syntax import kept

#: a parameter and the one thing that it is; not `Tensor or None`, not `list of Tensor`
TENSOR_LINE: Final = (
    r"(?m)^[ \t]*\*{0,2}(\w+)[ \t]*(?:\(|:[ \t]+)`{0,2}(?:torch\.)?(?:Float|Long|Int|Bool)?Tensor`{0,2}"
    r"(?=[ \t]*(?:\)|,|:|\(|\.?[ \t]*$|of (?:shape|size)))"
)
#: where the words for what comes back begin
RESULTS: Final = r"(?m)^[ \t]*(?:Returns?|Yields?|Outputs?)[ \t]*:?[ \t]*$"


@kept(4096)
def tensors(node: FunctionNode) -> frozenset[str]:
    """The parameters that the docstring of a function says are tensors."""
    first = node.body[0] if not isinstance(node, ast.Lambda) and node.body else None
    match first:
        case ast.Expr(value=ast.Constant(value=str(text))) if "Tensor" in text:
            results = re.search(RESULTS, text)
            given = text[: results.start()] if results is not None else text
            return frozenset(match[1] for match in re.finditer(TENSOR_LINE, given))
    return frozenset()
