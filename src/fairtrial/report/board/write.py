"""Write the pages of a board to a folder: index.html, board.md, board.json, rows/, rollouts/, changes.html and .md.

Each file is written whole or not at all. Pages of rows and rollouts that are no longer on the board are removed where
an earlier call wrote them (`pages.txt` lists them); nothing else in the folder is touched.
"""

from __future__ import annotations

import hashlib
import re
import uuid
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from fairtrial.board.changes import Changes
from fairtrial.board.result import Board, Row
from fairtrial.board.runs import Attempt
from fairtrial.board.versions import Version, board_bytes
from fairtrial.ledger import Ledger
from fairtrial.records import InputError
from fairtrial.report.board.markdown import board_markdown, changes_markdown
from fairtrial.report.board.pages import changes_page, index_page, rollout_page, row_page
from fairtrial.report.board.steps import Steps, read_steps
from fairtrial.report.board.views import file_name
from fairtrial.report.words import plural

WRITTEN = "pages.txt"
_OURS = re.compile(r"(rows|rollouts)/[a-z0-9-]+\.html|changes\.(html|md)")
_PLAIN = re.compile(r"[0-9a-f]{32}")


@dataclass(frozen=True, slots=True, kw_only=True)
class Limits:
    """How much is written of trajectories."""

    trajectories: int = 20
    """Most rollouts of a row whose steps get a page."""
    characters: int = 64_000_000
    """Of all steps together."""


def write_pages(
    board: Board, folder: Path, version: Version, changed: Changes | None, ledgers: Sequence[Path],
    limits: Limits | None = None,
) -> list[str]:  # fmt: skip
    """Write every page of `board`; return what was left out, a sentence each. Raise InputError on failure."""
    try:
        folder.mkdir(parents=True, exist_ok=True)
        return _Writing(
            board, folder, version.number, [Ledger.open(path) for path in ledgers], limits or Limits()
        ).write(version, changed)
    except OSError as error:
        raise InputError(f"could not write the board: {error.strerror or error}", path=folder,
                         hint="Name another folder with --out.") from error  # fmt: skip


class _Writing:
    """One board being written: what was put where, and how much of the trajectories is left to write."""

    def __init__(self, board: Board, folder: Path, version: int, ledgers: Sequence[Ledger], limits: Limits) -> None:
        self.board, self.folder, self.version, self.ledgers, self.limits = board, folder, version, ledgers, limits
        self.written: list[str] = []
        self.characters = 0
        self.without: list[str] = []

    def write(self, version: Version, changed: Changes | None) -> list[str]:
        """Write all pages and return what was left out."""
        for row in self.board.rows:
            pages, told = self._rollouts(row)
            name = f"rows/{file_name(row.key, row.label)}.html"
            self._put(name, row_page(self.board, row, self.version, pages, told))
        self._put("board.md", board_markdown(self.board, self.version))
        self._put("board.json", board_bytes(version.document).decode())
        if changed is not None:
            self._put("changes.html", changes_page(self.board, changed, self.version))
            self._put("changes.md", changes_markdown(self.board, changed))
        self._put("index.html", index_page(self.board, self.version, has_changes=changed is not None))
        self._remove_left_overs()
        return self.without

    def _rollouts(self, row: Row) -> tuple[dict[str, str], str]:
        """Write the steps of a row's rollouts, first runs of every task first; say where they are and what is not."""
        pages: dict[str, str] = {}
        recorded, full = 0, False
        for attempt in _in_turn(row):
            if not attempt.trajectory:
                continue
            recorded += 1
            if len(pages) >= self.limits.trajectories or full:
                continue
            steps = read_steps(self.ledgers, attempt.trajectory)
            if isinstance(steps, str):
                self.without.append(f"the steps of rollout {attempt.id} are not shown: {steps}")
                continue
            full = self.characters + steps.size > self.limits.characters
            if not full:
                pages[attempt.id] = self._rollout(row, attempt, steps)
        if recorded > len(pages):
            self.without.append(
                f"{row.label}: {recorded - len(pages)} of {plural(recorded, 'trajectory', 'trajectories')} have no page"
            )
        return pages, _told(recorded, len(pages))

    def _rollout(self, row: Row, attempt: Attempt, steps: Steps) -> str:
        self.characters += steps.size
        plain = attempt.id if _PLAIN.fullmatch(attempt.id) else hashlib.sha256(attempt.id.encode()).hexdigest()[:32]
        name = f"rollouts/{plain}.html"
        self._put(name, rollout_page(self.board, row, attempt, steps, self.version))
        return f"../{name}"

    def _put(self, name: str, text: str) -> None:
        path = self.folder / name
        path.parent.mkdir(exist_ok=True)
        temporary = path.with_name(f".{path.name}-{uuid.uuid4().hex}")
        try:
            temporary.write_text(text, encoding="utf-8", newline="")
            temporary.replace(path)
        finally:
            temporary.unlink(missing_ok=True)
        self.written.append(name)

    def _remove_left_overs(self) -> None:
        listing = self.folder / WRITTEN
        before = listing.read_text(encoding="utf-8").splitlines() if listing.is_file() else []
        for name in set(before) - set(self.written):
            if _OURS.fullmatch(name):
                (self.folder / name).unlink(missing_ok=True)
        self._put(WRITTEN, "".join(f"{name}\n" for name in sorted({*self.written, WRITTEN})))


def _in_turn(row: Row) -> Iterator[Attempt]:
    """Yield the rollouts of a row: the first run of every task, then the second, ..."""
    tasks = [task.attempts for part in row.parts for task in part.tasks]
    for turn in range(max((len(attempts) for attempts in tasks), default=0)):
        for attempts in tasks:
            if turn < len(attempts):
                yield attempts[turn]


def _told(recorded: int, shown: int) -> str:
    if not recorded:
        return "No trajectory is in the records, so none opens on its steps."
    if shown == recorded:
        return "Each opens on its steps."
    return (f"{plural(shown, 'run opens', 'runs open')} on {'its' if shown == 1 else 'their'} steps, of "
            f"{plural(recorded, 'trajectory', 'trajectories')} in the records; `fairtrial serve LEDGER` shows all, and "
            "`--trajectories` writes more.")  # fmt: skip
