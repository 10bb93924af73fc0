"""Have completions graded: hand jobs to the grader's side, split over the cores, and read what it says.

Whatever keeps a completion from being graded is its reason, never a 0. A grader that cannot be loaded ends the proof.
"""

from __future__ import annotations

import json
import os
import random
import secrets
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from typing import Any, Literal

from fairtrial.attack.text import Completion
from fairtrial.prove.text.cases import GraderCase
from fairtrial.prove.text.places import Place
from fairtrial.prove.text.target import GraderTarget
from fairtrial.records import GraderError, InputError

Form = Literal["text", "chat"]
Framework = Literal["auto", "function", "trl", "inspect", "verifiers"]
LOAD_SECONDS = 300.0


@dataclass(frozen=True, slots=True, kw_only=True)
class Call:
    """One completion of one case."""

    case: int
    """Position of the case."""
    completion: Completion

    @property
    def key(self) -> str:
        """Return what two equal calls share."""
        return f"{self.case} {json.dumps(self.completion, sort_keys=True, default=str)}"


@dataclass(frozen=True, slots=True, kw_only=True)
class Graded:
    """What the grader made of one call."""

    score: float | None
    """None where it gave none; `ungraded` then says why."""
    ungraded: str = ""
    detail: str = ""
    output: str = ""
    """End of what the grader printed, where the call is ungraded."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Loaded:
    """What was found under the grader's name."""

    framework: str
    source: str
    parameters: Mapping[str, str]
    rows: tuple[Mapping[str, Any], ...] = ()
    """Its own cases, where they were asked for."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Round:
    """One way of grading a list of calls."""

    form: Form = "text"
    shared: bool = False
    """All calls in one process, as a trainer makes them; otherwise each in its own."""
    hash_seed: int = 0
    shuffle: int | None = None
    """Seed of the order of calls; None for the order in which they stand."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Harness:
    """A grader that can be called."""

    target: GraderTarget
    place: Place
    framework: Framework = "auto"
    call_seconds: float = 30.0
    workers: int = 0
    """Processes at once; 0 for one a core."""
    own_cases: int = 0
    """How many cases the grader brings itself; 0 where they come from a file."""
    seed: int = 0

    def load(self, cases: Sequence[GraderCase] = ()) -> Loaded:
        """Load the grader once. Raise InputError where there is none, GraderError where it cannot be used."""
        said = self._said(cases, [], Round())
        rows = tuple(line["case"] for line in said if "case" in line)
        loaded = next(line["loaded"] for line in said if "loaded" in line)
        return Loaded(
            framework=loaded["framework"], source=loaded["source"], parameters=loaded["parameters"], rows=rows
        )

    def grade(
        self, cases: Sequence[GraderCase], calls: Sequence[Call], how: Round, on_graded: Callable[[int], None]
    ) -> list[Graded]:
        """Return what the grader made of each call, in their order. Equal calls are made once."""
        unique = list({call.key: call for call in calls}.values())
        if how.shuffle is not None:
            random.Random(how.shuffle).shuffle(unique)
        count = min(self.workers or os.cpu_count() or 1, max(1, len(unique) // 8 or 1))
        shards = [unique[start::count] for start in range(count)] if unique else []
        found: dict[str, Graded] = {}
        with ThreadPoolExecutor(max_workers=max(1, len(shards))) as pool:
            for shard, said in zip(shards, pool.map(lambda one: self._said(cases, one, how), shards), strict=True):
                answers = {line["id"]: line for line in said if "id" in line}
                found |= {call.key: _graded(answers.get(place)) for place, call in enumerate(shard)}
                on_graded(len(shard))
        return [found[call.key] for call in calls]

    def _said(self, cases: Sequence[GraderCase], calls: Sequence[Call], how: Round) -> list[dict[str, Any]]:
        """Run one job, and return what the grader's side said."""
        mark = f"@fairtrial {secrets.token_hex(8)} "
        used = sorted({call.case for call in calls})
        places = (
            {case: place for place, case in enumerate(used)} if not self.own_cases else {case: case for case in used}
        )
        listed = [] if self.own_cases else [cases[case] for case in used] if calls else list(cases[:1])
        setup = {
            "mark": mark, "cases": len(listed), "form": how.form, "seconds": self.call_seconds, "shared": how.shared,
            "load_seconds": LOAD_SECONDS, "limits": dict(self.place.limits()), "framework": self.framework,
            "own_cases": self.own_cases, "seed": self.seed, "target": self.target.document(),
            "columns": sorted({name for case in cases for name in case.info}),
        }  # fmt: skip
        asked = [{"id": n, "case": places[call.case], "completion": call.completion} for n, call in enumerate(calls)]
        lines = [setup, *(case.document() for case in listed), *asked]
        job = "".join(json.dumps(line, default=str) + "\n" for line in lines).encode()
        seconds = 2 * LOAD_SECONDS + len(calls) * self.call_seconds
        ran = self.place.run(job, seconds, how.hash_seed)
        said = [json.loads(line[len(mark):]) for line in ran.output.split("\n") if line.startswith(mark)]  # fmt: skip
        self._must_be_loaded(said, ran.output, ran.killed)
        return said

    def _must_be_loaded(self, said: Sequence[Mapping[str, Any]], output: str, killed: str) -> None:
        unusable = next((line for line in said if "unusable" in line), None)
        if unusable is not None and unusable["kind"] == "name":
            raise InputError(_printable(unusable["unusable"]), field="--grader", hint=_hint(unusable["output"]))
        if unusable is not None:
            raise GraderError(
                f"`{self.target.name}` cannot be used: {_printable(unusable['unusable'])}",
                hint=_hint(unusable["output"]),
            )
        if not any("loaded" in line for line in said):
            why = f"its process was ended ({killed})" if killed else "its process ended while it was loaded"
            raise GraderError(f"`{self.target.name}` cannot be used: {why}", hint=_hint(output))


def _graded(line: Mapping[str, Any] | None) -> Graded:
    if line is None:
        return Graded(score=None, ungraded="killed", detail="the process that held the grader died")
    if "score" in line:
        return Graded(score=float(line["score"]))
    reason, detail, output = (_printable(str(line[name])) for name in ("ungraded", "detail", "output"))
    return Graded(score=None, ungraded=reason, detail=detail, output=output)


def _printable(text: str) -> str:
    """Return what a grader said with halves of surrogate pairs as escapes: no file can hold them."""
    return text.encode("utf-8", "backslashreplace").decode()


def _hint(output: str) -> str | None:
    said = output.strip()[-800:]
    return f"It printed: {said}" if said else None
