"""Where a lift comes from: what was refused, checkpoints by content, versions, commands to make it again."""

from __future__ import annotations

import orjson

from fairtrial.records import Checkpoint
from fairtrial.report.data import Block, Cell, Column, Fact, Row, Section, Table
from fairtrial.report.lift.data import LiftSubject
from fairtrial.report.numbers import count
from fairtrial.report.words import plural, visible

_SHOWN = 12


def refused_section(subject: LiftSubject) -> Section:
    """Return what could not be compared, and what a reader must know of what was."""
    lifted = subject.lifted
    tables = []
    if lifted.refused:
        columns = (Column(key="model", title="model", kind="name"), Column(key="why", title="why"))
        rows = tuple(
            Row((Cell(text=visible(model), value=model), Cell(text=visible(why)))) for model, why in lifted.refused
        )
        tables.append(Table(key="refused", caption="By name.", columns=columns, rows=rows, layout="stack"))
    notes = [("all", note) for note in lifted.notes]
    notes += [(one.trained, note) for one in lifted.comparisons for note in one.notes]
    notes += [
        (one.trained, f"{task} is not compared: {why}")
        for one in lifted.comparisons
        for task, why in one.left_out[:_SHOWN]
    ]
    if notes:
        columns = (Column(key="of", title="of", kind="name"), Column(key="note", title="note"))
        rows = tuple(Row((Cell(text=visible(of), value=of), Cell(text=visible(note)))) for of, note in notes)
        tables.append(
            Table(key="notes", caption="In the order of the arms.", columns=columns, rows=rows, layout="stack")
        )
    claim = f"{plural(len(lifted.refused), 'model')} could not be compared on equal terms"
    if not lifted.refused:
        claim = "Every model that was named met the base on equal terms"
    side = [Fact(f"Same {name}", visible(value)) for name, value in lifted.locked.items()]
    return Section(key="terms", title="Terms", side=tuple(side), blocks=(Block(claim=claim, tables=tuple(tables)),))


def provenance_section(subject: LiftSubject) -> Section:
    """Return the checkpoints by content and the commands."""
    models = {name for one in subject.lifted.comparisons for name in (one.base, one.trained)}
    models |= {one.arm for one in subject.worth.taught if one.arm}
    held = [one for one in subject.checkpoints if one.model in models]
    side = [Fact("Tool", subject.tool or "fairtrial"), Fact("Seed of the bootstrap", str(subject.lifted.seed))]
    side += [Fact("Trained with", versions) for versions in sorted({_versions(one) for one in held} - {""})]
    claim = f"{plural(len(held), 'checkpoint')} by content: the same recipe, data and seed give the same weights"
    if not held:
        claim = "No checkpoint is recorded: how these models were trained is not known here"
    tables = (_checkpoints(held),) if held else ()
    block = Block(claim=claim, tables=tables, commands=tuple(visible(command) for command in subject.commands))
    return Section(key="provenance", title="Provenance", side=tuple(side), blocks=(block,))


def _versions(one: Checkpoint) -> str:
    try:
        told = orjson.loads(one.versions) if one.versions else {}
    except orjson.JSONDecodeError:
        return visible(one.versions)
    return ", ".join(f"{visible(name)} {visible(str(version))}" for name, version in told.items())


def _checkpoints(held: list[Checkpoint]) -> Table:
    columns = (
        Column(key="model", title="model", kind="name"),
        Column(key="step", title="step", kind="number"),
        Column(key="planned", title="fixed before training"),
        Column(key="recipe", title="recipe", kind="code"),
        Column(key="data", title="data", kind="code"),
        Column(key="base", title="weights of the base", kind="code"),
        Column(key="weights", title="weights", kind="code"),
    )
    rows = tuple(
        Row(
            (
                Cell(text=visible(one.model), value=one.model, note=f"seed {one.seed}"),
                Cell(text=count(one.step), value=one.step),
                Cell(text="yes" if one.planned else "no: exploratory"),
                *map(_address, (one.recipe, one.data_hash, one.base_hash, one.weights_hash)),
            )
        )
        for one in sorted(held, key=lambda one: (one.model, one.seed, one.step))
    )
    return Table(
        key="checkpoints",
        caption="By name, seed and step; addresses are cut, the ledger holds them whole.",
        columns=columns,
        rows=rows,
    )


def _address(address: str) -> Cell:
    return Cell(text=visible(address.removeprefix("sha256:")[:_SHOWN]) or "not recorded", value=address)
