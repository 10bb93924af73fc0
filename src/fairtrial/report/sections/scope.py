"""Identity and scope: what this is about, what a reader must know first, what was measured beside what was not."""

from __future__ import annotations

from fairtrial.report.data import Fact, Scope
from fairtrial.report.sections.contamination import contamination_scope
from fairtrial.report.sections.lift import lift_measured, lift_scope
from fairtrial.report.sections.provenance import sandbox_words
from fairtrial.report.subject import Subject
from fairtrial.report.words import listed, plural, verb, visible


def identity(subject: Subject) -> tuple[Fact, ...]:
    """Return the facts under the title."""
    context, measurement = subject.context, subject.measurement
    suites = [context.suite] if context.suite else [suite for suite in measurement.suites if suite]
    made_of = ", ".join(
        (
            plural(measurement.tasks or len(subject.proofs), "task"),
            plural(len(measurement.models), "model"),
            plural(measurement.rollouts, "rollout"),
        )
    )
    told = ", ".join(part for part in (visible(context.measured_at), context.tool) if part)
    return (
        Fact("suite", visible(listed(suites, most=3)) if suites else "not named by the records", code=bool(suites)),
        Fact("made of", made_of),
        Fact("sandbox", sandbox_words(subject)),
        Fact("measured", told or "date not recorded"),
    )


def notices(subject: Subject) -> tuple[str, ...]:
    """Return what a reader must know before the first number."""
    said = []
    scripted = [m.model for m in subject.measurement.models if subject.is_scripted(m.model)]
    if scripted:
        names = listed([visible(name) for name in scripted], most=6)
        what = verb(len(scripted), "is a scripted program, not a language model: its",
                    "are scripted programs, not language models: their")  # fmt: skip
        said.append(f"{names} {what} figures show how the suite works, not what a model would score.")
    if subject.context.isolated is False:
        said.append(
            "Graders and agents ran without isolation: nothing is promised about network, files or processes, and "
            "probes that need isolation were not measured."
        )
    if len([suite for suite in subject.measurement.suites if suite]) > 1:
        said.append(
            f"The ledger holds rollouts of {len(subject.measurement.suites)} suites; figures are over all of them."
        )
    return tuple(said)


def measured(subject: Subject) -> tuple[Scope, ...]:
    """Return what was measured."""
    measurement, said = subject.measurement, []
    graders = subject.graders
    if graders.proven + graders.refuted:
        said.append(f"graders: {plural(graders.proven + graders.refuted, 'task')} proven or refuted")
    if subject.chosen is not None:
        said.append(f"difficulty, reliability and gradient of {plural(len(measurement.models), 'model')}")
        said.append("consistency of the records")
    if measurement.bins is not None and measurement.bins.compared_tasks:
        checks = " and by check" if measurement.bins.compared_checks else ""
        said.append(f"strong against weak, by task{checks}")
    rates = subject.audited.rates
    if rates is not None:
        said.append(f"false passes and false fails: {plural(rates.counts.reviewed, 'rollout')} reviewed")
    if subject.audited.screened:
        said.append(f"contamination: {plural(len(subject.audited.screened), 'screening')}")
    if any(set(m.stops) - {""} for m in measurement.models):
        said.append("why rollouts stopped, and the strict reading of limits")
    if measurement.front_cost or measurement.front_tokens:
        both = [n for n, points in (("cost", measurement.front_cost), ("tokens", measurement.front_tokens)) if points]
        said.append(f"score against {listed(both)}")
    return (*(Scope(text) for text in said), *lift_measured(subject))


def _not_audited(subject: Subject) -> list[Scope]:
    rates, ledger = subject.audited.rates, subject.context.ledger
    if rates is None:
        return [Scope("false passes and false fails", "no rollout was reviewed", subject.review_command)]
    if rates.looked.calibrated == "nobody":
        return [
            Scope("how far the judge is right", "no person has looked", f"fairtrial serve {ledger} --reviewer NAME")
        ]
    return []


def not_measured(subject: Subject) -> tuple[Scope, ...]:
    """Return what was not measured, with the reason and what would measure it."""
    context, measurement = subject.context, subject.measurement
    said = []
    if not subject.proofs:
        said.append(Scope("graders", "no task folder was put to the proof", f"fairtrial prove {context.suite_path}"))
    elif subject.graders.inconclusive:
        said.append(
            Scope(
                "graders",
                f"{plural(subject.graders.inconclusive, 'task')} inconclusive",
                f"fairtrial prove {context.suite_path}",
            )
        )
    if subject.chosen is None:
        said.append(Scope("difficulty and gradient", "no graded rollout", f"fairtrial run {context.suite_path}"))
    told = sum(m.spend is not None for m in measurement.models)
    silent = len(measurement.models) - told
    if silent:
        said.append(
            Scope(
                f"tokens and cost of {plural(silent, 'model')}",
                "not in the records",
                f"fairtrial import RESULTS --to {context.ledger}",
            )
        )
    if measurement.bins is None:
        said.append(Scope("strong against weak", "fewer than two models", f"fairtrial run {context.suite_path}"))
    said += [
        Scope(
            "hacks by a policy that tries", "no attack was run", f"fairtrial attack {context.suite_path} --agent hack"
        ),
        *_not_audited(subject),
        *contamination_scope(subject),
        *lift_scope(subject),
    ]
    return tuple(said)
