"""Read from a ledger what its trained models gained: every model with a checkpoint against the base it started from.

Arms without a family are left to the page of a lift. Not covered: gains over another base, and models that were trained
elsewhere; `fairtrial lift --base` says those.
"""

from __future__ import annotations

from dataclasses import dataclass

from fairtrial.ledger import Ledger, connect
from fairtrial.ledger.trained import all_checkpoints
from fairtrial.records import Checkpoint, InputError
from fairtrial.train.lift import Lift, Lifted, Options, lift

_SILENT = "no evaluation of it is in the ledger"


@dataclass(frozen=True, slots=True, kw_only=True)
class Trained:
    """What was trained, and what it gained. The default is that nothing was."""

    checkpoints: tuple[Checkpoint, ...] = ()
    lifted: tuple[Lifted, ...] = ()
    """One a base."""
    not_compared: tuple[tuple[str, str], ...] = ()
    """(model, why) of trained models whose gain cannot be told."""

    @property
    def gains(self) -> tuple[Lift, ...]:
        """Return every comparison that is no control."""
        return tuple(one for lifted in self.lifted for one in lifted.comparisons if not one.control)

    @property
    def controls(self) -> tuple[Lift, ...]:
        """Return the controls."""
        return tuple(one for lifted in self.lifted for one in lifted.comparisons if one.control)


def read_trained(ledger: Ledger, seed: int = 0, suite: str = "") -> Trained:
    """Return what the models with checkpoints in `ledger` gained; `seed` is the bootstrap's.

    With a `suite` (its name or identity), on that one alone.
    """
    checkpoints = all_checkpoints(ledger)
    asked = Options(seed=seed, suite=suite)
    by_base: dict[str, list[str]] = {}
    for one in checkpoints:
        if one.base and one.base != one.model and not one.left_out_family:
            by_base.setdefault(one.base, []).append(one.model)
    evaluated = _evaluated(ledger) if by_base else set()
    lifted: list[Lifted] = []
    refused: list[tuple[str, str]] = []
    for base, models in sorted(by_base.items()):
        names = [name for name in dict.fromkeys(models) if name in evaluated]
        refused += [(name, _SILENT) for name in dict.fromkeys(models) if name not in evaluated]
        if base not in evaluated:
            refused += [(name, f"its base `{base}` has no evaluation") for name in names]
        elif names:
            found = _lifted(ledger, base, names, asked)
            if isinstance(found, Lifted):
                lifted.append(found)
                refused += found.refused
            else:
                refused += [(name, found) for name in names]
    return Trained(checkpoints=checkpoints, lifted=tuple(lifted), not_compared=tuple(refused))


def _evaluated(ledger: Ledger) -> set[str]:
    """Return the models with a rollout that was not sampled in training."""
    connection = connect(ledger)
    try:
        query = "select distinct model from rollouts where origin = 'policy' and lower(coalesce(split, '')) <> 'train'"
        return {str(model) for (model,) in connection.execute(query).fetchall()}
    finally:
        connection.close()


def _lifted(ledger: Ledger, base: str, models: list[str], options: Options) -> Lifted | str:
    """Return the comparisons, or why there are none."""
    try:
        return lift(ledger, base, models, options)
    except InputError as error:
        return error.what
