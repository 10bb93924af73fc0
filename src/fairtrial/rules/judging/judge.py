"""Let a model judge one rule once: shown the evidence as data, it rules and cites, and its citations are checked.

A reply that cannot be read, or whose citations do not stand, may be mended once; then it is no vote, or `unclear`. What
the model fails to say (it refused, its reply was cut, its server is gone) is no vote either, and is counted.
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime
from typing import Any

from fairtrial.audit.judging.passes import Settled, settled
from fairtrial.audit.judging.settings import JudgeSettings, reviewer_name
from fairtrial.audit.judging.talk import Broken, Talk
from fairtrial.grade.judges.telling import nonce_for, shown
from fairtrial.ledger import Ledger
from fairtrial.models import Budget, LanguageModel, ModelSpec, Outcome, Patience, Request, Usage
from fairtrial.models import Said as Message
from fairtrial.records import Rule, Ruling, canonical_json, digest, storable
from fairtrial.rules.judging.evidence import Evidence
from fairtrial.rules.judging.reply import Said, wrong_with
from fairtrial.rules.prompts import judge_instructions, words_of
from fairtrial.rules.rulings import settings_of
from fairtrial.rules.schema import BenchmarkRules

MOST_REASON = 4_000


@dataclass(frozen=True, slots=True, kw_only=True)
class Run:
    """What one run came to."""

    rule: Rule
    number: int
    ruling: Ruling | None = None
    broken: Broken | None = None
    """Why there is no vote."""
    was_there: bool = False
    """Nothing was asked: the ledger holds this run."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Judging:
    """The judging of one submission."""

    rules: BenchmarkRules
    submission: str
    suite: str = ""
    spec: ModelSpec
    settings: JudgeSettings
    budget: Budget
    ledger: Ledger
    held: Sequence[Ruling] = ()
    """Rulings that the ledger held before."""
    keep: Callable[[Ruling], None] = lambda _: None
    """Takes each ruling as it is given."""
    stop: threading.Event = field(default_factory=threading.Event)
    patience: Patience | None = None
    asked: list[LanguageModel] = field(default_factory=list)
    """Models that are being asked."""

    def stop_all(self) -> None:
        """Ask nothing more; replies under way are waited for."""
        self.stop.set()
        for model in list(self.asked):
            model.stop()

    def run(self, evidence: Evidence, number: int) -> Run:
        """Judge once. Raises nothing that a model or its server does."""
        address = self.ledger.put_blob(evidence.json())
        before = self.kept_run(evidence, number)
        if before is not None:
            return Run(rule=evidence.rule, number=number, ruling=before, was_there=True)
        judge = self.judge_of(evidence.rule)
        seed = self.rules.toml.judges.seed + number
        with _Counting(replace(self.spec, seed=seed), budget=self.budget, patience=self.patience) as model:
            self.asked.append(model)
            said = self._said(model, evidence)
            used = model.used
        if isinstance(said, Broken):
            return Run(rule=evidence.rule, number=number, broken=said)
        told = {"judge": judge, "seed": seed, "screenings": evidence.screenings, "askings": said.askings, **used}
        ruling = self._ruling(evidence, number, said, address, canonical_json(told).decode())
        self.keep(ruling)
        return Run(rule=evidence.rule, number=number, ruling=ruling)

    def kept_run(self, evidence: Evidence, number: int) -> Ruling | None:
        """Return the ruling of this run that the ledger held before."""
        address, judge = digest(evidence.json()), self.judge_of(evidence.rule)
        return next((one for one in self.held if self._is_it(one, evidence.rule, number, address, judge)), None)

    def judge_of(self, rule: Rule) -> dict[str, Any]:
        """Return what makes a judge the same judge: its model and settings, and what it is told; not where it runs."""
        asked = {name: value for name, value in self.spec.identity().items() if name not in ("url", "seed")}
        return {"model": asked, "words": words_of(rule), "context_tokens": self.settings.context_tokens}

    def _is_it(self, one: Ruling, rule: Rule, number: int, address: str, judge: Mapping[str, Any]) -> bool:
        is_run = one.kind == "judge" and one.model == self.submission and one.rule == rule and one.run == number
        is_same = one.rules == self.rules.name and one.evidence == address
        return is_run and is_same and settings_of(one).get("judge") == judge

    def _said(self, model: LanguageModel, evidence: Evidence) -> Settled[Said] | Broken:
        nonce = nonce_for(block.text for block in evidence.blocks)
        texts = evidence.texts()
        talk = Talk(model=model, instructions=judge_instructions(self.rules, evidence.rule, nonce),
                    settings=self.settings, stop=self.stop)  # fmt: skip
        return settled(talk, _message(evidence, nonce), nonce, Said, lambda said: wrong_with(said, texts))

    def _ruling(self, evidence: Evidence, number: int, said: Settled[Said], address: str, settings: str) -> Ruling:
        value, reason = said.value, said.value.reason.strip()
        ruled = value.ruled
        if said.void:
            ruled, reason = "unclear", f"a citation does not stand ({said.void}); it had said {value.ruled}: {reason}"
        elif ruled == "clean" and evidence.gaps:
            ruled = "unclear"
            reason = f"not all could be measured ({'; '.join(evidence.gaps)}); of the rest it said clean: {reason}"
        citations = tuple(dict.fromkeys(storable(one.citation.text) for one in value.citations))
        return Ruling(
            model=self.submission, rule=evidence.rule, ruled=ruled, kind="judge", by=reviewer_name(self.spec),
            reason=storable(reason)[:MOST_REASON], rules=self.rules.name, run=number, suite=self.suite,
            citations=citations, evidence=address, settings=settings,
            recorded_at=datetime.now(UTC).isoformat(),
        )  # fmt: skip


def _message(evidence: Evidence, nonce: str) -> Message:
    # The submission's name is its entrant's to choose, and so are paths: they stand in blocks alone, or nowhere.
    told = ["What checks found, and exhibits:", shown(evidence.blocks, nonce).text]
    if evidence.left_out:
        told.append(f"{evidence.left_out} more exhibits are not shown: there is no room for them.")
    if evidence.gaps:
        told.append(
            f"{len(evidence.gaps)} things could not be measured at all, as the findings say: they are not clean."
        )
    return Message(text="\n\n".join([*told, "Rule."]))


class _Counting(LanguageModel):
    """Counts what one run took: the budget counts all of them."""

    def __init__(self, spec: ModelSpec, *, budget: Budget, patience: Patience | None) -> None:
        super().__init__(spec, budget=budget, patience=patience)
        self._usages: list[Usage] = []

    def ask(self, request: Request, *, seconds: float | None = None) -> Outcome:
        outcome = super().ask(request, seconds=seconds)
        usage = getattr(outcome, "usage", None)
        if isinstance(usage, Usage):
            self._usages.append(usage)
        return outcome

    @property
    def used(self) -> dict[str, Any]:
        """Return tokens and cost; None where the server did not say."""
        return {name: _total([getattr(one, name) for one in self._usages])
                for name in ("input_tokens", "output_tokens", "cost_usd")}  # fmt: skip


def _total(values: Sequence[float | None]) -> float | None:
    known = [value for value in values if value is not None]
    return sum(known) if len(known) == len(values) else None
