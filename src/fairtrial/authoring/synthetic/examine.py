"""Put the five questions to a suite: what was read in, what was found out. The order is that of the page."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from fairtrial.authoring.synthetic.attempts import Attempts, read_attempts
from fairtrial.authoring.synthetic.ceiling import ceiling_of
from fairtrial.authoring.synthetic.crossing import cross
from fairtrial.authoring.synthetic.diversity import diversity_of
from fairtrial.authoring.synthetic.material import Material
from fairtrial.authoring.synthetic.options import Options
from fairtrial.authoring.synthetic.realism import MOST_ITEMS, realism_of
from fairtrial.authoring.synthetic.references import Doubts, references_of
from fairtrial.authoring.synthetic.result import Synthetic
from fairtrial.authoring.synthetic.solvability import solvability_of
from fairtrial.ledger import Ledger
from fairtrial.ledger.queries import Selection, observe
from fairtrial.measure.suspects.answers import key_doubts
from fairtrial.records import FairtrialError
from fairtrial.run import Engine
from fairtrial.sandbox import Sandbox

LEAST_DOUBT = 0.5


@dataclass(frozen=True, slots=True, kw_only=True)
class Means:
    """What cross-grading runs on."""

    sandbox: Sandbox
    engine: Engine
    on_done: Callable[[], None] = lambda: None


def examine(
    suite: Material, real: Material | None, ledger: Ledger | None, options: Options, means: Means | None = None
) -> Synthetic:
    """Return the answers to `options.parts`."""
    asked = set(options.parts)
    attempts = read_attempts(ledger, suite) if ledger is not None and asked & {"solvability", "ceiling"} else None
    solved = solvability_of(suite, attempts, options) if asked & {"solvability", "ceiling"} else None
    references = None
    if "references" in asked:
        crossing = cross(suite, means.sandbox, means.engine, options, means.on_done) if means else None
        references = references_of(suite, crossing, _doubts(ledger, suite), options)
    return Synthetic(
        suite=suite.identity, path=str(suite.path), kind=suite.kind, tasks=len(suite.items),
        real=real.identity if real else "", ledger=str(ledger.path) if ledger else "",
        parts=tuple(part for part in options.parts),
        realism=realism_of(suite, real, options) if "realism" in asked else None,
        solvability=solved if "solvability" in asked else None,
        ceiling=ceiling_of(suite, attempts, solved.worst_case if solved else None, options)
        if "ceiling" in asked else None,
        diversity=diversity_of(suite, real, options) if "diversity" in asked else None,
        references=references, seed=options.seed, notes=tuple(_notes(suite, real, attempts)),
    )  # fmt: skip


def _doubts(ledger: Ledger | None, suite: Material) -> Doubts | str:
    """Return keys that the models' answers contradict, or why that was not measured."""
    if ledger is None:
        return "no ledger was given"
    names = {item.name for item in suite.items}
    try:
        observed = observe(ledger, Selection())
    except FairtrialError as error:
        return str(error).splitlines()[0]
    doubts, how = key_doubts(observed)
    if observed.answers is None or not doubts:
        return how if observed.answers is not None else "the ledger holds no answers of these tasks"
    return tuple((observed.tasks[each.task], each.probability, "; ".join(each.reasons))
                 for each in sorted(doubts, key=lambda each: -each.probability)
                 if each.probability >= LEAST_DOUBT and observed.tasks[each.task] in names)  # fmt: skip


def _notes(suite: Material, real: Material | None, attempts: Attempts | None) -> list[str]:
    found = []
    for side, name in ((suite, "generated"), (real, "real")):
        if side is not None and len(side.items) > MOST_ITEMS:
            found.append(
                f"of {len(side.items):,} {name} texts {MOST_ITEMS:,} were drawn for the classifier and the cues"
            )
    if attempts is not None and attempts.known:
        found.append(f"{attempts.known:,} attempts of known candidates count for nobody")
    return found
