"""Read a value off a page that is asked for in words: the words a model quotes, which must stand there.

The model finds and never decides: what it quotes is compared with what is expected by `fairtrial.compare`, without it.
"""

from __future__ import annotations

from collections import Counter
from typing import Any

from fairtrial.checks.judged.asking import NOTHING, Vote, ask_value
from fairtrial.checks.judged.citations import plain
from fairtrial.checks.judged.judges import Judges
from fairtrial.checks.judged.kept import keep_votes, kept_votes
from fairtrial.checks.judged.prompt import Question
from fairtrial.checks.judged.sources import text_source
from fairtrial.checks.judged.voting import refuse_senseless, voted
from fairtrial.checks.protocol import CheckError
from fairtrial.checks.reading import WorkError, said
from fairtrial.checks.state.workflows import Asks, Seen


def reader(judges: Judges, votes: int, margin: int = 1) -> Asks:
    """Return what reads values off pages with `judges`. Raise CheckError for counts that make no sense."""
    refuse_senseless(votes, margin)

    def asks(words: str, seen: Seen) -> tuple[str, dict[str, Any]]:
        question = Question(
            asks=f"What is to be found: {words}", verdicts=(),
            sources=(text_source("A1", f"page {seen.url}", f"{seen.title}\n{seen.text}"),),
        )  # fmt: skip
        found = kept_votes(judges, question, votes)
        if found is None:
            found = tuple(voted(judges, question, votes, ask_value))
            if not any(vote.broken for vote in found):
                keep_votes(judges, question, found)
        return _agreed(found, margin, words)

    return asks


def _agreed(votes: tuple[Vote, ...], margin: int, words: str) -> tuple[str, dict[str, Any]]:
    """Return the value that leads by `margin`. Raise WorkError where that is none, CheckError for no lead."""
    broken = [vote for vote in votes if vote.broken]
    counts = Counter(plain(vote.verdict) for vote in votes if not vote.broken)
    (value, first), (_, second) = [*counts.most_common(2), ("", 0), ("", 0)][:2]
    if first - second - len(broken) < margin:
        why = f"{broken[0].broken}: {broken[0].why}" if broken else f"disagreement: {dict(counts)}"
        raise CheckError(f"{said(words)} was read {len(votes)} times, and {why}"[:500])
    if value == NOTHING:
        raise WorkError(f"{said(words)} is not to be found on the page, or has several values")
    vote = next(vote for vote in votes if not vote.broken and plain(vote.verdict) == value)
    cites = [citation.model_dump(exclude_defaults=True) for citation in vote.citations]
    return value, {"read": words, "cites": cites, "votes": len(votes), "agree": first}
