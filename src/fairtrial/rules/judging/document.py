"""What judging one submission came to, as the JSON document `fairtrial.judging/1`."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from fairtrial.models import Spent
from fairtrial.records import Rule
from fairtrial.rules.judging.judge import Run
from fairtrial.rules.rulings import Standing
from fairtrial.rules.schema import BenchmarkRules

SCHEMA = "fairtrial.judging/1"


def document_of(
    rules: BenchmarkRules,
    submission: str,
    runs: Sequence[Run],
    standings: Mapping[Rule, Standing],
    not_asked: Mapping[Rule, str],
    spent: Spent,
) -> dict[str, Any]:
    """Return the document: where the submission stands by each rule, and every run."""
    return {
        "schema": SCHEMA,
        "rules": rules.name,
        "submission": submission,
        "standing": [one.document() for one in standings.values()],
        "runs": [_run(one) for one in sorted(runs, key=lambda one: (one.rule, one.number))],
        "failures": dict(sorted(Counter(one.broken.reason for one in runs if one.broken is not None).items())),
        "not_asked": dict(not_asked),
        "spent": {"calls": spent.calls, "input_tokens": spent.input_tokens, "output_tokens": spent.output_tokens,
                  "cost_usd": spent.cost_usd, "unmeasured": spent.unmeasured},
    }  # fmt: skip


def _run(one: Run) -> dict[str, Any]:
    told: dict[str, Any] = {"rule": one.rule, "run": one.number, "was_there": one.was_there}
    if one.ruling is not None:
        ruling = one.ruling
        return told | {"ruled": ruling.ruled, "reason": ruling.reason, "citations": list(ruling.citations),
                       "by": ruling.by, "evidence": ruling.evidence}  # fmt: skip
    if one.broken is not None:
        told |= {"failure": one.broken.reason, "detail": one.broken.detail}
    return told


def exit_status(standings: Iterable[Standing]) -> int:
    """Return 1 where a rule is ruled violated, else 3 where one is not settled, else 0.

    >>> exit_status([])
    0
    """
    ruled = {one.ruled for one in standings}
    return 1 if "violation" in ruled else 3 if ruled - {"clean"} else 0
