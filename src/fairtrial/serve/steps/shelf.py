"""Trajectories that are being read: the few last ones stay parsed, within a bound of memory."""

from __future__ import annotations

import threading
from collections import OrderedDict

from fairtrial.formats.atif import Trajectory, read_trajectory
from fairtrial.ledger import Ledger
from fairtrial.serve.steps.rail import signs_of

MOST, MOST_BYTES = 6, 48_000_000
"""Trajectories, and bytes of their documents, that are kept; parsed they take about three times that."""


class Shelf:
    """Reads trajectories of one ledger by their address. Safe to use from several threads."""

    def __init__(self, ledger: Ledger) -> None:
        self.ledger = ledger
        self._held: OrderedDict[str, tuple[Trajectory, int]] = OrderedDict()
        self._signs: dict[str, tuple[str, ...]] = {}
        self._lock = threading.Lock()

    def trajectory(self, address: str) -> Trajectory:
        """Return it. Raise LedgerError where the ledger does not hold it, FormatError where it is none."""
        with self._lock:
            if address in self._held:
                self._held.move_to_end(address)
                return self._held[address][0]
        data = self.ledger.get_blob(address)  # outside the lock: one long document must not hold up the others
        found = read_trajectory(data)
        with self._lock:
            self._held[address] = (found, len(data))
            while len(self._held) > MOST or (
                len(self._held) > 1 and sum(size for _, size in self._held.values()) > MOST_BYTES
            ):
                gone, _ = self._held.popitem(last=False)
                self._signs.pop(gone, None)
        return found

    def signs(self, address: str) -> tuple[str, ...]:
        """Return the sign of every step of the trajectory at `address`, found once while it is kept."""
        trajectory = self.trajectory(address)
        found = self._signs.get(address)
        if found is None:
            found = signs_of(trajectory)
            with self._lock:
                if address in self._held:
                    self._signs[address] = found
        return found
