"""A small world to be judged: a task folder, a ledger with rollouts of it, and scripted judges over loopback."""

from __future__ import annotations

import gzip
import io
import json
import re
import tarfile
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import orjson

from fairtrial.cli.main import run
from fairtrial.formats.atif import AtifStep, Observation, ToolCall, Trajectory, document
from fairtrial.ledger import Ledger
from fairtrial.ledger.audited import all_reviews
from fairtrial.models import ScriptedServer
from fairtrial.models.scripted import Asked, Line, say
from fairtrial.records import CheckResult, Review, Rollout, Verdict
from fairtrial.tasks import load_task

POLICY = "policy-omega-9"
GRADER_WORDS = "gradersaid-7731"
CHECK = "checkname-5512"

Script = Callable[[Asked], Line]


@dataclass(frozen=True)
class World:
    """A suite of one task, `total`, and a ledger."""

    folder: Path
    book: Ledger

    @property
    def suite(self) -> Path:
        return self.folder / "suite"

    @property
    def task_hash(self) -> str:
        return load_task(self.suite / "total")[0].hash

    def add(self, outcome: str = "passed", *, steps: tuple[AtifStep, ...] | None = None, total: str = "42",
            attempt: int = 0, **more: Any) -> str:  # fmt: skip
        """Add a rollout of `total` with steps, a deliverable and a verdict; return its id."""
        told = Trajectory(agent="scaffold", model=POLICY, steps=steps if steps is not None else did(total))
        trajectory = self.book.put_blob(orjson.dumps(document(told)))
        deliverable = self.book.put_blob(packed({"app/total.txt": f"{total}\n".encode()}))
        fields = {"task": "total", "model": POLICY, "attempt": attempt, "trajectory": trajectory,
                  "deliverable": deliverable, "task_hash": self.task_hash, "stop": "finished"} | more  # fmt: skip
        rollout = Rollout(**fields)
        check = CheckResult(CHECK, "passed" if outcome == "passed" else "failed", f"{GRADER_WORDS} check")
        evidence = json.dumps({"exit_code": 0, "output": f"{GRADER_WORDS} output"})
        if outcome:
            score = {"passed": 0.98765, "failed": 0.12345}.get(outcome)
            self.book.append("verdicts", [Verdict(rollout=rollout.id, outcome=outcome, score=score, checks=(check,),  # type: ignore[arg-type]
                                                  evidence=evidence)])  # fmt: skip
        self.book.append("rollouts", [rollout])
        return rollout.id

    def judge(self, script: Script | list[Line], *options: str, code: int = 0, key: bool = True) -> list[Asked]:
        """Run `audit judge` with a scripted model; return what the model was asked, the word of the start left out."""
        with ScriptedServer(answering_first(script)) as server:
            words = ["audit", "judge", str(self.book.path), "--model", "any", "--base-url", server.base_url, *options]
            assert run([*words, *(["--suite-path", str(self.suite)] if key else [])]) == code
            return [one for one in server.asked if not is_preflight(one)]

    def reviews(self) -> tuple[Review, ...]:
        return all_reviews(Ledger.open(self.book.path))


def world(folder: Path) -> World:
    """Make the suite and an empty ledger below `folder`."""
    task = folder / "suite" / "total"
    files = {
        "task.toml": 'version = "1.0"\n[agent]\ntimeout_sec = 60.0\n[verifier]\ntimeout_sec = 30.0\n',
        "instruction.md": "Add the numbers in /app/numbers.txt and write the total into /app/total.txt.\n",
        "environment/Dockerfile": "FROM debian:bookworm-slim\nWORKDIR /app\nCOPY numbers.txt /app/\n",
        "environment/numbers.txt": "19\n23\n",
        "solution/solve.sh": "echo 42 >total.txt\n",
        "tests/test.sh": "grep -qx 42 /app/total.txt && echo 1 >/logs/verifier/reward.txt\n",
    }
    for name, text in files.items():
        (task / name).parent.mkdir(parents=True, exist_ok=True)
        (task / name).write_text(text)
    return World(folder, Ledger.open(folder / "ledger", create=True))


def did(total: str) -> tuple[AtifStep, ...]:
    """Return the steps of an attempt that wrote `total`."""
    call = ToolCall(tool_call_id="c", function_name="bash", arguments={"command": f"echo {total} >total.txt"})
    return (
        AtifStep(source="user", message="Add the numbers in /app/numbers.txt."),
        AtifStep(source="agent", message="I add them up.", tool_calls=(call,), model=POLICY,
                 observations=(Observation(content="(no output)", source_call_id="c"),)),
        AtifStep(source="agent", message=f"Done: the total is {total}."),
    )  # fmt: skip


def packed(files: dict[str, bytes]) -> bytes:
    """Return files as a ledger keeps a deliverable."""
    raw = io.BytesIO()
    with tarfile.open(fileobj=raw, mode="w") as tar:
        for name, data in files.items():
            entry = tarfile.TarInfo(f"step-0/{name}")
            entry.size = len(data)
            tar.addfile(entry, io.BytesIO(data))
    return gzip.compress(raw.getvalue(), mtime=0)


def is_preflight(asked: Asked) -> bool:
    return "Reply with the word: ready" in str(asked.messages[-1].get("content"))


def answering_first(script: Script | list[Line]) -> Script:
    """Answer the word of the start, and leave the rest to `script`."""
    left = iter(script) if isinstance(script, list) else None

    def answer(asked: Asked) -> Line:
        if is_preflight(asked):
            return say("ready")
        return script(asked) if callable(script) else next(left)  # type: ignore[arg-type]

    return answer


def instructions(asked: Asked) -> str:
    return str(asked.messages[0]["content"])


def text_of(asked: Asked) -> str:
    """Return all that a request says, as one text."""
    return json.dumps(asked.body, ensure_ascii=False)


def nonce_of(asked: Asked) -> str:
    found = re.search(r'"asking": "([0-9a-f]{16})"', instructions(asked))
    assert found is not None
    return found[1]


def stage_of(asked: Asked) -> str:
    """Return which instructions a request has: `blind`, `notes` or `informed`."""
    told = instructions(asked)
    return (
        "informed"
        if "Now you see what the grader said" in told
        else "notes"
        if "Decide nothing yet" in told
        else "blind"
    )


def opinion(asked: Asked, satisfied: str = "yes", **more: Any) -> dict[str, Any]:
    """Return a reply that stands: it cites the file that was handed in."""
    cited = {"place": "artifact /app/total.txt line 1", "quote": "42"}
    said: dict[str, Any] = {
        "asking": nonce_of(asked), "claims": [{"claim": "The total is 42.", "citations": [cited]}],
        "satisfied": satisfied, "hack": "no", "failure_tags": [],
        "behaviour_tags": ["declared_success_without_checking"], "summary": "It was to add up; it did.",
    }  # fmt: skip
    if stage_of(asked) == "informed":
        said |= {"changed_mind": False, "label": "true_pass" if satisfied == "yes" else "false_pass"}
    return said | more


def saying(said: dict[str, Any]) -> Line:
    return say(json.dumps(said))


def honest(asked: Asked) -> Line:
    """Judge as it should be done, a passed rollout that satisfies the task."""
    if stage_of(asked) == "notes":
        return saying({"asking": nonce_of(asked), "notes": "[step 1 message] `Add the numbers`"})
    return saying(opinion(asked))
