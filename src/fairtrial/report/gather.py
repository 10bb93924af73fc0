"""Read from a ledger what a report needs besides the measurement: proofs, findings, and where everything comes from.

Of several proofs of one task the last stands, and findings about another content of a task it proved are left out.
Does not cover: measuring (`measure`), and composing (`build`).
"""

from __future__ import annotations

import os
from collections.abc import Sequence
from importlib.metadata import version
from pathlib import Path

import duckdb
import orjson

from fairtrial import __version__
from fairtrial.ledger import Ledger, connect
from fairtrial.ledger.proven import all_findings, all_proofs
from fairtrial.measure.result import Measurement
from fairtrial.records import Finding, Proof, digest
from fairtrial.report.subject import SCRIPTED, Context, Source

ISOLATING = ("bwrap", "container")
_COUNTED = (
    "rollouts",
    "verdicts",
    "proofs",
    "findings",
    "samples",
    "reviews",
    "preferences",
    "signoffs",
    "inspections",
    "screenings",
    "checkpoints",
)
_NUMBERS = ("numpy", "scipy", "duckdb", "pyarrow")


def has_rollouts(ledger: Ledger) -> bool:
    """Say whether the ledger holds a rollout of a policy."""
    found = connect(ledger).execute("select 1 from rollouts where origin = 'policy' limit 1").fetchone()
    return found is not None


def nothing_measured(group_size: int, seed: int) -> Measurement:
    """Return the measurement of a ledger without rollouts."""
    return Measurement(
        suites=(), tasks=0, rollouts=0, ungraded=0, models=(), bins=None, suspects=(),
        suspects_method="no rollout is recorded", comparisons=(), front_cost=(), front_tokens=(), never_passed=(),
        never_graded=(), consistency=(), group_size=group_size, seed=seed,
        order_recorded=False, suspects_measured=False,
    )  # fmt: skip


def read_proofs(ledger: Ledger) -> tuple[Proof, ...]:
    """Return the last proof of every task."""
    return tuple({(proof.suite.split("@")[0], proof.task): proof for proof in all_proofs(ledger)}.values())


def read_findings(ledger: Ledger, proofs: Sequence[Proof]) -> tuple[Finding, ...]:
    """Return the findings by task and probe, without those about another content of a task that `proofs` covers.

    Where a grader wrote another reward than its grading.toml makes, that is a lead too, one a task.
    """
    contents = {(proof.suite.split("@")[0], proof.task): proof.task_hash for proof in proofs}
    found = []
    for finding in (*all_findings(ledger), *_differing_rewards(ledger)):
        current = contents.get((finding.suite.split("@")[0], finding.task), "")
        if not current or not finding.task_hash or finding.task_hash == current:
            found.append(finding)
    return tuple(found)


def _differing_rewards(ledger: Ledger) -> list[Finding]:
    """Return a lead for each task with verdicts on a policy's rollouts whose evidence tells of another reward."""
    rows = connect(ledger).execute(
        """select r.suite, r.task, v.task_hash, count(*) filter (where v.differs), count(*),
                  min(v.evidence) filter (where v.differs)
           from (select *, contains(evidence, '"reward_differs"') as differs from verdicts) v
           join rollouts r on r.id = v.rollout where r.origin = 'policy' and v.outcome <> 'ungraded'
           group by all having count(*) filter (where v.differs) > 0 order by 1, 2, 3"""
    )
    return [
        Finding(
            suite=suite or "",
            task=task,
            task_hash=task_hash or "",
            probe="reward_written",
            family="static",
            severity="lead",
            claim=f"In {differing} of {total} verdicts the reward is not what grading.toml makes: {_told(evidence)}.",
            command=f'fairtrial sql {ledger.path} "select rollout, evidence from verdicts '
            "where contains(evidence, 'reward_differs')\"",
        )
        for suite, task, task_hash, differing, total, evidence in rows.fetchall()
    ]


def _told(evidence: str) -> str:
    try:
        found = orjson.loads(evidence)
    except orjson.JSONDecodeError:
        return "it differs"
    return str(found.get("reward_differs", "it differs")) if isinstance(found, dict) else "it differs"


def read_context(
    ledger: Ledger, proofs: Sequence[Proof], *, title: str = "", model: str = "", commands: Sequence[str] = ()
) -> Context:
    """Return where the records of `ledger` come from: suite, sandboxes, dates, sources by content, versions."""
    connection = connect(ledger)
    suites = _texts(
        connection, "select distinct suite from rollouts where suite <> '' and origin = 'policy' order by 1"
    )
    suites = suites or sorted({proof.suite for proof in proofs if proof.suite})
    suites = suites or _texts(
        connection, "select suite from signoffs union select suite from inspections where suite <> '' order by 1"
    )
    ran_in = _texts(connection, "select distinct sandbox from rollouts where sandbox <> ''")
    sandboxes = tuple(sorted({*ran_in, *(proof.sandbox for proof in proofs if proof.sandbox)}))
    dates = [_texts(connection, f"select max(recorded_at) from {table}") for table in _COUNTED]
    scripted = _texts(
        connection,
        "select distinct model from rollouts where agent = 'scripted' or starts_with(model, ?) order by 1",
        SCRIPTED,
    )
    return Context(
        title=title,
        suite=suites[0] if len(suites) == 1 else "",
        tool=f"fairtrial {__version__}",
        measured_at=max((date for found in dates for date in found), default="")[:10],
        ledger=str(ledger.path),
        suite_path=_suite_path(proofs),
        sandboxes=sandboxes,
        isolated=all(name in ISOLATING for name in sandboxes) if sandboxes else None,
        model=model,
        scripted=tuple(scripted),
        commands=tuple(commands),
        sources=_sources(connection),
        versions=tuple((name, version(name)) for name in _NUMBERS),
    )


def _suite_path(proofs: Sequence[Proof]) -> str:
    """Return the folder that holds the proven task folders; `SUITE` where none is recorded."""
    folders = {str(Path(proof.path).parent) for proof in proofs if proof.path}
    return os.path.commonpath(folders) if len(folders) == 1 else "SUITE"


def _sources(connection: duckdb.DuckDBPyConnection) -> tuple[Source, ...]:
    """Return each table with the content address of its sorted ids, which are content addresses themselves."""
    found = []
    for table in _COUNTED:
        ids = _texts(connection, f"select id from {table} order by id")
        if ids:
            found.append(Source(table, f"{table}/part-*.parquet", digest("\n".join(ids).encode()), len(ids)))
    return tuple(found)


def _texts(connection: duckdb.DuckDBPyConnection, query: str, *values: str) -> list[str]:
    return [str(row[0]) for row in connection.execute(query, list(values)).fetchall() if row[0]]
