"""Make a reward function or a scorer of a comparison: 1 where a completion gives the answer, else 0.

`reward` is what TRL's trainers call, `score` what verifiers and any harness that hands over one completion calls.
`BY_KIND` has a reward for each kind as it stands, so that `fairtrial prove --grader
fairtrial.compare.rewards:BY_KIND.number` can prove it. Not covered: partial credit, formats that must be kept.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from fairtrial.compare.equivalence import KINDS, equivalent
from fairtrial.compare.stated import Stated
from fairtrial.compare.stating import stated_from
from fairtrial.records.errors import InputError

Completion = str | Sequence[Mapping[str, Any]]
"""A text, or a list of messages with `role` and `content`."""


def reward(kind: str, **stated: Any) -> Callable[..., list[float | None]]:
    """Return a reward function for TRL: lists of completions and of the column `answer` in, a list of rewards out.

    `stated` are the fields of `Stated`. A row without an answer has no reward (None). Raise InputError for an unknown
    kind or field.

    >>> reward("number", absolute=0.01)(completions=["It is 3.", "4"], answer=["3.001", "3"])
    [1.0, 0.0]
    """
    compare = _comparing(kind, stated)

    def rewards(completions: Sequence[Completion], answer: Sequence[Any], **columns: Any) -> list[float | None]:
        del columns  # prompts, token ids and the other columns do not matter here
        return [compare(one, right) for one, right in zip(completions, answer, strict=True)]

    rewards.__name__ = f"same_{kind}"
    return rewards


def score(kind: str, **stated: Any) -> Callable[..., float]:
    """Return a function of one `completion` and its `answer`, as verifiers' rubrics call it.

    >>> score("choice")(completion=[{"role": "assistant", "content": "(B)"}], answer="B")
    1.0
    """
    compare = _comparing(kind, stated)

    def scored(completion: Completion, answer: Any) -> float:
        found = compare(completion, answer)
        if found is None:
            raise InputError("the case has no answer to compare with", field="answer")
        return found

    scored.__name__ = f"same_{kind}"
    return scored


def text_of(completion: Completion) -> str:
    """Return a completion as text: of messages, what the last of the assistant's says.

    >>> text_of([{"role": "assistant", "content": [{"type": "text", "text": "18"}]}])
    '18'
    """
    if isinstance(completion, str):
        return completion
    said = [message.get("content") for message in completion if message.get("role", "assistant") == "assistant"]
    content = said[-1] if said else ""
    if isinstance(content, list):
        return "".join(str(part.get("text", "")) for part in content if isinstance(part, Mapping))
    return content if isinstance(content, str) else ""


def _comparing(kind: str, values: Mapping[str, Any]) -> Callable[[Completion, Any], float | None]:
    if kind not in KINDS:
        raise InputError(f"no kind `{kind}`", field="kind", hint=f"Known: {', '.join(KINDS)}.")
    stated: Stated = stated_from(values)

    def compare(completion: Completion, answer: Any) -> float | None:
        if answer is None:
            return None
        return float(equivalent(str(answer), text_of(completion), kind, stated).equivalent)

    return compare


BY_KIND: Mapping[str, Callable[..., list[float | None]]] = {kind: reward(kind) for kind in KINDS}
