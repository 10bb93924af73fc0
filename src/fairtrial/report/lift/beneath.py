"""What lies beneath a gain, fixes and regressions; and what stands beside it, the controls that must show none."""

from __future__ import annotations

from fairtrial.report.data import Block, Cell, Column, Fact, Row, Scope, Section, Table
from fairtrial.report.lift.data import LiftSubject
from fairtrial.report.lift.words import TRAIN, arm_cell, gain_cell, reading_state, seeds_words, share_cell, signed
from fairtrial.report.numbers import NOT_MEASURED, count, of
from fairtrial.report.words import listed, plural, visible
from fairtrial.train.lift import Lift

_MOST_TASKS = 12


def changes_section(subject: LiftSubject) -> Section:
    """Return gross fixes and regressions, and the tasks that changed beyond noise."""
    columns = (
        Column(key="model", title="model", kind="name"),
        Column(key="fixes", title="fixes", kind="number"),
        Column(key="regressions", title="regressions", kind="number"),
        Column(key="noise", title="of each by noise alone", kind="number"),
        Column(key="fixed", title="tasks fixed", kind="number"),
        Column(key="lost", title="tasks regressed", kind="number"),
    )
    rows = tuple(
        Row(
            (
                arm_cell(one),
                share_cell(one.gross_fixes),
                share_cell(one.regressions),
                share_cell(one.noise_fixes),
                Cell(text=count(len(one.tasks_fixed)), value=len(one.tasks_fixed)),
                Cell(text=count(len(one.tasks_regressed)), value=len(one.tasks_regressed)),
            ),
            one is subject.chosen,
        )
        for one in subject.lifted.comparisons
    )
    side = (
        Fact("Fixes, regressions", "means over tasks and seeds of the positive, and the negative, differences"),
        Fact("Tasks", "one by one: Fisher over all seeds, two-sided, false discovery rate 5%"),
    )
    one = subject.chosen
    if one is None:
        empty = Scope("Fixes and regressions would be here", "nothing could be compared")
        return Section(
            key="changes",
            title="Fixes and regressions",
            side=(),
            blocks=(Block(claim="Nothing was compared", empty=empty),),
        )
    claim = (
        f"{visible(one.trained)} fixes {plural(len(one.tasks_fixed), 'task')} beyond noise and loses "
        f"{count(len(one.tasks_regressed))}"
    )
    table = Table(
        key="changes",
        caption="Shares of attempts, mean over tasks; then tasks beyond noise.",
        columns=columns,
        rows=rows,
        layout="stack",
    )
    return Section(
        key="changes",
        title="Fixes and regressions",
        side=side,
        blocks=(Block(claim=claim, say=_named(one), tables=(table,)),),
    )


def _named(one: Lift) -> str:
    said = [
        f"{word}: {listed([visible(task) for task in tasks], most=_MOST_TASKS)}."
        for word, tasks in (("Fixed", one.tasks_fixed), ("Regressed", one.tasks_regressed))
        if tasks
    ]
    if one.ungraded_bounds is not None:
        low, high = one.ungraded_bounds
        said.append(
            f"With all that is ungraded against the trained model, and for it: {signed(low)} to {signed(high)} points."
        )
    return " ".join(said)


def controls_section(subject: LiftSubject) -> Section:
    """Return the controls, or what would be one."""
    controls = subject.controls
    if not controls:
        empty = Scope(
            "An arm whose reward teaches nothing, which must show no gain, would be here",
            'no control was evaluated; a recipe makes one with reward = "random"',
            TRAIN,
        )
        return Section(
            key="controls",
            title="Controls",
            side=(),
            blocks=(Block(claim="Whether this board shows gains where there are none was not measured", empty=empty),),
        )
    gains = [one for one in controls if one.reading == "gain"]
    claim = f"{of(len(gains), len(controls))} controls gain beyond noise"
    columns = (
        Column(key="model", title="control", kind="name"),
        Column(key="reward", title="reward"),
        Column(key="gain", title="gain, points [95%]", kind="number"),
        Column(key="bound", title="ruled out above, points", kind="number"),
        Column(key="state", title="reading", kind="state"),
    )
    rows = []
    for one in controls:
        state, words = reading_state(one)
        rows.append(
            Row(
                (
                    arm_cell(one),
                    Cell(text=one.degenerate or "named as a control"),
                    gain_cell(one.gain),
                    _bound_cell(one),
                    Cell(text=words, state=state),
                )
            )
        )
    table = Table(
        key="controls", caption="Ruled out: one-sided 95%.", columns=columns, rows=tuple(rows), layout="stack"
    )
    side = (
        Fact("Control", "an arm whose reward hangs on nothing that helps: random, constant, format or length"),
        Fact("n", f"{plural(controls[0].held_out_tasks, 'task')}, {seeds_words(controls[0].seeds)}"),
    )
    say = "A control that shows no gain rules out gains above its bound, and no smaller ones."
    say += _begun_elsewhere(subject)
    lost = [visible(one.trained) for one in controls if one.reading == "loss"]
    if lost:
        say += f" {listed(lost, most=4)} fell below the base, so a gain over it is larger than the gain over the base."
    return Section(key="controls", title="Controls", side=side, blocks=(Block(claim=claim, say=say, tables=(table,)),))


def _begun_elsewhere(subject: LiftSubject) -> str:
    """Return which controls were trained from another model than the base, so that their gain holds more."""
    said = []
    for one in subject.controls:
        begun = {each.base for each in subject.of_model(one.trained)} - {one.base, ""}
        if begun:
            said.append(
                f" {visible(one.trained)} was trained from {listed(sorted(map(visible, begun)), most=3)}, so what it "
                f"shows over {visible(one.base)} is of both trainings; compare it with what it was trained from."
            )
    return "".join(said)


def _bound_cell(control: Lift) -> Cell:
    bound = control.control_bound.high if control.control_bound else None
    if bound is None:
        return Cell(text=NOT_MEASURED)
    return Cell(text=signed(bound).removeprefix("+") if bound > 0 else "any gain", value=bound)
