"""A million rollouts of 20,000 tasks: time and memory of `measure`, and its ratio to DuckDB's count over the same view.

    .venv/bin/python bench/measure.py [ROLLOUTS]

Bars at a million: 5 s and 1.2 GB for ledger to figures (every k, posteriors, bands), 4 times the count. The count is
the plainest query that yields the counts measure needs, `select model, task, outcome, count(*) ... group by all`, in
the same process. Making the ledger is not timed. Exit 1 where a bar is missed.
"""

from __future__ import annotations

import resource
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import TypeVar

import numpy as np
import pyarrow as pa

from fairtrial.ledger import TABLES, Ledger, connect
from fairtrial.ledger.queries import Selection, observe
from fairtrial.measure import Options, measure

TASKS, MODELS = 20_000, 2
MOST_SECONDS, MOST_GB, MOST_RATIO = 5.0, 1.2, 4.0
COUNT = "select model, task, outcome, count(*) from outcomes where origin = 'policy' group by all"
Result = TypeVar("Result")


def filled(table: str, columns: dict[str, pa.Array], rows: int) -> pa.Table:
    """Return a table of the ledger's schema, columns that are not given filled with empty text or null."""
    arrays = []
    for field in TABLES[table]:
        is_text = field.type == pa.string() and field.name not in ("answer", "expected")
        blank = pa.array([""]).take(pa.array([0] * rows)) if is_text else pa.nulls(rows, field.type)
        arrays.append(columns.get(field.name, blank).cast(field.type))
    return pa.Table.from_arrays(arrays, schema=TABLES[table])


def names(prefix: str, index: np.ndarray, distinct: int) -> pa.Array:
    """Return `prefix` and a number, by index."""
    return pa.array([f"{prefix}{i:05d}" for i in range(distinct)]).take(pa.array(index))


def build(folder: Path, rollouts: int) -> Ledger:
    """Write a ledger of random attempts whose rates differ from task to task, in ten parts a table."""
    ledger, generator = Ledger.open(folder, create=True), np.random.default_rng(0)
    rates = generator.beta(0.4, 0.6, size=(MODELS, TASKS))
    for part in np.array_split(np.arange(rollouts), 10):
        task, model = part % TASKS, part // TASKS % MODELS
        passed = generator.random(len(part)) < rates[model, task]
        ids = pa.array([f"{i:032x}" for i in part])
        outcome = pa.array(["failed", "passed"]).take(pa.array(passed.astype(np.int64)))
        ledger.write_part(
            "verdicts",
            filled(
                "verdicts",
                {"id": ids, "rollout": ids, "outcome": outcome, "score": pa.array(passed.astype(np.float64))},
                len(part),
            ),
        )
        ledger.write_part(
            "rollouts",
            filled(
                "rollouts",
                {
                    "id": ids,
                    "suite": pa.array(["suite"]).take(pa.array([0] * len(part))),
                    "task": names("task-", task, TASKS),
                    "model": names("model-", model, MODELS),
                    "attempt": pa.array(part // (TASKS * MODELS)),
                    "origin": pa.array(["policy"]).take(pa.array([0] * len(part))),
                    "output_tokens": pa.array(generator.integers(100, 5000, len(part))),
                },
                len(part),
            ),
        )
    return ledger


def timed(action: Callable[[], Result]) -> tuple[float, Result]:
    """Return the seconds that `action` took, and its result."""
    began = time.perf_counter()
    result = action()
    return time.perf_counter() - began, result


def main() -> int:
    """Print the figures and return the exit code."""
    rollouts = int(sys.argv[1]) if len(sys.argv) > 1 else 1_000_000
    with tempfile.TemporaryDirectory() as folder:
        ledger = build(Path(folder) / "ledger", rollouts)
        before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1e6
        count, _ = timed(lambda: connect(ledger).execute(COUNT).fetchall())
        reading, observed = timed(lambda: observe(ledger, Selection()))
        figuring, measured = timed(lambda: measure(observed, Options()))
    seconds, peak = reading + figuring, resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1e6
    print(f"rollouts {measured.rollouts:,}, tasks {measured.tasks:,}, largest k {measured.models[0].pass_at_k.k[-1]}")
    print(f"measure {seconds:.2f} s (reading {reading:.2f} s, figures {figuring:.2f} s), bar {MOST_SECONDS} s")
    print(f"DuckDB count {count:.2f} s, ratio {seconds / count:.2f}, bar {MOST_RATIO}")
    print(f"peak memory {peak:.2f} GB ({before:.2f} GB while the ledger was made), bar {MOST_GB} GB")
    return int(seconds > MOST_SECONDS or seconds / count > MOST_RATIO or peak > MOST_GB)


if __name__ == "__main__":
    sys.exit(main())
