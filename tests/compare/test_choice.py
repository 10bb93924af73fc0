"""The option that is chosen is found in any dress; articles, pronouns, lists, hedges and denials are no choice."""

from __future__ import annotations

import pytest

from fairtrial.compare import Stated, equivalent

CASES = [
    ("B", "B", True), ("B", "b", True), ("B", "(B)", True), ("B", "B.", True), ("B", "B)", True), ("B", "B:", True),
    ("B", "**B**", True), ("B", "Option B", True), ("B", "option b", True), ("B", "(b)", True),
    ("B", "\\boxed{B}", True), ("B", "\\text{B}", True), ("B", "\\boxed{\\text{B}}", True),
    ("B", "$\\boxed{(B)}$", True), ("B", "Answer: B", True), ("B", "The answer is (B).", True),
    ("B", "The answer is B.", True), ("B", "The correct answer is B) Paris", True),
    ("B", "B) because it is the largest", True), ("B", "B. Paris", True), ("B", "B - Paris", True),
    ("B", "I choose B", True), ("B", "I would go with B.", True), ("B", "Not A, but B", True),
    ("B", "It's not A, it's B.", True), ("B", "A is wrong, so B", True),
    ("B", "The first guess was A, but no, wait, B.", True), ("B", "A is tempting, but the answer is B.", True),
    ("B", "Final answer: B", True), ("B", "<answer>B</answer>", True), ("B", "#### B", True),
    ("B", "<think>A? C? D?</think>B", True), ("B", "So I pick option (B).", True), ("B", "B is correct.", True),
    ("B", "B is the right answer because A is too small.", True), ("B", "choice B", True), ("B", "[B]", True),
    ("B", "'B'", True), ("B", "`B`", True), ("B", "Answer: **B**", True), ("B", "Answer: (b)", True),
    ("B", "The answer is option B", True), ("B", "Between A and B, I choose B", True),
    ("B", "A) wrong. B) right. The answer is B.", True), ("B", "The correct option is B", True),
    ("B", "B\n\nExplanation: A is too small, C is too big.", True), ("B", "My answer is B, not A.", True),
    ("B", "I think the answer is B", True), ("B", "Therefore, the answer is:\n\nB", True), ("B", "ans: B", True),
    ("B", "\\mathrm{B}", True), ("B", "ANSWER: B", True), ("B", "Ｂ", True), ("B", "A", False), ("B", "C", False),
    ("B", "", False), ("B", "A, B, C and D are all possible", False), ("B", "Between A and B, I choose A", False),
    ("B", "A or B", False), ("B", "B or C", False), ("B", "both A and B", False), ("B", "not B", False),
    ("B", "It is not B", False), ("B", "B is wrong", False), ("B", "The answer is not B", False),
    ("B", "A good way to see this is C", False), ("B", "Be", False), ("B", "Bob", False), ("B", "Boxed", False),
    ("B", "the answer is A, not B", False), ("B", "Either A or B", False), ("B", "B, no wait, C", False),
    ("B", "I first chose B, but the answer is D", False), ("B", "A/B", False), ("B", "A B C D", False),
    ("B", "ABCD", False), ("B", "AB", False), ("B", "All of the above", False), ("B", "None", False),
    ("B", "maybe B or maybe C", False), ("B", "I ruled out B and C, so it is A.", False),
    ("B", "A. B is wrong.", False), ("B", "Vitamin B", False), ("B", "\\boxed{A} or \\boxed{B}", False),
    ("B", "B and C", False), ("B", "I don't know", False), ("B", "B is incorrect; the answer is C", False),
    ("B", "(A) (B) (C) (D)", False), ("B", "A\nB\nC\nD", False), ("A", "A good way to see this is B", False),
    ("A", "A", True), ("A", "a", True), ("A", "A good guess.", False), ("A", "I think A is right.", True),
    ("A", "The answer is A", True), ("A", "The answer is A.", True), ("A", "The answer is a mystery", False),
    ("A", "A: because x", True), ("A", "It is A because of x", True), ("A", "A triangle has three sides.", False),
    ("I", "I think it is A", False), ("I", "(I)", True), ("I", "The answer is I", True), ("I", "I", True),
    ("A", "I choose A", True), ("I", "I choose A", False), ("II", "II", True), ("II", "ii", True),
    ("II", "(II)", True), ("II", "Option II", True), ("II", "The answer is II.", True), ("II", "(ii)", True),
    ("II", "Statement II is correct", True), ("II", "I", False), ("II", "III", False), ("II", "I and II", False),
    ("II", "I think so", False), ("II", "IV", False), ("2", "2", True), ("2", "(2)", True), ("2", "Option 2", True),
    ("2", "2.", True), ("2", "2)", True), ("2", "The answer is 2.", True), ("2", "1", False), ("2", "12", False),
    ("2", "1 or 2", False), ("2", "2 and 3", False), ("2", "3", False), ("A, C", "A, C", True),
    ("A, C", "A and C", True), ("A, C", "C, A", True), ("A, C", "AC", True), ("A, C", "(A), (C)", True),
    ("A, C", "A & C", True), ("A, C", "Options A and C", True), ("A, C", "The answer is A and C.", True),
    ("A, C", "The correct answers are A and C", True), ("A, C", "A, C and not B", True),
    ("A, C", "both A and C", True), ("A, C", "The correct options are A and C.", True),
    ("A, C", "\\boxed{A, C}", True), ("A, C", "\\text{A and C}", True), ("A, C", "A,C", True), ("A, C", "A/C", True),
    ("A, C", "A C", True), ("A, C", "**A** and **C**", True), ("A, C", "a, c", True),
    ("A, C", "A and C are correct.", True), ("A, C", "A", False), ("A, C", "C", False), ("A, C", "A, B, C", False),
    ("A, C", "A or C", False), ("A, C", "A, D", False), ("A, C", "B", False), ("A, C", "not A and C", False),
    ("(B)", "B", True), ("b", "B", True), ("foo", "B", False), ("K", "K", True), ("K", "The answer is K", True),
    ("C", "The dose of vitamin C is relevant, so A.", False),
    ("A", "The dose of vitamin C is relevant, so A.", True), ("B", "B (this is wrong)", False),
    ("B", "B = A", False), ("B", "A = B", False), ("B", "B is not right", False),
    ("B", "The answer is B, not A.", True),
    ("B", "The correct answer is option B: Paris", True), ("B", "B (Paris)", True), ("B", "I pick B over A", True),
    ("B", "Eliminating A and C leaves B.", True), ("B", "The answer is B because A is wrong.", True),
    ("B", "Not A; B.", True), ("B", "（B）", True), ("B", "B。", True), ("B", "Ans. B", True), ("B", "Choice: B", True),
    ("B", "Letter B", True), ("B", "Answer B", True), ("B", "A is incorrect. C is incorrect. B is correct.", True),
    ("B", "I choose option B", True), ("B", "My choice is B.", True), ("B", "It's B", True),
    ("B", "Definitely B", True), ("B", "B!", True), ("B", "> B", True), ("B", "B is the answer", True),
    ("B", "the answer's B", True), ("B", "Correct: B", True), ("B", "So, B", True),
    ("B", "\\boxed{\\textbf{(B)}}", True), ("B", "**Answer: B**", True), ("B", "B: 42", True), ("B", "B) 42", True),
    ("B", "(B) 42", True), ("B", "B. 42 meters", True), ("B", "Answer is B", True),
    ("B", "Option (B) is correct", True), ("B", "B\nBecause A is wrong", True), ("B", "**B**: because", True),
    ("B", "I'd choose B rather than A", True), ("B", "Rather than A, I choose B", True),
    ("B", "C is not right, so B", True), ("B", "- B", True),
    ("B", "Let's see. A fails. B works. C fails. D fails. So B.", True), ("B", "A > B", False),
    ("B", "I pick A over B", False), ("B", "I'd choose A rather than B", False),
    ("B", "B rather than A is wrong; A", False), ("B", "Eliminating B leaves A", False), ("B", "B and D", False),
    ("B", "B/C", False), ("B", "Option A (not B)", False), ("B", "B?", False), ("B", "Is it B?", False),
    ("B", "A (B is wrong)", False), ("B", "Both", False), ("B", "I am unsure between A and B", False),
    ("B", "B or D, I can't tell", False), ("B", "neither A nor B", False), ("B", "The answer is not B but C", False),
    ("B", "A, because B is smaller", False), ("B", "A. B. C. D.", False),
]  # fmt: skip
CITIES = ("London", "Paris", "Rome", "New York")
RIGHT = [
    "Paris", "paris.", "B. Paris", "The answer is Paris", "It is Paris.", "B", "(B) Paris", "The capital is Paris",
]  # fmt: skip
WRONG = [
    "London", "B. London", "The answer is London", "Paris or Rome", "not Paris", "A. Paris", "Paris, London, Rome",
]  # fmt: skip


@pytest.mark.parametrize(("reference", "answer", "same"), CASES)
def test_the_chosen_option_decides(reference: str, answer: str, same: bool) -> None:
    found = equivalent(reference, answer, "choice")
    assert found.equivalent is same, found.reason
    assert found.reason


@pytest.mark.parametrize("answer", RIGHT)
def test_the_text_of_the_right_option_chooses_it(answer: str) -> None:
    found = equivalent("B", answer, "choice", Stated(choices=CITIES))
    assert found.equivalent, found.reason


@pytest.mark.parametrize("answer", WRONG)
def test_other_texts_several_texts_and_a_letter_with_another_text_do_not(answer: str) -> None:
    assert not equivalent("B", answer, "choice", Stated(choices=CITIES)).equivalent


def test_a_reference_may_be_an_options_text_and_labels_may_be_numbers() -> None:
    stated = Stated(choices=CITIES)
    assert equivalent("Paris", "B", "choice", stated).equivalent
    assert equivalent("2", "Paris", "choice", stated).equivalent
    assert not equivalent("A", "York", "choice", stated).equivalent


def test_a_choice_at_the_head_of_a_long_explanation_is_found() -> None:
    assert equivalent("B", "B\n\n" + "This follows from what was said before. " * 300, "choice").equivalent


@pytest.mark.parametrize("answer", [
    "B has been ruled out.", "I eliminated B.", "We can exclude B.", "The opposite of B",
    "My first instinct was B, but C fits.",
    "B can be eliminated", "B fails.", "B was my first guess, but it is D.", "I ruled out A and B.",
])  # fmt: skip
def test_an_option_that_is_ruled_out_is_not_chosen(answer: str) -> None:
    assert not equivalent("B", answer, "choice").equivalent


@pytest.mark.parametrize("answer", [
    "After ruling out A, C and D, B remains.", "A, C and D can be eliminated. The answer is B.",
    "Having rejected options A and C, I choose B.", "My first instinct was C, but B fits.", "Exclude A. So B.",
])  # fmt: skip
def test_the_option_that_is_left_is_chosen(answer: str) -> None:
    found = equivalent("B", answer, "choice")
    assert found.equivalent, found.reason
