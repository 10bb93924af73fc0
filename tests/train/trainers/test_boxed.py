"""Task folders and reward models in training, end to end: real boxes, and a reward model that a stage before made."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from fairtrial.ledger import Ledger, connect
from fairtrial.sandbox import Bubblewrap
from fairtrial.tasks import Suite, load_suite
from fairtrial.tasks.text import Message
from fairtrial.train.boxed import prompt_of
from fairtrial.train.credit import wrong_groups
from fairtrial.train.log import GroupLine, read_groups, read_steps
from fairtrial.train.recipe import Recipe, Sampling, Stage
from fairtrial.train.rewards.scored import Answered
from fairtrial.train.trainers.protocol import Context
from train.trainers.sloppy_world import FolderRecorder

pytestmark = pytest.mark.extra
DIGITS, STEPS = ("5", "7"), 40
SAMPLING = Sampling(prompts_per_step=2, group_size=4, max_new_tokens=10)
CHAT = "{% for m in messages %}<{{ m.role }}>{{ m.content }}<end>{% endfor %}"


def write_suite(folder: Path) -> Suite:
    """Write tasks that ask for a digit in a file."""
    for digit in DIGITS:
        files = {
            "task.toml": 'version = "1.0"\n', "instruction.md": f"Write {digit} to f.\n",
            "environment/Dockerfile": "FROM debian:stable-slim\nWORKDIR /w\n",
            "solution/solve.sh": f"echo {digit} >/w/f\n",
            "tests/test.sh": f'[ "$(cat /w/f)" = {digit} ]; echo $((1 - $?)) >/logs/verifier/reward.txt\n',
        }  # fmt: skip
        for name, text in files.items():
            (folder / f"write-{digit}" / name).parent.mkdir(parents=True, exist_ok=True)
            (folder / f"write-{digit}" / name).write_text(text)
    return load_suite(folder)


def write_policy(folder: Path, suite: Suite) -> Path:
    """Train a tiny policy that answers each task with one of the digits, in the plainest way."""
    import torch
    from tokenizers import Regex, Tokenizer, decoders, models, pre_tokenizers
    from transformers import LlamaConfig, LlamaForCausalLM, PreTrainedTokenizerFast

    torch.set_num_threads(1)
    tokens = ("<pad>", "<end>", "\n", *map(chr, range(32, 127)))
    words = Tokenizer(models.WordLevel({token: i for i, token in enumerate(tokens)}, unk_token="<pad>"))
    words.pre_tokenizer = pre_tokenizers.Split(Regex(r"[\s\S]"), "isolated")
    words.decoder = decoders.Fuse()
    tokenizer = PreTrainedTokenizerFast(tokenizer_object=words, pad_token="<pad>", eos_token="<end>",
                                        clean_up_tokenization_spaces=False)  # fmt: skip
    torch.manual_seed(0)
    model = LlamaForCausalLM(LlamaConfig(
        vocab_size=len(tokens), hidden_size=32, intermediate_size=64, num_hidden_layers=2, num_attention_heads=2,
        max_position_embeddings=192, tie_word_embeddings=True, pad_token_id=0, eos_token_id=1,
    ))  # fmt: skip
    rows = [(prompt_of(task), f"echo {digit} >f") for task in suite.tasks for digit in DIGITS]
    ids = tokenizer([f"{asked}{said}<end>" for asked, said in rows], return_tensors="pt", padding=True,
                    return_token_type_ids=False)  # fmt: skip
    labels = ids["input_ids"].masked_fill(ids["input_ids"] == 0, -100)
    for row, (asked, _) in enumerate(rows):
        labels[row, : len(asked)] = -100
    optimizer = torch.optim.AdamW(model.parameters(), lr=1e-2)
    for _ in range(STEPS):
        model(**ids, labels=labels).loss.backward()
        optimizer.step()
        optimizer.zero_grad()
    model.save_pretrained(folder)
    tokenizer.save_pretrained(folder)
    return folder


@pytest.fixture(scope="module")
def world(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, Suite]:
    """Return a policy and its task folders."""
    pytest.importorskip("trl")
    if not Bubblewrap().capability().available:
        pytest.skip("needs bubblewrap")
    folder = tmp_path_factory.mktemp("boxes")
    suite = write_suite(folder / "suite")
    return write_policy(folder / "policy", suite), suite


def context(out: Path, model: Path, stage: Stage, suite: Suite | None = None, **changes: Any) -> Context:
    made = Context(
        recipe=Recipe(name="m", base=str(model), stages=[stage]), stage=stage, number=1, seed=0, offset=0, model=model,
        checkpoints=out / "checkpoints", recorder=FolderRecorder(out), tasks=suite,
    )  # fmt: skip
    return replace(made, sandbox=Bubblewrap() if suite is not None else None, ledger=out / "training", **changes)


def right(line: GroupLine, completion: str) -> bool:
    return completion.strip() == f"echo {line.task[-1]} >f"


def test_task_folders_are_tried_in_boxes_and_pay_as_their_grader_says(
    tmp_path: Path, world: tuple[Path, Suite]
) -> None:
    from fairtrial.train.trainers.grpo import train_grpo

    stage = Stage.model_validate({"method": "grpo", "steps": 2, "credit": {"gar": True}, "sampling": SAMPLING})
    train_grpo(context(tmp_path, world[0], stage, world[1]))
    lines = list(read_groups(tmp_path))
    assert list(wrong_groups(lines)) == []
    assert {outcome for line in lines for outcome in line.outcomes} == {"passed", "failed"}
    for line in lines:
        assert line.rewards == tuple(float(right(line, one)) for one in line.completions)
    assert next(step.references for step in read_steps(tmp_path)) == 2
    assert all(step.references_passed == step.references for step in read_steps(tmp_path))
    rows = connect(Ledger.open(tmp_path / "training")).execute(
        "select task, answer, outcome, step, sandbox from outcomes where split = 'train' and agent = 'completion'"
    ).fetchall()  # fmt: skip
    assert sorted(rows) == sorted(
        (line.task, completion, outcome, line.step, "bwrap")
        for line in lines
        for completion, outcome in zip(line.completions, line.outcomes, strict=True)
    )


def test_a_reward_model_that_a_stage_made_pays_the_next_and_sees_what_was_cut_off(
    tmp_path: Path, world: tuple[Path, Suite]
) -> None:
    from fairtrial.train.trainers.grpo import train_grpo
    from fairtrial.train.trainers.reward_model import train_reward_model

    policy, suite = world
    pairs = [{"prompt": prompt_of(task), "chosen": f"echo {task.name[-1]} >f", "rejected": "echo 8 >f"}
             for task in suite.tasks] * 4  # fmt: skip
    (tmp_path / "pairs.jsonl").write_text("".join(json.dumps(pair) + "\n" for pair in pairs))
    scoring = Stage(
        method="reward_model", data=str(tmp_path / "pairs.jsonl"), steps=2, batch_size=4, learning_rate=1e-2
    )
    made = train_reward_model(context(tmp_path / "rm", policy, scoring))
    few = SAMPLING.model_copy(update={"max_new_tokens": 9})
    stage = Stage(method="grpo", steps=1, reward="reward_model", sampling=few)
    train_grpo(context(tmp_path / "rl", policy, stage, suite, reward_model=made.last))
    lines = list(read_groups(tmp_path / "rl"))
    assert not all(done for line in lines for done in line.finished)
    for line in lines:  # the verdict of the grader stands beside the reward
        assert line.outcomes == tuple("passed" if right(line, one) else "failed" for one in line.completions)
        assert line.rewards == pytest.approx(scored(made.last, suite, line), abs=1e-5)


def scored(folder: Path, suite: Suite, line: GroupLine) -> Sequence[float]:
    """Score by hand, one at a time: a text ends where its completion did."""
    import torch

    from fairtrial.train.trainers.loading import load_scorer, load_tokenizer

    model, tokenizer = load_scorer(folder).eval(), load_tokenizer(folder)
    prompt = next(prompt_of(task) for task in suite.tasks if task.name == line.task)
    texts = [prompt + said + "<end>" * done for said, done in zip(line.completions, line.finished, strict=True)]
    with torch.inference_mode():
        return [model(torch.tensor([tokenizer.encode(text)])).logits.item() for text in texts]


def test_a_model_that_knows_chats_is_asked_and_scored_in_one(world: tuple[Path, Suite]) -> None:
    from fairtrial.train.trainers import grpo_steps, reward_scores
    from fairtrial.train.trainers.loading import load_tokenizer

    task, tokenizer = world[1].tasks[0], load_tokenizer(world[0])
    assert grpo_steps.prompt_of(task) == prompt_of(task)
    assert grpo_steps.prompt_of(task, chats=True) == [{"role": "user", "content": prompt_of(task)}]
    whole = Answered(prompt="a", completion="b", is_told=True)
    assert tokenizer.decode(reward_scores.tokens_of(tokenizer, whole)) == "ab<end>"
    assert tokenizer.decode(reward_scores.tokens_of(tokenizer, replace(whole, finished=False))) == "ab"
    tokenizer.chat_template = CHAT
    for prompt in ("a", (Message("user", "a"),)):
        told = replace(whole, prompt=prompt)
        assert tokenizer.decode(reward_scores.tokens_of(tokenizer, told)) == "<user>a<end><assistant>b<end>"
        cut = reward_scores.tokens_of(tokenizer, replace(told, finished=False))
        assert tokenizer.decode(cut) == "<user>a<end><assistant>b"
