"""Say whether calls written for one signature can be made on another, and how alike two definitions are.

A score is a weighted mean of what can be compared: name, parameters, syntax, module, docstring, answers on probes. It
knows nothing of the tests' outcomes.
"""

from __future__ import annotations

import difflib
import math
from collections.abc import Iterable, Mapping

from fairtrial.checks.code.adapting.definitions import Definition, Signature, words_of
from fairtrial.checks.code.adapting.needs import Call

WEIGHTS = {"name": 3.0, "parameters": 2.0, "syntax": 2.0, "module": 1.0, "docstring": 1.0, "answers": 6.0}
ALIKE = 0.6


def renamed(theirs: Signature, ours: Signature) -> dict[str, str]:
    """Return parameter of `theirs` -> parameter of `ours`: same names, then alike ones, then by place.

    >>> renamed(Signature(("rate", "years"), 2), Signature(("interest_rate", "years"), 2))
    {'years': 'years', 'rate': 'interest_rate'}
    """
    found = {name: name for name in theirs.names if name in ours.names}
    left = [name for name in theirs.names if name not in found]
    free = [name for name in ours.names if name not in found]
    for score, was, now in sorted(((alike(a, b), a, b) for a in left for b in free), reverse=True):
        if score >= ALIKE and was not in found and now in free:
            found[was] = now
            free.remove(now)
    left = [name for name in left if name not in found]
    if len(left) == len(free):
        found |= dict(zip(left, free, strict=True))
    return found


def is_reordered(theirs: Signature, ours: Signature) -> bool:
    """Say whether the same parameters come by place in another order."""
    names = renamed(theirs, ours)
    places = [names.get(name) for name in theirs.names[: theirs.by_place]]
    return places != list(ours.names[: len(places)]) and set(places) == set(ours.names[: len(places)])


def fits(calls: Iterable[Call], theirs: Signature, ours: Signature) -> bool:
    """Say whether every call written for `theirs` can be made on `ours`, parameters renamed."""
    names = renamed(theirs, ours)
    order = [names.get(name, name) for name in theirs.names] if is_reordered(theirs, ours) else list(ours.names)
    return all(call.is_open or _fits(call, ours, names, order) for call in calls)


def _fits(call: Call, ours: Signature, names: Mapping[str, str], order: list[str]) -> bool:
    if call.by_place > ours.by_place and not ours.takes_more:
        return False
    keywords = {names.get(name, name) for name in call.keywords}
    given = set(order[: call.by_place]) | keywords
    known = keywords <= set(ours.names) or ours.takes_any
    return known and len(keywords) == len(call.keywords) and ours.required <= given


def score(theirs: Definition, ours: Definition, answers: float | None = None) -> float:
    """Return how alike two definitions are, in [0, 1]; `answers` is the share of probes that both answer alike."""
    parts = {
        "name": alike(theirs.name.rpartition(".")[2], ours.name.rpartition(".")[2]),
        "parameters": _parameters(theirs.signature, ours.signature),
        "syntax": _cosine(theirs.shape, ours.shape),
        "module": alike(theirs.module, ours.module),
    }
    if theirs.words and ours.words:
        parts["docstring"] = len(theirs.words & ours.words) / len(theirs.words | ours.words)
    if answers is not None:
        parts["answers"] = answers
    return round(sum(WEIGHTS[part] * value for part, value in parts.items()) / sum(WEIGHTS[part] for part in parts), 4)


def alike(one: str, other: str) -> float:
    """Return how alike two names are, in [0, 1], by their words and by their letters.

    >>> alike("minutes_taken", "takenMinutes"), alike("merge", "merged"), alike("merge", "draw")
    (1.0, 0.9091, 0.1111)
    """
    a, b = set(words_of(one)), set(words_of(other))
    shared = sum(1 for word in a if word in b) + sum(0.8 for word in a - b if any(_same_stem(word, w) for w in b - a))
    by_words = 2 * shared / (len(a) + len(b)) if a or b else 0.0
    letters = difflib.SequenceMatcher(None, one.lower(), other.lower(), autojunk=False).ratio()
    return round(max(by_words, letters if letters > 0.7 else letters / 2), 4)


def _same_stem(one: str, other: str) -> bool:
    short = min(len(one), len(other))
    return short >= 4 and one[: max(4, short - 2)] == other[: max(4, short - 2)]


def _parameters(theirs: Signature, ours: Signature) -> float:
    if not theirs.names and not ours.names:
        return 1.0
    names = renamed(theirs, ours)
    pairs = sum(max(0.4, alike(was, now)) for was, now in names.items())
    return 2 * pairs / (len(theirs.names) + len(ours.names))


def _cosine(one: Mapping[str, int], other: Mapping[str, int]) -> float:
    dot = sum(count * other.get(name, 0) for name, count in one.items())
    size = math.sqrt(sum(n * n for n in one.values()) * sum(n * n for n in other.values()))
    return dot / size if size else 0.0
