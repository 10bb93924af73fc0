"""What a scan could not measure, and what a reader should know: one sentence each, with its part named before a colon.

Not covered: findings. A gap is never clean, and a note is neither a gap nor a finding.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import numpy as np
from numpy.typing import NDArray

from fairtrial.contamination.controlled import Controlled
from fairtrial.contamination.inputs import Items
from fairtrial.contamination.ngrams import NgramScan
from fairtrial.contamination.variants import Threshold

NEARER = 0.7
"""Share of training rows above the control's middle from which on its rate does not hold: on the scale of scores (the
middle at 0.3 tens, a tenth at 1) a shift to this share doubles the rate."""
FEWEST = 50
"""Training rows below which their share is not looked at."""
SURE = 3.29
"""Standard errors by which it must differ."""
NAMED = 5
"""Rows or items named in a sentence; all are counted."""


def gaps_of_reading(verbatim: NgramScan, sides: Sequence[tuple[str, Items]], passed_over: int) -> Iterator[str]:
    """Yield what was not read on either side."""
    if verbatim.unreadable:
        total = verbatim.rows + verbatim.unreadable
        yield f"rows: {verbatim.unreadable:,} of {total:,} training rows could not be read{_first_of(verbatim)}"
    if passed_over:
        yield f"files: {_counted(passed_over, 'file')} in the folders of TRAIN are not of rows, by their names"
    if verbatim.images:
        yield f"images: {_counted(verbatim.images, 'text')} of training rows are images as base64"
    for name, items in sides:
        if items.unreadable:
            first = items.unreadable[0]
            yield (f"{name}: {_counted(len(items.unreadable), 'row')} could not be read, the first {first.path}:"
                   f"{first.line}: {first.why}")  # fmt: skip


def _first_of(verbatim: NgramScan) -> str:
    """Return where and why the first training row could not be read."""
    if not verbatim.unreadable_listed:
        return ""
    first = verbatim.unreadable_listed[0]
    return f", the first {first.path}:{first.line}: {first.why}"


def gaps_of_verbatim(verbatim: NgramScan) -> Iterator[str]:
    """Yield the items of which the scan for shared 5-grams can say nothing."""
    if verbatim.too_short:
        yield f"verbatim: {_counted(len(verbatim.too_short), 'item')} without five words: {_named(verbatim.too_short)}"
    whole = sorted({one.item_id for one in verbatim.common if one.whole})
    if whole:
        yield f"verbatim: {_counted(len(whole), 'item')} with a text that is boilerplate throughout: {_named(whole)}"


def notes_of_sides(sides: Sequence[tuple[str, Items]]) -> Iterator[str]:
    """Yield what was changed in reading."""
    for name, items in sides:
        if items.renamed:
            yield f"{name}: rows whose id another has, named with their place as well: {items.renamed:,}"


def notes_of_verbatim(verbatim: NgramScan) -> Iterator[str]:
    """Yield what was set aside in counting."""
    if verbatim.repeated_ids:
        yield f"training rows whose id a row before them has, told apart by their lines: {verbatim.repeated_ids:,}"
    partial = [one for one in verbatim.common if not one.whole]
    if partial:
        most = max(one.rows for one in partial)
        held = f"up to {most:,} rows" if most else "rows of the control"
        yield (f"boilerplate: passages of {_counted(len({one.item_id for one in partial}), 'item')} were not counted, "
               f"for {held} hold them")  # fmt: skip


def notes_of_control(control: Controlled, threshold: Threshold | None) -> Iterator[str]:
    """Yield which control rows hold items, and which look like it."""
    if control.set_aside:
        pairs = ", ".join(f"{row} holds {item}" for row, item in control.set_aside[:NAMED])
        yield (f"control: {_counted(len(control.set_aside), 'row')} set aside for holding an item word for word "
               f"({pairs}{', …' if len(control.set_aside) > NAMED else ''}); a control should hold none")  # fmt: skip
    if threshold is not None and threshold.suspects:
        names = _named(threshold.suspects)
        yield (f"control: {_counted(threshold.n_suspects, 'row')} as near to items as leaks are ({names}); leave "
               "out what rewords an item, for it raises the threshold")  # fmt: skip


def gap_of_control(threshold: Threshold | None, scores: NDArray[np.float32]) -> str:
    """Return why the control's rate does not hold for training rows with these scores; empty where nothing says so.

    Rows like the control's lie above its middle one time in two. A tenth of them made from items moves that to 0.55; a
    training set of another kind, or one made from items for the most part, to far more.
    """
    near = scores[scores > 0]
    if threshold is None or threshold.middle is None or len(near) < FEWEST:
        return ""
    above = float((near > threshold.middle).mean())
    sure = SURE * (0.25 / len(near) + 0.25 / threshold.n_control) ** 0.5
    if above <= NEARER or above - 0.5 <= sure:
        return ""
    return (f"threshold: {above:.0%} of the training rows lie nearer to items than the middle control row, where rows "
            "like the control's have 50%: the control is of another kind, or most of the set is made from items. "
            "What share of clean rows is flagged is not known")  # fmt: skip


def _named(names: Sequence[str]) -> str:
    return ", ".join(names[:NAMED]) + (", …" if len(names) > NAMED else "")


def _counted(count: int, noun: str) -> str:
    """Return a number with its noun.

    >>> _counted(1, "row"), _counted(2000, "row")
    ('1 row', '2,000 rows')
    """
    return f"{count:,} {noun}{'' if count == 1 else 's'}"
