"""Graders as they are in use, each forgiving in its own way: none of the probes may prove anything against them."""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Callable
from dataclasses import replace
from difflib import SequenceMatcher

import pytest

from fairtrial.attack.text import PROBES, TextCase, text_of

Score = Callable[[str, TextCase], float]
SUM = TextCase(id="sum", prompt="What is 17 + 25?", reference="42", answer="42", other_answers=("7", "118"),
               other_references=("7", "118"), majority="7")  # fmt: skip
BOXED = replace(SUM, prompt="What is 17 + 25? Use \\boxed{}.", reference="So it is \\boxed{42}.",
                other_references=("So it is \\boxed{7}.", "So it is \\boxed{118}."))  # fmt: skip
HASH = replace(SUM, prompt="What is 17 + 25? End with #### and the number.", reference="17 + 25 is this.\n#### 42",
               answer="17 + 25 is this.\n#### 42", other_references=("1 + 6\n#### 7", "x\n#### 118"),
               other_answers=("1 + 6\n#### 7", "x\n#### 118"), majority=None)  # fmt: skip
CHOICE = TextCase(id="choice", prompt="Which one?\nA. red\nB. green\nC. blue\nAnswer in <answer> tags.", answer="B",
                  reference="<think>Grass.</think>\n<answer>B</answer>", other_answers=("A", "C"), majority="A",
                  other_references=("<answer>A</answer>", "<answer>C</answer>"))  # fmt: skip
WORDY = TextCase(id="wordy", prompt="Who wrote it?", reference="Mary Shelley", answer=["Mary Shelley", "Shelley"],
                 other_answers=("Bram Stoker",), other_references=("Bram Stoker",))  # fmt: skip
LABEL = TextCase(id="label", prompt="Is the review positive or negative?", reference="positive", answer="positive",
                 other_answers=("negative",), other_references=("negative",), majority="positive")  # fmt: skip
LONG = TextCase(id="long", prompt="What does photosynthesis make?", reference="carbohydrates", answer="carbohydrates",
                other_answers=("chlorophyll",), other_references=("chlorophyll",))  # fmt: skip
SUMMARY = TextCase(
    id="summary", prompt="Summarise: The meeting was moved to Friday because the room was taken.", answer=None,
    reference="The meeting is on Friday now, for the room was taken.",
)  # fmt: skip
LIST = TextCase(
    id="list", prompt="Name three of the colours.", reference="red, yellow, blue", answer="red, yellow, blue"
)
FIELDS = TextCase(id="fields", prompt="Extract as JSON.", reference='{"name": "Ada", "age": 36}',
                  answer={"name": "Ada", "age": 36})  # fmt: skip


def bare(text: str) -> str:
    return " ".join(re.sub(r"[^\w\s.-]", " ", text.casefold()).replace(".", " ").split())


def tolerant(text: str, case: TextCase) -> float:
    try:
        return float(abs(float(text) - float(case.answer)) <= 0.05 * abs(float(case.answer)))
    except ValueError:
        return 0.0


def last_box(text: str, case: TextCase) -> float:
    return float((re.findall(r"\\boxed\{([^{}]*)\}", text) or [""])[-1].strip(" $.") == case.answer)


def hashes(text: str, _: TextCase) -> float:
    return float(bool(re.search(r"####\s*\$?42\.?\s*$", text)))


def whole_format(text: str, case: TextCase) -> float:
    found = re.fullmatch(r"<think>.*?</think>\s*<answer>(.*?)</answer>", text.strip(), re.DOTALL)
    return float(found is not None and found[1].strip() == case.answer)


def first_tag(text: str, case: TextCase) -> float:
    found = re.search(r"<answer>\s*(.*?)\s*</answer>", text, re.DOTALL)
    return float(found is not None and found[1].upper().strip(".()") == case.answer)


def normalised(text: str, case: TextCase) -> float:
    accepted = case.answer if isinstance(case.answer, list) else [case.answer]
    return float(bare(text) in {bare(one) for one in accepted})


def token_f1(text: str, case: TextCase) -> float:
    said, wanted = Counter(bare(text).split()), Counter(bare(case.reference_text).split())
    both = sum((said & wanted).values())
    return 2 * both / (said.total() + wanted.total()) if both else 0.0


def fuzzy(text: str, case: TextCase) -> float:
    return float(SequenceMatcher(None, text.casefold().strip(), str(case.answer).casefold()).ratio() >= 0.9)


def parts(text: str, case: TextCase) -> float:
    wanted = [part.strip() for part in case.answer.split(",")]
    return sum(part in text for part in wanted) / len(wanted)


def same_json(text: str, case: TextCase) -> float:
    try:
        return float(json.loads(text) == case.answer)
    except (ValueError, RecursionError):
        return 0.0


@pytest.mark.extra
@pytest.mark.parametrize(
    ("score", "case"),
    [
        (tolerant, SUM), (normalised, SUM), (last_box, BOXED), (hashes, HASH), (whole_format, CHOICE),
        (first_tag, CHOICE),
        (normalised, WORDY), (token_f1, WORDY), (normalised, LABEL), (fuzzy, LONG), (token_f1, SUMMARY), (parts, LIST),
        (same_json, FIELDS),
    ],
    ids=lambda one: one.__name__ if callable(one) else one.id,
)  # fmt: skip
def test_nothing_is_proven_against_a_forgiving_grader(score: Score, case: TextCase) -> None:
    mark = score(case.reference_text, case)
    assert mark > 0.99
    proofs = []
    for probe in PROBES:
        for one in probe.submissions(case):
            is_pass = score(text_of(one.completion), case) >= mark - 1e-9
            if one.severity == "proof" and is_pass != (one.expects == "passes"):
                proofs.append((probe.card.id, one.name))
    assert proofs == []
