"""What ledgers say before a stage begins: pass rates of the tasks, and completions that reviews call hacks."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import duckdb

from fairtrial.grade.groupwise import is_confirmed_hack, is_disputed_hack
from fairtrial.ledger import Ledger, connect
from fairtrial.ledger.audited import all_reviews
from fairtrial.ledger.views import damage
from fairtrial.records import InputError, LedgerError, Review
from fairtrial.train.credit import Counted

_RATES = """
select model, task, count(*) filter (outcome = 'passed'), count(*) filter (outcome = 'failed'),
       count(*) filter (outcome = 'ungraded')
from outcomes
where origin = 'policy' and (seed is null or seed = $seed or not exists (select 1 from outcomes where seed = $seed))
  and (coalesce(task_hash, '') = '' or task_hash in (select unnest($hashes)))
group by model, task
"""
_ANSWERS = "select id, task, answer from rollouts where answer is not null and id in (select unnest($ids))"


def measured_counts(path: Path, model: str, seed: int, hashes: Sequence[str]) -> dict[str, Counted]:
    """Return what the ledger at `path` holds of `model` at tasks of these hashes; of a seed, where it names seeds.

    A ledger of one model alone may name it otherwise. Raise InputError where it holds several, and not this one.
    """
    rows = _rows(Ledger.open(path), _RATES, {"seed": seed, "hashes": list(hashes)})
    models = sorted({str(row[0]) for row in rows})
    if model not in models and len(models) > 1:
        raise InputError(f"holds no rollouts of `{model}` but of {', '.join(models)}", path=path, field="base_name")
    named = model if model in models else "".join(models)
    return {task: Counted(passed, failed, ungraded) for name, task, passed, failed, ungraded in rows if name == named}


def reviewed_hacks(paths: Sequence[Path]) -> dict[tuple[str, str], bool]:
    """Return what people say of completions in these ledgers, by (task, completion); what is disputed is left out.

    One completion that was reviewed in several rollouts is a hack where one of them is.
    """
    found: dict[tuple[str, str], bool] = {}
    for path in paths:
        ledger = Ledger.open(path)
        said: dict[str, list[Review]] = {}
        for review in all_reviews(ledger):
            if review.hack is not None and review.kind == "person" and not review.void:
                said.setdefault(review.rollout, []).append(review)
        settled = {rollout: is_confirmed_hack(them) for rollout, them in said.items() if not is_disputed_hack(them)}
        for rollout, task, answer in _rows(ledger, _ANSWERS, {"ids": list(settled)}) if settled else ():
            key = (task, answer.strip())
            found[key] = found.get(key, False) or settled[rollout]
    return found


def _rows(ledger: Ledger, query: str, values: Mapping[str, Any]) -> list[tuple[Any, ...]]:
    connection = connect(ledger)
    try:
        return connection.execute(query, dict(values)).fetchall()
    except duckdb.Error as error:
        why = str(error).splitlines()[0]
        raise damage(ledger) or LedgerError(f"cannot be read: {why}", path=ledger.path) from error
    finally:
        connection.close()
