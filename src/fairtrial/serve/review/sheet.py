"""The review page as data: queue, work, form and draft of one row, for the template to print."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any

import orjson

from fairtrial.audit.citations import Citable
from fairtrial.records import Citation, Review
from fairtrial.serve.review.desk import Desk, Row
from fairtrial.serve.review.form import Form, form_for
from fairtrial.serve.review.turns import next_row
from fairtrial.serve.review.verdicts import Shown, verdict_of
from fairtrial.serve.review.work import Work
from fairtrial.serve.steps import Window, window
from fairtrial.serve.steps.rail import RailEntry, rail


@dataclass(frozen=True, slots=True, kw_only=True)
class Sheet:
    """All that one review page shows."""

    row: Row
    rows: tuple[Row, ...]
    work: Work
    window: Window
    rail: tuple[RailEntry, ...]
    form: Form
    draft: str
    """JSON for the script: version, when it was saved, content."""
    verdict: Shown | None
    others: tuple[Review, ...]
    previous: Row | None
    following: Row | None

    def read(self, citation: str) -> Citation:
        """Return a citation in its parts."""
        return Citation.read(citation)

    @property
    def base(self) -> str:
        """Return the address of the row."""
        return f"/review/{self.row.name}"

    @property
    def done(self) -> int:
        """Return how many rows are done."""
        return sum(row.state == "done" for row in self.rows)


def sheet_of(desk: Desk, rows: tuple[Row, ...], row: Row, first: int = 1) -> Sheet:
    """Return the page of `row`, whose steps begin at `first`."""
    work = desk.work(row)
    shown = verdict_of(desk.held.ledger, row.attempt.id) if row.stage == "informed" else None
    content = content_of(desk, row)
    cited = {Citation.read(text).step for text in content.get("citations", ())}
    at = rows.index(row)
    return Sheet(
        row=row, rows=rows, work=work, verdict=shown,
        window=_instruction_folded(window(work.trajectory, first, with_costs=False), work),
        rail=rail(work.trajectory, [step for step in cited if step], work.signs),
        form=form_for(shown.outcome if shown else None),
        draft=orjson.dumps({"version": row.draft.version, "saved_at": row.draft.saved_at,
                            "content": dict(content)}).decode(),
        others=desk.others(row) if row.stage == "adjudicate" else (), previous=rows[at - 1] if at else None,
        following=next_row(rows, row.name),
    )  # fmt: skip


def content_of(desk: Desk, row: Row) -> Mapping[str, Any]:
    """Return what the form begins with: the draft, else the last review, else in the second pass the blind one."""
    if row.draft.version and row.draft.content:
        return row.draft.content
    said = row.review
    if said is None and row.stage == "informed":
        blind = next((one for one in reversed(desk.held.reviews()) if _is_own_blind(one, row)), None)
        return {} if blind is None else _content(blind) | {"answer": "", "seconds": 0}
    return {} if said is None else _content(said) | {"seconds": 0}


def is_known(desk: Desk, row: Row, content: Mapping[str, Any]) -> bool:
    """Say whether the server has just this content already, in the draft or as the last review."""
    return _bare(content) == _bare(content_of(desk, row))


def citable_of(work: Work, verdict: Shown | None) -> Citable:
    """Return what may be quoted; with a verdict that is shown, also the grader's words."""
    if verdict is None:
        return work.citable
    blind = work.citable
    return Citable(
        blind.trajectory, blind.instruction, blind.artifacts, verdict.evidence, verdict.said, {}, blind.answer
    )


def _instruction_folded(steps: Window, work: Work) -> Window:
    """Fold what stands above the steps already: the instruction, in the steps that gave it."""
    if not work.instruction:
        return steps
    acts = (at for at, step in enumerate(work.trajectory.steps, 1) if step.source == "agent")
    first = next(acts, len(work.trajectory.steps) + 1)
    folded = [replace(step, blocks=tuple(replace(block, is_open=False) for block in step.blocks))
              if step.source == "user" and step.number < first else step for step in steps.steps]  # fmt: skip
    return replace(steps, steps=tuple(folded))


def _is_own_blind(review: Review, row: Row) -> bool:
    said = (review.rollout, review.reviewer, review.stage, review.kind, review.adjudicates)
    return said == (row.attempt.id, row.reader, "blind", "person", False)


def _bare(content: Mapping[str, Any]) -> dict[str, Any]:
    """Content without the time spent and what is empty, tags in one order."""
    tags = {name: sorted(content.get(name, ())) for name in ("behaviour", "failure")}
    return {name: value for name, value in ({**content} | tags).items() if name != "seconds" and value}


def _content(review: Review) -> dict[str, Any]:
    """A review as the form has it; in the second pass the answer is about the verdict."""
    answer = "cannot_tell" if review.satisfied is None else "yes" if review.satisfied else "no"
    if review.stage == "informed" and review.label:
        answer = "yes" if review.label.startswith("true") else "no"
    return {"answer": answer, "hack": {True: "yes", False: "no", None: ""}[review.hack],
            "behaviour": list(review.behaviour_tags), "failure": list(review.failure_tags),
            "citations": list(review.citations), "note": review.note}  # fmt: skip
