"""Claims: the titles of the page, made by rules from the figures. Each says no more than its interval allows.

One function a claim, pure, from counts and estimates to a sentence without its full stop where it is a title. Words for
fractions come from `words`, numbers from `numbers`. Never praises, never grades, never calls unmeasured things clean.
Does not cover: the verdict's own sentence (`verdict_claims`).
"""

from __future__ import annotations

from collections.abc import Sequence

from fairtrial.measure.result import Bins, Consistency, FrontPoint, ModelFigures, Outage, Suspect
from fairtrial.records import Estimate
from fairtrial.report.numbers import count, of, percent, percent_number, rounded, share_with_interval
from fairtrial.report.words import capital, count_word, listed, plural, verb, visible

_ALPHA = 0.05
_MANY_TASKS = 30
_NARROW = 0.25


def name_of(figures: ModelFigures) -> str:
    """Return the model's name, safe to print."""
    return visible(figures.model)


def supports_words(estimate: Estimate) -> bool:
    """Say whether an estimate is sure enough for a fraction in words: 30 units or more, interval under 25 points."""
    if estimate.value is None or estimate.low is None or estimate.high is None:
        return False
    return estimate.n >= _MANY_TASKS and estimate.high - estimate.low <= _NARROW


def findings_claim(proofs: int, leads: int, probed: bool) -> str:
    """Say how many findings there are; without any probe, that none was looked for."""
    if not proofs and not leads:
        return "No probe raised a finding" if probed else "No probe was run, so no finding could be raised"
    said = []
    if proofs:
        said.append(f"{capital(count_word(proofs))} {verb(proofs, 'finding is a proof', 'findings are proofs')}")
    if leads:
        word = count_word(leads) if proofs else capital(count_word(leads))
        deserves = verb(leads, "lead deserves a look", "leads deserve a look")
        said.append(f"{word} {deserves}")
    return "; ".join(said)


def proof_claim(proven: int, refuted: int, inconclusive: int) -> str:
    """Say what became of the graders that were put to the proof."""
    total = proven + refuted + inconclusive
    if total == 0:
        return "No grader has been put to the proof"
    if proven == total:
        return "The one grader is proven" if total == 1 else f"All {count(total)} graders are proven"
    counts = ((proven, "proven"), (refuted, "refuted"), (inconclusive, "inconclusive"))
    said = [f"{count(number)} {verb(number, 'is', 'are')} {word}" for number, word in counts if number]
    return f"Of {plural(total, 'grader')}, {listed(said)}"


def difficulty_claim(figures: ModelFigures) -> str:
    """Say how the tasks of one model spread between never and always passed."""
    band, tasks, model = figures.band, figures.tasks, name_of(figures)
    if tasks == 0:
        return f"No task of {model} has a graded attempt"
    if band.never == tasks:
        return (
            f"{model} passed {verb(tasks, 'the one task', f'none of {count(tasks)} tasks')}"
            if tasks > 1
            else f"{model} never passed the one task"
        )
    if band.always == tasks:
        return f"{model} always passed {verb(tasks, 'the one task', f'all {count(tasks)} tasks')}"
    if band.share.value is None:
        return f"{model} passes {of(band.always, tasks)} tasks at one attempt each; its training band is not measured"
    certain = band.never + band.always
    if certain == 0:
        return f"{model} sometimes passes and sometimes fails every one of {plural(tasks, 'task')}"
    return (
        f"{of(certain, tasks)} tasks are never or always passed by {model}; "
        f"{count(band.inside)} {verb(band.inside, 'lies', 'lie')} in its training band"
    )


def models_claim(models: Sequence[ModelFigures]) -> str:
    """Say whether the best score and the fullest training band belong to one model."""
    if not models:
        return "No model was measured"
    if len(models) == 1:
        return f"{name_of(models[0])} passes {share_with_interval(models[0].pass_rate)}"
    best = max(models, key=lambda m: m.pass_rate.value or 0.0)
    most = max(m.band.inside for m in models)
    fullest = [m for m in models if m.band.inside == most]
    if all(m.band.share.value is None for m in models):
        return f"{name_of(best)} has the highest observed pass rate; no training band is measured"
    if most == 0:
        return "No model has a task in its training band"
    if best in fullest:
        return f"{name_of(best)} has the highest observed pass rate, and no model has more tasks in its band"
    if _apart(best.band.share, fullest[0].band.share):
        return "The highest pass rate does not come with the most tasks in the training band"
    return (
        f"{name_of(best)} has the highest observed pass rate, {name_of(fullest[0])} the most tasks in its band; "
        "the band intervals overlap"
    )


def reliability_claim(figures: ModelFigures) -> str:
    """Say what a model solves in k tries and in all of k, at the largest k that every task allows."""
    at, hat, model = figures.pass_at_k, figures.pass_hat_k, name_of(figures)
    k = widest_k(figures)
    if k == 0:
        return f"{model} has no graded attempt"
    tasks = at.tasks[at.k.index(k)]
    over = "tasks" if tasks == figures.tasks else f"the {count(tasks)} tasks with {count_word(k)} graded attempts"
    if k == 1:
        return f"{model} has one graded attempt at most tasks, so its reliability is not measured"
    solved, held = at.value[at.k.index(k)], hat.value[hat.k.index(k)]
    same = rounded(solved, 3) == rounded(held, 3)
    tries, other = count_word(k), "the same" if same else percent(held)
    return f"{model} solves {percent(solved)} of {over} in {tries} tries, and {other} in all {tries}"


def widest_k(figures: ModelFigures) -> int:
    """Return the largest k at which both curves still average half of the tasks or more; 0 without a curve."""
    whole = [
        k
        for k, tasks in zip(figures.pass_at_k.k, figures.pass_at_k.tasks, strict=True)
        if 2 * tasks >= figures.tasks and k in figures.pass_hat_k.k
    ]
    return max(whole, default=0)


def gradient_claim(figures: ModelFigures) -> str:
    """Say what share of groups would teach a model something."""
    gradient = figures.gradient
    if gradient.posterior.value is None:
        return f"The informative share of groups was not measured for {name_of(figures)}"
    share = share_with_interval(gradient.posterior)
    return f"At G = {gradient.group_size}, {name_of(figures)} gets gradient from {share} of groups"


def oversampling_say(figures: ModelFigures) -> str:
    """Say how many groups dynamic sampling would draw for one that it keeps, with its range; empty if unbounded."""
    posterior = figures.gradient.posterior
    if not posterior.value or not posterior.low or not posterior.high:
        return ""
    low, middle, high = (rounded(1 / share, 1) for share in (posterior.high, posterior.value, posterior.low))
    return f"Dynamic sampling that drops groups of one outcome would draw {middle} times [{low}, {high}] what it keeps."


def bins_claim(bins: Bins) -> str:
    """Say how many tasks tell strong from weak, and how many point the wrong way."""
    if bins.compared_tasks == 0:
        return "The two models share no task, so nothing tells them apart"
    told, wrong = bins.tasks.get("discriminates", 0), bins.tasks.get("reversed", 0)
    tasks = verb(bins.compared_tasks, "task", "tasks")
    first = f"{of(told, bins.compared_tasks)} {tasks} {verb(told, 'tells', 'tell')} the strong model from the weak one"
    return f"{first}; {count(wrong)} {verb(wrong, 'points', 'point')} the wrong way" if wrong else first


def reversed_claim(bins: Bins) -> str:
    """Say whether any reversal survives correction for the number of comparisons."""
    cells = [*bins.reversed_tasks, *bins.reversed_checks]
    if not cells:
        return "No task or check is passed more often by the weak model"
    sure = sum(cell.q_value <= _ALPHA for cell in cells)
    if sure == 0:
        return (
            "The one reversal does not survive correction, so it is a lead"
            if len(cells) == 1
            else "No reversal survives correction, so each is a lead"
        )
    many = verb(len(cells), "reversal", "reversals")
    return f"{of(sure, len(cells))} {many} {verb(sure, 'survives', 'survive')} correction"


def front_claim(points: Sequence[FrontPoint], quantity: str) -> str:
    """Say how many models no other beats on score and spend at once. `quantity` is `cost` or `output tokens`."""
    if len(points) == 1:
        return f"One model records its {quantity}, so there is nothing to compare"
    front = sum(point.on_front for point in points)
    if front == 1:
        leader = next(point for point in points if point.on_front)
        return f"No model scores above {visible(leader.model)}, and none spends less in {quantity}"
    if front == len(points):
        return f"Among {plural(len(points), 'model')}, each higher observed score came with higher {quantity}"
    return f"{of(front, len(points))} models are on the front of score and {quantity}"


def suspects_claim(suspects: Sequence[Suspect], *, measured: bool = True) -> str:
    """Say how many tasks deserve a reading of their key or grader."""
    if not measured:
        return "Suspects were not measured"
    if not suspects:
        return "No task stood out as a suspect"
    number = len(suspects)
    return f"{capital(count_word(number))} {verb(number, 'task', 'tasks')} whose key or grader is worth reading"


def stops_claim(passes: int, limit_passes: int, recorded: bool, limit_share: Estimate | None = None) -> str:
    """Say how many passes came at or after a limit."""
    if not recorded:
        return "Why rollouts stopped was not recorded"
    if passes == 0:
        return "No rollout passed, so no pass came at a limit"
    if limit_passes == 0:
        return f"None of {plural(passes, 'pass', 'passes')} came at a turn or time limit"
    rate = percent(limit_passes / passes) if limit_share is None else share_with_interval(limit_share)
    return f"{of(limit_passes, passes)} passes came at a turn or time limit: {rate}"


def strict_claim(models: Sequence[ModelFigures]) -> str:
    """Say whether the order of models depends on passes that hit a limit."""
    known = [m for m in models if m.turn_limit is not None and m.turn_limit.value is not None]
    if len(known) < 2:
        return "Counting limit passes as failures gives the strict reading"
    before, after = places(known, strict=False), places(known, strict=True)
    moved = [m for m in known if before[m.model] != after[m.model]]
    if not moved:
        return "The strict reading changes no model's place by observed rate"
    most = max(moved, key=lambda m: abs(before[m.model] - after[m.model]))
    moves = f"from place {before[most.model]} to {after[most.model]}"
    return f"By observed rate, the strict reading moves {name_of(most)} {moves}"


def places(models: Sequence[ModelFigures], *, strict: bool) -> dict[str, int]:
    """Return each model's place by pass rate, ties sharing the better; `strict` counts limit passes as failures."""
    rates: dict[str, float] = {}
    for figures in models:
        estimate = figures.turn_limit if strict and figures.turn_limit is not None else figures.pass_rate
        rates[figures.model] = round(estimate.value or 0.0, 9)
    return {model: 1 + sum(other > rate for other in rates.values()) for model, rate in rates.items()}


def ungraded_claim(rollouts: int, ungraded: int) -> str:
    """Say how many rollouts could not be graded."""
    if rollouts == 0:
        return "There is no rollout to grade"
    if ungraded == 0:
        return (
            f"Every one of {plural(rollouts, 'rollout')} has a verdict"
            if rollouts > 1
            else "The one rollout has a verdict"
        )
    if ungraded == rollouts:
        return f"None of {plural(rollouts, 'rollout')} could be graded"
    return f"{of(ungraded, rollouts)} rollouts could not be graded: {percent(ungraded / rollouts)}"


def outages_claim(outages: Sequence[Outage], *, recorded: bool = True) -> str:
    """Say how many runs of failures look like an outage; `recorded`: whether the order of attempts is."""
    if not recorded:
        return "Whether failures came in runs was not measured"
    if not outages:
        return "No run of failures across unrelated tasks looks like an outage"
    looks = verb(len(outages), "run of failures looks", "runs of failures look")
    return f"{capital(count_word(len(outages)))} {looks} like an outage rather than hard tasks"


def consistency_claim(statements: Sequence[Consistency]) -> str:
    """Say how many statements about the records hold."""
    broken = sum(not statement.holds for statement in statements)
    if not broken:
        return (
            "The one statement checked about the records holds"
            if len(statements) == 1
            else f"All {count_word(len(statements))} statements checked about the records hold"
        )
    return (
        f"{capital(count_word(broken))} of {count_word(len(statements))} statements about the records "
        f"{verb(broken, 'does', 'do')} not hold"
    )


def gap_note(figures: ModelFigures) -> str:
    """Say how far pass@k and pass^k lie apart at the widest k."""
    k = widest_k(figures)
    if k < 2:
        return "one attempt a task"
    gap = (
        figures.pass_at_k.value[figures.pass_at_k.k.index(k)] - figures.pass_hat_k.value[figures.pass_hat_k.k.index(k)]
    )
    tasks = figures.pass_at_k.tasks[figures.pass_at_k.k.index(k)]
    over = "" if tasks == figures.tasks else f", {plural(tasks, 'task')}"
    return f"gap at k = {k}: {percent_number(gap)} points{over}"


def _apart(a: Estimate, b: Estimate) -> bool:
    """Say whether two intervals do not overlap."""
    if a.low is None or a.high is None or b.low is None or b.high is None:
        return False
    return a.high < b.low or b.high < a.low
