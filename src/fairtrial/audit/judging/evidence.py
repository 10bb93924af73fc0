"""All that a judge of one rollout may look at before it decides: instruction, steps, deliverable, key.

Opened for the time of one judgement: the deliverable is unpacked into a scratch folder. What the ledger no longer holds
is named, and the judge is told; a rollout of which nothing is left cannot be judged.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from fairtrial.audit.citations import Citable
from fairtrial.audit.judging.cases import Spoken, Work
from fairtrial.audit.judging.files import Files, Texts
from fairtrial.audit.judging.keys import Keyed, is_ours
from fairtrial.formats.atif import Trajectory, read_trajectory
from fairtrial.formats.atif_content import Picture
from fairtrial.formats.atif_pictures import is_blob, media_type_of
from fairtrial.grade.judges.telling import Block, shown_text
from fairtrial.ledger import Ledger
from fairtrial.models import Image
from fairtrial.records import FormatError, LedgerError
from fairtrial.sandbox import scratch_folder
from fairtrial.sandbox.archive import ArchiveError, unpack


@dataclass(frozen=True, slots=True, kw_only=True)
class Evidence:
    """What is at hand of one rollout."""

    work: Work
    instruction: str
    trajectory: Trajectory
    deliverable: Files
    key: Files
    keyed: Keyed | None
    ledger: Ledger
    handed_in: Path | None = None
    """Folder that mirrors the box: what the last step handed in."""
    lacking: tuple[str, ...] = ()
    """What is not at hand, in words."""

    def picture(self, picture: Picture) -> Image | None:
        """Return an image of the trajectory, None where the ledger does not hold it."""
        if not is_blob(picture.path):
            return None
        try:
            data = self.ledger.get_blob(picture.path)
        except LedgerError:
            return None
        kind = media_type_of(data)
        return Image(media_type=kind, data=data) if kind else None

    def citable(self, spoken: Spoken | None = None) -> Citable:
        """Return what may be cited: before the verdict was seen, or, with `spoken`, after."""
        checks = {check.name: f"{check.status} {check.message}" for check in spoken.checks} if spoken else {}
        return Citable(
            trajectory=self.trajectory, instruction=self.instruction, artifacts=Texts(self.deliverable),
            key=Texts(self.key), answer=self.work.answer or "", checks=checks,
            verifier=verifier_text(spoken) if spoken else "",
        )  # fmt: skip


def verdict_blocks(spoken: Spoken) -> tuple[Block, ...]:
    """Return what the grader said as it is shown: its output, then each check."""
    checks = (Block(f"check {check.name}", shown_text(f"{check.status} {check.message}".rstrip()))
              for check in spoken.checks)  # fmt: skip
    return (Block("verifier", shown_text(verifier_text(spoken))), *checks)


def verifier_text(spoken: Spoken) -> str:
    """Return what the grader said, as it is shown and cited at `verifier`."""
    score = "" if spoken.score is None else f", score {spoken.score:g}"
    return f"verdict: {spoken.outcome}{score}\n{spoken.output}".rstrip("\n")


@contextmanager
def opened(ledger: Ledger, work: Work, keyed: Keyed | None) -> Iterator[Evidence | str]:
    """Lend the evidence of one rollout, or yield why there is none to judge by."""
    lacking: list[str] = []
    trajectory = _trajectory(ledger, work, lacking)
    with scratch_folder() as scratch:
        root = _deliverable(ledger, work, scratch, lacking)
        if trajectory is None and root is None and not work.answer:
            yield f"nothing of it is kept: {'; '.join(lacking)}"
            return
        seen, handed_in = _laid_out(root, scratch)
        if keyed is None:
            lacking.append("the task's folder is not at hand, so there is no key: it is judged by the instruction")
        elif not is_ours(work.task_hash):
            lacking.append("which content of the task it ran on: the key was found by the task's name")
        steps = trajectory or Trajectory(agent="")
        extra = () if work.expected is None else (("expected answer", work.expected),)
        yield Evidence(
            work=work, trajectory=steps, ledger=ledger, keyed=keyed,
            instruction=keyed.task.instruction if keyed else _asked(steps),
            deliverable=Files("artifact", seen, "/"),
            key=Files("key", keyed.folder, "", extra, keyed.places) if keyed else Files("key", None, "", extra),
            handed_in=handed_in, lacking=tuple(lacking),
        )  # fmt: skip


def _trajectory(ledger: Ledger, work: Work, lacking: list[str]) -> Trajectory | None:
    if not work.trajectory:
        lacking.append("no steps were recorded")
        return None
    try:
        return read_trajectory(ledger.get_blob(work.trajectory))
    except (LedgerError, FormatError) as error:
        lacking.append(f"its steps are not at hand ({error.what})")
        return None


def _deliverable(ledger: Ledger, work: Work, scratch: Path, lacking: list[str]) -> Path | None:
    """Unpack what was handed in; None where it is not at hand."""
    if not work.deliverable:
        lacking.append("no deliverable was recorded")
        return None
    packed, into = scratch / "packed", scratch / "unpacked"
    try:
        packed.write_bytes(ledger.get_blob(work.deliverable))
        into.mkdir()
        unpack(packed, into)
    except (LedgerError, ArchiveError) as error:
        what = error.what if isinstance(error, LedgerError) else str(error)
        lacking.append(f"what was handed in is not at hand ({what})")
        return None
    return into


def _laid_out(root: Path | None, scratch: Path) -> tuple[Path | None, Path | None]:
    """Return the folder that is listed, and that of the last step: the same where there is one step alone."""
    steps = sorted(root.glob("step-*"), key=_number) if root else []
    if len(steps) <= 1:
        return (steps[0], steps[0]) if steps else (None, None)
    listed = scratch / "steps"
    listed.mkdir()
    places = [step.rename(listed / f"after step {number}") for number, step in enumerate(steps, 1)]
    return listed, places[-1]


def _number(step: Path) -> int:
    digits = step.name.removeprefix("step-")
    return int(digits) if digits.isdigit() else -1


def _asked(trajectory: Trajectory) -> str:
    """Return what the user asked before the agent did anything."""
    asked: list[str] = []
    for step in trajectory.steps:
        if step.source == "agent":
            break
        if step.source == "user":
            asked.append(step.message)
    return "\n\n".join(asked)
