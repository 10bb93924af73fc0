"""Numbers as people write them and as prose gives them; what is hedged, denied or read in two ways is refused."""

from __future__ import annotations

import pytest

from fairtrial.compare import Stated, equivalent

SAME = [
    ("18", "18 apples"), ("18", "So 12 + 6 = 18 apples"), ("18", "12 + 6"), ("18", "x = 18"), ("18", "x=18"),
    ("18", "#### 18"), ("18", "Step 1: 3*6=18\n#### 18"), ("18", "\\boxed{18}"),
    ("18", "The answer is $\\boxed{18}$."), ("18", "**18**"), ("18", "The answer is **18**."), ("18", "$18$"),
    ("18", "\\(18\\)"), ("18", "\\text{18}"), ("18", "18 \\text{ apples}"), ("70000", "70{,}000"),
    ("70000", "\\$70,000"), ("70000", "70 000"), ("70000", "70\u202f000"), ("70000", "70'000"), ("70000", "70_000"),
    ("1234567", "12,34,567"), ("1234", "1,234"), ("1234567", "1,234,567.00"), ("-3", "-3"), ("-3", "– 3"),
    ("-3", "minus three"), ("-3", "negative 3"), ("3", "+3"), ("18", "１８"), ("1000", "10³"), ("1000", "10^3"),
    ("1000", "1×10^3"), ("1000", "1·10³"), ("1000", "1 \\times 10^{3}"), ("0.001", "1e-3"), ("0.001", "10^{-3}"),
    ("-1234", "(1,234)"), ("0.5", "½"), ("1.5", "1½"), ("1.5", "1\\frac{1}{2}"), ("0.25", "\\frac{1}{4}"),
    ("0.25", "\\dfrac14"), ("3", "three"), ("21", "twenty-one"), ("12", "a dozen"), ("12", "one dozen"),
    ("1200000", "1.2 million"), ("1200", "1.2k"), ("1200", "1.2K"), ("1200000", "1.2M"), ("3000000000", "3bn"),
    ("500000", "5 lakh"), ("18", "approximately 18"), ("18", "about 18"), ("18", "~18"), ("18", "≈ 18"),
    ("3", "5, no wait, 3"), ("3", "5... actually 3"), ("4", "The answer is 4, not 3."), ("4", "not 3 but 4"),
    ("7", "The sum of 3 and 4 is 7"), ("72", "Natalia sold 48+24 = 72 clips altogether in April and May."),
    ("18", "She has 18 apples in 3 boxes."), ("60", "In 5 days she runs 60 km."),
    ("18", "18 apples remain from the 20."), ("18", "After eating 2 of 20, 18 remain."),
    ("18", "The answer is 3. Wait, that's wrong. The answer is 18."),
    ("4", "Step 1 gives \\boxed{3}. Then we continue.\n\nFinal: \\boxed{4}"), ("0", "zero"), ("18", "18."),
    ("18", "018"), ("18", "18.000"), ("1e999999999", "1e999999999"), ("1e999999999", "10e999999998"), ("18", "18!"),
    ("18", "It's 18!"), ("0.5", "50%"), ("18", "It cost $18."), ("18", "Answer: 18"), ("18", "**Answer:** 18"),
    ("18", "Final Answer: The final answer is 18. I hope it is correct."),
    ("18", "The final answer is $18$. I hope it is correct."), ("18", "<answer>18</answer>"),
    ("18", "<think>maybe 3</think>18"), ("18", "Therefore, she makes 9 * 2 = $<<9*2=18>>18 every day.\n#### 18"),
    ("18", "She makes $18 every day."), ("18", "1. First add.\n2. Then 18"),
    ("5", "The answer is 5 because 2 + 3 = 5"), ("18", "18 (that is 3 times 6)"),
    ("18", "18, which is 6 more than 12"), ("18", "I think it is 18"), ("18", "eighteen"),
    ("18", "There are eighteen apples."), ("18", "18 or 18.0"), ("0.5", "1/2 or 0.5"), ("0.5", "1/2 = 0.5"),
    ("0.5", "1/2 (0.5)"), ("0.5", "1/2, i.e. 50%"), ("3", "٣"), ("7", "The answer is: 7"), ("100", "1e2"),
    ("100", "1E+02"), ("-0", "0"), ("0", "-0.0"), ("1000000", "one million"), ("2500", "two and a half thousand"),
    ("18", "18km"), ("18", "18 km"), ("18", "The distance is 18 km."), ("18", "18 m"), ("-18", "-$18"),
    ("-18", "$-18"), ("3/4", "0.75"), ("3/4", "6/8"), ("4", "2 + 2 = 4"), ("5", "2+2=5"), ("8", "2^3"), ("8", "2³"),
    ("4", "3 is wrong; it is 4"), ("4", "I first thought 3, but it is 4."),
    ("4", "My guess of 3 was wrong, the result is 4"), ("18", "The answer is 18 and not 19"),
    ("18", "The answer is 18 rather than 19"), ("18", "Answer: 18 (not 19)"), ("18", "We get 18"),
    ("18", "Total = 18"), ("18", "Total: $18"), ("0.1", "1/10"), ("711", "The answer is 711."), ("18", "18 / 1"),
    ("5", "5 (five)"), ("5", "five (5)"), ("1000", "1,000"), ("1.000", "1"), ("12", "x = 3 * 4"),
    ("8", "The answer is 8 (4 × 2)"), ("25", "25 years old"), ("-5", "The temperature is -5"),
    ("-5", "The temperature is −5 degrees"), ("18", "Solution: He has 12 apples and gets 6. Total: 18."),
    ("18", "Answer: He has 12 apples and gets 6 more, so 18."), ("5", "result is 5. The final answer is 5"),
    ("3", "3, since 1+2 = 3"), ("18", "The answer is approximately 18."), ("18", "= 18"),
    ("18", "Hence the answer is x = 18."), ("18", "So the total is 6*3 = 18 dollars, i.e. $18."),
    ("18", "The answer is\n\n18"), ("18", "18\n\nExplanation: 20 - 2 = 18"), ("18", "## Answer\n18"),
    ("18", "Answer\n18"), ("18", "The correct answer is 18 ."), ("18", "My answer: 18"), ("18", "(18)"),
    ("18", "[18]"), ("18", "{18}"), ("18", "'18'"), ("18", "\"18\""), ("18", "18;"), ("18", "answer=18"),
    ("18", "\\boxed{18 \\text{ cm}}"), ("18", "\\boxed{x=18}"), ("18", "\\fbox{18}"), ("18", "$$18$$"),
    ("18", "\\[18\\]"), ("18", "$\\boxed{\\$18}$"), ("90", "90^\\circ"), ("90", "90°"), ("18", "Result: 18 apples"),
    ("0.5", "1/2"), ("6", "The answer is six."), ("18", "The answer is 18 (eighteen)."), ("18.5", "18 and a half"),
    ("18", "ans: 18"), ("18", "Ans = 18"), ("18", "The answer's 18."), ("18", "18 is the answer, as 20 - 2 gives it"),
    ("18", "18 — that's the answer."), ("18", "18\nConfidence: 90%"), ("18", "Answer: 18\nConfidence: 90%"),
    ("18", "答案是18。"), ("18", "答案是：18"), ("18", "共18个"), ("18", "```\n18\n```"), ("18", "{\"answer\": 18}"),
    ("1234.5", "١٬٢٣٤٫٥"), ("-0.5", "-½"), ("-0.5", "(-1/2)"), ("3.25", "3 1/4 cups"), ("2.5", "2½"),
    ("18", "17 is too low, 19 is too high, so 18"), ("18", "not 17 but 18"), ("18", "18 or so"), ("18", "<b>18</b>"),
    ("18", "Result → 18"), ("18", "I got 18."), ("19", "The answer is not 18 but 19"), ("18", "6 × 3 = 18"),
    ("18", "6·3=18"), ("18", "= 6 × 3"), ("3", "x=3"), ("3", "x is 3"), ("3", "3."), ("3", "three."), ("18", "18 €"),
    ("18", "€18"), ("18", "USD 18"), ("18", "18 USD"), ("-3", "x = -3"), ("-3", "x=−3"), ("-3", "The answer is -3."),
    ("1000000", "10^6"), ("1000000", "10**6"), ("1000000", "1e6"), ("1000000", "1,000,000"), ("1000000", "1 000 000"),
    ("1000000", "a million"), ("0.00001", "1e-5"), ("0.00001", "10^-5"), ("0", "0.0"), ("0", "0 apples"),
    ("0", "zero apples"), ("100", "one hundred"), ("100", "a hundred"), ("105", "one hundred five"),
    ("18", "18 \\, \\text{km}"), ("18", "\\approx 18"), ("18", "\\textbf{18}"), ("18", "$\\mathbf{18}$"),
    ("18", "\\boxed{\\mathbf{18}}"), ("1/3", "\\frac{1}{3}"), ("1/3", "\\frac{2}{6}"), ("-1/3", "-\\frac{1}{3}"),
    ("-1/3", "\\frac{-1}{3}"), ("1/3", "1 / 3"), ("1/3", "one third"), ("2/3", "two thirds"), ("2/3", "two-thirds"),
    ("18", "The total is: \n\n18"), ("18", "The total is 18\n\nLet me know if you need anything else!"),
    ("18", "There were 20, 2 left, so there are 18 now."), ("36", "It takes 3 days, at 12 a day that is 36."),
    ("5", "We have 10 - 5 = 5 apples"), ("42", "The meaning of life is forty-two."), ("7", "seven"),
    ("7", "Seven (7)"), ("8", "**Final answer: 8**"), ("8", "*8*"), ("8", "_8_"), ("8", "* 8"), ("8", "• 8"),
    ("12", "The number of ways is 4 \\times 3 = 12."), ("12", "4 \\times 3"), ("12", "\\frac{24}{2}"),
    ("12", "\\frac{24}{2}=12"), ("12", "12\\text{ cm}^2"), ("12", "12 cm^2"), ("12", "12 m²"),
    ("20", "The answer is 20 <!-- 21 -->"), ("20", "~~21~~ 20"), ("20", "<del>21</del> 20"),
    ("20", "<span style='display:none'>21</span>20"), ("20", "\\cancel{21} 20"),
    ("20", "A common wrong answer is 21; the correct answer is 20."), ("14", "-> 14"), ("14", "=> 14"),
    ("1.5", "1.5x"), ("3.42", "Leverage is 3.42x EBITDA."), ("3.42", "3.42×"),
    ("1.25", "DSCR: 1.25x, above the covenant of 1.20x"), ("4050000", "£4.05m"), ("74000", "+£74,000"),
    ("1200000000", "€1.2bn"), ("1500000", "$1.5 m"), ("1500000", "EUR 1.5m"), ("1500000", "1.5m USD"),
    ("1200000", "The total is $1.2m for 2 sites"), ("-202000", "(£202,000)"), ("-202000", "(202,000)"),
    ("-202000", "£(202,000)"), ("-4050000", "(£4.05m)"), ("-202000", "The net result is (£202,000)."),
    ("20", "20, this is not 21"), ("18", "18, which is not divisible by 4"),
    ("18", "Answer => 18"), ("18", "Answer -> 18"), ("18", "18<|im_end|>"), ("18", "18</s>"), ("18", "18<eos>"),
    ("18", "The answer is 9 + 9 = 18."), ("1/3", "\\frac{1}3"), ("1/3", "\\frac1{3}"), ("5", "$5 t-shirts"),
    ("7/3", "two and a third"), ("18", "The answer is eighteen (18) eggs."),
]  # fmt: skip
OTHER = [
    ("12", "= 12 + 6"), ("1.5", "1,5"), ("15", "1,5"), ("-1234", "1,234"), ("5", "5, no wait, 3"), ("3", "3 or 4"),
    ("3", "between 3 and 4"), ("3", "either 3 or 4"), ("3", "3, 4, 5"), ("3", "3-4"), ("3", "3–4"),
    ("3", "from 3 to 4"), ("3", "not 3"), ("3", "The answer is not 3"), ("3", "The answer is 4, not 3."),
    ("3", "at least 3"), ("3", "x > 3"), ("3", "x ≥ 3"), ("3", "more than 3"), ("3", "3 ± 0.1"), ("3", "nearly 3"),
    ("3", "She has 18 apples in 3 boxes."), ("5", "In 5 days she runs 60 km."),
    ("2", "After eating 2 of 20, 18 remain."), ("3", "The answer is 3 or 4"), ("3", "\\boxed{3} or \\boxed{4}"),
    ("3", "\\boxed{3}\\boxed{4}"), ("0", "none"), ("42", "N/A"), ("42", "inf"), ("1", "1e999999999"),
    ("0.333333", "1/3"), ("3", "x = 3 or x = 4"), ("3", "x=3, y=4"), ("3", "3x"), ("2", "2π"), ("2", "2\\pi"),
    ("2", "2\\sqrt{3}"), ("2", "2√3"), ("50", "50%"), ("2", "1. First add.\n2. Then 18"),
    ("6", "18 (that is 3 times 6)"), ("18", "Is it 18?"), ("3", "I don't know"), ("1234.5", "1234,5"),
    ("2026", "2026-03-04"), ("10", "10:30"), ("3", "3rd"), ("22/7", "3.142857"), ("1/3", "0.333..."),
    ("3", "3 is wrong"), ("3", "The possible answers are 3, 4 and 5"), ("3", "3 and 4"), ("3", "3/4/5"), ("3", "3; 4"),
    ("3", "3 4 5"), ("3", "3\n4\n5"), ("3", "It could be 3. It could be 4."),
    ("3", "The answer is 3. The answer is 4."), ("4", "The answer is 3. The answer is 4."),
    ("3", "If A then 3, otherwise 4"), ("0.30000000000000004", "0.3"), ("9007199254740993", "9007199254740992"),
    ("11", "The answer is 711."), ("1", "1,000"), ("5", "The temperature is -5"),
    ("12", "Answer: He has 12 apples and gets 6 more, so 18."), ("3", "between 3 and 4, probably 3.5"),
    ("4", "between 3 and 4"), ("4", "from 3 to 4"), ("4", "from 3 up to 4"), ("3", "3 to 4"), ("18", "\\boxed{18\\%}"),
    ("3", "3.0.0"), ("3", "version 3.1"), ("18", "x = ±18"), ("18", "±18"), ("18", "18 < x"), ("18", "x < 18"),
    ("18", "18 or more"), ("18", "18+"), ("18", "18 ± 1"), ("18", "18 \\pm 1"), ("18", "at most 18"), ("5.5", "1 1/2"),
    ("1.5", "11/2"), ("18", "neither 17 nor 18"), ("18", "a little over 18"), ("18", "0x12"), ("18", "18 and 20"),
    ("18", "eighteen or nineteen"), ("20", "18 or 20"), ("18", "18 is not the answer"),
    ("18", "The answer is not 18 but 19"), ("3", "III"), ("3", "x = -3"), ("3.14", "3.14159"), ("0", "no apples"),
    ("1/3", "0.3333"), ("10", "We have 10 - 5 = 5 apples"), ("8", "> 8"), ("8", "- 8"), ("12", "The answer is 12\\%"),
    ("21", "<!-- 21 -->"), ("21", "<!-- 21"), ("21", "The answer is 20 <!-- actually 21 -->"), ("21", "~~21~~"),
    ("21", "<script>21</script>"), ("21", "21 (this is wrong)"), ("21", "21 apples (that's incorrect)"),
    ("21", "21, which is incorrect"), ("21", "21 - which is wrong"), ("21", "The wrong answer is 21"),
    ("21", "The wrong answer would be 21"), ("2.5", "y = 2.5x"), ("2.5", "2.5x + 1"), ("2.5", "f(x) = 2.5x"),
    ("202000", "(£202,000)"), ("1500000", "1.5m"), ("1500000", "1.5 m"),
    ("18", "The answer is 9 + 9 = 17."), ("18", "18<"),
]  # fmt: skip
STATED = [
    ("1.5", "1,5", Stated(decimal_comma=True), True),
    ("50", "50%", Stated(percent_as_number=True), True),
    ("3.14159", "3.1416", Stated(relative=0.0001), True),
    ("3", "3.1", Stated(absolute=0.01), False),
    ("3", "3.1", Stated(absolute=0.1), True),
]


@pytest.mark.parametrize(("reference", "answer"), SAME)
def test_a_careful_reader_would_accept_it(reference: str, answer: str) -> None:
    found = equivalent(reference, answer, "number")
    assert found.equivalent, found.reason


@pytest.mark.parametrize(("reference", "answer"), OTHER)
def test_a_careful_reader_would_not_accept_it(reference: str, answer: str) -> None:
    found = equivalent(reference, answer, "number")
    assert not found.equivalent, found.reason
    assert found.reason


@pytest.mark.parametrize(("reference", "answer", "stated", "same"), STATED)
def test_what_a_task_states_is_honoured(reference: str, answer: str, stated: Stated, same: bool) -> None:
    assert equivalent(reference, answer, "number", stated).equivalent is same


@pytest.mark.parametrize(
    ("reference", "answer", "same"),
    [
        ("1" * 5000, "1" * 5000 + ".0", True),
        ("1" * 5000, "1" * 4999 + "2", False),
        ("1" + "0" * 5000, "1e5000", True),
        ("1e5000", "1.0E+5000", True),
        ("1e999999999", "10e999999998", True),
        ("1e999999999", "1e999999998", False),
        ("1e-999999999", "0", False),
        ("9007199254740993", "9007199254740992", False),
        ("0." + "3" * 400, "1/3", False),
    ],
)
def test_numbers_that_no_machine_number_holds_are_compared_exactly(reference: str, answer: str, same: bool) -> None:
    assert equivalent(reference, answer, "number").equivalent is same
    assert equivalent(answer, reference, "number").equivalent is same


def test_a_million_digits_are_read_in_one_pass() -> None:
    digits = "7" * 999_990
    assert equivalent(digits, digits + ".0", "number").equivalent
    assert not equivalent(digits, digits[:-1] + "8", "number").equivalent
