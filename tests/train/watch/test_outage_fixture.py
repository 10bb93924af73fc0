"""The outage that was measured: a policy that learnt answers of five digits, asked for four, fails every attempt.

It is trained for real, and asked by the grpo stage itself. The same policy asked for five goes on.
"""

from __future__ import annotations

import json
from itertools import product
from pathlib import Path

import pytest

from fairtrial.grade.text import text_suite
from fairtrial.tasks.text import TextSuite
from fairtrial.train.recipe import Sampling, Stage, Watch
from fairtrial.train.running.recorder import SeedRecorder
from fairtrial.train.watch import Known, Watched, watch_log
from fairtrial.train.watch.shapes import shapes_of
from train.trainers.sloppy_world import context
from train.watch.runs import Run

pytestmark = pytest.mark.extra
SAMPLING = Sampling(prompts_per_step=8, group_size=8, max_new_tokens=8)
STEPS, ROWS = 120, 32


def tasks_of(folder: Path, digits: int) -> TextSuite:
    """Return the tasks to reverse every string of so many 0s and 1s."""
    path = folder / f"{digits}.jsonl"
    rows = [{"name": f"rev-{text}", "prompt": f"rev {text}=", "answer": text[::-1], "family": "rev"}
            for text in map("".join, product("01", repeat=digits))]  # fmt: skip
    path.write_text("".join(json.dumps(row) + "\n" for row in rows))
    return text_suite(path)


@pytest.fixture(scope="module")
def policy(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a policy that was shown five digits only, trained in a few seconds."""
    pytest.importorskip("trl")
    import torch
    from examples.sorting.make import write_model

    from fairtrial.train.trainers.loading import load_policy, load_tokenizer

    folder = tmp_path_factory.mktemp("five")
    write_model(folder / "untrained", 0)
    tokenizer, model = load_tokenizer(folder / "untrained"), load_policy(folder / "untrained")
    texts = ["".join(text) for text in product("01", repeat=5)]
    ids = tokenizer([f"rev {text}={text[::-1]}{tokenizer.eos_token}" for text in texts], return_tensors="pt",
                    return_token_type_ids=False)["input_ids"]  # fmt: skip
    labels = ids.clone()
    labels[:, : len(tokenizer("rev 00000=")["input_ids"])] = -100
    optimizer = torch.optim.AdamW(model.parameters(), lr=5e-3)
    drawn = torch.Generator().manual_seed(0)
    for _ in range(STEPS):
        batch = torch.randint(len(texts), (ROWS,), generator=drawn)
        model(input_ids=ids[batch], labels=labels[batch]).loss.backward()
        optimizer.step()
        optimizer.zero_grad()
    model.save_pretrained(folder / "policy")
    tokenizer.save_pretrained(folder / "policy")
    return folder / "policy"


def watched(out: Path, policy: Path, tasks: TextSuite, known: Known) -> Watched:
    """Let the grpo stage ask the policy for at most four steps, with the recorder of a real run."""
    from fairtrial.train.trainers.grpo import train_grpo

    stage = Stage(method="grpo", steps=4, learning_rate=1e-5, sampling=SAMPLING)
    with SeedRecorder(out, Watch(), known, lambda _: None, through=0, go_on=0) as recorder:
        end = train_grpo(context(out, policy, stage, tasks, recorder=recorder))
        assert bool(end.paused) == bool(recorder.watch.watched().paused)
    return recorder.watch.watched()


@pytest.mark.parametrize("is_measured", [True, False])
def test_a_policy_of_five_digits_asked_for_four_is_stopped_within_three_steps_as_an_outage(
    is_measured: bool, tmp_path: Path, policy: Path
) -> None:
    tasks = tasks_of(tmp_path, 4)
    rates = Run({"rev": 0.3}, seed=1, tasks_per_family=16).known().tasks if is_measured else {}
    rates = dict(zip(tasks.keys, rates.values(), strict=False))
    found = watched(tmp_path / "run", policy, tasks, Known(tasks=rates, shapes=shapes_of(tasks)))
    assert [alarm.kind for alarm in found.alarms] == ["outage"]
    assert found.paused
    assert len(found.steps) <= 3
    assert found.left_out_steps == (1, 2)
    assert "has the length of its right answer" in found.paused
    assert "known right answers passed" in found.paused
    assert watch_log(tmp_path / "run")[0].left_out_steps == (1, 2)


def test_the_same_policy_asked_for_five_goes_on(tmp_path: Path, policy: Path) -> None:
    tasks = tasks_of(tmp_path, 5)
    found = watched(tmp_path / "run", policy, tasks, Known(shapes=shapes_of(tasks)))
    assert found.paused == ""
    assert found.left_out_steps == ()
    assert len(found.steps) == 4
    assert all(step.passed for step in found.steps)
