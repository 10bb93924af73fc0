"""The report of made tasks as Markdown: what was made, what leaks, what grades, and what it takes to lift a policy."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from fairtrial.authoring.records.leaks.finding import Leak
from fairtrial.authoring.records.making import Made
from fairtrial.authoring.records.power import Power
from fairtrial.authoring.records.sides import HELD_OUT, TRAIN
from fairtrial.records import Estimate

_GRADED = {
    "outcome": "an independent outcome",
    "outcome_self_recorded": "an outcome that who decided recorded (marked)",
    "endorsed": "agreement with a choice that its outcome speaks for",
    "agreement": "agreement with the expert",
}
MOST_ODD = 12


def markdown(made: Made) -> str:
    """Return the whole report."""
    parts = [*_head(made), *_leaks(made), *_grading(made), *_space(made), *_lifting(made), *_dropped(made)]
    return "\n".join(parts).rstrip() + "\n"


def summary(made: Made) -> Iterator[str]:
    """Yield the lines that a terminal shows."""
    tasks = sum(place is not None for place in made.places)
    train, held = made.sides.of.count(TRAIN), made.sides.of.count(HELD_OUT)
    yield (f"{tasks:,} tasks of {len(made.rebuilt.decisions):,} decisions on {len(made.desk.entities):,} entities: "
           f"{train:,} train, {held:,} held out, no entity on both sides")  # fmt: skip
    for space in made.spaces:
        yield (f"  {space.cases:,} graded by {_GRADED[space.graded_by]}: {space.offered} actions, always "
               f"`{space.majority}` passes {_said(space.majority_rate)}")  # fmt: skip
    for leak in made.leaks:
        if not leak.is_accepted:
            mark = "◆ proof" if leak.severity == "proof" else "△ lead "
            yield f"{mark}  {leak.claim} {_tasks(leak)}"
    if not any(not leak.is_accepted for leak in made.leaks):
        yield _clean(made)
    for note in made.outcomes.notes:
        yield f"! {note}"


def _clean(made: Made) -> str:
    if not made.untested:
        return "● no leak of the future was found in what the tasks show"
    return f"○ no leak of the future was found by the tests that could be made; {len(made.untested)} could not be"


def _tasks(leak: Leak) -> str:
    seen = f"{leak.tasks:,} of {leak.of:,} tasks" if leak.tasks != leak.of else f"{leak.tasks:,} tasks"
    return f"({seen}{': ' + ', '.join(leak.examples) if leak.examples else ''})"


def _said(one: Estimate) -> str:
    if one.value is None or one.low is None or one.high is None:
        return one.method
    return f"{one.value:.1%} [{one.low:.1%}, {one.high:.1%}]"


def _head(made: Made) -> Iterator[str]:
    yield f"# Tasks of the records `{made.declared.toml.records.name}`\n"
    yield from (line if line.startswith(" ") else f"{line}\n" for line in summary(made) if line[0] not in "◆△●○!")
    yield "\nkey.jsonl holds what is right: keep it from agents, as you keep the tests and solutions.\n"


def _leaks(made: Made) -> Iterator[str]:
    yield "## Does the future show?\n"
    if not made.leaks:
        yield "No test of leakage found anything in the folders." + (
            " Some could not be made:\n" if made.untested else "\n"
        )
    for leak in made.leaks:
        name = "accepted" if leak.is_accepted else leak.severity
        yield f"- **{name}** {leak.claim} {_tasks(leak)}"
    yield ""
    if made.together:
        yield "| everything shown tells | area under the curve | n |\n|---|---|---|"
        for area in made.together:
            within = f"{area.value:.3f} [{area.low:.3f}, {area.high:.3f}]"
            yield f"| when `{area.action}` is {area.of} | {within} | {area.n:,} |"
        yield ""
    yield from (f"- not measured: {why}" for why in made.not_measured)
    yield ""


def _grading(made: Made) -> Iterator[str]:
    yield "## What grades\n"
    yield "| graded by | tasks |\n|---|---|"
    for space in made.spaces:
        yield f"| {_GRADED[space.graded_by]} | {space.cases:,} |"
    yield ""
    yield from _counted("why not by an outcome", made.document()["tasks"]["why_not_by_outcome"])
    outcomes = made.outcomes
    if outcomes.recorded_by:
        yield "| outcomes, of decisions that one may judge | | speak for the choice |\n|---|---|---|"
        for name, count in outcomes.recorded_by.items():
            said = _said(outcomes.speaks_for[name]) if name in outcomes.speaks_for else ""
            yield f"| {name.replace('_', ' ')} | {count:,} | {said} |"
        yield "\n| after | an independent outcome was recorded |\n|---|---|"
        yield from (f"| `{name}` | {_said(one)} |" for name, one in outcomes.by_action.items())
        yield ""
        if outcomes.p_value is not None:
            yield f"That this does not hang on the action has p = {outcomes.p_value:.2g} (chi-squared).\n"
    yield from (f"- {note}" for note in outcomes.notes)
    yield ""


def _space(made: Made) -> Iterator[str]:
    yield "## The action space\n"
    yield "| graded by | actions offered | always | passes | entropy | with a graded parameter |"
    yield "|---|---|---|---|---|---|"
    for space in made.spaces:
        yield (f"| {space.graded_by} | {space.offered} | `{space.majority}` | {_said(space.majority_rate)} | "
               f"{space.entropy_bits:.2f} bits | {space.with_parameters:,} |")  # fmt: skip
    agreement = made.agreement
    if agreement.why:
        yield f"\nAgreement among experts: not measured, {agreement.why}.\n"
    else:
        alpha = "undefined" if agreement.alpha is None else f"{agreement.alpha:.2f}"
        yield (f"\nExperts who decided like cases took the same action in {_said(agreement.pairs)} of "
               f"{agreement.pairs.n:,} pairs in {agreement.groups:,} groups; alpha {alpha}.\n")  # fmt: skip
    experts = made.document()["experts"]
    if experts:
        yield "| expert | right, by an independent outcome | of |\n|---|---|---|"
        for name, one in experts.items():
            yield f"| {name} | {one['value']:.1%} [{one['low']:.1%}, {one['high']:.1%}] | {one['n']:,} |"
        yield ""
    if made.costs:
        yield "| policy | mean cost of a decision |\n|---|---|"
        yield from (f"| {name} | {cost:,.2f} |" for name, cost in made.costs.items())
        yield ""


def _lifting(made: Made) -> Iterator[str]:
    yield "## What lifts a policy above noise\n"
    for name, one in made.power.items():
        yield from _power(name, one)
    yield ""


def _power(name: str, one: Power) -> Iterator[str]:
    rollouts = "no number of them" if one.rollouts is None else f"{one.rollouts:,}"
    yield (f"- **{name}**: a blind draw is right in {one.guess_rate:.0%}; 16 rollouts of it are not all alike with "
           f"chance {one.informative_at_16:.2f}; {rollouts} at one decision lift the gradient two errors above "
           "noise.")  # fmt: skip
    if one.label_error:
        drowned = "no number of decisions drowns" if one.decisions is None else f"{one.decisions:,} decisions drown"
        yield f"  An expert's choice is taken to be wrong in {one.label_error:.0%}, in all rollouts; {drowned} that."
    least = "none can be shown" if one.smallest_gain is None else f"{one.smallest_gain:.1%}"
    yield (f"  Held out: {one.held_out:,} decisions in {one.independent:,} units; smallest gain over {one.base:.1%} "
           f"that these show: {least}.")  # fmt: skip
    if one.needed is None:
        most = "1" if one.ceiling is None else f"{one.ceiling:.1%}, what agreement among experts allows,"
        yield f"  A gain of {one.wanted_gain:.0%} lies above {most} and cannot be reached."
    else:
        yield f"  A gain of {one.wanted_gain:.0%} takes {one.needed:,} independent decisions (95%, power 80%)."


def _dropped(made: Made) -> Iterator[str]:
    document = made.document()
    yield "## What was left out, and odd\n"
    yield from _counted("decisions dropped", document["decisions"]["dropped"])
    yield from _counted("hidden from a decision", document["hidden"])
    yield from _counted("rows", document["records"]["odd"])
    split = document["split"]
    if split["straddling_units"]:
        yield f"{split['straddling_units']:,} units lie on both sides of the cut and are on neither side.\n"
    if split["labels_after_the_cut"]:
        late = split["labels_after_the_cut"]
        yield (f"{late:,} training cases are graded by outcomes recorded after the cut: nobody could have trained on "
               "them by then.\n")  # fmt: skip


def _counted(title: str, counts: Mapping[str, int]) -> Iterator[str]:
    if not counts:
        return
    yield f"| {title} | |\n|---|---|"
    listed = sorted(counts.items(), key=lambda one: -one[1])
    yield from (f"| {name.replace('|', '/')} | {count:,} |" for name, count in listed[:MOST_ODD])
    if len(listed) > MOST_ODD:
        yield f"| {len(listed) - MOST_ODD} more kinds | {sum(count for _, count in listed[MOST_ODD:]):,} |"
    yield ""
