"""What counts as a difference, told without torch: a tensor's numbers are a tuple here."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from graphmend_lint.verify.compare import Call, Close, Event, Leaf, compare


def close(a: Any, b: Any, exact: bool) -> Close:
    gap = max((abs(x - y) for x, y in zip(a, b, strict=True)), default=0)
    return Close(gap <= (0.01 if exact else 0.1), gap == 0, f"off by {gap:g}", float("inf") in b)


class Numbers(tuple[float, ...]):
    """Just enough of a tensor: it can be multiplied by nothing."""

    __slots__ = ()

    def __rmul__(self, factor: Any) -> Numbers:
        return Numbers(factor * each for each in self)


def tensor(*numbers: float, dtype: str = "float32", **more: Any) -> Leaf:
    return Leaf("Tensor", dtype, (len(numbers),), Numbers(numbers), **more)


BASE = Call(
    "inputs",
    given={"state w": Leaf("Tensor", "hash"), "attribute n": Leaf("int", "1")},
    result={"output": tensor(1, 2), "state w": tensor(3), "attribute n": Leaf("int", "1")},
    gradients={"parameter w": tensor(1), "input [0]": None},
    aliases=(("attribute v", "state w"),),
    events=(Event("out", "a\n"), Event("log", "b"), Event("warning", "c"), Event("err", "d")),
    random={"torch": "s"},
)


def found(got: Call, wanted: Call = BASE, *, exact: bool = True) -> tuple[list[str], list[str]]:
    """Kinds and places of what counts, and of what is only told."""
    compared = compare([wanted], [got], close, exact=exact)
    told = [[f"{item.kind}: {item.place}" for item in part] for part in (compared.differences, compared.notes)]
    return told[0], told[1]


def with_result(path: str, leaf: Leaf) -> Call:
    return replace(BASE, result={**BASE.result, path: leaf})


def test_a_call_equals_itself() -> None:
    assert found(BASE) == ([], [])


@pytest.mark.parametrize(
    ("got", "kind"),
    [
        (with_result("output", tensor(1, 5)), "values: output"),
        (with_result("output", tensor(1, 2, dtype="float16")), "dtype: output"),
        (with_result("output", tensor(1, 2, 3)), "shape: output"),
        (with_result("output", Leaf("NoneType", "None")), "type: output"),
        (with_result("output[1]", tensor(1)), "extra: output[1]"),
        (with_result("state w", tensor(4)), "values: state w"),
        (with_result("attribute n", Leaf("int", "2")), "values: attribute n"),
        (replace(BASE, result={"output": tensor(1, 2)}), "missing: state w"),
        (replace(BASE, gradients={"parameter w": tensor(2), "input [0]": None}), "gradient: parameter w"),
        (replace(BASE, gradients={"parameter w": None, "input [0]": None}), "gradient: parameter w"),
        (replace(BASE, gradients={"parameter w": tensor(1), "input [0]": tensor(9)}), "gradient: input [0]"),
        (replace(BASE, events=BASE.events[1:]), "lost text: "),
        (replace(BASE, events=(BASE.events[1], BASE.events[0], *BASE.events[2:])), "text: "),
        (replace(BASE, events=(Event("out", "A\n"), *BASE.events[1:])), "text: "),
        (replace(BASE, events=(*BASE.events, Event("log", "new"))), "text: "),
        (replace(BASE, random={"torch": "t"}), "random: torch"),
        (replace(BASE, raised=("ValueError", "no")), "exception: "),
        (replace(BASE, given={**BASE.given, "state w": Leaf("Tensor", "other")}), "setup: state w"),
    ],
)
@pytest.mark.parametrize("exact", [True, False])
def test_a_difference_is_named(got: Call, kind: str, exact: bool) -> None:
    assert kind in found(got, exact=exact)[0]


SHARED = replace(
    BASE,
    result={"state a": tensor(3), "state b": tensor(3), "output": tensor(3)},
    aliases=(("output", "state a", "state b"),),
)
APART = replace(SHARED, aliases=())


def test_memory_shared_anew_counts() -> None:
    assert found(SHARED, APART)[0] == ["aliasing: output", "aliasing: output"]


def test_memory_no_longer_shared_is_told() -> None:
    assert found(APART, SHARED) == ([], ["aliasing: output", "aliasing: output"])


def test_weights_that_are_no_longer_tied_count() -> None:
    weights = {path: replace(leaf, requires_grad=True) for path, leaf in SHARED.result.items()}
    tied = replace(SHARED, result=weights, aliases=(("state a", "state b"),))
    assert found(replace(tied, aliases=()), tied)[0] == ["aliasing: state a"]


def test_rounding_is_told_when_both_ran_eagerly() -> None:
    assert found(with_result("output", tensor(1, 2.001))) == ([], ["rounding: output"])
    assert found(with_result("output", tensor(1, 2.05)))[0] == ["values: output"]
    assert found(with_result("output", tensor(1, 2.05)), exact=False) == ([], [])


def test_only_torchs_generator_counts_by_its_state() -> None:
    wanted = replace(BASE, random={"torch": "s", "python": "p"})
    assert found(replace(wanted, random={"torch": "s", "python": "q"}), wanted) == ([], ["random: python"])


def test_of_gradients_that_nobody_asked_for_only_spoilt_ones_count() -> None:
    wanted = replace(BASE, probe=True)
    place = "gradient: parameter w"
    assert found(replace(wanted, gradients={"parameter w": tensor(5)}), wanted) == ([], [place])
    assert found(replace(wanted, gradients={"parameter w": tensor(float("inf"))}), wanted) == ([place], [])
    assert found(replace(wanted, raised=("RuntimeError", "in place")), wanted) == ([], [])


def test_no_gradient_and_a_gradient_of_zeros_are_the_same() -> None:
    assert found(replace(BASE, gradients={"parameter w": tensor(1), "input [0]": tensor(0)}))[0] == []


def test_exceptions_must_match_eagerly_and_only_be_there_when_compiled() -> None:
    wanted = replace(BASE, raised=("ValueError", "no"))
    other = replace(wanted, raised=("RuntimeError", "no"))
    assert found(other, wanted)[0] == ["exception: "]
    assert found(other, wanted, exact=False) == ([], ["exception: "])
    assert found(BASE, wanted, exact=False)[0] == ["exception: "]
    assert found(replace(wanted, raised=("ValueError", "other")), wanted) == ([], ["message: "])


def test_warnings_of_torch_itself_are_not_new_text_but_lost_ones_are_lost() -> None:
    noise = replace(BASE, events=(Event("warning", "slow", foreign=True), *BASE.events))
    assert found(noise, exact=False)[0] == []
    assert found(BASE, noise, exact=False)[0] == ["lost text: "]


def test_error_output_is_compared_only_eagerly() -> None:
    silent = replace(BASE, events=BASE.events[:-1])
    assert found(silent)[0] == ["lost text: "]
    assert found(silent, exact=False)[0] == []


def test_an_attribute_that_is_set_up_anew_is_told_and_not_followed() -> None:
    got = with_result("attribute n", Leaf("int", "9"))
    got = replace(got, given={**got.given, "attribute n": Leaf("int", "8")})
    assert found(got) == ([], ["setup: attribute n"])


def test_a_missing_call_counts() -> None:
    assert compare([BASE, BASE], [BASE], close, exact=True).differences[0].kind == "calls"
