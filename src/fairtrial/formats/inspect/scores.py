"""Which of a sample's scores is the verdict, and what its value says.

The score that counts is the one that `--columns score=SCORER` or `score=SCORER/KEY` names, else the log's declared
headline metric, else that of the log's first scorer, as in Inspect's own listings. "C" and true are 1, "I", "N" and
false 0, "P" one half; a number is taken as it is in [0, 1] and passes at 1. Ungraded: NaN or null, which is Inspect's
mark of what was not scored (with the reason that the scorer gave), what lies outside [0, 1] (every number of a log
whose mean does), what is no number, and a scorer of several values none of which is named. The other scorers, and the
other values, are checks where they can be.
"""

from __future__ import annotations

import math
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from fairtrial.records import CheckResult, storable

_NOISE = 1e-9
FULL = 1 - _NOISE
SEVERAL, OUT_OF_RANGE = "several_values", "score_out_of_range"
_MEANS = frozenset({"mean", "accuracy"})
"""Metrics that lie in [0, 1] where every score does."""
_WORDS = {"C": 1.0, "I": 0.0, "P": 0.5, "N": 0.0}
_LOWER_WORDS = {"yes": 1.0, "true": 1.0, "no": 0.0, "false": 0.0}
PLACEHOLDER = "88F74D2C"
"""Stands for the scorer where a sample of 2024 had a single one and did not name it."""
_MOST_NAME = 60


@dataclass(frozen=True, slots=True)
class Graded:
    """What the scorers said of a sample."""

    scorer: str
    """Name of the score that counts, `SCORER` or `SCORER/KEY`; empty where nobody scored."""
    score: float | None
    reason: str
    """Why there is no score; empty where there is one."""
    checks: tuple[CheckResult, ...] = ()
    told: Mapping[str, Any] | None = None
    """The score as the log has it: value, answer, explanation, ..."""
    value: Any = None
    """What counts of it, as recorded."""


@dataclass(frozen=True, slots=True)
class Choice:
    """The score that counts in a log."""

    scorer: str
    """Empty where the log names no scorer: then it is a sample's first."""
    key: str = ""
    names: tuple[str, ...] = ()
    """The scorers that the log names."""
    is_asked: bool = False
    """Somebody asked for this one: no other will do."""
    is_first: bool = False
    """Nobody asked for it, nor declared it."""
    is_other_scale: bool = False
    """Its mean over the log lies outside [0, 1]: then the number 1 is no pass, and 0 need be no fail."""

    @classmethod
    def of(cls, header: Mapping[str, Any], wanted: str) -> Choice:
        """Choose by what was asked for, the log's headline, or its order. Raise LookupError for a scorer not there."""
        names = tuple(_scorers(header))
        if wanted:
            scorer = next((name for name in names if wanted == name or wanted.startswith(f"{name}/")), "")
            if names and not scorer:
                raise LookupError(", ".join(names))
            scorer = scorer or wanted.partition("/")[0]
            key = wanted.removeprefix(scorer).removeprefix("/")
            return cls(scorer, key, names, is_asked=True, is_other_scale=_is_other_scale(header, scorer, key))
        declared = _headline(header)
        scorer, key = declared or (names[0] if names else "", "")
        return cls(scorer, key, names, is_first=declared is None, is_other_scale=_is_other_scale(header, scorer, key))

    def graded(self, scores: Mapping[str, Any]) -> Graded:
        """Return the verdict of a sample's scores."""
        told = {self._name(name): score for name, score in scores.items() if isinstance(score, dict)}
        is_known = self.is_asked or self.scorer in told or bool(set(self.names) & set(told))
        scorer = self.scorer if is_known else next(iter(told), "")
        found = told.get(scorer)
        if found is None:
            return Graded(scorer or self.scorer, None, "score_missing", tuple(_checks(told, "", "")))
        value, key = found.get("value"), self.key
        if isinstance(value, dict) and not key and len(value) == 1:
            key = next(iter(value))
        name = f"{scorer}/{key}" if key else scorer
        is_there = not key or (isinstance(value, dict) and key in value)
        if key:
            value = value[key] if isinstance(value, dict) and key in value else None
        score, reason = number_of(value) if is_there else (None, "score_missing")
        if self.is_other_scale and scorer == self.scorer and score is not None and value not in _WORDS:
            score, reason = None, OUT_OF_RANGE
        if reason == "unscored":
            reason = _said_reason(found)
        return Graded(name, score, reason, tuple(_checks(told, scorer, key)), found, value)

    def _name(self, name: str) -> str:
        return self.scorer if name == PLACEHOLDER and self.scorer else name


def number_of(value: Any) -> tuple[float | None, str]:
    """Return a value in [0, 1], or why there is none.

    >>> [number_of(value) for value in ("C", "P", True, 0.25, "1.0")]
    [(1.0, ''), (0.5, ''), (1.0, ''), (0.25, ''), (1.0, '')]
    >>> [number_of(value)[1] for value in (float("nan"), None, 7, "good", [1, 0])]
    ['unscored', 'unscored', 'score_out_of_range', 'score_not_a_number', 'several_values']
    """
    if isinstance(value, str):
        value = _WORDS.get(value, _LOWER_WORDS.get(value.lower(), value))
    if value is None or (isinstance(value, float) and math.isnan(value)):
        return None, "unscored"
    if isinstance(value, list | dict):
        return None, SEVERAL
    try:
        number = float(value)
    except (ValueError, OverflowError):
        return None, "score_not_a_number"
    if math.isnan(number):
        return None, "unscored"
    return (number, "") if 0 <= number <= 1 else (None, OUT_OF_RANGE)


def reason_of(text: str, otherwise: str) -> str:
    """Return a name or a message as a reason: its first word in lower case.

    >>> reason_of("RateLimitError('slow down')", "error"), reason_of("grader failed", "error"), reason_of("?", "error")
    ('rate_limit_error', 'grader_failed', 'error')
    """
    word = re.match(r"[A-Za-z_][A-Za-z0-9_. ]*", text)
    name = word.group().strip().rpartition(".")[2] if word else ""
    split = re.sub(r"(?<=[a-z0-9])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])", "_", name)
    return re.sub(r"\W+", "_", split).strip("_").lower()[:_MOST_NAME] or otherwise


def _said_reason(score: Mapping[str, Any]) -> str:
    said = score.get("reason") or _inner(score, "metadata").get("unscored_reason")
    return reason_of(said, "unscored") if isinstance(said, str) else "unscored"


def _checks(told: Mapping[str, Mapping[str, Any]], scorer: str, key: str) -> Iterator[CheckResult]:
    """Yield the scores that do not count and are in [0, 1], or were to be scored and were not, each under its name."""
    for name, score in told.items():
        value = score.get("value")
        values: Sequence[tuple[str, Any]] = [(name, value)]
        if isinstance(value, dict):
            values = [(f"{name}/{inner}", found) for inner, found in value.items() if (name, inner) != (scorer, key)]
        elif isinstance(value, list):
            values = [(f"{name}/{number}", found) for number, found in enumerate(value)]
        elif name == scorer:
            continue
        for label, found in values:
            number, reason = number_of(found)
            if number is not None:
                yield CheckResult(storable(label), "passed" if number >= FULL else "failed")
            elif reason == "unscored":
                yield CheckResult(storable(label), "broken", _said_reason(score))


def _headline(header: Mapping[str, Any]) -> tuple[str, str] | None:
    """Return scorer and key of the headline that the task declares, None where it declares none that the log has.

    The fields that are set narrow the results one after the other, as Inspect does; what fits none counts for nothing.
    Before there are results, scorer and key are taken at their word.
    """
    declared, found = _inner(_inner(header, "eval"), "headline_metric"), _results(header)
    if not any(declared.get(name) for name in ("scorer", "score", "metric", "reducer")):
        return None
    if not found:
        scorer = str(declared.get("scorer") or "")
        key = str(declared.get("score") or "")
        return (scorer, key if key != scorer else "") if scorer in tuple(_scorers(header)) else None
    declared = _inner(_inner(header, "results"), "headline") or declared
    for field, name in (("reducer", "reducer"), ("scorer", "scorer"), ("name", "score")):
        if wanted := declared.get(name):
            found = [one for one in found if one.get(field) == wanted]
    if metric := declared.get("metric"):
        found = [one for one in found if metric in _inner(one, "metrics")]
    if not found:
        return None
    scorer, key = str(found[0].get("scorer") or found[0].get("name") or ""), str(found[0].get("name") or "")
    return scorer, key if key != scorer else ""


def _is_other_scale(header: Mapping[str, Any], scorer: str, key: str) -> bool:
    """Say whether a mean of these scores lies outside [0, 1], so that at least one of them does."""
    means = [
        metric.get("value") for one in _results(header)
        if (one.get("scorer") or one.get("name")) == scorer and (not key or one.get("name") == key)
        for name, metric in _inner(one, "metrics").items() if name in _MEANS and isinstance(metric, dict)
    ]  # fmt: skip
    return any(isinstance(mean, int | float) and (mean < -_NOISE or mean > 1 + _NOISE) for mean in means)


def _scorers(header: Mapping[str, Any]) -> Iterator[str]:
    """Yield the scorers' names, as samples use them: those that results were computed for, else those declared."""
    found = [result.get("scorer") or result.get("name") for result in _results(header)]
    if not found:
        declared = _inner(header, "eval").get("scorers")
        found = [one.get("name") for one in declared if isinstance(one, dict)] if isinstance(declared, list) else []
        found = [name.rpartition("/")[2] for name in found if isinstance(name, str)]
    yield from dict.fromkeys(name for name in found if isinstance(name, str))


def _results(header: Mapping[str, Any]) -> list[Mapping[str, Any]]:
    found = _inner(header, "results").get("scores")
    return [one for one in found if isinstance(one, dict)] if isinstance(found, list) else []


def _inner(content: Mapping[str, Any], name: str) -> Mapping[str, Any]:
    found = content.get(name)
    return found if isinstance(found, dict) else {}
