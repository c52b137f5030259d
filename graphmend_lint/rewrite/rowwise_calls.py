"""Calls, as `rowwise` sees them: modules, by the expressions that made them, and functions of the file."""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING, Final

from graphmend_lint.facts.meta import words
from graphmend_lint.project import imported_names
from graphmend_lint.rewrite.callers import method_of, stored_as
from graphmend_lint.rewrite.imports import module_statements
from graphmend_lint.rewrite.module_lists import makers
from graphmend_lint.rewrite.rowwise_ops import ALONG, ELEMENTWISE, REDUCE, elementwise, function, is_true, method
from graphmend_lint.rewrite.rowwise_values import (
    INDEX,
    NUMBER,
    PLAIN,
    Count,
    Env,
    Frame,
    NotRowWise,
    Rows,
    Seen,
    Sizes,
    is_plain,
    joined,
    plain_of,
)
from graphmend_lint.shapes import dotted

if TYPE_CHECKING:
    from graphmend_lint.rewrite.rowwise import RowWise

MODULES: Final = words("""
    Linear Conv1d Conv2d Conv3d ConvTranspose1d ConvTranspose2d ConvTranspose3d LayerNorm RMSNorm GroupNorm
    AdaptiveAvgPool1d AdaptiveAvgPool2d AdaptiveAvgPool3d AdaptiveMaxPool1d AdaptiveMaxPool2d AvgPool1d AvgPool2d
    AvgPool3d MaxPool1d MaxPool2d MaxPool3d Upsample PixelShuffle
""")
ACTIVATIONS: Final = words("""
    Identity ReLU ReLU6 LeakyReLU ELU SELU CELU GELU SiLU Mish Sigmoid LogSigmoid Tanh Hardtanh Hardsigmoid Hardswish
    Softplus Softsign PReLU
""")
ANY_RANK_MODULES: Final = words("Linear LayerNorm RMSNorm Dropout AlphaDropout")
NOTED: Final = dict.fromkeys(words("BatchNorm1d BatchNorm2d BatchNorm3d SyncBatchNorm"), "batch") | dict.fromkeys(
    words("Dropout Dropout1d Dropout2d Dropout3d AlphaDropout FeatureAlphaDropout"), "random"
)
HARMLESS: Final = words("len int float bool str max min abs range tuple list isinstance hasattr getattr round sum")


SHAPES: Final = words("size dim numel view reshape")


def call(node: ast.Call, run: RowWise, frame: Frame) -> Seen:
    """The value of a call."""
    if any(isinstance(each, ast.Starred) for each in node.args) or any(word.arg is None for word in node.keywords):
        raise NotRowWise(node)
    match node.func:
        case ast.Name() | ast.Subscript() if made := _held(node.func, run, frame):
            return _any_of(made, node, run, frame)
        case ast.Attribute(value=ast.Name(id="self"), attr=name) if frame.cls is not None:
            return _own(name, node, run, frame)
        case ast.Attribute(value=value, attr=name):
            full = torch_function(node.func, run)
            if full is not None:
                return function(full.rpartition(".")[2], full, node.args, node, run, frame)
            owner = run.eval(value, frame)
            if name == "expand" and is_plain(owner) and not node.keywords:
                return _expanded([run.eval(each, frame) for each in node.args])
            if isinstance(owner, Rows | Sizes) or owner is INDEX:
                return method(name, owner, node, run, frame)
            return _plain_call(node, owner, run, frame)
        case ast.Name(id=name):
            return _named(name, node, run, frame)
    raise NotRowWise(node)


def _expanded(sizes: list[Seen]) -> Seen:
    """The value of `x.expand(n, 3)`: rows, all of them the same, if `n` is the number of rows."""
    if all(map(is_plain, sizes)):
        return PLAIN
    first, *rest = sizes
    if not isinstance(first, Count) or not all(map(is_plain, rest)):
        raise NotRowWise("expanded by the number of rows")
    return Rows(len(sizes), first.exact, shared=True)


def _named(name: str, node: ast.Call, run: RowWise, frame: Frame) -> Seen:
    if name == "len" and len(node.args) == 1:
        value = run.eval(node.args[0], frame)
        if isinstance(value, Rows | Sizes) or value is INDEX:
            return Count(value.exact) if isinstance(value, Rows) else Count(True) if value is INDEX else NUMBER
    full = torch_function(node.func, run)
    if full is not None:
        return function(full.rpartition(".")[2], full, node.args, node, run, frame)
    found = _top(name, run)
    if isinstance(found, ast.FunctionDef) and not found.decorator_list:
        return _enter(found, node, None, run, frame, bound=False)
    if name in HARMLESS and name not in frame.names and found is None:
        return _plain_call(node, PLAIN, run, frame)
    raise NotRowWise(node)


# Modules and functions of the file


def _own(name: str, node: ast.Call, run: RowWise, frame: Frame) -> Seen:
    """`self.name(...)`."""
    assert frame.cls is not None
    method = method_of(frame.cls, name)
    if method is not None:
        plain = {getattr(each, "id", "") for each in method.decorator_list}
        if plain - {"staticmethod"}:
            raise NotRowWise(node)
        return _enter(method, node, frame.cls, run, frame, bound="staticmethod" not in plain)
    made = stored_as(name, frame.cls)
    if not made:
        raise NotRowWise(node)
    if "act" in name and all(map(_is_chosen, made)):
        run.notes.add("activation")
        return elementwise([run.eval(each, frame) for each in node.args])
    return _any_of(made, node, run, frame)


def _held(called: ast.Name | ast.Subscript, run: RowWise, frame: Frame) -> list[ast.expr]:
    """What makes the elements of a `ModuleList`, if one of them is called."""
    return makers(called, frame.cls, lambda each: torch_function(each, run), run.facts) if frame.cls else []


def _any_of(made: list[ast.expr], node: ast.Call, run: RowWise, frame: Frame) -> Seen:
    """What calling one of several modules gives."""
    values = [module_value(each, node, run, frame) for each in made]
    found = values[0]
    for other in values[1:]:
        found = joined(found, other)
    return found


def _is_chosen(made: ast.expr) -> bool:
    """True for `ACTIVATIONS[config.act]` and `get_activation(config.act)`: the code does not say which function."""
    return isinstance(made, ast.Subscript) or (isinstance(made, ast.Call) and isinstance(made.func, ast.Name))


def module_value(made: ast.expr, node: ast.Call, run: RowWise, frame: Frame) -> Seen:
    """What calling a module gives, by the expression that made it."""
    if isinstance(made, ast.IfExp):
        return joined(module_value(made.body, node, run, frame), module_value(made.orelse, node, run, frame))
    if not isinstance(made, ast.Call):
        raise NotRowWise(node)
    if isinstance(made.func, ast.Name) and isinstance(cls := _top(made.func.id, run), ast.ClassDef):
        forward = method_of(cls, "forward")
        if forward is None or method_of(cls, "__call__") is not None or forward.decorator_list:
            raise NotRowWise(node)
        return _enter(forward, node, cls, run, frame, bound=True)
    values = [run.eval(each, frame) for each in node.args]
    if len(values) != 1 or node.keywords:
        raise NotRowWise(node)
    return _of_torch(made, values[0], run)


def _of_torch(made: ast.expr, value: Seen, run: RowWise) -> Seen:
    """What a module of torch makes of one argument."""
    full = torch_function(made.func, run) if isinstance(made, ast.Call) else None
    last = (full or "").removeprefix("torch.nn.")
    if not isinstance(made, ast.Call) or not (isinstance(value, Rows) or is_plain(value)):
        raise NotRowWise(made)
    if last == "Sequential" and not made.keywords:
        for each in made.args:
            value = _of_torch(each, value, run)
        return value
    if last not in MODULES | ACTIVATIONS | NOTED.keys() and (last != "Flatten" or made.args or made.keywords):
        raise NotRowWise(made)
    if not isinstance(value, Rows):
        return value
    if run.masked and last not in ACTIVATIONS | ANY_RANK_MODULES:
        raise NotRowWise(made)
    if last in NOTED:
        run.notes.add(NOTED[last])
    told = [*made.args, *(word.value for word in made.keywords if word.arg == "inplace")]
    changed = any(map(is_true, told))
    if last in ACTIVATIONS or last in NOTED:
        run.copies |= changed and value.shared
        return value._replace(shared=value.shared and (changed or last == "Identity" or "Dropout" in last))
    return Rows(2 if last == "Flatten" else value.rank, value.exact, last == "Flatten" and value.shared, value.placed)


def _enter(
    called: ast.FunctionDef, node: ast.Call, cls: ast.ClassDef | None, run: RowWise, frame: Frame, *, bound: bool
) -> Seen:
    """What a function of this file returns."""
    signature = called.args
    if run.depth >= 5 or signature.vararg or signature.kwarg or signature.posonlyargs:
        raise NotRowWise(node)
    names = [each.arg for each in signature.args][bound:]
    given: Env = {word.arg: run.eval(word.value, frame) for word in node.keywords if word.arg}
    given |= dict(zip(names, (run.eval(each, frame) for each in node.args), strict=False))
    if INDEX in given.values() or len(node.args) > len(names):
        raise NotRowWise(node)
    inner = Frame(dict.fromkeys(names, PLAIN) | given, cls)
    run.depth += 1
    run.run(called.body, inner)
    run.depth -= 1
    returned = [*inner.returns, *([PLAIN] if inner.live else [])]
    value = returned[0] if returned else PLAIN
    for other in returned[1:]:
        value = joined(value, other)
    return value


def _top(name: str, run: RowWise) -> ast.AST | None:
    found = [
        each
        for each in module_statements(run.facts.source.tree.body)
        if isinstance(each, ast.FunctionDef | ast.ClassDef) and each.name == name
    ]
    return found[0] if len(found) == 1 else None


def _plain_call(node: ast.Call, owner: Seen, run: RowWise, frame: Frame) -> Seen:
    """The value of a call whose arguments do not depend on the rows, and that has no effect."""
    values = [owner, *(run.eval(each, frame) for each in node.args)]
    values += [run.eval(word.value, frame) for word in node.keywords]
    last = node.func.attr if isinstance(node.func, ast.Attribute) else ""
    known = isinstance(node.func, ast.Name) or last in ELEMENTWISE | REDUCE | ALONG | words(
        "size dim numel view reshape"
    )
    if not known or not all(map(is_plain, values)):
        raise NotRowWise(node)
    return NUMBER if last in ("size", "dim", "numel") else plain_of(values)


def torch_function(node: ast.expr, run: RowWise) -> str | None:
    """`torch.nn.functional.pad` for `F.pad`; None for what is neither of torch nor of math."""
    first, _, rest = (dotted(node) or "").partition(".")
    known = run.imports.get(first)
    full = f"{known}.{rest}" if known and rest else known
    return full if full and full.startswith(("torch.", "math.")) else None


def imports(tree: ast.Module) -> dict[str, str]:
    """What the names that a module imports stand for."""
    found = {}
    for statement in module_statements(tree.body):
        if isinstance(statement, ast.Import | ast.ImportFrom):
            for name, each in imported_names(statement):
                found[name] = f"{each.module}.{each.name}" if each.name else each.module
    return found
