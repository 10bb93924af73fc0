"""Keep trials in a ledger as they end: at most a second's worth is in memory, so a kill loses little.

Verdicts are written after the rollouts they name, and rollouts after their blobs: what a ledger names, it holds.
"""

from __future__ import annotations

import time
from types import TracebackType
from typing import Self

from fairtrial.ledger import Ledger
from fairtrial.records import Rollout, Verdict
from fairtrial.run import Tried

SECONDS_BETWEEN_PARTS = 1.0


class Keeper:
    """Append trials to a ledger. Use it as a context manager."""

    def __init__(self, ledger: Ledger) -> None:
        self.ledger = ledger
        self._rollouts: list[Rollout] = []
        self._verdicts: list[Verdict] = []
        self._last = time.monotonic()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.flush()

    def keep(self, tried: Tried) -> None:
        """Take one trial; write what is waiting once a second."""
        for blob in tried.blobs:
            self.ledger.put_blob(blob)
        self._rollouts.append(tried.rollout)
        self._verdicts.extend(tried.verdicts)
        if time.monotonic() - self._last >= SECONDS_BETWEEN_PARTS:
            self.flush()

    def flush(self) -> None:
        """Write what is waiting."""
        self._last = time.monotonic()
        rollouts, self._rollouts = self._rollouts, []
        verdicts, self._verdicts = self._verdicts, []
        if rollouts:
            self.ledger.append("rollouts", rollouts)
            self.ledger.append("verdicts", verdicts)
