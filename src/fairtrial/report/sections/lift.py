"""Lift: what models gained from training on it, on held-out tasks; or that no model was trained.

Each trained model stands against the base that it started from. Which tasks taught, what it cost and the curves are on
the page of the lift (`report.lift`).
"""

from __future__ import annotations

from fairtrial.report.data import Block, Cell, Column, Fact, Row, Scope, Section, Span, State, Table, VerdictRow
from fairtrial.report.lift.words import (
    TRAIN,
    arm_cell,
    gain_cell,
    gain_words,
    reading_state,
    seeds_words,
    share_cell,
    states,
)
from fairtrial.report.numbers import NOT_MEASURED, count, of, share, share_interval, share_with_interval
from fairtrial.report.sections.unmeasured import not_measured_row
from fairtrial.report.subject import Subject
from fairtrial.report.words import listed, plural, visible
from fairtrial.train.lift import Lift


def lift_section(subject: Subject) -> Section:
    """Return the section on what training was worth."""
    trained = subject.trained
    comparisons = (*trained.gains, *trained.controls)
    if not comparisons:
        block = Block(claim="Lift was not measured", empty=_empty(subject))
        return Section(key="lift", title="Lift", side=(), blocks=(block,))
    beyond = [one for one in trained.gains if one.reading == "gain"]
    claim = f"{of(len(beyond), len(trained.gains))} trained models gain beyond noise on held-out tasks"
    if not trained.gains:
        claim = "Only controls were evaluated, so no gain was measured"
    side = (
        Fact("n", plural(comparisons[0].held_out_tasks, "held-out task")),
        Fact("Ungraded", count(sum(sum(one.ungraded) for one in comparisons))),
        Fact("Method", comparisons[0].gain.method),
    )
    commands = tuple(_command(subject, base) for base in dict.fromkeys(one.base for one in comparisons))
    block = Block(claim=claim, say=_say(subject), tables=(_table(comparisons),), commands=commands)
    return Section(key="lift", title="Lift", side=side, blocks=(block,))


def lift_row(subject: Subject) -> VerdictRow:
    """Return the row of the verdict: the pass rate after training of the model that gained most, and its gain."""
    gains = [one for one in subject.trained.gains if one.gain.value is not None]
    if not gains:
        why = _empty(subject).why
        return not_measured_row("lift", "Lift was not measured", f"{why[:1].upper()}{why[1:]}. This is not a statement "
                                "that a model learns from it.", _missing_command(subject))  # fmt: skip
    one = max(gains, key=lambda each: each.gain.value or 0.0)
    most = "" if len(gains) == 1 else f" The one of {count(len(gains))} that gained most."
    said: list[tuple[State, str]] = list(states(one))
    if any(lifted.controls_hold is False for lifted in subject.trained.lifted):
        said.append(("refuted", "a control gains too"))
    rate = one.trained_rate
    return VerdictRow(
        key="lift", statement=_statement(one),
        detail=f"{gain_words(one.gain)} on held-out tasks, from {share(one.base_rate)}, over {seeds_words(one.seeds)}."
        f"{most}",
        estimate=share(rate), interval=share_interval(rate), span=Span(rate.value, rate.low, rate.high),
        base=(f"n = {plural(one.held_out_tasks, 'held-out task')}", f"{count(sum(one.ungraded))} ungraded"),
        states=tuple(said),
    )  # fmt: skip


def lift_scope(subject: Subject) -> list[Scope]:
    """Return what is not measured of lift."""
    trained = subject.trained
    if not trained.gains:
        return [Scope("lift", _empty(subject).why, _missing_command(subject))]
    said = [Scope(f"lift of {visible(model)}", visible(why)) for model, why in trained.not_compared]
    if not trained.controls:
        said.append(Scope("whether lift shows where there is none", "no control arm was evaluated", TRAIN))
    return said


def lift_measured(subject: Subject) -> list[Scope]:
    """Return what is measured of lift."""
    gains = subject.trained.gains
    return [Scope(f"lift of {listed([visible(one.trained) for one in gains], most=3)}")] if gains else []


def _statement(one: Lift) -> str:
    said = {"gain": "gains from training", "loss": "loses by training", "within_noise": "shows no gain beyond noise"}
    return f"{visible(one.trained)} {said.get(one.reading, 'was trained; its gain was ' + NOT_MEASURED)}"


def _empty(subject: Subject) -> Scope:
    trained = subject.trained
    why = "no model was trained on it"
    if trained.not_compared:
        why = "; ".join(f"{visible(model)} {visible(reason)}" for model, reason in trained.not_compared[:3])
    elif trained.checkpoints:
        why = "only controls or arms without a family were trained"
    return Scope(
        "What models gain from training, on tasks held out of it, would be here", why, _missing_command(subject)
    )


def _missing_command(subject: Subject) -> str:
    return _command(subject, "BASE") if subject.trained.checkpoints else TRAIN


def _command(subject: Subject, base: str) -> str:
    models = [visible(one.trained) for one in (*subject.trained.gains, *subject.trained.controls) if one.base == base]
    named = "".join(f" --trained {model}" for model in models or ["MODEL"])
    return f"fairtrial lift {subject.context.ledger} --base {visible(base)}{named} --out DIR"


def _say(subject: Subject) -> str:
    trained = subject.trained
    said = []
    if any(lifted.controls_hold is False for lifted in trained.lifted):
        said.append("A control, whose reward teaches nothing, gained too: every gain here is in doubt.")
    elif not trained.controls:
        said.append("No control arm was evaluated, so whether gains show where there are none is open.")
    if trained.not_compared:
        names = listed([visible(model) for model, _ in trained.not_compared], most=4)
        said.append(f"Not compared: {names}.")
    return " ".join(said)


def _table(comparisons: tuple[Lift, ...]) -> Table:
    columns = (
        Column(key="model", title="model", kind="name"), Column(key="reading", title="reading", kind="state"),
        Column(key="base", title="base [95%]", kind="number"),
        Column(key="trained", title="trained [95%]", kind="number"),
        Column(key="gain", title="gain, points [95%]", kind="number"),
        Column(key="fixed", title="failures fixed", kind="number"),
    )  # fmt: skip
    rows = []
    for one in comparisons:
        state, words = reading_state(one)
        rows.append(Row((
            arm_cell(one, f"over {visible(one.base)}, {seeds_words(one.seeds)}"),
            Cell(text=words, state=state), Cell(text=share_with_interval(one.base_rate), value=one.base_rate.value),
            Cell(text=share_with_interval(one.trained_rate), value=one.trained_rate.value), gain_cell(one.gain),
            share_cell(one.failures_fixed),
        )))  # fmt: skip
    return Table(key="lift", caption="By base; controls last.", columns=columns,
                 rows=tuple(rows), layout="stack")  # fmt: skip
