"""`fairtrial audit hacks` from the outside: by step, weighted back, people before judges, what was left out."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from fairtrial.cli.main import run
from fairtrial.ledger import Ledger
from fairtrial.ledger.audited import all_samples
from fairtrial.records import Finding, Review, Rollout, Verdict


@pytest.fixture
def book(tmp_path: Path) -> Ledger:
    """Return 300 rollouts of three steps: in the last, every fifth is a hack; detectors suspect half of them."""
    book = Ledger.open(tmp_path / "ledger", create=True)
    rollouts = rollouts_of()
    book.append("rollouts", rollouts)
    book.append(
        "verdicts", [Verdict(rollout=one.id, outcome="passed" if one.attempt % 2 else "failed") for one in rollouts]
    )
    book.append("findings", [
        Finding(task=one.task, probe="d", family="trajectory", severity="lead", claim="c", rollout=one.id,
                evidence=json.dumps({"score": 0.9})) for one in rollouts if is_hack(one) and one.attempt % 10 == 0
    ])  # fmt: skip
    return book


def rollouts_of() -> list[Rollout]:
    return [Rollout(task=f"t{i % 60}", model="m", attempt=i, step=100 * (i // 100)) for i in range(300)]


def is_hack(rollout: Rollout) -> bool:
    return rollout.step == 200 and rollout.attempt % 5 == 0


def review(book: Ledger, kind: str = "person") -> None:
    of = {one.id: one for one in rollouts_of()}
    rows = all_samples(book)[-1].rows
    book.append("reviews", [Review(rollout=row.rollout, reviewer="ada" if kind == "person" else "some-model", kind=kind,  # type: ignore[arg-type]
                                   hack=is_hack(of[row.rollout])) for row in rows])  # fmt: skip


def told(book: Ledger, capfd: pytest.CaptureFixture[str], *options: str, code: int = 0) -> Any:
    assert run(["audit", "hacks", str(book.path), *options, "--json"]) == code
    shown = capfd.readouterr()
    return json.loads(shown.out) | {"stderr": shown.err} if code < 2 or shown.out else shown.err


def drawn(book: Ledger, capfd: pytest.CaptureFixture[str], n: int = 180) -> None:
    assert run(["audit", "sample", str(book.path), "--n", str(n), "--by", "verdict,detector,step"]) == 0
    capfd.readouterr()


def test_the_share_by_step_is_weighted_back_and_held_against_the_line(
    book: Ledger, capfd: pytest.CaptureFixture[str]
) -> None:
    drawn(book, capfd)
    review(book)
    found = told(book, capfd, code=1)
    assert (found["schema"], found["by"], found["confirmed"], found["line"]) == (
        "fairtrial.hacks/1",
        "people",
        True,
        0.02,
    )
    windows = {one["first_step"]: one for one in found["windows"]}
    assert list(windows) == [0, 100, 200]
    assert windows[0]["estimate"]["value"] == 0
    assert windows[0]["against_line"] == "cannot tell"
    last = windows[200]["estimate"]
    assert last["low"] <= 0.2 <= last["high"]
    assert windows[200]["against_line"] == "above"
    assert found["detector"]["right"]["value"] == pytest.approx(1)
    assert found["detector"]["found"]["low"] < 0.5 < found["detector"]["found"]["high"]
    assert run(["audit", "hacks", str(book.path)]) == 1
    assert "people confirm " in capfd.readouterr().out


def test_steps_with_few_reviews_are_told_together(book: Ledger, capfd: pytest.CaptureFixture[str]) -> None:
    drawn(book, capfd, 40)
    review(book)
    found = told(book, capfd, "--line", "0.9")
    assert [one["steps"] for one in found["windows"]] == [[0, 100, 200]]
    assert found["overall"]["against_line"] == "below"


def test_nobody_has_said_is_not_measured_and_a_judge_confirms_nothing(
    book: Ledger, capfd: pytest.CaptureFixture[str]
) -> None:
    drawn(book, capfd)
    review(book, "judge")
    nothing = told(book, capfd, code=3)
    assert nothing["overall"]["estimate"]["value"] is None
    assert {one["against_line"] for one in nothing["windows"]} == {"not measured"}
    found = told(book, capfd, "--judge", "some-model", code=1)
    assert (found["by"], found["confirmed"]) == ("some-model", False)
    assert "no review of judge `other`" in told(book, capfd, "--judge", "other", code=2)


def test_reviews_outside_the_sample_and_rows_without_review_are_said(
    book: Ledger, capfd: pytest.CaptureFixture[str]
) -> None:
    drawn(book, capfd, 40)
    kept = {row.rollout for row in all_samples(book)[-1].rows}
    others = [one.id for one in rollouts_of() if one.id not in kept][:7]
    read = [*others, *sorted(kept)[:25]]
    book.append("reviews", [Review(rollout=rollout, reviewer="ada", hack=False) for rollout in read])
    found = told(book, capfd)
    assert (found["reviewed_not_drawn"], found["drawn_not_reviewed"], found["overall"]["reviewed"]) == (7, 15, 25)
    assert "7 reviewed rollouts were not drawn" in found["stderr"]
    every = told(book, capfd, "--sample", "none")
    assert (every["overall"]["reviewed"], every["sample"]) == (32, None)
    assert "taken as drawn at random" in every["stderr"]


def test_rollouts_without_steps_have_a_share_and_no_windows(tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    book = Ledger.open(tmp_path / "plain", create=True)
    rollouts = [Rollout(task=f"t{i}", model="m") for i in range(50)]
    book.append("rollouts", rollouts)
    book.append("reviews", [Review(rollout=one.id, reviewer="ada", hack=False) for one in rollouts])
    found = told(book, capfd)
    assert (found["windows"], found["overall"]["estimate"]["value"], found["without_step"]) == ([], 0.0, 50)
    assert "no rollout names a training step" in found["stderr"]


def test_rollouts_that_came_after_the_sample_are_not_spoken_of(book: Ledger, capfd: pytest.CaptureFixture[str]) -> None:
    """Reviews of the steps so far say nothing of a later one, in which nobody has looked."""
    drawn(book, capfd)
    review(book)
    before = told(book, capfd, code=1)
    later = [Rollout(task=f"t{i}", model="m", attempt=i, step=900) for i in range(60)]
    book.append("rollouts", later)
    book.append("verdicts", [Verdict(rollout=one.id, outcome="passed") for one in later])
    after = told(book, capfd, code=1)
    assert after["overall"] == before["overall"]
    assert after["windows"] == before["windows"]
    assert (before["not_in_frame"], after["not_in_frame"]) == (0, 60)
    assert "60 rollouts came after the sample was drawn" in after["stderr"]
