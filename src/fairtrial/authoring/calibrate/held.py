"""What a ledger holds of a family's attempts already: a calibration that was stopped goes on where it was."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from fairtrial.ledger import Ledger, connect
from fairtrial.records import Outcome

Identity = tuple[str, str, str, int]
"""(task, task hash, settings, attempt)."""


@dataclass(frozen=True, slots=True)
class HeldAttempts:
    """Graded attempts by one model at one suite; those that are ungraded are made again."""

    outcomes: Mapping[Identity, Outcome]
    usd: float
    """What the held attempts cost, as far as they say."""


def held_attempts(ledger: Ledger, suite: str, model: str) -> HeldAttempts:
    """Return the graded attempts of `model` at `suite`; of several of one number, the first recorded."""
    rows = connect(ledger).execute(
        "select task, coalesce(task_hash, ''), coalesce(settings, ''), attempt, outcome, coalesce(cost_usd, 0) "
        "from outcomes where suite = ? and model = ? and origin = 'policy' and outcome <> 'ungraded' "
        "order by recorded_at, id", [suite, model],
    ).fetchall()  # fmt: skip
    found: dict[Identity, Outcome] = {}
    for task, content, settings, attempt, outcome, _ in rows:
        found.setdefault((task, content, settings, attempt), outcome)
    return HeldAttempts(outcomes=found, usd=sum(row[5] for row in rows))
