"""What is known of the grader that chose the rows: error rates by reviews, proofs; and contamination screenings.

Not measured is said with the reason; it is never taken for clean. Rates are those of all graded rollouts that the set
was chosen from: what a review objects to was left out of the set, so a set that was reviewed is better than its rate.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import Any

from fairtrial.audit.estimating import ErrorRates, Sources, estimate, read_material
from fairtrial.audit.sampling import Population
from fairtrial.ledger import Ledger
from fairtrial.ledger.audited import all_reviews
from fairtrial.ledger.proven import all_proofs
from fairtrial.ledger.screened import all_screenings
from fairtrial.records import Estimate, Screening
from fairtrial.train.sets.options import Options
from fairtrial.train.sets.pool import Entry


def error_rates(ledger: Ledger, options: Options) -> ErrorRates | None:
    """Return the error rates of the verdicts that the set was chosen by; None where nothing was reviewed."""
    if not all_reviews(ledger):
        return None
    population = Population(suite=options.suite, models=options.models, tasks=options.tasks)
    return estimate(read_material(ledger, Sources(population=population)))


def grader_document(rates: ErrorRates | None, entries: Sequence[Entry], ledger: Ledger) -> dict[str, Any]:
    """Return what is known of the grader, as JSON."""
    unknown = Estimate(value=None, low=None, high=None, n=0, method="not measured: nothing was reviewed",
                       unit="rollouts")  # fmt: skip
    proofs = {(one.task, one.task_hash): one.status for one in all_proofs(ledger)}
    tasks = {(entry.task, entry.task_hash) for entry in entries}
    return {
        "graders": sorted({entry.grader for entry in entries if entry.grader}),
        "false_pass_rate": (rates.false_pass_rate if rates else unknown).document(),
        "false_fail_rate": (rates.false_fail_rate if rates else unknown).document(),
        "sentence": rates.sentence if rates else "Nobody has looked at these verdicts: how often they are wrong is not "
                                                 "measured.",
        "proofs": dict(sorted(Counter(proofs.get(task, "not_measured") for task in tasks).items())),
    }  # fmt: skip


def screening_documents(ledger: Ledger, hashes: Sequence[str]) -> list[dict[str, Any]]:
    """Return the last screening of each subject as JSON; `of_this_set` where it looked at a file of these hashes."""
    last: dict[tuple[str, ...], Screening] = {}
    for one in all_screenings(ledger):
        last[one.kind, one.subject_hash, one.against_hash, one.model] = one
    return [
        {"kind": one.kind, "subject": one.subject, "subject_hash": one.subject_hash, "against": one.against,
         "holds": one.holds, "summary": one.summary, "not_measured": list(one.not_measured),
         "of_this_set": one.subject_hash in hashes}
        for _, one in sorted(last.items())
    ]  # fmt: skip
