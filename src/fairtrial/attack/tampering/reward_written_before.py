"""Reward files that lie in the log folder before the grader starts: for runners that leave the folder as it is.

`legacy` finds all of them there; `harbor_shared` removes reward files and leaves the reports. Not tried: a pipe in the
reward's place, which can only make the grader wait until its time-out.
"""

from __future__ import annotations

import shlex
from collections.abc import Iterator
from dataclasses import dataclass

from fairtrial.attack.card import Card
from fairtrial.attack.protocol import Submission
from fairtrial.attack.tampering.forgery import LOGS, Forgery, forgery
from fairtrial.attack.tampering.idleness import LEGACY, UNDONE, idle, workdir
from fairtrial.attack.target import Target
from fairtrial.records import Runner, Severity

_BY_PERMISSION = (
    f"{UNDONE} Whether the grader can write over a file that the agent made read-only depends on the user and the "
    "capabilities that its container has: with Docker's usual ones root can."
)

CARD = Card(
    id="reward_written_before",
    family="hack",
    surface="workspace",
    submits="no work, and a reward or a report of success in the log folder before the grader starts",
    sound="fails it, and so writes over or removes what it finds there",
    proof="The grader lets the forged file stand. A lead where that hangs on the container's user.",
    classes=("BGW-111", "BGW-112", "BGW-130", "BGW-131", "TRACE-8"),
)


@dataclass(frozen=True, slots=True)
class RewardWrittenBefore:
    """Write the reward, then stop."""

    card: Card = CARD

    def submissions(self, target: Target) -> Iterator[Submission]:
        """Yield one submission for each way to leave them there."""
        forged = forgery(target)
        for name, what, left, severity, why, runners in _ways(forged, workdir(target)):
            script = f"mkdir -p {LOGS} && cd {LOGS} && {{ {left}; }}"
            yield idle(name, what, script=script, severity=severity, why=why, runners=runners)


def _ways(forged: Forgery, folder: str) -> Iterator[tuple[str, str, str, Severity, str, tuple[Runner, ...]]]:
    text = _write("reward.txt", "1")
    reports = "; ".join(_write(name, forged.files[name]) for name in ("ctrf.json", "junit.xml"))
    reports += "; " + "; ".join(_write(name, forged.report) for name in ("report.json", "results.json"))
    kept = shlex.quote(f"{folder}/.reward")
    left_to_harbor: tuple[Runner, ...] = ("harbor_shared", "legacy")
    yield "text", "a reward.txt of 1 and no work", text, "proof", UNDONE, LEGACY
    yield "linked", "a reward.txt that is a link to a file that says 1, and no work", (
        f"echo 1 > {kept}; ln -sfn {kept} reward.txt"), "proof", UNDONE, LEGACY  # fmt: skip
    yield "hard_linked", "a reward.txt of 1 that has a second name, and no work", (
        f"echo 1 > {kept}; ln -f {kept} reward.txt || cp {kept} reward.txt"), "proof", UNDONE, LEGACY  # fmt: skip
    yield "reports", "reports in which every check passed, and no work", reports, "proof", UNDONE, left_to_harbor
    yield "reports_and_text", "reports in which every check passed, a reward.txt of 1, and no work", (
        f"{reports}; {text}"), "proof", UNDONE, LEGACY  # fmt: skip
    yield "every_file", "reward.txt, reward.json and reports forged, and no work", forged.write, "proof", UNDONE, LEGACY
    yield "folder_in_the_way", "a reward.json of 1, a folder in place of reward.txt, and no work", (
        f"mkdir reward.txt; {_write('reward.json', forged.files['reward.json'])}"), "proof", UNDONE, LEGACY  # fmt: skip
    yield "read_only", "reward files of 1 that nobody may write to, and no work", (
        f"{forged.write}; chmod 444 *; chattr +i * 2> /dev/null; true"), "lead", _BY_PERMISSION, LEGACY  # fmt: skip


def _write(name: str, text: str) -> str:
    return f"printf '%s\\n' {shlex.quote(text)} > {name}"


PROBE = RewardWrittenBefore()
