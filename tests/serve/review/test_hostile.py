"""Hostile works on the pages of reviewers: whatever a rollout, a file or another reviewer holds is text and stays text.

What steps do with it is tested in tests/serve/steps; here stand instruction, answer, files, names, notes, citations.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

import pytest
from tests.serve.review.setting import Running, draw, packed, running

from fairtrial.formats.atif import AtifStep, Trajectory, document
from fairtrial.ledger import Ledger
from fairtrial.ledger.audited import all_reviews
from fairtrial.records import Rollout, Verdict, canonical_json

EVIL = "\"'></pre></script><script>alert(1)</script><img src=x onerror=alert(2)>\u202e\x1b[31m\x00"
OURS = re.compile(r'<script type="module" src="/static/\w+\.js"></script>')


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Running]:
    ledger = Ledger.open(tmp_path_factory.mktemp("hostile") / "ledger", create=True)
    steps = tuple(AtifStep(source=source, message=EVIL + source) for source in ("system", "user", "agent"))  # type: ignore[arg-type]
    files = packed({"a" + EVIL.replace("/", "").replace("\0", ""): EVIL.replace("\0", "").encode()})
    written = {model: canonical_json(document(Trajectory(agent=model, steps=steps))) for model in ("m", "n")}
    made = [
        Rollout(task="t" + EVIL.replace("\0", ""), model=model, suite="s", answer=EVIL + model,
                deliverable=ledger.put_blob(files), trajectory=ledger.put_blob(data))
        for model, data in written.items()
    ]  # fmt: skip
    verdicts = [Verdict(rollout=one.id, outcome="ungraded", reason=EVIL, evidence=EVIL) for one in made]
    ledger.append("verdicts", verdicts)
    ledger.append("rollouts", made)
    draw(ledger, [one.id for one in made], (2,))
    with running(ledger) as started:
        yield started


def harmless(page: str) -> None:
    rest = OURS.sub("", page)
    assert "<script" not in rest.lower()
    assert not re.search(r"<[^>]*\son\w+=", re.sub(r'"[^"]*"', '""', rest))
    assert "\u202e" not in re.sub(r'"[^"]*"', "", rest)
    assert "\x1b" not in re.sub(r'"[^"]*"', "", rest)


def test_no_page_of_a_reviewer_runs_or_hides_anything(server: Running) -> None:
    for row in server.rows("ada"):
        for below in ("", "/steps", "/file?path=nothing"):
            harmless(server.ask("ada", f"/review/{row}{below}").text)
    for row in server.rows("ada", "pairs"):
        for below in ("", "/first/steps", "/second/steps"):
            harmless(server.ask("ada", f"/pairs/{row}{below}").text)


def test_what_reviewers_write_is_text_to_adjudicators_and_in_the_second_pass(server: Running) -> None:
    cited = ["[step 3 message] alert(1)", f"[instruction] {EVIL}"]
    for name, said in (
        ("ada", {"answer": "no", "note": EVIL, "citations": cited}),
        ("bo", {"answer": "yes", "note": EVIL}),
    ):
        for row in server.rows(name):
            answer = server.ask(name, f"/review/{row}/submit", "POST", {"base": 0, "content": said})
            assert answer.status == 200, answer.text
    for row in server.rows("cy"):
        harmless(server.ask("cy", f"/review/{row}").text)
        assert (
            server.ask("cy", f"/review/{row}/submit", "POST", {"base": 0, "content": {"answer": "yes"}}).status == 200
        )
    informed = server.ask("ada", f"/review/{server.rows('ada')[0]}").text
    assert "ungraded" in informed
    harmless(informed)
    harmless(server.ask("owner", "/agreement").text)
    assert {one.note for one in all_reviews(server.site.ledger)} == {EVIL, ""}
