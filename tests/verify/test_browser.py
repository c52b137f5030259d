"""The page in a real browser: headless Chromium, where one is installed (`apt-get install chromium`)."""

from __future__ import annotations

import json
import re
import shutil
import subprocess
from pathlib import Path
from typing import Any

import pytest
from verify.test_report import TIMED, row, verdict

from graphmend_lint.verify.html import page
from graphmend_lint.verify.verdict import Outcome

CHROMIUM = next(filter(None, map(shutil.which, ("chromium", "chromium-browser", "google-chrome", "chrome"))), None)

pytestmark = pytest.mark.skipif(CHROMIUM is None, reason="no Chromium: apt-get install chromium")

LOOK = """
<script>
const box = each => each.getBoundingClientRect();
const told = {
  sections: document.querySelectorAll("section").length,
  overflow: document.documentElement.scrollWidth - innerWidth,
  bars: [...document.querySelectorAll(".track")].map(each => [...each.children].map(bar => box(bar).width)),
  graphs: [...document.querySelectorAll(".graph")].map(each => [each.textContent, box(each).width, box(each).height]),
  marks: [...document.querySelectorAll(".source .break")].map(each => [each.textContent, box(each).height]),
  badges: [...document.querySelectorAll("h2 .badge")].map(each => getComputedStyle(each).backgroundColor),
  requests: performance.getEntriesByType("resource").length,
};
document.body.innerHTML = "<pre id=told></pre>";
document.getElementById("told").textContent = JSON.stringify(told);
</script>
"""


def looked(folder: Path, text: str, width: int) -> dict[str, Any]:
    """What the browser makes of a page."""
    (folder / "page.html").write_text(text.replace("</body>", f"{LOOK}</body>"))
    command = [str(CHROMIUM), "--headless", "--no-sandbox", "--disable-gpu", f"--user-data-dir={folder / 'profile'}"]
    command += [f"--window-size={width},900", "--dump-dom", f"file://{folder / 'page.html'}"]
    done = subprocess.run(command, capture_output=True, text=True, check=False, timeout=120)
    found = re.search(r'<pre id="told">(.*?)</pre>', done.stdout, re.S)
    assert found, done.stderr[-500:]
    told: dict[str, Any] = json.loads(found[1].replace("&lt;", "<").replace("&gt;", ">").replace("&amp;", "&"))
    return told


def test_everything_on_the_page_can_be_seen(tmp_path: Path) -> None:
    rows = [row([verdict()], TIMED), {**row([verdict(Outcome.NOT_PROVEN)]), "name": "second"}]
    told = looked(tmp_path, page(rows, "graphmend-lint verify"), 1200)
    assert told["sections"] == 2
    assert told["overflow"] <= 0
    assert told["requests"] == 0, "the page needs nothing else"
    assert [each[0] for each in told["graphs"]] == ["3", "1", "1", "3", "1", "1"]
    first, second, alone, *_ = told["graphs"]
    assert first[1] == pytest.approx(3 * second[1], rel=0.1), "as wide as it has operations"
    assert alone[1] > first[1]
    assert all(each[2] > 15 for each in told["graphs"])
    assert [each[0][:20] for each in told["marks"]] == ["breaks before: GB017"] * 2
    assert all(each[1] > 15 for each in told["marks"])
    assert len(set(told["badges"])) == 2, "a verdict has its colour"
    cold, steady = told["bars"][:3], told["bars"][3:]
    assert [len(bars) for bars in cold] == [1, 2, 2], "the compiled ones show compiling"
    assert sum(cold[1]) == pytest.approx(2 * sum(cold[2]), rel=0.05), "5 s against 2.5 s"
    assert steady[0][0] == pytest.approx(5 * steady[2][0], rel=0.05), "0.5 s against 0.1 s"


def test_it_fits_a_narrow_window(tmp_path: Path) -> None:
    told = looked(tmp_path, page([row([verdict()], TIMED)]), 500)
    assert told["overflow"] <= 0
