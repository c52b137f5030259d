"""New lines that are too long are broken where a formatter would, and mean the same."""

from __future__ import annotations

import ast

import pytest

from graphmend_lint.rewrite.folded import folded

HEAD = "def f():\n"
CASES = {
    "    y[i, torch.arange(y.shape[1], device=y.device) < the_length_of_this_one_sequence[i]] = True": """\
    y[
        i, torch.arange(y.shape[1], device=y.device) < the_length_of_this_one_sequence[i]
    ] = True
""",
    "    loss = values.index_put((~mask,), values.new_zeros(())).mean() / mask.to(values.dtype).mean() "
    "if mask.any() else 0": """\
    loss = (
        values.index_put((~mask,), values.new_zeros(())).mean()
        / mask.to(values.dtype).mean()
        if mask.any()
        else 0
    )
""",
    "    pairs = [tuple(each.numpy() for each in _matched(costs[i])) "
    "for i, costs in enumerate(matrix.split(sizes, -1))]": """\
    pairs = [
        tuple(each.numpy() for each in _matched(costs[i]))
        for i, costs in enumerate(matrix.split(sizes, -1))
    ]
""",
    '    assert (largest.isnan().sum() == 0) & (least.isnan().sum() == 0), "NaN, where a number is, "': """\
    assert (largest.isnan().sum() == 0) & (least.isnan().sum() == 0), (
        "NaN, where a number is, "
    )
""",
    "    return models[best.reshape(1)], scores[best.reshape(1)], counts[best.reshape(1)], rest": """\
    return (
        models[best.reshape(1)], scores[best.reshape(1)], counts[best.reshape(1)], rest
    )
""",
    "    mask = torch.from_numpy(_isin(torch.as_tensor(rows).detach(), torch.as_tensor(rest)).numpy()).bool()": """\
    mask = torch.from_numpy(
        _isin(torch.as_tensor(rows).detach(), torch.as_tensor(rest)).numpy()
    ).bool()
""",
}
HEADERS = {
    "    for at in range(start, the_end_of_it) if torch.compiler.is_compiling() "
    "else tqdm(range(start, the_end_of_it)):": """\
    for at in (
        range(start, the_end_of_it)
        if torch.compiler.is_compiling()
        else tqdm(range(start, the_end_of_it))
    ):
""",
    "    if first_condition and second_condition_with_a_name and third_condition.of_something_else() > 0:": """\
    if (
        first_condition
        and second_condition_with_a_name
        and third_condition.of_something_else() > 0
    ):
""",
}


@pytest.fixture(autouse=True)
def narrow(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("graphmend_lint.rewrite.folded.TOO_LONG", 80)


@pytest.mark.parametrize(("line", "expected"), CASES.items())
def test_where_a_line_is_broken(line: str, expected: str) -> None:
    found = folded(HEAD, f"{HEAD}{line}\n", 90)
    assert found == f"{HEAD}{expected}"
    assert ast.dump(ast.parse(found)) == ast.dump(ast.parse(f"{HEAD}{line}\n"))
    assert folded(HEAD, found, 90) == found


@pytest.mark.parametrize(("line", "expected"), HEADERS.items())
def test_where_the_beginning_of_a_block_is_broken(line: str, expected: str) -> None:
    body = "        pass\n"
    assert folded("        pass", f"{HEAD}{line}\n{body}", 90) == f"{HEAD}{expected}{body}"
    if "    if" in line:
        other = f"{HEAD}    if x:\n{body}{line.replace('if', 'elif')}\n{body}"
        assert folded("        pass", other, 90) == f"{HEAD}    if x:\n{body}{expected.replace('if', 'elif')}{body}"


@pytest.mark.parametrize(
    "line",
    [
        "    x = call(" + "argument, " * 10 + ")  # said behind it",
        "    x = 1; " + "; ".join(["y = call(argument, argument)"] * 3),
        "    x = call('ä', " + "argument, " * 10 + ")",
    ],
)
def test_what_stays_as_it_is(line: str) -> None:
    assert folded(HEAD, f"{HEAD}{line}\n", 90) == f"{HEAD}{line}\n"


def test_a_part_of_a_statement_is_broken() -> None:
    text = "x = [\n    {},\n    2,\n]\n"
    part = "values[mask].sum() / mask.to(values.dtype).sum() if mask.any() and not training else nothing()"
    rows = ["values[mask].sum() / mask.to(values.dtype).sum()", "if mask.any() and not training", "else nothing()"]
    assert folded("", text.format(part), 90) == text.format("\n    ".join(rows))


def test_lines_that_were_there_stay() -> None:
    text = f"{HEAD}    x = call({'argument, ' * 10})\n"
    assert folded(text, text, 90) == text


def test_ends_of_lines_are_kept() -> None:
    found = folded("", f"x = call({'argument, ' * 10}1)\r\n", 90)
    assert found.startswith("x = call(\r\n    argument,\r\n")
    assert found.endswith("    1,\r\n)\r\n")
