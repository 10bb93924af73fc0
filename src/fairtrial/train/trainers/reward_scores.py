"""Lend the scores of a reward model: of prompt and completion as one text, which ends where the completion did.

It was trained on texts that end. One that was cut off is scored up to there.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import torch

from fairtrial.tasks.text import Message
from fairtrial.train.rewards.scored import Answered, Score
from fairtrial.train.trainers.loading import load_scorer, load_tokenizer

ROWS = 64


def scores_of(folder: Path, *, cuda: bool) -> Score:
    """Return what scores by the reward model in `folder`. Raise InputError where it cannot be loaded."""
    tokenizer = load_tokenizer(folder)
    model = load_scorer(folder).eval()
    model.config.pad_token_id = tokenizer.pad_token_id
    if cuda:
        model.to("cuda")

    def score(answered: Sequence[Answered]) -> list[float]:
        texts = [tokens_of(tokenizer, one) for one in answered]
        found: list[float] = []
        for start in range(0, len(texts), ROWS):
            rows = tokenizer.pad({"input_ids": texts[start : start + ROWS]}, return_tensors="pt").to(model.device)
            with torch.inference_mode():
                found += model(**rows).logits[:, 0].float().tolist()
        return found

    return score


def tokens_of(tokenizer: Any, answered: Answered) -> list[int]:
    """Return prompt and completion as the tokens that are scored."""
    prompt = answered.prompt
    if answered.is_told and tokenizer.chat_template and isinstance(prompt, str):
        prompt = (Message("user", prompt),)
    if isinstance(prompt, str):
        text = f"{prompt}{answered.completion}{tokenizer.eos_token if answered.finished else ''}"
        return list(tokenizer(text)["input_ids"])
    said = [*prompt, Message("assistant", answered.completion)]
    messages = [{"role": message.role, "content": message.content} for message in said]
    text = tokenizer.apply_chat_template(messages, tokenize=False, continue_final_message=not answered.finished)
    return list(tokenizer(text, add_special_tokens=False)["input_ids"])  # the template has written them
