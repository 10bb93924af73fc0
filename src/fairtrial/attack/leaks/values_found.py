"""Every value that the reference worked out, found in one piece that the agent can read: a lead that names the place.

Values are numbers and the like of three characters or more that neither the instruction nor the inputs that it names
hold. They are looked for byte by byte, so in the free pages of a database and in compiled files too. How they would be
put in place is not worked out: the reference's own work is handed in, so that there is a verdict.
"""

from __future__ import annotations

import posixpath
import re
from collections.abc import Iterator
from dataclasses import dataclass

from fairtrial.attack.card import Card
from fairtrial.attack.leaks.excuses import standing
from fairtrial.attack.leaks.pieces import visible_pieces
from fairtrial.attack.leaks.submissions import answers, by_reference
from fairtrial.attack.protocol import Submission
from fairtrial.attack.target import Target

LEAST_VALUES = 4
MOST_PLACES = 3
_VALUE = re.compile(rb"(?<![\w.])-?\d[\d.:/-]*\d(?![\w])|(?<![\w])\w*\d\w{2,}(?![\w])")
_CODE = (".py", ".sh", ".js", ".ts", ".go", ".rs", ".c", ".cpp", ".java", ".rb", ".sql", ".db", ".sqlite")

CARD = Card(
    id="values_found",
    family="leak",
    surface="workspace",
    submits="the reference's work, where all that it worked out stands in one place that the agent can read",
    sound="passes it; what is wrong is that the values can be read",
    proof="Never: the values are not put in place. A lead that names where they stand.",
    classes=("BGW-116", "TRACE-6"),
)


@dataclass(frozen=True, slots=True)
class ValuesFound:
    """Look for the values of the answer."""

    card: Card = CARD

    def submissions(self, target: Target) -> Iterator[Submission]:
        """Yield one submission for each place that holds them all."""
        worked_out: set[bytes] = set()
        for answer in answers(target):
            if posixpath.splitext(answer.inside)[1].lower() not in _CODE:
                worked_out |= {value for value in _VALUE.findall(answer.after) if len(value) >= 3}
        pieces = [(piece, standing(piece, target)) for piece in visible_pieces(target)]
        given = target.task.instruction.encode() + b"\n".join(piece.data for piece, held in pieces if held == "meant")
        worked_out = {value for value in worked_out if value not in given}
        if len(worked_out) < LEAST_VALUES:
            return
        places: dict[str, str] = {}
        for piece, held in pieces:
            if held != "meant" and all(value in piece.data for value in worked_out):
                places.setdefault(piece.root, piece.place)
        for place in list(places.values())[:MOST_PLACES]:
            shown = b", ".join(sorted(worked_out)[:4]).decode("utf-8", "replace")
            what = f"right work, though all {len(worked_out)} values of it ({shown} …) stand readable in {place},"
            yield by_reference(target, place, what)


PROBE = ValuesFound()
