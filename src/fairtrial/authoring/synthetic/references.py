"""References that only resemble right ones: what can be told without asking an expert.

One solution for tasks of different wording; an answer that its own comparison rejects; answers that can be guessed
without reading the task; answers that stand in the prompt, more often than chance; a reference that another task's
grader passes; keys that the models' answers contradict. Not covered: a reference that is wrong in a way of its own.
"""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Sequence

import numpy as np

from fairtrial.authoring.near_copies import groups_of
from fairtrial.authoring.synthetic.crossing import Crossing
from fairtrial.authoring.synthetic.material import Item, Material
from fairtrial.authoring.synthetic.options import Options
from fairtrial.authoring.synthetic.result import Answered, Crossed, References
from fairtrial.grade.text import grade_text
from fairtrial.measure.intervals import clustered_mean
from fairtrial.records import Estimate
from fairtrial.tasks.text import TextKey

Doubts = tuple[tuple[str, float, str], ...]
LEAST_FAMILY = 3
"""Tasks of a family from which on its commonest answer is a guess."""
MOST_PAIRS = 5_000


def references_of(suite: Material, crossing: Crossing | None, doubts: Doubts | str, options: Options) -> References:
    """Return what speaks against the references. `doubts` are those of the models' answers, or why there are none."""
    items = suite.items
    lacking = tuple(item.name for item in items if not item.reference)
    keys = suite.text_keys or {}
    own = tuple(item.name for item in items if item.name in keys and not _passes(keys[item.name], item.reference))
    guessed = _guessed(items, keys, options) if keys else None
    in_prompt, chance = _in_prompt(items, options) if keys else (None, None)
    crossed, passes_other = _crossed_texts(items, keys, options) if keys else _told(crossing)
    same = () if keys else _same(items)
    found = References(
        answer=Answered(status="open", why=""), with_reference=len(items) - len(lacking), lacking=lacking, same=same,
        own_failed=own, guessed=guessed, in_prompt=in_prompt, in_other_prompt=chance, crossed=crossed,
        passes_other=passes_other, doubted=doubts if isinstance(doubts, tuple) else None,
    )  # fmt: skip
    values = {name: getattr(found, name) for name in References.__dataclass_fields__}
    return References(**values | {"answer": _answer(found, crossing, doubts, suite, options)})


def _answer(
    found: References, crossing: Crossing | None, doubts: Doubts | str, suite: Material, options: Options
) -> Answered:
    lacking = [f"{len(found.lacking)} tasks have no reference"] if found.lacking else []
    lacking += [f"keys against the models' answers: {doubts}"] if isinstance(doubts, str) else []
    if suite.kind == "folders" and crossing is None:
        lacking.append("references under other tasks' graders: not asked for (--cross)")
    elif crossing is not None and crossing.broken:
        lacking.append(f"references under other tasks' graders: {crossing.broken} pairs could not be graded")
    against = []
    if found.own_failed:
        against.append(f"{len(found.own_failed)} answers do not pass their own comparison")
    if found.same:
        against.append(f"{sum(map(len, found.same))} tasks of different wording share {len(found.same)} solutions")
    if suite.kind == "folders" and found.passes_other:
        against.append(f"{len(found.passes_other)} references pass another task's grader")
    if found.guessed is not None and found.guessed.low is not None and found.guessed.low > options.most_guessed:
        against.append(f"{found.guessed.value:.0%} of answers are the commonest of their family and can be guessed")
    if against:
        return Answered(status="against", why="; ".join(against), not_measured=tuple(lacking))
    if not found.with_reference:
        return Answered(status="not_measured", why="no task has a reference", not_measured=tuple(lacking))
    return Answered(status="holds", why=f"nothing speaks against {found.with_reference} references",
                    not_measured=tuple(lacking))  # fmt: skip


def _passes(key: TextKey, answer: str) -> bool:
    return grade_text(key, answer).outcome == "passed"


def _same(items: Sequence[Item]) -> tuple[tuple[str, ...], ...]:
    """Return tasks with one solution though their instructions are no near copies."""
    group = groups_of([item.text for item in items], [item.cluster for item in items]).tolist()
    held: dict[str, list[int]] = defaultdict(list)
    for at, item in enumerate(items):
        if item.reference:
            held[item.reference].append(at)
    return tuple(tuple(items[at].name for at in members) for members in held.values()
                 if len({group[at] for at in members}) > 1)  # fmt: skip


def _guessed(items: Sequence[Item], keys: dict[str, TextKey] | object, options: Options) -> Estimate | None:
    """Return the share of tasks that the commonest answer of the family's other tasks passes."""
    assert isinstance(keys, dict)
    by_family: dict[str, list[Item]] = defaultdict(list)
    for item in items:
        by_family[item.family].append(item)
    hit, names = [], []
    for members in by_family.values():
        if len(members) < LEAST_FAMILY:
            continue
        counts = Counter(item.reference.strip() for item in members)
        for item in members:
            others = counts - Counter([item.reference.strip()])
            guess = min(others, key=lambda answer: (-others[answer], answer))
            hit.append(float(_passes(keys[item.name], guess)))
            names.append(item)
    return _clustered(hit, names, "leave one out: the commonest answer of the family's others", options)


def _clustered(hit: Sequence[float], items: Sequence[Item], what: str, options: Options) -> Estimate | None:
    if not hit:
        return None
    # Wording alone makes no cluster here: the tasks of one template have answers of their own.
    cluster = groups_of([item.text for item in items], [item.cluster for item in items])
    found = clustered_mean(np.array(hit), cluster, confidence=options.confidence)
    return Estimate(value=found.value, low=found.low, high=found.high, n=len(hit), method=f"{what}; {found.method}")


def _in_prompt(items: Sequence[Item], options: Options) -> tuple[Estimate | None, float | None]:
    """Return the share of answers in their own prompt, and in that of the next task of the family."""
    own = [float(_stands(item.reference, item.text)) for item in items]
    by_family: dict[str, list[Item]] = defaultdict(list)
    for item in items:
        by_family[item.family].append(item)
    other = [float(_stands(one.reference, two.text)) for members in by_family.values() if len(members) > 1
             for one, two in zip(members, [*members[1:], members[0]], strict=True)]  # fmt: skip
    estimate = _clustered(own, items, "answers that stand in their prompt as a word", options)
    return estimate, sum(other) / len(other) if other else None


def _stands(answer: str, text: str) -> bool:
    """Say whether an answer stands in a text as a word or words of its own.

    >>> _stands("12", "12 eggs"), _stands("12", "a 1,128th"), _stands("", "a")
    (True, False, False)
    """
    plain = answer.strip().lower()
    return bool(plain) and re.search(rf"(?<![\w.,]){re.escape(plain)}(?![\w]|[.,]\d)", text.lower()) is not None


def _crossed_texts(
    items: Sequence[Item], keys: dict[str, TextKey] | object, options: Options
) -> tuple[Estimate | None, tuple[Crossed, ...]]:
    """Return the share of pairs of a family in which one's answer passes the other's comparison."""
    assert isinstance(keys, dict)
    generator = np.random.default_rng(options.seed)
    pairs = [(one, two) for one in range(len(items)) for two in range(len(items))
             if one != two and items[one].family == items[two].family] if len(items) <= 400 else []  # fmt: skip
    if not pairs and len(items) > 1:
        drawn = generator.integers(0, len(items), size=(MOST_PAIRS, 2)).tolist()
        pairs = [(one, two) for one, two in drawn if one != two and items[one].family == items[two].family]
    if len(pairs) > MOST_PAIRS:
        pairs = [pairs[at] for at in sorted(generator.choice(len(pairs), MOST_PAIRS, replace=False).tolist())]
    hits = [(one, two) for one, two in pairs if _passes(keys[items[two].name], items[one].reference)]
    if not pairs:
        return None, ()
    by_task = np.zeros((2, len(items)))
    for which, found in enumerate((pairs, hits)):
        for _, two in found:
            by_task[which, two] += 1
    asked = by_task[0] > 0
    mean = clustered_mean(by_task[1, asked] / by_task[0, asked], np.flatnonzero(asked).astype(np.int64))
    estimate = Estimate(value=mean.value, low=mean.low, high=mean.high, n=len(pairs), unit="pairs",
                        method=f"pairs of one family, mean over the graders' tasks; {mean.method}")  # fmt: skip
    return estimate, ()


def _told(crossing: Crossing | None) -> tuple[Estimate | None, tuple[Crossed, ...]]:
    if crossing is None or not crossing.graded:
        return None, ()
    return crossing.estimate(), crossing.passes
