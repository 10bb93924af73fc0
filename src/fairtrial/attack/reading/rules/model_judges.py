"""Rules on graders that ask a language model: refusals, and replies that flow into the prompt as they are."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator

from fairtrial.attack.reading.python_file import PythonFile, constant
from fairtrial.attack.reading.rule import Found, Rule, static_card
from fairtrial.attack.reading.sources import Sources

_ASKS = re.compile(
    r"(chat\.)?completions\.create$|responses\.create$|messages\.create$|(^|\.)a?completion$|generate_content$|"
    r"ChatCompletion\.create$|\.judge$|get_model\(.*\)\.generate$"
)
_HANDLED = re.compile(
    r"refus|content_filter|stop_reason|finish_reason|UNPARSED|ungraded|unscored|raise \w*(Error|Exception)",
    re.IGNORECASE,
)
_FENCE = re.compile(r"(<[\w-]+>|```\w*|\"\"\"|'''|-{3,}|={3,}|#{3,}|\[[A-Z_ ]+\])\s*$")


def refusals(file: PythonFile, _: Sources) -> Iterator[Found]:
    """Find calls of a model whose refusal, or answer without a verdict, is not told from a verdict."""
    if _HANDLED.search(file.text):
        return
    for call, name in file.calls:
        if _ASKS.search(name):
            yield call.lineno, "A refusal, or an answer without a verdict, is not told from a verdict."


def undelimited(file: PythonFile, _: Sources) -> Iterator[Found]:
    """Find prompts into which a reply flows without a mark around it."""
    if not any(_ASKS.search(name) for _, name in file.calls):
        return
    for node in file.nodes:
        if not isinstance(node, ast.JoinedStr):
            continue
        for before, part in zip(node.values, node.values[1:], strict=False):
            text = constant(before)
            is_reply = isinstance(part, ast.FormattedValue) and file.flow.is_work(part.value)
            if is_reply and isinstance(text, str) and len(text) > 10 and not _FENCE.search(text):
                yield (
                    part.lineno,
                    "The reply flows into the judge's prompt without a mark around it: it can give orders.",
                )


RULES = (
    Rule(
        card=static_card(
            "judge_refusals", "model verdicts without a way for refusals", ("BGW-126", "BGW-127"), "judge"
        ),
        python=refusals,
    ),
    Rule(
        card=static_card(
            "judge_undelimited", "replies that flow into a judge's prompt unmarked", ("BGW-129", "BGW-138"), "judge"
        ),
        python=undelimited,
    ),
)
