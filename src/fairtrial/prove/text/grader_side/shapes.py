"""Call a plain function: which parameter is given what is read from its names, then from its positions.

Covers functions, methods and callable objects, plain and async, that score one completion at a time.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable
from typing import Any

from .errors import UnusableError
from .rows import Row, state_of
from .scores import score_of

COMPLETION = frozenset((
    "completion", "response", "output", "submission", "prediction", "predicted", "pred", "generated", "generation",
    "candidate", "model_output", "model_answer", "student_answer", "student", "hypothesis", "text", "reply", "code",
    "program", "solution_str", "llm_output", "content", "completion_text", "response_text", "output_text",
    "model_response", "completion_str", "attempt", "given", "result", "source",
))  # fmt: skip
ANSWER = frozenset((
    "ground_truth", "groundtruth", "ground_truths", "truth", "gold", "target", "expected", "label", "reference",
    "correct_answer", "gold_answer", "expected_output", "expected_answer", "correct", "reference_answer", "y_true",
    "key", "true_answer", "gt", "ref", "target_answer", "golden",
))  # fmt: skip
EITHER = ("answer", "solution")
"""The ground truth beside a completion; the completion beside another name for the ground truth, or alone."""
PROMPT = frozenset(("prompt", "question", "problem", "query", "instruction", "task", "input", "inputs"))
CHAT = frozenset(("messages", "conversation", "chat", "transcript", "dialogue"))
TRAJECTORY = frozenset(("trajectory", "turns"))
WHOLE = frozenset(("state", "rollout"))
INFO = frozenset(("info", "extra_info", "metadata", "extra", "kwargs", "context"))
ROW = frozenset(("sample", "row", "example", "case", "item", "doc", "record"))

Source = Callable[[Row], Any]
_POSITIONS: tuple[tuple[str, Source], ...] = (
    ("completion", Row.handed_in),
    ("answer", lambda row: row.answer),
    ("prompt", lambda row: row.prompt),
)


class Plan:
    """How each parameter of a function is filled."""

    def __init__(self, function: Callable[..., Any], columns: frozenset[str]) -> None:
        self.columns = columns
        self.by_position: list[Source] = []
        self.by_name: dict[str, Source] = {}
        self.takes_the_rest = False
        parameters = _parameters(function)
        self.roles = roles(parameters, columns)
        given = set(self.roles.values())
        spare = [source for role, source in _POSITIONS if role not in given]
        for parameter in parameters:
            self._add(parameter, spare)

    def _add(self, parameter: inspect.Parameter, spare: list[Source]) -> None:
        if parameter.kind is parameter.VAR_POSITIONAL:
            self.by_position += spare[:2] if not self.by_position else []
            return
        if parameter.kind is parameter.VAR_KEYWORD:
            self.takes_the_rest = True
            return
        role = self.roles.get(parameter.name, "")
        if not role and parameter.default is not parameter.empty:
            return
        if not role and not spare:
            raise UnusableError(f"the grader asks for `{parameter.name}`; add that column to the cases")
        source = _source(role, parameter.name) if role else spare.pop(0)
        if parameter.kind is parameter.POSITIONAL_ONLY:
            self.by_position.append(source)
        else:
            self.by_name[parameter.name] = source

    def call(self, function: Callable[..., Any], row: Row) -> Any:
        """Call `function` on `row`."""
        named = {name: source(row) for name, source in self.by_name.items()}
        if self.takes_the_rest:
            named.update({name: value for name, value in row.info.items() if name not in named})
            for name, value in (("answer", row.answer), ("prompt", row.prompt), ("completion", row.handed_in())):
                named.setdefault(name, value)
        return function(*(source(row) for source in self.by_position), **named)


def roles(parameters: list[inspect.Parameter], columns: frozenset[str]) -> dict[str, str]:
    """Return parameter name -> what it is given, where its name says so."""
    found: dict[str, str] = {}
    names = [one.name for one in parameters if one.kind not in (one.VAR_POSITIONAL, one.VAR_KEYWORD)]
    for name in names:
        plain = name.lower().lstrip("_")
        for role, group in (("completion", COMPLETION), ("answer", ANSWER), ("prompt", PROMPT), ("chat", CHAT),
                            ("trajectory", TRAJECTORY), ("state", WHOLE), ("info", INFO), ("row", ROW)):  # fmt: skip
            if plain in group:
                found[name] = role
        if name in columns and found.get(name) != "completion":
            found[name] = "column"
    either = [name for name in names if name in EITHER and name not in found]
    _settle_either(either, found)
    if list(found.values()).count("completion") > 1:  # the first is; `text` or `result` beside it is something else
        extra = [name for name in names if found.get(name) == "completion"][1:]
        for name in extra:
            del found[name]
    return found


def _settle_either(either: list[str], found: dict[str, str]) -> None:
    """Decide what `answer` and `solution` mean beside the other names."""
    said = {"completion", "chat", "trajectory", "state"} & set(found.values())
    if not said and either and ("answer" in found.values() or len(either) > 1 or not found):
        is_completion = either.pop(either.index("solution")) if len(either) > 1 else either.pop(0)
        found[is_completion] = "completion"
    for name in either:
        found[name] = "answer"


def _parameters(function: Callable[..., Any]) -> list[inspect.Parameter]:
    try:
        return list(inspect.signature(function).parameters.values())
    except (TypeError, ValueError) as error:
        raise UnusableError(f"the grader's parameters cannot be read: {error}") from error


def _source(role: str, name: str) -> Source:
    if role == "column":
        return lambda row: row.info.get(name)
    return {
        "completion": Row.handed_in,
        "answer": lambda row: row.answer,
        "prompt": lambda row: row.prompt,
        "chat": lambda row: [*row.asked(), *row.messages()],
        "trajectory": Row.messages,
        "state": state_of,
        "info": lambda row: dict(row.info),
        "row": lambda row: {**row.info, "prompt": row.prompt, "question": row.question(), "answer": row.answer},
    }[role]


class PlainGrader:
    """A function that scores one completion."""

    framework = "function"

    def __init__(self, function: Callable[..., Any], columns: frozenset[str]) -> None:
        self.function = function
        self.plan = Plan(function, columns)

    def score(self, row: Row) -> Any:
        """Return the score, or an awaitable of what holds it."""
        found = self.plan.call(self.function, row)
        return _awaited(found) if inspect.isawaitable(found) else score_of(found)

    def described(self) -> dict[str, Any]:
        """Say how the grader is called."""
        return {"parameters": self.plan.roles}


async def _awaited(found: Any) -> float:
    return score_of(await found)
