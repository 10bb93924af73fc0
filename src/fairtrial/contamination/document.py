"""What a scan found, as one frozen object, and as the JSON document `fairtrial.contamination/1`.

Covers the words and numbers of a result. Finding them is `scan`'s work; showing them is the command's and the page's.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from fairtrial.contamination.chance import is_more, is_near
from fairtrial.contamination.clusters import Clusters
from fairtrial.contamination.result import LEVEL, Flag
from fairtrial.contamination.rows import Unreadable

SCHEMA = "fairtrial.contamination/1"


@dataclass(frozen=True, slots=True, kw_only=True)
class Source:
    """One file that was read: which, and of what content."""

    path: str
    hash: str
    """Content address of the file as it lies on disk, compressed or not."""
    bytes: int

    def document(self) -> dict[str, Any]:
        """Return it as JSON."""
        return {"path": self.path, "hash": self.hash, "bytes": self.bytes}


@dataclass(frozen=True, slots=True, kw_only=True)
class Passage:
    """A passage with what stands around it, cut to a length that can be read."""

    place: str
    """Field of the row, as `messages[1].content`; empty where the passage is of the whole row."""
    start: int
    end: int
    """Characters [start, end) of the text at `place`."""
    before: str
    text: str
    """The passage itself; where it is long, its beginning and end around ` [...] `."""
    after: str

    def document(self) -> dict[str, Any]:
        """Return it as JSON."""
        return {name: getattr(self, name) for name in ("place", "start", "end", "before", "text", "after")}


@dataclass(frozen=True, slots=True, kw_only=True)
class FlaggedPair:
    """One flag with what stands at both places."""

    flag: Flag
    path: str
    """File of the training row."""
    line: int
    train: Passage | None
    """None where the row could not be read a second time."""
    item: Passage | None

    def document(self) -> dict[str, Any]:
        """Return it as JSON: CONTRACT's four fields first, then where and what."""
        flag = self.flag
        return {
            "train_id": flag.train_id, "item_id": flag.item_id, "score": round(float(flag.score), 6),
            "detector": flag.detector, "path": self.path, "line": self.line,
            "train": None if self.train is None else self.train.document(),
            "item": None if self.item is None else self.item.document(),
        }  # fmt: skip


@dataclass(frozen=True, slots=True, kw_only=True)
class SetThreshold:
    """From which score on a detector flags a row, and how that was settled."""

    detector: str
    value: float
    how: str
    """One sentence: set on how many control rows, or a default and why."""
    n_control: int = 0
    low: float | None = None
    high: float | None = None
    """Where the true threshold for the rate asked for lies, with 95% certainty, where a control said it."""
    holds: bool = True
    """False: the control is not like the training rows, and the rate does not hold for them."""

    alone: float | None = None
    """Score that the nearest of as many clean rows exceeds once in twenty times; None where no control says."""

    def document(self) -> dict[str, Any]:
        """Return it as JSON."""
        return {
            "detector": self.detector, "value": round(float(self.value), 6), "how": self.how,
            "n_control": self.n_control, "low": self.low, "high": self.high, "holds": self.holds, "alone": self.alone,
        }  # fmt: skip


@dataclass(frozen=True, slots=True, kw_only=True)
class ItemFigure:
    """How much of the training set lies near one item."""

    item_id: str
    near_rows: int
    """Rows flagged with it; where decoys were given, rows near it by the distribution's own threshold."""
    expected: float | None = None
    """Near rows that an item of no interest draws, by the decoys; None without them."""
    q_value: float | None = None
    flagged: bool = False
    """True: a row is flagged with it, or more rows are near it than chance explains."""

    def document(self) -> dict[str, Any]:
        """Return it as JSON."""
        return {name: getattr(self, name) for name in self.__dataclass_fields__}


@dataclass(frozen=True, slots=True, kw_only=True)
class EvaluationFigure:
    """How much of one evaluation set, of several perhaps, lies in the training set."""

    path: str
    """File of rows, or folder of tasks."""
    items: int
    flagged_items: int
    """Items that a training row is flagged with."""
    flagged_rows: int
    """Training rows flagged with one of its items; a row can count for several sets."""

    def document(self) -> dict[str, Any]:
        """Return it as JSON."""
        return {name: getattr(self, name) for name in self.__dataclass_fields__}


@dataclass(frozen=True, slots=True, kw_only=True)
class Shares:
    """Are near rows spread over eval items and decoys alike?"""

    eval_near: int
    decoy_near: int
    p_value: float
    built_around: bool
    """True: as a whole the training set lies nearer to the items than to their decoys, or one item alone outdraws all
    decoys together. Items called one by one are leads and do not make it true."""
    effects: Mapping[str, Any] = field(default_factory=dict)
    """Effect sizes with their intervals, and the names of the tests, as JSON."""
    level: float = LEVEL

    @property
    def stands_out(self) -> bool:
        """Return whether items as a whole draw more than decoys."""
        return self.p_value <= self.level

    def document(self) -> dict[str, Any]:
        """Return it as JSON."""
        return {
            "eval_near": self.eval_near, "decoy_near": self.decoy_near, "p_value": self.p_value,
            "built_around": self.built_around, **self.effects,
        }  # fmt: skip


@dataclass(frozen=True, slots=True, kw_only=True)
class Scan:
    """Hold what a scan found of one training set against one evaluation set."""

    train: tuple[Source, ...]
    against: tuple[Source, ...]
    control: tuple[Source, ...]
    decoys: tuple[Source, ...]
    train_rows: int
    """Training rows that were read and compared."""
    unreadable_rows: int
    """Training rows that were not; the list below may hold fewer."""
    unreadable: tuple[Unreadable, ...]
    n_items: int
    n_compared: int
    """Items that at least one part could compare; the rest is too short."""
    n_control: int
    n_decoys: int
    fpr: float
    """Rate of false positives that was asked for."""
    level: float = LEVEL
    """How often each question may call a clean training set."""
    thresholds: tuple[SetThreshold, ...]
    """The first is that of reworded rows, by which `threshold` of the document goes; then that of verbatim ones."""
    flagged: tuple[FlaggedPair, ...]
    """Best first; a row may be flagged with several items and by several detectors."""
    items: tuple[ItemFigure, ...]
    """Every item that drew a row near, most first."""
    evaluations: tuple[EvaluationFigure, ...] = ()
    """Each evaluation set, in the order given."""
    distribution: Shares | None
    """None where it was not measured; `abstained` says why."""
    clusters: Clusters = field(default_factory=Clusters)
    """Rows that lie near one item or near each other, with the templates they were made from."""
    abstained: tuple[str, ...]
    """What could not be measured, and why. None of it is clean."""
    notes: tuple[str, ...] = ()
    """What a reader should know that is neither a finding nor a gap."""
    seed: int = 0
    versions: Mapping[str, str] = field(default_factory=dict)
    seconds: float = 0.0
    """Wall-clock time; the only field that differs between two runs on the same bytes."""

    @property
    def flagged_rows(self) -> int:
        """Return how many training rows are flagged, each once."""
        return len({pair.flag.train_row for pair in self.flagged})

    @property
    def expected_false_rows(self) -> float | None:
        """Return how many clean rows the threshold of reworded rows flags in error; None where no control says."""
        by = self.thresholds[0] if self.thresholds else None
        return self.fpr * self.train_rows if by is not None and by.n_control and by.holds else None

    @property
    def found(self) -> bool:
        """Return whether more was found than chance flags: a row word for word, reworded ones, the whole, or rows that
        crowd around one item more than decoys explain.

        Where no control says what chance flags, every flag counts.
        """
        whole = self.distribution
        if whole is not None and (whole.built_around or whole.effects.get("items_called", 0)):
            return True
        flags = [pair.flag for pair in self.flagged]
        if self.expected_false_rows is None or any(flag.detector == "verbatim" for flag in flags):
            return bool(flags)
        first = [flag.score for flag in flags if flag.detector != "reranked"]
        return is_more(self.flagged_rows, self.train_rows, self.fpr, self.level) or is_near(
            first, self.thresholds[0].alone
        )

    @property
    def measured(self) -> bool:
        """Return whether anything could be measured at all."""
        return self.train_rows > 0 and self.n_compared > 0

    @property
    def threshold(self) -> float | None:
        """Return the score from which on a reworded row is flagged."""
        return self.thresholds[0].value if self.thresholds else None

    def document(self) -> dict[str, Any]:
        """Return the JSON document, without the time it took."""
        return {
            "schema": SCHEMA,
            "train_rows": self.train_rows,
            "unreadable_rows": self.unreadable_rows,
            "threshold": self.threshold,
            "fpr": self.fpr,
            "level": self.level,
            "found": self.found,
            "flagged_rows": self.flagged_rows,
            "expected_false_rows": self.expected_false_rows,
            "flagged": [pair.document() for pair in self.flagged],
            "items": [item.document() for item in self.items],
            "evaluations": [one.document() for one in self.evaluations],
            "distribution": None if self.distribution is None else self.distribution.document(),
            "clusters": {"found": self.clusters.found, "shown": [one.document() for one in self.clusters.shown]},
            "abstained": list(self.abstained),
            "notes": list(self.notes),
            "unreadable": [{"path": one.path, "line": one.line, "why": one.why} for one in self.unreadable],
            "thresholds": [one.document() for one in self.thresholds],
            "counts": {
                "items": self.n_items,
                "items_compared": self.n_compared,
                "control": self.n_control,
                "decoys": self.n_decoys,
            },
            "inputs": {
                name: [source.document() for source in getattr(self, name)]
                for name in ("train", "against", "control", "decoys")
            },
            "seed": self.seed,
            "versions": dict(self.versions),
        }
