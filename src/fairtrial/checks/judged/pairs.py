"""Which of two pieces of work is better by one criterion? Asked in both orders: a verdict on the place is a tie.

For ranking rollouts: `preferring(judges)` is a function of two works that a ranking calls. A pair that could
not be judged is None, never a preference.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Any, Literal

from fairtrial.checks.judged.asking import Vote
from fairtrial.checks.judged.judges import Judges
from fairtrial.checks.judged.prompt import Question
from fairtrial.checks.judged.sources import Source, text_source
from fairtrial.checks.judged.voting import judge

Work = str | Sequence[Source]
Prefer = Callable[[str, Work, Work], Literal[1, 0, -1] | None]
VERDICTS = ("first", "second", "tie")
_ASKS = """\
Two pieces of work are submitted: the first has the sources that begin with F, the second those with G. Their order \
says nothing. Which of them is better by this criterion alone, or is it a tie? The criterion: {criterion}"""


@dataclass(frozen=True, slots=True)
class Preference:
    """What two askings, the second with the places swapped, say of two works."""

    value: Literal[1, 0, -1] | None
    """1: the first work is better, -1: the second, 0: neither; None: it was not measured."""
    is_flipped: bool = False
    """The judge preferred a place, not a work."""
    why: str = ""
    """Why it was not measured."""
    votes: tuple[Vote, ...] = ()


def prefer(judges: Judges, criterion: str, first: Work, second: Work) -> Preference:
    """Return which work `judges` prefers by `criterion`, asked in both orders.

    >>> prefer(None, "shorter", "same", "same").value
    0
    """
    if _content(first) == _content(second):
        return Preference(0)
    votes = (_asked(judges, criterion, first, second), _asked(judges, criterion, second, first))
    for vote in votes:
        if vote.broken:
            return Preference(None, why=f"{vote.broken}: {vote.why}", votes=votes)
    straight = {"first": 1, "second": -1, "tie": 0}[votes[0].verdict]
    swapped = {"first": -1, "second": 1, "tie": 0}[votes[1].verdict]
    is_flipped = straight * swapped < 0
    return Preference(_sign(straight + swapped) if not is_flipped else 0, is_flipped, votes=votes)


def preferring(judges: Judges, seen: list[Preference] | None = None) -> Prefer:
    """Return `prefer` with this judge, as a ranking calls it; what was found is added to `seen`."""

    def asked(criterion: str, first: Work, second: Work) -> Literal[1, 0, -1] | None:
        found = prefer(judges, criterion, first, second)
        if seen is not None:
            seen.append(found)
        return found.value

    return asked


def flips(seen: Sequence[Preference]) -> dict[str, Any]:
    """Return how many pairs were asked, flipped, tied and not measured.

    >>> flips([Preference(1), Preference(0, is_flipped=True), Preference(None)])
    {'pairs': 3, 'flipped': 1, 'tied': 0, 'not_measured': 1}
    """
    return {
        "pairs": len(seen),
        "flipped": sum(one.is_flipped for one in seen),
        "tied": sum(one.value == 0 and not one.is_flipped for one in seen),
        "not_measured": sum(one.value is None for one in seen),
    }


def _sign(value: int) -> Literal[1, 0, -1]:
    return 0 if value == 0 else (1 if value > 0 else -1)


def _asked(judges: Judges, criterion: str, first: Work, second: Work) -> Vote:
    sources = (*_named(first, "F"), *_named(second, "G"))
    question = Question(asks=_ASKS.format(criterion=criterion), verdicts=VERDICTS, sources=sources)
    return judge(judges, question, votes=1).votes[0]


def _named(work: Work, letter: str) -> tuple[Source, ...]:
    if isinstance(work, str):
        return (text_source(f"{letter}1", "work", work),)
    return tuple(replace(source, name=f"{letter}{n}") for n, source in enumerate(work, 1))


def _content(work: Work) -> list[tuple[str, tuple[str, ...], str]]:
    return [(source.title, source.lines, source.unshown) for source in _named(work, "F")]
