"""CPU time of the linter over a tree, as a multiple of `ast.parse` over the same files.

    python -m tests.bench PATH [--runs N]

All run as child processes, in turn; ratios of the smallest times are printed: of a run without a cache to parsing, and
of a run that finds its answer in the cache (warm) to one without. Seconds depend on the machine, ratios hardly do.
"""

from __future__ import annotations

import argparse
import resource
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Final

PARSE: Final = """
import ast, sys
from pathlib import Path
for path in sorted(Path(sys.argv[1]).rglob("*.py")):
    ast.parse(path.read_bytes())
"""


def cpu(command: list[str]) -> float:
    """User and system seconds that a command takes.

    Raises:
        SystemExit: if the command fails; the linter's exit status 1 is no failure.
    """
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    done = subprocess.run(command, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True, check=False)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    if done.returncode not in (0, 1):
        raise SystemExit(f"{' '.join(command[:4])} ... failed: {done.stderr.strip()[-300:]}")
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("path", type=Path, help="a folder of Python files, such as an installed package")
    parser.add_argument("--runs", type=int, default=3)
    options = parser.parse_args()
    if not options.path.is_dir():
        raise SystemExit(f"{options.path}: no such folder")
    lint = [sys.executable, "-m", "graphmend_lint", str(options.path), "--output-format", "concise"]
    with tempfile.TemporaryDirectory() as folder:
        parsing, cold, warm = (
            [sys.executable, "-c", PARSE, str(options.path)],
            [*lint, "--no-cache"],
            [*lint, "--cache-dir", f"{folder}/cache"],
        )
        cpu(warm)  # fills the cache
        rounds = [[cpu(command) for command in (parsing, cold, warm)] for _ in range(options.runs)]
    parse, whole, again = map(min, zip(*rounds, strict=True))
    print(f"ast.parse {parse:.1f} s   graphmend-lint {whole:.1f} s   ratio {whole / parse:.2f}")
    print(f"warm {again:.2f} s   warm to cold {again / whole:.3f}")


if __name__ == "__main__":
    main()
