"""The gain of every arm, by family and by training seed, each with its interval on one axis."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from fairtrial.records import Estimate
from fairtrial.report.data import Block, Cell, Column, Fact, Row, Scope, Section, Table
from fairtrial.report.figures import Forest, ForestRow
from fairtrial.report.lift.data import LiftSubject
from fairtrial.report.lift.words import (
    MOST_ROWS,
    TRAIN,
    arm_cell,
    drawn_words,
    gain_cell,
    gain_words,
    most_changed,
    reading_state,
    share_cell,
)
from fairtrial.report.numbers import count, of, share_with_interval
from fairtrial.report.words import plural, visible
from fairtrial.train.lift import Lift

_AXIS = "change of the pass rate, points"


def arms_section(subject: LiftSubject) -> Section:
    """Return every arm against the base."""
    comparisons = subject.lifted.comparisons
    if not comparisons:
        empty = Scope("The gain of each trained model would be here", "none could be compared on equal terms")
        return Section(key="arms", title="Arms", side=(), blocks=(Block(claim="No gain was measured", empty=empty),))
    beyond = [one for one in subject.arms if one.reading == "gain"]
    claim = f"{of(len(beyond), len(subject.arms))} trained models gain beyond noise"
    if len(subject.arms) == 1:
        one = subject.arms[0]
        claim = f"{visible(one.trained)}: {gain_words(one.gain)}"
        claim += {"within_noise": ", within noise", "loss": ", a loss"}.get(one.reading, "")
    figure = _forest(
        "arms",
        [
            (visible(one.trained), one.gain, one is subject.chosen, one.control)
            for one in (comparisons[at] for at in most_changed([one.gain for one in comparisons]))
        ],
    )
    side = (
        Fact("n", plural(comparisons[0].held_out_tasks, "held-out task")),
        Fact("Ungraded", count(sum(sum(one.ungraded) for one in comparisons))),
        Fact("Method", comparisons[0].gain.method),
        Fact("Failures fixed", "gain / (1 − base rate)"),
    )
    hollow = "Hollow: a control, which must show no gain. " if subject.controls else ""
    strict = "Strict: a pass that came at or after a limit counts as a failure. "
    say = f"{hollow}{strict}{drawn_words(len(comparisons))}".strip()
    return Section(
        key="arms",
        title="Arms",
        side=side,
        blocks=(Block(claim=claim, say=say, figures=(figure,), tables=(_arms_table(subject), _doubts_table(subject))),),
    )


def _arms_table(subject: LiftSubject) -> Table:
    columns = (
        Column(key="model", title="model", kind="name"),
        Column(key="rate", title="pass rate [95%]", kind="number"),
        Column(key="gain", title="gain, points [95%]", kind="number"),
        Column(key="reading", title="reading", kind="state"),
        Column(key="fixed", title="failures fixed", kind="number"),
    )
    rows = []
    for one in subject.lifted.comparisons:
        state, words = reading_state(one)
        cells = (
            arm_cell(one, f"step {count(one.step)}" if one.step is not None else ""),
            Cell(text=share_with_interval(one.trained_rate), value=one.trained_rate.value),
            gain_cell(one.gain),
            Cell(text=words, state=state),
            share_cell(one.failures_fixed),
        )
        rows.append(Row(cells, one is subject.chosen))
    return Table(key="arms", caption="In the order named.", columns=columns, rows=tuple(rows), layout="stack")


def _doubts_table(subject: LiftSubject) -> Table:
    columns = (
        Column(key="model", title="model", kind="name"),
        Column(key="strict", title="strict gain [95%]", kind="number"),
        Column(key="over", title="over the control [95%]", kind="number"),
        Column(key="detectable", title="detectable, points", kind="number"),
        Column(key="ungraded", title="ungraded", kind="number"),
    )
    rows = []
    for one in subject.lifted.comparisons:
        over = Cell(text="is one") if one.control else gain_cell(one.over_control)
        ungraded = Cell(text=count(sum(one.ungraded)), value=sum(one.ungraded))
        detectable = share_cell(one.detectable, points=True)
        rows.append(Row((arm_cell(one), gain_cell(one.strict), over, detectable, ungraded), one is subject.chosen))
    caption = (
        "Strict: a pass that came at or after a limit counts as a failure. Detectable: a true gain that would lie "
        "beyond noise four times in five with these tasks, runs and seeds. Ungraded: of the arm and its base."
    )
    return Table(key="doubts", caption=caption, columns=columns, rows=tuple(rows), layout="stack")


def _forest(key: str, rows: Sequence[tuple[str, Estimate, bool, bool]]) -> Forest:
    made = tuple(
        ForestRow(
            label=label,
            text=gain_words(gain).replace(" points", ""),
            value=gain.value,
            low=gain.low,
            high=gain.high,
            chosen=chosen,
            hollow=hollow,
        )
        for label, gain, chosen, hollow in rows
    )
    text = "; ".join(f"{label}: {gain_words(gain)}" for label, gain, _, _ in rows)
    return Forest(key=f"forest-{key}", text=f"{text}.", title=_AXIS, rows=made)


def families_section(subject: LiftSubject) -> Section:
    """Return the gain by family of tasks, of every arm."""
    told = [one for one in subject.lifted.comparisons if one.by_family]
    if not told:
        empty = Scope("The gain on each family of tasks would be here", "no task names its family")
        block = Block(claim="Gains by family were not measured", empty=empty)
        return Section(key="families", title="Families", side=(), blocks=(block,))
    names = sorted({each.family for one in told for each in one.by_family}, key=lambda name: _rank(told[0], name))
    parts = [
        _Part(visible(name), one, each.base, each.trained, each.gain)
        for name in names
        for one in told
        for each in one.by_family
        if each.family == name
    ]
    chosen = subject.chosen if subject.chosen in told else told[0]
    mine = [part for part in parts if part.arm is chosen]
    up, down = (sum(_is_beyond(part.gain, way) for part in mine) for way in (1, -1))
    claim = f"{visible(chosen.trained)} gains beyond noise on {of(up, len(mine))} families"
    claim += f" and loses on {count(down)}" if down else ""
    side = (
        Fact("Order", f"largest gain of {visible(told[0].trained)} first"),
        Fact("Ungraded", count(sum(part.gain.ungraded for part in parts))),
        Fact("Interval", "of each family alone; they are not tested together"),
    )
    figures, drawn = _figures("families", parts, chosen)
    block = Block(claim=claim, say=drawn, figures=figures, tables=(_parts_table("family", parts),))
    return Section(key="families", title="Families", side=side, blocks=(block,))


def _rank(one: Lift, family: str) -> tuple[float, str]:
    gain = next((each.gain.value for each in one.by_family if each.family == family), None)
    return -(gain or 0.0), family


def _is_beyond(gain: Estimate, way: int) -> bool:
    """Say whether the interval leaves out zero, upwards for 1 and downwards for -1."""
    end = gain.low if way > 0 else gain.high
    return end is not None and end * way > 0


def seeds_section(subject: LiftSubject) -> Section:
    """Return the gain of every training seed, of every arm."""
    told = [one for one in subject.lifted.comparisons if len(one.by_seed) > 1]
    if not told:
        why = "one training was measured of each model; a recipe names several, as in seeds = [0, 1, 2]"
        empty = Scope("The gain of each training seed would be here", why, TRAIN)
        block = Block(claim="How far trainings differ was not measured", empty=empty)
        return Section(key="seeds", title="Training seeds", side=(), blocks=(block,))
    seeds = sorted({each.seed for one in told for each in one.by_seed}, key=lambda seed: (seed is not None, seed or 0))
    parts = [
        _Part(f"seed {seed}", one, each.base, each.trained, each.gain)
        for seed in seeds
        for one in told
        for each in one.by_seed
        if each.seed == seed
    ]
    chosen = subject.chosen if subject.chosen in told else told[0]
    gained, lost = chosen.seeds_beyond
    claim = f"{visible(chosen.trained)} gains beyond noise in {of(gained, chosen.seeds)} trainings"
    claim += f" and loses in {count(lost)}" if lost else ""
    fixed = [f"{visible(one.trained)} {gain_words(one.as_trained)}" for one in told if one.as_trained is not None]
    say = f"These very models, without the chance of another training: {'; '.join(fixed)}." if fixed else ""
    side = (
        Fact("Paired", "each seed against the base of the same seed, where it has one"),
        Fact("Interval", "of one seed: over tasks alone"),
    )
    figures, drawn = _figures("seeds", parts, chosen)
    say = f"{say} {drawn}".strip()
    block = Block(claim=claim, say=say, figures=figures, tables=(_parts_table("seed", parts),))
    return Section(key="seeds", title="Training seeds", side=side, blocks=(block,))


@dataclass(frozen=True, slots=True)
class _Part:
    """The gain of one arm on one part of what was measured: a family, a seed."""

    name: str
    arm: Lift
    base: float
    trained: float
    gain: Estimate


def _figures(key: str, parts: Sequence[_Part], chosen: Lift) -> tuple[tuple[Forest, ...], str]:
    """Return the forest and what is left out of it: where there are many parts, it is of the chosen arm alone."""
    shown = parts if len(parts) <= MOST_ROWS else [part for part in parts if part.arm is chosen]
    several = len({part.arm.trained for part in shown}) > 1
    said = [drawn_words(len(shown))]
    if len(shown) < len(parts):
        said.insert(0, f"Drawn: {visible(chosen.trained)} alone.")
    rows = [
        (
            f"{part.name}: {visible(part.arm.trained)}" if several else part.name,
            part.gain,
            several and part.arm is chosen,
            part.arm.control,
        )
        for part in (shown[at] for at in most_changed([part.gain for part in shown]))
    ]
    return (_forest(key, rows),), " ".join(filter(None, said))


def _parts_table(what: str, parts: Sequence[_Part]) -> Table:
    columns = (
        Column(key=what, title=what, kind="name"),
        Column(key="model", title="model"),
        Column(key="tasks", title="tasks", kind="number"),
        Column(key="base", title="base", kind="number"),
        Column(key="trained", title="trained", kind="number"),
        Column(key="gain", title="gain, points [95%]", kind="number"),
    )
    rows = tuple(
        Row(
            (
                Cell(text=part.name, value=part.name),
                Cell(text=visible(part.arm.trained), value=part.arm.trained),
                Cell(text=count(part.gain.n), value=part.gain.n),
                share_cell(part.base),
                share_cell(part.trained),
                gain_cell(part.gain),
            )
        )
        for part in parts
    )
    caption = f"By {what}, then the arms in the order named."
    return Table(key=f"by_{what}", caption=caption, columns=columns, rows=rows, layout="stack")
