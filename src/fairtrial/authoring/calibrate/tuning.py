"""One calibration from start to end: search, edges, single tasks of what was found, both sides; and how it is told."""

from __future__ import annotations

import numpy as np

from fairtrial.authoring.calibrate.attempting import Wanted
from fairtrial.authoring.calibrate.calibrating import Bench
from fairtrial.authoring.calibrate.family import TRAIN
from fairtrial.authoring.calibrate.made import suite_of
from fairtrial.authoring.calibrate.monotone import isotonic
from fairtrial.authoring.calibrate.result import Calibration, GroupSpread, Level, Stop
from fairtrial.authoring.calibrate.sides import Sides, sides_of
from fairtrial.authoring.near_copies import groups_of
from fairtrial.measure.intervals import clustered_mean
from fairtrial.records import Estimate


def calibrate(bench: Bench) -> Calibration:
    """Return what came of it. Raise InputError or FormatError for what the family does wrong."""
    search = bench.search()
    found = search.one()
    if found is not None and bench.options.edges:
        search.edges(found)
    inside = sorted(search.in_band)
    halted = bench.stop
    spread = tuple(each for each in (_spread(bench, at) for at in inside) if each is not None)
    sides = _sides(bench, [bench.options.difficulties[at] for at in inside])
    stop, why = _end(bench, inside, halted)
    options = bench.options
    pairs = tuple((options.difficulties[one], options.difficulties[two]) for one, two in bench.reversed())
    return Calibration(
        family=bench.family.name, suite=suite_of(bench.family), model=bench.taker.model, options=options, stop=stop,
        why=why, levels=_levels(bench), found=tuple(options.difficulties[at] for at in inside), reversed=pairs,
        spread=spread, attempts=bench.attempts, held=bench.from_ledger, usd=bench.usd if bench.is_priced else None,
        sides=sides, not_measured=tuple(_lacking(bench, spread, inside, stop)), notes=tuple(_notes(bench, sides)),
    )  # fmt: skip


def _levels(bench: Bench) -> tuple[Level, ...]:
    seen = sorted(bench.evidence)
    fitted = isotonic([bench.evidence[at].passed for at in seen], [bench.evidence[at].graded for at in seen])
    return tuple(
        Level(difficulty=bench.options.difficulties[at], says=bench.evidence[at].says,
              decided_after=bench.evidence[at].decided_after, rate=bench.evidence[at].estimate(), isotonic=fit,
              passed=bench.evidence[at].passed, failed=bench.evidence[at].failed,
              ungraded=bench.evidence[at].ungraded, ungraded_why=dict(bench.why_ungraded.get(at, {})),
              different=len(bench.hashes.get(at, ())))
        for at, fit in zip(seen, fitted, strict=True)
    )  # fmt: skip


def _end(bench: Bench, inside: list[int], halted: Stop | None) -> tuple[Stop, str]:
    """Return why the search ended, and in words."""
    names = bench.options.difficulties
    low, high = bench.options.band
    band = f"{low:.0%} to {high:.0%}"
    if inside:
        more = f"; the search for its edges was stopped: {bench.stop_why}" if halted and bench.options.edges else ""
        return "found", f"difficulty {', '.join(names[at] for at in inside)} is passed {band} of the time{more}"
    if halted is not None:
        return halted, f"{bench.stop_why} before a difficulty was shown to be in the band"
    said = {at: evidence.says for at, evidence in bench.evidence.items()}
    open_ = [names[at] for at, says in sorted(said.items()) if says == "open"]
    easy = [at for at, says in said.items() if says == "too_easy"]
    hard = [at for at, says in said.items() if says == "too_hard"]
    is_ordered = not bench.reversed()  # only then does a neighbour speak for one that is open
    if is_ordered and easy and not hard and max(easy) == len(names) - 1:
        return "none", f"even the hardest, {names[-1]}, is passed more than {high:.0%} of the time"
    if is_ordered and hard and not easy and min(hard) == 0:
        return "none", f"even the easiest, {names[0]}, is passed less than {low:.0%} of the time"
    if is_ordered and easy and hard and max(easy) + 1 == min(hard):
        return "none", (f"{names[max(easy)]} is too easy and the next, {names[min(hard)]}, too hard: a difficulty "
                        "between them is wanted")  # fmt: skip
    if not open_ and len(said) == len(names):
        return "none", "every difficulty was looked at, and none is in the band"
    most = bench.options.most_each
    return "undecided", f"difficulty {', '.join(open_)} is not decided after {most:,} graded attempts at most"


def _spread(bench: Bench, at: int) -> GroupSpread | None:
    """Attempt the first tasks of a difficulty several times; None where that was not asked for or could not be done."""
    options = bench.options
    if not options.groups or options.group_size < 2 or bench.stop is not None:
        return None
    difficulty = options.difficulties[at]
    tasks = [bench.task(difficulty, index) for index in range(options.groups)]
    rates, mixed, cluster, ungraded = [], [], [], 0
    groups = groups_of([task.text for task in tasks], [task.cluster for task in tasks]).tolist()
    for task, group in zip(tasks, groups, strict=True):
        came = bench.outcomes([Wanted(task, attempt) for attempt in range(options.group_size)])
        graded = [one.outcome for one in came if one.outcome in ("passed", "failed")]
        ungraded += len(came) - len(graded)
        if len(graded) < 2:
            continue
        rates.append(graded.count("passed") / len(graded))
        mixed.append(float(0 < rates[-1] < 1))
        cluster.append(group)
    if not rates:
        return None
    low, high = options.band
    inside = [float(0 < rate < 1 and low <= rate <= high) for rate in rates]
    return GroupSpread(difficulty=difficulty, group_size=options.group_size,
                       mixed=_share(mixed, cluster, ungraded, "tasks with a pass and a failure"),
                       in_band=_share(inside, cluster, ungraded, "tasks by observed rate"))  # fmt: skip


def _share(values: list[float], cluster: list[int], ungraded: int, what: str) -> Estimate:
    found = clustered_mean(np.array(values), np.array(cluster, dtype=np.int64))
    return Estimate(value=found.value, low=found.low, high=found.high, n=len(values), ungraded=ungraded,
                    method=f"share of {what}; {found.method}")  # fmt: skip


def _sides(bench: Bench, found: list[str]) -> Sides | None:
    options = bench.options
    if not options.tasks or not found:
        return None
    attempted = [task for (_, seed), task in sorted(bench.made.items(), key=lambda pair: pair[0]) if seed % 2 == TRAIN]
    return sides_of(found, bench.task, options.tasks, options.held_out, options.seed, attempted)


def _lacking(bench: Bench, spread: tuple[GroupSpread, ...], inside: list[int], stop: Stop) -> list[str]:
    found = []
    unseen = [name for at, name in enumerate(bench.options.difficulties) if at not in bench.evidence]
    if unseen:
        found.append(f"difficulties {', '.join(unseen)}: the search had no need of them")
    open_ = [bench.options.difficulties[at] for at, seen in sorted(bench.evidence.items()) if seen.says == "open"]
    if stop == "none" and open_:
        found.append(f"difficulties {', '.join(open_)}: open by their own attempts; that they are not in the band "
                     "follows from the order alone")  # fmt: skip
    if inside and len(spread) < len(inside):
        why = bench.stop_why or "--groups is 0"
        found.append(f"whether single tasks are passed sometimes, or some always and the others never: {why}")
    if not bench.is_priced:
        found.append("cost: no attempt made now says what it cost")
    return found


def _notes(bench: Bench, sides: Sides | None) -> list[str]:
    found = []
    if few := [bench.options.difficulties[at] for at, seen in sorted(bench.hashes.items())
               if len(seen) < 0.9 * (bench.evidence[at].graded + bench.evidence[at].ungraded)]:  # fmt: skip
        found.append(f"of difficulty {', '.join(few)} several seeds make equal tasks")
    if sides is not None and any(short > 0 for short in sides.shortfall):
        found.append(f"the family has too few different tasks: {sides.shortfall[0]} training and {sides.shortfall[1]} "
                     "held-out tasks are lacking")  # fmt: skip
    return found
