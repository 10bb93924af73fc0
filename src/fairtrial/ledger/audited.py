"""What people and judges said, as records: reviews, samples, preferences, sign-offs, inspections; every one ever kept.

Who counts where several spoke is the reader's question, and is answered where it is asked.
"""

from __future__ import annotations

from fairtrial.ledger.recorded import read_all, rows
from fairtrial.ledger.store import Ledger
from fairtrial.records import Draw, Inspection, Preference, Review, Sample, Signoff, Stratum


def all_reviews(ledger: Ledger) -> tuple[Review, ...]:
    """Return every review, void ones too, in the order in which they were recorded."""
    return read_all(ledger, "reviews", Review)


def all_preferences(ledger: Ledger) -> tuple[Preference, ...]:
    """Return every comparison of two rollouts, in the order in which they were recorded."""
    return read_all(ledger, "preferences", Preference)


def all_signoffs(ledger: Ledger) -> tuple[Signoff, ...]:
    """Return every statement about a part of a task, in the order in which they were recorded."""
    return read_all(ledger, "signoffs", Signoff)


def all_inspections(ledger: Ledger) -> tuple[Inspection, ...]:
    """Return every answer to an item of a checklist, in the order in which they were recorded."""
    return read_all(ledger, "inspections", Inspection)


def all_samples(ledger: Ledger) -> tuple[Sample, ...]:
    """Return every sample, in the order in which they were drawn."""
    found = []
    for row in rows(ledger, "samples"):
        row["by"] = tuple(row["by"] or ())
        row["strata"] = tuple(Stratum(**stratum) for stratum in row["strata"] or ())
        row["rows"] = tuple(Draw(**draw) for draw in row["rows"] or ())
        known = {name: row[name] for name in Sample.__dataclass_fields__ if row.get(name) is not None}
        found.append(Sample(**known))
    return tuple(found)
