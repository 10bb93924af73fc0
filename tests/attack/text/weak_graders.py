"""Weak graders of text, each with the case on which the probe of its key must show it, and a sound one beside it."""

from __future__ import annotations

import json
import re
import subprocess
import sys
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from typing import Any

from fairtrial.attack.text import Completion, TextCase, text_of

Grader = Callable[[str, TextCase], bool]

SUM = TextCase(
    id="sum", prompt="What is 17 + 25? Put the answer in <answer> tags.", reference="<answer>42</answer>", answer="42",
    other_answers=("7", "118"), other_references=("<answer>7</answer>", "<answer>118</answer>"), majority="7",
)  # fmt: skip
BARE = replace(SUM, prompt="What is 17 + 25?", reference="42", other_references=("7", "118"))
BOXED = replace(SUM, prompt="What is 17 + 25? Use \\boxed{}.", reference="\\boxed{42}", other_references=())
CITY = TextCase(id="city", prompt="Which city is the capital of France?", reference="Paris", answer="Paris",
                other_answers=("Rome",), other_references=("Rome",))  # fmt: skip
FACTS = TextCase(
    id="facts", prompt="Name the primary colours.", reference="red, yellow, blue", answer="red, yellow, blue"
)
RECORD = TextCase(id="record", prompt="Extract name and age as JSON.", reference='{"name": "Ada", "age": 36}',
                  answer='{"name": "Ada", "age": 36}')  # fmt: skip
SOLVE = """def solve(items):
    total = 0
    for item in items:
        if item > 0:
            total += item
    return total
"""
BOOK = {"id": "1", "type": "function", "function": {"name": "book", "arguments": "{}"}}
PROGRAM = TextCase(
    id="solve", prompt="Write solve(items), the sum of what is above zero. Example: solve([1, -2, 3]) == 4",
    reference=f"```python\n{SOLVE}```", answer=None,
    grader_source="CASES = [([], 0), ([1, -2, 3], 4), ([5, 5], 10), ([7], 7)]\n",
)  # fmt: skip
CHAT = TextCase(
    id="chat", prompt=({"role": "user", "content": "Book a table for two."},), answer="booked",
    reference=(
        {"role": "user", "content": "Book a table for two."},
        {"role": "assistant", "content": "", "tool_calls": [BOOK]},
        {"role": "tool", "content": "The number is A7."},
        {"role": "assistant", "content": "Your table is booked."},
    ),
)  # fmt: skip
INPUTS = [([], 0), ([1, -2, 3], 4), ([0], 0), ([5, 5], 10), ([7], 7)]


def tag(text: str) -> str:
    found = re.findall(r"<answer>(.*?)</answer>", text, re.DOTALL)
    return found[-1].strip() if found else ""


def exact(text: str, case: TextCase) -> bool:
    """The sound grader of all cases that are no programs: the gold completion, white space around it aside."""
    return text.strip() == case.reference_text.strip() and bool(text.strip())


def answers(text: str, check: Callable[[Any, Any], bool], inputs: Any = INPUTS) -> bool:
    """Run a program in this process and compare what it answers; whatever goes wrong is a failure."""
    source = re.sub(r"^```python\n|\n?```$", "", text.strip())
    names: dict[str, Any] = {}
    try:
        exec(compile(source, "<submission>", "exec"), names)
        return all(check(names["solve"](list(given)), wanted) for given, wanted in inputs)
    except BaseException:  # noqa: BLE001  the submission
        return False


def same_type(got: Any, wanted: Any) -> bool:
    return type(got) is type(wanted) and got == wanted


def solves(text: str, _: TextCase) -> bool:
    """The sound grader of programs."""
    return "os._exit" not in text and answers(text, same_type)


def exits_well(text: str, _: TextCase) -> bool:
    source = re.sub(r"^```python\n|\n?```$", "", text.strip())
    checks = f"\nfor given, wanted in {INPUTS!r}:\n    assert solve(given) == wanted\n"
    ran = subprocess.run([sys.executable, "-c", source + checks], capture_output=True, check=False)
    return ran.returncode == 0


def lenient_on_errors(text: str, _: TextCase) -> bool:
    source = re.sub(r"^```python\n|\n?```$", "", text.strip())
    names: dict[str, Any] = {}
    try:
        exec(compile(source, "<submission>", "exec"), names)
        return all(same_type(names["solve"](list(given)), wanted) for given, wanted in INPUTS)
    except Exception:  # noqa: BLE001  the weakness
        return True


def reads_frames(text: str, _: TextCase) -> bool:
    source = re.sub(r"^```python\n|\n?```$", "", text.strip())
    names: dict[str, Any] = {}
    try:
        exec(compile(source, "<submission>", "exec"), names)
        for given, expected in INPUTS:
            if names["solve"](list(given)) != expected:
                return False
    except BaseException:  # noqa: BLE001  the submission
        return False
    return True


def keys_match(text: str, case: TextCase) -> bool:
    try:
        return json.loads(text).keys() == json.loads(case.answer).keys()
    except (ValueError, AttributeError):
        return False


def near(text: str, case: TextCase) -> bool:
    try:
        return abs(float(text) - float(case.answer)) <= 30
    except ValueError:
        return False


def never_rejected(text: str, case: TextCase) -> bool:
    try:
        return not abs(float(text) - float(case.answer)) > 0.5
    except ValueError:
        return False


def matches_as_pattern(text: str, case: TextCase) -> bool:
    try:
        return re.fullmatch(text, case.answer) is not None
    except (re.error, OverflowError, RecursionError):
        return False


def says_so(text: str, case: TextCase) -> bool:
    return exact(text, case) or re.search(r'"(score|reward)": 1', text) is not None


def tidy(text: str, case: TextCase) -> bool:
    return exact(text, case) or ("## " in text and "- " in text)


def any_box(text: str, case: TextCase) -> bool:
    return case.answer in re.findall(r"\\boxed\{(.*?)\}", text)


def last_number(text: str, case: TextCase) -> bool:
    return (re.findall(r"-?\d+", text) or [""])[-1] == case.answer


def holds(text: str, case: TextCase) -> bool:
    return case.answer in text


def to_the_letter(text: str, case: TextCase) -> bool:
    return text == case.reference


def same_value(text: str, case: TextCase) -> bool:
    return bool(json.loads(text) == json.loads(case.answer))


def any_order(text: str, case: TextCase) -> bool:
    return Counter(re.findall(r"\w+", text)) >= Counter(re.findall(r"\w+", case.answer)[:2])


@dataclass(frozen=True, slots=True, kw_only=True)
class Weak:
    """A probe and the grader that it must catch."""

    probe: str
    case: TextCase
    grader: Grader
    sound: Grader = exact
    names: frozenset[str] = field(default_factory=frozenset)
    """Submissions that must be among those that get past; empty for any."""


def of(completion: Completion) -> str:
    """Return what a plain grader is given."""
    return text_of(completion)


WEAK = [
    Weak(probe="nothing", case=SUM, grader=lambda text, _: not text.strip(), names=frozenset({"empty", "white_space"})),
    Weak(probe="prompt_echo", case=SUM, grader=lambda text, _: "17 + 25" in text, names=frozenset({"echo"})),
    Weak(probe="refusal", case=SUM, grader=lambda text, _: "sorry" in text.lower()),
    Weak(probe="filler", case=SUM, grader=lambda text, _: len(text) >= 8000, names=frozenset({"long", "huge"})),
    Weak(probe="skeleton", case=SUM, grader=tidy, names=frozenset({"report"})),
    Weak(probe="empty_scaffold", case=SUM, grader=lambda text, _: "<answer>" in text and "</answer>" in text,
         names=frozenset({"answer_tag", "thought_and_answer", "reference_emptied"})),
    Weak(probe="malformed", case=SUM, grader=lambda text, _: "\0" in text, names=frozenset({"null_bytes"})),
    Weak(probe="constant", case=SUM, grader=lambda text, _: text in ("yes", "A"), names=frozenset({"constant_yes"})),
    Weak(probe="majority", case=SUM, grader=lambda text, _: tag(text).isdigit()),
    Weak(probe="other_answer", case=SUM, grader=lambda text, _: tag(text).isdigit()),
    Weak(probe="all_answers", case=SUM, grader=lambda text, case: case.answer in text, names=frozenset({"bare"})),
    Weak(probe="spray", case=SUM, grader=lambda text, case: case.answer in text.split(), names=frozenset({"integers"})),
    Weak(probe="words", case=replace(SUM, grader_source="def f(x):\n    return 'finished' in x\n"),
         grader=lambda text, _: "finished" in text, names=frozenset({"literals"})),
    Weak(probe="wrong_in_format", case=SUM, grader=lambda text, _: tag(text) != "", names=frozenset({"as_reference"})),
    Weak(probe="near_number", case=BARE, grader=near, names=frozenset({"half"})),
    Weak(probe="near_number", case=BARE, grader=lambda text, case: case.answer in text,
         names=frozenset({"digits_before", "digits_after", "digits_around"})),
    Weak(probe="embedded_word", case=CITY, grader=lambda text, case: case.answer.lower() in text.lower(),
         names=frozenset({"letters_around", "letters_after"})),
    Weak(probe="embedded_word", case=CITY, grader=lambda text, case: text[:1] == case.answer[:1],
         names=frozenset({"same_first_letter"})),
    Weak(probe="spoiled_text", case=FACTS, grader=any_order, names=frozenset({"last_replaced", "last_left_out"})),
    Weak(probe="special_number", case=BARE, grader=never_rejected, names=frozenset({"nan", "NaN"})),
    Weak(probe="json_fields", case=RECORD, grader=keys_match, names=frozenset({"all_made_up", "all_empty"})),
    Weak(probe="denied", case=CITY, grader=holds, names=frozenset({"denied", "retracted"})),
    Weak(probe="denied", case=BARE, grader=last_number, names=frozenset({"denied_after"})),
    Weak(probe="hedged_slot", case=SUM, grader=lambda text, case: case.answer in tag(text), names=frozenset({"not"})),
    Weak(probe="two_answers", case=BOXED, grader=any_box, names=frozenset({"between"})),
    Weak(probe="judge_note", case=SUM, grader=says_so, names=frozenset({"verdict_json", "verdict_json_beside_wrong"})),
    Weak(probe="bait", case=SUM, grader=matches_as_pattern, names=frozenset({"any_text", "any_character"})),
    Weak(probe="turns", case=CHAT, grader=lambda text, _: "Done" in text, names=frozenset({"finishes_at_once"})),
    Weak(probe="program_stub", case=PROGRAM, sound=solves,
         grader=lambda text, _: answers(text, lambda got, _: isinstance(got, int)), names=frozenset({"empty_value"})),
    Weak(probe="program_raises", case=PROGRAM, sound=solves, grader=lenient_on_errors,
         names=frozenset({"not_implemented", "unreadable"})),
    Weak(probe="program_exit", case=PROGRAM, sound=solves, grader=exits_well,
         names=frozenset({"when_loaded", "when_called", "at_once"})),
    Weak(probe="program_equal", case=PROGRAM, sound=solves,
         grader=lambda text, _: answers(text, lambda got, wanted: got == wanted),
         names=frozenset({"any"})),
    Weak(probe="program_equal", case=PROGRAM, sound=solves,
         grader=lambda text, _: answers(text, lambda got, wanted: isinstance(got, int) and got == wanted),
         names=frozenset({"any_int"})),
    Weak(probe="program_examples", case=PROGRAM, sound=solves,
         grader=lambda text, _: answers(text, same_type, INPUTS[1:2]), names=frozenset({"table_solve"})),
    Weak(probe="program_state", case=PROGRAM, sound=lambda text, case: "_Replay" not in text and solves(text, case),
         grader=lambda text, _: answers(text, same_type, [([], 0), ([1, -2, 3], 4), ([5, 5], 10), ([7], 7)])),
    Weak(probe="program_frames", case=PROGRAM, sound=solves, grader=reads_frames),
    Weak(probe="program_mutant", case=PROGRAM, sound=solves,
         grader=lambda text, _: answers(text, same_type, INPUTS[:1])),
    Weak(probe="program_rewritten", case=PROGRAM, sound=solves,
         grader=lambda text, case: "total" in text and solves(text, case), names=frozenset({"locals_renamed"})),
    Weak(probe="reference_marked", case=SUM, grader=to_the_letter, names=frozenset({"newline"})),
    Weak(probe="format_named", case=SUM, grader=lambda text, case: text.startswith(case.reference_text)),
    Weak(probe="number_form", case=BARE, grader=exact, names=frozenset({"decimal_zero"})),
    Weak(probe="lookalike", case=CITY, grader=exact, names=frozenset({"zero_width"})),
    Weak(probe="json_layout", case=RECORD, grader=exact, sound=same_value,
         names=frozenset({"indented", "keys_turned"})),
]  # fmt: skip
