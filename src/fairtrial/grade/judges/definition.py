"""What a judge is: its prompt, its scale or labels, and the smallest difference that it must see.

Pointwise, it scores one response; pairwise, it says which of two it prefers. The names of labels and of the two
responses are filled in, so that probes can change them. Which model answers is no part of it.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Literal

from fairtrial.models import Request, request

Form = Literal["pointwise", "pairwise"]
PLACEHOLDER = re.compile(r"\{(prompt|response|first|second|reference|rubric|labels|name_1|name_2|label:[^{}\n]+)\}")
TIE = "tie"


@dataclass(frozen=True, slots=True, kw_only=True)
class Judge:
    """Ask this, and read the verdict so."""

    name: str
    form: Form = "pointwise"
    template: str
    """The user's message, with placeholders."""
    system: str = ""
    """The system prompt; placeholders are filled in there too."""
    rubric: tuple[str, ...] = ()
    """Items of `{rubric}`, numbered when they are filled in."""
    paraphrases: tuple[str, ...] = ()
    """Other wordings of the template, which must give the same verdicts."""
    low: float = 0.0
    high: float = 1.0
    labels: tuple[tuple[str, float], ...] = ()
    """Name and value of each label; empty where it answers with a number. Pairwise: none."""
    shown_labels: tuple[str, ...] = ()
    """Names under which the labels are shown, in the order of `labels`; empty for their own."""
    names: tuple[str, str] = ("A", "B")
    """What the two responses of a pair are called."""
    pass_at: float = 1.0
    """Least value that is a pass, pointwise."""
    gap: float = 1.0
    """The smallest difference of scores that it must see; pairwise, of a preference in [-1, 1]."""
    votes: int = 1
    """How many verdicts are averaged where it is used."""
    field: str = "score"
    """Key of the verdict in the JSON object that the judge replies with; not read where there is a pattern."""
    pattern: str = ""
    """Regular expression whose last match holds the verdict in its first group."""
    free: tuple[str, ...] = ()
    """What must not move a score: `length`, `style`."""
    temperature: float | None = None
    max_tokens: int | None = None

    def label_names(self) -> tuple[str, ...]:
        """Return the names of the labels as they are shown."""
        return self.shown_labels or tuple(name for name, _ in self.labels)

    def placeholders(self) -> frozenset[str]:
        """Return the placeholders of template and system prompt, `label:NAME` without its name."""
        found = PLACEHOLDER.findall(self.template + self.system)
        return frozenset(name.split(":")[0] for name in found)

    def accepts(self, value: float) -> bool:
        """Say whether a verdict accepts wrong work: a pass; pairwise, the worse of the two preferred."""
        return value < 0 if self.form == "pairwise" else value >= self.pass_at - 1e-9


@dataclass(frozen=True, slots=True, kw_only=True)
class Shown:
    """What a judge is shown: one response, or two in this order."""

    prompt: str
    response: str
    second: str = ""
    """The response in second place; pairwise only."""
    reference: str = ""


def rendered(judge: Judge, shown: Shown) -> Request:
    """Return what the judge is asked. One pass: a placeholder inside a response stays text.

    >>> judge = Judge(name="j", template="Q: {prompt} A: {response}")
    >>> rendered(judge, Shown(prompt="1+1?", response="{prompt}")).messages[0].text
    'Q: 1+1? A: {prompt}'
    """
    values = {
        "prompt": shown.prompt,
        "response": shown.response,
        "first": shown.response,
        "second": shown.second,
        "reference": shown.reference,
        "rubric": "\n".join(f"{number}. {item}" for number, item in enumerate(judge.rubric, 1)),
        "labels": ", ".join(judge.label_names()),
        "name_1": judge.names[0],
        "name_2": judge.names[1],
    }
    own = zip((name for name, _ in judge.labels), judge.label_names(), strict=True)
    values |= {f"label:{name}": shown_as for name, shown_as in own}

    def fill(found: re.Match[str]) -> str:
        return values.get(found[1], found[0])

    return request(PLACEHOLDER.sub(fill, judge.system), PLACEHOLDER.sub(fill, judge.template))
