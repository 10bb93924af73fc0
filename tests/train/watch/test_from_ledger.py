"""Runs of any trainer, from a ledger: steps are read, evaluations are not, reviews and detectors are heard."""

from __future__ import annotations

from pathlib import Path

import orjson
import pytest

from fairtrial.ledger import Ledger
from fairtrial.records import Finding, InputError, Review, Rollout, Verdict
from fairtrial.train.watch import watch_ledger


def fill(folder: Path, *, steps: int, outage_from: int, answer: str | None = "x") -> Ledger:
    """Return a ledger of one model, 8 groups of 4 a step, half of the attempts passing until the outage."""
    ledger = Ledger.open(folder, create=True)
    rollouts, verdicts = [], []
    for step in range(1, steps + 1):
        for number in range(32):
            task = f"t{(step * 8 + number // 4) % 40}"
            one = Rollout(task=task, model="m", attempt=number, step=step, group=f"{step}-{number // 4}", seed=1,
                          family="f", output_tokens=10, stop="finished", answer=answer)  # fmt: skip
            outcome = "passed" if step < outage_from and number % 2 else "failed"
            rollouts.append(one)
            verdicts.append(Verdict(rollout=one.id, outcome=outcome, score=float(outcome == "passed"), grader="g"))
    held_out = Rollout(task="h", model="m", step=steps, split="held_out")
    ledger.append("rollouts", [*rollouts, held_out])
    ledger.append("verdicts", verdicts)
    return ledger


@pytest.mark.parametrize("answer", ["x", None])
def test_an_outage_is_found_in_a_ledger(tmp_path: Path, answer: str | None) -> None:
    (watched,) = watch_ledger(fill(tmp_path / "l", steps=12, outage_from=9, answer=answer))
    assert (watched.model, watched.seed) == ("m", 1)
    assert [step.attempts for step in watched.steps] == [32] * 12
    assert watched.left_out_steps == (9, 10, 11, 12)
    assert [alarm.kind for alarm in watched.alarms] == ["outage"]
    assert watched.steps[0].mean_tokens == 10


def test_reviews_confirm_and_detectors_only_suspect(tmp_path: Path) -> None:
    ledger = fill(tmp_path / "l", steps=3, outage_from=9)
    ids = [Rollout(task=f"t{(8 + n // 4) % 40}", model="m", attempt=n, step=1, group=f"1-{n // 4}", seed=1, family="f",
                   output_tokens=10, stop="finished", answer="x").id for n in range(32)]  # fmt: skip
    lead = Finding(task="t8", rollout=ids[0], family="trajectory", claim="c", severity="lead", probe="p",
                   evidence=orjson.dumps({"score": 0.9}).decode())  # fmt: skip
    ledger.append("findings", [lead])
    suspects = watch_ledger(ledger)[0]
    assert suspects.steps[0].suspected == 1
    assert suspects.hack_share is None
    ledger.append("reviews", [Review(rollout=id_, reviewer="ada", hack=id_ == ids[0]) for id_ in ids])
    confirmed = watch_ledger(ledger)[0]
    assert confirmed.steps[0].hack_share is not None
    assert confirmed.steps[0].hack_share.n == 32
    assert confirmed.steps[1].hack_share is None


def test_a_ledger_without_steps_or_without_the_model_is_refused(tmp_path: Path) -> None:
    empty = Ledger.open(tmp_path / "e", create=True)
    empty.append("rollouts", [Rollout(task="t", model="m")])
    with pytest.raises(InputError, match="sampled in training"):
        watch_ledger(empty)
    with pytest.raises(InputError, match="of `other`"):
        watch_ledger(fill(tmp_path / "l", steps=1, outage_from=9), "other")
