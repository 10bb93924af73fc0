"""What a person says over the judges' heads, or takes back: overrides and withdrawals, each signed and with a reason.

Nothing is edited: a later override takes the place of an earlier one, and both are kept.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from datetime import UTC, datetime
from typing import Any

import duckdb

from fairtrial.ledger import Ledger, connect, damage
from fairtrial.ledger.screened import all_screenings, all_submissions, all_withdrawals
from fairtrial.records import InputError, LedgerError, Rule, Ruled, Ruling, Withdrawal, canonical_json, storable
from fairtrial.rules.current import current_screenings, seen_in
from fairtrial.rules.schema import BenchmarkRules

MOST_SAID = 10_000
_MODELS = """
select distinct model from rollouts where origin = 'policy'
union select distinct model || '@' || effort from rollouts where origin = 'policy' and effort <> ''
"""
_ROLLOUTS = """
select distinct id, task, attempt from rollouts
where origin = 'policy' and $model in (model, case when effort <> '' then model || '@' || effort end)
order by task, attempt, id
"""


def override(
    ledger: Ledger, rules: BenchmarkRules, model: str, rule: Rule, ruled: Ruled, *, author: str, reason: str
) -> Ruling:
    """Record that `author` rules so, whatever judges said, on the findings that there are now; return the ruling.

    Raise InputError for an empty author or reason, a rule that is not checked, or a model that the ledger lacks.
    """
    author, reason = _signed(author, reason)
    if rule not in rules.toml.benchmark.checked:
        raise InputError(f"`{rule}` is not checked by these rules", path=rules.path, field="benchmark.checked")
    _must_know(ledger, model)
    screenings = current_screenings(all_screenings(ledger), all_submissions(ledger), rule, model)
    ruling = Ruling(
        model=model, rule=rule, ruled=ruled, kind="override", by=author, reason=reason, rules=rules.name,
        settings=canonical_json({"screenings": seen_in(screenings)}).decode(), recorded_at=_now(),
    )  # fmt: skip
    ledger.append("rulings", [ruling])
    return ruling


def withdraw(
    ledger: Ledger, model: str, tasks: Collection[str] = (), attempts: Collection[int] = (), *, author: str, reason: str
) -> Withdrawal:
    """Record that results of `model` no longer count, all of them or those of `tasks` and `attempts`; return it.

    Raise InputError for an empty author or reason, and where there is nothing to withdraw.
    """
    author, reason = _signed(author, reason)
    _must_know(ledger, model)
    found = _query(ledger, _ROLLOUTS, {"model": model})
    held = sorted({task for _, task, _ in found})
    if missing := sorted(set(tasks) - set(held)):
        raise InputError(f"`{model}` has no rollouts of the task `{missing[0]}`", path=ledger.path, field="--task",
                         hint=f"It has: {', '.join(held[:9])}")  # fmt: skip
    gone = {rollout for one in all_withdrawals(ledger) for rollout in one.rollouts}
    chosen = [
        rollout
        for rollout, task, attempt in found
        if (not tasks or task in tasks) and (not attempts or attempt in attempts) and rollout not in gone
    ]
    if not chosen:
        raise InputError(f"there is no result of `{model}` like this that still counts", path=ledger.path,
                         hint="What was withdrawn before stays withdrawn.")  # fmt: skip
    record = Withdrawal(model=model, rollouts=tuple(chosen), reason=reason, author=author, recorded_at=_now())
    ledger.append("withdrawals", [record])
    return record


def _signed(author: str, reason: str) -> tuple[str, str]:
    """Return both without blanks around them. Raise InputError where one says nothing, or cannot be written down."""
    for name, said in (("--author", author), ("--reason", reason)):
        if not any(character.isalnum() for character in said):
            raise InputError("is empty", field=name, hint="Who rules over others signs, and says why.")
        if said != storable(said):
            raise InputError("is not UTF-8 text", field=name)
        if len(said) > MOST_SAID:
            raise InputError(f"has {len(said):,} characters; {MOST_SAID:,} is the most", field=name)
    return " ".join(author.split()), reason.strip()


def _must_know(ledger: Ledger, model: str) -> None:
    known = {one.model for one in all_submissions(ledger)} | {row[0] for row in _query(ledger, _MODELS, {})}
    known |= {one.model for one in all_screenings(ledger) if one.model}
    if model not in known:
        raise InputError(f"holds no submission `{model}`", path=ledger.path, field="--submission",
                         hint=f"It holds: {', '.join(sorted(known)[:9]) or 'none'}")  # fmt: skip


def _query(ledger: Ledger, query: str, values: dict[str, str]) -> Sequence[Any]:
    connection = connect(ledger)
    try:
        return connection.execute(query, values).fetchall()
    except duckdb.Error as error:
        raise damage(ledger) or LedgerError(f"cannot be read: {error}", path=ledger.path) from error
    finally:
        connection.close()


def _now() -> str:
    return datetime.now(UTC).isoformat()
