"""A tiny Llama with a character tokenizer, and sets and tasks for it: what tests of training train."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

CHARACTERS = "0123456789= abcdefghijklmnopqrstuvwxyz"
NUMBERS = ("4193", "8052", "1234", "9876", "5501", "6620", "7118", "3349", "2087", "9410", "1753", "6064")
HELD_OUT = ("5310", "7742", "0918", "4466")


def write_model(folder: Path, seed: int = 0, hidden: int = 32) -> Path:
    """Write an untrained model and its tokenizer; the same seed gives the same bytes."""
    import torch
    from tokenizers import Regex, Tokenizer, decoders, models, pre_tokenizers
    from transformers import LlamaConfig, LlamaForCausalLM, PreTrainedTokenizerFast
    from transformers.utils import logging

    logging.disable_progress_bar()
    tokens = ("<pad>", "<begin>", "<end>", *CHARACTERS)
    words = Tokenizer(models.WordLevel({token: i for i, token in enumerate(tokens)}, unk_token="<pad>"))
    words.pre_tokenizer = pre_tokenizers.Split(Regex("."), "isolated")
    words.decoder = decoders.Fuse()
    tokenizer = PreTrainedTokenizerFast(tokenizer_object=words, pad_token="<pad>", eos_token="<end>",
                                        clean_up_tokenization_spaces=False)  # fmt: skip
    torch.manual_seed(seed)
    model = LlamaForCausalLM(LlamaConfig(
        vocab_size=len(tokens), hidden_size=hidden, intermediate_size=2 * hidden, num_hidden_layers=2,
        num_attention_heads=2, max_position_embeddings=64, tie_word_embeddings=True, pad_token_id=0, bos_token_id=1,
        eos_token_id=2,
    ))  # fmt: skip
    tokenizer.save_pretrained(folder)
    model.save_pretrained(folder)
    return folder


def demonstration(number: str) -> dict[str, str]:
    """Return a row for sft."""
    return {"prompt": f"sort {number}=", "completion": "".join(sorted(number))}


def pair(number: str) -> dict[str, str]:
    """Return a row for dpo and reward models."""
    return {"prompt": f"sort {number}=", "chosen": "".join(sorted(number)), "rejected": number[::-1]}


def text_task(number: str, **more: str) -> dict[str, str]:
    """Return a text task."""
    task = {"name": f"sort-{number}", "prompt": f"sort {number}=", "answer": "".join(sorted(number)), "family": "sort"}
    return task | more


def write_lines(path: Path, rows: list[dict[str, Any]]) -> Path:
    """Write rows as JSON lines."""
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")
    return path


def write_files(folder: Path) -> None:
    """Write sets and tasks beside which a recipe may lie."""
    write_lines(folder / "sft.jsonl", [demonstration(number) for number in NUMBERS])
    write_lines(folder / "pairs.jsonl", [pair(number) for number in NUMBERS])
    write_lines(folder / "train.jsonl", [text_task(number) for number in NUMBERS])
    write_lines(folder / "held_out.jsonl", [text_task(number) for number in HELD_OUT])


def fake_model(folder: Path) -> Path:
    """Write a folder that looks like a model, for tests that load none: one tensor, a configuration, a tokenizer."""
    import numpy as np
    from safetensors.numpy import save_file

    folder.mkdir(parents=True)
    save_file({"w": np.zeros((2, 2), dtype=np.float32)}, folder / "model.safetensors")
    (folder / "config.json").write_text("{}", encoding="utf-8")
    (folder / "tokenizer.json").write_text("{}", encoding="utf-8")
    return folder
