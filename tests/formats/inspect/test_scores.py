"""Attacks: a score that nobody gave is never a failure; the one that counts is the one that was meant."""

from __future__ import annotations

import math
from typing import Any

import pytest

from fairtrial.formats.inspect.scores import Choice, number_of, reason_of
from formats.inspect.written import HEADER, header


def results(*scores: tuple[str, str], **spec: Any) -> dict[str, Any]:
    """Return a header whose results name these scores and their scorers."""
    return header(**spec) | {"results": {"scores": [{"name": name, "scorer": scorer} for name, scorer in scores]}}


def said(scores: dict[str, Any], head: dict[str, Any] = HEADER, wanted: str = "") -> tuple[str, float | None, str]:
    graded = Choice.of(head, wanted).graded({name: {"value": value} for name, value in scores.items()})
    return graded.scorer, graded.score, graded.reason


@pytest.mark.parametrize(
    ("value", "expected"),
    [
        ("C", (1.0, "")), ("I", (0.0, "")), ("P", (0.5, "")), ("N", (0.0, "")), ("c", (None, "score_not_a_number")),
        (True, (1.0, "")), (False, (0.0, "")), (1, (1.0, "")), (0.25, (0.25, "")), ("0.5", (0.5, "")),
        ("Yes", (1.0, "")), ("no", (0.0, "")), (math.nan, (None, "unscored")), (None, (None, "unscored")),
        ("nan", (None, "unscored")), (math.inf, (None, "score_out_of_range")), (-0.1, (None, "score_out_of_range")),
        (10**400, (None, "score_not_a_number")), ("excellent", (None, "score_not_a_number")),
        ("", (None, "score_not_a_number")), ([1, 0], (None, "several_values")), ({}, (None, "several_values")),
    ],
)  # fmt: skip
def test_a_value_is_a_number_or_says_why_it_is_none(value: Any, expected: Any) -> None:
    assert number_of(value) == expected


def test_the_first_scorer_counts_in_the_order_of_the_results_not_of_the_sample() -> None:
    head = results(("judge", "judge"), ("match", "match"))
    assert said({"match": "I", "judge": "C"}, head) == ("judge", 1.0, "")
    assert said({"match": "I"}, head) == ("judge", None, "score_missing"), "another scorer does not stand in for it"
    assert said({"other": "C"}, head) == ("other", 1.0, ""), "a log whose names are not the samples' has some first"
    assert said({}, head) == ("judge", None, "score_missing")


def test_the_headline_that_a_task_declares_counts() -> None:
    scores = [("a", "quality"), ("b", "quality"), ("match", "match")]
    assert said({"quality": {"a": 0, "b": 1}, "match": "I"}, results(*scores, headline_metric={"score": "b"})) == (
        "quality/b", 1.0, "")  # fmt: skip
    assert said({"quality": {"a": 0, "b": 1}, "match": "C"}, results(*scores, headline_metric={"scorer": "match"})) == (
        "match", 1.0, "")  # fmt: skip
    assert said({"match": "C"}, results(("match", "match"), headline_metric={"scorer": "gone"}))[0] == "match"


def test_a_headline_counts_whole_or_not_at_all_and_as_it_was_resolved() -> None:
    both = {"quality": {"a": 0, "b": 1}, "match": "I"}
    head = results(("match", "match"), ("a", "quality"), ("b", "quality"), headline_metric={"metric": "f1"})
    for one in head["results"]["scores"]:
        one["metrics"] = {"f1" if one["name"] == "b" else "mean": {"value": 0.5}}
    assert said(both, head) == ("quality/b", 1.0, ""), "the first score that has the metric"
    gone = results(("match", "match"), headline_metric={"scorer": "gone", "score": "a"})
    assert said({"match": "C"}, gone) == ("match", 1.0, "")
    head["results"]["headline"] = {"scorer": "quality", "score": "a", "metric": "mean"}
    assert said(both, head) == ("quality/a", 0.0, ""), "what scoring resolved goes before what was declared"
    undeclared = results(("a", "quality"), ("b", "quality"))
    undeclared["results"]["headline"] = {"scorer": "quality", "score": "a"}
    assert said(both, undeclared)[2] == "several_values", "Inspect notes its first key where nobody declared one"


def test_what_is_asked_for_counts_and_nothing_in_its_place() -> None:
    head = results(("match", "match"), ("a", "quality"))
    both = {"match": "C", "quality": {"a": 0.5, "b": 1}}
    assert said(both, head, "quality/a") == ("quality/a", 0.5, "")
    assert said(both, head, "quality/zero") == ("quality/zero", None, "score_missing")
    assert said(both, head, "match/a") == ("match/a", None, "score_missing")
    assert said({"match": "C"}, head, "quality/a")[2] == "score_missing"
    assert said({"match": "C"}, header(scorers=None) | {"results": None}, "quality")[2] == "score_missing"
    with pytest.raises(LookupError, match="match, quality"):
        Choice.of(head, "other")


def test_scorers_of_a_package_are_found_by_their_own_name() -> None:
    head = header(scorers=[{"name": "inspect_evals/judge"}, {"name": "match"}]) | {"results": None}
    assert said({"match": "I", "judge": "C"}, head) == ("judge", 1.0, "")


def test_several_values_are_never_added_up_and_a_single_one_counts() -> None:
    assert said({"match": {"a": 1, "b": 1}}) == ("match", None, "several_values")
    assert said({"match": {"only": 1}}) == ("match/only", 1.0, "")
    assert said({"match": {"only": None}})[2] == "unscored"
    assert said({"match": [1, 1]}) == ("match", None, "several_values")


def test_what_does_not_count_is_a_check_where_it_can_be() -> None:
    told = {
        "match": {"value": {"a": 1, "b": 0.5, "c": 7, "d": None}},
        "judge": {"value": math.nan, "reason": "grader_failed"}, "style": {"value": "excellent"},
        "list": {"value": [True, "I"]},
    }  # fmt: skip
    checks = Choice.of(HEADER, "match/a").graded(told).checks
    assert [(check.name, check.status, check.message) for check in checks] == [
        ("match/b", "failed", ""), ("match/d", "broken", "unscored"), ("judge", "broken", "grader_failed"),
        ("list/0", "passed", ""), ("list/1", "failed", ""),
    ]  # fmt: skip


@pytest.mark.parametrize(
    ("score", "reason"),
    [
        ({"value": math.nan}, "unscored"),
        ({"value": math.nan, "reason": "grader_failed"}, "grader_failed"),
        ({"value": math.nan, "metadata": {"unscored_reason": "invalid_response_format"}}, "invalid_response_format"),
        ({"value": None, "reason": 7}, "unscored"),
        ({"value": "C", "reason": "refusal"}, ""),
    ],
)
def test_the_reason_is_the_scorers_own(score: dict[str, Any], reason: str) -> None:
    assert Choice.of(HEADER, "").graded({"match": score}).reason == reason


def test_the_name_of_the_single_scorer_of_old_logs_is_found() -> None:
    assert Choice.of(HEADER, "").graded({"88F74D2C": {"value": "C"}}).scorer == "match"


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("RuntimeError('boom')", "runtime_error"), ("httpx.ReadTimeout: slow", "read_timeout"), ("", "error"),
        ("HTTPStatusError(500)", "http_status_error"), ("…", "error"), ("a" * 500, "a" * 60),
    ],
)  # fmt: skip
def test_a_message_becomes_a_short_reason(text: str, expected: str) -> None:
    assert reason_of(text, "error") == expected
