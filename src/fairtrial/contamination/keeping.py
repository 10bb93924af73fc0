"""A scan or a split kept in a ledger: a screening that names what was looked at by content, the document as a blob."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping, Sequence
from datetime import UTC, datetime
from typing import Any

from fairtrial.contamination.document import Scan, Source
from fairtrial.contamination.split import Split
from fairtrial.ledger import Ledger
from fairtrial.records import Screening
from fairtrial.records.identity import canonical_json


def hash_of(sources: Sequence[Source]) -> str:
    """Return the content address of several files, whatever their names and order; of one file its own."""
    hashes = sorted({source.hash for source in sources})
    if len(hashes) == 1:
        return hashes[0]
    return f"sha256:{hashlib.sha256(''.join(hashes).encode()).hexdigest()}"


def summary_of(scan: Scan) -> str:
    """Return in one sentence what a scan found."""
    read = f"{scan.train_rows:,} training rows against {scan.n_items:,} items"
    if not scan.measured:
        return f"nothing could be compared: {read}"
    if not scan.found and not scan.flagged:
        return f"nothing flagged: {read}"
    parts = []
    if scan.flagged:
        items = len({pair.flag.item_id for pair in scan.flagged})
        parts.append(f"{scan.flagged_rows:,} of {scan.train_rows:,} training rows flagged, with {items:,} of "
                     f"{scan.n_items:,} items{_by_chance(scan)}")  # fmt: skip
    concentrated = sum(item.q_value is not None and item.q_value <= scan.level for item in scan.items)
    if concentrated:
        parts.append(f"{concentrated:,} {'item' if concentrated == 1 else 'items'} with more rows near than the decoys "
                     "explain")  # fmt: skip
    dominant = int(scan.distribution.effects.get("items_dominant", 0)) if scan.distribution is not None else 0
    if dominant:
        parts.append(f"{dominant:,} with more than all decoys together")
    if scan.distribution is not None and scan.distribution.stands_out:
        parts.append(f"the training set lies nearer to the evaluation set than to its decoys "
                     f"(p = {scan.distribution.p_value:.2g})")  # fmt: skip
    return "; ".join(parts) or "flagged"


def _by_chance(scan: Scan) -> str:
    """Say how many clean rows would be flagged at this rate, for all of them may be of these."""
    expected = scan.expected_false_rows
    if expected is None:
        return ""
    verbatim = len({pair.flag.train_row for pair in scan.flagged if pair.flag.detector == "verbatim"})
    if not scan.found:
        return f" (0 word for word; no more than chance flags of clean rows at this rate, about {_rough(expected)})"
    return f" ({verbatim:,} word for word; of clean rows about {_rough(expected)} are flagged at this rate)"


def _rough(count: float) -> str:
    """Return a count that is a rate times rows.

    >>> _rough(37.29), _rough(0.032)
    ('37', '0.03')
    """
    return f"{count:,.0f}" if count >= 1 else f"{count:.1g}"


def holds_of(scan: Scan) -> bool | None:
    """Return what a screening of this scan holds: None where nothing could be compared."""
    if scan.found:
        return False
    return True if scan.measured else None


def screening_of(scan: Scan, document: str, *, model: str = "", suite: str = "") -> Screening:
    """Return the record of `scan`, whose JSON document lies at the address `document`."""
    settings = {"fpr": scan.fpr, "level": scan.level, "seed": scan.seed, "versions": dict(scan.versions),
                "thresholds": [one.document() for one in scan.thresholds]}  # fmt: skip
    return Screening(
        kind="scan",
        subject=", ".join(source.path for source in scan.train),
        subject_hash=hash_of(scan.train),
        holds=holds_of(scan),
        summary=summary_of(scan),
        against=", ".join(source.path for source in scan.against),
        against_hash=hash_of(scan.against),
        model=model,
        suite=suite,
        not_measured=scan.abstained,
        document=document,
        settings=canonical_json(settings).decode(),
        recorded_at=datetime.now(UTC).isoformat(),
    )


def keep(scan: Scan, ledger: Ledger, *, model: str = "", suite: str = "") -> Screening:
    """Keep `scan` in `ledger`, its document first, and return the record."""
    screening = screening_of(scan, ledger.put_blob(canonical_json(scan.document())), model=model, suite=suite)
    ledger.append("screenings", [screening])
    return screening


def keep_split(found: Split, document: Mapping[str, Any], ledger: Ledger) -> Screening:
    """Keep a split, made or checked, in `ledger`, its document first, and return the record."""
    rows = f"{len(found.units):,} rows"
    if found.straddling:
        summary = f"of {rows}, groups of near copies on two sides: {len(found.straddling):,}"
    elif found.is_split:
        summary = f"of {rows}, no group of near copies lies on two sides"
    else:
        summary = f"{rows} are on one side alone"
    screening = Screening(
        kind="split",
        subject=", ".join(source.path for source in found.sources),
        subject_hash=hash_of(found.sources),
        holds=False if found.straddling else True if found.is_split else None,
        summary=summary,
        not_measured=found.near.not_measured,
        document=ledger.put_blob(canonical_json(document)),
        settings=canonical_json({"threshold": found.near.threshold, "seed": found.seed, "share": found.share}).decode(),
        recorded_at=datetime.now(UTC).isoformat(),
    )
    ledger.append("screenings", [screening])
    return screening
