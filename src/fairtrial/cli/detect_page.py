"""What `fairtrial detect` prints on a terminal: the suspected first, each with its claims and the words it cites."""

from __future__ import annotations

from collections.abc import Sequence

from fairtrial.attack.detectors import SUSPECTED, Detected, Hit
from fairtrial.attack.detectors.comparing import Examined
from fairtrial.cli.detect_sources import Source, Unread
from fairtrial.cli.output import stdout

_MOST_CLAIMS = 3
_MOST_QUOTES = 3
_WEAK = 0.2
"""A lead below this is counted and shown with the others only."""

Row = tuple[Source, Examined, Detected]


def print_page(rows: Sequence[Row], unread: Sequence[Unread], everything: bool) -> None:
    """Print counts, then every suspected rollout, worst first; with `everything` the weaker leads too."""
    ranked = sorted(rows, key=lambda row: (-row[2].score, row[0].task, row[0].path))
    suspected = [row for row in ranked if row[2].suspected]
    weaker = [row for row in ranked if not row[2].suspected and row[2].hits]
    _say(f"{len(suspected)} of {len(rows)} rollouts suspected (score {SUSPECTED:g} or more), {len(weaker)} with weaker "
         f"leads, {len(rows) - len(suspected) - len(weaker)} without any; {len(unread)} not read")  # fmt: skip
    _say("A hit is a lead: only a review confirms a hack.")
    for row in [*suspected, *(weaker if everything else [])]:
        _print_row(row)
    if weaker and not everything:
        _say(f"\n{len(weaker)} weaker leads are not shown; --all shows them.")


def _print_row(row: Row) -> None:
    source, examined, what = row
    steps = ", ".join(map(str, what.steps))
    _say(f"\n{'▲' if what.suspected else '△'} {what.score:.2f}  {source.path}")
    _say(f"  {source.task}: {what.group.replace('_', ' ')}, step{'s' * (len(what.steps) > 1)} {steps}")
    for hit in _shown(what):
        _say(f"  · {hit.claim} ({hit.detector}, {hit.score:.2f})")
        for citation in hit.citations[:_MOST_QUOTES]:
            _say(f"      {_one_line(citation.text)}")
    if examined.unread:
        _say(f"  ▢ not measured: {', '.join(examined.unread[:3])}")


def _shown(what: Detected) -> list[Hit]:
    """Return the claims of the strongest group, then others that are worth a line."""
    own = [hit for hit in what.hits if hit.group == what.group]
    return [*own, *(hit for hit in what.hits if hit.group != what.group and hit.score >= _WEAK)][:_MOST_CLAIMS]


def _one_line(text: str) -> str:
    """Return a quote without what would break a line or move the cursor.

    >>> _one_line("[step 3 call 1] a\\x1b[2J\\n b")
    '[step 3 call 1] a\\ufffd[2J b'
    """
    flat = " ".join(text.split())
    return "".join(letter if letter.isprintable() else "\ufffd" for letter in flat)


def _say(line: str) -> None:
    stdout.print(line, markup=False, soft_wrap=True)
