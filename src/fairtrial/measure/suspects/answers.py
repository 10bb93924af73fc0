"""Suspects by what the models answer: tasks whose key they contradict, with the reasons in words."""

from __future__ import annotations

from collections import Counter, defaultdict
from dataclasses import dataclass, field

import numpy as np

from fairtrial.ledger.observed import Answers, Observed
from fairtrial.measure.suspects.latent import Patterns, believe

KEY = "\0key"
_HYPOTHESES = 5
"""The key and the four most given other answers; rarer ones still count as misses."""
_MOST_CHOICES = 12
_OPEN_OPTIONS = 20
"""Plausible answers of a task whose answers are open."""
FEWEST_MODELS = 3


@dataclass(slots=True)
class Asked:
    """What the models answered to one task. Answers graded as passed are `KEY`."""

    key: str = ""
    wording: dict[str, str] = field(default_factory=dict)
    """The answer as first given, by the form under which answers are compared (case and spaces do not count)."""
    by_subject: dict[int, Counter[str]] = field(default_factory=lambda: defaultdict(Counter))
    totals: Counter[str] = field(default_factory=Counter)
    """How often each answer was given, over all models."""

    def ranked(self) -> list[str]:
        """Return the key, then the other answers by how often they were given."""
        others = [(answer, n) for answer, n in self.totals.items() if answer != KEY]
        return [KEY, *(answer for answer, _ in sorted(others, key=lambda pair: (-pair[1], pair[0])))]


@dataclass(frozen=True, slots=True, kw_only=True)
class KeyDoubt:
    """The posterior probability that a task's key is wrong, and why in words."""

    task: int
    probability: float
    reasons: tuple[str, ...]


def asked_by_task(answers: Answers) -> dict[int, Asked]:
    """Return what was answered to each task, passes under one name."""
    found: dict[int, Asked] = defaultdict(Asked)
    for i, answer in enumerate(answers.answer):
        asked = found[int(answers.task[i])]
        asked.key = answers.expected[i]
        passed, count = int(answers.passed[i]), int(answers.count[i])
        tally = asked.by_subject[int(answers.subject[i])]
        if passed:
            tally[KEY] += passed
            asked.totals[KEY] += passed
        if count > passed:
            form = " ".join(answer.casefold().split())
            asked.wording.setdefault(form, answer)
            tally[form] += count - passed
            asked.totals[form] += count - passed
    return found


def options_of(answers: Answers) -> int:
    """Return how many answers a task can have: the distinct keys where they are few and recur, else a stated number."""
    keys = Counter(dict(zip(answers.task.tolist(), answers.expected, strict=True)).values())
    is_choice = 2 <= len(keys) <= _MOST_CHOICES and sum(keys.values()) >= 5 * len(keys)
    return max(3, len(keys)) if is_choice else _OPEN_OPTIONS


def key_doubts(observed: Observed) -> tuple[list[KeyDoubt], str]:
    """Return the doubt of each task that some answer contradicts, and how it was made or why it was not."""
    if observed.answers is None:
        return [], "answers not measured: no rollout records both an answer and a key"
    asked = asked_by_task(observed.answers)
    models = len(np.unique(observed.answers.subject))
    if models < FEWEST_MODELS:
        return [], f"answers not measured: {models} of at least {FEWEST_MODELS} models record answers"
    tasks = sorted(asked)
    patterns, pattern_of = _patterns(observed, asked, tasks, options_of(observed.answers))
    belief = believe(patterns)
    doubts = [
        KeyDoubt(task=task, probability=float(1 - belief.truth[row, 0]) if belief.truth[row, 0] < 0.5
                 else float(belief.truth[row, 1:].sum()), reasons=_reasons(observed, asked[task]))
        for task, row in zip(tasks, pattern_of, strict=True) if any(answer != KEY for answer in asked[task].totals)
    ]  # fmt: skip
    return doubts, (
        f"posterior probability that the key is wrong, from the answers of {models} models weighted by skill (latent "
        f"truth, item response, Polya misses); fitted share of wrong keys {belief.key_wrong:.1%}"
    )


def _patterns(
    observed: Observed, asked: dict[int, Asked], tasks: list[int], options: int
) -> tuple[Patterns, list[int]]:
    """Return the distinct patterns, and the pattern of each task."""
    width = len(observed.subjects)
    rows: dict[bytes, int] = {}
    agreeing, present, counts, members = [], [], [], []
    for task in tasks:
        ranked = asked[task].ranked()
        table = np.zeros((width, len(ranked)))
        for subject, tally in asked[task].by_subject.items():
            table[subject] = [tally[answer] for answer in ranked]
        order = [0, *(1 + np.lexsort((*table[::-1, 1:], -table[:, 1:].sum(axis=0))))]
        table = table[:, order]
        key = table.tobytes()
        if key not in rows:
            rows[key] = len(rows)
            kept = np.zeros((_HYPOTHESES, width))
            kept[: min(_HYPOTHESES, table.shape[1])] = table[:, :_HYPOTHESES].T
            agreeing.append(kept)
            present.append([float(h < table.shape[1]) for h in range(_HYPOTHESES)])
            counts.append(table)
        members.append(rows[key])
    option_pattern = np.repeat(np.arange(len(counts)), [table.shape[1] for table in counts])
    option_count = np.concatenate([table.sum(axis=0) for table in counts])
    return Patterns(
        agreeing=np.stack(agreeing), answers=np.stack([table.sum(axis=1) for table in counts]),
        present=np.array(present), option_pattern=option_pattern[option_count > 0],
        option_count=option_count[option_count > 0], tasks=np.bincount(members).astype(np.float64), options=options,
    ), members  # fmt: skip


def _reasons(observed: Observed, asked: Asked) -> tuple[str, ...]:
    """Return what the models answer, in words with figures."""
    total = sum(asked.totals.values())
    other, agreeing = max(((a, n) for a, n in asked.totals.items() if a != KEY), key=lambda pair: (pair[1], pair[0]))
    missed = total - asked.totals[KEY]
    wording = _short(asked.wording[other])
    named = [observed.subjects[s].label for s, tally in sorted(asked.by_subject.items()) if tally[other] > tally[KEY]]
    reasons = [f"{agreeing} of {total} answers agree on `{wording}`; the key is `{_short(asked.key)}`",
               f"{missed} of {total} answers miss the key"]  # fmt: skip
    if named:
        reasons.append(f"models that prefer `{wording}`: {', '.join(named[:4])}"
                       + (f" and {len(named) - 4} more" if len(named) > 4 else ""))  # fmt: skip
    return tuple(reasons)


def _short(text: str) -> str:
    return text if len(text) <= 60 else text[:57] + "..."
