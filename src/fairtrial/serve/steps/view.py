"""A step as a page shows it: blocks with a place, a head, HTML that is safe to print, and how they are folded.

Nothing is cut: what is folded says its first line and its size, and what is too long to stand in a page of many steps
(`INLINE`) is shown on a page of its own, in slices. Not covered: how it looks; that is the templates' and style's.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Literal

from markupsafe import Markup

from fairtrial.formats.atif import AtifStep, Trajectory
from fairtrial.formats.atif_content import Picture
from fairtrial.formats.atif_parts import Part, parts_of
from fairtrial.formats.times import utc_or_empty
from fairtrial.serve.steps.calls import arguments_of, kind_of
from fairtrial.serve.steps.code import token_spans
from fairtrial.serve.steps.diffs import Change, Line, changes_of, is_diff, path_of, unified
from fairtrial.serve.steps.hostile import Span, shown
from fairtrial.serve.steps.needles import Needle, marks

INLINE = 32_000
"""Characters of one part that stand in a page of many steps."""
MOST_STEPS, MOST_WEIGHT = 40, 240_000
"""Steps, and characters, of one window."""
_OPEN_LINES, _OPEN_CHARACTERS = 12, 2_000
_FOLDED_PROSE = 6_000
_FIRST_LINE = 160

BlockKind = Literal["message", "reasoning", "call", "output", "system"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Row:
    """One line of a change."""

    sign: str
    kind: Literal["add", "del", "same", "head"]
    number: int | None
    html: Markup


@dataclass(frozen=True, slots=True, kw_only=True)
class Text:
    """One text of a block."""

    html: Markup
    name: str = ""
    """Name of the argument; empty for the one that says what a call does."""
    is_command: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Block:
    """One part of a step."""

    place: str
    """As a citation names it; stands in `data-place`."""
    kind: BlockKind
    title: str = ""
    target: str = ""
    """The file that a call is about."""
    note: str = ""
    size: str = ""
    first: str = ""
    """First line of what is folded."""
    is_open: bool = True
    is_apart: bool = False
    """Too long for this page: shown on its own."""
    texts: tuple[Text, ...] = ()
    changes: tuple[tuple[Row, ...], ...] = ()
    pictures: tuple[Picture, ...] = ()
    outputs: tuple[Block, ...] = ()
    """What came back of a call."""


@dataclass(frozen=True, slots=True, kw_only=True)
class StepView:
    """One step."""

    number: int
    source: str
    elapsed: str = ""
    """Since the first step: `+2:25`; empty where no times were recorded or they are not to be seen."""
    tokens: str = ""
    is_copied: bool = False
    blocks: tuple[Block, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Window:
    """Some steps in a row, of `total`."""

    steps: tuple[StepView, ...]
    total: int
    first: int
    last: int


def window(trajectory: Trajectory, first: int = 1, *, last: int = 0, needles: Sequence[Needle] = (),
           with_costs: bool = True) -> Window:  # fmt: skip
    """Return steps from `first` on: at most 40, at most 240,000 characters, at least one; up to `last` where given."""
    total = len(trajectory.steps)
    first = min(max(first, 1), max(total, 1))
    started = next((step.timestamp for step in trajectory.steps if step.timestamp), "") if with_costs else ""
    found: list[StepView] = []
    weight = 0
    for number in range(first, min(total, last or total) + 1):
        step = trajectory.steps[number - 1]
        weight += _weight(number, step)
        if found and (len(found) == MOST_STEPS or weight > MOST_WEIGHT):
            break
        found.append(view_of(number, step, started=started, needles=needles, with_costs=with_costs))
    return Window(steps=tuple(found), total=total, first=first, last=found[-1].number if found else 0)


def window_before(
    trajectory: Trajectory, last: int, *, needles: Sequence[Needle] = (), with_costs: bool = True
) -> Window:
    """Return the steps that end with `last`, within the same bounds."""
    last = min(max(last, 1), max(len(trajectory.steps), 1))
    first, weight = last, 0
    for number in range(last, max(last - MOST_STEPS, 0), -1):
        step = trajectory.steps[number - 1] if trajectory.steps else None
        weight += _weight(number, step) if step else 0
        if number < last and weight > MOST_WEIGHT:
            break
        first = number
    return window(trajectory, first, last=last, needles=needles, with_costs=with_costs)


def _weight(number: int, step: AtifStep) -> int:
    return sum(min(len(part.text), INLINE) for part in parts_of(number, step))


def view_of(number: int, step: AtifStep, *, started: str = "", needles: Sequence[Needle] = (),
            with_costs: bool = True) -> StepView:  # fmt: skip
    """Return step `number`; without costs neither times nor tokens are told."""
    parts = parts_of(number, step)
    blocks: list[Block] = []
    taken: set[str] = set()
    for part in parts:
        if part.place in taken:
            continue
        answers = [one for one in parts if part.kind == "call" and one.kind == "output" and one.call is part.call]
        taken |= {one.place for one in answers}
        blocks.append(_block(part, step, needles, tuple(_block(one, step, needles) for one in answers)))
    metrics = step.metrics if with_costs else None
    tokens = f"{metrics.completion_tokens:,} tok" if metrics and metrics.completion_tokens is not None else ""
    return StepView(number=number, source=step.source, tokens=tokens, is_copied=step.is_copied, blocks=tuple(blocks),
                    elapsed=elapsed(started, step.timestamp) if with_costs else "")  # fmt: skip


def _block(part: Part, step: AtifStep, needles: Sequence[Needle], outputs: tuple[Block, ...] = ()) -> Block:
    kind: BlockKind = "system" if part.kind == "message" and step.source == "system" else part.kind
    is_apart = len(part.text) > INLINE
    found = () if is_apart else marks(part.text, part.place, needles)
    target, note, title = "", "", part.title
    texts: tuple[Text, ...] = ()
    changes: tuple[tuple[Row, ...], ...] = ()
    if part.kind == "call" and part.call is not None:
        target = path_of(part.call.arguments)
        made = () if is_apart else changes_of(part.call.arguments)
        note = "; ".join(change.size for change in made[:1]) if len(made) == 1 else f"{len(made)} changes" * bool(made)
        if not is_apart:
            changes = tuple(_rows(change, part.place, needles) for change in made)
            texts = () if made else _arguments(part, needles)
    elif not is_apart and part.kind == "output" and is_diff(part.text):
        changes = (_rows(Change("", unified(part.text)), part.place, needles),)
    elif not is_apart and part.text:
        texts = (Text(html=shown(part.text, marks=found)),)
    return Block(place=part.place, kind=kind, title=title, target=target, note=note, size=size_of(part.text),
                 first=first_line(part.text), is_open=not is_apart and (bool(found) or _stands_open(kind, part.text)),
                 is_apart=is_apart, texts=texts, changes=changes, pictures=part.pictures, outputs=outputs)  # fmt: skip


def _arguments(part: Part, needles: Sequence[Needle]) -> tuple[Text, ...]:
    assert part.call is not None
    is_command = kind_of(part.call) == "shell"
    return tuple(
        Text(name=one.name, is_command=is_command and not one.name,
             html=shown(one.text, token_spans(one.text, one.language), marks(one.text, part.place, needles)))
        for one in arguments_of(part.call)
    )  # fmt: skip


def _rows(change: Change, place: str, needles: Sequence[Needle]) -> tuple[Row, ...]:
    counting = [needle for needle in needles if needle.counts_at(place)]
    return tuple(_row(line, counting) for line in change.lines)


def _row(line: Line, needles: Sequence[Needle]) -> Row:
    spans: list[Span] = sorted(span for needle in needles for span in needle.spans_of_line(line.text))
    kinds: dict[str, Literal["add", "del", "same", "head"]] = {"+": "add", "−": "del", "@": "head"}
    return Row(sign="" if line.sign == "@" else line.sign.strip(), kind=kinds.get(line.sign, "same"),
               number=line.number, html=shown(line.text, marks=spans))  # fmt: skip


def _stands_open(kind: BlockKind, text: str) -> bool:
    if kind in ("system", "reasoning"):
        return False
    if kind == "message":
        return len(text) <= _FOLDED_PROSE
    return kind == "call" or (len(text) <= _OPEN_CHARACTERS and text.count("\n") < _OPEN_LINES)


def size_of(text: str) -> str:
    """Return how long a text is.

    >>> size_of("a\\nb"), size_of("x" * 5_000), size_of("")
    ('2 lines', '1 line, 5.0 kB', 'empty')
    """
    if not text:
        return "empty"
    lines = text.count("\n") + (not text.endswith("\n"))
    told = f"{lines:,} line{'' if lines == 1 else 's'}"
    weight = len(text)
    if weight < 4_000:
        return told
    return f"{told}, {weight / 1e6:.1f} MB" if weight >= 1_000_000 else f"{told}, {weight / 1e3:.1f} kB"


def first_line(text: str) -> Markup:
    """Return the first line that is not blank, safe to print, its first 160 characters."""
    opening = text[: 20 * _FIRST_LINE].lstrip()
    return shown(opening.partition("\n")[0][:_FIRST_LINE])


def elapsed(started: str, now: str) -> str:
    """Return the time since `started`.

    >>> elapsed("2026-01-01T00:00:00Z", "2026-01-01T00:02:25Z"), elapsed("", "x")
    ('+2:25', '')
    """
    first, last = utc_or_empty(started), utc_or_empty(now)
    if not first or not last:
        return ""
    seconds = int((datetime.fromisoformat(last) - datetime.fromisoformat(first)).total_seconds())
    hours, rest = divmod(abs(seconds), 3600)
    minutes = f"{rest // 60:02d}" if hours else f"{rest // 60}"
    return f"{'−' if seconds < 0 else '+'}{f'{hours}:' if hours else ''}{minutes}:{rest % 60:02d}"
