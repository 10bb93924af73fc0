"""Aggregation of 100,000 rollouts: the verb whole, beside the floor of reading and writing the same JSON.

    .venv/bin/python bench/aggregate.py [ROLLOUTS]

Twice: as rollouts are (a few patterns of results come again and again), and with a pattern of its own in each, which
is the worst case. 24 checks in 4 workflows with dependencies, two other axes and a measure; groups of 16.
"""

from __future__ import annotations

import json
import random
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import orjson

CHECKS, GROUP = 24, 16
BAR_SECONDS = 5.0
"""For 100,000 rollouts."""


def grading() -> str:
    """Return a grading.toml with all that the rule knows."""
    parts = ["quality_weight = 0.1"]
    parts += [f'[[workflow]]\nname = "w{n}"' for n in range(4)]
    for n in range(CHECKS):
        parts.append(f'[[check]]\nname = "c{n}"')
        if n < 20:
            parts.append(f'workflow = "w{n % 4}"' + (f'\ndepends_on = ["c{n - 4}"]' if n >= 8 else ""))
        else:
            parts.append({20: 'role = "gate"', 21: 'role = "blocker"'}.get(n, 'axis = "scope"'))
    parts.append('[[efficiency]]\nmeasure = "output_tokens"')
    return "\n".join(parts) + "\n"


def rollouts(count: int, kinds: int, passing: float) -> bytes:
    """Return the JSONL of `count` rollouts with `kinds` patterns of results."""
    draw = random.Random(0)
    patterns = [{f"c{n}": draw.random() < passing for n in range(CHECKS)} for _ in range(kinds)]
    lines = []
    for n in range(count):
        row = {"task": f"t{n // (GROUP * 8)}", "group": f"g{n // GROUP}", "rollout": f"r{n}",
               "checks": patterns[n % kinds], "output_tokens": draw.randrange(500, 9000)}  # fmt: skip
        lines.append(json.dumps(row))
    return "\n".join(lines).encode() + b"\n"


def floor(path: Path) -> float:
    """Return the seconds that reading the lines and writing them again takes."""
    began = time.perf_counter()
    rows = [orjson.loads(line) for line in path.read_bytes().split(b"\n") if line]
    orjson.dumps(rows, option=orjson.OPT_INDENT_2)
    return time.perf_counter() - began


def verb(folder: Path, path: Path) -> float:
    """Return the seconds that `fairtrial aggregate` takes, its start included."""
    command = [Path(sys.executable).with_name("fairtrial"), "aggregate", "--grading", folder / "grading.toml",
               "--checks", path, "--json"]  # fmt: skip
    began = time.perf_counter()
    with (folder / "scores.json").open("wb") as out:
        subprocess.run(command, stdout=out, check=True)
    return time.perf_counter() - began


def main() -> None:
    """Print a table, and end with 1 where the bar is missed."""
    count = int(sys.argv[1]) if len(sys.argv) > 1 else 100_000
    missed = False
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        (folder / "grading.toml").write_text(grading())
        for title, kinds, passing in (("200 patterns", 200, 0.95), ("a pattern each", count, 0.5)):
            path = folder / "rollouts.jsonl"
            path.write_bytes(rollouts(count, kinds, passing))
            least = min(floor(path) for _ in range(3))
            taken = min(verb(folder, path) for _ in range(3))
            missed |= taken > BAR_SECONDS * count / 100_000
            print(
                f"{count:,} rollouts, {title}: {taken:.2f} s ({count / taken:,.0f} a second); JSON alone {least:.2f} s"
            )
    raise SystemExit(missed)


if __name__ == "__main__":
    main()
