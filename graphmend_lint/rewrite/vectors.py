"""Lists of a tensor's elements, from which code makes another list one by one: `torch.where` makes it at once."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Final

from graphmend_lint.facts.meta import is_number
from graphmend_lint.facts.reaching import statement_of
from graphmend_lint.facts.unset import may_be_unset
from graphmend_lint.facts.values import BOOL, INTEGRAL, TENSOR
from graphmend_lint.model import Applicability, Edit, Fix
from graphmend_lint.rewrite.imports import torch_name
from graphmend_lint.rewrite.in_place import changed_later
from graphmend_lint.rewrite.number_uses import loads_of
from graphmend_lint.rewrite.template import call
from graphmend_lint.rewrite.term import COMPARISONS
from graphmend_lint.shapes import block_of, dotted, same, walk_function
from graphmend_lint.syntax import walk

if TYPE_CHECKING:
    from graphmend_lint.facts import Facts
    from graphmend_lint.rewrite.site import Site

SIGNS: Final[dict[type[ast.operator], str]] = {ast.Add: "+", ast.Sub: "-", ast.Mult: "*"}
CAVEAT: Final = (
    "The tensor must have one dimension, numbers are compared in its dtype, and the result is made on its device; "
    "of no elements at all, it holds integers, and looking for a place among them raises."
)


class NoVector(Exception):  # noqa: N818  # an answer, no error
    """Raised where the code cannot be computed for all elements at once."""


@dataclass
class Vector:
    """The list, as the tensor that it was made of."""

    name: str
    tensor: ast.expr
    torch: str
    facts: Facts
    site: Site | None = None
    scalars: set[str] = field(default_factory=set)  #: names that hold a 0-dim tensor from now on
    index: str = ""  #: the name of an element's place
    element: str = ""  #: the name of an element
    counts: bool = False  #: whether the place is used
    inline: bool = False  #: whether the place has no name outside
    room: int = 0  #: columns on a line
    depends: bool = False  #: whether what was looked at last differs from element to element

    def text(self, node: ast.expr) -> str:
        return self.site.code(node) if self.site is not None else ""

    @property
    def whole(self) -> str:
        return self.text(self.tensor)

    @property
    def places(self) -> str:
        return f"{self.torch}.arange({self.whole}.shape[0], device={self.whole}.device)"

    def _where(self, test: str, then: str, other: str) -> str:
        return call(f"{self.torch}.where", [test, then, other], self.room)

    def value(self, node: ast.expr) -> str:
        """The code of all elements' values, as integers.

        Raises:
            NoVector: if there is none.
        """
        match node:
            case ast.Constant(value=int(number)) if not isinstance(number, bool):
                return str(number)
            case ast.Name(id=name) if name == self.element:
                return self._elements()
            case ast.Name(id=name) if name == self.index:
                self.counts = self.depends = True
                return self.places if self.inline else name
            case ast.Name(id=name) if name in self.scalars or is_number(node, self.facts):
                return name
            case ast.Call(func=ast.Name(id="len"), args=[ast.Name(id=name)]) if name == self.name:
                return f"{self.whole}.shape[0]"
            case ast.IfExp(test=test, body=body, orelse=orelse):
                return self._where(self.test(test), self.value(body), self.value(orelse))
            case ast.UnaryOp(op=ast.USub(), operand=operand):
                return f"-{self._operand(operand)}"
            case ast.BinOp(left=left, op=op, right=right) if type(op) in SIGNS:
                return f"{self._operand(left)} {SIGNS[type(op)]} {self._operand(right)}"
        raise NoVector(node)

    def _operand(self, node: ast.expr) -> str:
        code = self.value(node)
        return f"({code})" if isinstance(node, ast.BinOp) else code

    def _elements(self) -> str:
        if not self.facts.value(self.tensor).traits & INTEGRAL:
            raise NoVector(self.tensor)
        self.depends = True
        return f"{self.whole}.long()"

    def test(self, node: ast.expr) -> str:
        """The code of what is asked of all elements.

        Raises:
            NoVector: if there is none.
        """
        match node:
            case ast.Name(id=name) if name == self.element:
                self.depends = True
                return self.whole if self.facts.value(self.tensor).traits & BOOL else f"{self.whole}.bool()"
            case ast.UnaryOp(op=ast.Not(), operand=operand):
                return f"~{self._tested(operand)}"
            case ast.BoolOp(op=op, values=values):
                return (" & " if isinstance(op, ast.And) else " | ").join(map(self._tested, values))
            case ast.Compare(left=left, ops=[op], comparators=[right]) if type(op) in COMPARISONS:
                self.depends = False
                code = f"{self._compared(left)} {COMPARISONS[type(op)]} {self._compared(right)}"
                if self.depends:
                    return code
        raise NoVector(node)

    def _tested(self, node: ast.expr) -> str:
        code = self.test(node)
        return code if isinstance(node, ast.Name) else f"({code})"

    def _compared(self, node: ast.expr) -> str:
        if isinstance(node, ast.Name) and node.id == self.element:
            self.depends = True
            return self.whole
        return self._operand(node)

    def first(self, node: ast.expr) -> str:
        """`names.index(v) if v in names else other`: the first place of a value, or another number.

        Raises:
            NoVector: if it is something else.
        """
        match node:
            case ast.IfExp(
                test=ast.Compare(left=ast.Constant() as value, ops=[ast.In()], comparators=[ast.Name(id=asked)]),
                body=ast.Call(func=ast.Attribute(value=ast.Name(id=name), attr="index"), args=[found], keywords=[]),
                orelse=other,
            ) if name == asked == self.name and same(value, found):
                mask = self._is(value)
                return self._where(f"{mask}.any()", f"{mask}.int().argmax()", self.value(other))
        raise NoVector(node)

    def _is(self, value: ast.Constant) -> str:
        if value.value is True and self.facts.value(self.tensor).traits & BOOL:
            return self.whole
        if not isinstance(value.value, int):
            raise NoVector(value)
        return f"({self.whole} == {int(value.value)})"

    def appended(self, block: list[ast.stmt], name: str) -> str:
        """The values that statements append to a list.

        Raises:
            NoVector: if they do anything else.
        """
        match block:
            case [ast.Expr(value=ast.Call(func=ast.Attribute(value=ast.Name(id=to), attr="append"), args=[value]))]:
                if to == name:
                    return self.value(value)
            case [ast.If(test=test, body=body, orelse=orelse)]:
                return self._where(self.test(test), self.appended(body, name), self.appended(orelse, name))
        raise NoVector(name)


def vectorised(node: ast.Call, facts: Facts) -> Fix | None:
    """The list made at once; None unless that is all that becomes of the elements."""
    statement, torch = facts.parent(node), torch_name(facts, node)
    match node, statement:
        case (
            ast.Call(func=ast.Attribute(value=tensor, attr="tolist"), args=[]),
            ast.Assign(targets=[ast.Name(id=name)]),
        ) if torch is not None and dotted(tensor) and facts.kinds(tensor) == TENSOR:
            plan = Plan(Vector(name, tensor, torch, facts), statement, facts)
        case _:
            return None
    if changed_later(dotted(tensor) or "", node, facts) or not plan.find():
        return None
    try:
        plan.edits(None)
    except NoVector:
        return None
    return Fix("Make all elements at once", Applicability.UNSAFE, plan.edits, CAVEAT, ("torch",))


@dataclass
class Plan:
    """What is to change."""

    vector: Vector
    statement: ast.Assign  #: that makes the list
    facts: Facts
    firsts: list[ast.Assign] = field(default_factory=list)  #: `start = names.index(v) if v in names else n`
    loop: ast.For | ast.ListComp | None = None
    made: ast.Call | None = None  #: `torch.tensor(result)`
    begun: ast.stmt | None = None  #: `result = []`
    result: str = ""

    def find(self) -> bool:
        """True if the list is looped over once, and besides only asked for places and its length."""
        loads = loads_of(self.vector.name, self.statement, self.facts) or []
        if any(isinstance(each, ast.Name) and may_be_unset(each, self.facts) for each in loads):
            return False
        loops = {each for load in loads if (each := _loop_over(load, self.facts)) is not None}
        inside = {id(each) for loop in loops for each in walk(loop)}
        others = {statement_of(load, self.facts) for load in loads if id(load) not in inside}
        self.firsts = [each for each in others if isinstance(each, ast.Assign)]
        if len(loops) != 1 or len(self.firsts) != len(others) or not all(map(self._is_first, self.firsts)):
            return False
        self.loop = loops.pop()
        self.vector.inline = isinstance(self.loop, ast.ListComp)
        read = self._is_read_at_once(self.loop) if isinstance(self.loop, ast.ListComp) else self._is_read(self.loop)
        return read and self._is_inside()

    def _is_first(self, statement: ast.Assign) -> bool:
        """True for a statement that gives a name the place of a value, in the same block as the list."""
        match statement.targets:
            case [ast.Name(id=name)]:
                self.vector.scalars.add(name)
                return self.facts.parent(statement) is self.facts.parent(self.statement)
        return False

    def _is_read_at_once(self, made: ast.ListComp) -> bool:
        """True if the list that a comprehension makes is only made a tensor."""
        above, given = self.facts.parent(made), [made]
        match above:
            case ast.Assign(targets=[ast.Name(id=name)]):
                loads = loads_of(name, above, self.facts) or []
                above, given = self.facts.parent(loads[0]) if len(loads) == 1 else None, loads  # type: ignore[assignment]
                self.result = name
        if not isinstance(above, ast.Call) or above.args != given or not _is_plain(above, self.facts):
            return False
        self.made = above
        return len(made.generators) == 1 and not made.generators[0].ifs

    def _is_read(self, loop: ast.For) -> bool:
        """True if the list that is made is only made a tensor."""
        names = {
            each.func.value.id
            for each in walk_function(loop)
            if isinstance(each, ast.Call)
            and isinstance(each.func, ast.Attribute)
            and each.func.attr == "append"
            and isinstance(each.func.value, ast.Name)
        }
        if len(names) != 1:
            return False
        self.result = names.pop()
        parent = self.facts.parent(loop)
        block = block_of(loop, parent) if parent is not None else []
        begun = [each for each in block if _is_empty(each, self.result)]
        inside = {id(each) for each in walk(loop)}
        loads = loads_of(self.result, begun[0], self.facts) if len(begun) == 1 else None
        rest = [each for each in loads or [] if id(each) not in inside]
        above = self.facts.parent(rest[0]) if len(rest) == 1 else None
        if not isinstance(above, ast.Call) or above.args != rest or not _is_plain(above, self.facts):
            return False
        self.begun, self.made = begun[0], above
        return block.index(begun[0]) < block.index(loop)

    def _is_inside(self) -> bool:
        """True if the names of the loop, and of the places, are read in it alone."""
        assert self.loop is not None
        head = self.loop.generators[0] if isinstance(self.loop, ast.ListComp) else self.loop
        match head.target, head.iter:
            case ast.Name(id=element), ast.Name():
                self.vector.element = element
            case ast.Tuple(elts=[ast.Name(id=index), ast.Name(id=element)]), ast.Call():
                self.vector.index, self.vector.element = index, element
            case _:
                return False
        function, inside = self.facts.function(self.loop), {id(each) for each in walk(self.loop)}
        own = {self.vector.index, self.vector.element, *self.vector.scalars}
        names = [each for each in walk_function(function) if isinstance(each, ast.Name)] if function else []
        free = [each for each in names if each.id in own and id(each) not in inside]
        stored = [
            each for each in names if each.id == dotted(self.vector.tensor) and not isinstance(each.ctx, ast.Load)
        ]
        return not any(isinstance(each.ctx, ast.Load) for each in free) and all(
            each.lineno < self.statement.lineno for each in stored
        )

    def edits(self, site: Site | None) -> tuple[Edit, ...]:
        """The edits; without a site, only whether there are any.

        Raises:
            NoVector: if an element's value cannot be computed for all at once.
        """
        assert self.loop is not None
        assert self.made is not None
        self.vector.site = site
        self.vector.room = site.room(statement_of(self.loop, self.facts) or self.statement, 12) if site else 80
        firsts = [(each.value, self.vector.first(each.value)) for each in self.firsts]
        self.vector.depends = False
        if isinstance(self.loop, ast.ListComp):
            code = self.vector.value(self.loop.elt)
        else:
            code = self.vector.appended(self.loop.body, self.result)
        if not self.vector.depends:
            raise NoVector(self.loop)
        if site is None:
            return ()
        whole = self.result or code
        return (
            site.remove(self.statement),
            *(site.expression(old, new) for old, new in firsts),
            *self._loop_edits(self.loop, code, site),
            site.expression(self.made, self._kept(whole, site)),
        )

    def _loop_edits(self, loop: ast.For | ast.ListComp, code: str, site: Site) -> Iterator[Edit]:
        """What stands in place of the loop; nothing for a list that has no name and is made a tensor at once."""
        if isinstance(loop, ast.ListComp):
            if self.result:
                yield site.expression(loop, code)
            return
        assert self.begun is not None
        lines = [f"{self.vector.index} = {self.vector.places}"] if self.vector.counts else []
        yield site.remove(self.begun)
        yield site.replace(loop, "\n".join([*lines, f"{self.result} = {code}"]))

    def _kept(self, code: str, site: Site) -> str:
        """The tensor that is made already, moved or converted as it was said."""
        assert self.made is not None
        own = f"{self.vector.whole}.device"
        words = [f"{each.arg}={site.code(each.value)}" for each in self.made.keywords if site.code(each.value) != own]
        return f"{code}.to({', '.join(words)})" if words else code


def _loop_over(load: ast.expr, facts: Facts) -> ast.For | ast.ListComp | None:
    above = facts.parent(load)
    if isinstance(above, ast.Call) and facts.resolve(above.func) == "builtins.enumerate" and len(above.args) == 1:
        load, above = above, facts.parent(above)
    if isinstance(above, ast.comprehension) and above.iter is load:
        made = facts.parent(above)
        return made if isinstance(made, ast.ListComp) else None
    return above if isinstance(above, ast.For) and above.iter is load and not above.orelse else None


def _is_empty(statement: ast.stmt, name: str) -> bool:
    match statement:
        case ast.Assign(targets=[ast.Name(id=found)], value=ast.List(elts=[])):
            return found == name
    return False


def _is_plain(call: ast.Call, facts: Facts) -> bool:
    """True for `torch.tensor(result)`, of integers."""
    whole = all(
        each.arg == "device" or (each.arg == "dtype" and facts.resolve(each.value) in ("torch.long", "torch.int64"))
        for each in call.keywords
    )
    return facts.resolve(call.func) in ("torch.tensor", "torch.as_tensor") and whole
