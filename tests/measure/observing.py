"""Build what `measure` reads by hand: outcomes by model and task, without a ledger."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np

from fairtrial.ledger.observed import FAILED, PASSED, UNGRADED, Answers, Cells, Checks, Observed, Order, Subject

Counts = Mapping[str, Mapping[str, tuple[int, ...]]]
"""model -> task -> (passed, failed) or (passed, failed, ungraded)."""


def integers(values: Sequence[int]) -> np.ndarray[tuple[int], np.dtype[np.int64]]:
    return np.array(values, dtype=np.int64)


def observed_of(
    counts: Counts,
    *,
    clusters: Mapping[str, str] | None = None,
    stops: Mapping[str, str] | None = None,
    checks: Checks | None = None,
    answers: Answers | None = None,
    order: Order | None = None,
) -> Observed:
    """Return an Observed of `counts`. `stops` names the stop of all rollouts of a task."""
    tasks = tuple(sorted({task for of_model in counts.values() for task in of_model}))
    index = {task: i for i, task in enumerate(tasks)}
    rows: list[tuple[int, int, int, str, int]] = []
    for m, of_model in enumerate(counts.values()):
        for task, row in of_model.items():
            for outcome, count in zip((PASSED, FAILED, UNGRADED), row, strict=False):
                if count:
                    rows.append((m, index[task], outcome, (stops or {}).get(task, ""), count))
    stop_names = tuple(sorted({row[3] for row in rows}))
    cells = Cells(
        subject=integers([row[0] for row in rows]),
        task=integers([row[1] for row in rows]),
        outcome=integers([row[2] for row in rows]),
        reason=integers([1 if row[2] == UNGRADED else 0 for row in rows]),
        stop=integers([stop_names.index(row[3]) for row in rows]),
        count=integers([row[4] for row in rows]),
        spend=np.zeros((len(rows), 9)),
    )
    keys = [(clusters or {}).get(task, task) for task in tasks]
    place = {key: i for i, key in enumerate(sorted(set(keys)))}
    return Observed(
        suites=("suite",),
        subjects=tuple(Subject(label=name, name=name, effort="", agent="") for name in counts),
        tasks=tasks,
        cluster=integers([place[key] for key in keys]),
        reasons=("", "grader_timeout"),
        stops=stop_names,
        cells=cells,
        checks=checks,
        answers=answers,
        order=order,
    )
