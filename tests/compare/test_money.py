"""Amounts of money are the same in any spelling of one currency, and never without it or in another."""

from __future__ import annotations

import pytest

from fairtrial.compare import Stated, equivalent

SAME = [
    ("$1,250", "USD1,250"), ("$1,250", "USD1250.00"), ("$1,250", "$ 1,250"),
    ("$1,250", "$1,250.00 (one thousand two hundred fifty dollars)"), ("$1,250", "1250 dollars (USD)"),
    ("$1,250", "1,250 bucks"), ("$1,250", "about $1,250"),
    ("$1,250", "The answer is $1,250 because 5 × $250 = $1,250"), ("$1,250", "5 × $250 = $1,250"),
    ("$1,250", "$1,000 + $250"), ("$0.99", "99 cents"), ("€3", "3 euros"), ("€3", "three euros"), ("£3", "£3.00"),
    ("₹100000", "1 lakh rupees"), ("$2.5 billion", "$2.5B"), ("$2.5 billion", "2.5bn dollars"),
    ("$2.5 billion", "$2,500 million"), ("$2.5 billion", "US$ 2.5 billion"), ("$1.2m", "$1.2 million"),
    ("$1.2m", "1.2M USD"), ("$1.2m", "$1.2mm"), ("$1.2bn", "$1,200,000,000"), ("$1.2b", "$1.2 billion"),
    ("$1,250.00", "USD 1,250"), ("$1,250.00", "US$1250"), ("$1,250.00", "1,250 dollars"),
    ("$1,250.00", "The total is $1,250."), ("$1,250.00", "$1,250.00 USD"), ("A$1,250", "1250 AUD"),
    ("A$1,250", "1250 Australian dollars"), ("£5", "5 pounds"), ("£5.50", "5 pounds and 50 pence"),
    ("€5.20", "5 euros and 20 cents"), ("$5.20", "5 dollars, 20 cents"), ("$5.20", "5 dollars 20 cents"),
    ("$0.50", "50 cents"), ("$0.50", "50¢"), ("£0.50", "50p"), ("50 cents", "$0.5"), ("-$5", "($5)"),
    ("-$5", "-$5.00"), ("-$5", "$-5"), ("-$5", "−$5"), ("-$5", "minus $5"), ("-$1,234", "($1,234)"), ("-$5", "USD -5"),
    ("-$5", "-5 USD"), ("-$5", "-USD 5"), ("$5", "5$"), ("€5", "5 €"), ("€5", "5€"), ("€5", "EUR 5"), ("€5", "5 eur"),
    ("¥500", "500 yen"), ("₹500000", "₹5 lakh"), ("₹500000", "Rs. 5,00,000"), ("₹500", "500 rupees"),
    ("$12", "twelve dollars"), ("CHF 5", "5 francs"), ("CHF 5", "5 Swiss francs"),
    ("$18", "She makes 9 * 2 = $18 every day at the market."), ("$18", "3 boxes cost $18."), ("$5", "around $5"),
    ("$5", "\\$5"), ("$5", "\\boxed{\\$5}"), ("$5", "**$5**"), ("$5", "$5.00."), ("$5", "$6, no wait, $5"),
    ("$5", "$5 per hour"), ("$1,250", "1,250.00 US dollars"), ("$1250", "$1 250"), ("$5", "$05"), ("5 kr", "5 kroner"),
    ("$1.5", "$1½"), ("$5000", "$5K"), ("$5000", "5k USD"), ("$1,200,000", "1.2 million dollars"),
    ("$3", "The first was $5 but the answer is $3"), ("£1,000", "£1k"), ("$0.05", "5 cents"), ("$0.05", "5c"),
    ("1250", "1250"), ("1250", "1,250"), ("$29", "$29.00"),
    ("-$1,250", "$(1,250)"), ("-£202,000", "£(202,000)"), ("-£202,000", "The result is (£202k)."),
    ("$20", "twenty (20) dollars"), ("$1.5m", "one and a half million dollars"), ("20 BTC", "₿20"),
]  # fmt: skip
OTHER = [
    ("$1,250", "$1,250 or €1,100"), ("$1,250", "over $1,250"), ("$1,250", "$1,250 or more"), ("$1,250", "$1,250+"),
    ("$3", "3 USD or 3 EUR"), ("$1,250.00", "1250"), ("$1,250.00", "1,250.00"), ("$1,250.00", "$1,250 AUD"),
    ("$1,250.00", "A$1,250"), ("$1,250.00", "1250 pounds"), ("-$5", "$5"), ("-$5", "(5.00) USD"), ("$5", "$5 or $6"),
    ("$5", "$5-$6"), ("$5", "$5–10"), ("$10", "between $5 and $10"), ("$5", "5-10 dollars"), ("$10", "5-10 dollars"),
    ("$5", "not $5"), ("$5", "at least $5"), ("$5", ""), ("$5", "€5 $5"), ("$1,250", "$1.250"), ("€1.250,00", "€1250"),
    ("$0", "free"), ("SEK 5", "5 kr"), ("$5 million", "5 million"), ("$5000", "5 grand"), ("$29", "$29.99"),
    ("$1,250", "<!-- $1,250 --> $1,300"), ("$1,250", "$1,250, which is incorrect"),
]  # fmt: skip
STATED = [
    ("€1250", "€1.250,00", Stated(decimal_comma=True), True),
    ("$5", "$5.01", Stated(absolute=0.05), True),
    ("$5", "€5", Stated(absolute=10), False),
]


@pytest.mark.parametrize(("reference", "answer"), SAME)
def test_a_careful_reader_would_accept_it(reference: str, answer: str) -> None:
    found = equivalent(reference, answer, "money")
    assert found.equivalent, found.reason


@pytest.mark.parametrize(("reference", "answer"), OTHER)
def test_a_careful_reader_would_not_accept_it(reference: str, answer: str) -> None:
    found = equivalent(reference, answer, "money")
    assert not found.equivalent, found.reason
    assert found.reason


@pytest.mark.parametrize(("reference", "answer", "stated", "same"), STATED)
def test_what_a_task_states_is_honoured(reference: str, answer: str, stated: Stated, same: bool) -> None:
    assert equivalent(reference, answer, "money", stated).equivalent is same
