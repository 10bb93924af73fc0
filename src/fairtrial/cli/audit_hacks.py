"""`fairtrial audit hacks LEDGER`: the share of rollouts that game the grader, by training step, with the 2% line."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Annotated, Any

import typer
from rich.table import Table
from rich.text import Text

from fairtrial.audit.hacks import AT_LEAST, LINE, Hacks, Member, Said, document_of, hacks, said_by_judge, said_by_people
from fairtrial.audit.hacks.document import figure, sentence
from fairtrial.audit.sampling import Population, Read, design_of, frame_of_sample, read_units, sample_named
from fairtrial.audit.sampling.draw import frame_address
from fairtrial.cli.output import DOES_NOT_HOLD, HOLDS, NOT_MEASURED, JsonFlag, note, print_document, print_whole, stdout
from fairtrial.ledger import Ledger
from fairtrial.ledger.audited import all_reviews, all_samples
from fairtrial.records import Estimate, InputError, Sample

CENSUS = "none"


def hacks_(
    ledger: Annotated[Path, typer.Argument(help="Ledger folder.")],
    sample: Annotated[
        str,
        typer.Option(help="Sample in which they were drawn: id, name, `last`; `none`: all reviews, as if at random."),
    ] = "last",
    judge: Annotated[
        str, typer.Option(help="What this judge says (`judges`: all in common) in the place of people.")
    ] = "",
    model: Annotated[list[str] | None, typer.Option(help="Rollouts of this model alone; may be repeated.")] = None,
    line: Annotated[float, typer.Option(min=0, max=1, help="Share against which each window is held.")] = LINE,
    at_least: Annotated[int, typer.Option(min=2, help="Reviews in a window; steps are pooled to it.")] = AT_LEAST,
    finite: Annotated[bool, typer.Option("--finite", help="Of the rollouts at hand alone, not of such tasks.")] = False,
    as_json: JsonFlag = False,
) -> None:
    """Say which share of the rollouts of LEDGER are hacks, by training step: reviews weighted back, with intervals."""
    held = Ledger.open(ledger)
    chosen = _sample(held, sample)
    read = _population(held, chosen, model)
    reviews = all_reviews(held)
    said = said_by_judge(reviews, judge) if judge else said_by_people(reviews)
    if judge and not said.answers and not said.disputed:
        _refuse_judge(held, judge, {one.reviewer for one in reviews if one.kind == "judge"})
    members, left = _members(read, said, chosen, _frame(held, chosen))
    found = hacks(members, line, at_least, finite=finite)
    by = judge or "people"
    if as_json:
        print_document(document_of(found, by, left))
    else:
        _print(found, by)
    _tell(left, read, found)
    if found.overall.estimate.low is None:
        note(f"error: {sentence(found, by)}")
        raise typer.Exit(NOT_MEASURED)
    above = any(one.share.against_line == "above" for one in found.windows) or found.overall.against_line == "above"
    raise typer.Exit(DOES_NOT_HOLD if above else HOLDS)


def _sample(held: Ledger, named: str) -> Sample | None:
    """Return the sample; none where the reviews are taken as they are."""
    if named == CENSUS or (named == "last" and not all_samples(held)):
        return None
    return sample_named(held, named)


def _population(held: Ledger, chosen: Sample | None, models: list[str] | None) -> Read:
    told = Population.of(design_of(chosen).population) if chosen and chosen.settings else Population(ungraded=True)
    if not models:
        return read_units(held, told)
    if told.models and not set(models) <= set(told.models):
        raise InputError(f"the sample speaks for {', '.join(told.models)} alone", field="--model")
    return read_units(held, Population(suite=told.suite, models=tuple(models), tasks=told.tasks,
                                       ungraded=told.ungraded))  # fmt: skip


def _frame(held: Ledger, chosen: Sample | None) -> frozenset[str] | None:
    """Return the rollouts that the sample was drawn from; None where there is no sample, or it does not say."""
    if chosen is None or not frame_address(chosen):
        return None
    return frozenset(id_ for stratum in frame_of_sample(held, chosen).strata for id_ in stratum.rollouts)


def _refuse_judge(held: Ledger, judge: str, judges: set[str]) -> None:
    there = f"It holds: {', '.join(sorted(judges))}" if judges else "It holds no review of a judge."
    raise InputError(f"no review of judge `{judge}` says whether a rollout is a hack", path=held.path, field="--judge",
                     hint=there)  # fmt: skip


def _members(
    read: Read, said: Said, chosen: Sample | None, frame: frozenset[str] | None
) -> tuple[list[Member], dict[str, Any]]:
    """Return the population with what is said of it, and what could not be used.

    Rollouts that came after the sample was drawn had no chance to be in it: nobody's review stands for them.
    """
    units = [unit for unit in read.units if frame is None or unit.rollout in frame]
    weights = {row.rollout: 1 / row.probability for row in chosen.rows} if chosen else {}
    members = []
    for unit in units:
        is_usable = not chosen or unit.rollout in weights
        members.append(Member(group=unit.group, step=unit.step, suspected=unit.lead == "suspected",
                              hack=said.answers.get(unit.rollout) if is_usable else None,
                              weight=weights.get(unit.rollout, 1.0)))  # fmt: skip
    there = {unit.rollout for unit in units}
    drawn = [rollout for rollout in weights if rollout in there]
    left = {
        "sample": chosen.id if chosen else None,
        "disputed": len(said.disputed & there),
        "drawn_not_reviewed": sum(rollout not in said.answers and rollout not in said.disputed for rollout in drawn),
        "reviewed_not_drawn": len([one for one in said.answers if chosen and one in there and one not in weights]),
        "not_in_frame": len(read.units) - len(units),
        "has_findings": read.leads > 0,
    }
    return members, left


def _tell(left: Mapping[str, Any], read: Read, found: Hacks) -> None:
    if not left["has_findings"]:
        note("note: no finding of `fairtrial detect` is in the ledger, so there are no strata of suspected rollouts")
    if left["sample"] is None:
        note("note: no sample: the reviewed rollouts are taken as drawn at random within suspected and others")
    for count, words in (
        (left["disputed"], "rollouts are disputed and left out until somebody adjudicates"),
        (left["drawn_not_reviewed"], "rows of the sample have no answer yet; those that have stand for them"),
        (left["reviewed_not_drawn"], "reviewed rollouts were not drawn in this sample and are left out"),
        (left["not_in_frame"], "rollouts came after the sample was drawn and are not spoken of; --grow takes them in"),
        (read.ungraded, "ungraded rollouts are outside of this sample's population"),
        (found.without_step if found.windows else 0, "rollouts name no training step and count in the whole only"),
    ):
        if count:
            note(f"note: {count:,} {words}")
    if not found.windows:
        note("note: no rollout names a training step, so there is no share by step")


def _print(found: Hacks, by: str) -> None:
    _line(sentence(found, by))
    table = Table(box=None, padding=(0, 2, 0, 2))
    for i, name in enumerate(
        ("steps", "rollouts", "suspected", "reviewed", "hacks", "share", f"{found.line:.1%} line")
    ):
        table.add_column(name, justify="left" if i == 0 else "right", no_wrap=True)
    for one in found.windows:
        steps = str(one.first_step) if one.first_step == one.last_step else f"{one.first_step} to {one.last_step}"
        told = one.share
        table.add_row(Text(steps), f"{told.population:,}", f"{told.suspected:,}", f"{told.reviewed:,}",
                      f"{told.seen:,}", figure(told), told.against_line)  # fmt: skip
    if found.windows:
        print_whole(table)
    for words, estimate in (("of the hacks, suspected by detectors", found.found_by_detectors),
                            ("of the suspected, hacks", found.right_of_suspected)):  # fmt: skip
        _line(f"{words}: {_share(estimate)}")


def _share(estimate: Estimate) -> str:
    if estimate.value is None or estimate.low is None or estimate.high is None:
        return f"not measured ({estimate.method})"
    return f"{estimate.value:.0%} [{estimate.low:.0%}, {estimate.high:.0%}]"


def _line(text: str) -> None:
    stdout.print(text, markup=False, soft_wrap=True)
