"""The documentation as a site: every page is in its navigation, and it builds without a network."""

from __future__ import annotations

import re
import subprocess
import sys
import threading
from collections.abc import Iterator
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from urllib.parse import urlsplit

import pytest
from browser import CHROMIUM, Browser

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


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The site, built."""
    pytest.importorskip("mkdocs", reason="needs the extra `docs`")
    folder = tmp_path_factory.mktemp("site")
    command = [sys.executable, "-m", "mkdocs", "build", "-f", str(SITE / "mkdocs.yml"), "--strict", "-d", str(folder)]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr[-2000:]
    return folder


def test_the_site_builds_and_loads_nothing_from_elsewhere(site: Path) -> None:
    pages = list(site.rglob("*.html"))
    assert len(pages) > len(list(DOCS.rglob("*.md")))
    for page in pages:
        assert not LOADED.search(page.read_text("utf-8")), page


class Quiet(SimpleHTTPRequestHandler):
    def log_message(self, *_: object) -> None:
        """Say nothing."""


@pytest.fixture
def address(site: Path) -> Iterator[str]:
    """Where the site is served."""
    server = ThreadingHTTPServer(("127.0.0.1", 0), partial(Quiet, directory=str(site)))
    threading.Thread(target=server.serve_forever, daemon=True).start()
    yield f"http://127.0.0.1:{server.server_port}"
    server.shutdown()
    server.server_close()


SEARCH = """(() => {
    const field = document.querySelector(".md-search__input")
    field.focus()
    field.value = "tensor-branch"
    field.dispatchEvent(new Event("input", { bubbles: true }))
    field.dispatchEvent(new KeyboardEvent("keyup", { bubbles: true }))
    return true
})()"""
RESULTS = "[...document.querySelectorAll('.md-search-result__link')].map(each => new URL(each.href).pathname)"
WIDE = "document.documentElement.scrollWidth > document.documentElement.clientWidth"


@pytest.mark.skipif(CHROMIUM is None, reason="needs Chromium: apt-get install chromium")
def test_a_browser_shows_the_site_and_its_search_finds_a_rule(site: Path, address: str, tmp_path: Path) -> None:
    with Browser(tmp_path / "profile") as browser:
        for page in ("index.html", "rules/index.html", "rules/log-call.html", "configuration.html"):
            browser.open(f"{address}/{page}")
            assert browser.evaluate("document.querySelector('h1').innerText.length") > 4
            assert not browser.evaluate(WIDE), f"{page} is wider than its window"
        browser.evaluate(SEARCH)
        assert "/rules/tensor-branch.html" in browser.wait(f"({RESULTS}).length && {RESULTS}")
        browser.picture(tmp_path / "search.png")
        assert (tmp_path / "search.png").stat().st_size > 10_000
        loaded = [each for each in browser.answers if not each[0].startswith("data:")]
        assert len(loaded) > 10
        assert {urlsplit(url).netloc for url, _ in loaded} == {urlsplit(address).netloc}
        assert [each for each in loaded if each[1] >= 400] == []
