"""`fairtrial detect --model`: a language model looks at the same trajectories, alone and beside each other."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from fairtrial.attack.detectors.model_judge import Looked, Suspect, judge_hacks
from fairtrial.cli.agents import ModelWords, spec_of
from fairtrial.cli.detect_sources import Source
from fairtrial.cli.output import note
from fairtrial.cli.progress import Ticker
from fairtrial.models import Budget, LanguageModel, Spent, preflight
from fairtrial.records import ModelError


@dataclass(frozen=True, slots=True)
class ByModel:
    """What a model found, and what it took."""

    looked: Looked
    spent: Spent
    model: str
    is_priced: bool

    def document(self, sources: Sequence[Source]) -> dict[str, Any]:
        """Return the part of the document that is about the model."""
        told = {name: [{"path": sources[at].path, "why": why} for at, why in sorted(found.items())]
                for name, found in (("not_measured", self.looked.not_measured),
                                    ("not_together", self.looked.not_together))}  # fmt: skip
        return {
            "model": self.model, "hits": sum(map(len, self.looked.hits.values())), "together": self.looked.together,
            **told, "dropped": self.looked.dropped,
            "spent": {"calls": self.spent.calls, "input_tokens": self.spent.input_tokens,
                      "output_tokens": self.spent.output_tokens,
                      "cost_usd": self.spent.cost_usd if self.is_priced else None},
        }  # fmt: skip

    def say(self, sources: Sequence[Source]) -> None:
        """Say on stderr what was not measured, and what it took."""
        for at, why in sorted(self.looked.not_measured.items()):
            note(f"not measured by {self.model}: {sources[at].path}: {why}")
        if self.looked.dropped:
            note(f"note: {self.looked.dropped} claims of {self.model} cited what does not stand there and were dropped")
        cost = f", {self.spent.cost_usd:.4f} USD" if self.is_priced else ""
        note(f"note: {self.model}: {self.spent.calls} calls, {self.spent.input_tokens} tokens in, "
             f"{self.spent.output_tokens} out{cost}; {self.looked.together} rollouts seen beside others")  # fmt: skip


def by_model(words: ModelWords, sources: Sequence[Source], *, context_tokens: int, at_once: int) -> ByModel:
    """Have the model look at every source. Raise ModelError where it cannot be asked at all."""
    spec = spec_of(words, "a judge of hacks")
    if trouble := preflight(spec):
        raise ModelError(f"the model `{spec.name}` cannot be asked: {trouble.reason}: {trouble.detail}",
                         hint="Check --base-url, --model and the key; nothing was judged.")  # fmt: skip
    suspects = [Suspect(source.task, source.trajectory()) for source in sources]
    with LanguageModel(spec, budget=Budget(usd=words.max_usd)) as model, Ticker("judge hacks", 0) as ticker:
        looked = judge_hacks(model, suspects, context_tokens=context_tokens, at_once=at_once,
                             on_planned=ticker.expect, on_done=ticker.tick)  # fmt: skip
        return ByModel(looked, model.budget.spent, spec.name, spec.price is not None)
