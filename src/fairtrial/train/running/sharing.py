"""A ledger that several recipes share: what is evaluated must not be taken for another training of the same name."""

from __future__ import annotations

from collections.abc import Sequence

from fairtrial.ledger import Ledger
from fairtrial.ledger.trained import all_checkpoints
from fairtrial.records import InputError
from fairtrial.train.recipe.resolving import ResolvedRecipe
from fairtrial.train.running.folder import RunFolder
from fairtrial.train.running.paying import recipe_of


def refuse_taken(ledger: Ledger, run: RunFolder, resolved: ResolvedRecipe, seeds: Sequence[int]) -> None:
    """Raise InputError where `ledger` knows another training by this name and seed, or another base by its name.

    Rollouts are told apart by name, seed and step alone: those of the other would count as this one's.
    """
    recipe, own = resolved.recipe, recipe_of(run.path, resolved.hash)
    hint = "Their rollouts cannot be told apart. Give it a name of its own, or name another ledger."
    for each in all_checkpoints(ledger):
        if each.seed not in seeds:
            continue
        if each.model == recipe.name and (each.recipe, each.data_hash) != (own, resolved.data_hash(each.seed)):
            raise InputError(f"holds another training of `{recipe.name}` with seed {each.seed}", path=ledger.path,
                             field="name", hint=hint)  # fmt: skip
        if each.base == recipe.base_name and each.base_hash != resolved.file_hash("base", each.seed):
            raise InputError(f"knows another model as the base `{recipe.base_name}` of seed {each.seed}",
                             path=ledger.path, field="base_name", hint=hint)  # fmt: skip
