"""What reading the grader's source suggests, and whether a probe showed it. Pure: hits and proofs in, claims out.

A hit is proof only where one of the probes that it names got a wrong verdict; the command is then that probe's.
"""

from __future__ import annotations

from collections.abc import Sequence

from fairtrial.attack.reading import Hit, confirmed_by
from fairtrial.prove.judge import Claim


def judge_hits(hits: Sequence[Hit], claims: Sequence[Claim], only: str) -> list[Claim]:
    """Return a claim for each hit of the rules that `only` leaves in, strengthened by what the probes showed."""
    proofs = {claim.probe: claim for claim in claims if claim.severity == "proof"}
    return [_claim(hit, proofs) for hit in hits if only in ("", "static", hit.rule)]


def _claim(hit: Hit, proofs: dict[str, Claim]) -> Claim:
    confirming = confirmed_by(hit, proofs)
    shown = proofs[confirming[0]] if confirming else None
    told = f"`{confirming[0]}` shows it." if confirming else "No probe that would show it got past."
    return Claim(
        probe=hit.rule, family="static", severity="proof" if shown else "lead",
        claim=f"{hit.file}:{hit.line}: {hit.claim} {told}",
        evidence={"file": hit.file, "line": hit.line, "text": hit.text, "checked_by": list(hit.probes),
                  "shown_by": list(confirming)},
        runner=shown.runner if shown else "ours", shown_by=confirming[0] if confirming else "",
    )  # fmt: skip
