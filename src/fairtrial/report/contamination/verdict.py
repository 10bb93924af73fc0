"""The answer of a scan in one sentence, one paragraph and one table on a scale from 0 to 100%.

Everything that is flagged is a lead: a likeness was measured, not how it came about. A set with no flag is not called
clean; the paragraph says what was compared and names what was not.
"""

from __future__ import annotations

from typing import Any

from fairtrial.contamination.document import Scan, SetThreshold, Shares
from fairtrial.report.data import Fact, Span, State, VerdictPart, VerdictRow
from fairtrial.report.numbers import NOT_MEASURED, count, of, p_value, percent, percent_interval, rounded
from fairtrial.report.words import plural, verb


def verdict_of(scan: Scan) -> VerdictPart:
    """Return the verdict of a scan."""
    side = (
        Fact("n", f"{plural(scan.train_rows, 'training row')}, {plural(scan.n_items, 'item')}"),
        Fact("Not compared", plural(scan.unreadable_rows, "unreadable row")),
        Fact("Severity", "lead"),
    )
    rows = (
        _rows_flagged(scan),
        _items_touched(scan),
        _share(scan),
        *(_rate(scan, each) for each in scan.thresholds[:1]),
    )
    return VerdictPart(sentence=sentence(scan), paragraph=_paragraph(scan), rows=rows, side=side)


def sentence(scan: Scan) -> str:
    """Return what the scan found, in one sentence that claims no more than it measured."""
    if not scan.measured:
        return "Nothing could be compared."
    if scan.flagged and not scan.found:
        return (
            f"{of(scan.flagged_rows, scan.train_rows)} training rows are flagged, no more than chance flags, and none "
            "word for word."
        )
    if scan.flagged:
        items = {pair.flag.item_id for pair in scan.flagged}
        return (
            f"{of(scan.flagged_rows, scan.train_rows)} training rows, "
            f"{percent(scan.flagged_rows / scan.train_rows)}, hold or reword {of(len(items), scan.n_items)} items."
        )
    if scan.distribution is not None and scan.distribution.stands_out:
        return "No single row is flagged, but the training set lies nearer to the items than to their decoys."
    return (
        f"None of {plural(scan.train_rows, 'training row')} is flagged with any of {plural(scan.n_compared, 'item')}."
    )


def _paragraph(scan: Scan) -> str:
    words = []
    if scan.flagged and scan.expected_false_rows is not None:
        few = scan.expected_false_rows < 1
        expected = "fewer than one" if few else f"about {rounded(scan.expected_false_rows, 0)}"
        words.append(
            f"At the rate asked for, {percent(scan.fpr)} of clean rows, {expected} would be flagged "
            "as reworded in a training set of this size that holds no item."
        )
    words += _distribution_words(scan.distribution)
    if scan.unreadable_rows:
        rows = scan.unreadable_rows
        words.append(f"{plural(rows, 'row')} could not be read and {verb(rows, 'was', 'were')} not compared.")
    return " ".join([*(word for word in words if word), "A likeness is a lead; it does not say who made it or why."])


def _distribution_words(shares: Shares | None) -> list[str]:
    """Return what items against decoys said: as a whole, and item by item."""
    if shares is None:
        return ["Whether the set is built around particular items was not measured."]
    called, p = items_called(shares), f"({p_words(shares.p_value)})"
    words = []
    if shares.stands_out:
        words.append(f"Against decoys, items draw more than chance explains {p}: the set looks built around items.")
    else:
        words.append(f"Against decoys, items as a whole draw no more than chance explains {p}.")
    if called:
        words.append(f"{plural(called, 'item')} {verb(called, 'draws', 'draw')} more rows than the decoys explain.")
        words.append(_of_called(shares))
    elif not shares.stands_out:
        words.append("Training on what a benchmark is about looks like this.")
    return words


def _of_called(shares: Shares) -> str:
    """Return what items called one by one say of the whole: nothing, unless they outdraw all decoys together."""
    dominant = int(shares.effects.get("items_dominant", 0))
    if dominant:
        draws = verb(dominant, "draws", "draw")
        return f"{count(dominant)} {draws} more than all decoys together: the set looks built around {_it(dominant)}."
    if shares.stands_out:
        return ""
    return f"A natural family of near copies looks the same: read the rows near {_it(items_called(shares))}."


def _it(number: int) -> str:
    return "it" if number == 1 else "them"


def items_called(shares: Shares) -> int:
    """Return how many items draw more rows than decoys explain."""
    return int(shares.effects.get("items_called", 0))


def _rows_flagged(scan: Scan) -> VerdictRow:
    share = scan.flagged_rows / scan.train_rows if scan.train_rows else None
    states: tuple[tuple[State, str], ...] = (("lead", "lead"),) if scan.flagged else ()
    return VerdictRow(
        key="rows", statement="Training rows flagged", detail="they hold an item word for word, or reword it",
        estimate=NOT_MEASURED if share is None else percent(share), interval="every row read",
        base=(of(scan.flagged_rows, scan.train_rows),), span=Span(value=share), states=states,
    )  # fmt: skip


def _items_touched(scan: Scan) -> VerdictRow:
    touched = len({pair.flag.item_id for pair in scan.flagged})
    share = touched / scan.n_items if scan.n_items else None
    states: tuple[tuple[State, str], ...] = (("lead", "lead"),) if touched else ()
    return VerdictRow(
        key="items", statement="Items with a flagged row", detail="at least one training row holds or rewords them",
        estimate=NOT_MEASURED if share is None else percent(share), interval="every item",
        base=(of(touched, scan.n_items),), span=Span(value=share), states=states,
    )  # fmt: skip


def _share(scan: Scan) -> VerdictRow:
    statement = "Near rows that lie near an item, not a decoy"
    shares = scan.distribution
    share: dict[str, Any] = dict(shares.effects.get("share", {})) if shares is not None else {}
    if shares is None or share.get("value") is None:
        why = "no row lies near" if shares is not None else "no fit decoys" if scan.n_decoys else "no decoys"
        command = "" if shares is not None else "fairtrial contamination scan TRAIN --against EVAL --decoys DECOYS"
        return VerdictRow(key="share", statement=statement, detail="", estimate=NOT_MEASURED, interval="",
                          base=(why,), span=Span(), command=command)  # fmt: skip
    state: tuple[State, str] = ("lead", "more than chance") if shares.stands_out else ("holds", "as chance has it")
    near = shares.eval_near + shares.decoy_near
    return VerdictRow(
        key="share", statement=statement,
        detail=f"{percent(share['expected'])} where nobody built around items; {p_words(shares.p_value)} "
        "by the best rows and the rows drawn",
        estimate=percent(share["value"]), interval=percent_interval(share["low"], share["high"]),
        base=(f"{of(shares.eval_near, near)} near rows",),
        span=Span(share["value"], share["low"], share["high"]), states=(state,),
    )  # fmt: skip


def _rate(scan: Scan, threshold: SetThreshold) -> VerdictRow:
    by_control = threshold.n_control > 0 and threshold.holds
    why = "no control" if threshold.holds else "control unlike the training rows"
    return VerdictRow(
        key="rate", statement="Clean rows that may be flagged as reworded", detail=threshold.how,
        estimate=percent(scan.fpr) if by_control else NOT_MEASURED, interval="asked for" if by_control else "",
        base=(f"{count(threshold.n_control)} control rows",) if by_control else (why,),
        span=Span(scan.fpr) if by_control else Span(),
        command="" if by_control else "fairtrial contamination scan TRAIN --against EVAL --control CONTROL",
    )  # fmt: skip


def p_words(probability: float) -> str:
    """Return a p value as it stands in a sentence.

    >>> p_words(0.0442), p_words(1e-9)
    ('p = 0.044', 'p < 0.001')
    """
    text = p_value(probability)
    return f"p {text}" if text.startswith("<") else f"p = {text}"
