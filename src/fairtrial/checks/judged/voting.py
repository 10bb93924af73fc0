"""Ask a judge as often as stated, and decide by majority with a stated margin; votes that broke decide nothing.

The spread is told: the share of yes, σ of one vote, the standard error of the share, and Wilson's 95% interval, which
is no point even where all votes agree.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from typing import Any

from fairtrial.checks.judged.asking import Vote, ask_vote
from fairtrial.checks.judged.judges import Judges
from fairtrial.checks.judged.kept import keep_votes, kept_votes
from fairtrial.checks.judged.prompt import Question
from fairtrial.checks.protocol import CheckError

MOST_VOTES = 101
Z = 1.959964
MOST_REASONS = 12


@dataclass(frozen=True, slots=True)
class Judgement:
    """The votes on one question, and what they decide."""

    votes: tuple[Vote, ...]
    margin: int
    is_kept: bool = False
    """Read from verdicts kept on disk: nothing was asked."""

    def count(self, verdict: str) -> int:
        """Return how many votes say `verdict`."""
        return sum(vote.verdict == verdict for vote in self.votes)

    @property
    def broken(self) -> dict[str, int]:
        """Return how many votes broke, by reason."""
        return dict(Counter(vote.broken for vote in self.votes if vote.broken))

    @property
    def decided(self) -> bool | None:
        """Say yes or no, where one leads by the margin even if every broken vote were for the other; else None."""
        yes, no, open_ = self.count("yes"), self.count("no"), sum(self.broken.values())
        if yes - no - open_ >= self.margin:
            return True
        return False if no - yes - open_ >= self.margin else None

    @property
    def share(self) -> float | None:
        """Return the share of yes among the votes that did not break; None where all did."""
        graded = self.count("yes") + self.count("no")
        return self.count("yes") / graded if graded else None

    def why_undecided(self) -> str:
        """Return why nothing is decided."""
        yes, no = self.count("yes"), self.count("no")
        if self.broken:
            first = next(vote for vote in self.votes if vote.broken)
            told = ", ".join(f"{count} {reason}" for reason, count in sorted(self.broken.items()))
            return f"{told} of {len(self.votes)} votes ({yes} yes, {no} no): {first.why}"
        return f"disagreement: {yes} yes and {no} no of {len(self.votes)} votes, and the margin is {self.margin}"

    def spread(self) -> dict[str, Any]:
        """Return counts, σ, standard error and interval as JSON."""
        graded = self.count("yes") + self.count("no")
        found: dict[str, Any] = {"votes": len(self.votes), "yes": self.count("yes"), "no": self.count("no")}
        found |= {"margin": self.margin, "broken": self.broken, "kept": self.is_kept}
        if self.share is not None:
            low, high = wilson(self.share, graded)
            sigma = math.sqrt(self.share * (1 - self.share))
            found |= {"share": self.share, "sigma": sigma, "standard_error": sigma / math.sqrt(graded)}
            found |= {"low": low, "high": high}
        return found

    def reasons(self, verdict: str) -> list[dict[str, Any]]:
        """Return the reasons of the first vote for `verdict`, each with what it cites."""
        vote = next((vote for vote in self.votes if vote.verdict == verdict), Vote())
        return [
            {
                "claim": reason.claim[:400],
                "cites": [vote.citations[n - 1].model_dump(exclude_defaults=True) for n in reason.cites],
            }
            for reason in vote.reasons[:MOST_REASONS]
        ]


def judge(judges: Judges, question: Question, votes: int = 1, margin: int = 1) -> Judgement:
    """Return `votes` verdicts on `question`, from those kept where the same was asked before.

    Raise CheckError for counts that make no sense.
    """
    refuse_senseless(votes, margin)
    found = kept_votes(judges, question, votes)
    if found is not None:
        return Judgement(found, margin, is_kept=True)
    judgement = Judgement(tuple(voted(judges, question, votes)), margin)
    if not judgement.broken or judgement.decided is not None:
        keep_votes(judges, question, judgement.votes)
    return judgement


def refuse_senseless(votes: int, margin: int) -> None:
    """Raise CheckError for a number of votes, or a margin, that makes no sense."""
    if not 1 <= margin <= votes <= MOST_VOTES:
        raise CheckError(f"a margin of {margin} of {votes} votes makes no sense: 1 <= margin <= votes <= {MOST_VOTES}")


def voted(
    judges: Judges, question: Question, votes: int, ask: Callable[[Judges, Question], Vote] = ask_vote
) -> Sequence[Vote]:
    """Return `votes` askings, as many at once as `judges` allows."""
    at_once = max(1, min(judges.at_once, votes))
    if at_once == 1:
        return [ask(judges, question) for _ in range(votes)]
    with ThreadPoolExecutor(at_once) as pool:
        return list(pool.map(lambda _: ask(judges, question), range(votes)))


def wilson(share: float, n: int) -> tuple[float, float]:
    """Return Wilson's 95% interval of a share of `n`.

    >>> [round(end, 3) for end in wilson(1.0, 3)]
    [0.439, 1.0]
    """
    middle = (share + Z * Z / (2 * n)) / (1 + Z * Z / n)
    half = Z / (1 + Z * Z / n) * math.sqrt(share * (1 - share) / n + Z * Z / (4 * n * n))
    return max(0.0, middle - half), min(1.0, middle + half)
