"""Whose verdicts a reader has been shown: of these rollouts they can no longer say anything blind.

A sample that is closed shows its readers the verdicts of their rows. It may be opened again (another reader is named)
or grow, and its rollouts may come back as pairs; what was shown stays shown.
"""

from __future__ import annotations

from collections.abc import Iterable

from fairtrial.audit.status import SampleStatus, status
from fairtrial.records import Review, Sample


def unblinded(
    reader: str, reviews: Iterable[Review], current: SampleStatus, others: Iterable[Sample]
) -> frozenset[str]:
    """Return the ids of the rollouts whose verdicts `reader` has been shown.

    Those are the ones they have looked at again, their rows of the sample under review where it is closed, and those of
    every other sample that was closed among the people who read it.
    """
    said = tuple(reviews)
    seen = {one.rollout for one in said if (one.reviewer, one.kind, one.stage) == (reader, "person", "informed")}
    for stands in (current, *(status(sample, said) for sample in others)):
        if stands.is_closed:
            seen |= set(stands.of(reader).rows)
    return frozenset(seen)
