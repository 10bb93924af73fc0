"""The scripts that decide, found where the agent can read them: a lead, since reading a grader is not yet beating it.

The reference's work is handed in, so that the finding appears only where there is a verdict to be had. Tests that the
instruction speaks of are the agent's to read.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from fairtrial.attack.card import Card
from fairtrial.attack.leaks.excuses import readable
from fairtrial.attack.leaks.finds import Answer
from fairtrial.attack.leaks.submissions import by_reference
from fairtrial.attack.protocol import Submission
from fairtrial.attack.target import Target

MOST_FILES = 200
_TESTS = re.compile(r"\btests?\b", re.IGNORECASE)

CARD = Card(
    id="grader_found",
    family="leak",
    surface="workspace",
    submits="the reference's work, where the scripts that decide lie readable in the box",
    sound="is not readable before it grades",
    proof="Never: that an agent gets past by reading it is not shown. A lead that names the place.",
    classes=("BGW-116", "TRACE-6"),
)


@dataclass(frozen=True, slots=True)
class GraderFound:
    """Look for the grader."""

    card: Card = CARD

    def submissions(self, target: Target) -> Iterator[Submission]:
        """Yield one submission for each deciding script that lies readable: test.sh, and what it names."""
        tests = target.key.steps[-1].tests
        entry = (tests / "test.sh").read_bytes().decode("utf-8", "replace")
        if _TESTS.search(target.task.instruction):
            return
        pieces = readable(target)
        for path in sorted(tests.rglob("*"))[:MOST_FILES]:
            if not path.is_file() or path.is_symlink() or not (path.name == "test.sh" or path.name in entry):
                continue
            answer = Answer(path.name, path.read_bytes(), None)
            find = next((find for piece, _ in pieces if (find := answer.find_in(piece)) is not None), None)
            if find is not None and answer.is_telling:
                yield by_reference(
                    target,
                    f"{path.name}: {find.piece.place}",
                    f"right work, though an agent can read the grader's {path.name} in {find.piece.place},",
                )


PROBE = GraderFound()
