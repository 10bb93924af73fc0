"""Read from a ledger what people and judges said of its rollouts, for the report: error rates, and examples."""

from __future__ import annotations

from fairtrial.audit.estimating import Sources, estimate, read_material
from fairtrial.ledger import Ledger, connect
from fairtrial.report.examples import read_examples
from fairtrial.report.subject import Audited


def read_audited(ledger: Ledger) -> Audited:
    """Return what the audit of `ledger` came to; where it holds no review, that nobody has looked."""
    if connect(ledger).execute("select 1 from reviews limit 1").fetchone() is None:
        return Audited()
    examples, answered = read_examples(ledger)
    return Audited(rates=estimate(read_material(ledger, Sources())), examples=examples, answered=answered)
