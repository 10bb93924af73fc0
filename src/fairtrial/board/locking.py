"""What the rows of a track are locked to: suite, settings, environment, tasks, and runs a task.

What the rules state holds. What they leave open is what most runs have, and the lock says so: a maintainer who wants no
majority to decide states all three. A task that any run on the locked suite attempted is one of the suite's tasks, so
that a run which leaves out the hard ones is refused, and not the others. A task whose runs are all withdrawn stays one
of them, and rows wait for reruns, unless fewer than half of the runs ever attempted it. Not covered:
who is refused (`acceptance`).
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass

from fairtrial.board.runs import Run, Where
from fairtrial.records import InputError
from fairtrial.rules.schema import BenchmarkRules, Track

FIELDS = Where._fields


@dataclass(frozen=True, slots=True, kw_only=True)
class Lock:
    """What a run must have to be accepted on one track."""

    track: str
    where: Where
    stated: tuple[str, ...]
    """Fields that the rules state; the others are what most runs have."""
    runs_per_task: int
    tasks: tuple[str, ...]
    task_hashes: Mapping[str, str]
    """Content of each task, where runs record it: the one that most of them have."""
    clusters: tuple[str, ...]
    """Cluster of each task; a task without one is a cluster of its own."""
    attempted_by: Mapping[str, int]
    """How many of the runs attempted each task."""
    runs: int
    """How many runs are on the locked suite, settings and environment."""
    notes: tuple[str, ...]
    """How it was chosen, where nobody disagrees."""
    warnings: tuple[str, ...]
    """What a reader must know: that a majority decided, that tasks are gone."""


def sorted_by_track(runs: Sequence[Run], rules: BenchmarkRules) -> tuple[dict[str, list[Run]], list[Run]]:
    """Return the runs of each track, by name, and those of none.

    Raise InputError where several tracks leave open which suite is theirs.
    """
    tracks = rules.tracks
    if len(tracks) == 1:
        return {tracks[0].name: list(runs)}, []
    for track in tracks:
        if not track.suite:
            raise InputError(
                f"track `{track.name}` names no suite", path=rules.path, field="track.suite",
                hint="With several tracks each names its own, or nothing says which run is on which.",
            )  # fmt: skip
    found: dict[str, list[Run]] = {track.name: [] for track in tracks}
    stray: list[Run] = []
    for run in runs:
        on = _track_of(run.where, tracks)
        (stray if on is None else found[on.name]).append(run)
    return found, stray


def _track_of(where: Where, tracks: Sequence[Track]) -> Track | None:
    """Return the track on whose suite this ran; of several, the one whose settings and environment it has too."""
    of_suite = [track for track in tracks if is_of_suite(where.suite, track.suite)]
    whole = [track for track in of_suite if fits(where, track)]
    return next(iter(whole or of_suite), None)


def is_of_suite(suite: str, stated: str) -> bool:
    """Say whether `suite` (`name@hash`) is the stated one: the same, or of that name. An empty one states nothing.

    >>> is_of_suite("books@aa", "books"), is_of_suite("books@aa", "books@bb"), is_of_suite("books", "")
    (True, False, True)
    """
    return stated in ("", suite) or suite.startswith(f"{stated}@")


def fits(where: Where, track: Track) -> bool:
    """Say whether all that the rules state of `track` is so of `where`."""
    return (is_of_suite(where.suite, track.suite) and track.settings in ("", where.settings)
            and track.environment in ("", where.environment))  # fmt: skip


def lock_of(track: Track, runs: Sequence[Run], withdrawn: Collection[str] = ()) -> Lock:
    """Return the lock of `track` over its `runs`, less the rollouts `withdrawn`.

    Without a run that fits it is what the rules state, and no task.
    """
    fitting = [run for run in runs if fits(run.where, track)]
    kept = [run for run in fitting if any(one.id not in withdrawn for one in run.attempts)]
    where, notes, warnings = _where(track, kept or fitting)
    locked = [run for run in fitting if run.where == where]
    attempted = Counter(task for run in locked for task in {one.task for one in run.attempts})
    still = {one.task for run in locked for one in run.attempts if one.id not in withdrawn}
    tasks = tuple(sorted(task for task in attempted if task in still or 2 * attempted[task] >= len(locked)))
    clusters, differ = _clusters(tasks, locked)
    if gone := sorted(set(attempted) - set(tasks)):
        told = ", ".join(f"`{task}`" for task in gone)
        warnings.append(f"{told}: attempted by fewer than half of the runs, and all withdrawn, so no task of the suite")
    if differ:
        warnings.append(f"runs name different clusters of {differ} tasks; the first by name counts")
    return Lock(
        track=track.name,
        where=where,
        stated=tuple(name for name in FIELDS if getattr(track, name)),
        runs_per_task=track.runs_per_task or 1,
        tasks=tasks,
        task_hashes=_task_hashes(locked),
        clusters=clusters,
        attempted_by=attempted,
        runs=len(locked),
        notes=tuple(notes),
        warnings=tuple(warnings),
    )


def _where(track: Track, fitting: Sequence[Run]) -> tuple[Where, list[str], list[str]]:
    """Return what most of the fitting runs have (of two with as many, the first by name), notes and warnings."""
    if not fitting:
        return Where(track.suite, track.settings, track.environment), [], ["no run fits what the rules state"]
    runs = Counter(run.where for run in fitting)
    where = min(runs, key=lambda one: (-runs[one], one))
    warnings: list[str] = []
    alike: list[str] = []
    unrecorded: list[str] = []
    for name in FIELDS:
        found = getattr(where, name)
        have = sum(count for one, count in runs.items() if getattr(one, name) == found)
        if found and found == getattr(track, name):
            continue
        if have < len(fitting):
            warnings.append(
                f"{name}: the rules leave it open, and {have} of {len(fitting)} runs have {found or 'none recorded'}"
            )
        else:
            (alike if found else unrecorded).append(name)
    ties = [one for one in runs if runs[one] == runs[where]]
    if len(ties) > 1:
        warnings.append(
            f"{len(ties)} combinations have as many runs each; the first by name is the lock: state it in the rules"
        )
    if unrecorded:
        warnings.append(f"recorded by no run, so that equal terms are not shown: {', '.join(unrecorded)}")
    notes = [f"left open by the rules, and the same for every run: {', '.join(alike)}"] if alike else []
    return where, notes, warnings


def _task_hashes(runs: Sequence[Run]) -> dict[str, str]:
    """Return the content of each task that most runs have, where any records one."""
    seen: dict[str, Counter[str]] = {}
    for run in runs:
        for task, content in {(one.task, one.task_hash) for one in run.attempts if one.task_hash}:
            seen.setdefault(task, Counter())[content] += 1
    return {task: min(counts, key=lambda content: (-counts[content], content)) for task, counts in seen.items()}


def _clusters(tasks: Sequence[str], runs: Sequence[Run]) -> tuple[tuple[str, ...], int]:
    """Return the cluster of each task, and of how many tasks runs name different ones."""
    named: dict[str, set[str]] = {}
    for run in runs:
        for one in run.attempts:
            if one.cluster:
                named.setdefault(one.task, set()).add(one.cluster)
    # A name that no cluster can have: the task's own, marked.
    clusters = tuple(min(named[task]) if task in named else f"\0{task}" for task in tasks)
    return clusters, sum(len(each) > 1 for each in named.values())
