"""A client of the language server protocol, as small as it can be: messages over pipes, nothing assumed."""

from __future__ import annotations

import json
import queue
import subprocess
import sys
import threading
from collections.abc import Sequence
from pathlib import Path
from typing import Any

TIMEOUT = 60


class Client:
    """Starts the server and talks to it. `notes` gathers what the server says unasked."""

    def __init__(
        self,
        folder: Path,
        *,
        pulls: bool = False,
        encodings: tuple[str, ...] = (),
        resolves: bool = False,
        command: Sequence[str] = (sys.executable, "-m", "graphmend_lint", "server"),
    ) -> None:
        self.process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, cwd=folder)
        self.inbox: queue.Queue[dict[str, Any]] = queue.Queue()
        self.notes: list[dict[str, Any]] = []
        self.number = 0
        threading.Thread(target=self._read, daemon=True).start()
        document: dict[str, Any] = {"publishDiagnostics": {"relatedInformation": True}}
        if pulls:
            document["diagnostic"] = {}
        if resolves:
            document["codeAction"] = {"dataSupport": True, "resolveSupport": {"properties": ["edit"]}}
        capabilities: dict[str, Any] = {"textDocument": document}
        capabilities["notebookDocument"] = {"synchronization": {}}
        if encodings:
            capabilities["general"] = {"positionEncodings": list(encodings)}
        folders = [{"uri": folder.as_uri(), "name": folder.name}]
        self.server = self.ask(
            "initialize",
            {"processId": None, "rootUri": folder.as_uri(), "workspaceFolders": folders, "capabilities": capabilities},
        )
        self.tell("initialized", {})

    def _read(self) -> None:
        stream = self.process.stdout
        assert stream is not None
        while header := stream.readline():
            length = int(header.split(b":")[1])
            while stream.readline().strip():
                pass
            self.inbox.put(json.loads(stream.read(length)))

    def send(self, message: dict[str, Any]) -> None:
        data = json.dumps({"jsonrpc": "2.0", **message}).encode()
        assert self.process.stdin is not None
        self.process.stdin.write(b"Content-Length: %d\r\n\r\n%s" % (len(data), data))
        self.process.stdin.flush()

    def tell(self, method: str, parameters: Any) -> None:
        self.send({"method": method, "params": parameters})

    def ask(self, method: str, parameters: Any) -> Any:
        """The result of a request; an error is an exception."""
        self.number += 1
        self.send({"id": self.number, "method": method, "params": parameters})
        message = self.reply(self.number)
        assert "error" not in message, message["error"]
        return message["result"]

    def reply(self, number: int) -> dict[str, Any]:
        """The answer to the request of this number, whatever it is."""
        while True:
            message = self.inbox.get(timeout=TIMEOUT)
            if message.get("id") == number and "method" not in message:
                return message
            self.notes.append(message)

    def published(self, path: Path) -> list[dict[str, Any]]:
        """The next diagnostics that the server publishes for a file."""
        while True:
            message = self.notes.pop(0) if self.notes else self.inbox.get(timeout=TIMEOUT)
            if message.get("method") == "textDocument/publishDiagnostics" and message["params"]["uri"] == path.as_uri():
                return list(message["params"]["diagnostics"])

    def open(self, path: Path, text: str) -> None:
        item = {"uri": path.as_uri(), "languageId": "python", "version": 1, "text": text}
        self.tell("textDocument/didOpen", {"textDocument": item})

    def change(self, path: Path, version: int, changes: list[dict[str, Any]]) -> None:
        document = {"uri": path.as_uri(), "version": version}
        self.tell("textDocument/didChange", {"textDocument": document, "contentChanges": changes})

    def actions(self, path: Path, where: dict[str, Any], only: list[str] | None = None) -> list[dict[str, Any]]:
        context: dict[str, Any] = {"diagnostics": []} | ({"only": only} if only else {})
        parameters = {"textDocument": {"uri": path.as_uri()}, "range": where, "context": context}
        return list(self.ask("textDocument/codeAction", parameters) or [])

    def pull(self, path: Path) -> list[dict[str, Any]]:
        return list(self.ask("textDocument/diagnostic", {"textDocument": {"uri": path.as_uri()}})["items"])

    def stop(self) -> int:
        """Say goodbye as the protocol wants it; the exit code."""
        self.ask("shutdown", None)
        self.tell("exit", None)
        return self.process.wait(TIMEOUT)


def applied(text: str, edits: list[dict[str, Any]]) -> str:
    """The text after the edits of a code action, columns counted in UTF-16 units."""
    lines = text.splitlines(keepends=True)

    def offset(at: dict[str, int]) -> int:
        before = "".join(lines[: at["line"]])
        line = lines[at["line"]] if at["line"] < len(lines) else ""
        return len(before) + len(line.encode("utf-16-le")[: 2 * at["character"]].decode("utf-16-le"))

    for edit in sorted(edits, key=lambda each: offset(each["range"]["start"]), reverse=True):
        start, end = offset(edit["range"]["start"]), offset(edit["range"]["end"])
        text = text[:start] + edit["newText"] + text[end:]
    return text
