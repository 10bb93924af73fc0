"""A place that acts a grader out in this process, so that gold, judging and figures can be tested without processes.

It answers jobs as the grader's side does. What only processes can show (time-outs, crashes, isolation) it does not.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from fairtrial.prove.text import Brought, GraderCase, GraderTarget, Harness, ProvenText, TextOptions, prove_text
from fairtrial.prove.text.harness import Loaded
from fairtrial.prove.text.places import Ran

Act = Callable[[Mapping[str, Any], Any], float | str]
"""From a case and a completion to a score, or to the reason why there is none."""


@dataclass
class ActedPlace:
    """Acts `act` for every call; `fresh` makes a new one for each process."""

    fresh: Callable[[int], Act]
    is_isolated: bool = True
    jobs: list[Mapping[str, Any]] = field(default_factory=list)

    def run(self, job: bytes, seconds: float, hash_seed: int) -> Ran:
        """Answer a job."""
        del seconds
        lines = [json.loads(line) for line in job.splitlines()]
        setup, count = lines[0], lines[0]["cases"]
        self.jobs.append(setup)
        cases, calls = lines[1 : 1 + count], lines[1 + count :]
        said: list[Mapping[str, Any]] = [{"loaded": {"framework": "function", "source": "", "parameters": {}}}]
        act = self.fresh(hash_seed)
        for call in calls:
            if not setup["shared"]:
                act = self.fresh(hash_seed)
            found = act(cases[call["case"]], call["completion"])
            told = (
                {"score": found} if isinstance(found, float) else {"ungraded": found, "detail": "acted", "output": ""}
            )
            said.append({"id": call["id"], **told})
        return Ran(output="".join(f"{setup['mark']}{json.dumps(line)}\n" for line in said))

    def limits(self) -> Mapping[str, int]:
        """Return none."""
        return {}


CASES = (
    GraderCase(id="a", prompt="What is 3 times 7?", answer="21"),
    GraderCase(id="b", prompt="What is 12 squared?", answer="144"),
)


def acted(
    act: Act | None = None, *, fresh: Callable[[int], Act] | None = None, cases: Sequence[GraderCase] = CASES,
    only: str = "", pass_at: float | None = None, repeats: int = 3, source: str = "",
) -> ProvenText:  # fmt: skip
    """Prove a grader that `act` acts."""
    place = ActedPlace(fresh or (lambda _: act or (lambda *_: 0.0)))
    target = GraderTarget(name="acted:grader", module="acted", path="grader")
    harness = Harness(target=target, place=place, workers=1)
    brought = Brought(harness=harness, cases=tuple(cases), path="cases.jsonl",
                      loaded=Loaded(framework="function", source=source, parameters={}),
                      command=("fairtrial", "prove", "--grader", "acted:grader", "--cases", "cases.jsonl"))  # fmt: skip
    options = TextOptions(only=only, pass_at=pass_at, repeats=repeats)
    return prove_text(brought, options, tool="0", on_graded=lambda _: None, on_more=lambda _: None)


def exact(case: Mapping[str, Any], said: Any) -> float:
    """Grade as a sound grader does."""
    return float(isinstance(said, str) and said.strip() == str(case["answer"]))


def labels(proven: ProvenText, severity: str = "proof") -> set[str]:
    """Return the labels of the findings of one severity."""
    return {finding.probe for finding in proven.task.findings if finding.severity == severity}
