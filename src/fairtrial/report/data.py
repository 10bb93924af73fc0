"""The report as data: what every renderer reads, and nothing else. Plain values, no markup, no layout.

A report is a verdict and sections; a section is a side column of facts and a list of blocks; a block is a claim with
its figures and tables, or one sentence on what would be there. Figures hold numbers, not drawings.
Does not cover: how any of it is worded (`claims`), rounded (`numbers`) or drawn (`charts`, `templates`).
"""

from __future__ import annotations

from dataclasses import asdict, dataclass, field
from typing import Any, Literal

from fairtrial.report.figures import Forest, Lines

SCHEMA = "fairtrial.report/1"

State = Literal["holds", "proof", "lead", "none", "refuted"]
Place = Literal["never", "below", "inside", "above", "always"]
CellKind = Literal["text", "name", "code", "number", "glyph", "strip", "state", "claim"]


@dataclass(frozen=True, slots=True)
class Fact:
    """A name and what stands beside it."""

    name: str
    text: str
    code: bool = False


@dataclass(frozen=True, slots=True)
class Scope:
    """Something measured, or not measured with the reason and the command that fills it."""

    what: str
    why: str = ""
    command: str = ""


@dataclass(frozen=True, slots=True)
class Span:
    """An interval on the shared scale of 0 to 1; without `value` and ends it was not measured."""

    value: float | None = None
    low: float | None = None
    high: float | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Cell:
    """One cell of a table: the text to print, and the value behind it."""

    text: str = ""
    value: float | int | str | None = None
    span: Span | None = None
    parts: tuple[int, ...] = ()
    """Sizes of the parts of a strip, in the order of the column's parts."""
    state: State | None = None
    note: str = ""
    command: str = ""
    scripted: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Column:
    """A column of a table. `parts` names the parts of a strip; `swatch` marks a column that counts one of them."""

    key: str
    title: str
    kind: CellKind = "text"
    parts: tuple[str, ...] = ()
    swatch: str = ""


@dataclass(frozen=True, slots=True)
class Row:
    """A row; `chosen` rows are set in bold."""

    cells: tuple[Cell, ...]
    chosen: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Table:
    """A table with its caption (n, ungraded, order). On a phone it scrolls (`wide`) or its rows stack (`stack`)."""

    key: str
    caption: str
    columns: tuple[Column, ...]
    rows: tuple[Row, ...]
    layout: Literal["wide", "stack"] = "wide"


@dataclass(frozen=True, slots=True)
class Bar:
    """Tasks at one observed pass rate, or above `least` up to `most`, with the Wilson interval of their share."""

    least: float
    most: float
    tasks: int
    low: float
    high: float
    place: Place


@dataclass(frozen=True, slots=True, kw_only=True)
class HistogramPanel:
    """Pass rates of one model's tasks."""

    model: str
    note: str
    text: str
    tasks: int
    bars: tuple[Bar, ...]
    chosen: bool = False
    scripted: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Histogram:
    """Small multiples of pass-rate histograms with the training band."""

    key: str
    text: str
    panels: tuple[HistogramPanel, ...]
    band: tuple[float, float]
    edges: tuple[float, ...] = ()
    """Where rates are too many to draw: the inner edges to which they are gathered, between never and always."""
    kind: Literal["histogram"] = "histogram"


@dataclass(frozen=True, slots=True)
class CurvePoint:
    """One point of a curve with its band."""

    x: int
    value: float
    low: float
    high: float
    tasks: int = 0
    plug_in: float | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class CurvePanel:
    """pass@k and pass^k of one model."""

    model: str
    note: str
    text: str
    at: tuple[CurvePoint, ...]
    hat: tuple[CurvePoint, ...]
    chosen: bool = False
    scripted: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Curves:
    """Small multiples of pass@k and pass^k."""

    key: str
    text: str
    panels: tuple[CurvePanel, ...]
    kind: Literal["curves"] = "curves"


@dataclass(frozen=True, slots=True, kw_only=True)
class GradientLine:
    """Informative fraction of one model over the group size."""

    model: str
    points: tuple[CurvePoint, ...]
    label: str
    chosen: bool = False
    scripted: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class GradientCurves:
    """Informative fraction against the group size."""

    key: str
    text: str
    group_size: int
    lines: tuple[GradientLine, ...]
    kind: Literal["gradient"] = "gradient"


@dataclass(frozen=True, slots=True, kw_only=True)
class Grid:
    """Tasks by weak and strong pass rate."""

    key: str
    text: str
    strong: str
    weak: str
    cells: tuple[tuple[float, float, int], ...]
    """(weak rate, strong rate, tasks)."""
    step: float
    """Rates are rounded to it where they are too close to draw apart; 0 where they are as observed."""
    counts: tuple[tuple[str, int], ...]
    kind: Literal["grid"] = "grid"


@dataclass(frozen=True, slots=True, kw_only=True)
class FrontMark:
    """One model on the plane of spend and score."""

    model: str
    name: str
    number: int
    spend: float
    spend_low: float | None
    spend_high: float | None
    score: float
    score_low: float | None
    score_high: float | None
    on_front: bool
    chosen: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Front:
    """Score against spend, with the Pareto front; efforts of one model are joined."""

    key: str
    text: str
    quantity: Literal["cost", "tokens"]
    marks: tuple[FrontMark, ...]
    kind: Literal["front"] = "front"


Figure = Histogram | Curves | GradientCurves | Grid | Front | Forest | Lines


@dataclass(frozen=True, slots=True, kw_only=True)
class Quoted:
    """Words cited from a rollout, and the lines that stand around them there."""

    place: str
    """As a citation names it: `step 7 output 1`."""
    quote: str
    before: str = ""
    """What stands before it, line ends included."""
    after: str = ""
    again: bool = False
    """Quoted above already: only its place is told."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Opinion:
    """What one reviewer said of a rollout."""

    who: str
    answer: str
    tags: tuple[str, ...] = ()
    note: str = ""
    quotes: tuple[Quoted, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Example:
    """One audited rollout, to be read without a server."""

    state: State
    label: str
    """`false pass`, ..."""
    task: str
    model: str
    rollout: str
    verdict: str
    """What the grader said, in words."""
    opinions: tuple[Opinion, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Block:
    """A claim with what shows it; or, with `empty`, one sentence on what would be here."""

    claim: str
    say: str = ""
    figures: tuple[Figure, ...] = ()
    tables: tuple[Table, ...] = ()
    examples: tuple[Example, ...] = ()
    empty: Scope | None = None
    commands: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Section:
    """One numbered part of the page."""

    key: str
    title: str
    side: tuple[Fact, ...]
    blocks: tuple[Block, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class VerdictRow:
    """One statement on the shared axis."""

    key: str
    statement: str
    detail: str
    estimate: str
    interval: str
    base: tuple[str, ...]
    span: Span
    states: tuple[tuple[State, str], ...] = ()
    command: str = ""
    """What would measure it, where it was not measured."""


@dataclass(frozen=True, slots=True, kw_only=True)
class VerdictPart:
    """The answer: one sentence, one paragraph, one table."""

    sentence: str
    paragraph: str
    rows: tuple[VerdictRow, ...]
    side: tuple[Fact, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Report:
    """One report, all of it."""

    title: str
    subtitle: str
    tool: str
    identity: tuple[Fact, ...]
    notices: tuple[str, ...]
    """What a reader must know first: scripted policies, no isolation."""
    measured: tuple[Scope, ...]
    not_measured: tuple[Scope, ...]
    verdict: VerdictPart
    sections: tuple[Section, ...]
    schema: str = field(default=SCHEMA)

    def document(self) -> dict[str, Any]:
        """Return the JSON document, `schema` first."""
        content = asdict(self)
        return {"schema": content.pop("schema")} | content
