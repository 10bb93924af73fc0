"""One rollout as a blind reader gets it: instruction, steps, what was handed in; and all that a review may quote of it.

Neither verdict, agent, model, attempt, stop reason, duration nor cost are in it. Read alike for every rollout.
"""

from __future__ import annotations

from collections import OrderedDict
from dataclasses import dataclass
from functools import cached_property
from threading import Lock

from fairtrial.audit.citations import Citable
from fairtrial.formats.atif import Trajectory
from fairtrial.ledger import Ledger
from fairtrial.records import FormatError, LedgerError
from fairtrial.serve.review.handed_in import HandedIn, handed_in
from fairtrial.serve.review.held import Attempt
from fairtrial.serve.review.seen import Seen, as_seen, instruction_of
from fairtrial.serve.steps import Shelf
from fairtrial.serve.steps.rail import signs_of

_MOST_KEPT = 4


@dataclass(frozen=True)
class Work:
    """What a reader judges."""

    attempt: Attempt
    seen: Seen
    handed_in: HandedIn
    why_no_steps: str = ""

    @property
    def trajectory(self) -> Trajectory:
        """Return the steps that the agent saw."""
        return self.seen.trajectory

    @cached_property
    def instruction(self) -> str:
        """Return what the agent was asked."""
        return instruction_of(self.trajectory)

    @cached_property
    def signs(self) -> tuple[str, ...]:
        """Return the sign of every step: what it does."""
        return signs_of(self.trajectory)

    @property
    def answer(self) -> str:
        """Return the final answer, empty where the task has none."""
        return self.attempt.answer or ""

    @cached_property
    def citable(self) -> Citable:
        """Return what a blind review may quote."""
        return Citable(self.trajectory, self.instruction, self.handed_in.texts, answer=self.answer)


class Works:
    """Reads works of one ledger and keeps the few last ones. Safe to use from several threads."""

    def __init__(self, ledger: Ledger) -> None:
        self._ledger = ledger
        self._shelf = Shelf(ledger)
        self._kept: OrderedDict[str, Work] = OrderedDict()
        self._lock = Lock()

    def of(self, attempt: Attempt) -> Work:
        """Return the work of `attempt`; what the ledger does not hold of it is said in it."""
        with self._lock:
            if attempt.id in self._kept:
                self._kept.move_to_end(attempt.id)
                return self._kept[attempt.id]
        made = self._read(attempt)
        with self._lock:
            self._kept[attempt.id] = made
            while len(self._kept) > _MOST_KEPT:
                self._kept.popitem(last=False)
        return made

    def _read(self, attempt: Attempt) -> Work:
        whole, why = Trajectory(agent=""), ""
        if not attempt.trajectory:
            why = "No steps were recorded of this rollout."
        else:
            try:
                whole = self._shelf.trajectory(attempt.trajectory)
            except (LedgerError, FormatError) as error:
                why = f"The steps cannot be read: {error.what}."
        return Work(attempt, as_seen(whole), handed_in(self._ledger, attempt.deliverable), why)
