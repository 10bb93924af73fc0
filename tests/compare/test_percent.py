"""Percentages are ratios; points are none; 50 is not 50% unless the task asks for a number of per cent."""

from __future__ import annotations

import pytest

from fairtrial.compare import Stated, equivalent

SAME = [
    ("25%", "25 pct"), ("25%", "a quarter"),
    ("12.5%", "12.5 %"), ("12.5%", "12.5 per cent"), ("12.5%", "125‰"), ("12.5%", "1250 bps"), ("12.5%", "1250bp"),
    ("12.5%", "1,250 basis points"), ("12.5%", "1/8"), ("50%", "half"), ("50%", "1/2"), ("50%", "fifty percent"),
    ("50%", "50 out of 100"), ("0.5", "50%"), ("50%", "The share is 50%."), ("50%", "about 50%"), ("-5%", "−5%"),
    ("5%", "It rose by 5%."), ("50%", "50 \\%"), ("50%", "$50\\%$"), ("50%", "\\boxed{50\\%}"), ("50%", "50％"),
    ("50%", "0.50"), ("50%", ".5"), ("0.5%", "0.005"), ("100%", "1"), ("50%", "50% (0.5)"),
    ("50%", "30% of 20 is 6; the answer is 50%"), ("50%", "50.0%"), ("50%", "+50%"), ("150%", "1.5"),
    ("25%", "From 20 to 25 is an increase of 25%"),
    ("50%", "1 in 2"), ("12.5%", "50 of 400"), ("12.5%", "50 of the 400"), ("12.5%", "twelve and a half percent"),
    ("0.5%", "half a percent"), ("0.25%", "a quarter of a percent"),
    ("12.5%", "It grew from 10% to 22.5%, so by 12.5%"),
    ("20%", "one in five"), ("30%", "three out of ten"), ("20%", "20% (twenty percent)"),
]  # fmt: skip
OTHER = [
    ("12.5%", "12.5pp"), ("12.5%", "12.5 percentage points"), ("50", "50%"), ("50%", "between 40% and 50%"),
    ("50%", "40-50%"), ("-5%", "5%"), ("0.5%", "0.5"), ("100%", "100"), ("12.5%", "12,5%"), ("33.3%", "1/3"),
    ("50%", "40% or 50%"), ("50%", "not 50%"), ("50%", ""), ("50%", "%"), ("50%", "5 0%"), ("12.5%", "12.5 % points"),
    ("12.5%", "12.5 points"),
    ("12.5%", "<!-- 12.5% --> 13%"), ("12.5%", "12.5% (this is wrong)"),
    ("1%", "1 in 2024"), ("150%", "3 in 2"),
]  # fmt: skip
STATED = [
    ("33.3%", "1/3", Stated(absolute=0.1), True),
]


@pytest.mark.parametrize(("reference", "answer"), SAME)
def test_a_careful_reader_would_accept_it(reference: str, answer: str) -> None:
    found = equivalent(reference, answer, "percent")
    assert found.equivalent, found.reason


@pytest.mark.parametrize(("reference", "answer"), OTHER)
def test_a_careful_reader_would_not_accept_it(reference: str, answer: str) -> None:
    found = equivalent(reference, answer, "percent")
    assert not found.equivalent, found.reason
    assert found.reason


@pytest.mark.parametrize(("reference", "answer", "stated", "same"), STATED)
def test_what_a_task_states_is_honoured(reference: str, answer: str, stated: Stated, same: bool) -> None:
    assert equivalent(reference, answer, "percent", stated).equivalent is same
