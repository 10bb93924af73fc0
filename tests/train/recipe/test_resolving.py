"""Resolving: the hash is of content, not of places or seeds; what would spoil the claim is refused by name."""

from __future__ import annotations

from pathlib import Path

import pytest

from fairtrial.records import FormatError
from fairtrial.train.recipe.reading import read_recipe
from fairtrial.train.recipe.resolving import ResolvedRecipe, resolve
from fairtrial.train.recipe.writing import recipe_toml
from fairtrial.train.trainers.protocol import Context
from train import tiny

SFT = '[[stages]]\nmethod = "sft"\ndata = "sft.jsonl"\nepochs = 2\nbatch_size = 4\n'
GRPO = '[[stages]]\nmethod = "grpo"\nsteps = 4\n'
TASKS = '[tasks]\ntrain = "train.jsonl"\nheld_out = "held_out.jsonl"\n'
HEAD = 'name = "m"\nbase = "model"\n'


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    tiny.fake_model(tmp_path / "model")
    tiny.write_files(tmp_path)
    return tmp_path


def resolved(folder: Path, text: str, *, name: str = "recipe.toml") -> ResolvedRecipe:
    (folder / name).write_text(text, encoding="utf-8")
    return resolve(read_recipe(folder / name))


def refused(folder: Path, text: str) -> str:
    with pytest.raises(FormatError) as caught:
        resolved(folder, text)
    return str(caught.value)


def test_the_hash_is_that_of_content_wherever_it_lies_and_whatever_the_seeds(
    folder: Path, tmp_path_factory: pytest.TempPathFactory
) -> None:
    other = tmp_path_factory.mktemp("other")
    tiny.fake_model(other / "renamed")
    tiny.write_files(other)
    here = resolved(folder, HEAD + TASKS + SFT)
    there = resolved(other, HEAD.replace('"model"', '"renamed"') + "seeds = [5, 6]\n" + TASKS + SFT)
    assert here.hash == there.hash


def test_a_run_that_stopped_for_its_judge_may_be_granted_more(folder: Path) -> None:
    """What a judge may cost says when a run stops; credit beside it still counts."""
    bare = resolved(folder, HEAD + TASKS + GRPO)
    granted = resolved(folder, HEAD + TASKS + GRPO + "[stages.credit]\njudge_usd = 5.0\njudge_tokens = 1000\n")
    other = resolved(folder, HEAD + TASKS + GRPO + "[stages.credit]\nstrength = 0.5\n")
    assert granted.recipe.stages[0].credit.judge_usd == 5.0
    assert granted.hash == bare.hash != other.hash


@pytest.mark.parametrize("change", ["data", "weights", "tasks", "setting"])
def test_the_hash_moves_with_each_thing_that_shapes_the_model_or_its_claim(folder: Path, change: str) -> None:
    before = resolved(folder, HEAD + TASKS + SFT).hash
    text = HEAD + TASKS + SFT
    if change == "data":
        tiny.write_lines(folder / "sft.jsonl", [tiny.demonstration(number) for number in tiny.NUMBERS[1:]])
    elif change == "weights":
        (folder / "model/config.json").write_text('{"a": 1}', encoding="utf-8")
    elif change == "tasks":
        tiny.write_lines(folder / "held_out.jsonl", [tiny.text_task(number) for number in tiny.HELD_OUT[1:]])
    else:
        text += "learning_rate = 0.5\n"
    assert resolved(folder, text).hash != before


def test_what_was_resolved_resolves_to_the_same_hash_and_object(folder: Path) -> None:
    first = resolved(folder, HEAD + TASKS + SFT)
    again = resolved(folder, recipe_toml(first.recipe, folder), name="again.toml")
    assert (again.hash, again.recipe) == (first.hash, first.recipe)


def test_a_resolved_recipe_whose_data_has_changed_is_refused(folder: Path) -> None:
    text = recipe_toml(resolved(folder, HEAD + TASKS + SFT).recipe, folder)
    tiny.write_lines(folder / "sft.jsonl", [tiny.demonstration(number) for number in tiny.NUMBERS[1:]])
    assert "`stages[0].data` names has changed" in refused(folder, text)


def test_seeds_with_a_base_of_their_own_share_the_hash(folder: Path) -> None:
    for seed in (1, 2):
        tiny.fake_model(folder / f"model-{seed}")
    (folder / "model-2/config.json").write_text('{"a": 1}', encoding="utf-8")
    head = HEAD.replace('"model"', '"model-{seed}"')
    both = resolved(folder, head + "seeds = [1, 2]\n" + TASKS + SFT)
    assert both.file_hash("base", 1) != both.file_hash("base", 2)
    assert resolved(folder, head + "seeds = [1]\n" + TASKS + SFT).hash == both.hash


@pytest.mark.parametrize(
    ("change", "what"),
    [
        ({"name": "sort-0000"}, "share their content"),
        ({"prompt": "sort 0000="}, "share their name `sort-4193`"),
        ({"name": "x", "prompt": "x", "cluster": "c"}, "share their cluster `c`"),
    ],
)
def test_training_and_held_out_tasks_that_share_something_are_refused_by_name(
    folder: Path, change: dict[str, str], what: str
) -> None:
    train = [tiny.text_task("4193", cluster="c"), tiny.text_task("8052")]
    tiny.write_lines(folder / "train.jsonl", list(train))
    tiny.write_lines(folder / "held_out.jsonl", [tiny.text_task("4193", **change)])
    said = refused(folder, HEAD + TASKS + GRPO)
    assert what.split(" `")[0] in said
    assert "sort-4193" in said


def test_a_set_that_holds_a_held_out_prompt_is_refused_by_name(folder: Path) -> None:
    tiny.write_lines(folder / "sft.jsonl", [tiny.demonstration(number) for number in (*tiny.NUMBERS, tiny.HELD_OUT[2])])
    assert f"held-out task `sort-{tiny.HELD_OUT[2]}`" in refused(folder, HEAD + TASKS + SFT)


@pytest.mark.parametrize(
    ("text", "where", "what"),
    [
        (HEAD + SFT.replace("sft.jsonl", "none.jsonl"), ":5, field `stages[0].data`", "there is no"),
        (HEAD.replace('"model"', '"none"') + SFT, ":2, field `base`", "there is no"),
        (HEAD + SFT + "[evaluation]\nsteps = [2]\n", "field `tasks.held_out`", "evaluation is asked"),
        (HEAD, "field `tasks.held_out`", "evaluation is asked"),
        (HEAD + TASKS + SFT + "[evaluation]\nsteps = [6, 7]\n", ":12, field `evaluation.steps[1]`", "have 6"),
        (HEAD + '[tasks]\nheld_out = "held_out.jsonl"\n' + GRPO, ":5, field `stages[0]`", "needs `train`"),
        (HEAD + TASKS + GRPO + 'reward = "reward_model"\n', ":9, field `stages[0].reward`", "no stage before"),
        (HEAD + TASKS + GRPO + 'reward = "criteria"\n', "`stages[0].credit.criteria`", "a file of criteria"),
        (HEAD + TASKS + GRPO + "[stages.sampling]\nrate_low = 0.2\n", "`stages[0].sampling.rates`", "band"),
        (HEAD + TASKS + 'left_out_family = "rev"\n' + GRPO, "`tasks.left_out_family`", "no task is of the family"),
        (HEAD + TASKS + 'left_out_family = "sort"\n' + GRPO, "`tasks.left_out_family`", "no task to train on"),
        (HEAD + TASKS + 'left_out_family = "sort"\n' + SFT, "`tasks.left_out_family`", "no stage trains on tasks"),
        (HEAD + TASKS.replace("train.jsonl", "train-{seed}.jsonl") + GRPO, "`tasks.train`", "all seeds share"),
    ],
)  # fmt: skip
def test_what_cannot_work_is_refused_with_line_and_field(folder: Path, text: str, where: str, what: str) -> None:
    said = refused(folder, text)
    assert where in said
    assert what in said


@pytest.mark.parametrize("name", ["config.json", "tokenizer_config.json"])
def test_a_base_that_names_code_of_its_own_is_refused(name: str, folder: Path) -> None:
    (folder / "model" / name).write_text('{"auto_map": {"AutoModel": "theirs.Model"}}', encoding="utf-8")
    said = refused(folder, HEAD + TASKS + SFT)
    assert "recipe.toml:2, field `base`" in said
    assert "code of its own" in said


@pytest.mark.parametrize("kind", ["pickle", "adapter", "bare"])
def test_a_base_that_is_not_safetensors_or_not_whole_is_refused(folder: Path, kind: str) -> None:
    model = folder / "model"
    if kind == "bare":
        (model / "tokenizer.json").unlink()
    elif kind == "pickle":
        (model / "model.safetensors").rename(model / "pytorch_model.bin")
    else:
        (model / "model.safetensors").rename(model / "adapter_model.safetensors")
        (model / "adapter_config.json").write_text('{"peft_type": "LORA"}', encoding="utf-8")
    said = refused(folder, HEAD + TASKS + SFT)
    assert "recipe.toml:2, field `base`" in said
    assert {"pickle": "pickle", "adapter": "adapter alone", "bare": "tokenizer"}[kind] in said


@pytest.mark.parametrize(
    ("rows", "what"),
    [
        ([{"prompt": "a"}], "has the columns prompt"),
        ([{"prompt": "a", "completion": "b"}, {"prompt": "a"}], "sft.jsonl:2, field `completion`"),
        ([{"prompt": "a", "completion": "b"}, {"prompt": [{"role": "user", "content": "a"}], "completion": "b"}],
         "text in some rows and messages in others"),
        ([{"messages": [{"role": "user"}]}], "field `messages`"),
        ([], "holds no row"),
    ],
)  # fmt: skip
def test_a_set_of_another_form_is_refused_with_its_line(folder: Path, rows: list[dict[str, object]], what: str) -> None:
    tiny.write_lines(folder / "sft.jsonl", rows)
    assert what in refused(folder, HEAD + TASKS + SFT)


@pytest.mark.parametrize(
    ("more", "why"),
    [
        ("updates_per_batch = 3\n", "does not divide `steps`"),
        ("[stages.sampling]\nrows_at_once = 5\n", "does not divide the 128"),
        ("updates_per_batch = 2\n[evaluation]\nsteps = [2, 3]\n", "within a batch"),
    ],
)
def test_a_batch_is_neither_left_nor_evaluated_half_way(folder: Path, more: str, why: str) -> None:
    assert why in refused(folder, HEAD + TASKS + GRPO + more)
    assert resolved(folder, HEAD + TASKS + GRPO + "updates_per_batch = 2\n[evaluation]\nsteps = [2]\n").hash


def test_a_checkpoint_is_kept_at_the_end_of_a_batch_wherever_the_stage_began(folder: Path) -> None:
    text = HEAD + "save_steps = 5\n" + TASKS + GRPO.replace("4", "20") + "updates_per_batch = 2\n"
    recipe = resolved(folder, text).recipe
    for offset, ends in ((0, [6, 10, 16, 20]), (3, [5, 11, 15, 21])):
        context = Context(recipe=recipe, stage=recipe.stages[0], number=2, seed=0, offset=offset, model=folder,
                          checkpoints=folder, recorder=Silent())  # fmt: skip
        assert [step for step in range(offset + 1, offset + 21) if context.saves_at(step)] == ends


class Silent:
    """Records nothing."""

    def record(self, step: object, groups: object = ()) -> str:
        del step, groups
        return ""
