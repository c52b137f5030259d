"""The documentation as a site: every page is in its navigation, and it builds without a network."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

import pytest

from graphmend_lint.cli import main

DOCS = Path(__file__).resolve().parent.parent / "docs"
SITE = DOCS / "site"
LOADED = re.compile(r"""(?:<script[^>]* src|<link[^>]* rel="?(?:stylesheet|preconnect|icon)"?[^>]* href)="?https?:""")


def block(language: str) -> str:
    """A block of code of the first page."""
    found = re.search(rf"^```{language}\n(.*?)^```", (DOCS / "index.md").read_text("utf-8"), re.M | re.S)
    assert found, language
    return found[1]


def test_every_page_is_in_the_navigation() -> None:
    text = (SITE / "mkdocs.yml").read_text("utf-8")
    assert sorted(re.findall(r"[\w-]+\.md", text)) == sorted(
        each.name for each in [*DOCS.glob("*.md"), Path("index.md")]
    )


def test_every_rule_is_in_the_navigation(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.syspath_prepend(str(SITE))
    import site_nav

    config = site_nav.on_config({"nav": [{"First": "index.md"}, {"Rules": ["rules/index.md"]}]})
    listed = re.findall(r"rules/[\w-]+\.md", str(config["nav"]))
    assert sorted(listed) == sorted(f"rules/{each.name}" for each in (DOCS / "rules").glob("*.md"))


@pytest.mark.parametrize(("language", "option"), [("text", "--no-cache"), ("diff", "--diff")])
def test_the_first_page_shows_what_is_said(
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
    language: str,
    option: str,
) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.delenv("FORCE_COLOR", raising=False)
    Path("model.py").write_text(block("python"))
    main(["--isolated", "model.py", option])
    assert capsys.readouterr().out.rstrip("\n") == block(language).rstrip("\n")


@pytest.mark.heavy
def test_the_site_builds_and_loads_nothing_from_elsewhere(tmp_path: Path) -> None:
    pytest.importorskip("mkdocs")
    command = [sys.executable, "-m", "mkdocs", "build", "-f", str(SITE / "mkdocs.yml"), "--strict", "-d", str(tmp_path)]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr[-2000:]
    pages = list(tmp_path.rglob("*.html"))
    assert len(pages) > len(list(DOCS.rglob("*.md")))
    for page in pages:
        assert not LOADED.search(page.read_text("utf-8")), page
