"""Put another value where the right answer stands in the gold completion, so that only the value is wrong.

The last place where the answer stands as a word of its own is replaced. Where it does not stand there (an answer that
the reference writes in another form), nothing can be placed.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from fairtrial.attack.text.gold import Gold
from fairtrial.attack.text.protocol import TextCase

_TAG = re.compile(r"<([A-Za-z][\w-]{0,30})>")
_INPUT_TAG = re.compile(r"<([A-Za-z][\w-]{0,30})>(?=[^<]{40,})")
REASONING = frozenset({"think", "thinking", "reasoning", "scratchpad", "reason", "analysis"})
"""Tags that hold the reasoning rather than the answer."""


@dataclass(frozen=True, slots=True)
class Scaffold:
    """A way to mark the answer in a completion."""

    name: str
    opening: str
    closing: str

    def around(self, value: str) -> str:
        """Return `value` in this scaffold."""
        return f"{self.opening}{value}{self.closing}"


BOXED = Scaffold("boxed", "\\boxed{", "}")
ANSWER_TAG = Scaffold("answer_tag", "<answer>", "</answer>")
KNOWN = (
    BOXED,
    ANSWER_TAG,
    Scaffold("thought_and_answer", "<think>Let me see.</think>\n<answer>", "</answer>"),
    Scaffold("hash", "#### ", ""),
    Scaffold("label", "Answer: ", ""),
    Scaffold("sentence", "The final answer is ", "."),
    Scaffold("json", '{"answer": "', '"}'),
    Scaffold("bold", "**", "**"),
    Scaffold("fence", "```\n", "\n```"),
)
"""The marks in use in the field."""


def asked_for(case: TextCase) -> tuple[Scaffold, ...]:
    r"""Return the scaffolds that the prompt names or the gold completion uses: custom tags too.

    >>> [one.name for one in asked_for(TextCase(id="1", prompt="Use <reply> tags.", reference="4", answer=4))]
    ['reply_tag']
    """
    prompt, seen = case.prompt_text, f"{case.prompt_text}\n{case.reference_text}"
    inputs = {name for name in _INPUT_TAG.findall(prompt) if f"</{name}>" in prompt}
    names = dict.fromkeys(name for name in _TAG.findall(seen) if name.lower() not in REASONING and name not in inputs)
    tags = tuple(Scaffold(f"{name.lower()}_tag", f"<{name}>", f"</{name}>") for name in list(names)[-3:])
    marks = {"boxed": "\\boxed", "hash": "####", "label": "Answer:", "json": '"answer"'}
    plain = tuple(one for one in KNOWN if one.name in marks and marks[one.name] in seen)
    return (*tags, *plain)


def placed(case: TextCase, gold: Gold, value: str) -> str | None:
    """Return the gold completion with `value` in place of the answer; None where the answer does not stand there.

    >>> case = TextCase(id="1", prompt="?", reference="<answer>a</answer>", answer="a")
    >>> placed(case, Gold(text="a", kind="option", is_given=True), "b")
    '<answer>b</answer>'
    """
    text = case.reference_text
    found = [match.span() for match in _standing(gold.text, text)]
    if not found:
        return None
    start, end = found[-1]
    return text[:start] + value + text[end:]


def in_every_format(case: TextCase, gold: Gold, value: str) -> dict[str, str]:
    """Return `value` in the reference's own format, then in those asked for; by name. Plain where there is neither."""
    written: dict[str, str] = {}
    own = placed(case, gold, value)
    if own is not None:
        written["as_reference"] = own
    written.update({scaffold.name: scaffold.around(value) for scaffold in asked_for(case)})
    written.setdefault("plain", value)
    by_text = {text: name for name, text in reversed(written.items())}
    return {name: text for text, name in reversed(by_text.items())}


def answered(case: TextCase, gold: Gold, value: str) -> str:
    """Return `value` in the format in which the gold completion stands, or plain where that cannot be told."""
    own = placed(case, gold, value)
    if own is not None:
        return own
    scaffolds = asked_for(case)
    return scaffolds[0].around(value) if scaffolds else value


def _standing(value: str, text: str) -> Iterator[re.Match[str]]:
    if not value:
        return iter(())
    before = r"(?<![\w.])" if value[:1].isdigit() else r"(?<!\w)" if value[:1].isalnum() else ""
    after = r"(?!\w|\.\d)" if value[-1:].isdigit() else r"(?!\w)" if value[-1:].isalnum() else ""
    return re.finditer(f"{before}{re.escape(value)}{after}", text)
