"""What was screened, handed in, ruled and withdrawn, as records; every one ever kept.

Which of them counts where several speak of the same is the reader's question, and is answered where it is asked.
"""

from __future__ import annotations

from fairtrial.ledger.recorded import read_all
from fairtrial.ledger.store import Ledger
from fairtrial.records import Ruling, Screening, Submission, Withdrawal


def all_screenings(ledger: Ledger) -> tuple[Screening, ...]:
    """Return every screening, in the order in which they were recorded."""
    return read_all(ledger, "screenings", Screening)


def all_submissions(ledger: Ledger) -> tuple[Submission, ...]:
    """Return every submission, in the order in which they were recorded."""
    return read_all(ledger, "submissions", Submission)


def all_rulings(ledger: Ledger) -> tuple[Ruling, ...]:
    """Return every ruling of judges and persons, in the order in which they were recorded."""
    return read_all(ledger, "rulings", Ruling)


def all_withdrawals(ledger: Ledger) -> tuple[Withdrawal, ...]:
    """Return every withdrawal of results, in the order in which they were recorded."""
    return read_all(ledger, "withdrawals", Withdrawal)
