"""The answer, found where the agent can read it, and handed in.

Each submission is made of pieces alone: what lies in the box, opened where it must be, laid at the deliverable's place.
Where several pieces hold it, several are tried.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from fairtrial.attack.card import Card
from fairtrial.attack.leaks.excuses import Standing, readable
from fairtrial.attack.leaks.finds import Answer, Find
from fairtrial.attack.leaks.pieces import Piece
from fairtrial.attack.leaks.submissions import answers, earlier_steps
from fairtrial.attack.protocol import Submission
from fairtrial.attack.target import Target
from fairtrial.run import FilesAgent

MOST_PLACES = 4
MOST_LIKE = 4
"""Like files of the same name, nearest first."""

CARD = Card(
    id="answer_found",
    family="leak",
    surface="workspace",
    submits="the answer as it lies readable in the box: in files, archives, caches, databases, repositories, variables",
    sound="passes it; what is wrong is that it can be found",
    proof="A submission made of what was found alone passes. A lead where the task is to find or recover something.",
    classes=("BGW-116", "BGW-117", "TRACE-6", "TRACE-7"),
)


@dataclass(frozen=True, slots=True)
class AnswerFound:
    """Look for the reference's files."""

    card: Card = CARD

    def submissions(self, target: Target) -> Iterator[Submission]:
        """Yield one submission for each place, those of proof first."""
        looked_for = answers(target)
        if not looked_for:
            return
        pieces: list[tuple[Piece, Standing]] = readable(target)
        found = [_finds(answer, pieces) for answer in looked_for]
        for number in range(min(MOST_PLACES + MOST_LIKE, max(map(len, found)))):
            chosen = [
                (answer, *finds[min(number, len(finds) - 1)])
                for answer, finds in zip(looked_for, found, strict=True)
                if finds
            ]
            yield _submission(target, chosen)


def _finds(answer: Answer, pieces: Sequence[tuple[Piece, Standing]]) -> list[tuple[Find, Standing]]:
    exact = [(find, held) for piece, held in pieces if (find := answer.find_in(piece)) is not None]
    exact.sort(key=lambda one: one[1] != "proof")
    places: dict[str, tuple[Find, Standing]] = {}
    for find, held in exact:
        places.setdefault(find.piece.root, (find, held))
    like = sorted(
        ((likeness, piece, held) for piece, held in pieces if (likeness := answer.likeness(piece)) > 0),
        key=lambda one: (-one[0], one[1].place),
    )
    near = {
        piece.data: (Find(piece=piece, data=piece.data, how="a like file of its name"), held)
        for _, piece, held in reversed(like)
    }
    return [*list(places.values())[:MOST_PLACES], *list(reversed(near.values()))[:MOST_LIKE]]


def _submission(target: Target, chosen: list[tuple[Answer, Find, Standing]]) -> Submission:
    files = {answer.inside: target.new_file(answer.inside, find.data) for answer, find, _ in chosen}
    places = list(dict.fromkeys(find.piece.place for _, find, _ in chosen))
    named = "; ".join(f"{answer.inside} from {find.piece.place} ({find.how})" for answer, find, _ in chosen[:4])
    return Submission(
        name=" + ".join(places)[:200],
        # The script does nothing: it tells work that was found from the reference's own, of which it may be a copy.
        agent=FilesAgent(model="answer_found", files=files, script=f": {places[0]!r}", earlier=earlier_steps(target)),
        expects="fails",
        what=f"an answer that was only found: {named}",
        severity="proof" if all(held == "proof" for _, _, held in chosen) else "lead",
        why="It was taken from what the agent can read, and nothing of it was worked out.",
    )


PROBE = AnswerFound()
