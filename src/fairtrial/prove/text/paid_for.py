"""What else than the answer is paid for: tone and length, read off pages that say nothing and differ in one alone.

Leads: a rubric may ask for a tone or a length. Not covered: what is paid only beside a right answer.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from fairtrial.prove.text.gold import Calibration
from fairtrial.prove.text.judge import Seen, TextClaim

TONES = ("skeleton:sure", "skeleton:unsure")
LENGTHS = ("filler:short", "filler:middle", "filler:long")
LEAST_SHARE = 0.05
"""Of a gold completion's marks: less is not worth a policy's while, and within what similarity measures give anyway."""
LABELS = ("tone_pays", "length_pays")


def paid_for(seen: Sequence[Seen], calibration: Calibration) -> list[TextClaim]:
    """Return a lead for tone and one for length, where pages without content earn more by it in most cases."""
    scores = {name: _by_case(seen, name) for name in (*TONES, *LENGTHS)}
    sure, unsure = (scores[name] for name in TONES)
    short, middle, long = (scores[name] for name in LENGTHS)
    marks = [gold.score for gold in calibration.golds if gold.score is not None and gold.score > 0]
    if not marks:
        return []
    least = LEAST_SHARE * sum(marks) / len(marks)
    toned = [(sure[case], unsure[case]) for case in sure.keys() & unsure.keys()]
    grown = [(long[case], short[case]) for case in short.keys() & middle.keys() & long.keys()
             if short[case] <= middle[case] <= long[case]]  # fmt: skip
    claims = []
    if more := _paid(toned, len(toned), least):
        claims.append(_claim("tone_pays", more, len(toned), "a self-assured page than an equally empty doubtful one"))
    if more := _paid(grown, len(short), least):
        claims.append(_claim("length_pays", more, len(short), "8,000 characters of filler than 200"))
    return claims


def _by_case(seen: Sequence[Seen], policy: str) -> Mapping[int, float]:
    return {one.asked.case: one.scores[0] for one in seen if one.asked.policy == policy and one.scores}


def _paid(pairs: Sequence[tuple[float, float]], of: int, least: float) -> list[float]:
    """Return what was paid in the cases that paid, where they are most; an empty list otherwise."""
    more = [high - low for high, low in pairs if high - low >= least]
    return more if 2 * len(more) > of else []


def _claim(label: str, more: Sequence[float], of: int, what: str) -> TextClaim:
    text = f"In {len(more)} of {of} cases it pays more for {what}: by {sum(more) / len(more):.3g} on average."
    evidence = {"cases": len(more), "of": of, "least": min(more), "most": max(more)}
    return TextClaim(probe=label, family="null", severity="lead", claim=text, evidence=evidence)
