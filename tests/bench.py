"""What the linter costs over a tree, as multiples of `ast.parse` over the same files, and against other linters.

    python -m tests.bench PATH [--runs N] [--plot FILE.svg] [--against 'NAME[:FILES]=COMMAND'] ...

Every figure is CPU time of child processes, which run in turn; the smallest of `--runs` counts, and ratios are of
figures from this one run. Seconds depend on the machine, ratios hardly do. Printed are:

- a run without a cache (cold), and one that finds its answer in the cache (warm), to parsing; the memory of the first;
- one file of about 1,500 lines from process start, to a program that imports click and parses the same file: one with
  findings and one without;
- how cost grows with lines, over folders of the tree that are copied aside (drawn into `--plot`), over copies of some
  of them, which differ in nothing but their number, and with findings;
- for each `--against`, a command that takes file names: its time to ours over that many files, spread over the tree
  (all of them, if no number is given).
"""

from __future__ import annotations

import argparse
import math
import os
import shlex
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final

PARSE: Final = """
import ast, sys
from pathlib import Path
for path in sorted(Path(sys.argv[1]).rglob("*.py")):
    ast.parse(path.read_bytes())
"""
FLOOR: Final = """
import ast, click
@click.command()
@click.argument("path")
def main(path):
    ast.parse(open(path, "rb").read())
main()
"""
LINT: Final = [sys.executable, "-m", "graphmend_lint", "check", "--output-format", "concise", "--isolated"]
LINES: Final = 1_500  #: of the one file
NEAREST: Final = 20  #: files that are tried
SHARES: Final = (1 / 16, 1 / 8, 1 / 4, 1 / 2, 1.0)
COPIES: Final = (1, 2, 4, 8)
ENOUGH: Final = 50_000  #: lines that are copied, at least
MODEL: Final = """\
import torch


class Model{n}(torch.nn.Module):
    def forward(self, x: torch.Tensor, y: torch.Tensor) -> torch.Tensor:
        z = torch.relu(x + {n})
        {statement}
        return z * y
"""


@dataclass(frozen=True)
class Cost:
    """What a command took."""

    cpu: float  #: user and system seconds
    memory: float  #: megabytes at its largest


def cost(command: Sequence[str], runs: int = 1) -> Cost:
    """The least that a command takes in some runs. Bytecode is kept in a folder of our own, as for installed packages.

    Raises:
        SystemExit: if the command fails; a linter's exit status 1 is no failure.
    """
    results = []
    for _ in range(runs):
        with tempfile.TemporaryFile("w+") as errors:
            child = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=errors)
            _, status, used = os.wait4(child.pid, 0)
            child.returncode = os.waitstatus_to_exitcode(status)
            if child.returncode not in (0, 1):
                errors.seek(0)
                raise SystemExit(f"{' '.join(command[:4])} ... failed: {errors.read().strip()[-300:]}")
        results.append(Cost(used.ru_utime + used.ru_stime, used.ru_maxrss / 1024))
    return Cost(min(each.cpu for each in results), min(each.memory for each in results))


def python_files(folder: Path) -> list[Path]:
    return sorted(folder.rglob("*.py"))


def lines(paths: Sequence[Path]) -> int:
    return sum(path.read_bytes().count(b"\n") for path in paths)


# What is measured


def whole_tree(path: Path, runs: int, scratch: Path) -> None:
    cold, warm = [*LINT, str(path), "--no-cache"], [*LINT, str(path), "--cache-dir", str(scratch / "cache")]
    cost(warm)  # fills the cache
    rounds = [[cost(each) for each in ([sys.executable, "-c", PARSE, str(path)], cold, warm)] for _ in range(runs)]
    parse, first, again = (min(each.cpu for each in column) for column in zip(*rounds, strict=True))
    print(f"cold    {first:.1f} s, ast.parse {parse:.1f} s, ratio {first / parse:.2f}")
    print(f"warm    {again:.2f} s, to ast.parse {again / parse:.3f}, to cold {again / first:.3f}")
    print(f"memory  {min(each[1].memory for each in rounds):.0f} MB; ast.parse alone {rounds[0][0].memory:.0f} MB")


def one_file(path: Path, runs: int, scratch: Path) -> None:
    """Files with a `forward`, of about the wanted number of lines, taken out of their package.

    One in which something is found, so that fixes are decided on, and one in which nothing is.
    """
    models = [each for each in python_files(path) if b"def forward(" in each.read_bytes()]
    nearest = sorted(models or python_files(path), key=lambda each: abs(lines([each]) - LINES))[:NEAREST]
    copies = {each: Path(shutil.copy(each, scratch / f"one{number}.py")) for number, each in enumerate(nearest)}
    for status, what in ((1, "with a finding"), (0, "without")):
        chosen = next(
            (each for each, copy in copies.items() if exit_status([*LINT, str(copy), "--no-cache"]) == status), None
        )
        if chosen is not None:
            start(f"{chosen.relative_to(path)}, {what}", copies[chosen], runs, scratch)


def exit_status(command: Sequence[str]) -> int:
    return subprocess.run(command, capture_output=True, check=False).returncode


def start(name: str, file: Path, runs: int, scratch: Path) -> None:
    warm = [*LINT, str(file), "--cache-dir", str(scratch / "cache")]
    cost(warm)
    floor, cold, again = (
        cost(each, 3 * runs).cpu
        for each in ([sys.executable, "-c", FLOOR, str(file)], [*LINT, str(file), "--no-cache"], warm)
    )
    print(f"start   {name}, {lines([file]):,} lines: {cold:.3f} s, to the floor {cold / floor:.2f}")
    print(f"        warm {again:.3f} s, to the floor {again / floor:.2f}; the floor {floor:.3f} s")


def growth_with_lines(path: Path, runs: int, scratch: Path) -> list[tuple[int, float]]:
    """Lines and CPU seconds beyond process start, of more and more folders of the tree."""
    folders = sorted({each.parent for each in python_files(path)}, key=lambda each: hash_of(each.relative_to(path)))
    start, points = cost([*LINT, str(empty(scratch)), "--no-cache"], runs).cpu, []
    for share in SHARES:
        some = folders[: max(1, round(len(folders) * share))]
        points.append(sample("lines", path, some, 1, runs, scratch, start))
    print(f"        cost grows with lines to the power of {exponent(points):.2f}")
    share = next((share for share, point in zip(SHARES, points, strict=True) if point[0] > ENOUGH), 1.0)
    some, copies = folders[: round(len(folders) * share)], []
    for count in COPIES:
        copies.append(sample("copies", path, some, count, runs, scratch, start))
    print(f"        cost grows with copies to the power of {exponent(copies):.2f}")
    return points


def sample(
    label: str, path: Path, folders: Sequence[Path], copies: int, runs: int, scratch: Path, start: float
) -> tuple[int, float]:
    """Lines and CPU seconds beyond process start, of some folders of the tree, as often as told."""
    for number in range(copies):
        for folder in folders:
            (target := scratch / "sample" / f"copy{number}" / folder.relative_to(path)).mkdir(
                parents=True, exist_ok=True
            )
            for file in folder.glob("*.py"):
                shutil.copy(file, target)
    count = lines(python_files(scratch / "sample"))
    cpu = cost([*LINT, str(scratch / "sample"), "--no-cache"], runs).cpu - start
    print(f"{label:7} {count:>9,} lines {cpu:6.2f} s, {cpu / count * 1e6:5.1f} s per million")
    shutil.rmtree(scratch / "sample")
    return count, cpu


def growth_with_findings(runs: int, scratch: Path) -> list[tuple[int, float]]:
    """Findings and CPU seconds, of one file of 2,000 classes, of which more and more have a finding."""
    points = []
    for found in (0, 500, 1_000, 1_500, 2_000):
        text = "".join(MODEL.format(n=n, statement="print(z)" if n < found else "abs(z)") for n in range(2_000))
        (file := scratch / "findings.py").write_text(text)
        points.append((found, cost([*LINT, str(file), "--no-cache"], runs).cpu))
        print(f"found   {found:>9,} findings {points[-1][1]:6.2f} s")
    none, middle, most = (points[at][1] for at in (0, 2, 4))
    print(
        f"        the second half of them costs {(most - middle) / max(middle - none, 1e-9):.2f} times the first half"
    )
    return points


def against(name: str, command: Sequence[str], files: Sequence[Path]) -> None:
    """Another linter over the same files, once."""
    names = [str(each) for each in files]
    other, ours = cost([*command, *names]), cost([*LINT, *names, "--no-cache"])
    print(
        f"against {name}: {len(files)} files, {lines(files):,} lines: {other.cpu:.1f} s to our {ours.cpu:.2f} s,",
        end=" ",
    )
    print(f"{other.cpu / ours.cpu:.1f} times")


def hash_of(path: Path) -> int:
    """A number that mixes the folders, the same in every run."""
    return sum(ord(character) * 31**place for place, character in enumerate(str(path))) % 9_973


def empty(scratch: Path) -> Path:
    (file := scratch / "empty.py").write_text("")
    return file


def exponent(points: Sequence[tuple[int, float]]) -> float:
    """The slope of a straight line through the logarithms; the smallest samples say nothing."""
    enough = [(x, y) for x, y in points if x > points[-1][0] / 50 and y > 0]
    logs = [(math.log(x), math.log(y)) for x, y in enough]
    mean_x, mean_y = (sum(column) / len(logs) for column in zip(*logs, strict=True))
    return sum((x - mean_x) * (y - mean_y) for x, y in logs) / sum((x - mean_x) ** 2 for x, _ in logs)


# The plot


def plot(curves: dict[str, list[tuple[int, float]]]) -> str:
    """One panel per curve, as SVG."""
    panels = "".join(
        f'<g transform="translate({60 + 360 * n},20)">{panel(title, points)}</g>'
        for n, (title, points) in enumerate(curves.items())
    )
    style = "text{font:11px sans-serif;fill:#666}.axis{stroke:#999}.line{stroke:#c33;fill:none}.dot{fill:#c33}"
    size = f'width="{360 * len(curves) + 40}" height="290"'
    return f'<svg xmlns="http://www.w3.org/2000/svg" {size}><style>{style}</style>{panels}</svg>\n'


def panel(title: str, points: Sequence[tuple[int, float]]) -> str:
    wide, high = max(x for x, _ in points), max(y for _, y in points)
    places = [(280 * x / wide, 220 - 210 * y / high) for x, y in points]
    dots = "".join(f'<circle class="dot" cx="{x:.1f}" cy="{y:.1f}" r="3"/>' for x, y in places)
    return (
        '<path class="axis" d="M0 0V220H290" fill="none"/>'
        f'<polyline class="line" points="{" ".join(f"{x:.1f},{y:.1f}" for x, y in places)}"/>{dots}'
        f'<text x="140" y="255" text-anchor="middle">{title}</text>'
        f'<text x="280" y="236" text-anchor="end">{wide:,}</text>'
        f'<text x="-6" y="14" text-anchor="end">{high:.1f} s</text>'
    )


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("path", type=Path, help="a folder of Python files, such as an installed package")
    parser.add_argument("--runs", type=int, default=3)
    parser.add_argument("--against", action="append", default=[], metavar="NAME[:FILES]=COMMAND")
    parser.add_argument("--plot", type=Path, metavar="FILE.svg")
    parser.add_argument("--quick", action="store_true", help="only cold, warm, memory and start")
    options = parser.parse_args()
    if not options.path.is_dir():
        raise SystemExit(f"{options.path}: no such folder")
    with tempfile.TemporaryDirectory() as folder:
        scratch = Path(folder)
        os.environ["PYTHONPYCACHEPREFIX"] = f"{folder}/bytecode"
        os.environ.pop("PYTHONDONTWRITEBYTECODE", None)
        one_file(options.path, options.runs, scratch)
        whole_tree(options.path, options.runs, scratch)
        files = python_files(options.path)
        for each in options.against:
            asked, _, command = each.partition("=")
            name, _, count = asked.partition(":")
            against(name, shlex.split(command), files[:: max(1, len(files) // int(count or len(files)))])
        if not options.quick:
            by_lines = growth_with_lines(options.path, options.runs, scratch)
            by_findings = growth_with_findings(options.runs, scratch)
            if options.plot:
                options.plot.write_text(plot({"lines": by_lines, "findings": by_findings}), encoding="utf-8")


if __name__ == "__main__":
    main()
