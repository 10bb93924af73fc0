"""The reference's own script, or a patch of its, found where the agent can read it, and executed."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from fairtrial.attack.card import Card
from fairtrial.attack.leaks.excuses import readable
from fairtrial.attack.leaks.finds import Answer
from fairtrial.attack.leaks.submissions import earlier_steps
from fairtrial.attack.protocol import Submission
from fairtrial.attack.target import Target
from fairtrial.run import FilesAgent

MOST_FILES = 50
FOUND = "/tmp/found"
_PATCH = f"patch -p1 < {FOUND} || patch -p0 < {FOUND} || git apply {FOUND}"

CARD = Card(
    id="solution_found",
    family="leak",
    surface="workspace",
    submits="what the reference's script makes, the script itself having been found in the box",
    sound="passes it; what is wrong is that the script can be found",
    proof="The script that was found, executed, passes.",
    classes=("BGW-116", "TRACE-6"),
)


@dataclass(frozen=True, slots=True)
class SolutionFound:
    """Look for the solution."""

    card: Card = CARD

    def submissions(self, target: Target) -> Iterator[Submission]:
        """Yield one submission for each script or patch of the solution that lies readable."""
        solution = target.key.steps[-1].solution
        if solution is None:
            return
        pieces = readable(target)
        for path in sorted(solution.rglob("*"))[:MOST_FILES]:
            if not path.is_file() or path.is_symlink():
                continue
            is_patch = path.suffix in (".patch", ".diff")
            answer = Answer(path.name, path.read_bytes(), None)
            if not answer.is_telling or not (is_patch or path.suffix in (".sh", ".bash")):
                continue
            find = next((find for piece, _ in pieces if (find := answer.find_in(piece)) is not None), None)
            if find is not None:
                agent = FilesAgent(
                    model="solution_found",
                    files={FOUND: target.new_file(path.name, find.data)},
                    script=_PATCH if is_patch else f"bash {FOUND}",
                    variables=target.key.solution_variables,
                    earlier=earlier_steps(target),
                )
                yield Submission(
                    name=f"{path.name}: {find.piece.place}"[:200],
                    agent=agent,
                    expects="fails",
                    what=f"what the solution's {path.name} makes, which lies readable in {find.piece.place}",
                    why="The script was taken from what the agent can read, and nothing of it was worked out.",
                )


PROBE = SolutionFound()
