"""Sample a model from a folder: a policy whose completions depend on prompt and seed, not on who shares the batch.

Each row draws from a generator of its own (inverse of the cumulative distribution at one uniform number a token), so
that a task's completion is the same whichever tasks are sampled beside it, but for the last bits that padding moves.
At temperature 0 the likeliest token is taken. Prompts are padded on the left.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
import torch
from transformers import GenerationConfig, LogitsProcessor, LogitsProcessorList

from fairtrial.records import InputError
from fairtrial.run.seeds import attempt_seed
from fairtrial.tasks.text import Message
from fairtrial.train.policy import Completion
from fairtrial.train.trainers.loading import load_policy, load_tokenizer

Prompt = str | tuple[Message, ...]


class SampledModel:
    """A causal language model and its tokenizer, sampled in batches."""

    def __init__(self, model: Any, tokenizer: Any, *, batch_size: int = 256) -> None:
        self.model, self.tokenizer, self.batch_size = model, tokenizer, batch_size

    @classmethod
    def load(
        cls, folder: Path, *, cuda: bool, dtype: torch.dtype = torch.float32, batch_size: int = 256
    ) -> SampledModel:
        """Load the model in `folder`, onto the GPU where `cuda`. Raise InputError where it cannot be loaded."""
        model = load_policy(folder, dtype).eval()
        return cls(model.to("cuda") if cuda else model, load_tokenizer(folder, side="left"), batch_size=batch_size)

    def complete(
        self, prompts: Sequence[Prompt], *, seed: int, temperature: float, max_new_tokens: int
    ) -> list[Completion]:
        """Return one completion a prompt, in order; row n draws from a seed made of `seed` and n."""
        seeds = [attempt_seed(seed, "", number) for number in range(len(prompts))]
        return self.complete_each(prompts, seeds, temperature=temperature, max_new_tokens=max_new_tokens)

    def complete_each(
        self, prompts: Sequence[Prompt], seeds: Sequence[int], *, temperature: float, max_new_tokens: int
    ) -> list[Completion]:
        """Return one completion a prompt, in order, each drawn from its own seed."""
        completions: list[Completion] = []
        for start in range(0, len(prompts), self.batch_size):
            end = start + self.batch_size
            completions += self._batch(prompts[start:end], seeds[start:end], temperature, max_new_tokens)
        return completions

    def _batch(
        self, prompts: Sequence[Prompt], seeds: Sequence[int], temperature: float, max_new_tokens: int
    ) -> list[Completion]:
        inputs = self.tokenizer.pad({"input_ids": [self.tokens(prompt) for prompt in prompts]},
                                    return_tensors="pt").to(self.model.device)  # fmt: skip
        width = inputs["input_ids"].shape[1]
        drawn = [_Draw(seeds, temperature, max_new_tokens, width)] if temperature > 0 else []
        ends = self._ends()
        config = GenerationConfig(do_sample=False, max_new_tokens=max_new_tokens, eos_token_id=sorted(ends),
                                  pad_token_id=self.tokenizer.pad_token_id)  # fmt: skip
        with torch.inference_mode():
            output = self.model.generate(**inputs, generation_config=config,
                                         logits_processor=LogitsProcessorList(drawn))  # fmt: skip
        rows = output[:, width:].tolist()
        read = inputs["attention_mask"].sum(1).tolist()
        return [self._completion(row, count, ends) for row, count in zip(rows, read, strict=True)]

    def _completion(self, tokens: list[int], read: int, ends: frozenset[int]) -> Completion:
        length = next((n + 1 for n, token in enumerate(tokens) if token in ends), len(tokens))
        text = self.tokenizer.decode(tokens[:length], skip_special_tokens=True)
        finished = bool(length) and tokens[length - 1] in ends
        return Completion(text=text, tokens=length, finished=finished, input_tokens=read)

    def _ends(self) -> frozenset[int]:
        """Return the tokens that end a completion: the tokenizer's, and those that the model's settings name."""
        named = self.model.generation_config.eos_token_id
        more = named if isinstance(named, list) else [] if named is None else [named]
        return frozenset((self.tokenizer.eos_token_id, *more))

    def chat(self, text: str) -> Prompt:
        """Return `text` as a user's message where the model knows chats, else as it is."""
        return (Message("user", text),) if self.tokenizer.chat_template else text

    def tokens(self, prompt: Prompt) -> list[int]:
        """Return a prompt as the model reads it. Raise InputError for messages where it has no chat template."""
        if isinstance(prompt, str):
            return list(self.tokenizer(prompt)["input_ids"])
        if not self.tokenizer.chat_template:
            raise InputError("a task's prompt is messages, and the model has no chat template",
                             hint="Write the prompts as text, or start from a chat model.")  # fmt: skip
        said = [{"role": message.role, "content": message.content} for message in prompt]
        text = self.tokenizer.apply_chat_template(said, tokenize=False, add_generation_prompt=True)
        return list(self.tokenizer(text, add_special_tokens=False)["input_ids"])  # the template has written them


class _Draw(LogitsProcessor):  # type: ignore[misc]  # transformers' types are not read
    """Leaves to each row the one token that its own generator draws."""

    def __init__(self, seeds: Sequence[int], temperature: float, most: int, width: int) -> None:
        self._uniform = torch.from_numpy(np.stack([np.random.default_rng(seed).random(most) for seed in seeds]))
        self._temperature, self._width = temperature, width

    def __call__(self, input_ids: Any, scores: Any) -> Any:
        below = scores.double() - scores.double().amax(-1, keepdim=True)  # so that no temperature makes it overflow
        chances = torch.softmax(below / self._temperature, dim=-1).cumsum(-1)
        at = self._uniform[:, input_ids.shape[1] - self._width].to(scores.device)
        # the last sum may be just below 1: what lies above it takes the last token that has any chance
        chosen = torch.searchsorted(chances, (at * chances[:, -1]).unsqueeze(1), right=True)
        only = torch.full_like(scores, float("-inf"))
        return only.scatter_(1, chosen.clamp_(max=scores.shape[1] - 1), 0.0)
