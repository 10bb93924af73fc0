"""Tune a family to a model: sample at difficulties until one is shown to be in the band, then look at single tasks.

Attempts are made in batches and counted in the order of their seeds; each graded one is a look of the sequential test.
Every attempt has a task of its own, so that attempts at one difficulty are independent draws of task and reply.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path

from fairtrial.authoring.calibrate.attempting import Attempted, Taker, Wanted
from fairtrial.authoring.calibrate.evidence import Band, Evidence
from fairtrial.authoring.calibrate.family import TRAIN, Family, family_seed
from fairtrial.authoring.calibrate.held import HeldAttempts, Identity
from fairtrial.authoring.calibrate.made import Ready, ready
from fairtrial.authoring.calibrate.monotone import reversals
from fairtrial.authoring.calibrate.options import Options
from fairtrial.authoring.calibrate.result import Stop
from fairtrial.authoring.calibrate.search import Depth, Search
from fairtrial.ledger import Writer

BATCH = 8
LEAST_FOR_UNGRADED = 20
"""Attempts from which on the share of ungraded ones may end the search."""


@dataclass(slots=True, kw_only=True)
class Bench:
    """What a calibration works with, and how far it is."""

    family: Family
    taker: Taker
    writer: Writer
    held: HeldAttempts
    options: Options
    work: Path
    most_usd: float | None = None
    on_attempt: Callable[[str], None] = field(default=lambda _: None)
    evidence: dict[int, Evidence] = field(default_factory=dict)
    why_ungraded: dict[int, Counter[str]] = field(default_factory=dict)
    hashes: dict[int, set[str]] = field(default_factory=dict)
    made: dict[tuple[str, int], Ready] = field(default_factory=dict)
    known: dict[Identity, Attempted] = field(default_factory=dict)
    """Attempts of this run, and those of the ledger that it had need of."""
    attempts: int = 0
    from_ledger: int = 0
    usd: float = 0.0
    is_priced: bool = False
    stop: Stop | None = None
    stop_why: str = ""

    def task(self, difficulty: str, index: int, side: int = TRAIN) -> Ready:
        """Return the `index`th task of a side, made once."""
        seed = family_seed(self.options.seed, difficulty, index, side)
        if (difficulty, seed) not in self.made:
            self.made[difficulty, seed] = ready(self.family, difficulty, seed, self.work)
        return self.made[difficulty, seed]

    def outcomes(self, wanted: list[Wanted]) -> list[Attempted]:
        """Return what came of each attempt, held ones from the ledger; those not made are left out."""
        found: list[Attempted | None] = [self._known(one) for one in wanted]
        missing = [at for at, came in enumerate(found) if came is None]
        room = max(0, self.options.most_attempts - self.attempts)
        if len(missing) > room:
            self._halt("attempts", f"{self.options.most_attempts:,} attempts are made")
            missing = missing[:room]
        if missing and self.most_usd is not None and self.usd >= self.most_usd:
            self._halt("usd", f"{self.usd:.4f} of {self.most_usd:.4f} USD are spent")
            missing = []
        asked = self.taker.attempt([wanted[at] for at in missing], self.writer) if missing else []
        for at, came in zip(missing, asked, strict=True):
            found[at] = self._counted(wanted[at], came)
        return [came for came in found if came is not None]

    def _counted(self, one: Wanted, came: Attempted) -> Attempted | None:
        if came.outcome is None:
            self._halt("usd", came.why)
            return None
        if came.cost_usd is not None:
            self.usd, self.is_priced = self.usd + came.cost_usd, True
        self.on_attempt(came.outcome)
        self.attempts += 1
        self.known[self._identity(one)] = came
        return came

    def _known(self, one: Wanted) -> Attempted | None:
        """Return what came of an attempt that this run has made or found in the ledger; None where it is to be made."""
        key = self._identity(one)
        if key not in self.known and key in self.held.outcomes:
            self.known[key] = Attempted(outcome=self.held.outcomes[key])
            self.attempts += 1
            self.from_ledger += 1
        return self.known.get(key)

    def _identity(self, one: Wanted) -> Identity:
        return (one.task.name, one.task.hash, self.taker.settings(one.task), one.attempt)

    def _halt(self, stop: Stop, why: str) -> None:
        if self.stop is None:
            self.stop, self.stop_why = stop, why

    def look(self, at: int, depth: Depth) -> Evidence:
        """Sample at a difficulty until the pilot is over, or it is decided, or may not go on."""
        options, difficulty = self.options, self.options.difficulties[at]
        band = Band(low=options.band[0], high=options.band[1], error=options.error_each)
        evidence = self.evidence.setdefault(at, Evidence(band))
        while self.stop is None and evidence.says == "open" and evidence.graded < options.most_each:
            seen = evidence.graded + evidence.ungraded
            if depth == "pilot" and seen >= options.pilot and 0 in (evidence.passed, evidence.failed):
                break
            batch = min(BATCH, options.most_each - evidence.graded)
            wanted = [Wanted(self.task(difficulty, index)) for index in range(seen, seen + batch)]
            self.hashes.setdefault(at, set()).update(one.task.hash for one in wanted)
            came = self.outcomes(wanted)
            evidence.take(one.outcome for one in came if one.outcome is not None)
            self.why_ungraded.setdefault(at, Counter()).update(
                one.why or "ungraded" for one in came if one.outcome == "ungraded")  # fmt: skip
            self._bound_ungraded(at, evidence)
        return evidence

    def _bound_ungraded(self, at: int, evidence: Evidence) -> None:
        total = evidence.graded + evidence.ungraded
        if total >= LEAST_FOR_UNGRADED and evidence.ungraded > self.options.most_ungraded * total:
            self._halt("ungraded", f"{evidence.ungraded} of {total} attempts at difficulty "
                       f"{self.options.difficulties[at]} could not be graded")  # fmt: skip

    def reversed(self) -> tuple[tuple[int, int], ...]:
        """Return the pairs of difficulties whose order is refuted."""
        return reversals({at: evidence.estimate() for at, evidence in self.evidence.items()})

    def search(self) -> Search:
        """Return the search over this bench."""
        return Search(count=len(self.options.difficulties), look=self.look, is_monotone=lambda: not self.reversed(),
                      halted=lambda: self.stop is not None)  # fmt: skip
