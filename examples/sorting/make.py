"""Write the sort/reverse family: tasks, demonstrations and an untrained model for each seed, all from the seeds alone.

    python make.py OUT [--seeds 0 1 2] [--digits 4]

A task asks to sort or to reverse a string of digits; the answer is known, and one exact match decides. The model is a
Llama of 0.1 million parameters with a tokenizer of single characters. What is held out is never a demonstration and
never trained on.
"""

from __future__ import annotations

import argparse
import json
import random
from pathlib import Path

FAMILIES = ("sort", "rev")
CHARACTERS = "0123456789= abcdefghijklmnopqrstuvwxyz"
PAD, BEGIN, END = "<pad>", "<begin>", "<end>"
HELD_OUT, TRAINED, BASE_DEMONSTRATIONS, DEMONSTRATIONS = 60, 1200, 300, 300
_SEED = 20240
"""Of the tasks, which are the same for every training seed."""


def main() -> None:
    """Write everything below the folder that is named."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("out", type=Path)
    parser.add_argument("--seeds", type=int, nargs="+", default=[0, 1, 2])
    parser.add_argument("--digits", type=int, default=4)
    given = parser.parse_args()
    write_tasks(given.out, given.digits)
    for seed in given.seeds:
        write_model(given.out / f"untrained-{seed}", seed)


def answer(family: str, digits: str) -> str:
    """Return what is right.

    >>> answer("sort", "4193"), answer("rev", "4193")
    ('1349', '3914')
    """
    return "".join(sorted(digits)) if family == "sort" else digits[::-1]


def write_tasks(out: Path, digits: int) -> None:
    """Write tasks and demonstrations: no string of digits is in two of the four files."""
    drawn = random.Random(_SEED)
    numbers = [f"{number:0{digits}d}" for number in drawn.sample(range(10**digits), 10**4)]
    cuts, files = 0, {}
    for name, count in (("held_out", HELD_OUT), ("train", TRAINED), ("base", BASE_DEMONSTRATIONS),
                        ("sft", DEMONSTRATIONS)):  # fmt: skip
        files[name] = [(FAMILIES[i % 2], number) for i, number in enumerate(numbers[cuts : cuts + count])]
        cuts += count
    for name in ("held_out", "train"):
        _write(out / "tasks" / f"{name}.jsonl", [task(family, number) for family, number in files[name]])
    for name in ("base", "sft"):
        _write(out / "sets" / f"{name}.jsonl", [demonstration(family, number) for family, number in files[name]])


def task(family: str, number: str) -> dict[str, str]:
    """Return a text task as fairtrial reads it."""
    return {"name": f"{family}-{number}", "prompt": f"{family} {number}=", "answer": answer(family, number),
            "kind": "exact", "family": family}  # fmt: skip


def demonstration(family: str, number: str) -> dict[str, str]:
    """Return a row of a training set as TRL takes it."""
    return {"prompt": f"{family} {number}=", "completion": answer(family, number)}


def _write(path: Path, rows: list[dict[str, str]]) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")


def write_model(folder: Path, seed: int) -> None:
    """Write an untrained Llama and its tokenizer."""
    import torch
    from tokenizers import Regex, Tokenizer, decoders, models, pre_tokenizers
    from transformers import LlamaConfig, LlamaForCausalLM, PreTrainedTokenizerFast
    from transformers.utils.logging import disable_progress_bar

    disable_progress_bar()
    vocabulary = {token: i for i, token in enumerate((PAD, BEGIN, END, *CHARACTERS))}
    words = Tokenizer(models.WordLevel(vocabulary, unk_token=PAD))
    words.pre_tokenizer = pre_tokenizers.Split(Regex("."), "isolated")
    words.decoder = decoders.Fuse()  # without it, decoding puts a blank between any two characters
    tokenizer = PreTrainedTokenizerFast(tokenizer_object=words, pad_token=PAD, bos_token=BEGIN, eos_token=END,
                                        unk_token=PAD, padding_side="left", clean_up_tokenization_spaces=False)  # fmt: skip
    torch.manual_seed(seed)
    model = LlamaForCausalLM(
        LlamaConfig(
            vocab_size=len(vocabulary), hidden_size=64, intermediate_size=192, num_hidden_layers=2,
            num_attention_heads=4, max_position_embeddings=64, tie_word_embeddings=True,
            pad_token_id=vocabulary[PAD], bos_token_id=vocabulary[BEGIN], eos_token_id=vocabulary[END],
        )
    )  # fmt: skip
    tokenizer.save_pretrained(folder)
    model.save_pretrained(folder)


if __name__ == "__main__":
    main()
