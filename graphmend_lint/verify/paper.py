"""The models of the GraphMend paper's table, tiny and with random weights: `python -m graphmend_lint.verify.paper`.

Without options, four models that end within eight minutes on one GPU (or as tiny ones on the CPU). `--all` runs the 21
rows of the table that can be built without downloads. Writes `paper.jsonl`, `paper.json` and `paper.html`.
"""

from __future__ import annotations

import argparse
import json
import sys
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from graphmend_lint.verify import html, overview, sweep
from graphmend_lint.verify.jobs import Workers
from graphmend_lint.verify.request import Request, Row, row_of

LONGROPE: dict[str, Any] = {
    "original_max_position_embeddings": 16,
    "rope_scaling": {"type": "longrope", "short_factor": [1.0] * 16, "long_factor": [2.0] * 16},
}
GATED = "feed_forward_proj=gated-gelu&tie_word_embeddings=false"
LAYOUT = "coordinate_size=8&shape_size=16&visual_embed=false&input_size=32&input.bbox=zeros:1xseqx4"
FUSION = "audio_config.enable_fusion=true&input.is_longer=bool:1x1&input.input_features=float:1x4x1001x64"


@dataclass(frozen=True, slots=True)
class Published:
    """A row of the table: a target like it, and the breaks that were published."""

    target: str
    before: int
    after: int
    sets: int = 1  #: calls of different length


TABLE = {
    "t5-small": Published("hf:t5?", 3, 0),
    "t5-base": Published("hf:t5?layers=3", 3, 0),
    "t5-3b": Published("hf:t5?heads=4", 3, 0),
    "flan-t5-large": Published(f"hf:t5?{GATED}", 3, 0),
    "inclusively-reformulation-it5": Published(f"hf:t5?{GATED}&layers=3", 3, 0),
    "whisper": Published("hf:whisper?", 3, 0),
    "whisper-small": Published("hf:whisper?heads=4", 3, 0),
    "whisper-base": Published("hf:whisper?layers=3", 3, 0),
    "bart": Published("hf:bart?", 3, 0),
    "bart-base": Published("hf:bart?layers=3", 3, 0),
    "rebel-large": Published("hf:bart?heads=4", 3, 0),
    "biogpt": Published("hf:biogpt?", 2, 0),
    "blenderbot-400M-distill": Published("hf:blenderbot?", 3, 0),
    "opus-mt-fr-en": Published("hf:marian?", 3, 0),
    "PegasusForCausalLM": Published("hf:pegasus?class=PegasusForCausalLM", 2, 0),
    "layoutlmv3-base": Published(f"hf:layoutlmv3?{LAYOUT}", 2, 0),
    "Phi-4-mini-instruct": Published("hf:phi3?", 5, 0, 2),
    "grounding-dino": Published("hf:grounding-dino?", 16, 7),
    "grounding-dino-base": Published("hf:grounding-dino?layers=3", 16, 7),
    "longformer-base-4096": Published("hf:longformer?seq=20", 5, 3),
    "clap-htsat-fused": Published(f"hf:clap?{FUSION}", 2, 2),
}
FEW = ("t5-small", "Phi-4-mini-instruct", "bart", "grounding-dino")
#: On a GPU, widths as published; Phi-3 stays small, since its factors belong to its head width.
SIZES = {
    "t5-small": "hidden=512&heads=8&layers=6&vocab=32128&seq=128",
    "bart": "hidden=768&heads=12&layers=6&vocab=50265&positions=1024&seq=128",
    "grounding-dino": "hidden=768&heads=8&layers=4&vocab=30522&image=224",
    "Phi-4-mini-instruct": "layers=8",
}


def requests(names: Sequence[str], device: str, backend: str, rounds: int, calls: int) -> list[Request]:
    """What to prove for these rows: text may be lost when compiled, as in the published rewrites."""
    return [_request(name, device, backend, rounds, calls) for name in names]


def _request(name: str, device: str, backend: str, rounds: int, calls: int) -> Request:
    row = TABLE[name]
    sizes = f"&{SIZES[name]}" if device == "cuda" and name in SIZES else ""
    return Request(
        target=f"{row.target}&sets={row.sets}{sizes}".replace("?&", "?"),
        name=name,
        config=LONGROPE if "phi3" in row.target else {},
        device=device,
        backend=backend,
        time=rounds > 0,
        time_backend="inductor" if device == "cuda" else "",
        compile_mode="reduce-overhead" if device == "cuda" else "",
        rounds=max(rounds, 1),
        calls=calls,
        allow_lost_text=True,
        measure_idle=True,
    )


def in_turn(end: float) -> sweep.Runner:
    """One after another in this process, until `end` (by `time.monotonic`); none takes more than twice its share."""

    def runner(wanted: Sequence[Request]) -> Iterator[sweep.Event]:
        with Workers() as workers:
            for i, request in enumerate(wanted):
                now = time.monotonic()
                workers.deadline = min(end, now + 2 * (end - now) / (len(wanted) - i))
                yield sweep.Event(0, "", i, row_of(request, workers, lambda text: None))

    return runner


def markdown(rows: Sequence[Row]) -> str:
    """The rows beside what was published; breaks as the paper counts them: graphs of one call, less one."""
    lines = [
        "| row | published | before | after | fullgraph after | verdict | first call | later calls |",
        "|---" * 8 + "|",
    ]
    for row in rows:
        published = TABLE[row["name"]]
        *_, passes, verdict, cold, steady = overview.cells(row)
        cells = (f"{published.before} -> {published.after}", _breaks(row, "before"), _breaks(row, "after"))
        lines.append(f"| {row['name']} | {' | '.join(cells)} | {passes} | {verdict} | {cold} | {steady} |")
    return "\n".join(lines) + "\n"


def _breaks(row: Row, side: str) -> str:
    measured = row.get(side)
    return "-" if not measured or measured["graphs"] is None else str(max(0, measured["graphs"] - 1))


def main(arguments: Sequence[str] | None = None) -> int:
    """Run, write, and print the table; exit 0 if no row was refuted."""
    options = _parser().parse_args(arguments)
    names = options.rows or (list(TABLE) if options.all else list(FEW))
    if unknown := [name for name in names if name not in TABLE]:
        print(f"no such row: {unknown[0]}; there are {', '.join(TABLE)}", file=sys.stderr)
        return 2
    wanted = requests(names, options.device, options.backend, options.rounds, options.calls)
    options.out.mkdir(parents=True, exist_ok=True)
    store = sweep.Store(options.out / "paper.jsonl", True)
    runner = in_turn(time.monotonic() + 60 * options.minutes)
    with sweep.progress(len(wanted), sum(row is not None for row in store.of(wanted))) as hear:
        finished = sweep.run(wanted, runner, store, hear)
    rows = [row for row in store.of(wanted) if row is not None]
    (options.out / "paper.json").write_text(json.dumps(rows, indent=1), "utf-8")
    (options.out / "paper.html").write_text(html.page(rows, "python -m graphmend_lint.verify.paper"), "utf-8")
    print(markdown(rows) + "\n" + overview.sums(rows))
    if not finished:
        return 130
    return 1 if any(row["verdict"] == "not proven" for row in rows) else 0


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="graphmend_lint.verify.paper", description=__doc__)
    parser.add_argument("--device", choices=("cpu", "cuda"), default="cpu")
    parser.add_argument("--all", action="store_true", help="all 21 rows instead of four")
    parser.add_argument("--rows", nargs="+", metavar="NAME", help="these rows")
    parser.add_argument("--backend", default="aot_eager", help="for breaks and verdicts; on a GPU inductor is timed")
    parser.add_argument("--rounds", type=int, default=1, help="of timing; 0: none")
    parser.add_argument("--calls", type=int, default=30, help="in each round")
    parser.add_argument("--minutes", type=float, default=7.5, help="start nothing after that")
    parser.add_argument("--out", type=Path, default=Path("paper"), help="folder for the results")
    return parser


if __name__ == "__main__":
    sys.exit(main())
