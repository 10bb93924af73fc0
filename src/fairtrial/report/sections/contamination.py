"""Contamination: which training sets and submitted models were screened, against what, and what was found.

Everything is told as the screening recorded it; nothing is compared here. Of one subject, kind and counterpart the last
screening counts. A flag is a lead: whether it breaks a rule is a ruling's to say.
"""

from __future__ import annotations

from collections.abc import Sequence

from fairtrial.records import Screening, ScreeningKind
from fairtrial.report.data import Block, Cell, Column, Fact, Row, Scope, Section, State, Table, VerdictRow
from fairtrial.report.numbers import NOT_MEASURED, count, of
from fairtrial.report.sections.unmeasured import counted_row, not_measured_row
from fairtrial.report.subject import Subject
from fairtrial.report.words import listed, plural, visible

_DATA: tuple[ScreeningKind, ...] = ("scan", "split")
_KINDS: dict[ScreeningKind, str] = {
    "scan": "overlap and variants", "split": "near copies across a split", "identity": "identity of the model",
    "usage": "use of external models", "lookup": "look-up of the benchmark",
    "edits": "the evaluator as left",
}  # fmt: skip
_STATES: dict[bool | None, tuple[State, str]] = {
    True: ("holds", "nothing found"), False: ("lead", "found something"), None: ("none", NOT_MEASURED),
}  # fmt: skip


def contamination_section(subject: Subject) -> Section:
    """Return the section on training sets and submitted models."""
    screened = subject.audited.screened
    data = [one for one in screened if one.kind in _DATA]
    models = [one for one in screened if one.kind not in _DATA]
    side = (
        Fact("Found", "a lead; whether it breaks a rule is for a ruling to say"),
        Fact("Nothing found", "by what was measured; what was not measured is named beside it"),
    )
    return Section(key="contamination", title="Contamination", side=side,
                   blocks=(_data_block(data, subject), _models_block(models)))  # fmt: skip


def contamination_row(subject: Subject) -> VerdictRow:
    """Return the row of the verdict: how many training sets were compared, and in how many something was found."""
    data = [one for one in subject.audited.screened if one.kind in _DATA]
    told = [one for one in data if one.holds is not None]
    command = scan_command(subject)
    if not told:
        why = "No training set was compared" if not data else "Of no comparison could anything be told"
        detail = f"{why}. This is not a statement that it is clean."
        return not_measured_row("contamination", "Contamination was not measured", detail, command)
    found = sum(not one.holds for one in told)
    partly = sum(bool(one.not_measured) for one in told)
    states: list[tuple[State, str]] = [("lead", f"{count(found)} with leads")] if found else []
    if open_ := len(data) - len(told) + partly:
        states.append(("none", f"{count(open_)} not measured in full"))
    statement = f"Something was found in {of(found, len(told))} comparisons of training data"
    if not found:
        statement = f"Nothing was found in {plural(len(told), 'comparison')} of training data"
    return counted_row("contamination", statement, "Of the sets that were compared, by what was measured.",
                       of(found, len(told)), f"n = {plural(len(told), 'comparison')}", tuple(states))  # fmt: skip


def scan_command(subject: Subject) -> str:
    """Return the command that compares a training set and keeps what it finds."""
    return f"fairtrial contamination scan TRAIN --against EVAL --keep {subject.context.ledger}"


def contamination_scope(subject: Subject) -> list[Scope]:
    """Return what is not measured of contamination."""
    data = [one for one in subject.audited.screened if one.kind in _DATA]
    if not data:
        return [Scope("contamination", "no training set was compared", scan_command(subject))]
    return [
        Scope(f"contamination of {visible(one.subject)}", visible(one.not_measured[0]) if one.not_measured else "")
        for one in data
        if one.not_measured or one.holds is None
    ]


def _data_block(screened: Sequence[Screening], subject: Subject) -> Block:
    if not screened:
        empty = Scope("Rows that hold, reword or are built around items would be here", "no training set was compared",
                      scan_command(subject))  # fmt: skip
        return Block(claim="Contamination of training data was not measured", empty=empty)
    return Block(claim=_claim(screened, "comparison of training data", "comparisons of training data"),
                 tables=(_table("screened_data", screened),))  # fmt: skip


def _models_block(screened: Sequence[Screening]) -> Block:
    if not screened:
        command = "fairtrial rules check RULES.toml SUBMISSION.toml --keep LEDGER"
        empty = Scope("Whether submitted models are their base, trained, and by what means, would be here",
                      "no submission was checked", command)  # fmt: skip
        return Block(claim="No submitted model was checked", empty=empty)
    return Block(claim=_claim(screened, "check of submitted models", "checks of submitted models"),
                 tables=(_table("screened_models", screened),))  # fmt: skip


def _claim(screened: Sequence[Screening], one: str, many: str) -> str:
    told = [each for each in screened if each.holds is not None]
    found = sum(not each.holds for each in told)
    rest = f"; {count(len(screened) - len(told))} could not be measured" if len(told) < len(screened) else ""
    if not told:
        return f"Of {plural(len(screened), one, many)} nothing could be measured"
    if not found:
        return f"Nothing was found in {plural(len(told), one, many)}{rest}"
    return f"Something was found in {of(found, len(told))} {many}{rest}"


def _table(key: str, screened: Sequence[Screening]) -> Table:
    columns = (Column(key="subject", title="of", kind="name"), Column(key="kind", title="looked for"),
               Column(key="against", title="against"), Column(key="state", title="outcome", kind="state"),
               Column(key="summary", title="in words"), Column(key="open", title="not measured"))  # fmt: skip
    return Table(key=key, caption="By name; of one subject and counterpart the last.", columns=columns,
                 rows=tuple(Row(_cells(one)) for one in screened))  # fmt: skip


def _cells(one: Screening) -> tuple[Cell, ...]:
    state, words = _STATES[one.holds]
    name = visible(one.model or one.subject)
    note = visible(one.subject) if one.model and one.model != one.subject else ""
    still_open = listed([visible(why) for why in one.not_measured], most=3) if one.not_measured else "nothing"
    return (Cell(text=name, note=note), Cell(text=_KINDS[one.kind]), Cell(text=visible(one.against) or "nothing"),
            Cell(text=words, value=words, state=state), Cell(text=visible(one.summary)),
            Cell(text=still_open))  # fmt: skip
