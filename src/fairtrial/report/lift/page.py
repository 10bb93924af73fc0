"""One board in, its page out as data: masthead, verdict, sections. Renderers take it from there."""

from __future__ import annotations

from fairtrial.report.data import Fact, Report, Scope
from fairtrial.report.lift.beneath import changes_section, controls_section
from fairtrial.report.lift.curves import curves_section
from fairtrial.report.lift.data import LiftSubject
from fairtrial.report.lift.gains import arms_section, families_section, seeds_section
from fairtrial.report.lift.price import price_section, taught_section, unpriced
from fairtrial.report.lift.provenance import provenance_section, refused_section
from fairtrial.report.lift.training import training_section
from fairtrial.report.lift.verdict import verdict_of
from fairtrial.report.lift.words import seeds_words
from fairtrial.report.numbers import count
from fairtrial.report.words import listed, plural, visible

SCHEMA = "fairtrial.lift_page/1"
SECTIONS = (
    arms_section,
    families_section,
    seeds_section,
    changes_section,
    controls_section,
    curves_section,
    price_section,
    taught_section,
    training_section,
    refused_section,
    provenance_section,
)


def page_of(subject: LiftSubject, title: str = "") -> Report:
    """Return the page of a board; without a `title` it is headed by the suite."""
    suite = subject.lifted.locked.get("suite", "")
    return Report(
        title=visible(title or suite.split("@")[0] or "Lift"),
        subtitle="What models gained from training, on tasks that were held out of it.",
        tool=subject.tool or "fairtrial",
        identity=_identity(subject),
        notices=_notices(subject),
        measured=_measured(subject),
        not_measured=_not_measured(subject),
        verdict=verdict_of(subject),
        sections=tuple(section(subject) for section in SECTIONS),
        schema=SCHEMA,
    )


def _identity(subject: LiftSubject) -> tuple[Fact, ...]:
    lifted, facts = subject.lifted, []
    facts += [Fact(name, visible(value), code=True) for name, value in lifted.locked.items()]
    if lifted.comparisons:
        one = lifted.comparisons[0]
        least = min(each.runs_per_task[0] for each in lifted.comparisons)
        most = max(each.runs_per_task[1] for each in lifted.comparisons)
        runs = plural(least, "run") if least == most else f"{count(least)} to {count(most)} runs"
        facts += [
            Fact("base", visible(one.base)),
            Fact("held out", f"{plural(one.held_out_tasks, 'task')}, {runs} each"),
            Fact("trainings", seeds_words(max(each.seeds for each in lifted.comparisons))),
        ]
    return tuple(facts)


def _notices(subject: LiftSubject) -> tuple[str, ...]:
    lifted, said = subject.lifted, []
    if lifted.controls_hold is False:
        said.append("A control, whose reward teaches nothing, gained beyond noise: every gain here is in doubt.")
    exploratory = [visible(one.trained) for one in lifted.comparisons if one.exploratory]
    if exploratory:
        said.append(f"Exploratory: the checkpoint of {listed(exploratory, most=4)} was not fixed before training.")
    if lifted.refused:
        names = listed([visible(model) for model, _ in lifted.refused], most=4)
        said.append(f"Not compared, for it did not meet the base on equal terms: {names}.")
    compared = {one.trained for one in lifted.comparisons}
    paused = [
        f"{visible(one.model)}, seed {one.seed}" for one in subject.checkpoints if one.paused and one.model in compared
    ]
    if paused:
        said.append(f"Training was paused before its end: {listed(list(dict.fromkeys(paused)), most=4)}.")
    return tuple(said)


def _measured(subject: LiftSubject) -> tuple[Scope, ...]:
    said = []
    for one in subject.lifted.comparisons:
        kind = "control" if one.control else "gain"
        said.append(
            Scope(f"{kind} of {visible(one.trained)}: {plural(one.held_out_tasks, 'task')}, {seeds_words(one.seeds)}")
        )
    if any(priced.tokens is not None or priced.usd is not None for priced in subject.worth.priced):
        said.append(Scope("what training cost"))
    if subject.worth.taught:
        said.append(
            Scope(
                f"which tasks taught: {plural(len({one.family for one in subject.worth.taught}), 'family', 'families')}"
            )
        )
    return tuple(said)


def _not_measured(subject: LiftSubject) -> tuple[Scope, ...]:
    said = [Scope(*_split(why)) for why in subject.lifted.abstained]
    said += [Scope(f"price of {models}", why) for why, models in unpriced(subject.worth.priced)]
    said += [Scope(*_split(why)) for why in subject.worth.untold]
    said += [Scope(visible(model), f"refused: {visible(why)}") for model, why in subject.lifted.refused]
    return tuple(said)


def _split(why: str) -> tuple[str, str]:
    """Return what could not be said and why, of `model: what: why`."""
    what, colon, reason = visible(why).replace("`", "").rpartition(": ")
    return (what, reason) if colon else ("a part", reason)
