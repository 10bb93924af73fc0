"""How training went: the pass rate over steps of every run whose folder was named, its alarms, and marked steps."""

from __future__ import annotations

from itertools import groupby

from fairtrial.report.data import Block, Cell, Column, Fact, Row, Scope, Section, State, Table
from fairtrial.report.figures import LinePanel, LinePoint, Lines, LineSeries
from fairtrial.report.lift.data import LiftSubject
from fairtrial.report.numbers import NOT_MEASURED, count, of, percent, share
from fairtrial.report.words import listed, plural, verb, visible
from fairtrial.train.watch import Watched

_MOST_POINTS = 60
_MOST_PANELS = 4


def training_section(subject: LiftSubject) -> Section:
    """Return the training curves and what the watch said."""
    runs = [run for run in subject.watched if run.steps]
    if not runs:
        empty = Scope(
            "The pass rate over the steps of training, and what the watch said, would be here",
            "no folder of a training run was named",
            f"fairtrial lift {subject.ledger} --base MODEL --trained MODEL --run DIR --out PAGE",
        )
        return Section(
            key="training",
            title="Training",
            side=(),
            blocks=(Block(claim="How training went is not shown", empty=empty),),
        )
    marked = sum(len(run.left_out_steps) for run in runs)
    paused = sum(bool(run.paused) for run in runs)
    steps = sum(len(run.steps) for run in runs)
    claim = f"{of(marked, steps)} steps of {plural(len(runs), 'run')} are left out of the claim"
    stopped = f" {plural(paused, 'run')} {verb(paused, 'was', 'were')} paused." if paused else ""
    say = "Means over equal stretches of steps, of attempts with a verdict. Shaded: steps left out."
    say = f"{say}{stopped}{_not_drawn(runs)}"
    side = [
        Fact("n", f"{count(sum(step.attempts for run in runs for step in run.steps))} attempts"),
        Fact("Ungraded", count(sum(step.ungraded for run in runs for step in run.steps))),
        Fact("Hacks", _hacks(runs)),
    ]
    drawn = sorted((run for run in runs if _points(run)), key=lambda run: run.model)
    figures = tuple(_figure(model, list(each)) for model, each in groupby(drawn, key=lambda run: run.model))
    block = Block(claim=claim, say=say, figures=figures, tables=(_runs_table(runs), *_alarms_table(runs)))
    return Section(key="training", title="Training", side=tuple(side), blocks=(block,))


def _not_drawn(runs: list[Watched]) -> str:
    """Return which runs have no curve, and why."""
    silent = list(dict.fromkeys(visible(run.model) for run in runs if not _points(run)))
    said = f" No attempt of {listed(silent, most=4)} had a verdict, so there is no curve of it." if silent else ""
    most = max(sum(run.model == one.model and bool(_points(run)) for run in runs) for one in runs)
    return said + (f" Of each model the first {_MOST_PANELS} runs are drawn." if most > _MOST_PANELS else "")


def _hacks(runs: list[Watched]) -> str:
    told = [run.hack_share for run in runs if run.hack_share is not None]
    if not told:
        return "nobody looked, so their share was not measured"
    return (
        f"{share(max(told, key=lambda each: each.high or 0.0))} at most of one run; line {percent(runs[0].hack_line)}"
    )


def _figure(model: str, runs: list[Watched]) -> Lines:
    shown = runs[:_MOST_PANELS]
    panels = tuple(
        LinePanel(
            title=f"{visible(model)}, seed {run.seed}" if run.seed is not None else visible(model),
            note=f"{plural(len(run.steps), 'step')}",
            across="optimiser step",
            up="attempts that pass, %",
            low=0.0,
            high=1.0,
            text=_text(run),
            marked=_stretches(run.left_out_steps),
            series=(LineSeries(name="pass rate", points=_points(run), chosen=True),),
        )
        for run in shown
    )
    return Lines(key=f"training-{model}", text="; ".join(panel.text for panel in panels), panels=panels)


def _points(run: Watched) -> tuple[LinePoint, ...]:
    """Return the pass rate over at most sixty equal stretches of steps; stretches without a verdict have no point."""
    told = [step for step in run.steps if step.passed + step.failed]
    size = max(-(-len(told) // _MOST_POINTS), 1)
    points = []
    for at in range(0, len(told), size):
        part = told[at : at + size]
        rate = sum(step.passed for step in part) / sum(step.passed + step.failed for step in part)
        points.append(LinePoint(part[-1].step, rate, rate, rate))
    return tuple(points)


def _text(run: Watched) -> str:
    points = _points(run)
    name = f"{visible(run.model)}, seed {run.seed}"
    return (
        f"{name}: {percent(points[0].value)} at step {points[0].x}, {percent(points[-1].value)} at step {points[-1].x}"
    )


def _stretches(steps: tuple[int, ...]) -> tuple[tuple[int, int], ...]:
    """Return runs of consecutive steps as (first, last)."""
    found: list[tuple[int, int]] = []
    for step in sorted(steps):
        if found and found[-1][1] == step - 1:
            found[-1] = (found[-1][0], step)
        else:
            found.append((step, step))
    return tuple(found)


def _runs_table(runs: list[Watched]) -> Table:
    columns = (
        Column(key="run", title="run", kind="name"),
        Column(key="steps", title="steps", kind="number"),
        Column(key="marked", title="left out", kind="number"),
        Column(key="first", title="first pass rate", kind="number"),
        Column(key="last", title="last pass rate", kind="number"),
        Column(key="alarms", title="alarms", kind="number"),
        Column(key="paused", title="paused"),
    )
    rows = []
    for run in runs:
        points = _points(run)
        ends = [Cell(text=NOT_MEASURED)] * 2
        if points:
            ends = [Cell(text=percent(point.value), value=point.value) for point in (points[0], points[-1])]
        rows.append(
            Row(
                (
                    Cell(
                        text=visible(run.model),
                        value=run.model,
                        note=f"seed {run.seed}" if run.seed is not None else "",
                    ),
                    Cell(text=count(len(run.steps)), value=len(run.steps)),
                    Cell(text=count(len(run.left_out_steps)), value=len(run.left_out_steps)),
                    *ends,
                    Cell(text=count(len(run.alarms)), value=len(run.alarms)),
                    Cell(text=visible(run.paused) or "no"),
                )
            )
        )
    return Table(
        key="runs",
        caption="First and last: means over the first and last stretch.",
        columns=columns,
        rows=tuple(rows),
        layout="stack",
    )


def _alarms_table(runs: list[Watched]) -> tuple[Table, ...]:
    raised = [(run, alarm) for run in runs for alarm in run.alarms]
    if not raised:
        return ()
    columns = (
        Column(key="run", title="run", kind="name"),
        Column(key="kind", title="alarm", kind="state"),
        Column(key="steps", title="steps"),
        Column(key="why", title="why"),
    )
    rows = []
    for run, alarm in raised:
        state: State = "refuted" if alarm.is_grave else "lead"
        steps = (
            str(alarm.first_step) if alarm.first_step == alarm.last_step else f"{alarm.first_step}–{alarm.last_step}"
        )
        rows.append(
            Row(
                (
                    Cell(
                        text=visible(run.model),
                        value=run.model,
                        note=f"seed {run.seed}" if run.seed is not None else "",
                    ),
                    Cell(text=alarm.kind.replace("_", " "), state=state),
                    Cell(text=steps),
                    Cell(text=visible(alarm.why)),
                )
            )
        )
    return (Table(key="alarms", caption="In the order raised.", columns=columns, rows=tuple(rows), layout="stack"),)
