"""What the watch may know before a run: pass rates of the training tasks out of a ledger, and the shape of answers."""

from __future__ import annotations

from pathlib import Path

from fairtrial.ledger import Ledger, connect
from fairtrial.tasks.text import TextSuite
from fairtrial.train.recipe import Recipe
from fairtrial.train.recipe.suites import AnySuite
from fairtrial.train.watch import Attempted, Known
from fairtrial.train.watch.shapes import shapes_of


def known_of(recipe: Recipe, train: AnySuite | None) -> Known:
    """Return what is known of the training tasks; rates come from the first stage that names a ledger of them."""
    rates = next((stage.sampling.rates for stage in recipe.stages if stage.sampling.rates), "")
    shapes = shapes_of(train) if isinstance(train, TextSuite) else {}
    tasks = _measured(Path(rates), recipe.base_name, train) if rates and train is not None else {}
    return Known(tasks=tasks, shapes=shapes, source=f"ledger {Path(rates).name}" if tasks else "")


def _measured(path: Path, model: str, train: AnySuite) -> dict[str, Attempted]:
    families = {task.name: task.family for task in train.tasks}
    rows = connect(Ledger.open(path)).execute(
        "select task, count(*), count(*) filter (outcome = 'passed') from outcomes "
        "where model = ? and outcome <> 'ungraded' group by task", [model],
    ).fetchall()  # fmt: skip
    return {
        task: Attempted(family=families[task], graded=graded, passed=passed)
        for task, graded, passed in rows
        if task in families
    }
