"""What a report is about: a measurement, proofs, findings, their context; and the choices all sections share.

The chosen model is the one named, else the one with the most tasks in its training band: it is who the data is for.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from fairtrial.audit.estimating.result import ErrorRates
from fairtrial.audit.pairs import Ranking
from fairtrial.ledger.signed import SignedTask
from fairtrial.measure.result import Measurement, ModelFigures
from fairtrial.records import Estimate, Finding, InputError, Proof, Screening
from fairtrial.report.data import Cell, Column, Example, Span
from fairtrial.report.numbers import share, share_interval
from fairtrial.report.trained import Trained
from fairtrial.report.verdict_claims import Graders
from fairtrial.report.words import visible

SCRIPTED = "scripted:"
MOST_PANELS = 4


@dataclass(frozen=True, slots=True)
class Source:
    """A file or ledger table the report rests on."""

    name: str
    file: str
    hash: str
    rows: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Context:
    """Say where the numbers come from. Nothing here is measured."""

    title: str = ""
    """Empty: the suite's name."""
    suite: str = ""
    """Identity of the suite, `name@hash`; empty where the rollouts name none."""
    tool: str = ""
    """`fairtrial` and its version."""
    measured_at: str = ""
    """Date to print; the latest of the records, so that the same ledger gives the same bytes."""
    ledger: str = "LEDGER"
    """How commands name the ledger."""
    suite_path: str = "SUITE"
    """How commands name the suite's folder."""
    sandboxes: tuple[str, ...] = ()
    """Names of the sandboxes that graders or rollouts ran in."""
    isolated: bool | None = None
    """Whether they isolate; None where nothing was run here."""
    model: str = ""
    """The chosen model; empty: see the module."""
    scripted: tuple[str, ...] = ()
    """Models that are scripted programs, besides those named `scripted:...`."""
    commands: tuple[str, ...] = ()
    """What makes this report again."""
    sources: tuple[Source, ...] = ()
    versions: tuple[tuple[str, str], ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Inspected:
    """What the answers to one checklist come to, counted; whether the benchmark is flawed is `audit checklist`'s."""

    checklist: str
    inspectors: tuple[str, ...]
    tasks: int
    """Tasks with an answer."""
    failing: int
    """Tasks of which an inspector says that an item fails."""
    at_scale: tuple[str, ...]
    """Items of which an inspector says that they corrupt the grading of many tasks."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Audited:
    """What people and judges said of the rollouts. The default is that nobody has looked."""

    rates: ErrorRates | None = None
    examples: tuple[Example, ...] = ()
    answered: int = 0
    """Reviewed rollouts with an answer or a dispute; `examples` are some of them."""
    inspected: tuple[Inspected, ...] = ()
    signed: tuple[SignedTask, ...] = ()
    """Tasks of which an expert said something; empty where nobody did."""
    preferences: Ranking | None = None
    screened: tuple[Screening, ...] = ()
    """The last screening of each subject, kind and counterpart, by name; empty where nothing was screened."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Subject:
    """Everything a section may read."""

    measurement: Measurement
    proofs: tuple[Proof, ...]
    findings: tuple[Finding, ...]
    context: Context
    chosen: ModelFigures | None
    audited: Audited = field(default_factory=Audited)
    trained: Trained = field(default_factory=Trained)

    @property
    def review_command(self) -> str:
        """Return the command that leads to reviews: people can read once a sample is drawn."""
        if any(source.name == "samples" for source in self.context.sources):
            return f"fairtrial serve {self.context.ledger} --reviewer NAME"
        return f"fairtrial audit sample {self.context.ledger} --n 60"

    @property
    def graders(self) -> Graders:
        """Return how many graders were proven, refuted, or left open."""
        statuses = [proof.status for proof in self.proofs]
        return Graders(*(statuses.count(status) for status in ("proven", "refuted", "inconclusive")))

    def is_scripted(self, model: str) -> bool:
        """Say whether a model is a scripted program."""
        return model.startswith(SCRIPTED) or model in self.context.scripted

    def is_chosen(self, model: str) -> bool:
        """Say whether a model is the chosen one."""
        return self.chosen is not None and model == self.chosen.model

    def model_cell(self, model: str) -> Cell:
        """Return the cell that names a model."""
        return Cell(text=visible(model), value=model, scripted=self.is_scripted(model))


def subject_of(
    measurement: Measurement,
    proofs: Sequence[Proof],
    findings: Sequence[Finding],
    context: Context,
    audited: Audited | None = None,
    trained: Trained | None = None,
) -> Subject:
    """Return the subject of a report. Raise InputError where the chosen model is not in the measurement."""
    return Subject(
        measurement=measurement,
        proofs=tuple(proofs),
        findings=tuple(findings),
        context=context,
        chosen=_chosen(measurement.models, context.model),
        audited=audited or Audited(),
        trained=trained or Trained(),
    )


def _chosen(models: Sequence[ModelFigures], wanted: str) -> ModelFigures | None:
    if wanted:
        named = [m for m in models if m.model == wanted] or [m for m in models if m.name == wanted]
        if not named:
            known = ", ".join(visible(m.model) for m in models) or "none"
            raise InputError(
                f"the ledger has no graded rollout of `{visible(wanted)}`",
                field="--model",
                hint=f"Models in it: {known}",
            )
        return named[0]
    graded = [m for m in models if m.tasks]
    return max(graded, key=lambda m: (m.band.inside, m.pass_rate.value or 0.0), default=None)


def panels(subject: Subject) -> tuple[ModelFigures, ...]:
    """Return up to four models for small multiples: the chosen, the best, strong and weak, the last; then the rest."""
    models = [m for m in subject.measurement.models if m.tasks]
    bins = subject.measurement.bins
    named = {m.model: m for m in models}
    order = [subject.chosen] if subject.chosen is not None and subject.chosen.tasks else []
    order += models[:1]
    order += [named[label] for label in ((bins.strong, bins.weak) if bins else ()) if label in named]
    order += models[-1:] + models
    unique = list({m.model: m for m in order}.values())
    return tuple(unique[:MOST_PANELS])


def span(estimate: Estimate) -> Span:
    """Return an estimate on the shared axis; a one-sided bound has no value."""
    if estimate.one_sided:
        return Span(None, estimate.low, estimate.high)
    return Span(estimate.value, estimate.low, estimate.high) if estimate.value is not None else Span()


def estimate_columns(title: str, key: str) -> tuple[Column, Column, Column]:
    """Return the three columns of a share: estimate, interval, glyph."""
    return (
        Column(key=key, title=title, kind="number"),
        Column(key=f"{key}_interval", title="95% interval", kind="number"),
        Column(key=f"{key}_glyph", title="0 to 100%", kind="glyph"),
    )


def estimate_cells(estimate: Estimate) -> tuple[Cell, Cell, Cell]:
    """Return the three cells of a share."""
    return (
        Cell(text=share(estimate), value=estimate.value),
        Cell(text=share_interval(estimate)),
        Cell(span=span(estimate), text=f"{share(estimate)} {share_interval(estimate)}".strip()),
    )


def number_cell(number: int) -> Cell:
    """Return the cell of a count."""
    return Cell(text=f"{number:,}", value=number)
