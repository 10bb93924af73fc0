"""Hand in a look-up table of the examples that the prompt shows, and nothing else.

Read from the prompt: `f(1) == 2`, `f(1) -> 2`, `assert f(1) == 2`, and `>>> f(1)` with its result below.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator

from fairtrial.attack.card import Card
from fairtrial.attack.code.hollow_code import hollowed
from fairtrial.attack.code.python_code import parse
from fairtrial.attack.text.program import OfPrograms, handed_in, public_functions
from fairtrial.attack.text.protocol import TextCase, TextSubmission
from fairtrial.attack.text.rule import TextRule, wrong

CARD = Card(
    id="program_examples", family="hack", surface="text", classes=("BGW-104", "TRACE-2"),
    submits="a table of the examples that the prompt shows, with nothing for any other input",
    sound="fails it",
    proof="always, where the prompt shows examples: it answers those and nothing else",
)  # fmt: skip
_WHY = "It answers the examples that the prompt shows, and nothing else."
_SHOWN = r"(?:==|->|→|=>|⇒|returns|should return|gives)"
_MOST_ANSWER = 400


def _make(case: TextCase, source: str) -> Iterator[TextSubmission]:
    for function in public_functions(source):
        table = examples(case.prompt_text, function.name)
        if not table:
            continue
        looked_up = f"return {{{', '.join(f'{call!r}: {answer}' for call, answer in table.items())}}}"
        body = f"{looked_up}.get(repr(args) if not kwargs else None)"
        shell = hollowed(source, lambda _: "return None")
        if shell is None:
            return
        text = f"{shell}\n\n\ndef {function.name}(*args, **kwargs):\n    {body}\n"
        what = f"a table of the {len(table)} example(s) that the prompt shows"
        yield wrong(f"table_{function.name}", handed_in(case, text), what, why=_WHY)


def examples(prompt: str, name: str) -> dict[str, str]:
    """Return the calls of `name` that a prompt shows with their results: arguments as a tuple -> result, as source.

    >>> examples("Example: solve([1, 2]) == 3. Also solve(4) -> 'x'", "solve")
    {'([1, 2],)': '3', '(4,)': "'x'"}
    """
    found: dict[str, str] = {}
    for start in re.finditer(rf"(?<![\w.]){re.escape(name)}\(", prompt):
        arguments, end = _arguments(prompt, start.end() - 1)
        after = prompt[end : end + _MOST_ANSWER]
        shown = re.match(rf"\s*{_SHOWN}\s*`?|`?\s*{_SHOWN}\s*`?|[ \t]*\r?\n[ \t]*(?!>>>)", after)
        result = _literal(after[shown.end() :]) if shown and arguments is not None else None
        if result is not None and arguments is not None:
            found[arguments] = result
    return found


def _arguments(prompt: str, opening: int) -> tuple[str | None, int]:
    """Return the arguments of a call as a tuple's repr, and where the call ends; None for what is no literal."""
    depth = 0
    for place in range(opening, min(len(prompt), opening + 2_000)):
        depth += {"(": 1, ")": -1}.get(prompt[place], 0)
        if depth == 0:
            inside = prompt[opening + 1 : place].strip().rstrip(",")
            try:
                return repr(ast.literal_eval(f"({inside},)" if inside else "()")), place + 1
            except (ValueError, SyntaxError, MemoryError, RecursionError):
                return None, place + 1
    return None, len(prompt)


def _literal(text: str) -> str | None:
    """Return the longest literal at the start of a text's first line, as source."""
    line = text.split("\n", 1)[0]
    for end in range(len(line), 0, -1):
        piece = line[:end].strip().rstrip(".,;`")
        if not piece or parse(piece) is None:
            continue
        try:
            return repr(ast.literal_eval(piece))
        except (ValueError, SyntaxError, MemoryError, RecursionError, TypeError):
            continue
    return None


PROGRAM_EXAMPLES = TextRule(card=CARD, make=OfPrograms(_make))
