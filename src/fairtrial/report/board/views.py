"""What the templates print of a row, as plain text that is safe to show: nothing is computed in a template."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import orjson

from fairtrial.board.result import Board, Part, Row, TaskTally
from fairtrial.board.runs import Attempt
from fairtrial.records import Ruling, Screening, Submission
from fairtrial.report.board import words
from fairtrial.report.data import Fact, Span, State
from fairtrial.report.numbers import NOT_MEASURED, percent_interval
from fairtrial.report.words import visible
from fairtrial.rules.rulings import Standing

_NOT_NAME = re.compile(r"[^a-z0-9]+")
_SLUG = 40


@dataclass(frozen=True, slots=True, kw_only=True)
class Line:
    """A row of the board's table."""

    rank: str
    label: str
    link: str
    about: tuple[str, ...]
    span: Span
    score: str
    interval: str
    state: tuple[State, str]
    base: tuple[str, ...]
    """n and ungraded, as lines."""
    spend: tuple[Fact, ...]
    reference: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Mark:
    """One rollout: its outcome, and where its steps are."""

    number: str
    id: str
    state: State
    outcome: str
    link: str = ""


@dataclass(frozen=True, slots=True)
class TaskLine:
    """One task of a row with its rollouts."""

    task: str
    figure: str
    marks: tuple[Mark, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Word:
    """What one judge's run, or one person, said."""

    state: State
    ruled: str
    who: str
    reason: str
    citations: tuple[str, ...]
    counts: bool
    """False: an override, other rules or other findings took its weight."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Decision:
    """Where one model stands by one rule."""

    model: str
    rule: str
    state: State
    status: str
    by: str
    reason: str
    words: tuple[Word, ...]
    void: tuple[str, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Artifact:
    """One thing that was handed in."""

    model: str
    kind: str
    path: str
    hash: str


_RULED: Mapping[str, tuple[State, str]] = {
    "clean": ("holds", "clean"), "violation": ("refuted", "violation"), "unclear": ("lead", "unclear"),
    "awaiting": ("lead", "awaiting a ruling"), "not_judged": ("none", words.NOT_JUDGED),
}  # fmt: skip
_OUTCOMES: Mapping[str, State] = {"passed": "holds", "failed": "refuted", "ungraded": "none"}


def file_name(key: str, label: str) -> str:
    """Return a name for a row's page that any file system and URL bears, and that no other row has.

    >>> file_name("model m", "A/M<script>")
    'a-m-script-6d983403'
    """
    slug = _NOT_NAME.sub("-", label.lower()).strip("-")[:_SLUG].strip("-") or "row"
    return f"{slug}-{hashlib.sha256(key.encode('utf-8', 'surrogatepass')).hexdigest()[:8]}"


def board_lines(board: Board) -> tuple[Line, ...]:
    """Return every row as it stands in the table, and the references below."""
    lines = [_line(row) for row in board.rows]
    for each in board.references:
        names = words.some(each.models, 4)
        lines.append(Line(
            rank="", label="base models" if each.role == "base" else "instruct siblings", link="",
            about=(f"for scale, without a rank: {names}",), span=words.span(each.score),
            score=words.accuracy(each.score).split(" ")[0] if each.score else NOT_MEASURED,
            interval=" ".join(words.accuracy(each.score).split(" ")[1:]) if each.score else visible(each.why),
            state=("none", "reference"), base=(), spend=(), reference=True,
        ))  # fmt: skip
    return tuple(lines)


def _line(row: Row) -> Line:
    about = [f"entrant {visible(row.entrant)}"] if row.entrant and row.entrant != row.label else []
    if len(row.models) > 1:
        about.append(words.some(row.models, 4))
    if row.status in ("penalised", "removed", "flagged") or (row.why and row.judged == "in part"):
        about.append(visible(row.why))
    return Line(
        rank=words.rank(row), label=visible(row.label), link=f"rows/{file_name(row.key, row.label)}.html",
        about=tuple(about), span=words.span(row.score), score=words.score(row), interval=words.interval(row),
        state=words.state_of(row), base=row_base(row), spend=spend_facts(row, "tokens out", "USD"),
    )  # fmt: skip


def row_base(row: Row) -> tuple[str, ...]:
    """Return what a score rests on, as lines."""
    if row.score is None:
        return ()
    told = [f"{row.score.n:,} tasks", f"{row.score.ungraded:,} ungraded"]
    if row.bounds and row.score.ungraded:
        told.append(f"{percent_interval(*row.bounds)} if all fail, or pass")
    return tuple(told)


def spend_facts(row: Row, tokens: str, usd: str) -> tuple[Fact, ...]:
    """Return what evaluating a row took."""
    return (Fact(tokens, words.tokens(row.spent)), Fact(usd, words.money(row.spent)))


def decisions(row: Row) -> tuple[Decision, ...]:
    """Return where every model of a row stands by each rule."""
    return tuple(_decision(model, one, row.rulings) for model, each in row.standings.items() for one in each.values())


def _decision(model: str, one: Standing, rulings: Sequence[Ruling]) -> Decision:
    state, status = _RULED[one.status]
    by = {"override": f"override by {one.author}", "majority": f"majority of the runs of {one.author}",
          "checks": "the checks alone", "nobody": "nobody"}[one.by]  # fmt: skip
    return Decision(
        model=visible(model),
        rule=one.rule,
        state=state,
        status=status,
        by=visible(by),
        reason=visible(one.reason),
        words=tuple(_word(ruling, one) for ruling in rulings if (ruling.model, ruling.rule) == (model, one.rule)),
        void=tuple(visible(each) for each in one.void),
    )


def _word(ruling: Ruling, standing: Standing) -> Word:
    state, ruled = _RULED[ruling.ruled]
    who = f"override by {ruling.by}" if ruling.kind == "override" else f"{ruling.by}, run {ruling.run}"
    who += f", {ruling.recorded_at[:10]}" if ruling.recorded_at else ""
    return Word(
        state=state,
        ruled=ruled,
        who=visible(who),
        reason=visible(ruling.reason),
        citations=tuple(visible(each) for each in ruling.citations),
        counts=ruling in standing.counted,
    )


def screening_state(screening: Screening) -> tuple[State, str]:
    """Return what one check found, as a state and a word."""
    if screening.holds is None:
        return "none", "not measured"
    if screening.holds:
        return (
            ("holds", "nothing found") if not screening.not_measured else ("none", "nothing found in what was measured")
        )
    return "lead", "found something"


def artifacts(row: Row) -> tuple[Artifact, ...]:
    """Return what was handed in for a row, with the content addresses."""
    return tuple(found for each in row.submissions for found in _artifacts(each))


def _artifacts(submission: Submission) -> list[Artifact]:
    found = []
    for kind, entries in sorted(_object(submission.artifacts).items()):
        for entry in entries if isinstance(entries, list) else []:
            stated = entry if isinstance(entry, dict) else {"path": entry}
            found.append(Artifact(model=visible(submission.model), kind=visible(str(kind)).replace("_", " "),
                                  path=visible(_public(str(stated.get("path", "")))),
                                  hash=visible(str(stated.get("hash") or "no hash"))))  # fmt: skip
    return found


def _public(path: str) -> str:
    """Return a path as a page may show it: of an absolute one, which tells of somebody's machine, the last two parts.

    >>> _public("/home/ada/set/train.jsonl"), _public("set/train.jsonl")
    ('set/train.jsonl', 'set/train.jsonl')
    """
    return "/".join(path.split("/")[-2:]) if path.startswith("/") else path


def _object(text: str) -> dict[str, Any]:
    try:
        found = orjson.loads(text or "{}")
    except orjson.JSONDecodeError:
        return {"cannot be read": [text]}
    return found if isinstance(found, dict) else {}


def task_lines(part: Part, pages: Mapping[str, str]) -> tuple[TaskLine, ...]:
    """Return the tasks of one part of a row, worst first; `pages` says where the steps of a rollout are."""
    tasks = sorted(part.tasks, key=lambda one: (_rate(one), one.task))
    return tuple(
        TaskLine(visible(one.task), _figure(one), tuple(_mark(attempt, pages) for attempt in one.attempts))
        for one in tasks
    )


def _rate(one: TaskTally) -> float:
    graded = one.passed + one.failed
    return one.passed / graded if graded else -1.0


def _figure(one: TaskTally) -> str:
    graded = one.passed + one.failed
    told = f"{one.passed} of {graded}" if graded else "none graded"
    return f"{told}, {one.ungraded} ungraded" if one.ungraded else told


def _mark(attempt: Attempt, pages: Mapping[str, str]) -> Mark:
    outcome: str = attempt.outcome
    if outcome == "ungraded" and attempt.reason:
        outcome = f"ungraded: {visible(attempt.reason)}"
    return Mark(number=str(attempt.attempt), id=visible(attempt.id), state=_OUTCOMES[attempt.outcome], outcome=outcome,
                link=pages.get(attempt.id, ""))  # fmt: skip
