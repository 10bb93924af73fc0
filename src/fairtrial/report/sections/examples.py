"""Audited rollouts, with the passages that reviewers cite: a buyer reads them without a server."""

from __future__ import annotations

from collections import Counter

from fairtrial.report.data import Block, Fact, Scope, Section
from fairtrial.report.numbers import count, of
from fairtrial.report.subject import Subject
from fairtrial.report.words import listed, plural

_SAY = (
    "Verdicts that reviewers contradict come first, then what reviewers dispute, then a few that they confirm. These "
    "are examples and carry no rate; the rates are in the audit. A quote is marked where it stands in the rollout."
)


def examples_section(subject: Subject) -> Section:
    """Return the section of audited rollouts."""
    audited = subject.audited
    if not audited.examples:
        empty = Scope("Audited rollouts with what reviewers cite would be here", "no rollout was reviewed",
                      subject.review_command)  # fmt: skip
        return Section(key="examples", title="Audited rollouts", side=(),
                       blocks=(Block(claim="No rollout was reviewed", empty=empty),))  # fmt: skip
    labels = Counter(example.label for example in audited.examples)
    told = listed([plural(number, *_plural(label)) for label, number in labels.items()])
    shown = of(len(audited.examples), audited.answered)
    claim = f"{shown} reviewed rollouts are shown: {told}"
    side = (
        Fact("n", plural(audited.answered, "reviewed rollout")),
        Fact("Shown", count(len(audited.examples))),
        Fact("Order", "contradicted, disputed, confirmed"),
    )
    return Section(key="examples", title="Audited rollouts", side=side,
                   blocks=(Block(claim=claim, say=_SAY, examples=audited.examples),))  # fmt: skip


def _plural(label: str) -> tuple[str, str]:
    """Return a label in one and in many: `false pass`, `false passes`."""
    if label == "disputed":
        return "disputed one", "disputed ones"
    return label, label + ("es" if label.endswith("s") else "s")
