"""`fairtrial aggregate`: turn check results into a score by a grading.toml, of one rollout or of many."""

from __future__ import annotations

import math
from pathlib import Path
from typing import Annotated, Any

import typer

from fairtrial.cli.aggregate_page import tree
from fairtrial.cli.aggregate_rows import Rollouts, read_results, score_rollouts
from fairtrial.cli.output import DOES_NOT_HOLD, HOLDS, NOT_MEASURED, JsonFlag, note, print_document, print_whole, stdout
from fairtrial.grade import Rules, Score, aggregate, read_rules
from fairtrial.grade.reward import differs
from fairtrial.records import InputError

app = typer.Typer(add_completion=False, pretty_exceptions_enable=False)


@app.command()
def aggregate_(
    grading: Annotated[Path, typer.Option("--grading", help="grading.toml with the roles, workflows and weights.")],
    checks: Annotated[
        Path, typer.Option("--checks", help="JSON object: check -> true, false or null; or JSONL, one rollout a line.")
    ],
    reward: Annotated[
        float | None, typer.Option("--reward", help="What the grader wrote; exit 1 where the score is another.")
    ] = None,
    explain: Annotated[bool, typer.Option("--explain", help="Show the tree of workflows and checks.")] = False,
    as_json: JsonFlag = False,
) -> None:
    """Say what the check results in --checks add up to by the rules in --grading."""
    if reward is not None and not math.isfinite(reward):
        raise InputError(f"{reward} is no reward", field="--reward")
    rules = read_rules(grading)
    results = read_results(checks, rules)
    if isinstance(results, Rollouts):
        if explain or reward is not None:
            raise InputError("speaks of one rollout, and this file holds many", field="--explain" if explain else
                             "--reward", hint="Give its reward in the key `reward` of each line.")  # fmt: skip
        raise typer.Exit(_many(rules, results, as_json))
    score = aggregate(rules, results)
    if as_json:
        print_document(score.document() | _compared(reward, score))
    else:
        _print(score)
        if explain:
            print_whole(tree(rules, score))
    raise typer.Exit(_exit_code(score, reward))


def _compared(reward: float | None, score: Score) -> dict[str, Any]:
    return {} if reward is None else {"reward_written": reward, "reward_differs": differs(reward, score.score)}


def _exit_code(score: Score, reward: float | None) -> int:
    if differs(reward, score.score):
        note(f"lead: the grader wrote {reward:g}, its grading.toml makes {score.score:g} of the same checks")
        return DOES_NOT_HOLD
    if score.score is None:
        note(f"error: not measured, as there is no result of {', '.join(score.not_measured)}")
        return NOT_MEASURED
    return HOLDS


def _print(score: Score) -> None:
    reached = "not measured" if score.score is None else f"{score.score:.4f}"
    correct = {True: "correct", False: "not correct", None: "not known to be correct"}[score.correct]
    per_check = "" if score.per_check is None else f"; {score.per_check:.4f} per check"
    stdout.print(f"score {reached}, {correct}{per_check}", markup=False)
    for names, what in ((score.gates_broken, "gate broken"), (score.blockers_failed, "blocker failed"),
                        (score.not_measured, "not measured"), (score.awaits_group, "told in a group")):  # fmt: skip
        for name in names:
            stdout.print(f"  {what}: {name}", markup=False)


def _many(rules: Rules, rollouts: Rollouts, as_json: bool) -> int:
    """Print the scores of many rollouts, and return the exit code."""
    document = score_rollouts(rules, rollouts)
    lacking, differing = document["not_measured"], document["rewards_differ"]
    if as_json:
        print_document(document)
    else:
        mean = "not measured" if document["mean_score"] is None else f"{document['mean_score']:.4f}"
        stdout.print(f"{document['rollouts']} rollouts in {document['groups']} groups: mean score {mean}, "
                     f"{document['correct']} correct, {lacking} not measured", markup=False)  # fmt: skip
    if differing:
        note(f"lead: of {differing} rollouts the grader wrote another reward than its grading.toml makes")
        return DOES_NOT_HOLD
    if lacking:
        note(f"note: {lacking} of {document['rollouts']} rollouts have no score, as checks or values are lacking")
    return NOT_MEASURED if lacking == document["rollouts"] else HOLDS
