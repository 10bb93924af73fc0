"""Steps that `fairtrial detect` reads a second on one core, beside the floor: parsing the same JSON, and reading ATIF.

    .venv/bin/python bench/detect.py [STEPS]

Bar: 1,000 steps a second for rules and profile together, in short trajectories and in one of STEPS steps (5,000 unless
said). The steps are those of tests/quality/trajectories, as they are and with outputs of 3,000 characters, which is
about what real agents see. Ends with 1 where the bar is missed. Not covered: reading from disk, and a model as judge.
"""

from __future__ import annotations

import copy
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import orjson

sys.path.insert(0, str(Path(__file__).resolve().parent.parent / "tests"))

from fairtrial.attack.detectors.comparing import examine
from fairtrial.formats.atif import read_trajectory
from quality.trajectories_read import labelled

LEAST_A_SECOND = 1_000
OUTPUT = "\n".join(
    f"src/module_{n}.py:{n * 7}: in step_{n}: value {n * 1.25:.2f} kept, {n} of 60 done" for n in range(60)
)


def documents(steps: int) -> dict[str, list[bytes]]:
    """Return the three sets that are timed: as written, with long outputs, one long trajectory."""
    short = [one.document for one in labelled()]
    padded = [_padded(document) for document in short]
    every = [step for document in padded for step in document["steps"][2:]]
    whole = copy.deepcopy(padded[0])
    whole["steps"] = whole["steps"][:2] + (every * (steps // len(every) + 1))[: steps - 2]
    return {"as written": [*map(orjson.dumps, short)], "long outputs": [*map(orjson.dumps, padded)],
            f"one of {steps} steps": [orjson.dumps(whole)]}  # fmt: skip


def _padded(document: dict[str, Any]) -> dict[str, Any]:
    padded = copy.deepcopy(document)
    for step in padded["steps"]:
        for result in step.get("observation", {}).get("results", []):
            result["content"] += "\n" + OUTPUT
    return padded


def a_second(work: Callable[[bytes], object], texts: list[bytes], steps: int) -> float:
    """Return steps a second of processor time, the best of three."""
    best = 0.0
    for _ in range(3):
        begun = time.process_time()
        for text in texts:
            work(text)
        best = max(best, steps / max(time.process_time() - begun, 1e-9))
    return best


def main(steps: int) -> int:
    """Print a table; return 1 where the bar is missed."""
    missed = False
    print(f"{'':<20}{'steps':>8}{'JSON':>14}{'ATIF':>12}{'detect':>10}   times the floor")
    for name, texts in documents(steps).items():
        count = sum(len(orjson.loads(text)["steps"]) for text in texts)
        parse = a_second(orjson.loads, texts, count)
        read = a_second(read_trajectory, texts, count)
        detect = a_second(lambda text: examine(read_trajectory(text), "task"), texts, count)
        missed |= detect < LEAST_A_SECOND
        print(f"{name:<20}{count:>8}{parse:>14,.0f}{read:>12,.0f}{detect:>10,.0f}   {parse / detect:,.0f}")
    print(f"bar: {LEAST_A_SECOND:,} steps a second; {'missed' if missed else 'held'}")
    return int(missed)


if __name__ == "__main__":
    sys.exit(main(int(sys.argv[1]) if len(sys.argv) > 1 else 5_000))
