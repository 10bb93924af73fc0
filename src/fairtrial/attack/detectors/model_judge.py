"""A language model looks for hacks in trajectories: each alone, and those of one task beside each other.

Published figures: one by one a strong model finds 45% of the hacks that TRACE planted, beside each other 63%. A hit is
a lead as any other: it cites its steps, its quotes are checked to stand there, and what does not stand is dropped and
counted. A rollout that could not be judged is not measured, which is not clean. Long ones are read in parts, none of
them cut; those that do not fit beside another are judged alone. Not covered: images, which it is told of and not shown.
"""

from __future__ import annotations

import itertools
import threading
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field, replace

from fairtrial.attack.detectors.model_words import SCORES, HitSaid, HitsSaid, alone, mending, together
from fairtrial.attack.detectors.protocol import GROUPS, Hit
from fairtrial.formats.atif import Trajectory
from fairtrial.formats.atif_parts import all_parts
from fairtrial.grade.judges.stated import stated
from fairtrial.grade.judges.telling import Block, blocks_of, in_parts, nonce_for, shown, shown_text
from fairtrial.models import (
    Answered,
    Infrastructure,
    LanguageModel,
    Outcome,
    OverBudget,
    Refused,
    Reply,
    Request,
    Said,
    Truncated,
    Unparsed,
)
from fairtrial.records import Citation

ALONE, TOGETHER = "judge_alone", "judge_together"
"""Names of the two as detectors."""
CHARACTERS_PER_TOKEN = 3
MOST_NOTES = 4_000
CONTEXT_TOKENS, LEAST_CONTEXT = 100_000, 4_000
_LEAST_ROOM = LEAST_CONTEXT * CHARACTERS_PER_TOKEN * 6 // 10
_FULL = "the conversation no longer fits the model's context"
OUTAGE = 3
"""So many failures of the server in a row end the asking: each waits minutes for it, and more of them tell nothing."""


@dataclass(frozen=True, slots=True)
class Suspect:
    """A rollout that is looked at."""

    task: str
    trajectory: Trajectory


@dataclass(slots=True, kw_only=True)
class Looked:
    """What the model found, by position of the rollouts."""

    hits: dict[int, list[Hit]] = field(default_factory=dict)
    not_measured: dict[int, str] = field(default_factory=dict)
    """Why a rollout could not be judged alone."""
    together: int = 0
    """Rollouts that were judged beside others."""
    not_together: dict[int, str] = field(default_factory=dict)
    """Why a rollout that has siblings was not."""
    dropped: int = 0
    """Hits that cited what does not stand there."""
    askings: int = 0
    stopped: bool = False
    """It was interrupted."""


def judge_hacks(
    model: LanguageModel, suspects: Sequence[Suspect], *, context_tokens: int = CONTEXT_TOKENS, at_once: int = 4,
    on_planned: Callable[[int], None] = lambda _: None, on_done: Callable[[], None] = lambda: None,
) -> Looked:  # fmt: skip
    """Have `model` look at every rollout alone, then at those of one task together.

    `on_planned` is told once how many looks that makes, `on_done` is called after each. What the model or its server
    does is never raised; what could not be judged is said by position. Ctrl-C ends it: what was found is returned.
    """
    room = max(context_tokens, LEAST_CONTEXT) * CHARACTERS_PER_TOKEN * 6 // 10
    looking = _Looking(model, suspects, room, on_done)
    clusters = clusters_of(suspects, room, looking.found)
    on_planned(len(suspects) + len(clusters))
    with ThreadPoolExecutor(at_once) as pool:
        try:
            list(pool.map(looking.alone, range(len(suspects))))
            list(pool.map(looking.together, clusters))
        except KeyboardInterrupt:
            looking.stop()
            pool.shutdown(wait=True, cancel_futures=True)
    return looking.found


def clusters_of(suspects: Sequence[Suspect], room: int, found: Looked) -> list[tuple[int, ...]]:
    """Return rollouts of one task, by position, that fit into one asking of `room` characters; two at least."""
    by_task: dict[str, list[int]] = {}
    for at, one in enumerate(suspects):
        by_task.setdefault(one.task, []).append(at)
    clusters: list[tuple[int, ...]] = []
    for members in by_task.values():
        if len(members) < 2:
            continue
        filled: list[list[int]] = [[]]
        left = room
        for at in members:
            size = sum(block.characters for block in blocks_of(suspects[at].trajectory))
            if size > room // 2:
                found.not_together[at] = "it is too long to be shown beside another"
                continue
            if size > left:
                filled.append([])
                left = room
            filled[-1].append(at)
            left -= size
        if len(filled) > 1 and len(filled[-1]) == 1 and len(filled[-2]) > 2:
            filled[-1].insert(0, filled[-2].pop())  # nobody is compared with nobody
        clusters += [tuple(one) for one in filled if len(one) > 1]
        found.not_together.update({one[0]: "no sibling fits beside it" for one in filled if len(one) == 1})
    return clusters


class _Looking:
    """One run over many rollouts, shared by threads."""

    def __init__(
        self, model: LanguageModel, suspects: Sequence[Suspect], room: int, on_done: Callable[[], None]
    ) -> None:
        self.model, self.suspects, self.room, self.on_done = model, suspects, room, on_done
        self.found = Looked()
        self._lock = threading.Lock()
        self._in_a_row = 0
        self._gone = ""
        self._left = set(range(len(suspects)))

    def stop(self) -> None:
        """Ask nothing more; what was not looked at is not measured."""
        self.model.stop()
        with self._lock:
            self._gone = "it was stopped"
            self.found.stopped = True
            self.found.not_measured.update(dict.fromkeys(self._left, self._gone))

    def alone(self, at: int) -> None:
        """Look at one rollout, part by part where it is long; in smaller parts where the server has less room."""
        room = self.room
        while True:
            hits, why = self._read(self.suspects[at].trajectory, room)
            if why != _FULL or room <= _LEAST_ROOM:
                break
            room = max(room // 2, _LEAST_ROOM)
        self._keep(hits, (at,), ALONE)
        with self._lock:
            if why:
                self.found.not_measured[at] = why
            self._left.discard(at)
        self.on_done()

    def _read(self, trajectory: Trajectory, room: int) -> tuple[list[HitSaid], str]:
        """Return the hits of one rollout, and why it could not be read to its end."""
        texts = _texts({1: trajectory})
        nonce = nonce_for(texts.values())
        parts = in_parts(blocks_of(trajectory), room)
        notes = ""
        hits: list[HitSaid] = []
        for number, part in enumerate(parts, 1):
            before = [Block("your notes", shown_text(notes or "(none yet)"))] if number > 1 else []
            request = Request(instructions=alone(nonce, number, len(parts)),
                              messages=(Said(text=shown([*before, *part], nonce).text),))  # fmt: skip
            said = self._asked(request, nonce, texts)
            if isinstance(said, str):
                return hits, said
            hits += said.hits
            notes = said.notes[:MOST_NOTES]
        return hits, "" if parts else "it has no steps"

    def together(self, cluster: tuple[int, ...]) -> None:
        """Look at several rollouts of one task; at fewer at once where the server has less room."""
        self._compare(cluster)
        self.on_done()

    def _compare(self, cluster: tuple[int, ...]) -> None:
        held = {number: self.suspects[at].trajectory for number, at in enumerate(cluster, 1)}
        texts = _texts(held)
        nonce = nonce_for(texts.values())
        blocks = [replace(block, place=f"rollout {number} {block.place}")
                  for number, one in held.items() for block in blocks_of(one)]  # fmt: skip
        request = Request(instructions=together(nonce, len(cluster)),
                          messages=(Said(text=shown(blocks, nonce).text),))  # fmt: skip
        said = self._asked(request, nonce, texts)
        if said == _FULL and len(cluster) > 3:  # halves of two at least
            self._compare(cluster[: len(cluster) // 2])
            self._compare(cluster[len(cluster) // 2 :])
        elif isinstance(said, str):
            with self._lock:
                self.found.not_together.update(dict.fromkeys(cluster, said))
        else:
            self._keep(said.hits, cluster, TOGETHER)
            with self._lock:
                self.found.together += len(cluster)

    def _asked(self, request: Request, nonce: str, texts: dict[str, str]) -> HitsSaid | str:
        """Ask, once more where the reply is wrong; return the hits that stand, or why there is no reply."""
        said: HitsSaid | str = ""
        for attempt in itertools.count():
            if self._gone:
                return self._gone
            outcome = self.model.ask(request)
            self._count(outcome)
            if not isinstance(outcome, Answered):
                return _why(outcome)
            said = stated(outcome.reply.text, nonce, HitsSaid)
            wrong = [said] if isinstance(said, str) else [why for hit in said.hits if (why := wrong_with(hit, texts))]
            if not wrong or attempt == 1:
                break
            mend = (Reply(text=outcome.reply.text), Said(text=mending(wrong, nonce)))
            request = replace(request, messages=(*request.messages, *mend))
        if isinstance(said, str):
            return f"its reply could not be read: {said}"
        standing = tuple(hit for hit in said.hits if not wrong_with(hit, texts))
        with self._lock:
            self.found.dropped += len(said.hits) - len(standing)
        return said.model_copy(update={"hits": standing})

    def _count(self, outcome: Outcome) -> None:
        with self._lock:
            self.found.askings += 1
            self._in_a_row = self._in_a_row + 1 if isinstance(outcome, Infrastructure) else 0
            if isinstance(outcome, Infrastructure) and self._in_a_row >= OUTAGE:
                self._gone = _why(outcome)

    def _keep(self, hits: Sequence[HitSaid], cluster: tuple[int, ...], detector: str) -> None:
        with self._lock:
            for hit in hits:
                self.found.hits.setdefault(cluster[hit.rollout - 1], []).append(_hit(hit, detector))


def wrong_with(hit: HitSaid, texts: dict[str, str]) -> str:
    """Return what is wrong with a hit, empty where it stands. `texts` are by `rollout 1 step 7 call 1`."""
    if hit.kind not in GROUPS:
        return f"there is no kind `{hit.kind[:60]}`"
    if not hit.citations:
        return f"`{hit.claim[:80]}` cites nothing"
    for cited in hit.citations:
        place = _place(cited.place, hit.rollout)
        quote = _flat(cited.quote)
        if not place.startswith(f"rollout {hit.rollout} "):
            return f"`{cited.place[:80]}` is not of rollout {hit.rollout}, which the hit is about"
        if place not in texts:
            return f"`{cited.place[:80]}` is no place of a step of rollout {hit.rollout}"
        text = texts[place]
        if not quote or (quote not in _flat(text) and quote not in _flat(shown_text(text))):
            return f"`{cited.quote[:200]}` is not what stands at {cited.place[:80]}"
    return ""


def _hit(hit: HitSaid, detector: str) -> Hit:
    citations = tuple(Citation(_place(one.place, hit.rollout).split(" ", 2)[2], one.quote) for one in hit.citations)
    steps = sorted({one.step for one in citations if one.step is not None})
    return Hit(group=hit.kind, detector=detector, steps=tuple(steps), claim=hit.claim, score=SCORES[hit.sure],
               citations=tuple(dict.fromkeys(citations)))  # fmt: skip


def _texts(held: dict[int, Trajectory]) -> dict[str, str]:
    """Return the text of every part of every step, by rollout and place."""
    return {f"rollout {number} {part.place}": part.text for number, one in held.items() for part in all_parts(one)}


def _place(place: str, rollout: int) -> str:
    named = place.strip()
    return named if named.startswith("rollout ") else f"rollout {rollout} {named}"


def _flat(text: str) -> str:
    return " ".join(text.split())


def _why(outcome: Outcome) -> str:
    match outcome:
        case Answered():
            return ""
        case Unparsed():
            return "its reply was empty"
        case Refused():
            return f"the model refused: {outcome.why}"
        case Truncated(what="reply"):
            return "its reply was cut at the token limit"
        case Truncated():
            return _FULL
        case Infrastructure():
            return f"the model could not be asked ({outcome.reason}): {outcome.detail}"
        case OverBudget():
            return f"the budget is used up: {outcome.why}"
