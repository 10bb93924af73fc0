"""What is trained learns what its rows say, and nothing else: preferences, scores, an adapter, turns of a chat."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from fairtrial.records import InputError
from fairtrial.tasks.text import Message
from fairtrial.train.recipe import Stage
from train import tiny
from train.running.forks import begin, forked, load, said

pytestmark = [
    pytest.mark.extra,
    pytest.mark.filterwarnings("ignore:.*gradient_checkpointing.*:FutureWarning"),  # the older name of a setting
]

RECIPE = """
name = "m"
base = "base"
save_steps = 100
[[stages]]
method = "dpo"
data = "pairs.jsonl"
steps = 25
batch_size = 12
learning_rate = 1e-2
[[stages]]
method = "reward_model"
data = "pairs.jsonl"
steps = 40
batch_size = 12
learning_rate = 1e-2
[[stages]]
method = "sft"
data = "sft.jsonl"
steps = 2
lora_rank = 4
learning_rate = 1e-1
"""
CHAT = ("<begin>{% for m in messages %}{{ m.role[0] }} {{ m.content }}<end>{% endfor %}"
        "{% if add_generation_prompt %}a {% endif %}")  # fmt: skip


def _preferred(score: Any) -> float:
    """Return the share of the pairs in which the chosen answer has the higher score."""
    pairs = [pair for pair in map(tiny.pair, tiny.NUMBERS) if pair["chosen"] != pair["rejected"]]
    won = [score(pair["prompt"], pair["chosen"]) > score(pair["prompt"], pair["rejected"]) for pair in pairs]
    return sum(won) / len(won)


def _by_policy(folder: Path) -> float:
    import torch

    from fairtrial.train.trainers.loading import load_policy, load_tokenizer

    model, tokenizer = load_policy(folder).eval(), load_tokenizer(folder)

    def score(prompt: str, answer: str) -> float:
        tokens, start = tokenizer(prompt + answer + "<end>")["input_ids"], len(tokenizer(prompt)["input_ids"])
        with torch.inference_mode():
            logs = model(torch.tensor([tokens])).logits[0].log_softmax(-1)
        return sum(float(logs[at - 1, tokens[at]]) for at in range(start, len(tokens)))

    return _preferred(score)


def _by_scorer(folder: Path) -> float:
    from fairtrial.train.rewards.scored import Answered
    from fairtrial.train.trainers.reward_scores import scores_of

    scores = scores_of(folder, cuda=False)
    return _preferred(lambda prompt, answer: scores([Answered(prompt=prompt, completion=answer, finished=True)])[0])


def test_preferences_and_scores_are_learned_and_an_adapter_is_merged_as_it_acts(tmp_path: Path) -> None:
    pytest.importorskip("trl")
    load("dpo", "reward_model", "sft")
    import torch
    from peft import PeftModel

    from fairtrial.train.trainers.loading import load_policy

    tiny.write_model(tmp_path / "base")
    run = begin(tmp_path, RECIPE)
    assert forked(run, base_by=[]) == 0, said(run)
    preferred, scored, adapted = (run.seed(0).checkpoints / f"step-{step}" for step in (25, 65, 67))
    assert _by_policy(tmp_path / "base") < 0.8
    assert _by_policy(preferred) == 1.0
    assert _by_scorer(scored) == 1.0
    tokens = torch.randint(3, 39, (4, 12), generator=torch.Generator().manual_seed(0))
    adapter = PeftModel.from_pretrained(load_policy(preferred), str(adapted / "state")).eval()
    with torch.inference_mode():
        merged, apart, before = (model(tokens).logits for model in
                                 (load_policy(adapted).eval(), adapter, load_policy(preferred).eval()))  # fmt: skip
    assert torch.allclose(merged, apart, atol=1e-3)
    assert not torch.allclose(merged, before, atol=1e-1)


def _chatting(folder: Path) -> Path:
    """Write a model that knows chats and whose tokenizer begins each text, as many do."""
    from tokenizers.processors import TemplateProcessing

    from fairtrial.train.trainers.loading import load_tokenizer

    tokenizer = load_tokenizer(tiny.write_model(folder))
    tokenizer.chat_template = CHAT
    tokenizer.add_special_tokens({"bos_token": "<begin>"})
    tokenizer.backend_tokenizer.post_processor = TemplateProcessing(
        single="<begin> $A", special_tokens=[("<begin>", 1)]
    )
    tokenizer.save_pretrained(folder)
    return folder


def test_only_the_turns_of_the_assistant_are_trained_on(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    pytest.importorskip("trl")
    from trl import SFTConfig, SFTTrainer

    from fairtrial.train.recipe.rows import read_rows
    from fairtrial.train.trainers.loading import load_policy, load_tokenizer
    from fairtrial.train.trainers.training import dataset_of

    monkeypatch.chdir(tmp_path)
    folder = _chatting(tmp_path / "base")
    turns = [("user", "ask"), ("assistant", "one"), ("user", "more"), ("assistant", "two")]
    chat = {"messages": [{"role": role, "content": content} for role, content in turns]}
    rows = read_rows(tiny.write_lines(tmp_path / "chats.jsonl", [chat]), "sft")
    tokenizer = load_tokenizer(folder)
    args = SFTConfig(output_dir=str(tmp_path / "out"), completion_only_loss=True, use_cpu=True, report_to="none",
                     bf16=False, disable_tqdm=True, eos_token="<end>")  # fmt: skip
    trainer = SFTTrainer(model=load_policy(folder), args=args, train_dataset=dataset_of(rows),
                         processing_class=tokenizer)  # fmt: skip
    batch = trainer.data_collator([trainer.train_dataset[at] for at in range(2)])
    learned = [tokenizer.decode(labels[labels != -100]) for labels in batch["labels"]]
    read = [tokenizer.decode(tokens[mask.bool()])
            for tokens, mask in zip(batch["input_ids"], batch["attention_mask"], strict=True)]  # fmt: skip
    assert learned == ["one<end>", "two<end>"]
    assert read == ["<begin>u ask<end>a one<end>", "<begin>u ask<end>a one<end>u more<end>a two<end>"]


def test_a_chat_is_asked_as_its_template_writes_it(tmp_path: Path) -> None:
    pytest.importorskip("torch")
    from fairtrial.train.trainers.sampling import SampledModel

    model = SampledModel.load(_chatting(tmp_path / "base"), cuda=False)
    assert model.tokenizer.decode(model.tokens((Message("user", "ask"),))) == "<begin>u ask<end>a "
    assert model.tokenizer.decode(model.tokens("ask")) == "<begin>ask"
    chat, text = model.complete([(Message("user", "ask"),), "ask"], seed=0, temperature=1.0, max_new_tokens=2)
    assert (chat.input_tokens, text.input_tokens) == (9, 4)


def test_no_temperature_is_too_low_to_draw_at(tmp_path: Path) -> None:
    pytest.importorskip("torch")
    from fairtrial.train.trainers.sampling import SampledModel

    model = SampledModel.load(tiny.write_model(tmp_path / "base"), cuda=False)
    likeliest, low = (model.complete(["sort 4193="] * 3, seed=1, temperature=temperature, max_new_tokens=4)
                      for temperature in (0.0, 5e-324))  # fmt: skip
    assert low == likeliest


@pytest.mark.parametrize(("share", "steps"), [(0.0, 0), (0.25, 10), (1.0, 40)])
def test_a_share_of_warm_up_is_that_share_of_the_steps(share: float, steps: int, tmp_path: Path) -> None:
    pytest.importorskip("trl")
    from transformers import TrainingArguments

    from fairtrial.train.recipe import Recipe
    from fairtrial.train.trainers.protocol import Context
    from fairtrial.train.trainers.settings import shared_arguments
    from train.trainers.test_stages import NullRecorder

    stage = Stage(method="sft", data="d", steps=40, warmup_share=share)
    context = Context(recipe=Recipe(name="m", base="b", device="cpu"), stage=stage, number=1, seed=0, offset=0,
                      model=tmp_path, checkpoints=tmp_path / "checkpoints", recorder=NullRecorder())  # fmt: skip
    assert TrainingArguments(**shared_arguments(context)).get_warmup_steps(40) == steps


def test_rows_that_do_not_fit_are_said_and_a_set_of_none_is_refused() -> None:
    pytest.importorskip("trl")
    from fairtrial.train.trainers.training import refuse_unfit

    with pytest.raises(InputError, match="no row that fits"):
        refuse_unfit(Stage(method="sft", data="d"), 1, rows=3, left=0)
    assert refuse_unfit(Stage(method="sft", data="d"), 1, rows=3, left=1) == (
        "2 of 3 rows do not fit in `max_length` and are left out",
    )
    assert refuse_unfit(Stage(method="sft", data="d"), 1, rows=3, left=3) == ()
