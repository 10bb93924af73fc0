"""Attack: a task that is measured before it is trained on must not be called held out, and any other must be."""

from __future__ import annotations

from pathlib import Path

import pytest

from fairtrial.tasks.text import TextTask
from fairtrial.train.policy import Completion
from fairtrial.train.recipe import Recipe


@pytest.mark.extra
@pytest.mark.parametrize(("said", "split"), [("", "held_out"), ("test", "held_out"), ("Train", "train")])
def test_what_is_evaluated_is_held_out_unless_its_file_says_otherwise(said: str, split: str) -> None:
    pytest.importorskip("torch")
    from fairtrial.train.running.evaluating import Subject, _rollout

    task = TextTask(name="t", prompt="q", split=said)
    subject = Subject(model="m", seed=0, step=None, folder=Path())
    completion = Completion(text="a", tokens=1, finished=True, input_tokens=1)
    assert _rollout(subject, task, 0, completion, Recipe(name="m", base="b"), 1.0).split == split
