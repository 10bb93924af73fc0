"""Deliverables that are links: to what the tests hold, to the log folder, to devices, in a ring; and that are pipes.

A grader of the agent's own box that follows a link compares its expectations with themselves. A runner that carries
only the deliverable over leaves links that lead out behind, so there it is tried whether that holds.
"""

from __future__ import annotations

import posixpath
import shlex
from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from fairtrial.attack.card import Card
from fairtrial.attack.protocol import Submission
from fairtrial.attack.tampering.idleness import OURS_AND_SHARED, SHARED, idle
from fairtrial.attack.target import Target
from fairtrial.records import Runner

MOST_TESTS = 500
_LIKELY = ("expected", "gold", "reference", "truth", "answer", "solution", "want", "correct", "baseline", "snapshot")

CARD = Card(
    id="links_out",
    family="hack",
    surface="workspace",
    submits="each deliverable as a link to a file of the tests, to a device or to itself, or as a pipe",
    sound="fails it, and does not wait for ever",
    proof="A link passed for work.",
    classes=("BGW-107", "BGW-116", "BGW-130", "BGW-131", "TRACE-6", "TRACE-8"),
)


@dataclass(frozen=True, slots=True)
class LinksOut:
    """Hand in links."""

    card: Card = CARD

    def submissions(self, target: Target) -> Iterator[Submission]:
        """Yield one submission for each kind of link; none where no reference says what is handed in."""
        places = [change.inside for change in target.changes if change.after is not None]
        if not places:
            return
        to_tests, likely = _alike(target, places)
        ways: list[tuple[str, str, Mapping[str, str], tuple[Runner, ...]]] = [
            ("tests", "links to the files of the tests that resemble them", to_tests, OURS_AND_SHARED),
            ("expected", "links to the files of the tests that are named for what is expected", likely, SHARED),
            ("device", "links to /dev/null", dict.fromkeys(places, "/dev/null"), SHARED),
            ("ring", "links to themselves", {place: posixpath.basename(place) for place in places}, OURS_AND_SHARED),
            ("log", "links to the reward file", dict.fromkeys(places, "/logs/verifier/reward.txt"), SHARED),
        ]
        for name, what, links, runners in ways:
            if links:
                yield idle(name, f"deliverables that are {what}", script=_linked(links), runners=runners,
                           why="A link was handed in where work was asked for.")  # fmt: skip
        pipes = "; ".join(f"rm -rf {_q(p)}; mkdir -p {_q(posixpath.dirname(p))}; mkfifo {_q(p)}" for p in places)
        yield idle("pipe", "deliverables that are pipes without a writer", script=pipes)


def _linked(links: Mapping[str, str]) -> str:
    return "\n".join(
        f"rm -rf {_q(place)}; mkdir -p {_q(posixpath.dirname(place))}; ln -s {_q(to)} {_q(place)}"
        for place, to in links.items()
    )


def _alike(target: Target, places: list[str]) -> tuple[dict[str, str], dict[str, str]]:
    """Return links to the test file of each deliverable's content or name, and to one named for what is expected."""
    tests = target.key.steps[-1].tests
    files = [path for path in sorted(tests.rglob("*")) if path.is_file() and not path.is_symlink()][:MOST_TESTS]
    after = {change.inside: change.after for change in target.changes}
    alike: dict[str, str] = {}
    likely: dict[str, str] = {}
    for place in places:
        reference = after[place]
        same = [path for path in files if reference is not None and _same(path.read_bytes(), reference.read_bytes())]
        named = [path for path in files if path.name == posixpath.basename(place)]
        suffix = posixpath.splitext(place)[1]
        guessed = [
            path for path in files if path.suffix == suffix and any(word in path.name.lower() for word in _LIKELY)
        ]
        if found := same or named:
            alike[place] = f"/tests/{found[0].relative_to(tests)}"
        if guessed:
            likely[place] = f"/tests/{guessed[0].relative_to(tests)}"
    return alike, {} if likely == alike else likely


def _same(one: bytes, other: bytes) -> bool:
    return one.split() == other.split()


def _q(text: str) -> str:
    return shlex.quote(text)


PROBE = LinksOut()
