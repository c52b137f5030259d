"""Settings: where they come from, what they mean, and what is said about mistakes in them."""

from __future__ import annotations

from pathlib import Path

import pytest

from graphmend_lint.config import Settings, load_settings, read_settings
from graphmend_lint.keys import ConfigError
from graphmend_lint.rule import load_rules

KNOWN = load_rules()
CODES = ("GM101", "GM102", "GM301")


def write(file: Path, text: str) -> Path:
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text(text)
    return file


def test_a_pyproject_table_is_read(tmp_path: Path) -> None:
    file = write(
        tmp_path / "pyproject.toml",
        '[tool.graphmend-lint]\nselect = ["GM1"]\nextend-select = ["GM301"]\nentry-points = ["model.run"]\n'
        'unsafe-fixes = true\noutput-format = "concise"\nextend-exclude = ["generated"]\n',
    )
    settings = load_settings([tmp_path / "model.py"])
    assert settings.origin == file
    assert settings.select == ("GM1", "GM301")
    assert settings.entry_points == ("model.run",)
    assert settings.unsafe_fixes
    assert settings.output_format == "concise"
    assert {"generated", ".venv"} <= set(settings.exclude)


def test_a_file_of_our_own_has_no_table_header_and_goes_first(tmp_path: Path) -> None:
    write(tmp_path / "pyproject.toml", '[tool.graphmend-lint]\nselect = ["GM1"]\n')
    write(tmp_path / "graphmend-lint.toml", 'select = ["GM3"]\n')
    assert load_settings([tmp_path]).select == ("GM3",)


def test_the_nearest_file_counts_and_a_pyproject_of_others_is_passed_over(tmp_path: Path) -> None:
    write(tmp_path / "graphmend-lint.toml", 'ignore = ["GM3"]\n')
    write(tmp_path / "inner" / "pyproject.toml", '[project]\nname = "graphmend-lint-user"\n')
    assert load_settings([tmp_path / "inner" / "a.py"]).ignore == ("GM3",)


def test_several_paths_share_the_file_above_all_of_them(tmp_path: Path) -> None:
    write(tmp_path / "graphmend-lint.toml", 'ignore = ["GM3"]\n')
    write(tmp_path / "a" / "graphmend-lint.toml", 'ignore = ["GM1"]\n')
    paths = [write(tmp_path / "a" / "x.py", ""), write(tmp_path / "b" / "y.py", "")]
    assert load_settings(paths).ignore == ("GM3",)
    assert load_settings(paths[:1]).ignore == ("GM1",)


def test_isolated_reads_nothing_and_config_names_the_file(tmp_path: Path) -> None:
    write(tmp_path / "graphmend-lint.toml", 'ignore = ["GM3"]\n')
    other = write(tmp_path / "other.toml", 'ignore = ["GM1"]\n')
    assert load_settings([tmp_path], isolated=True).ignore == ()
    assert load_settings([tmp_path], config=other).ignore == ("GM1",)


def test_extend_takes_over_what_is_not_said_again(tmp_path: Path) -> None:
    write(tmp_path / "base.toml", 'select = ["GM1"]\nignore = ["GM102"]\n')
    file = write(tmp_path / "sub" / "graphmend-lint.toml", 'extend = "../base.toml"\nextend-ignore = ["GM103"]\n')
    settings = read_settings(file)
    assert settings.select == ("GM1",)
    assert settings.ignore == ("GM102", "GM103")


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("selct = []", "unknown key `selct`; did you mean `select`?"),
        ("select = 'GM1'", "`select` must be a list of strings"),
        ("select = [1]", "`select` must be a list of strings"),
        ("unsafe-fixes = 1", "`unsafe-fixes` must be true or false"),
        ("output-format = 'jsn'", "must be one of full, concise, json"),
        ("entry-points = 'module'", "must be one of modules, explicit; did you mean `modules`?"),
        ("per-file-ignores = []", "`per-file-ignores` must be a table"),
        ("select = [", "not valid TOML"),
        ("extend = 'gone.toml'", "gone.toml: cannot read the file: No such file or directory"),
        ("extend = 'graphmend-lint.toml'", "`extend` goes in a circle"),
        ("side-effects = 'gard'", "must be one of print-op, guard, once, vendor, report; did you mean `guard`?"),
        ("target-torch = 2.13", '`target-torch` must be a version such as "2.13"'),
        ("target-torch = 'new'", "`target-torch` must be a version"),
        ("extend = 3", "`extend` must be a string"),
    ],
)
def test_a_mistake_is_one_clear_line(tmp_path: Path, text: str, message: str) -> None:
    file = write(tmp_path / "graphmend-lint.toml", text)
    with pytest.raises(ConfigError) as error:
        read_settings(file)
    assert message in str(error.value)
    assert "graphmend-lint.toml" in str(error.value) or "gone.toml" in str(error.value)
    assert "\n" not in str(error.value)


def test_a_table_of_the_wrong_type_is_an_error(tmp_path: Path) -> None:
    write(tmp_path / "pyproject.toml", '[tool]\ngraphmend-lint = 3 # "tool.graphmend-lint"\n')
    with pytest.raises(ConfigError, match="must be a table"):
        load_settings([tmp_path])


def test_a_code_that_no_rule_has_is_an_error_with_a_suggestion() -> None:
    with pytest.raises(ConfigError, match=r"unknown rule code `GM1001` in `select`; did you mean `GM101`\?"):
        Settings(select=("GM1001",)).check(KNOWN)
    with pytest.raises(ConfigError, match="`per-file-ignores`"):
        Settings(per_file_ignores=(("x.py", ("F401",)),)).check(KNOWN)
    Settings(select=("GM1", "GM301"), ignore=("GM",)).check(KNOWN)


@pytest.mark.parametrize(
    ("select", "ignore", "selected"),
    [
        (("GM",), (), {"GM101", "GM102", "GM301"}),
        (("GM1",), (), {"GM101", "GM102"}),
        (("GM1",), ("GM101",), {"GM102"}),
        (("GM101",), ("GM1",), {"GM101"}),  # the longer one decides
        (("GM101",), ("GM101",), set()),
        ((), (), set()),
    ],
)
def test_of_two_prefixes_the_longer_decides(
    select: tuple[str, ...], ignore: tuple[str, ...], selected: set[str]
) -> None:
    settings = Settings(select=select, ignore=ignore)
    assert {code for code in CODES if settings.selects(code)} == selected


def test_fixable_and_unfixable_say_which_fixes_may_be_applied() -> None:
    settings = Settings(unfixable=("GM3",))
    assert settings.may_fix("GM101")
    assert not settings.may_fix("GM301")


def test_per_file_ignores_match_names_folders_and_patterns(tmp_path: Path) -> None:
    ignores = (("tests/", ("GM1",)), ("*_ref.py", ("GM",)), ("/top.py", ("GM301",)))
    settings = Settings(per_file_ignores=ignores, root=tmp_path)
    assert settings.ignores(tmp_path / "tests" / "deep" / "a.py", "GM101")
    assert not settings.ignores(tmp_path / "tests" / "a.py", "GM301")
    assert settings.ignores(tmp_path / "src" / "model_ref.py", "GM301")
    assert settings.ignores(tmp_path / "top.py", "GM301")
    assert not settings.ignores(tmp_path / "src" / "top.py", "GM301")
