"""Whatever the program and its layout: no exception, fixed text is Python, and all that was not fixed is as it was.

The programs need not make sense. Of each test a small, always equal share runs here; `--hypothesis-seed=N` with
`GRAPHMEND_LINT_EXAMPLES=N` in the environment runs more.
"""

from __future__ import annotations

import json
import os
from collections import Counter
from contextlib import suppress
from pathlib import Path

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from reliability import COOKIE, Judge, Tally, decoded, python_reads

from graphmend_lint.config import Settings
from graphmend_lint.notebook import Notebook
from graphmend_lint.source import Source, SourceError

EXAMPLES = int(os.environ.get("GRAPHMEND_LINT_EXAMPLES", "0"))
few = settings(
    max_examples=EXAMPLES or 60,
    derandomize=not EXAMPLES,
    deadline=None,
    database=None,
    suppress_health_check=list(HealthCheck),
)

# Programs: expressions, statements as lists of lines, and the text around them

NAMES = st.sampled_from("x y z n s xs d self.flag self.limit self.buffer self.items torch F é".split())
LITERALS = st.sampled_from(
    ["0", "1.5", "None", "True", "'a'", '"""a\nb"""', "r'\\d'", "b'x'", "[]", "()", "{}", "...", "-1", "1_0", "f'{x}'"]
)
METHODS = st.sampled_from(
    "item tolist sum any all numel size view clone append copy_ mean nonzero numpy cpu detach relu keys get".split()
)
FUNCTIONS = st.sampled_from(
    "print len int bool float torch.zeros torch.where torch.tensor F.relu self.linear self.helper logger.info range"
    " warnings.warn isinstance max torch.nonzero zip helper super().forward list".split()
)
OPERATORS = st.sampled_from("+ - * / @ // % ** > < >= == != is in and or & | <<".split())
GAPS = st.sampled_from([" ", "  ", "\\\n  ", ""])


def calls(inner: st.SearchStrategy[str]) -> st.SearchStrategy[str]:
    arguments = st.lists(inner | inner.map("*{}".format) | inner.map("k={}".format), max_size=3)
    separators = st.sampled_from([", ", ",", ",\n      ", ", # why\n  "])
    return st.builds(lambda f, given, by: f"{f}({by.join(_ordered(given))})", FUNCTIONS, arguments, separators)


def _ordered(arguments: list[str]) -> list[str]:
    """Positional arguments before the one that is named."""
    named = [each for each in arguments if each.startswith("k=")][:1]
    return [each for each in arguments if not each.startswith("k=")] + named


def larger(inner: st.SearchStrategy[str]) -> st.SearchStrategy[str]:
    return st.one_of(
        calls(inner),
        st.builds("({}).{}()".format, inner, METHODS),
        st.builds("({}{}{} {})".format, inner, GAPS.filter(bool), OPERATORS, inner),
        st.builds("({} if {} else {})".format, inner, inner, inner),
        st.builds("({})[{}]".format, inner, inner),
        st.builds("[{} for e in {} if {}]".format, inner, inner, inner),
        st.builds("{{'k': {}, **{}}}".format, inner, inner),
        st.builds("(w := {})".format, inner),
        st.builds("(lambda a, *b: {})".format, inner),
        st.builds("(not {})".format, inner),
        st.builds("f'{{{}!r:>{{n}}}} é'".format, st.sampled_from(["x", "x.item()", "y.shape"])),
    )


EXPRESSIONS = st.recursive(NAMES | LITERALS, larger, max_leaves=6)
TARGETS = st.sampled_from(["x", "y", "z", "x[0]", "self.buffer", "self.count", "x.data", "a, b", "a, *b", "x = y"])
COMMENTS = st.sampled_from(["", "  # noqa", "  # type: ignore", "  # é", "\t# tab", "  # graphmend-lint: disable", ";"])
Lines = list[str]


FIXED = st.sampled_from(
    [
        "print(x)",
        "print('a', n, x.shape)",
        "print(f'{x} é {n!r:>3}', end='')",
        "logger.info('%s of %s', n, x.shape)",
        "warnings.warn('late')",
        "if x.sum() > 0:\n\0x = x + 1",
        "if (x > 0).any(): x = x * 2",
        "if not torch.isfinite(x).all():\n\0raise ValueError(  # why\n\0\0f'é {n}')",
        "if x.mean() < 1:  # é\n\0# first\n\0z = x\nelse:\n\0z = -x",
        "z = int(x.shape[0])",
        "z = x.sum().item()",
        "self.count += 1",
        "x = torch.where(x.max() > n, x, -x) if x.min() > 0 else x",
        "x[x > 0] = 0",
        "while x.sum() < 3: x = x + 1",
        "assert (x > 0).all(), 'é'",
    ]
)


def simple() -> st.SearchStrategy[Lines]:
    statement = st.one_of(
        EXPRESSIONS,
        calls(EXPRESSIONS),
        st.builds("{} = {}".format, TARGETS, EXPRESSIONS),
        st.builds("{} += {}".format, st.sampled_from(["x", "n", "self.count", "x[0]"]), EXPRESSIONS),
        st.builds("z: int = {}".format, EXPRESSIONS),
        st.builds("assert {}, {}".format, EXPRESSIONS, EXPRESSIONS),
        st.sampled_from(["pass", "del y", "global g", "import os", "from math import pi", "'''doc\n  string'''"]),
    )
    several = st.lists(statement, min_size=1, max_size=2).map("; ".join)
    text = (
        FIXED | FIXED | several | st.builds("{} {}".format, st.sampled_from(["return", "raise", "yield"]), EXPRESSIONS)
    )
    return st.builds(lambda text, comment: f"{text}{comment}".split("\n"), text, COMMENTS)


def _block(head: str, body: list[Lines], *more: tuple[str, list[Lines]]) -> Lines:
    lines = []
    for title, statements in ((head, body), *more):
        inside = [line for statement in statements for line in statement] or ["pass"]
        lines += [*title.split("\n"), *(f"\0{line}" for line in inside)]
    return lines


def compound(inner: st.SearchStrategy[Lines]) -> st.SearchStrategy[Lines]:
    body = st.lists(inner, min_size=1, max_size=3)
    test = EXPRESSIONS
    return st.one_of(
        st.builds(lambda t, b: _block(f"if {t}:", b), test, body),
        st.builds(lambda t, b, c: _block(f"if {t}:  # why", b, ("else:", c)), test, body, body),
        st.builds(lambda t, b, u, c: _block(f"if {t}:", b, (f"elif {u}:", c)), test, body, test, body),
        st.builds(lambda t, b: _block(f"while {t}:", [*b, ["break"]]), test, body),
        st.builds(lambda t, b, c: _block(f"for i, *j in {t}:", b, ("else:", c)), test, body, body),
        st.builds(lambda b, c: _block("try:", b, ("except (ValueError, TypeError) as e:", c)), body, body),
        st.builds(lambda b, c: _block("try:", b, ("finally:", c)), body, body),
        st.builds(lambda t, b: _block(f"with torch.no_grad(), {t} as c:", b), test, body),
        st.builds(lambda b: _block("@torch.no_grad()\ndef inner(x, *, k=None):", b), body),
        st.builds(lambda t, *both: _block(f"match {t}:", list(map(_block, CASES, both))), test, body, body),
        st.builds(lambda t, b: [f"if {t}: {b[0]}", *b[1:]] if len(b) == 1 else b, test, simple()),
    )


CASES = ("case [a, *_] if a:", "case _:")
STATEMENTS = st.recursive(simple(), compound, max_leaves=8)
HEADS = st.sampled_from(
    [
        "import torch\nimport torch.nn.functional as F\nfrom torch import nn\n",
        '"""Doc."""\nfrom __future__ import annotations\nimport torch as torch, warnings, logging\n'
        "from torch import nn\nlogger = logging.getLogger(__name__)\n",
        "# comment\nfrom torch import nn; import torch\n",
        "#!/usr/bin/env python\ntry:\n    import torch\n    from torch import nn\nexcept ImportError:\n    pass\n",
    ]
)
INDENTS = st.sampled_from(["    ", "  ", "\t", " ", "        "])
ENDS = st.sampled_from(["\n", "\r\n"])


@st.composite
def programs(draw: st.DrawFn) -> str:
    """A module with one class of some methods."""
    methods = draw(st.lists(st.lists(STATEMENTS, min_size=1, max_size=5), min_size=1, max_size=3))
    heads = [f"def {name}(self, x: torch.Tensor, y=None, *xs, **d):" for name in ("forward", "helper", "other")]
    lines = _block("class Model(nn.Module):", list(map(_block, heads, methods)))
    between = draw(st.sampled_from(["", "\n", "\n\n", "\n# é\n", "\n\f\n", "\f"]))
    end = draw(st.sampled_from(["", "\n", "\n\n"]))
    text = draw(HEADS) + between + "\n".join(lines).replace("\0", draw(INDENTS)) + end
    return text.replace("\n", draw(ENDS))


def sources() -> st.SearchStrategy[Source]:
    path = Path("/nowhere/a.py")
    utf = st.builds(lambda text, bom: Source(path, text, bom=bom), programs(), st.booleans())
    latin = st.builds(lambda text: Source(path, COOKIE + text, "iso-8859-1"), programs())
    return utf | latin


@few
@given(sources())
def test_fixing_keeps_what_it_is_not_about(source: Source) -> None:
    if python_reads(source.encode(source.text)):
        tally = Tally(Counter())
        Judge(Settings(), tally).fix([source], {source.path: "a.py"})
        assert tally.failures == []


def test_enough_programs_have_fixes() -> None:
    """Programs that Python does not read, or in which nothing is found, show nothing."""
    tally = Tally(Counter())

    @settings(few, max_examples=30)
    @given(sources())
    def count(source: Source) -> None:
        if python_reads(source.encode(source.text)):
            tally.counts["read"] += 1
            Judge(Settings(), tally).fix([source], {source.path: "a.py"})

    count()
    assert tally.counts["read"] >= 10
    assert tally.counts["fixed files"] >= 5


@few
@given(st.binary(max_size=200) | st.text(max_size=200).map(lambda text: text.encode("utf-8", "surrogatepass")))
def test_bytes_are_read_as_python_reads_them(data: bytes) -> None:
    tally = Tally(Counter())
    decoded(Path("a.py"), data, tally)
    assert tally.failures == []


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(max_size=5) | st.sampled_from(["code", "markdown", "x = 1\n"]),
    lambda inner: (
        st.lists(inner, max_size=3)
        | st.dictionaries(
            st.sampled_from(["cells", "cell_type", "source", "metadata", "language_info"]), inner, max_size=4
        )
    ),
    max_leaves=12,
)


@few
@given(JSON, st.sampled_from([None, 1, 2]))
def test_notebooks_are_read_or_refused(value: object, indent: int | None) -> None:
    raw = json.dumps(value, indent=indent).encode()
    with suppress(SourceError):
        notebook = Notebook(Path("a.ipynb"), raw)
        assert notebook.written(notebook.source.text) == raw
