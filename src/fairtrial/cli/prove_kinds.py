"""Which options of `fairtrial prove` speak of tasks, which of text graders and which of judges.

An option that says nothing of what is proven is refused rather than passed over: who gave it believes that it counts.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Literal

from fairtrial.records import InputError

Kind = Literal["task", "grader", "judge"]
WORDS: Mapping[Kind, str] = {"task": "task folders", "grader": "a text grader", "judge": "a judge"}
SPEAKS_OF: Mapping[str, tuple[Kind, ...]] = {
    "paths": ("task",), "grader": ("grader",), "judge": ("judge",), "cases": ("grader", "judge"),
    "judge_model": ("task",), "judge_base_url": ("task",), "judge_max_tokens": ("task",),
    "known_only": ("task",), "mutants": ("task",), "runners": ("task",), "fresh": ("task",), "changed": ("task",),
    "engine": ("task",), "address": ("task",),
    "concurrency": ("task",), "pass_at": ("task", "grader"), "sandbox": ("task", "grader"),
    "framework": ("grader",), "python": ("grader",), "install": ("grader",), "sample": ("grader",),
    "call_seconds": ("grader",), "model": ("judge",), "base_url": ("judge",), "effort": ("judge",),
    "temperature": ("judge",), "max_usd": ("judge",), "price": ("judge",), "api_key_variable": ("task", "judge"),
}  # fmt: skip
"""Parameter -> what it speaks of; those that are absent speak of all three."""


def refuse_strange_options(kind: Kind, is_said: Callable[[str], bool]) -> None:
    """Raise InputError for the first parameter that was said and does not speak of `kind`.

    >>> refuse_strange_options("judge", {"cases", "seed"}.__contains__)
    >>> refuse_strange_options("judge", {"cases", "mutants"}.__contains__)
    Traceback (most recent call last):
    fairtrial.records.errors.InputError: field `--mutants`: speaks of task folders, not of a judge
      Leave it out.
    """
    strange = next((name for name, kinds in SPEAKS_OF.items() if kind not in kinds and is_said(name)), None)
    if strange is None:
        return
    option = "PATHS" if strange == "paths" else f"--{strange.replace('_', '-')}"
    owners = " and ".join(WORDS[one] for one in SPEAKS_OF[strange])
    raise InputError(f"speaks of {owners}, not of {WORDS[kind]}", field=option, hint="Leave it out.")
