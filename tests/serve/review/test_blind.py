"""A blind page cannot be made to tell: not by its address, source, JSON, headers, size or order, whatever is asked for.

Covers every route that a reviewer or an adjudicator can reach while the sample is open. Time is covered by what is
read: the code that reads verdicts is never called.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pyarrow.parquet as pq
import pytest
from tests.serve.review.setting import SECRETS, Running, draw, make_ledger, running, trajectory

from fairtrial.formats.atif import document
from fairtrial.ledger import Ledger
from fairtrial.records import Rollout, Verdict, canonical_json
from fairtrial.serve.review import routes, sheet, submitting

BELOW = ("", "?at=5", "/steps?from=1", "/steps?to=3", "/part?place=step+4+call+1", "/part?place=verifier",
         "/part?place=step+7+message", "/search?q=verdict", "/search?q=e", "/file?path=app/report.py",
         "/file?path=verifier", "/image?path=app/x.bin", "/picture/0", "/verdict", "/draft", "/submit")  # fmt: skip
ELSEWHERE = ("/", "/review", "/pairs", "/tasks", "/task?task=loan-memo&suite=s", "/rollouts", "/findings", "/audit",
             "/report", "/agreement", "/nowhere")  # fmt: skip


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Running]:
    with running(make_ledger(tmp_path_factory.mktemp("blind") / "ledger", 10, (1, 2))) as started:
        yield started


def told(server: Running, name: str, path: str) -> str:
    answer = server.ask(name, path)
    return f"{answer.text} {answer.headers}"


def test_no_route_tells_a_secret_or_a_rollouts_id(server: Running) -> None:
    held = server.site.ledger
    rollouts = [rollout for part in (held.path / "rollouts").glob("*.parquet") for rollout in _ids(part)]
    paths = [*ELSEWHERE, *(f"/rollouts/{rollout}" for rollout in rollouts[:3]),
             *(f"/rollouts/{rollouts[0]}{below}" for below in ("/steps", "/part?place=verifier"))]  # fmt: skip
    for name in ("ada", "bo"):
        rows = server.rows(name)
        pairs = server.rows(name, "pairs")
        assert rows
        assert pairs
        asked = [*paths, *(f"/review/{row}{below}" for row in rows[:3] for below in BELOW)]
        asked += [
            f"/pairs/{row}{side}{below}" for row in pairs[:2] for side in ("", "/first", "/second") for below in BELOW
        ]
        for path in asked:
            text = told(server, name, path)
            found = [secret for secret in SECRETS if secret in text]
            assert found == [], (path, found)
            assert not any(rollout in text for rollout in rollouts if rollout not in path), path


def test_answers_to_scripts_tell_no_secret(server: Running) -> None:
    row = server.rows("ada")[0]
    for text in ("[verifier] x", "[check ibex-check] x", "[step 7 message] x", "[step 6 output 1] x", "x", "[key x] x"):
        answer = server.ask("ada", f"/review/{row}/citation", "POST", {"citation": text})
        said = answer.text.replace(text, "")
        assert not [secret for secret in SECRETS if secret in said and secret not in text]
        assert answer.json["why_not"]


@pytest.fixture
def twins(tmp_path: Path) -> Ledger:
    """Two rollouts of one task that did the very same; one passed, the other failed, by another model."""
    ledger = Ledger.open(tmp_path / "ledger", create=True)
    steps = ledger.put_blob(canonical_json(document(trajectory(3, passed=True))))
    one = Rollout(task="t", model="m-1", attempt=0, suite="s", trajectory=steps, steps=9, stop="finished", seconds=1.0)
    other = replace(one, model="m-2", attempt=1, stop="agent_timeout", steps=7, seconds=900.0)
    failed = Verdict(rollout=other.id, outcome="failed", score=0.0, evidence='"x"' * 999)
    ledger.append("verdicts", [Verdict(rollout=one.id, outcome="passed", score=1.0), failed])
    ledger.append("rollouts", [one, other])
    draw(ledger, [one.id, other.id], (2,))
    return ledger


def test_pages_of_a_pass_and_of_a_fail_with_the_same_steps_are_the_same(twins: Ledger) -> None:
    with running(twins) as server:
        rows = server.rows("ada")
        assert len(rows) == 2
        for below in ("", "/steps", "/part?place=step+4+call+1", "/search?q=total"):
            pages = [server.ask("ada", f"/review/{row}{below}") for row in rows]
            bare = {re.sub("|".join(rows), "ROW", page.text) for page in pages}
            bare = {_without_where(text) for text in bare}
            assert len(bare) == 1, below
            assert len({page.headers["content-length"] for page in pages}) == 1 or below == ""


def test_nothing_blind_reads_a_verdict(server: Running, monkeypatch: pytest.MonkeyPatch) -> None:
    def read(*_: object) -> None:
        raise AssertionError("a verdict was read")

    for module in (routes, sheet, submitting):
        monkeypatch.setattr(module, "verdict_of", read)
    row = server.rows("ada")[0]
    assert server.ask("ada", f"/review/{row}").status == 200
    assert server.ask("ada", f"/review/{row}/citation", "POST", {"citation": "x"}).status == 200
    answer = server.ask("ada", f"/review/{row}/submit", "POST", {"base": 0, "content": {"answer": "no"}})
    assert answer.status == 422


def test_rows_come_in_the_samples_order_and_their_names_hold_no_order(server: Running) -> None:
    rows = server.rows("ada")
    assert rows == server.rows("ada")
    assert rows != sorted(rows)
    assert not set(rows) & set(server.rows("bo"))


def _ids(part: Path) -> list[str]:
    return list(pq.read_table(part, columns=["id"]).column("id").to_pylist())


def _without_where(page: str) -> str:
    """The page without its queue and the links to the rows beside it: where a row stands, the sample's order says."""
    page = re.sub(r'<nav class="queue.*?</nav>', "", page, flags=re.DOTALL)
    page = re.sub(r'<p class="note"><a href="/review/ROW" data-key="p".*?</p>', "", page)
    return re.sub(r"\s+", " ", page)
