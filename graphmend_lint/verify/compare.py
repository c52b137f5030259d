"""Compare what two runs did. Knows no torch: how close two tensors are is asked of the caller."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from typing import Any

Closeness = Callable[[Any, Any, bool], "Close"]


@dataclass(frozen=True, slots=True)
class Close:
    """How two tensors of one shape compare."""

    agree: bool  #: equal, or within the tolerance that was asked for
    equal: bool  #: to the last bit, NaN equal to NaN
    detail: str = ""  #: the largest difference and where
    spoilt: bool = False  #: the second is NaN or infinite where the first is a number


@dataclass(frozen=True, slots=True)
class Leaf:
    """One value in a result: its type, and what can be told of it."""

    type: str  #: qualified name of its class
    detail: str = ""  #: repr of a plain value; dtype of a tensor; length of a container
    shape: tuple[int, ...] = ()
    data: Any = None  #: the numbers, for a tensor
    requires_grad: bool = False


@dataclass(frozen=True, slots=True)
class Event:
    """Something the outside can see, in order: "out", "err", "log" or "warning"."""

    kind: str
    text: str
    foreign: bool = False  #: comes from torch's own files, or while torch compiles

    def __str__(self) -> str:
        return f"{self.kind}: {self.text.rstrip()}"


@dataclass(frozen=True, slots=True)
class Call:
    """What one call did."""

    name: str  #: "inputs", "more_inputs 1", "in turn 3"
    given: dict[str, Leaf]  #: weights and inputs before it
    result: dict[str, Leaf] = field(default_factory=dict)  #: by path: output, argument, state, attribute, global
    gradients: dict[str, Leaf | None] = field(default_factory=dict)
    aliases: tuple[tuple[str, ...], ...] = ()  #: groups of paths that share memory
    events: tuple[Event, ...] = ()
    raised: tuple[str, str] | None = None  #: type and message
    random: dict[str, str] = field(default_factory=dict)  #: state of each generator afterwards
    probe: bool = False  #: made only for its gradients: inputs were told to require them


@dataclass(frozen=True, slots=True)
class Difference:
    """One thing that is not the same, named."""

    kind: str  #: "values", "dtype", "shape", "type", "missing", "gradient", "text", "exception", "aliasing", "random"
    call: str
    place: str
    detail: str

    def __str__(self) -> str:
        parts = (self.kind, self.place, self.detail)
        return ": ".join(part for part in parts if part) + (f" ({self.call})" if self.call else "")


@dataclass(frozen=True, slots=True)
class Compared:
    """Differences that count, and notes that do not."""

    differences: tuple[Difference, ...]
    notes: tuple[Difference, ...]


def compare(wanted: list[Call], got: list[Call], close: Closeness, *, exact: bool) -> Compared:
    """Compare two lists of calls made with the same inputs.

    `exact`: both ran eagerly, so exceptions and error output must match too, and tensors to the last bits; otherwise
    `got` was compiled, which may change an exception's type.
    """
    found = [item for a, b in zip(wanted, got, strict=False) for item in _call(a, b, close, exact)]
    if len(wanted) != len(got):
        found.append((True, Difference("calls", "", "", f"{len(wanted)} calls became {len(got)}")))
    differences = tuple(item for counts, item in found if counts)
    return Compared(differences, tuple(item for counts, item in found if not counts))


_Found = Iterator[tuple[bool, Difference]]


def _call(wanted: Call, got: Call, close: Closeness, exact: bool) -> _Found:
    """The differences between two runs of one call."""
    if wanted.probe:
        yield from _probe(wanted, got, close, exact)
        return
    given = list(_given(wanted, got))
    yield from given
    if any(counts for counts, _ in given):
        return
    yield from _raised(wanted, got, exact)
    if wanted.raised is None and got.raised is None:
        yield from _leaves(wanted, got, close, exact)
        yield from _gradients(wanted, got, close, exact)
        yield from _aliases(wanted, got)
        yield from _random(wanted, got)
    if wanted.raised is None or exact:
        yield from _events(wanted, got, exact)


def _probe(wanted: Call, got: Call, close: Closeness, exact: bool) -> _Found:
    """Differences in gradients that the target does not ask for: only NaN where there was none counts."""
    if wanted.raised is not None or got.raised is not None:
        return
    for _, item in _gradients(wanted, got, close, exact):
        a, b = wanted.gradients.get(item.place), got.gradients.get(item.place)
        comparable = a is not None and b is not None and (a.shape, a.detail) == (b.shape, b.detail)
        yield comparable and close(a.data, b.data, exact).spoilt, item  # type: ignore[union-attr]


def _given(wanted: Call, got: Call) -> _Found:
    """Differences in weights and inputs: with any, no other comparison means anything. Attributes may differ."""
    for path, leaf in wanted.given.items():
        other = got.given.get(path)
        if other is None:
            yield False, Difference("setup", wanted.name, path, "is not there before the call")
        elif (leaf.type, leaf.detail, leaf.shape) != (other.type, other.detail, other.shape):
            counts = not path.startswith("attribute")
            yield counts, Difference("setup", wanted.name, path, "is not the same before the call")


def _raised(wanted: Call, got: Call, exact: bool) -> _Found:
    if wanted.raised == got.raised:
        return
    detail = f"{_exception(wanted)} became {_exception(got)}"
    if exact and wanted.raised and got.raised and wanted.raised[0] == got.raised[0]:
        yield False, Difference("message", wanted.name, "", detail)
        return
    counts = exact or wanted.raised is None or got.raised is None
    yield counts, Difference("exception", wanted.name, "", detail)


def _exception(call: Call) -> str:
    if call.raised is None:
        return "no exception"
    first = (call.raised[1].splitlines() or [""])[0]
    return f"{call.raised[0]}: {first[:160]}"


def _leaves(wanted: Call, got: Call, close: Closeness, exact: bool) -> _Found:
    anew = {path for path, leaf in wanted.given.items() if path in got.given and got.given[path] != leaf}
    for path, leaf in wanted.result.items():
        if path in anew and path.startswith("attribute"):
            continue
        if path not in got.result:
            yield True, Difference("missing", wanted.name, path, f"a {leaf.type} is gone")
        else:
            yield from _leaf(wanted.name, path, leaf, got.result[path], close, exact)
    for path in got.result.keys() - wanted.result.keys():
        counts = not path.startswith(("state", "attribute", "global"))
        yield counts, Difference("extra", wanted.name, path, f"a {got.result[path].type} is new")


def _leaf(call: str, path: str, a: Leaf, b: Leaf, close: Closeness, exact: bool) -> _Found:
    for kind, x, y in (("type", a.type, b.type), ("shape", a.shape, b.shape)):
        if x != y:
            yield True, Difference(kind, call, path, f"{x} became {y}")
            return
    if a.data is None or b.data is None:
        if a.detail != b.detail and not _close_number(a, b, exact):
            yield True, Difference("values", call, path, f"{a.detail} became {b.detail}")
        return
    if a.detail != b.detail:
        yield True, Difference("dtype", call, path, f"{a.detail} became {b.detail}")
        return
    yield from _tensor(call, path, a, b, close, exact)


def _tensor(call: str, path: str, a: Leaf, b: Leaf, close: Closeness, exact: bool) -> _Found:
    near = close(a.data, b.data, exact)
    if not near.agree:
        yield True, Difference("values", call, path, near.detail)
    elif exact and not near.equal:
        yield False, Difference("rounding", call, path, near.detail)
    if exact and a.requires_grad != b.requires_grad:
        change = "now carries a gradient" if b.requires_grad else "no longer carries a gradient"
        yield False, Difference("requires_grad", call, path, change)


def _close_number(a: Leaf, b: Leaf, exact: bool) -> bool:
    if exact or a.type != "float":
        return False
    x, y = float(a.detail), float(b.detail)
    return x == y or abs(x - y) <= 1e-5 + 1e-4 * abs(x)


def _gradients(wanted: Call, got: Call, close: Closeness, exact: bool) -> _Found:
    for path in {**wanted.gradients, **got.gradients}:
        a, b = wanted.gradients.get(path), got.gradients.get(path)
        if a is None and b is None:
            continue
        if a is None or b is None:
            yield from _no_gradient(wanted.name, path, a, b, close)
            continue
        for counts, item in _leaf(wanted.name, path, a, b, close, exact):
            yield counts, Difference("gradient" if counts else item.kind, item.call, item.place, item.detail)


def _no_gradient(call: str, path: str, a: Leaf | None, b: Leaf | None, close: Closeness) -> _Found:
    """The difference where one side has a gradient and the other none. Zeros do not count: they train alike."""
    there = a or b
    assert there is not None
    change = "a gradient became None" if a else "None became a gradient"
    zero = close(there.data, 0 * there.data, True).equal
    yield not zero, Difference("gradient", call, path, change + (" of zeros" if zero and b else ""))


def _aliases(wanted: Call, got: Call) -> _Found:
    shared = wanted.result.keys() & got.result.keys()
    want, have = _pairs(wanted.aliases, shared), _pairs(got.aliases, shared)
    for a, b in sorted(want - have):
        change = f"no longer shares memory with {b}"
        yield _tied(wanted, a, b), Difference("aliasing", wanted.name, a, change)
    for a, b in sorted(have - want):
        yield True, Difference("aliasing", wanted.name, a, f"now shares memory with {b}")


def _pairs(groups: tuple[tuple[str, ...], ...], shared: set[str]) -> set[tuple[str, str]]:
    kept = [sorted(set(group) & shared) for group in groups]
    return {(group[0], other) for group in kept for other in group[1:]} if kept else set()


def _tied(call: Call, a: str, b: str) -> bool:
    """Weights that train as one. Of others, what a later write makes of two copies shows in the values."""
    trained = call.result[a].requires_grad and call.result[b].requires_grad
    return trained and not (a.startswith("output") or b.startswith("output"))


def _random(wanted: Call, got: Call) -> _Found:
    """Differences in torch's random state. Python's and NumPy's only count by what later calls make of them."""
    for name, state in wanted.random.items():
        if got.random.get(name) != state:
            detail = f"the {name} generator is left in another state: other random numbers follow"
            yield name in ("torch", "cuda"), Difference("random", wanted.name, name, detail)


def _events(wanted: Call, got: Call, exact: bool) -> _Found:
    kinds = ("out", "err", "log", "warning") if exact else ("out", "log", "warning")
    want = [event for event in wanted.events if event.kind in kinds]
    known = {(event.kind, event.text) for event in want}
    have = [e for e in got.events if e.kind in kinds and not (e.foreign and (e.kind, e.text) not in known)]
    a, b = [str(event) for event in want], [str(event) for event in have]
    if a != b:
        yield True, Difference(_text_kind(a, b), wanted.name, "", _first_change(a, b))


def _text_kind(a: list[str], b: list[str]) -> str:
    """ "lost text" if lines are only missing, "text" if any is new, changed or in another order."""
    rest = iter(a)
    return "lost text" if all(line in rest for line in b) else "text"


def _first_change(a: list[str], b: list[str]) -> str:
    """The first line that is gone, new or changed."""
    at = next((i for i, (x, y) in enumerate(zip(a, b, strict=False)) if x != y), min(len(a), len(b)))
    if len(a) > len(b) and (at >= len(b) or _text_kind(a, b) == "lost text"):
        return f"gone: {a[at]!r}" + (f" and {len(a) - len(b) - 1} more" if len(a) - len(b) > 1 else "")
    if at >= len(a):
        return f"new: {b[at]!r}"
    return f"{a[at]!r} became {b[at]!r}"
