"""What was found of a suite, part by part, and the JSON document of it. Plain values; no wording for a page.

A part holds, speaks against the suite, is open (its interval lies on both sides of the line), or was not measured.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Literal

from fairtrial.authoring.synthetic.options import PARTS, Part
from fairtrial.records import Estimate

SCHEMA = "fairtrial.synthetic/1"
Status = Literal["holds", "against", "open", "not_measured"]
Solved = Literal["proven_and_passed", "proven_only", "passed_only", "neither", "not_measured"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Answered:
    """The answer to one of the five questions."""

    status: Status
    why: str
    """One sentence: what speaks for the status."""
    not_measured: tuple[str, ...] = ()
    """What belongs to it and could not be measured, each with the reason."""


@dataclass(frozen=True, slots=True, kw_only=True)
class KindFigure:
    """How well one kind of feature tells generated from real."""

    name: str
    features: int
    auc: Estimate
    p_value: float
    tells: bool
    """The p-value holds for all kinds together (Holm, 0.05)."""


@dataclass(frozen=True, slots=True, kw_only=True)
class TellingFeature:
    """One feature by which they are told."""

    kind: str
    feature: str
    towards: Literal["generated", "real"]
    generated: float
    """Share of generated texts that have it; of a number, its mean."""
    real: float
    is_share: bool
    example: str
    task: str


@dataclass(frozen=True, slots=True, kw_only=True)
class CueFigure:
    """One kind of cue, counted in tasks."""

    key: str
    says: str
    generated: int
    real: int | None
    """None where no real work was given."""
    difference: Estimate | None
    """Share of generated tasks less that of real ones."""
    p_value: float | None
    gives_away: bool
    example: str
    task: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Realism:
    """Generated beside real."""

    answer: Answered
    generated: int
    real: int
    groups: tuple[int, int] = (0, 0)
    """Near copies counted once, of both."""
    auc: Estimate | None = None
    p_value: float | None = None
    kinds: tuple[KindFigure, ...] = ()
    features: tuple[TellingFeature, ...] = ()
    cues: tuple[CueFigure, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class TaskSolved:
    """What is known of one task's being solvable."""

    task: str
    solved: Solved
    proof: str
    """`proven`, `refuted`, `inconclusive` or `reference_refuted`; empty where there is none of this content."""
    passed_by: tuple[str, ...]
    graded: int
    ungraded: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Solvability:
    """Every task's reference and solvers."""

    answer: Answered
    share: Estimate | None = None
    worst_case: Estimate | None = None
    """With every task that was not measured taken for unsolvable."""
    tasks: tuple[TaskSolved, ...] = ()
    counts: Mapping[str, int] = field(default_factory=dict)
    passed_by_nothing: tuple[str, ...] = ()
    """Tasks that an agent passed which does nothing."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Taker:
    """One model at the suite."""

    model: str
    is_generator: bool
    tasks: int
    attempts: int
    ungraded: int
    rate: Estimate
    taught: Estimate
    """Share of tasks that it failed at least once."""
    mixed: Estimate
    """Share of tasks with both a pass and a failure."""
    ahead: Estimate | None = None
    """The generator's rate less this one's, on tasks of both."""


@dataclass(frozen=True, slots=True, kw_only=True)
class FamilyRates:
    """Pass rates in one family: the generator's, and all others' together."""

    family: str
    tasks: int
    generator: Estimate
    others: Estimate


@dataclass(frozen=True, slots=True, kw_only=True)
class Ceiling:
    """Pass rates of who wrote it, and of the others."""

    answer: Answered
    generator: str = ""
    takers: tuple[Taker, ...] = ()
    families: tuple[FamilyRates, ...] = ()
    ceiling: Estimate | None = None
    """Share of tasks that are known to be solvable: more than this no model can pass."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Spread:
    """How many tasks a set is worth."""

    tasks: int
    groups: int
    """Near copies counted once."""
    templates: int
    """Wordings with figures masked, counted once."""
    largest_template: int
    effective_groups: float
    effective_templates: float
    vendi: float | None
    """Exponential of the entropy of the similarities' eigenvalues; None where there are too many or too few."""
    vendi_of: int
    """Tasks that it was computed of."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Diversity:
    """What repeats."""

    answer: Answered
    suite: Spread
    real: Spread | None
    vendi_at_equal: tuple[float, float] | None
    """Of generated and of real, both of as many tasks as the smaller has."""
    near_copies: tuple[tuple[str, ...], ...]
    templates: tuple[tuple[str, int, str], ...]
    """(masked wording, tasks, first task) of what is repeated most."""
    sentences: tuple[tuple[str, int], ...]
    """Sentences that a fifth of the tasks share."""
    families: tuple[tuple[str, int], ...]
    effective_families: float | None


@dataclass(frozen=True, slots=True, kw_only=True)
class Crossed:
    """A reference that another task's grader passes."""

    reference_of: str
    passes: str


@dataclass(frozen=True, slots=True, kw_only=True)
class References:
    """References that only resemble right ones."""

    answer: Answered
    with_reference: int
    lacking: tuple[str, ...]
    same: tuple[tuple[str, ...], ...]
    """Tasks of different wording with one solution."""
    own_failed: tuple[str, ...]
    """Text tasks whose answer does not pass their own comparison."""
    guessed: Estimate | None
    """Share of tasks whose answer is the commonest of the other tasks of their family."""
    in_prompt: Estimate | None
    """Share of answers that stand in their own prompt as a word."""
    in_other_prompt: float | None
    """Of answers that stand in the prompt of another task of the family: what chance would give."""
    crossed: Estimate | None
    """Share of pairs in which a reference passes the other task's grader."""
    passes_other: tuple[Crossed, ...]
    doubted: tuple[tuple[str, float, str], ...] | None
    """(task, probability, why) where the models' answers contradict the key: leads. None: not measured."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Synthetic:
    """All that was found."""

    suite: str
    path: str
    kind: str
    tasks: int
    real: str
    ledger: str
    parts: tuple[Part, ...]
    realism: Realism | None
    solvability: Solvability | None
    ceiling: Ceiling | None
    diversity: Diversity | None
    references: References | None
    seed: int
    notes: tuple[str, ...] = ()

    @property
    def answers(self) -> tuple[tuple[Part, Answered], ...]:
        """Return the answers to what was asked, in order."""
        found = ((part, getattr(self, part)) for part in PARTS)
        return tuple((part, each.answer) for part, each in found if each is not None)

    @property
    def against(self) -> tuple[str, ...]:
        """Return what speaks against the suite."""
        return tuple(f"{part}: {answer.why}" for part, answer in self.answers if answer.status == "against")

    @property
    def is_measured(self) -> bool:
        """Say whether every question asked has an answer."""
        return all(answer.status in ("holds", "against") for _, answer in self.answers)

    def document(self) -> dict[str, Any]:
        """Return the JSON document."""
        return {
            "schema": SCHEMA, "suite": self.suite, "path": self.path, "kind": self.kind, "tasks": self.tasks,
            "real": self.real or None, "ledger": self.ledger or None, "parts": list(self.parts),
            "holds": not self.against if self.against or self.is_measured else None,
            "against": list(self.against),
            "not_measured": [f"{part}: {why}" for part, answer in self.answers
                             for why in _open(answer)],
            **{part: plain(getattr(self, part)) for part in PARTS},
            "seed": self.seed, "notes": list(self.notes),
        }  # fmt: skip


def _open(answer: Answered) -> tuple[str, ...]:
    own = (answer.why,) if answer.status in ("open", "not_measured") else ()
    return (*own, *answer.not_measured)


def plain(value: Any) -> Any:
    """Return a record as JSON: dataclasses as objects, tuples as lists."""
    if hasattr(value, "__dataclass_fields__"):
        return {name: plain(getattr(value, name)) for name in value.__dataclass_fields__}
    if isinstance(value, Mapping):
        return {key: plain(each) for key, each in value.items()}
    return [plain(each) for each in value] if isinstance(value, list | tuple) else value
