"""The reward of text tasks for verl: the same as `fairtrial`'s own grader gives. This file stands alone.

    reward.custom_reward_function.path=.../reward.py  reward.custom_reward_function.name=compute_score

An answer of kind `exact` needs nothing but this file. Any other kind (`number`, `money`, `set`, ...) is compared by
fairtrial, which then must be installed where verl's reward workers run. A reward that cannot be computed raises: a
grader that broke is no answer that failed.
"""

from __future__ import annotations

import importlib
from collections.abc import Mapping
from typing import Any


def compute_score(
    data_source: str, solution_str: str, ground_truth: str, extra_info: Mapping[str, Any] | None = None
) -> float:
    """Return 1.0 where the completion's answer is the right one, else 0.0.

    `extra_info` says how they are compared (`kind`) and which part of the completion is the answer (`part`).

    >>> compute_score("sorting", " 1349 ", "1349"), compute_score("sorting", "1394", "1349")
    (1.0, 0.0)
    """
    told = extra_info or {}
    kind, part = told.get("kind") or "exact", told.get("part") or "whole"
    answer = _answer(solution_str, part)
    if kind == "exact":
        return float(answer == ground_truth.strip())
    return float(_compared(data_source, kind)(ground_truth, answer, kind).equivalent)


def _answer(completion: str, part: str) -> str:
    text = completion.strip()
    if part == "whole":
        return text
    pieces = text.split() if part == "first_word" else text.splitlines()
    if not pieces:
        return text
    return pieces[-1 if part == "last_line" else 0].strip()


def _compared(data_source: str, kind: str) -> Any:
    try:
        return importlib.import_module("fairtrial.compare").equivalent
    except ImportError as error:
        raise RuntimeError(
            f"answers of `{data_source}` are of kind `{kind}`, which fairtrial compares: "
            "install fairtrial where the reward is computed"
        ) from error
