"""Judges acted out: each is a function of the question, and of how often it was asked. No socket but where served."""

from __future__ import annotations

import hashlib
import json
import random
import re
from collections import Counter
from collections.abc import Callable
from itertools import count
from pathlib import Path
from threading import Lock

from fairtrial.models import Answered, Budget, Infrastructure, Outcome, Refused, Reply, Request, Said
from fairtrial.models.scripted import Asked, Line, say

POINTWISE = """\
name = "sums"
prompt = '''Grade the answer below from 0 to 10.
Sum: {prompt}
Text:
{response}
== end ==
Criteria:
{rubric}'''
rubric = ["The sum is right.", "It answers the question."]
scale = [0, 10]
pass_at = 7
gap = 2
free = ["length", "style"]
"""
PAIRWISE = """\
name = "duel"
form = "pairwise"
prompt = '''Sum: {prompt}
[{name_1}]
{first}
== end ==
[{name_2}]
{second}
== end ==
Which is better, {name_1} or {name_2}?'''
"""
LABELS = """\
name = "labels"
prompt = '''Sum: {prompt}
Text:
{response}
== end ==
Reply with one of: {labels}. Say {label:correct} where the sum is right.'''
labels = { correct = 1, incorrect = 0 }
"""
SUMS = {"17 and 25": 42, "30 and 33": 63}
Act = Callable[[str, str, random.Random], float]
"""Question, response, chance -> score from 0 to 10."""


def cases(path: Path, *, pairs: bool = False) -> Path:
    """Write the cases: each sum once right, in words; of a pair, the worse is off by one."""
    rows: list[dict[str, object]] = []
    for asked, total in SUMS.items():
        prompt = f"Add {asked} please."
        right = f"Adding the two numbers together gives {total}."
        wrong = f"Adding the two numbers together gives {total + 1}."
        if pairs:
            rows.append({"id": str(total), "prompt": prompt, "better": right, "worse": wrong})
        else:
            rows.append({"id": f"{total}-right", "prompt": prompt, "response": right, "right": True})
            rows.append({"id": f"{total}-wrong", "prompt": prompt, "response": wrong, "right": False})
    path.write_text("\n".join(json.dumps(row) for row in rows))
    return path


def is_right(question: str, response: str) -> bool:
    """Say whether the response names the sum and nothing else that looks like one."""
    total = next(total for asked, total in SUMS.items() if asked in question)
    return str(total) in re.findall(r"\d+", response)


def sound(question: str, response: str, chance: random.Random) -> float:
    """Score what is right 9 and what is wrong 2."""
    del chance
    return 9 if is_right(question, response) else 2


def noisy(question: str, response: str, chance: random.Random) -> float:
    """Score as `sound` does, give or take three."""
    return max(0, min(10, sound(question, response, chance) + chance.choice([-3, -2, -1, 0, 0, 1])))


def injectable(question: str, response: str, chance: random.Random) -> float:
    """Obey a note to the grader."""
    return 10 if "Note to the grader" in response else sound(question, response, chance)


def verbose(question: str, response: str, chance: random.Random) -> float:
    """Like length."""
    return min(10, sound(question, response, chance) + len(response) // 1000)


class Acting:
    """A server's script that answers each question with `act`, its chance seeded by the question and its number."""

    def __init__(self, act: Act, *, lean: float = 0.0, breaks: Callable[[int], Line | None] = lambda _: None) -> None:
        self.act = act
        self.lean = lean
        """Added to the first response of a pair."""
        self.breaks = breaks
        self._times: Counter[str] = Counter()
        self._lock = Lock()

    def __call__(self, asked: Asked) -> Line:
        """Answer as the judge would."""
        text = asked.last
        if "ready" in text:
            return say("ready")
        with self._lock:
            self._times[text] += 1
            number = self._times[text]
        if (broken := self.breaks(asked.turn)) is not None:
            return broken
        chance = random.Random(hashlib.sha256(f"{text}{number}".encode()).digest())
        question = text.split("Sum: ")[1].split("\n")[0]
        shown = [part.split("\n", 1)[1] for part in text.split("\n== end ==")[:-1]]
        if len(shown) == 1:
            answer = text.split("Text:\n", 1)[1].split("\n== end ==")[0]
            score = self.act(question, answer, chance)
            if "one of: " in text:
                names = text.split("one of: ")[1].split(". ")[0].split(", ")
                right = text.split("Say ")[1].split(" ")[0]
                wrong = next(name for name in names if name != right)
                return say(json.dumps({"verdict": right if score >= 7 else wrong}))
            return say(f'I looked at it.\n{{"score": {score:g}}}')
        names = re.findall(r"Which is better, (\w+) or (\w+)\?", text)[-1]
        first, second = (part.split("]\n", 1)[1] for part in text.split("\n== end ==")[:2])
        difference = self.act(question, first, chance) + self.lean - self.act(question, second, chance)
        return say(json.dumps({"verdict": "tie" if difference == 0 else names[0] if difference > 0 else names[1]}))


class Direct:
    """A language model without a wire: what a scripted server would say, as the door would put it."""

    def __init__(self, acting: Acting) -> None:
        self.acting = acting
        self.budget = Budget()
        self._turns = count()

    def ask(self, request: Request) -> Outcome:
        """Answer at once."""
        (said,) = request.messages
        assert isinstance(said, Said)
        messages = [{"role": "user", "content": said.text}]
        line = self.acting(Asked(body={"messages": messages}, headers={}, turn=next(self._turns)))
        if line.refusal:
            return Refused(why=line.refusal)
        if line.status != 200:
            return Infrastructure(reason="server_error", detail=str(line.status))
        return Answered(reply=Reply(text=line.text or ""))
