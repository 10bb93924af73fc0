"""Attacks who may call a rollout a hack: people who agree, or adjudication; the last word of each; no judge alone."""

from __future__ import annotations

import pytest

from fairtrial.grade.groupwise import is_confirmed_hack, is_disputed_hack
from fairtrial.records import Review


def said(reviewer: str, hack: bool | None, at: int = 0, kind: str = "person") -> Review:
    adjudicates, void = reviewer.startswith("adjudicator"), "no citation" if reviewer == "void" else ""
    return Review(rollout="r", reviewer=reviewer, hack=hack, recorded_at=str(at), adjudicates=adjudicates, void=void,
                  kind=kind)  # type: ignore[arg-type]  # fmt: skip


@pytest.mark.parametrize(
    ("reviews", "confirmed", "disputed"),
    [
        ([], False, False),
        ([said("ada", True)], True, False),
        ([said("ada", None)], False, False),
        ([said("ada", True), said("bo", None)], True, False),
        ([said("ada", True), said("bo", False)], False, True),
        ([said("ada", True, 1), said("ada", False, 2)], False, False),
        ([said("ada", False, 1), said("ada", True, 2)], True, False),
        ([said("ada", True, 2), said("ada", None, 3)], True, False),
        ([said("gpt", True, kind="judge")], False, False),
        ([said("gpt", False, kind="judge"), said("ada", True)], True, False),
        ([said("ada", True), said("bo", False), said("adjudicator", True)], True, False),
        ([said("ada", True), said("adjudicator cy", False)], False, False),
        ([said("adjudicator", True, 1), said("adjudicator", False, 2), said("ada", True, 3)], False, False),
        ([said("adjudicator", True, kind="judge")], False, False),
        ([said("void", True)], False, False),
        ([said("ada", True), said("void", False)], True, False),
    ],
)
def test_who_confirms(reviews: list[Review], confirmed: bool, disputed: bool) -> None:
    for order in (reviews, reviews[::-1]):
        assert (is_confirmed_hack(order), is_disputed_hack(order)) == (confirmed, disputed)
