"""The command line as a process: standard input, pipes, interruptions."""

from __future__ import annotations

import re
import signal
import subprocess
import sys
from pathlib import Path

from command_line import BROKEN, CLEAN, MENDED

from graphmend_lint import __version__


def process(*arguments: str, stdin: bytes = b"", cwd: Path) -> subprocess.CompletedProcess[bytes]:
    command = [sys.executable, "-m", "graphmend_lint", *arguments]
    return subprocess.run(command, input=stdin, capture_output=True, cwd=cwd, check=False)


def test_standard_input_is_linted_under_the_name_given(tmp_path: Path) -> None:
    arguments = ("-", "--stdin-filename", "pkg/a.py", "--output-format", "concise", "-q")
    done = process(*arguments, stdin=BROKEN.encode(), cwd=tmp_path)
    assert done.returncode == 1
    assert done.stdout.startswith(b"pkg/a.py:6:9: ")


def test_standard_input_is_fixed_onto_standard_output(tmp_path: Path) -> None:
    crlf = BROKEN.replace("\n", "\r\n").encode()
    done = process("-", "--fix", "--unsafe-fixes", stdin=crlf, cwd=tmp_path)
    assert done.returncode == 0
    assert done.stdout == MENDED.replace("\n", "\r\n").encode()
    assert b"1 fixed" in done.stderr


def test_standard_input_that_is_not_python_is_one_line(tmp_path: Path) -> None:
    done = process("-", stdin=b"def (", cwd=tmp_path)
    assert done.returncode == 2
    assert re.fullmatch(rb"-:1: not valid Python: .+\n", done.stderr)


def test_a_reader_that_goes_away_gets_no_traceback(tmp_path: Path) -> None:
    body = "".join(f"        print({number})\n" for number in range(3000))
    (tmp_path / "a.py").write_text(BROKEN.replace('        print("hello")  # says hello\n', body))
    command = f"{sys.executable} -m graphmend_lint a.py | head -1"
    done = subprocess.run(command, shell=True, capture_output=True, cwd=tmp_path, check=False)
    assert done.stdout.startswith(b"a.py:6:9")
    assert done.stderr == b""


def test_an_interruption_is_quiet(tmp_path: Path) -> None:
    (tmp_path / "a.py").write_text(CLEAN)
    command = [sys.executable, "-m", "graphmend_lint", "--watch", "a.py"]
    running = subprocess.Popen(
        command,
        cwd=tmp_path,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        preexec_fn=lambda: signal.signal(signal.SIGINT, signal.SIG_DFL),  # a job in the background ignores it
    )
    assert running.stderr is not None
    assert running.stderr.readline() == "Watching for changes.\n"
    running.send_signal(signal.SIGINT)
    out, err = running.communicate(timeout=20)
    assert (running.returncode, out, err.strip()) == (130, "All checks passed!\n", "")


def test_the_script_is_installed(tmp_path: Path) -> None:
    script = Path(sys.executable).with_name("graphmend-lint")
    done = subprocess.run([script, "--version"], capture_output=True, text=True, cwd=tmp_path, check=True)
    assert done.stdout == f"graphmend-lint {__version__}\n"
