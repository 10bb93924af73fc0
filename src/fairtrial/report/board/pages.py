"""HTML of a board's pages, by the report's templates: self-contained, no script, all from outside escaped."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from fairtrial import __version__
from fairtrial.board.changes import Changes
from fairtrial.board.result import SCHEMA, Board, Part, Row
from fairtrial.board.runs import Attempt
from fairtrial.report.board import words
from fairtrial.report.board.steps import Steps
from fairtrial.report.board.tables import score_table
from fairtrial.report.board.views import (
    artifacts,
    board_lines,
    decisions,
    file_name,
    screening_state,
    task_lines,
)
from fairtrial.report.data import Fact
from fairtrial.report.html import TEMPLATES, environment, style
from fairtrial.report.numbers import count, rounded
from fairtrial.report.words import plural, verb, visible

_LONG_RANK = len("11–12")
TOOL = f"fairtrial {__version__}"


@dataclass(frozen=True, slots=True, kw_only=True)
class Page:
    """What every page of a board has."""

    title: str
    kind: str
    heading: str
    subtitle: str
    rules: str
    version: int
    facts: tuple[Fact, ...] = ()
    notices: tuple[str, ...] = ()
    links: tuple[tuple[str, str], ...] = ()
    tool: str = TOOL
    schema: str = SCHEMA


def _render(template: str, page: Page, **content: Any) -> str:
    sheet = style() + (TEMPLATES / "board.css").read_text(encoding="utf-8")
    return environment().get_template(template).render(page=page, style=sheet, **content)


def index_page(board: Board, version: int, *, has_changes: bool) -> str:
    """Return the board itself."""
    links = [("as Markdown", "board.md"), ("as JSON", "board.json")]
    page = Page(
        title=visible(board.title),
        kind="board",
        heading=visible(board.title),
        rules=visible(board.rules),
        version=version,
        subtitle="Who leads, on equal terms, with the rule breakers out.",
        facts=_facts(board, version),
        notices=tuple(visible(note) for note in board.notes),
        links=tuple([("What changed", "changes.html"), *links] if has_changes else links),
    )
    several = len(board.locks) > 1
    number = len(board.refused)
    lines = board_lines(board)
    return _render(
        "board.html.j2", page, lines=lines,
        has_long_ranks=any(len(line.rank) > _LONG_RANK for line in lines), summary=words.summary(board),
        rule=words.rank_rule(board),
        side=_side(board), refused=[_refusal(board, index, several) for index in range(number)],
        refused_claim=f"{plural(number, 'run')} {verb(number, 'is', 'are')} on no row.",
        locked_claim=_locked_claim(board), locks=[_lock(board, index, several) for index in range(len(board.locks))],
        locked_side=(Fact("weights", board.weights_from),) if several else (),
    )  # fmt: skip


def _facts(board: Board, version: int) -> tuple[Fact, ...]:
    return (
        Fact("Rules", visible(board.rules), code=True),
        Fact("Version of the board", str(version)),
        Fact("Rows", words.counts(board)),
        Fact("Judged by", words.some(board.checked) or "nobody: only results are compared"),
    )


def _side(board: Board) -> tuple[Fact, ...]:
    ungraded = sum(row.score.ungraded for row in board.rows if row.score)
    method = next((row.score.method for row in board.rows if row.score), words.NOT_JUDGED)
    return (
        Fact("rows", count(len(board.rows))), Fact("tasks", count(sum(len(lock.tasks) for lock in board.locks))),
        Fact("ungraded", count(ungraded)), Fact("score", method),
        Fact("rank", f"bootstrap over clusters of tasks, {count(board.options.replicates)} resamples, seed "
                     f"{board.options.seed}"),
    )  # fmt: skip


def _refusal(board: Board, index: int, several: bool) -> tuple[str, str, tuple[str, ...]]:
    each = board.refused[index]
    on = f", track {visible(each.track)}" if several and each.track else ""
    return (
        visible(each.run),
        f"{plural(each.rollouts, 'rollout')}{on}",
        tuple(visible(str(one)) for one in each.problems),
    )


def _locked_claim(board: Board) -> str:
    if len(board.locks) == 1:
        lock = board.locks[0]
        return f"{plural(len(lock.tasks), 'task')}, {plural(lock.runs_per_task, 'run')} of each, for every row."
    return f"{plural(len(board.locks), 'track')}, each locked by itself."


def _lock(board: Board, index: int, several: bool) -> dict[str, Any]:
    lock = board.locks[index]
    facts = [Fact(name, visible(getattr(lock.where, name)) or "not recorded") for name in lock.where._fields]
    facts.append(Fact("tasks", f"{len(lock.tasks):,} in {len(set(lock.clusters)):,} clusters"))
    facts.append(Fact("runs a task", str(lock.runs_per_task)))
    if several:
        weight = board.weights.get(lock.track)
        facts.append(Fact("weight", "not measured" if weight is None else rounded(weight, 3)))
    return {
        "name": visible(lock.track),
        "facts": facts,
        "notes": [visible(note) for note in (*lock.notes, *lock.warnings)],
    }


def row_page(board: Board, row: Row, version: int, pages: Mapping[str, str], left_out: str) -> str:
    """Return the page of one row; `pages` says where the steps of its rollouts are."""
    state = words.state_of(row)[1]
    sentence = f"{words.score(row)} {words.interval(row)}".strip() if row.score else "It has no score."
    page = Page(
        title=visible(row.label),
        kind="row of a board",
        heading=visible(row.label),
        rules=visible(board.rules),
        version=version,
        subtitle=f"On {visible(board.title)}: {state}" + (f", rank {words.rank(row)}." if row.rank else "."),
        facts=_row_facts(row),
        links=(("The board", "../index.html"),),
    )
    rollouts = sum(len(task.attempts) for part in row.parts for task in part.tasks)
    made = decisions(row)
    return _render(
        "board_row.html.j2",
        page,
        sentence=sentence,
        why=visible(row.why),
        scores=score_table(row),
        side=_row_side(row),
        decisions=made,
        several=len(row.models) > 1,
        decisions_claim=_decisions_claim(row),
        screenings=[_screening(row, index) for index in range(len(row.screenings))],
        screenings_claim=_screenings_claim(len(row.screenings)),
        artifacts=artifacts(row),
        making=_making(row),
        rollouts_claim=f"{plural(rollouts, 'run')} count.",
        rollouts_say=left_out,
        tracks=[_track(row, part, pages) for part in row.parts if part.tasks],
        withdrawals=[
            {"count": plural(len(one.rollouts), "run"), "author": visible(one.author), "reason": visible(one.reason)}
            for one in row.withdrawals
        ],
    )


def _row_facts(row: Row) -> tuple[Fact, ...]:
    who = [Fact("Entrant", visible(row.entrant))] if row.entrant else []
    if row.who:
        who += [Fact("Scaffold", visible(row.who.agent) or "not recorded"),
                Fact("Effort", visible(row.who.effort) or "not recorded")]  # fmt: skip
    else:
        who += [Fact("Models", words.some(row.models))]
    return (*who, Fact("Judged", {"judged": "by every rule", "in part": "in part", "not judged": "not judged",
                                  "not asked": "the rules ask for none"}[row.judged]))  # fmt: skip


def _row_side(row: Row) -> tuple[Fact, ...]:
    facts = (
        [Fact("n", count(row.score.n)), Fact("ungraded", count(row.score.ungraded)), Fact("method", row.score.method)]
        if row.score
        else []
    )
    return (*facts, Fact("tokens in", words.read_tokens(row.spent)), Fact("tokens out", words.tokens(row.spent)),
            Fact("USD", words.money(row.spent)))  # fmt: skip


def _making(row: Row) -> tuple[Fact, ...]:
    if not row.submissions:
        return ()
    return (Fact("made with tokens in", words.read_tokens(row.making)), Fact("tokens out", words.tokens(row.making)),
            Fact("USD", words.money(row.making)))  # fmt: skip


def _decisions_claim(row: Row) -> str:
    return {"judged": "Every rule was judged.", "in part": "Some rules were judged, others not.",
            "not judged": "Nobody judged it, which is not clean.", "not asked": ""}[row.judged]  # fmt: skip


def _screenings_claim(number: int) -> str:
    return f"{plural(number, 'check')} {verb(number, 'speaks', 'speak')} of it; what a check finds is a lead."


def _screening(row: Row, index: int) -> dict[str, Any]:
    one = row.screenings[index]
    return {
        "state": screening_state(one),
        "kind": one.kind,
        "subject": visible(one.subject),
        "summary": visible(one.summary),
        "not_measured": [visible(each) for each in one.not_measured if each not in one.summary],
        "document": visible(one.document),
    }


def _track(row: Row, part: Part, pages: Mapping[str, str]) -> dict[str, Any]:
    lines = task_lines(part, pages)
    on = f"{visible(part.label)} on {visible(part.track)}: " if len(row.parts) > 1 else ""
    return {"caption": f"{on}{plural(len(lines), 'task')}, lowest pass rate first", "tasks": lines}


def rollout_page(board: Board, row: Row, attempt: Attempt, steps: Steps, version: int) -> str:
    """Return the steps of one rollout."""
    outcome = attempt.outcome + (f" ({visible(attempt.reason)})" if attempt.reason else "")
    page = Page(
        title=visible(attempt.task),
        kind="rollout",
        heading=visible(attempt.task),
        rules=visible(board.rules),
        version=version,
        subtitle=f"Run {attempt.attempt} of {visible(row.label)}: {outcome}.",
        facts=(
            Fact("Rollout", visible(attempt.id), code=True),
            Fact("Outcome", outcome),
            Fact("Tokens in, out", f"{_or_none(attempt.input_tokens)}, {_or_none(attempt.output_tokens)}"),
            Fact("USD", words.NOT_RECORDED if attempt.cost_usd is None else f"{attempt.cost_usd:.4f}"),
        ),
        links=(("The row", f"../rows/{file_name(row.key, row.label)}.html"), ("The board", "../index.html")),
    )
    left_out = ""
    if steps.more:
        left_out = (
            f"{plural(steps.more, 'part')} at the end {verb(steps.more, 'is', 'are')} left out: "
            f"`fairtrial serve LEDGER` shows them, at `/rollouts/{visible(attempt.id)}`."
        )
    return _render(
        "board_rollout.html.j2", page, claim=f"{plural(steps.steps, 'step')}.", steps=steps, left_out=left_out
    )


def _or_none(number: int | None) -> str:
    return words.NOT_RECORDED if number is None else count(number)


def changes_page(board: Board, changed: Changes, version: int) -> str:
    """Return what changed between two versions."""
    links = {row.key: f"rows/{file_name(row.key, row.label)}.html" for row in board.rows}
    page = Page(
        title=f"{visible(board.title)}: changes",
        kind="changes of a board",
        heading="What changed",
        version=version,
        rules=visible(board.rules),
        subtitle=f"{visible(board.title)}, from version {changed.since} to {changed.until}.",
        facts=(
            Fact("Rules before", visible(changed.rules_before), code=True),
            Fact("Rules after", visible(changed.rules_after), code=True),
        ),
        links=(("The board", "index.html"), ("as Markdown", "changes.md")),
    )
    return _render(
        "board_changes.html.j2",
        page,
        summary=words.changes_summary(changed).capitalize() + ".",
        rows=[
            {
                "label": visible(row.label),
                "link": links.get(row.key, ""),
                "movement": words.movement(row),
                "score": words.moved_score(row),
                "reasons": [visible(each) for each in row.reasons],
            }
            for row in changed.rows
        ],
        rules_claim=rules_claim(changed),
        diff=_diff(changed.rules_diff),
        locked=[visible(line) for line in changed.locked],
        refused=[visible(line) for line in changed.refused],
    )


def rules_claim(changed: Changes) -> str:
    """Return whether the rules changed."""
    if not changed.rules_diff:
        return "The rules are the same."
    return (
        "The rules changed."
        if changed.rules_before != changed.rules_after
        else "The rules say the same in other words."
    )


def _diff(lines: Sequence[str]) -> list[tuple[str, str]]:
    kinds = {"+": "add", "-": "del"}
    return [
        ("head" if line.startswith(("+++", "---")) else kinds.get(line[:1], "same"), visible(line)) for line in lines
    ]
