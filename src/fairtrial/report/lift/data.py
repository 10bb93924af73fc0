"""What the page of a lift is made from: comparisons, prices, lessons, checkpoints, and what the watch said."""

from __future__ import annotations

from dataclasses import dataclass, field

from fairtrial.records import Checkpoint
from fairtrial.train.lift import Lift, Lifted
from fairtrial.train.price import Worth
from fairtrial.train.watch import Watched


@dataclass(frozen=True, slots=True, kw_only=True)
class LiftSubject:
    """Everything that a section of the page may read."""

    lifted: Lifted
    worth: Worth = field(default_factory=Worth)
    checkpoints: tuple[Checkpoint, ...] = ()
    """Of the whole ledger."""
    watched: tuple[Watched, ...] = ()
    """One a training run whose folder was named."""
    ledger: str = "LEDGER"
    """How commands name the ledger."""
    tool: str = ""
    commands: tuple[str, ...] = ()
    """What makes the page again."""

    @property
    def arms(self) -> tuple[Lift, ...]:
        """Return the comparisons that are no control."""
        return tuple(one for one in self.lifted.comparisons if not one.control)

    @property
    def controls(self) -> tuple[Lift, ...]:
        """Return the controls."""
        return tuple(one for one in self.lifted.comparisons if one.control)

    @property
    def chosen(self) -> Lift | None:
        """Return the comparison that the verdict tells of: the first named that is no control."""
        return next(iter(self.arms), None)

    def of_model(self, model: str) -> tuple[Checkpoint, ...]:
        """Return the checkpoints of one model."""
        return tuple(one for one in self.checkpoints if one.model == model)
