"""Notebooks in the language server: a document per cell, linted as one module."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from lsp_client import Client, applied

HEAD = "%matplotlib inline\nimport torch"
MODEL = """\
class Model(torch.nn.Module):
    def forward(self, x: torch.Tensor) -> torch.Tensor:
        print("h\N{GRINNING FACE}llo")
        return say(x)
"""
SAY = 'def say(x):\n    print("x")\n    return x'
CELLS = [("code", HEAD), ("markdown", "# print"), ("code", SAY), ("code", MODEL)]


class Notebook:
    """A notebook that a client has open."""

    def __init__(self, client: Client, path: Path, cells: list[tuple[str, str]]) -> None:
        self.client, self.uri = client, path.as_uri()
        self.texts = {
            f"{self.uri}#W{n}%3D".replace("file:", "vscode-notebook-cell:"): each for n, (_, each) in enumerate(cells)
        }
        kinds = [2 if kind == "code" else 1 for kind, _ in cells]
        rows = [{"kind": kind, "document": uri} for kind, uri in zip(kinds, self.texts, strict=True)]
        document = {"uri": self.uri, "notebookType": "jupyter-notebook", "version": 1, "cells": rows}
        code = [
            {"uri": uri, "languageId": "python", "version": 1, "text": text}
            for (uri, text), kind in zip(self.texts.items(), kinds, strict=True)
            if kind == 2
        ]
        client.tell("notebookDocument/didOpen", {"notebookDocument": document, "cellTextDocuments": code})

    def cell(self, number: int) -> str:
        return list(self.texts)[number]

    def change(self, version: int, cells: dict[str, Any]) -> None:
        document = {"uri": self.uri, "version": version}
        self.client.tell("notebookDocument/didChange", {"notebookDocument": document, "change": {"cells": cells}})

    def write(self, version: int, number: int, text: str) -> None:
        content = {"document": {"uri": self.cell(number), "version": version}, "changes": [{"text": text}]}
        self.change(version, {"textContent": [content]})

    def pull(self, number: int) -> list[tuple[int, int, str]]:
        """Row, column (from 0, in UTF-16 units) and code of what is found in a cell."""
        answer = self.client.ask("textDocument/diagnostic", {"textDocument": {"uri": self.cell(number)}})
        starts = [(each["range"]["start"], each["code"]) for each in answer["items"]]
        return [(start["line"], start["character"], code) for start, code in starts]

    def actions(self, number: int, only: list[str] | None = None) -> list[dict[str, Any]]:
        everything = {"start": {"line": 0, "character": 0}, "end": {"line": 99, "character": 0}}
        context = {"diagnostics": []} | ({"only": only} if only else {})
        parameters = {"textDocument": {"uri": self.cell(number)}, "range": everything, "context": context}
        return list(self.client.ask("textDocument/codeAction", parameters))


@pytest.fixture
def client(tmp_path: Path) -> Iterator[Client]:
    made = Client(tmp_path, pulls=True)
    yield made
    made.process.kill()


@pytest.fixture
def notebook(client: Client, tmp_path: Path) -> Notebook:
    return Notebook(client, tmp_path / "a.ipynb", CELLS)


def test_what_is_found_stands_in_its_cell(client: Client, notebook: Notebook) -> None:
    assert client.server["capabilities"]["notebookDocumentSync"]["notebookSelector"]
    assert notebook.pull(0) == []
    assert notebook.pull(2) == [(1, 4, "GM301")]
    assert notebook.pull(3) == [(2, 8, "GM301")]


def test_the_chain_leads_to_the_cell_that_calls(client: Client, notebook: Notebook) -> None:
    (found,) = client.ask("textDocument/diagnostic", {"textDocument": {"uri": notebook.cell(2)}})["items"]
    places = [each["location"]["uri"] for each in found["relatedInformation"]]
    assert places[0] == notebook.cell(3)


def test_a_changed_cell_counts_for_the_others_and_a_broken_one_for_none(notebook: Notebook) -> None:
    notebook.write(2, 3, MODEL.replace("say(x)", "x"))
    assert notebook.pull(2) == []
    notebook.write(3, 2, "def say(")
    assert notebook.pull(3) == [(2, 8, "GM301")]
    notebook.write(4, 3, MODEL)
    notebook.write(5, 2, SAY)
    assert notebook.pull(2) == [(1, 4, "GM301")]


def test_cells_may_come_and_go(client: Client, notebook: Notebook) -> None:
    gone = notebook.cell(3)
    structure = {"array": {"start": 3, "deleteCount": 1}, "didClose": [{"uri": gone}]}
    notebook.change(2, {"structure": structure})
    assert notebook.pull(2) == []
    assert client.ask("textDocument/diagnostic", {"textDocument": {"uri": gone}})["items"] == []
    item = {"uri": gone, "languageId": "python", "version": 1, "text": MODEL}
    array = {"start": 1, "deleteCount": 0, "cells": [{"kind": 2, "document": gone}]}
    notebook.change(3, {"structure": {"array": array, "didOpen": [item]}})
    assert notebook.pull(3) == [(2, 8, "GM301")]
    assert notebook.pull(2) == [(1, 4, "GM301")]


def test_the_fix_goes_into_the_cell(notebook: Notebook) -> None:
    (change,) = notebook.actions(3)[0]["edit"]["documentChanges"]
    assert change["textDocument"] == {"uri": notebook.cell(3), "version": 1}
    assert applied(MODEL, change["edits"]) == MODEL.replace("print(", "torch._higher_order_ops.print(")
    suppression = next(each for each in notebook.actions(3) if "Suppress" in each["title"])
    (change,) = suppression["edit"]["documentChanges"]
    assert '")  # noqa: GM301\n' in applied(MODEL, change["edits"])


def test_fix_all_changes_every_cell_of_the_notebook(notebook: Notebook) -> None:
    (action,) = notebook.actions(0, ["source.fixAll"])
    changes = {each["textDocument"]["uri"]: each["edits"] for each in action["edit"]["documentChanges"]}
    texts = {uri: applied(notebook.texts[uri], edits) for uri, edits in changes.items()}
    assert texts == {
        notebook.cell(number): text.replace("print(", "torch._higher_order_ops.print(")
        for number, text in ((2, SAY), (3, MODEL))
    }


def test_hover_and_closing(client: Client, notebook: Notebook) -> None:
    at = {"textDocument": {"uri": notebook.cell(3)}, "position": {"line": 2, "character": 10}}
    assert "(GM301)" in client.ask("textDocument/hover", at)["contents"]["value"]
    cells = [{"uri": uri} for uri in notebook.texts]
    client.tell("notebookDocument/didClose", {"notebookDocument": {"uri": notebook.uri}, "cellTextDocuments": cells})
    assert notebook.pull(3) == []


def test_a_client_that_does_not_pull_is_told_cell_by_cell(tmp_path: Path) -> None:
    client = Client(tmp_path)
    try:
        notebook = Notebook(client, tmp_path / "a.ipynb", CELLS)
        told: dict[str, int] = {}
        while len(told) < 3:
            message = client.inbox.get(timeout=20)
            if message.get("method") == "textDocument/publishDiagnostics":
                told[message["params"]["uri"]] = len(message["params"]["diagnostics"])
        assert told == {notebook.cell(0): 0, notebook.cell(2): 1, notebook.cell(3): 1}
    finally:
        client.process.kill()
