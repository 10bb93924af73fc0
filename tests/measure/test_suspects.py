"""Planted wrong keys and broken graders are found, and honest hard tasks are not accused."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest
from tests.measure.observing import integers, observed_of

from fairtrial.ledger.observed import Answers, Checks, Observed
from fairtrial.measure.suspects import suspects_of
from fairtrial.measure.suspects.answers import asked_by_task, key_doubts, options_of
from fairtrial.measure.tables import counts_by_subject

Rows = list[tuple[int, int, str, str]]
"""(model, task, answer, key)."""


def observed_from(rows: Rows, models: int, tasks: int) -> Observed:
    names = [f"t{i:04d}" for i in range(tasks)]
    tally = {(m, t): [0, 0] for m, t, _, _ in rows}
    for m, t, answer, key in rows:
        tally[(m, t)][int(answer != key)] += 1
    counts = {f"m{m}": {names[t]: tuple(tally[(m, t)]) for t in range(tasks) if (m, t) in tally} for m in range(models)}
    answers = Answers(
        subject=integers([row[0] for row in rows]), task=integers([row[1] for row in rows]),
        answer=tuple(row[2] for row in rows), expected=tuple(row[3] for row in rows),
        count=integers([1] * len(rows)), passed=integers([int(row[2] == row[3]) for row in rows]),
    )  # fmt: skip
    return observed_of(counts, answers=answers)


def planted(models: int, tasks: int, wrong: int, seed: int) -> Rows:
    """Return answers to choices A to D of models of mixed skill; the keys of the first `wrong` tasks are wrong."""
    generator = np.random.default_rng(seed)
    skill, ease = np.linspace(0.3, 2.0, models), generator.normal(1.0, 1.5, tasks)
    rows: Rows = []
    for t in range(tasks):
        truth, lure, key = generator.choice(4, size=3, replace=False)
        shown = "ABCD"[key if t < wrong else truth]
        for m in range(models):
            knows = generator.random() < 1 / (1 + np.exp(-(skill[m] + ease[t])))
            miss = lure if generator.random() < 0.6 else generator.choice([i for i in range(4) if i != truth])
            rows.append((m, t, "ABCD"[truth if knows else miss], shown))
    return rows


def test_planted_wrong_keys_lead_the_list() -> None:
    observed = observed_from(planted(10, 600, 15, seed=1), 10, 600)
    suspects, how = suspects_of(observed, counts_by_subject(observed))
    assert "share of wrong keys" in how
    scores = [suspect.score for suspect in suspects]
    assert scores == sorted(scores, reverse=True)
    assert all(0 <= score <= 1 for score in scores)
    first = {suspect.task for suspect in suspects[:15]}
    assert sum(f"t{i:04d}" in first for i in range(15)) >= 11


def test_a_clean_suite_has_few_likely_suspects() -> None:
    observed = observed_from(planted(10, 600, 0, seed=2), 10, 600)
    doubts, _ = key_doubts(observed)
    assert sum(doubt.probability > 0.9 for doubt in doubts) <= 3


def test_agreement_of_the_skilled_weighs_more_than_that_of_the_rest() -> None:
    rows = [(m, t, "A" if (m < 4 or t % 3) else "B", "A") for m in range(8) for t in range(200)]
    rows += [(m, 200, "C" if m < 4 else "A", "A") for m in range(8)]
    rows += [(m, 201, "C" if m >= 4 else "A", "A") for m in range(8)]
    doubts = {doubt.task: doubt.probability for doubt in key_doubts(observed_from(rows, 8, 202))[0]}
    assert doubts[200] > 10 * doubts[201]


def test_reasons_give_figures_and_the_wording_as_given() -> None:
    rows = [(m, t, "Yes", "Yes") for m in range(4) for t in range(30)] + [
        (m, 30, "Nine  Lives", "Cat") for m in range(4)
    ]
    suspects, _ = suspects_of(observed := observed_from(rows, 4, 31), counts_by_subject(observed))
    assert suspects[0].task == "t0030"
    assert suspects[0].reasons[0] == "4 of 4 answers agree on `Nine  Lives`; the key is `Cat`"


def test_answers_graded_as_passed_count_as_the_key_however_they_are_written() -> None:
    answers = Answers(subject=integers([0, 1]), task=integers([0, 0]), answer=("0.5", "1/2"), expected=("1/2", "1/2"),
                      count=integers([1, 1]), passed=integers([1, 1]))  # fmt: skip
    assert asked_by_task(answers)[0].ranked() == ["\0key"]


def test_choices_are_told_from_open_answers() -> None:
    choice = Answers(subject=integers([0] * 40), task=integers(list(range(40))), answer=("A",) * 40,
                     expected=tuple("ABCD" * 10), count=integers([1] * 40), passed=integers([0] * 40))  # fmt: skip
    assert options_of(choice) == 4
    open_ = Answers(subject=choice.subject, task=choice.task, answer=choice.answer, count=choice.count,
                    passed=choice.passed, expected=tuple(f"answer {i}" for i in range(40)))  # fmt: skip
    assert options_of(open_) == 20


def test_two_models_are_too_few_and_that_is_said() -> None:
    doubts, how = key_doubts(observed_from([(0, 0, "A", "B"), (1, 0, "A", "B")], 2, 1))
    assert doubts == []
    assert "not measured: 2 of at least 3 models" in how


def test_a_reversed_task_is_suspected_without_answers() -> None:
    tasks = {f"t{i}": (8, 2) for i in range(30)}
    weak = {f"t{i}": (2, 8) for i in range(30)}
    observed = observed_of({"strong": tasks | {"odd": (0, 10)}, "weak": weak | {"odd": (10, 0)}})
    suspects, how = suspects_of(observed, counts_by_subject(observed))
    assert [suspect.task for suspect in suspects] == ["odd"]
    assert "the weaker models pass 10 of 10, the stronger 0 of 10" in suspects[0].reasons[0]
    assert "answers not measured" in how


def test_a_check_that_nobody_passes_is_suspected_and_a_hard_task_is_not() -> None:
    counts = {"m": {"broken": (0, 20), "hard": (0, 20), "fine": (20, 0)}}
    checks = Checks(
        subject=integers([0] * 6), task=integers([0, 0, 0, 2, 2, 1]), name=("a", "b", "dead", "a", "b", "a"),
        n=integers([20] * 6), passed=integers([20, 19, 0, 1, 0, 20]),
    )  # fmt: skip
    observed = observed_of(counts, checks=checks)
    suspects, _ = suspects_of(observed, counts_by_subject(observed))
    assert [suspect.task for suspect in suspects] == ["broken"]
    assert "check `dead` fails in all 20 rollouts, the other checks pass 39 of 40" in suspects[0].reasons[0]


def test_the_wrong_keys_of_a_public_benchmark_are_found() -> None:
    source = Path(__file__).resolve().parents[3] / "shared/data/mmlu_redux/items.jsonl"
    if not source.exists():
        pytest.skip(f"{source.name}: shared data are not here")
    items = [json.loads(line) for line in source.read_text().splitlines()]
    models = sorted(items[0]["preds"])
    keys = ["ABCD"[int(item["gold"])] if item["gold"].isdigit() else item["gold"] for item in items]
    rows = [(m, i, item["preds"][name], keys[i])
            for i, item in enumerate(items) for m, name in enumerate(models) if item["preds"][name]]  # fmt: skip
    doubts, _ = key_doubts(observed_from(rows, len(models), len(items)))
    score = np.zeros(len(items))
    score[[doubt.task for doubt in doubts]] = [doubt.probability for doubt in doubts]
    wrong = np.array([item["error_type"] == "wrong_groundtruth" for item in items])
    order = np.argsort(-score, kind="stable")
    assert wrong[order[: wrong.sum()]].mean() >= 0.45
    above = (score[wrong][:, None] > score[~wrong]).mean() + 0.5 * (score[wrong][:, None] == score[~wrong]).mean()
    assert above >= 0.905
