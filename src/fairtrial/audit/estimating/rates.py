"""The two error rates: of passes the share that is false, of failures the share that is false.

Whose answers they rest on is chosen as `Options.correction` says. Labels of judges are corrected by people only among
the same verdicts: a judge may err otherwise on passes than on failures.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from fairtrial.audit.estimating.drawn import Row, scaled
from fairtrial.audit.estimating.options import Options
from fairtrial.audit.estimating.result import NOBODY, Bounds, Correction, counted
from fairtrial.audit.estimating.shares import NONE, Answer, Found, Frame, estimate_of, found, told_bare, widened
from fairtrial.measure.correction import Corrected, Population, TwoPhase, prediction_powered, rogan_gladen
from fairtrial.measure.correction.two_phase import RIGHT, UNLABELLED, WRONG
from fairtrial.records import Estimate


@dataclass(frozen=True, slots=True, kw_only=True)
class Rate:
    """One error rate, and how it was had."""

    estimate: Estimate
    correction: Correction
    uncorrected: Estimate | None
    """By judges alone, where people corrected them."""
    bounds: Bounds


@dataclass(frozen=True, slots=True, kw_only=True)
class _Chosen:
    """The share by the answers that count."""

    found: Found
    correction: Correction = "none"
    uncorrected: Estimate | None = None
    """What judges alone would give, where people corrected them."""
    answer: Answer
    """Whose word counts, where nothing is corrected."""
    read: bool
    """Whether that is the word of people, who were to read a part of the rows."""


def error_rate(frame: Frame, rows: Sequence[Row], passed: bool, options: Options) -> Rate:
    """Return the share of wrong verdicts among the `rows` that passed, or failed."""
    inside = [row for row in rows if row.passed == passed]
    word = "pass" if passed else "failure"
    untold = [row for row in inside if row.standing is not None and row.answer is None]
    if not inside:
        return _nothing(f"there is no {word}" if frame.drawn.sample is None else f"no {word} was drawn", 0)
    chosen = _chosen(frame, inside, options)
    one = chosen.found
    if one.share is None:
        reason = one.method
        if one.method == NONE:
            reason = f"no reviewed {word} could be told" if untold else f"no {word} was reviewed"
        return replace(_nothing(reason, len(untold)), uncorrected=chosen.uncorrected)
    estimate = estimate_of(one, ungraded=len(untold))
    return Rate(estimate=estimate, correction=chosen.correction, uncorrected=chosen.uncorrected,
                bounds=_bounds(inside, untold, chosen, one.share.value))  # fmt: skip


def _nothing(why: str, untold: int) -> Rate:
    estimate = Estimate(value=None, low=None, high=None, n=0, ungraded=untold, method=why, unit="rollouts")
    return Rate(estimate=estimate, correction="none", uncorrected=None, bounds=Bounds(all_right=None, all_wrong=None))


def _chosen(frame: Frame, rows: Sequence[Row], options: Options) -> _Chosen:
    """Return the share by the answers that count, corrected as `options` says."""
    told = [row for row in rows if row.answer is not None]
    people = sum(row.by_people is not None for row in told)
    judged = sum(row.by_judge is not None for row in told)
    wanted = options.correction
    if wanted == "auto":
        wanted = "people" if people == len(told) else "judge" if people == 0 else "prediction-powered"
    by_people = _Chosen(found=_by_people(frame, rows), answer=lambda row: row.by_people, read=True)
    if wanted == "people" or (wanted == "prediction-powered" and told and people == len(told)):  # nothing to correct
        return by_people
    by_judge = _Chosen(found=found(frame, rows, _judged), answer=_judged, read=False)
    alone = replace(by_judge.found, method=f"{by_judge.found.method}; judges alone, {NOBODY}")
    by_judge = replace(by_judge, found=alone)
    if wanted == "judge":
        return by_judge
    if not people or not judged:
        lacking = "person" if not people else "judge"
        why = f"{wanted} needs what a judge and a person read, and no {lacking} told of any"
        return replace(by_judge, found=Found(share=None, n=0, bare=0.0, method=why))
    corrected, method = _corrected(frame, rows, told, wanted)
    if corrected.share is not None:
        kind: Correction = "prediction_powered" if wanted == "prediction-powered" else "rogan_gladen"
        found_one = Found(share=corrected.share, n=len(told), bare=0.0, method=method)
        return replace(by_judge, found=found_one, correction=kind, uncorrected=estimate_of(alone))
    if options.correction != "auto":
        nothing = Found(share=None, n=0, bare=0.0, method=f"{wanted}: {corrected.why}")
        return replace(by_judge, found=nothing, uncorrected=estimate_of(alone))
    left_out = f"{by_people.found.method}; judges left out: {corrected.why}"
    return replace(by_people, found=replace(by_people.found, method=left_out))


def _judged(row: Row) -> bool | None:
    """Return what judges say, where the rollout could be told."""
    return row.by_judge if row.answer is not None else None


def _by_people(frame: Frame, rows: Sequence[Row]) -> Found:
    one = found(frame, rows, lambda row: row.by_people, read=True)
    return replace(one, method=f"{one.method}; by people") if one.share is not None else one


def _corrected(frame: Frame, rows: Sequence[Row], told: Sequence[Row], wanted: str) -> tuple[Corrected, str]:
    """Return the corrected share, widened for strata without an answer, and its method."""
    weights, bare = scaled(rows, lambda row: row.answer is not None)
    plain = frame.weighted(told, [False] * len(told), weights)
    phases = TwoPhase(
        label=np.array([_label(row) for row in told], dtype=np.int64),
        truth=np.array([np.nan if row.by_people is None else float(row.by_people) for row in told]),
        weight=plain.weight, chance=np.array([row.chance for row in told]), cluster=plain.cluster,
    )  # fmt: skip
    read = counted(int(phases.read.sum()), "rollout")
    if wanted == "prediction-powered":
        sizes = np.bincount(plain.stratum, weights=plain.weight).astype(np.float64)
        population = Population(stratum=plain.stratum, size=sizes) if frame.finite else None
        corrected = prediction_powered(phases, population=population)
        power = "" if corrected.power is None else f", lambda {corrected.power:.2f}"
        how = f"prediction-powered, judges corrected by {read} that people read{power}"
    else:
        corrected = rogan_gladen(phases)
        how = f"Rogan-Gladen, judges corrected by {read} that people read, Lang-Reiczigel"
    if corrected.share is None:
        return corrected, how
    design = frame.design(rows, len(told))
    speaks_of = frame.population(corrected.share, len(told), sum(row.weight for row in rows))
    if wanted == "rogan-gladen":
        speaks_of = f"superpopulation of such tasks, clustered by task ({counted(corrected.share.clusters, 'cluster')})"
    method = f"{design}; {speaks_of}; {how}{told_bare(rows, told, bare)}"
    return replace(corrected, share=widened(corrected.share, bare)), method


def _label(row: Row) -> int:
    return UNLABELLED if row.by_judge is None else WRONG if row.by_judge else RIGHT


def _bounds(rows: Sequence[Row], untold: Sequence[Row], chosen: _Chosen, value: float) -> Bounds:
    """Return the rate with all that could not be told as right, and as wrong, weighted as the rate itself is."""
    if not untold:
        return Bounds(all_right=value, all_wrong=value)
    if chosen.correction != "none":
        share = _untold_share(rows)
        return Bounds(all_right=value * (1 - share), all_wrong=value * (1 - share) + share)
    open_ = {row.unit.rollout for row in untold if row.told_by_people or not chosen.read}

    def rate(wrong: bool) -> float:
        weights, _ = scaled(rows, lambda row: row.unit.rollout in open_ or chosen.answer(row) is not None,
                            read=chosen.read)  # fmt: skip
        hits = {row.unit.rollout for row in rows if chosen.answer(row)} | (open_ if wrong else set())
        return math.fsum(weight for rollout, weight in weights.items() if rollout in hits) / math.fsum(weights.values())

    return Bounds(all_right=min(value, rate(False)), all_wrong=max(value, rate(True)))


def _untold_share(rows: Sequence[Row]) -> float:
    """Return the share that could not be told, had people read all that judges did: their share of what people read.

    To that comes what judges alone read and could not tell. A person who cannot tell stands for as many as one who can.
    """
    shares = []
    for by_people in (True, False):
        mine = [row for row in rows if row.standing is not None and (row.told_by_people or not by_people)]
        weights, _ = scaled(mine, lambda row: row.standing is not None, read=by_people)
        open_ = math.fsum(weights[row.unit.rollout] for row in mine
                          if row.answer is None and row.told_by_people == by_people)  # fmt: skip
        shares.append(open_ / math.fsum(weights.values()) if weights else 0.0)
    return 1 - (1 - shares[0]) * (1 - shares[1])
