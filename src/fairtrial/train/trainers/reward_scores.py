"""Lend the scores of a reward model: of prompt and completion as one text that ends, as it was trained on."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import torch

from fairtrial.tasks.text import Message
from fairtrial.train.rewards.scored import Score
from fairtrial.train.trainers.loading import load_scorer, load_tokenizer
from fairtrial.train.trainers.sampling import Prompt

ROWS = 64


def scores_of(folder: Path, *, cuda: bool) -> Score:
    """Return what scores by the reward model in `folder`. Raise InputError where it cannot be loaded."""
    tokenizer = load_tokenizer(folder)
    model = load_scorer(folder).eval()
    model.config.pad_token_id = tokenizer.pad_token_id
    if cuda:
        model.to("cuda")

    def score(pairs: Sequence[tuple[Prompt, str]]) -> list[float]:
        texts = [text_of(tokenizer, prompt, completion) for prompt, completion in pairs]
        found: list[float] = []
        for start in range(0, len(texts), ROWS):
            rows = tokenizer(texts[start : start + ROWS], return_tensors="pt", padding=True,
                             return_token_type_ids=False).to(model.device)  # fmt: skip
            with torch.inference_mode():
                found += model(**rows).logits[:, 0].float().tolist()
        return found

    return score


def text_of(tokenizer: Any, prompt: Prompt, completion: str) -> str:
    """Return prompt and completion as the text that is scored."""
    if isinstance(prompt, str):
        return f"{prompt}{completion}{tokenizer.eos_token}"
    said = [*prompt, Message("assistant", completion)]
    messages = [{"role": message.role, "content": message.content} for message in said]
    return str(tokenizer.apply_chat_template(messages, tokenize=False))
