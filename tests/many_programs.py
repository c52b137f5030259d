"""Random programs by the hundred: `python tests/many_programs.py --seed 1 --programs 250 [--folder FOLDER]`.

Each seed gives other programs, so that a run may be cut into pieces. Programs that do something else once they are
fixed are kept in the folder, and the run goes on.
"""

from __future__ import annotations

import argparse
import logging
import tempfile
from collections import Counter
from pathlib import Path

from hypothesis import HealthCheck, Phase, given, seed, settings
from program_outcomes import agrees, fixed
from programs import programs


def run(number: int, count: int, folder: Path) -> Counter[str]:
    """How many programs there were, how many were changed by a fix, and how many then did something else."""
    found: Counter[str] = Counter()

    @seed(number)
    @settings(
        max_examples=count,
        deadline=None,
        database=None,
        phases=[Phase.generate],
        suppress_health_check=list(HealthCheck),
    )
    @given(text=programs())
    def one(text: str) -> None:
        found["programs"] += 1
        try:
            found["changed"] += fixed(text) != text
            with tempfile.TemporaryDirectory() as place:
                agrees(text, Path(place))
        except Exception as error:
            found["mismatches"] += 1
            kept = folder / f"{number}_{found['programs']}.py"
            kept.write_text(f"{text}\n\n# {type(error).__name__}\n", "utf-8")
            print("mismatch:", kept, flush=True)
        if found["programs"] % 25 == 0:
            print(number, dict(found), flush=True)

    one()
    return found


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--programs", type=int, default=250)
    parser.add_argument("--folder", type=Path, default=Path(tempfile.gettempdir()))
    given = parser.parse_args()
    logging.getLogger("torch").setLevel(logging.ERROR)
    given.folder.mkdir(parents=True, exist_ok=True)
    print("seed", given.seed, dict(run(given.seed, given.programs, given.folder)))


if __name__ == "__main__":
    main()
