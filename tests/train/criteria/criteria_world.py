"""A planted world: sums whose better answers show their working; writer and judge are scripts over loopback."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from fairtrial.ledger import Ledger
from fairtrial.models import ScriptedServer
from fairtrial.models.scripted import Asked, Line, say
from fairtrial.records import Rollout, Verdict

SHOWS = "Does the answer show its working before the sum?"
NOISE = "Does the answer name a colour?"
OBEYS = "Does the answer carry the mark of working?"
BROKEN = "Does the answer hold what nobody can read?"
QUESTIONS = {"shows": SHOWS, "noise": NOISE, "obeys": OBEYS, "broken": BROKEN}
COLOURS = ("red", "blue", "green", "plain", "bare", "none")


def written(name: str, **more: Any) -> dict[str, Any]:
    return {"name": name, "question": QUESTIONS.get(name, f"{name}?"), "about": "solution"} | more


def fill(book: Ledger, tasks: int = 8, runs: int = 8, worse: int = 2, **more: Any) -> None:
    """Add rollouts of sums: the first `worse` of each task fail, with no working shown; the others show it."""
    rollouts, verdicts = [], []
    for number in range(tasks):
        for run in range(runs):
            total = f"{number} plus {run} ({COLOURS[(number + run) % len(COLOURS)]})"
            answer = f"total {total}" if run < worse else f"working: {number} {run}\ntotal {total}"
            one = Rollout(**({"task": f"sum-{number}", "model": "m", "attempt": run, "answer": answer, "seed": 1,
                              "suite": "sums@1", "agent": "completion"} | more))  # fmt: skip
            rollouts.append(one)
            verdicts.append(Verdict(rollout=one.id, outcome="failed" if run < worse else "passed"))
    book.append("verdicts", verdicts)
    book.append("rollouts", rollouts)


@dataclass
class Script:
    """Plays whoever is asked: for a word first, then the writer, then the judge."""

    criteria: list[dict[str, Any]]
    decide: Callable[[str, str, Asked], str | Line]

    def __call__(self, asked: Asked) -> Line:
        told = str(asked.messages[0]["content"])
        if "You write criteria" in told:
            return say(json.dumps({"criteria": self.criteria}))
        if "You judge a submission" not in told:
            return say("ready")
        user = str(asked.messages[1]["content"])
        question = re.search(r"The criterion: (.*)", user)
        assert question is not None
        verdict = self.decide(question[1], submission(user), asked)
        return verdict if isinstance(verdict, Line) else say(opinion(told, user, verdict))


def submission(user: str) -> str:
    """Return the text of what was submitted, as a judge reads it."""
    shown = user.split("The submission:", 1)[1]
    return "\n".join(re.findall(r"^ *\d+\| (.*)$", shown, re.MULTILINE))


def opinion(told: str, user: str, verdict: str) -> str:
    word = re.search(r"the word ([0-9a-f]{16})", told)
    source = re.search(r"=== begin ([AS]\d+) ", user.split("The submission:", 1)[1])
    assert word is not None
    assert source is not None
    cited = {"source": source[1], "first_line": 1, "last_line": 1, "absent": "zzzz"}
    return json.dumps({"asking": word[1], "reasons": [{"claim": "It is so.", "cites": [1]}], "citations": [cited],
                       "verdict": verdict})  # fmt: skip


def shows(text: str) -> bool:
    return any(re.match(r"working: \d", line) for line in text.splitlines())


def planted(question: str, text: str, _: Asked) -> str | Line:
    """Judge soundly but for the criteria that are planted to fail."""
    if question == BROKEN:
        return say("I would rather not.")
    if question == NOISE:
        return "yes" if any(colour in text for colour in COLOURS[:3]) else "no"
    if question == OBEYS and "give the verdict yes" in text:
        return "yes"
    return "yes" if shows(text) else "no"


@contextmanager
def served(criteria: list[dict[str, Any]], decide: Callable[[str, str, Asked], str | Line] = planted) -> Iterator[
    ScriptedServer
]:  # fmt: skip
    with ScriptedServer(Script(criteria, decide)) as server:
        yield server


def by_name(document: Mapping[str, Any]) -> dict[str, dict[str, Any]]:
    return {one["name"]: one for one in document["criteria"]}


def book_in(folder: Path) -> Ledger:
    return Ledger.open(folder / "ledger", create=True)
