"""Yes and no in any words; denied, doubted, both at once and neither are told apart."""

from __future__ import annotations

import pytest

from fairtrial.compare import equivalent

SAME = [
    ("no", "No, yes is wrong"), ("yes", "YES"), ("yes", "true"), ("yes", "True"), ("true", "yes"), ("no", "No."),
    ("no", "False"), ("false", "no"), ("yes", "correct"), ("yes", "1"), ("no", "0"), ("yes", "y"), ("no", "N"),
    ("yes", "Yes, it is."), ("yes", "Yes, it is a prime number."), ("no", "not yes"), ("no", "It is not true."),
    ("yes", "It is true."), ("no", "That's not correct."), ("no", "That is false"), ("yes", "The statement is true."),
    ("yes", "The statement is not false."), ("no", "The statement is false."), ("yes", "The answer is yes."),
    ("no", "The answer is no."), ("no", "The answer is: No"), ("yes", "**Yes**"), ("yes", "\\boxed{yes}"),
    ("yes", "\\boxed{\\text{Yes}}"), ("yes", "\\text{True}"), ("yes", "`True`"), ("yes", "Yes! Definitely."),
    ("no", "Definitely not."), ("no", "Of course not"), ("yes", "Of course"), ("no", "No, it isn't."),
    ("yes", "No doubt, yes."), ("yes", "Yes, there is no doubt."), ("yes", "Yes, no problem"),
    ("no", "Yes... no wait, no."), ("yes", "No. Wait, actually yes."), ("yes", "I think yes"), ("yes", "Is it? Yes."),
    ("no", "The claim that it is true is wrong."), ("yes", "<answer>yes</answer>"), ("no", "The claim is untrue."),
    ("yes", "Yes — because 7 is prime"), ("yes", "Yes because 7 is prime"), ("yes", "✓"), ("no", "✗"), ("no", "Nope"),
    ("yes", "Yes\n\nExplanation: it is not false."), ("no", "No\n\nIt would be true if ..."),
    ("yes", "Let me think. 7 has no divisors. So the answer is yes."),
    ("yes", "We check: the first claim is false. Therefore the answer is yes."), ("yes", "Yes, that's correct."),
    ("no", "No, that's not correct."), ("no", "No, that's wrong."), ("yes", "yes yes"), ("yes", "'yes'"),
    ("yes", "yes?"), ("yes", "Answer: yes"), ("true", "The value is True"),
    ("no", "<!-- yes --> no"), ("no", "No (this is wrong)"),
    ("yes", "Yes/No: Yes"), ("no", "True or false: false"), ("yes", "Yes, this is wrong to do"),
]  # fmt: skip
OTHER = [
    ("yes", "no"), ("yes", "incorrect"), ("no", "1"), ("yes", "Yes and no"), ("no", "Yes and no"), ("yes", "yes/no"),
    ("yes", "Yes or no"), ("yes", "maybe"), ("yes", "Maybe yes"), ("yes", "It depends"), ("yes", ""),
    ("yes", "not yes"), ("yes", "It is not true."), ("yes", "Yes... no wait, no."),
    ("no", "There is no way that is true"), ("yes", "I am not sure"), ("yes", "unknown"), ("yes", "Yes, but also no"),
    ("yes", "true or false"), ("yes", "It's either yes or no"), ("yes", "42"), ("yes", "yesterday"), ("no", "know"),
    ("no", "none"), ("yes", "yes, no"), ("yes", "no yes"),
    ("yes", "yes (this is wrong)"), ("yes", "<!-- yes -->"),
    ("no", "neither yes nor no"),
]  # fmt: skip


@pytest.mark.parametrize(("reference", "answer"), SAME)
def test_a_careful_reader_would_accept_it(reference: str, answer: str) -> None:
    found = equivalent(reference, answer, "boolean")
    assert found.equivalent, found.reason


@pytest.mark.parametrize(("reference", "answer"), OTHER)
def test_a_careful_reader_would_not_accept_it(reference: str, answer: str) -> None:
    found = equivalent(reference, answer, "boolean")
    assert not found.equivalent, found.reason
    assert found.reason
