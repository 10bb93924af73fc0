"""A run that is paid by a function of the user's (`--grader`): the run remembers which, and goes on with no other.

What the folder remembers is held against and never loaded: only the command line names what is run.
"""

from __future__ import annotations

import json
from pathlib import Path

from fairtrial.records import InputError, record_id
from fairtrial.train.recipe import Recipe
from fairtrial.train.rewards.function import RewardFunction, taken_by
from fairtrial.train.rewards.naming import load_function, source_hash

PAID_BY = "paid_by.json"


def settle_function(folder: Path, recipe: Recipe, name: str) -> RewardFunction | None:
    """Note in the run's `folder` which function pays, and return it; None where the recipe's own grader does.

    Raise InputError where nothing would be paid by it, or the run was paid otherwise before.
    """
    held = paid_by(folder)
    if not name:
        if held:
            raise InputError(f"is paid by the function {held['function']}, which was not named", path=folder,
                             hint=f"Name it again: --grader {held['function']}")  # fmt: skip
        return None
    if not any(stage.method == "grpo" and stage.reward == "grade" for stage in recipe.stages):
        raise InputError("would pay nothing: the recipe has no grpo stage whose reward is `grade`", field="--grader")
    function = load_function(name)
    taken_by(function)  # refuses what could not be called, before anything is trained
    now = {"function": name, "source": source_hash(function)}
    if not held and (folder / "training").exists():
        raise InputError("was paid by the tasks' own grader before", path=folder, hint="Name another folder.")
    if held and held != now:
        raise InputError(f"was paid by {held['function']} ({held['source']}) before, now by {name} ({now['source']})",
                         path=folder, hint="Put the function back as it was, or name another folder.")  # fmt: skip
    (folder / PAID_BY).write_text(json.dumps(now) + "\n", encoding="utf-8")
    return function


def paid_by(folder: Path) -> dict[str, str]:
    """Return name and source hash of the function that pays this run; empty where none does."""
    path = folder / PAID_BY
    try:
        said = json.loads(path.read_text(encoding="utf-8"))
        return {"function": str(said["function"]), "source": str(said["source"])}
    except FileNotFoundError:
        return {}
    except (OSError, ValueError, KeyError, TypeError) as error:
        raise InputError(f"cannot be read: {error}", path=path) from error


def recipe_of(folder: Path, recipe: str) -> str:
    """Return the content address of what a run trains by: its recipe's, and the function's where one pays."""
    function = paid_by(folder)
    return record_id("recipe-paid/1", {"recipe": recipe, **function}) if function else recipe
