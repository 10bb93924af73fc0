"""Harbor tasks of a few lines, written where a test asks for them, and what each submission of a probe scores there.

The instruction asks for /app/answer.txt with the word `right`; a grader is the text of test.sh, with what it names
beside it. Everything runs in bubblewrap.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path

from fairtrial.attack import Probe, Submission, Target, survey
from fairtrial.grade import HarborGrader, read_rules
from fairtrial.records import Runner
from fairtrial.run import Assignment, SubmissionAgent, Trial
from fairtrial.sandbox import Bubblewrap
from fairtrial.tasks import load_suite

SOUND = """#!/bin/bash
export PATH=/usr/local/bin:/usr/bin:/bin
. /tests/alone.sh
rm -rf /logs/verifier; mkdir -p /logs/verifier
if [ "$(cat /app/answer.txt 2> /dev/null)" = right ]; then echo 1 > /logs/verifier/reward.txt
else echo 0 > /logs/verifier/reward.txt; fi
"""
ALONE = """keep=" 1 $$ "; p=$$
while [ "${p:-0}" -gt 1 ]; do p=$(sed -n 's/^PPid:[[:space:]]*//p' "/proc/$p/status"); keep="$keep$p "; done
for pass in 1 2; do for d in /proc/[0-9]*; do
  case "$keep" in *" ${d#/proc/} "*) ;; *) kill -9 "${d#/proc/}" 2> /dev/null ;; esac; done; done
"""


@dataclass(frozen=True, kw_only=True)
class Tiny:
    """A task to be written."""

    test: str = SOUND
    tests: Mapping[str, str | bytes] = field(default_factory=dict)
    """More files of tests/."""
    workspace: Mapping[str, str | bytes] = field(default_factory=dict)
    """Files of /app."""
    dockerfile: str = ""
    """More lines."""
    instruction: str = "Write the right word into /app/answer.txt.\n"
    solve: str = "echo right > /app/answer.txt\n"
    more: Mapping[str, str | bytes] = field(default_factory=dict)
    """More files of the task folder: `proof.toml`, `environment/other/x`."""


def write(folder: Path, tiny: Tiny) -> Path:
    """Write a task folder."""
    files: dict[str, str | bytes] = {
        "task.toml": 'version = "1.0"\n[verifier]\ntimeout_sec = 20.0\n[agent]\ntimeout_sec = 20.0\n',
        "instruction.md": tiny.instruction,
        "environment/Dockerfile": f"FROM debian:12\nWORKDIR /app\nCOPY workspace/ /app/\n{tiny.dockerfile}",
        "environment/workspace/.keep": "",
        "solution/solve.sh": f"#!/bin/bash\ncd /app\n{tiny.solve}",
        "tests/test.sh": tiny.test,
        "tests/alone.sh": ALONE,
        **{f"tests/{name}": content for name, content in tiny.tests.items()},
        **{f"environment/workspace/{name}": content for name, content in tiny.workspace.items()},
        **tiny.more,
    }
    for name, content in files.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content if isinstance(content, bytes) else content.encode())
    return folder


@dataclass(frozen=True, kw_only=True)
class Verdict:
    """What one submission scored under one runner."""

    submission: Submission
    runner: Runner
    outcome: str
    output: str

    @property
    def is_wrong(self) -> bool:
        """Say whether the grader got it wrong."""
        return self.outcome == ("passed" if self.submission.expects == "fails" else "failed")


def target_of(folder: Path, tiny: Tiny) -> Target:
    """Write the task and look at it as prove does."""
    suite = load_suite(write(folder / "tiny", tiny))
    (task,) = suite.tasks
    key = suite.keys[task.name]
    folders = {step.name: step.solution for step in key.steps if step.solution is not None}
    reference = SubmissionAgent(model="reference", folders=folders) if folders else None
    return survey(task, key, reference, Bubblewrap(), folder / "scratch")


def verdicts(target: Target, probe: Probe, *names: str, runner: Runner | None = None) -> Iterator[Verdict]:
    """Grade the submissions of `probe` (those of `names` alone, where given) under each of their runners."""
    for submission in probe.submissions(target):
        if names and submission.name not in names:
            continue
        for one in submission.runners if runner is None else [runner]:
            key = submission.grader or target.key
            assignment = Assignment(
                task=target.task, agent=submission.agent, attempt=0, seed=0, sandbox=Bubblewrap(), origin="known",
                shared=one != "ours",
            )  # fmt: skip
            rules = read_rules(key.grading) if key.grading is not None else None
            grader = HarborGrader(key=key, sandbox=Bubblewrap(), rules=rules, runner=one)
            grading = Trial(assignment=assignment, grader=grader, keep=False)().gradings[0]
            yield Verdict(submission=submission, runner=one, outcome=grading.outcome,
                          output=str(grading.evidence.get("output", "")))  # fmt: skip


def passed(target: Target, probe: Probe, *names: str, runner: Runner | None = None) -> set[tuple[str, str]]:
    """Return (submission, runner) of every wrong verdict."""
    return {(v.submission.name, v.runner) for v in verdicts(target, probe, *names, runner=runner) if v.is_wrong}
