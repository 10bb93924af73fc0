"""A ledger for the tests of the pages that one browses: plain rollouts, and one whose every text attacks the page."""

from __future__ import annotations

import json
import struct
import zlib
from dataclasses import dataclass
from pathlib import Path

import orjson

from fairtrial.formats.atif import AtifStep, Metrics, Observation, ToolCall, Trajectory, document
from fairtrial.formats.atif_content import Picture
from fairtrial.ledger import Ledger
from fairtrial.records import CheckResult, Draw, Finding, Proof, Review, Rollout, Sample, Signoff, Stratum, Verdict

EVIL = "<script>document.title='pwned'</script><img src=x onerror=alert(1)></pre></details>\"' onload=x {{ 7*7 }}"
HIDDEN = "a\u202eb\u200bc\x00d\x1b[31me\x1b]8;;http://evil.example/\x07f\rg"


@dataclass(frozen=True, slots=True)
class Holding:
    """The ledger, and the ids of the rollouts that tests speak of."""

    ledger: Ledger
    plain: str
    hostile: str
    long: str
    bare: str
    """Without steps."""


def call(number: int, name: str, **arguments: object) -> ToolCall:
    return ToolCall(tool_call_id=f"c{number}", function_name=name, arguments=arguments)


def png() -> bytes:
    """Return a picture of one pixel."""

    def chunk(kind: bytes, data: bytes) -> bytes:
        return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))

    head = struct.pack(">IIBBBBB", 1, 1, 8, 2, 0, 0, 0)
    return (
        b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", head) + chunk(b"IDAT", zlib.compress(b"\0\1\2\3")) + chunk(b"IEND", b"")
    )


def plain_steps(last: str = "Done.") -> tuple[AtifStep, ...]:
    return (
        AtifStep(source="system", message="You are an engineer."),
        AtifStep(source="user", message="Make the total right."),
        AtifStep(source="agent", message="Look first.", timestamp="2026-01-01T00:00:00Z",
                 metrics=Metrics(completion_tokens=12), tool_calls=(call(1, "bash", command="ls -la  # all"),),
                 observations=(Observation(content="report.py\n" * 30, source_call_id="c1"),)),
        AtifStep(source="agent", message="Change it.", timestamp="2026-01-01T00:01:05Z",
                 tool_calls=(call(2, "edit", path="report.py", old_str="total = 1\nx", new_str="total = 2\nx"),),
                 observations=(Observation(content="The file has been updated.", source_call_id="c2"),)),
        AtifStep(source="agent", message=last),
    )  # fmt: skip


def hostile_steps(picture: str, secret: str) -> tuple[AtifStep, ...]:
    return (
        AtifStep(source="user", message=EVIL + HIDDEN),
        AtifStep(source="agent", message="\n" + EVIL, reasoning=HIDDEN,
                 tool_calls=(call(1, EVIL, command=EVIL), call(2, "edit", path=EVIL, old_str=EVIL, new_str=HIDDEN)),
                 observations=(Observation(content="A" * 1_000_000, source_call_id="c1"),
                               Observation(content=f"one line {EVIL}\n" * 30_000, source_call_id="c2"),
                               Observation(content=f"--- {EVIL}\n+++ b\n@@ -1 +1 @@\n-{EVIL}\n+{HIDDEN}\n"),
                               Observation(content="", pictures=(Picture(media_type="image/jpeg", path=picture),
                                                                 Picture(media_type="image/png", path=secret))))),
        AtifStep(source="agent", message="\x00" * 20_000 + "W" * 9_000),
    )  # fmt: skip


def long_steps(count: int) -> tuple[AtifStep, ...]:
    return tuple(AtifStep(source="agent", message=f"Step number {at}.",
                          tool_calls=(call(at, "bash", command=f"echo needle-{at}"),),
                          observations=(Observation(content=f"needle-{at}", source_call_id=f"c{at}"),))
                 for at in range(1, count + 1))  # fmt: skip


def rollout(ledger: Ledger, task: str, steps: tuple[AtifStep, ...], attempt: int = 0, model: str = "swift") -> Rollout:
    address = ledger.put_blob(orjson.dumps(document(Trajectory(agent="loop", steps=steps)))) if steps else ""
    return Rollout(
        task=task, suite="s@1", model=model, agent="loop", attempt=attempt, trajectory=address, stop="finished",
        steps=len(steps) or None, recorded_at=f"2026-01-0{attempt + 1}T00:00:00+00:00",
    )  # fmt: skip


def made(folder: Path, long: int = 300) -> Holding:
    """Make the ledger in `folder`."""
    ledger = Ledger.open(folder, create=True)
    picture, secret = ledger.put_blob(png()), ledger.put_blob(b"not a picture: " + EVIL.encode())
    plain = [rollout(ledger, "total", plain_steps(f"Done {at}."), at) for at in range(3)]
    hostile = rollout(ledger, f"task {EVIL}", hostile_steps(picture, secret), model=f"model {EVIL}")
    far, bare = rollout(ledger, "far", long_steps(long)), rollout(ledger, "bare", ())
    everything = [*plain, hostile, far, bare]
    outcomes = ("passed", "failed", "passed", "failed", "passed", "failed")
    checks = (CheckResult(f"check {EVIL}", "failed", f"{EVIL} see step 2"), CheckResult("tidy", "passed"))
    verdicts = [Verdict(rollout=one.id, outcome=outcome, score=float(outcome == "passed"), grader="g", checks=checks,  # type: ignore[arg-type]
                        evidence=json.dumps({"tail": EVIL}))
                for one, outcome in zip(everything, outcomes, strict=True)]  # fmt: skip
    ledger.append("verdicts", verdicts)
    ledger.append("findings", [
        Finding(task="total", suite="s@1", rollout=plain[0].id, probe="detector", family="trajectory", severity="lead",
                claim="It changes the total: see step 4.",
                evidence=json.dumps({"steps": [4], "citations": ["[step 4 message] Change it."]})),
        Finding(task="total", suite="s@1", probe="empty", family="static", severity="proof", claim=EVIL,
                command="fairtrial prove s"),
    ])  # fmt: skip
    ledger.append("reviews", [Review(rollout=plain[0].id, reviewer=f"ada {EVIL}", satisfied=False, note=EVIL,
                                     citations=("[step 3 output 1] report.py",),
                                     recorded_at="2026-02-01T00:00:00+00:00")])  # fmt: skip
    ledger.append("samples", [Sample(seed=1, by=("verdict",), name=EVIL + "n" * 80, rows=(
        Draw(rollout=plain[0].id, stratum="all", probability=1.0, readers=1, reader_probability=1.0),),
        strata=(Stratum(name="all", population=6, sampled=1),))])  # fmt: skip
    ledger.append("signoffs", [Signoff(suite="s@1", task="total", task_hash="", part="grader", holds=None,
                                       reviewer=EVIL, note=EVIL, recorded_at="2026-02-01T00:00:00+00:00")])  # fmt: skip
    ledger.append("proofs", [Proof(task="total", suite="s@1", status="refuted", gradings=3)])
    ledger.append("rollouts", everything)
    return Holding(ledger, plain[0].id, hostile.id, far.id, bare.id)
