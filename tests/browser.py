"""A headless Chromium, spoken to over its debugging pipe: pages are opened, scripts evaluated, pictures taken."""

from __future__ import annotations

import base64
import json
import os
import shutil
import subprocess
import time
from pathlib import Path
from types import TracebackType
from typing import Any

CHROMIUM = next(filter(None, map(shutil.which, ("chromium", "chromium-browser", "google-chrome"))), None)
OPTIONS = ("--headless=new", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage", "--window-size=1280,900")
TIMEOUT = 60.0  #: seconds for anything that is waited for


class Browser:
    """One page of a browser. `answers` gathers the addresses that something was loaded from, and the status of each."""

    def __init__(self, profile: Path) -> None:
        assert CHROMIUM is not None
        there, self._write = os.pipe()
        self._read, back = os.pipe()

        def connect() -> None:  # the browser reads from 3 and writes to 4
            os.dup2(os.dup(there), 3)
            os.dup2(os.dup(back), 4)

        command = [CHROMIUM, *OPTIONS, "--remote-debugging-pipe", f"--user-data-dir={profile}", "about:blank"]
        self._process = subprocess.Popen(
            command, preexec_fn=connect, close_fds=False, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL
        )
        os.close(there)
        os.close(back)
        self._number, self._rest = 0, b""
        self.answers: list[tuple[str, int]] = []
        self._session: str | None = None
        self._session = self._attach()
        for name in ("Page", "Runtime", "Network"):
            self.tell(f"{name}.enable")

    def _attach(self) -> str:
        targets = self.tell("Target.getTargets")["targetInfos"]
        page = next(each["targetId"] for each in targets if each["type"] == "page")
        return str(self.tell("Target.attachToTarget", targetId=page, flatten=True)["sessionId"])

    def __enter__(self) -> Browser:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        self._process.kill()
        self._process.wait()
        os.close(self._write)
        os.close(self._read)

    def tell(self, method: str, **parameters: Any) -> dict[str, Any]:
        """What the browser answers to a command."""
        self._number += 1
        message: dict[str, Any] = {"id": self._number, "method": method, "params": parameters}
        if self._session:
            message["sessionId"] = self._session
        os.write(self._write, json.dumps(message).encode() + b"\0")
        while True:
            answer = self._next()
            if answer.get("method") == "Network.responseReceived":
                response = answer["params"]["response"]
                self.answers.append((response["url"], response["status"]))
            if answer.get("id") == self._number:
                assert "error" not in answer, answer
                return dict(answer["result"])

    def _next(self) -> dict[str, Any]:
        while b"\0" not in self._rest:
            piece = os.read(self._read, 1 << 16)
            assert piece, "the browser has gone"
            self._rest += piece
        message, _, self._rest = self._rest.partition(b"\0")
        return dict(json.loads(message))

    def open(self, address: str) -> None:
        """Go to a page, and wait until it is there."""
        self.tell("Page.navigate", url=address)
        self.wait("document.readyState === 'complete' && location.href !== 'about:blank'")

    def evaluate(self, script: str) -> Any:
        """The value of a JavaScript expression."""
        answer = self.tell("Runtime.evaluate", expression=script, returnByValue=True)
        assert "exceptionDetails" not in answer, answer
        return answer["result"].get("value")

    def wait(self, script: str) -> Any:
        """The value of an expression once it is true."""
        end = time.monotonic() + TIMEOUT
        while not (value := self.evaluate(script)):
            assert time.monotonic() < end, f"never true: {script}"
            time.sleep(0.1)
        return value

    def picture(self, file: Path) -> None:
        file.write_bytes(base64.b64decode(self.tell("Page.captureScreenshot", format="png")["data"]))
