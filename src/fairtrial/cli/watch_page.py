"""A watched run on a terminal: the answer, a line a stretch of steps, the alarms with their reasons."""

from __future__ import annotations

from collections.abc import Sequence

from rich.console import Group, RenderableType
from rich.table import Table
from rich.text import Text

from fairtrial.measure.intervals import effective_wilson
from fairtrial.report.data import Span
from fairtrial.report.markdown import STATE_SHAPES
from fairtrial.report.numbers import count, percent, percent_interval, rounded
from fairtrial.report.terminal import glyph
from fairtrial.report.watch.page import sentence
from fairtrial.report.watch.words import KINDS, done_of, hack_words, name_of, sampled, state_of, steps_words
from fairtrial.report.words import capital, visible
from fairtrial.train.watch import Watched, WatchedStep

_STYLES = {"refuted": "red", "lead": "yellow"}
_MOST_LINES = 12


def page(runs: Sequence[Watched]) -> RenderableType:
    """Return the whole page."""
    parts: list[RenderableType] = [Text(sentence(runs), style="bold")]
    for run in runs:
        parts += [Text(), Text(visible(name_of(run)), style="bold")]
        if steps := sampled(run):
            parts += [_steps(steps), Text(f"hacks: {hack_words(run)}")]
        for alarm in run.alarms:
            state, where = state_of(alarm), capital(steps_words(alarm.first_step, alarm.last_step))
            head = f"{STATE_SHAPES[state]} {KINDS[alarm.kind]}, {done_of(alarm)}. "
            told = alarm.why if alarm.why.startswith(("Step", "Steps")) else f"{where}: {alarm.why}"
            parts.append(Text.assemble((head, _STYLES[state]), visible(told)))
        parts += [Text(f"{STATE_SHAPES['none']} {visible(words)}", style="dim") for words in run.not_measured]
    return Group(*parts)


def _steps(steps: Sequence[WatchedStep]) -> Table:
    """Return the steps in at most twelve stretches of one length."""
    table = Table(box=None, pad_edge=False, padding=(0, 2, 0, 0), header_style="dim")
    for title in ("steps", "attempts", "ungraded", "0       50       100%", "passed", "95%", "teach", "all pass",
                  "all fail", "tokens", "left out"):  # fmt: skip
        table.add_column(title, justify="left" if title in ("steps", "0       50       100%", "95%") else "right",
                         no_wrap=True)  # fmt: skip
    each = -(-len(steps) // _MOST_LINES)
    for start in range(0, len(steps), each):
        table.add_row(*_line(steps[start : start + each]))
    return table


def _line(steps: Sequence[WatchedStep]) -> list[Text]:
    graded, passed = sum(step.passed + step.failed for step in steps), sum(step.passed for step in steps)
    groups = sum(step.groups for step in steps)
    rate = passed / graded if graded else None
    low, high = (None, None) if rate is None else effective_wilson(rate, max(1, groups))
    tokens = [step.mean_tokens for step in steps if step.mean_tokens is not None]
    mean = rounded(sum(tokens) / len(tokens), 1) if tokens else "not measured"
    first, last = steps[0].step, steps[-1].step
    return [Text(text) for text in (
        count(first) if first == last else f"{count(first)}–{count(last)}",
        count(sum(step.attempts for step in steps)), count(sum(step.ungraded for step in steps)),
        glyph(Span(rate, low, high)), "not measured" if rate is None else percent(rate), percent_interval(low, high),
        f"{sum(step.informative for step in steps)}/{groups}", count(sum(step.all_pass for step in steps)),
        count(sum(step.all_fail for step in steps)), mean,
        count(sum(step.marked for step in steps)),
    )]  # fmt: skip
