"""A text gives a name, or merely holds it. Not covered: what counts as the same words (test_wording)."""

from __future__ import annotations

import pytest

from fairtrial.compare import Stated, equivalent

GIVEN = [
    "ben nevis", "BEN NEVIS.", "“Ben Nevis”", "**Ben Nevis**", "Ben  Nevis\n", "The answer is Ben Nevis.",
    "The answer is: Ben Nevis", "Answer: Ben Nevis", "It is Ben Nevis.", "It's Ben Nevis!", "#### Ben Nevis",
    "\\boxed{Ben Nevis}", "\\boxed{\\text{Ben Nevis}}", "<answer>Ben Nevis</answer>", "Snowdon — no, Ben Nevis",
    "Snowdon, no wait, Ben Nevis.", "I first thought Snowdon. Actually, it is Ben Nevis.",
    "Ben Nevis (Beinn Nibheis)", "Ben Nevis (1,345 m)", "The highest mountain in Britain is Ben Nevis.",
    "The answer is Ben Nevis, which is in Scotland.", "The answer is Ben Nevis because it is the highest.",
    "Ben Nevis is the correct answer.", "Ben Nevis. It is 1345 m high.", "I think it is Ben Nevis.",
    "<think>Snowdon? Scafell Pike?</think>\nBen Nevis",
    "<think>\nLet me see.\n</think>\n<answer>\nBen Nevis\n</answer>", "Final answer: Ben Nevis", "ANSWER: Ben Nevis",
    "So the answer is **Ben Nevis**.", "Ben-Nevis", "Ben Nevis​", "Ｂｅｎ Ｎｅｖｉｓ", "```\nBen Nevis\n```",
    "The mountain is called Ben Nevis.", "My answer: Ben Nevis, in Scotland",
    "Let me think step by step. There are several mountains. The highest of them is Ben Nevis.",
    "It must be Ben Nevis, since Snowdon is lower.", "The correct answer is Ben Nevis",
    "Ben Nevis is the highest mountain in Britain.", "Definitely Ben Nevis", "My guess is Ben Nevis",
    "Yes, Ben Nevis.", "No, it's Ben Nevis", "Ben Nevis, of course.", "Ben Nevis, I think.", "Ben Nevis in Scotland",
    "It's called Ben Nevis", "Answer = Ben Nevis", "The highest mountain is known as Ben Nevis",
    "Not Snowdon but Ben Nevis", "It is not Snowdon, it is Ben Nevis.",
    "The mountain you are looking for is Ben Nevis!", "Ben Nevis was the answer", "**Answer:** Ben Nevis",
    "Answer:\nBen Nevis", "The answer is \"Ben Nevis\".", "the answer would be Ben Nevis",
]  # fmt: skip
NOT_GIVEN = [
    "It is not Ben Nevis", "Ben Nevis, Snowdon, Scafell Pike, Slieve Donard", "Snowdon, Ben Nevis", "Snowdon",
    "Ben Nevis or Snowdon", "Maybe Ben Nevis, maybe Snowdon", "Ben", "Nevis", "Ben Nevis Distillery",
    "not Ben Nevis", "Ben Nevis — no, Snowdon", "Ben Nevis, no wait, Snowdon",
    "The answer is Ben Nevis. Actually, it is Snowdon.", "The answer is not Ben Nevis",
    "The answer is Ben Nevis or Snowdon", "Some say Ben Nevis but the answer is Snowdon", "Ben Nevis is wrong",
    "Ben Nevis is not the answer", "Ben Nevis is a common guess; it is Snowdon", "A common guess is Ben Nevis", "",
    "   ", "It isn't Ben Nevis", "Ben Nevis? No.", "Is it Ben Nevis?", "Either Ben Nevis or Snowdon",
    "Ben Nevis and Snowdon", "Ben Nevis / Snowdon", "Ben Nevis; Snowdon", "Ben Nevis\nSnowdon\nScafell Pike",
    "1. Ben Nevis\n2. Snowdon", "- Ben Nevis\n- Snowdon", "Anything but Ben Nevis", "Ben Nevis (or Snowdon)",
    "Snowdon (not Ben Nevis)", "Snowdon (Ben Nevis)", "It could be Ben Nevis",
    "Ben Nevis is lower than Snowdon, so the answer is Snowdon.", "The answer is Snowdon, not Ben Nevis",
    "Bén Névis is wrong", "The second highest is Ben Nevis", "I don't think it is Ben Nevis",
    "I don't know. Ben Nevis?", "The answer is neither Ben Nevis nor Snowdon",
    "\\boxed{Ben Nevis} or \\boxed{Snowdon}", "Ben Nevis, then again Snowdon",
    "Correct answer: Ben Nevis. Wait, that's wrong.", "I considered Ben Nevis, Snowdon is the answer",
    "The candidates are Snowdon, Scafell Pike and Ben Nevis", "nothing. Ben Nevis was my brother's answer",
    "Ben Nevis (wrong)", "Ben Nevis, wrong", "Ben Nevis isn't it",
    "Ben Nevis is the answer most people wrongly give", "Ben Nevis is the mountain lower than Snowdon",
    "Ben Nevis is the second highest.", "Ben Nevis is the highest. No, Snowdon is.",
    "Ben Nevis is the highest, but the answer is Snowdon", "Is Ben Nevis the highest?", "Not Ben Nevis but Snowdon",
    "It is Ben Nevis, not.", "Snowdon is the answer, Ben Nevis is the runner-up",
    "Ben Nevis was my first thought, but it is Snowdon", "I would not say Ben Nevis", "Ben Nevis? Or Snowdon?",
    "Ben Nevis Snowdon", "<answer>Snowdon</answer> Ben Nevis", "Ben Nevis\n<answer>Snowdon</answer>",
]  # fmt: skip
PAIRS = [
    ("Quest Band", "Quest Band™", True), ("Quest Band®", "quest band", True), ("The Beatles", "Beatles", True),
    ("Beatles", "the Beatles", True), ("Zürich", "Zurich", True), ("Zürich", "Zúrich", False), ("C++", "C", False),
    ("C#", "C", False), ("U.S.A.", "USA", True), ("J. K. Rowling", "J.K. Rowling", True),
    ("J.K. Rowling", "JK Rowling", True), ("Dr. Who", "Dr Who", True), ("St. John's", "St Johns", True),
    ("Coca-Cola", "Coca Cola", True), ("rock & roll", "rock and roll", True), ("1914–1918", "1914-1918", True),
    ("-5", "5", False), ("3.5", "35", False), ("1,000", "1000", True), ("50%", "50", False),
    ("World Health Organization (WHO)", "WHO", True),
    ("World Health Organization (WHO)", "World Health Organization", True),
    ("World Health Organization", "World Health Organization (WHO)", True),
    ("World Health Organization", "WHO", False), ("Mercury (planet)", "planet", False),
    ("Mercury (planet)", "Mercury (element)", False), ("Mercury (planet)", "Mercury", True),
    ("New York City", "NYC (New York City)", True), ("A", "a", True), ("The", "the", True), ("Who", "The Who", True),
    ("Paris", "Paris, France", False), ("it", "It is", False), ("?", "!", False), ("?", "?", True),
    ("...", "…", True), ("naïve", "naive", True), ("Straße", "Strasse", True), ("日本", "日本。", True),
    ("か", "が", False), ("don't know", "don’t know", True), ("10:30", "1030", False), ("yes", "Yes.", True),
    ("Ben Nevis", "BEN NEVIS", True), ("not guilty", "guilty", False), ("guilty", "not guilty", False),
    ("No", "no", True), ("none", "None.", True), ("or", "either", False),
    ("IBM", "International Business Machines (IBM)", True), ("a b", "ab", True), ("x²", "x2", True),
    ("to be or not to be", "To be, or not to be", True), ("not guilty", "The defendant is not guilty.", True),
    ("true love", "love", False), ("Dr. Strange", "The answer is Dr. Strange.", True),
    ("St. Louis", "It is St. Louis, in Missouri.", True), ("the Netherlands", "It is the Netherlands", True),
    ("Romeo and Juliet", "The play is Romeo and Juliet.", True), ("Romeo and Juliet", "Romeo, Juliet", False),
    ("Pariś", "Paris", True),
]  # fmt: skip


@pytest.mark.parametrize("answer", GIVEN)
def test_a_name_that_is_given_is_found_in_whatever_sentence(answer: str) -> None:
    found = equivalent("Ben Nevis", answer, "text")
    assert found.equivalent, found.reason


@pytest.mark.parametrize("answer", NOT_GIVEN)
def test_a_name_that_is_denied_hedged_listed_or_only_mentioned_is_not_given(answer: str) -> None:
    found = equivalent("Ben Nevis", answer, "text")
    assert not found.equivalent
    assert found.reason


@pytest.mark.parametrize(("reference", "answer", "same"), PAIRS)
def test_names_are_the_same_by_their_words_and_signs(reference: str, answer: str, same: bool) -> None:
    found = equivalent(reference, answer, "text")
    assert found.equivalent is same, found.reason


def test_case_counts_where_the_task_says_so() -> None:
    strict = Stated(case_sensitive=True)
    assert not equivalent("Ben Nevis", "ben nevis", "text", strict).equivalent
    assert equivalent("Ben Nevis", "It is Ben Nevis.", "text", strict).equivalent


def test_a_bare_name_below_another_bare_name_is_a_list() -> None:
    assert not equivalent("Ben Nevis", "Snowdon\nBen Nevis", "text").equivalent
    assert equivalent("Ben Nevis", "I compared the heights of all of them.\nBen Nevis", "text").equivalent


@pytest.mark.parametrize(("reference", "answer", "same"), [
    ("Ben Nevis", "That would be Ben Nevis.", True), ("Ben Nevis", "I refuse to say Ben Nevis", False),
    ("Ben Nevis", "My first guess was Ben Nevis", False), ("No", "no, because it is late", True), ("No", "No.", True),
])  # fmt: skip
def test_leads_refusals_and_words_that_also_correct(reference: str, answer: str, same: bool) -> None:
    assert equivalent(reference, answer, "text").equivalent == same
