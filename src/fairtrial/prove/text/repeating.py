"""Grade everything once apart, then again in company, and apart again what moved.

Apart, each completion has a process of its own: what it does to that process ends with it, and its verdict is the
grader's alone. In company, all go through one process with another hash seed and in another order, as a trainer makes
them. A score that moves there is graded apart again, to tell chance from what earlier completions left behind.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from fairtrial.prove.text.asking import Asked
from fairtrial.prove.text.cases import GraderCase
from fairtrial.prove.text.gold import SAME
from fairtrial.prove.text.harness import Call, Form, Graded, Harness, Round
from fairtrial.prove.text.judge import Seen

MOST_MOVED = 64
"""So many of the completions whose score moved are graded apart again."""
AGAIN = 4


def grade_all(
    harness: Harness, cases: Sequence[GraderCase], asked: Sequence[Asked], form: Form, repeats: int,
    on_graded: Callable[[int], None], on_more: Callable[[int], None],
) -> list[Seen]:  # fmt: skip
    """Return all that was asked with its gradings: `repeats` of each, more of those whose score moved."""
    calls = [Call(case=one.case, completion=one.submission.completion) for one in asked]
    apart = harness.grade(cases, calls, Round(form=form), on_graded)
    company = [
        harness.grade(cases, calls, Round(form=form, shared=True, hash_seed=number, shuffle=number), on_graded)
        for number in range(1, repeats)
    ]
    seen = [Seen(asked=one, apart=(apart[place],), company=tuple(run[place] for run in company))
            for place, one in enumerate(asked)]  # fmt: skip
    moved = [place for place, one in enumerate(seen) if _moved(apart[place], one.company)][:MOST_MOVED]
    on_more(AGAIN * len(moved))
    for number in range(repeats, repeats + AGAIN) if moved else ():
        again = harness.grade(cases, [calls[place] for place in moved], Round(form=form, hash_seed=number), on_graded)
        for place, graded in zip(moved, again, strict=True):
            one = seen[place]
            seen[place] = Seen(asked=one.asked, apart=(*one.apart, graded), company=one.company)
    return seen


def _moved(first: Graded, others: Sequence[Graded]) -> bool:
    """Say whether any of `others` is another score, or graded where the first is not."""
    scores = [one.score for one in (first, *others)]
    known = [score for score in scores if score is not None]
    return bool(known) and (len(known) < len(scores) or max(known) - min(known) > SAME)
