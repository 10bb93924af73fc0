"""Stages: an adapter is merged into what is kept, a reward model leaves the policy as it was."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import pytest

from fairtrial.contamination.identity.folder import content_hash, open_model
from fairtrial.ledger import Ledger
from fairtrial.ledger.trained import all_checkpoints
from fairtrial.records import InputError
from fairtrial.train.log import GroupLine, StepLine
from fairtrial.train.recipe import Recipe, Stage
from fairtrial.train.recipe.reading import read_recipe
from fairtrial.train.recipe.resolving import resolve
from fairtrial.train.running.chain import standing
from train import tiny
from train.running.forks import begin, forked, ids, load, said

RECIPE = """
name = "m"
base = "base"
save_steps = 1
[tasks]
held_out = "held_out.jsonl"
[[stages]]
method = "sft"
data = "sft.jsonl"
steps = 2
learning_rate = 1e-2
lora_rank = 2
[[stages]]
method = "reward_model"
data = "pairs.jsonl"
epochs = 1
batch_size = 6
[evaluation]
runs = 1
max_new_tokens = 4
"""


class NullRecorder:
    """Records nothing."""

    def record(self, step: StepLine, groups: Sequence[GroupLine] = ()) -> str:
        del step, groups
        return ""


@pytest.mark.extra
def test_an_adapter_is_merged_and_a_reward_model_leaves_the_policy_as_it_was(tmp_path: Path) -> None:
    pytest.importorskip("trl")
    load("sft", "reward_model")
    from fairtrial.train.running.planned import Evaluator
    from fairtrial.train.trainers.loading import load_policy, load_scorer

    tiny.write_model(tmp_path / "base")
    run = begin(tmp_path, RECIPE)
    assert forked(run, base_by=[]) == 0, said(run)
    seed = run.seed(0)
    adapted, scorer = seed.checkpoints / "step-2", seed.checkpoints / "step-4"
    assert not (adapted / "adapter_config.json").exists()
    assert content_hash(open_model(adapted)) == content_hash(open_model(seed.model))
    before, after = load_policy(tmp_path / "base").state_dict(), load_policy(adapted).state_dict()
    changed = {name for name, tensor in after.items() if not tensor.equal(before[name])}
    assert changed
    assert all("proj" in name for name in changed)
    assert load_scorer(scorer).score.weight.shape == (1, 32)
    assert len(ids(run, "rollouts")) == len(tiny.HELD_OUT)
    assert forked(run, base_by=[], explore=1) == 0, said(run)
    kept = all_checkpoints(Ledger.open(run.ledger))
    assert [(one.step, one.stage, one.planned) for one in kept] == [(2, "sft", True), (1, "sft", False)]
    assert len({one.weights_hash for one in kept}) == 2
    assert all(one.base_hash and one.input_tokens for one in kept)
    resolved = resolve(read_recipe(run.recipe))
    evaluator = Evaluator(run=run, resolved=resolved, seed=0, ledger=Ledger.open(run.ledger), tell=lambda _: None)
    with pytest.raises(InputError, match="answers no task"):
        evaluator.explore(4, standing(seed, Path(resolved.recipe.base)))
    with pytest.raises(InputError, match="kept no checkpoint of step 9"):
        evaluator.explore(9, standing(seed, Path(resolved.recipe.base)))


@pytest.mark.extra
def test_messages_without_a_chat_template_are_refused_and_with_one_are_not(tmp_path: Path) -> None:
    pytest.importorskip("trl")
    from fairtrial.train.trainers.loading import load_tokenizer
    from fairtrial.train.trainers.protocol import Context
    from fairtrial.train.trainers.training import refuse_messages

    recipe = Recipe(name="m", base="base")
    stage = Stage(method="sft", data="rows.jsonl")
    context = Context(recipe=recipe, stage=stage, number=1, seed=0, offset=0, model=tmp_path, checkpoints=tmp_path,
                      recorder=NullRecorder())  # fmt: skip
    tokenizer = load_tokenizer(tiny.write_model(tmp_path / "base"))
    rows = [{"messages": [{"role": "user", "content": "hi"}]}]
    with pytest.raises(InputError, match="no chat template"):
        refuse_messages(context, rows, tokenizer)
    refuse_messages(context, [{"text": "hi"}], tokenizer)
    tokenizer.chat_template = "{{ messages[0].content }}"
    refuse_messages(context, rows, tokenizer)
