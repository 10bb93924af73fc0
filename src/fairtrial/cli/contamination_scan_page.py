"""A scan on a terminal: the sentence, what was not measured, the nearest pairs side by side, the items."""

from __future__ import annotations

import re
from collections import defaultdict

from rich.table import Table
from rich.text import Text

from fairtrial.cli.output import print_whole, stdout
from fairtrial.contamination.document import FlaggedPair, Passage, Scan
from fairtrial.contamination.keeping import summary_of
from fairtrial.contamination.result import Flag

ITEMS = 10
"""Items listed, those with most rows near them first."""
_SPACE = re.compile(r"\s+")
_SIDE = 56
"""Columns of one side of a pair, where the terminal has them."""


def print_scan(scan: Scan, show: int) -> None:
    """Print what a reader needs to decide what to do next."""
    sentence = summary_of(scan)
    _say(f"{sentence[0].upper()}{sentence[1:]}.")
    for threshold in scan.thresholds:
        _say(f"  {threshold.detector}: flagged from {threshold.value:.3f} on; {threshold.how}")
    if scan.distribution is not None:
        whole = scan.distribution
        _say(f"  distribution: {whole.eval_near:,} rows near items, {whole.decoy_near:,} near decoys, "
             f"p = {whole.p_value:.2g}")  # fmt: skip
    for why in scan.abstained:
        _say(f"  ▢ not measured  {why}")
    for line in scan.notes:
        _say(f"  note: {line}")
    _print_evaluations(scan)
    _print_pairs(scan, show)
    _print_items(scan)


def _print_evaluations(scan: Scan) -> None:
    """Print which evaluation set leaked, where there are several."""
    if len(scan.evaluations) < 2:
        return
    stdout.print()
    table = Table(box=None, padding=(0, 2, 0, 0))
    table.add_column("evaluation set", overflow="fold")
    for heading in ("items", "flagged items", "flagged rows"):
        table.add_column(heading, justify="right", no_wrap=True)
    for one in scan.evaluations:
        counts = (one.items, one.flagged_items, one.flagged_rows)
        table.add_row(Text(_clean(one.path)), *(f"{count:,}" for count in counts))
    print_whole(table)


def _print_pairs(scan: Scan, show: int) -> None:
    shown = _one_a_row(scan.flagged)[:show]
    if not shown:
        return
    flags: dict[tuple[int, str], list[Flag]] = defaultdict(list)
    for pair in scan.flagged:
        flags[pair.flag.train_row, pair.flag.item_id].append(pair.flag)
    side = max(24, min(_SIDE, (stdout.width - 4) // 2))
    for pair in shown:
        flag = pair.flag
        stdout.print()
        by = ", ".join(f"{one.detector} {one.score:.2f}" for one in flags[flag.train_row, flag.item_id])
        _say(f"{flag.train_id} ({pair.path}:{pair.line})  ~  item {flag.item_id}  ({by})")
        table = Table(box=None, padding=(0, 2, 0, 2), show_header=False)
        table.add_column(width=side, overflow="fold")
        table.add_column(width=side, overflow="fold")
        table.add_row(_passage(pair.train), _passage(pair.item))
        stdout.print(table)
    rest = len(_one_a_row(scan.flagged)) - len(shown)
    if rest:
        stdout.print()
        _say(f"{rest:,} more flagged rows; --show N, --json and --out DIR have them.")


def _one_a_row(pairs: tuple[FlaggedPair, ...]) -> list[FlaggedPair]:
    """Return the best pair of each row, best first."""
    best: dict[int, FlaggedPair] = {}
    for pair in pairs:
        best.setdefault(pair.flag.train_row, pair)
    return list(best.values())


def _passage(passage: Passage | None) -> Text:
    if passage is None:
        return Text("(not read again)", style="dim")
    shown = Text()
    shown.append(_clean(passage.before), style="dim")
    shown.append(_clean(passage.text), style="bold")
    shown.append(_clean(passage.after), style="dim")
    return shown


def _print_items(scan: Scan) -> None:
    flagged = [item for item in scan.items if item.flagged]
    if not flagged:
        return
    stdout.print()
    table = Table(box=None, padding=(0, 2, 0, 0))
    table.add_column("item", no_wrap=True)
    table.add_column("near rows", justify="right")
    with_q = any(item.q_value is not None for item in flagged)
    if with_q:
        table.add_column("expected", justify="right")
        table.add_column("q", justify="right")
    for item in flagged[:ITEMS]:
        expected = "" if item.expected is None else f"{item.expected:.1f}"
        q = "" if item.q_value is None else f"{item.q_value:.2g}"
        table.add_row(Text(_clean(item.item_id)), f"{item.near_rows:,}", *((expected, q) if with_q else ()))
    print_whole(table)
    if len(flagged) > ITEMS:
        _say(f"{len(flagged) - ITEMS:,} more flagged items; --json has them.")


def _clean(text: str) -> str:
    """Return `text` on one line, without what could steer a terminal."""
    flat = _SPACE.sub(" ", text)
    return "".join(letter if letter.isprintable() else "\ufffd" for letter in flat)


def _say(line: str) -> None:
    stdout.print(_clean_line(line), markup=False, soft_wrap=True)


def _clean_line(line: str) -> str:
    return "".join(letter if letter.isprintable() else "\ufffd" for letter in line)
