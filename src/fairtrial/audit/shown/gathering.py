"""The rollouts of a ledger with all that is known of each, one after the other, runs together.

Reviews and findings are read whole, trajectories one at a time. What cannot be shown is counted by reason. Known
candidates are left out unless asked for. Not covered: whether the key is told (`withholding`), and the files.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, fields
from typing import Any

import duckdb
import orjson

from fairtrial.audit.shown.withholding import Withholding
from fairtrial.audit.standing import Standing, counting, standings
from fairtrial.formats.atif import Trajectory, read_trajectory
from fairtrial.formats.viewers.shown import Lead, Shown
from fairtrial.ledger import Ledger, connect, damage
from fairtrial.ledger.audited import all_reviews
from fairtrial.ledger.recorded import read_all
from fairtrial.records import Finding, FormatError, InputError, LedgerError, Review, Rollout, Withdrawal

_ROWS = 200
_SHOWN = 9
_RUN = "suite, model, effort, agent, settings, environment, seed, step, origin"
_MEANT = """
select o.*, v.checks, said.expected as expected_by, said.messages, said.evidence,
       min(o.attempt) over (partition by {run}) as first_attempt
from outcomes o left join verdicts v on v.id = o.verdict left join (
    select rollout, list(expected) as expected, flatten(list([one.message for one in checks])) as messages,
           list(evidence) as evidence
    from verdicts group by rollout
) said on said.rollout = o.id
"""
_EXPECTED = """
select suite, task, v.expected from verdicts v join rollouts r on v.rollout = r.id
union select suite, task, answer from outcomes where origin = 'known' and outcome = 'passed'
"""


@dataclass(frozen=True, slots=True, kw_only=True)
class Meant:
    """Which rollouts are shown. Empty means all."""

    suite: str = ""
    """With or without its `@hash`."""
    models: tuple[str, ...] = ()
    """Names, or MODEL@EFFORT."""
    tasks: tuple[str, ...] = ()
    known: bool = False
    """Show candidates whose right score is known too: some of them are the key itself."""


@dataclass(slots=True)
class Gathered:
    """Counts of what was gathered, whole once all rollouts were taken."""

    rollouts: int = 0
    """Those that are meant, known candidates left out."""
    left_out: Counter[str] = field(default_factory=Counter)
    counts: Counter[str] = field(default_factory=Counter)
    withheld: Counter[str] = field(default_factory=Counter)


def gathered(ledger: Ledger, meant: Meant, counts: Gathered) -> Iterator[Shown]:
    """Yield what is meant, by run, task and attempt; count in `counts`.

    Raise InputError for a suite, model or task that the ledger does not hold, LedgerError for a damaged part.
    """
    connection = connect(ledger)
    try:
        _refuse_unknown(connection, ledger, meant)
        where, values = _conditions(meant)
        if not meant.known:
            found = connection.execute(
                f"select count(*) from outcomes where origin = 'known'{where}", values
            ).fetchone()
            counts.left_out["known_candidate"] += int(found[0]) if found else 0
        others = "" if meant.known else " and origin <> 'known'"
        about = _About.of(ledger, connection)  # before the rows: a connection has one result
        result = connection.execute(
            f"select * from ({_MEANT.format(run=_RUN)}) where true{others}{where} "
            f"order by {_RUN}, task, attempt, id", values,
        )  # fmt: skip
        columns = [column[0] for column in result.description or []]
        while rows := result.fetchmany(_ROWS):
            for row in rows:
                yield about.shown(dict(zip(columns, row, strict=True)), counts)
    except duckdb.Error as error:
        raise damage(ledger) or LedgerError(f"cannot be read: {error}", path=ledger.path) from error
    finally:
        connection.close()


def _conditions(meant: Meant) -> tuple[str, dict[str, Any]]:
    told: list[tuple[str, dict[str, Any]]] = []
    if meant.suite:
        told.append(("(suite = $suite or starts_with(suite, $suite || '@'))", {"suite": meant.suite}))
    if meant.models:
        told.append(("(list_contains($models, model) or list_contains($models, model || '@' || effort))",
                     {"models": list(meant.models)}))  # fmt: skip
    if meant.tasks:
        told.append(("list_contains($tasks, task)", {"tasks": list(meant.tasks)}))
    values = {name: value for _, named in told for name, value in named.items()}
    return "".join(f" and {condition}" for condition, _ in told), values


def _refuse_unknown(connection: duckdb.DuckDBPyConnection, ledger: Ledger, meant: Meant) -> None:
    query = ("select {} as name from rollouts union select {} from rollouts order by 1")  # fmt: skip
    for option, wanted, names in (
        ("--suite", (meant.suite,) if meant.suite else (), ("suite", "split_part(suite, '@', 1)")),
        ("--model", meant.models, ("model", "case when effort = '' then model else model || '@' || effort end")),
        ("--task", meant.tasks, ("task", "task")),
    ):
        if not wanted:
            continue
        there = [str(row[0] or "") for row in connection.execute(query.format(*names)).fetchall()]
        if missing := [name for name in wanted if name not in there]:
            held = ", ".join(name or "(no name)" for name in there[:_SHOWN]) or "none"
            raise InputError(f"no rollout of `{missing[0]}`", path=ledger.path, field=option, hint=f"It holds: {held}")


@dataclass(frozen=True, slots=True)
class _About:
    """What was said of rollouts, by their ids."""

    ledger: Ledger
    reviews: Mapping[str, list[Review]]
    standing: Mapping[str, Standing]
    findings: Mapping[str, list[Finding]]
    withdrawn: Mapping[str, str]
    expected: Mapping[tuple[str, str], frozenset[str]]
    """Of each suite and task, what any verdict expects and what references that passed say."""

    @classmethod
    def of(cls, ledger: Ledger, connection: duckdb.DuckDBPyConnection) -> _About:
        said = all_reviews(ledger)
        reviews: dict[str, list[Review]] = defaultdict(list)
        for review in counting(said):
            reviews[review.rollout].append(review)
        findings: dict[str, list[Finding]] = defaultdict(list)
        for finding in read_all(ledger, "findings", Finding):
            if finding.rollout:
                findings[finding.rollout].append(finding)
        withdrawn = {
            rollout: f"{one.reason} ({one.author})"
            for one in read_all(ledger, "withdrawals", Withdrawal)
            for rollout in one.rollouts
        }
        expected: dict[tuple[str, str], set[str]] = defaultdict(set)
        for suite, task, answer in connection.execute(_EXPECTED).fetchall():
            expected[suite, task] |= {answer} if answer else set()
        return cls(ledger, reviews, standings(said), findings, withdrawn,
                   {task: frozenset(answers) for task, answers in expected.items()})  # fmt: skip

    def shown(self, row: dict[str, Any], counts: Gathered) -> Shown:
        """Return one rollout with what was said of it."""
        counts.rollouts += 1
        rollout = Rollout(**{one.name: row[one.name] for one in fields(Rollout) if row[one.name] is not None})
        trajectory, data = self._trajectory(rollout, counts.counts)
        expected = self.expected.get((rollout.suite, rollout.task), frozenset())
        hiding = Withholding(trajectory, rollout.answer or "", _of_the_key(row), expected, counts.withheld)
        checks = row["checks"] or ()
        standing = self.standing.get(row["id"])
        found = Shown(
            id=row["id"], rollout=rollout, outcome=row["outcome"], reason=row["reason"] or "", score=row["score"],
            grader=row["grader"] or "", verdict=row["verdict"] or "",
            checks=dict(zip(hiding.check_names(check["name"] for check in checks),
                            (check["status"] for check in checks), strict=True)),
            trajectory=trajectory, document=data, first_attempt=row["first_attempt"],
            reviews=tuple(hiding.review(one) for one in self.reviews.get(row["id"], ())),
            person=standing.person if standing else None, judge=standing.judge if standing else None,
            is_disputed=bool(standing and standing.disputed), withdrawn=hiding.said(self.withdrawn.get(row["id"], "")),
            leads=tuple(hiding.lead(_lead(one)) for one in self.findings.get(row["id"], ())),
        )  # fmt: skip
        counts.counts["ungraded"] += found.passed is None
        counts.counts["reviewed"] += bool(found.reviews)
        counts.counts["with_leads"] += bool(found.leads)
        counts.counts["withdrawn"] += bool(found.withdrawn)
        return found

    def _trajectory(self, rollout: Rollout, counts: Counter[str]) -> tuple[Trajectory | None, bytes]:
        if not rollout.trajectory:
            counts["without_steps"] += 1
            return None, b""
        try:
            data = self.ledger.get_blob(rollout.trajectory)
            return read_trajectory(data), data
        except (LedgerError, FormatError):
            counts["trajectory_unreadable"] += 1
            return None, b""


def _of_the_key(row: Mapping[str, Any]) -> tuple[str, ...]:
    """Return the texts of the key's side: the expected answer, what checks said, what the grader printed.

    Verdicts that do not count are heard too: where two disagree, none counts.
    """
    said = [text for name in ("expected_by", "messages") for text in row[name] or () if text]
    printed = [text for evidence in row["evidence"] or () for text in _texts(evidence)]
    return (row["expected"] or "", *said, *printed)


def _texts(evidence: str | None) -> list[str]:
    """Return every text within a verdict's evidence."""
    if not evidence:
        return []
    try:
        waiting: list[Any] = [orjson.loads(evidence)]
    except orjson.JSONDecodeError:
        return [evidence]
    found: list[str] = []
    while waiting:
        one = waiting.pop()
        if isinstance(one, str):
            found.append(one)
        elif isinstance(one, dict | list):
            waiting += one.values() if isinstance(one, dict) else one
    return found


def _lead(finding: Finding) -> Lead:
    """Return a finding; of its evidence only steps, citations and score are taken."""
    try:
        evidence = orjson.loads(finding.evidence or "{}")
    except orjson.JSONDecodeError:
        evidence = {}
    told = evidence if isinstance(evidence, dict) else {}
    score = told.get("score")
    return Lead(
        probe=finding.probe, family=finding.family, severity=finding.severity, claim=finding.claim,
        steps=tuple(step for step in _list(told, "steps") if isinstance(step, int)),
        citations=tuple(text for text in _list(told, "citations") if isinstance(text, str)),
        score=float(score) if isinstance(score, int | float) else None,
    )  # fmt: skip


def _list(told: Mapping[str, Any], name: str) -> list[Any]:
    value = told.get(name)
    return value if isinstance(value, list) else []
