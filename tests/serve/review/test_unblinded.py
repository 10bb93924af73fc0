"""Who has been shown a verdict says nothing blind of it any more: not where a sample is opened again, not in pairs.

Also: a row whose rollout the ledger does not hold keeps no sample open.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import pytest
from tests.serve.review.setting import Running, draw, make_ledger, running

from fairtrial.ledger import Ledger
from fairtrial.ledger.audited import all_preferences, all_reviews, all_samples
from fairtrial.serve import readers_named
from fairtrial.serve.pairs.table import table_of

YES = {"answer": "yes"}
NO = {"answer": "no", "citations": ["[step 1 message] You are an engineer."]}


def review_all(server: Running, name: str) -> None:
    for row in server.rows(name):
        answer = server.ask(name, f"/review/{row}/submit", "POST", {"base": 0, "content": YES})
        assert answer.status == 200, answer.text


def later(ledger: Ledger, rollouts: Sequence[str], readers: int) -> None:
    """Draw another sample, recorded after the first."""
    drawn = draw(ledger, rollouts, (readers,), name="earlier than it is recorded")
    ledger.append("samples", [replace(drawn, name="later", recorded_at="2026-03-01T00:00:00.000Z")])
    assert all_samples(ledger)[-1].name == "later"


def test_a_blind_review_stays_when_a_closed_sample_is_opened_again(tmp_path: Path) -> None:
    ledger = make_ledger(tmp_path / "ledger", 4)
    with running(ledger, readers_named("owner", ("ada",))) as server:
        review_all(server, "ada")
        assert "ibex-check" in server.ask("ada", f"/review/{server.rows('ada')[0]}").text
    later(ledger, [row.rollout for row in all_samples(ledger)[0].rows], 2)
    with running(ledger, readers_named("owner", ("ada", "bo"))) as server:
        row = server.rows("ada")[0]
        page = server.ask("ada", f"/review/{row}").text
        assert "have been shown its verdict since" in page
        assert "ibex-check" not in page
        before = len(all_reviews(ledger))
        refused = server.ask("ada", f"/review/{row}/submit", "POST", {"base": 1, "content": NO})
        assert (refused.status, refused.json["lacks"][0]["field"]) == (422, "answer")
        assert server.ask("ada", f"/review/{row}/submit", "POST", {"base": 1, "content": YES}).status == 200
        assert len(all_reviews(ledger)) == before
        review_all(server, "bo")  # who has been shown nothing


@pytest.mark.extra
def test_a_choice_between_two_works_stays_when_their_verdicts_are_shown(tmp_path: Path) -> None:
    ledger = make_ledger(tmp_path / "ledger", 12)
    with running(ledger, readers_named("owner", ("ada",))) as server:
        pair = server.rows("ada", "pairs")[0]
        said = {"base": 0, "content": {"answer": "first"}}
        assert server.ask("ada", f"/pairs/{pair}/submit", "POST", said).status == 200
        review_all(server, "ada")
        assert server.rows("ada", "pairs") == [pair]
        assert "your choice stays as it is" in server.ask("ada", f"/pairs/{pair}").text
        other = server.ask("ada", f"/pairs/{pair}/submit", "POST", {"base": 1, "content": {"answer": "second"}})
        assert other.status == 422
        assert len(all_preferences(ledger)) == 1


@pytest.mark.extra
def test_verdicts_of_an_earlier_sample_withdraw_pairs_of_a_later_one(tmp_path: Path) -> None:
    ledger = make_ledger(tmp_path / "ledger", 12)
    everything = [row.rollout for row in all_samples(ledger)[-1].rows]
    with running(ledger, readers_named("owner", ("ada",))) as server:
        review_all(server, "ada")
    later(ledger, everything[:2], 2)
    with running(ledger, readers_named("owner", ("ada", "bo"))) as server:
        found = table_of(server.site).rows(server.reader("ada"))
        assert found.rows == ()
        assert server.rows("bo", "pairs")


def test_a_row_without_its_rollout_keeps_no_sample_open(tmp_path: Path) -> None:
    ledger = make_ledger(tmp_path / "ledger", 3)
    later(ledger, [*(row.rollout for row in all_samples(ledger)[0].rows), "sha256:" + "0" * 64], 1)
    with running(ledger, readers_named("owner", ("ada",))) as server:
        review_all(server, "ada")
        assert "ibex-check" in server.ask("ada", f"/review/{server.rows('ada')[0]}").text
        assert "1 row of the sample cannot be read" in server.ask("owner", "/agreement").text
        assert "the sample is closed" in server.ask("owner", "/audit").text
