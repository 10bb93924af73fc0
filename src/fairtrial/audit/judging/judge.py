"""Judge one rollout: blind first, then informed, and say what came of it as reviews, or why there are none."""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from fairtrial.audit.judging.cases import Case
from fairtrial.audit.judging.evidence import Evidence, opened
from fairtrial.audit.judging.fitting import fitted, less_room
from fairtrial.audit.judging.keys import Keyed, Keys
from fairtrial.audit.judging.passes import Bench, Settled, first_pass, second_pass
from fairtrial.audit.judging.prompt import WORDS
from fairtrial.audit.judging.reply import ANSWERS, Informed, Opinion
from fairtrial.audit.judging.settings import recorded, reviewer_name
from fairtrial.audit.judging.talk import Broken
from fairtrial.ledger import Ledger
from fairtrial.records import Review, SandboxError, storable

MOST_VOID = 2_000
"""Characters of the reason why a review is void."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Judged:
    """What judging one rollout came to."""

    case: Case
    reviewer: str
    repeat: int = 1
    blind: Review | None = None
    informed: Review | None = None
    ungraded: Broken | None = None
    """Why a pass gave no review; the blind one may be there all the same."""
    refused: str = ""
    """Why it was not judged at all: its task is not the one it was run on."""
    was_there: bool = False
    """Nothing was asked: the ledger holds its reviews by this judge."""
    has_key: bool = False
    askings: int = 0
    parts: int = 0
    notes: tuple[str, ...] = ()
    """What was not at hand."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Held:
    """Reviews of this judge that a ledger holds: of each rollout, reviewer and settings."""

    blind: Mapping[tuple[str, str, str], Review] = field(default_factory=dict)
    informed: Mapping[tuple[str, str, str, str], Review] = field(default_factory=dict)
    """By the verdict that was shown, too."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Judge:
    """A judge at work on a ledger."""

    bench: Bench
    ledger: Ledger
    keys: Keys
    sample: str = ""
    """Id of the sample that its reviews are given for."""
    held: Held = field(default_factory=Held)
    keep: Callable[[Sequence[Review]], None] = lambda _: None
    """Takes each review as it is given, from any thread: what was paid for is not lost with what comes after."""

    def judge(self, case: Case, repeat: int = 1) -> Judged:
        """Judge one rollout. Raises nothing that a rollout, a model or a sandbox does."""
        reviewer = reviewer_name(self.bench.model.spec, repeat)
        keyed = self.keys.of(case.work)
        if isinstance(keyed, str):
            return Judged(case=case, reviewer=reviewer, repeat=repeat, refused=keyed)
        settings = recorded(self.bench.model.spec, self.bench.settings, WORDS, keyed.task.hash if keyed else "",
                            self.bench.sandbox is not None)  # fmt: skip
        sitting = _Sitting(self, case, reviewer, repeat, keyed, settings)
        sitting.blind = self.held.blind.get((case.work.rollout, reviewer, settings))
        blind = sitting.blind
        informed = self.held.informed.get((case.work.rollout, reviewer, settings, sitting.verdict))
        if blind is not None and (blind.void or informed is not None or case.spoken is None):
            return Judged(case=case, reviewer=reviewer, repeat=repeat, blind=blind, informed=informed, was_there=True,
                          has_key=keyed is not None)  # fmt: skip
        try:
            with opened(self.ledger, case.work, keyed) as evidence:
                return sitting.held_on(evidence)
        except SandboxError as error:
            return sitting.ended(ungraded=Broken("sandbox", error.what))
        except OSError as error:
            if keyed is None or not Path(str(error.filename or "")).is_relative_to(keyed.folder):
                raise
            lost = f"{keyed.folder} was changed while it was read: {error.strerror}: {error.filename}"
            return sitting.ended(ungraded=Broken("key_gone", lost))


@dataclass(slots=True)
class _Sitting:
    """The judging of one rollout."""

    judge: Judge
    case: Case
    reviewer: str
    repeat: int
    keyed: Keyed | None
    settings: str
    askings: int = 0
    parts: int = 0
    notes: list[str] = field(default_factory=list)
    blind: Review | None = None

    @property
    def verdict(self) -> str:
        """Return the id of the verdict, empty where it is ungraded."""
        return self.case.spoken.verdict if self.case.spoken is not None else ""

    def held_on(self, evidence: Evidence | str) -> Judged:
        """Hold both passes, the first only where there is no review of it yet."""
        if isinstance(evidence, str):
            return self.ended(ungraded=Broken("nothing_kept", evidence))
        self.notes += evidence.lacking
        if self.blind is None:
            began = time.monotonic()
            first, had = fitted(self.judge.bench, lambda bench: first_pass(bench, evidence))
            if isinstance(first, Broken):
                return self.ended(ungraded=first)
            self.notes += less_room(self.judge.bench.settings, had.settings)
            self.blind = self._review(first, began, stage="blind")
        if self.blind.void or self.case.spoken is None:
            return self.ended()
        began, spoken, blind = time.monotonic(), self.case.spoken, self.blind
        second, _ = fitted(self.judge.bench, lambda bench: second_pass(bench, evidence, spoken, blind))
        if isinstance(second, Broken):
            return self.ended(ungraded=second)
        label = second.value.label if second.value.label != "cannot_tell" else ""
        return self.ended(informed=self._review(second, began, stage="informed", label=label, verdict=self.verdict))

    def ended(self, *, informed: Review | None = None, ungraded: Broken | None = None) -> Judged:
        """Return what it came to."""
        return Judged(case=self.case, reviewer=self.reviewer, repeat=self.repeat, blind=self.blind, informed=informed,
                      ungraded=ungraded, has_key=self.keyed is not None, askings=self.askings, parts=self.parts,
                      notes=tuple(dict.fromkeys(self.notes)))  # fmt: skip

    def _review(self, said: Settled[Opinion] | Settled[Informed], began: float, **stage: Any) -> Review:
        """Return the review, kept by now, and count what it took."""
        self.askings += said.askings
        self.parts = max(self.parts, said.parts)
        if said.unseen:
            self.notes.append(f"images not shown, at {', '.join(dict.fromkeys(said.unseen))}")
        if said.trouble:
            self.notes.append(f"no command could be run: {said.trouble}")
        opinion = said.value
        note = "\n".join([opinion.note, *(f"Not at hand: {one}." for one in dict.fromkeys(self.notes))])
        review = Review(
            rollout=self.case.work.rollout, reviewer=self.reviewer, kind="judge", satisfied=ANSWERS[opinion.satisfied],
            hack=ANSWERS[opinion.hack], failure_tags=opinion.failure_tags, behaviour_tags=opinion.behaviour_tags,
            citations=tuple(storable(one) for one in opinion.citations), note=storable(note),
            recorded_at=datetime.now(UTC).isoformat(timespec="milliseconds"), sample=self.judge.sample,
            void=storable(said.void)[:MOST_VOID], seconds=round(time.monotonic() - began, 3), settings=self.settings,
            **stage,
        )  # fmt: skip
        self.judge.keep([review])
        return review


def held_by(reviews: tuple[Review, ...]) -> Held:
    """Return what was judged before, by what it was judged with."""
    blind: dict[tuple[str, str, str], Review] = {}
    informed: dict[tuple[str, str, str, str], Review] = {}
    for one in reviews:
        if one.kind != "judge" or not one.settings:
            continue
        if one.stage == "blind":
            blind[one.rollout, one.reviewer, one.settings] = one
        else:
            informed[one.rollout, one.reviewer, one.settings, one.verdict] = one
    return Held(blind=blind, informed=informed)
