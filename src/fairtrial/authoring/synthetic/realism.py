"""Realism: can a classifier tell the generated tasks from real work, by which features, and which cues give it away.

What differs may be the subject and not the making: compare with real work of the same kind. A cue counts where it is
commoner in generated tasks than in real ones beyond chance. Not covered: whether a task makes sense to an expert.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal

import numpy as np
from numpy.typing import NDArray
from scipy.stats import fisher_exact

from fairtrial.authoring.near_copies import groups_of
from fairtrial.authoring.synthetic.cues import CUES
from fairtrial.authoring.synthetic.features import Kind, kinds_of, snippet
from fairtrial.authoring.synthetic.material import Item, Material
from fairtrial.authoring.synthetic.options import Options
from fairtrial.authoring.synthetic.result import Answered, CueFigure, KindFigure, Realism, TellingFeature
from fairtrial.authoring.synthetic.telling import Told, joined, kernel_of, told_apart, weights_of
from fairtrial.measure.intervals import Weighted, difference
from fairtrial.records import Estimate

LEAST_GROUPS = 20
"""Tasks on either side, near copies once, below which a classifier learns nothing that an interval would show."""
MOST_ITEMS = 1_000
"""Of either side; more are drawn from at random, for the work grows with the third power."""
LEVEL = 0.05
SHOWN_FEATURES = 12
_METHOD = "ridge regression of the label, texts left out by groups of near copies; DeLong with clusters"

Labels = NDArray[np.bool_]
Integers = NDArray[np.int64]


def realism_of(suite: Material, real: Material | None, options: Options) -> Realism:
    """Return how well the suite is told from `real`, and the cues of both."""
    if real is None:
        why = "no real work was given to compare with"
        return Realism(answer=Answered(status="not_measured", why=why), generated=len(suite.items), real=0,
                       cues=_cues(suite.items, (), None))  # fmt: skip
    generator = np.random.default_rng(options.seed)
    ours, theirs = (_drawn(each.items, generator) for each in (suite, real))
    items = (*ours, *theirs)
    labels = np.arange(len(items)) < len(ours)
    group = groups_of([item.text for item in items], [item.cluster and f"{at < len(ours)}{item.cluster}"
                                                      for at, item in enumerate(items)])  # fmt: skip
    groups = len(np.unique(group[labels])), len(np.unique(group[~labels]))
    cues = _cues(ours, theirs, group)
    found = {"generated": len(ours), "real": len(theirs), "groups": groups, "cues": cues}
    if min(groups) < LEAST_GROUPS:
        side = "generated" if groups[0] < LEAST_GROUPS else "real"
        why = f"{min(groups)} {side} texts, near copies counted once, are too few to tell by; {LEAST_GROUPS} are needed"
        return Realism(answer=_by_cues_alone(why, cues), **found)  # type: ignore[arg-type]
    kinds = kinds_of(items)
    kernels = [kernel_of(kind.values) for kind in kinds]
    whole = told_apart(joined(kernels), labels, group, options.seed, options.confidence)
    figures = _kind_figures(kinds, [told_apart(each, labels, group, options.seed) for each in kernels], len(items))
    features = _features(kinds, kernels, figures, labels, items)
    auc = _estimate(whole, len(items))
    return Realism(answer=_answer(whole, cues, suite, real, options), auc=auc, p_value=whole.p_value,
                   kinds=figures, features=features, **found)  # type: ignore[arg-type]  # fmt: skip


def _drawn(items: Sequence[Item], generator: np.random.Generator) -> tuple[Item, ...]:
    if len(items) <= MOST_ITEMS:
        return tuple(items)
    return tuple(items[at] for at in sorted(generator.choice(len(items), MOST_ITEMS, replace=False)))


def _estimate(told: Told, texts: int) -> Estimate:
    return Estimate(value=told.auc, low=told.low, high=told.high, n=texts, method=_METHOD, unit="texts")


def _answer(told: Told, cues: Sequence[CueFigure], suite: Material, real: Material, options: Options) -> Answered:
    unread = sum(item.unread for item in (*suite.items, *real.items))
    lacking = (
        (f"{unread} environment files that are no text, too large or too many were not compared",) if unread else ()
    )
    given = [cue for cue in cues if cue.gives_away]
    line = f"{options.most_auc:g}"
    said = f"AUC {told.auc:.2f} [{told.low:.2f}, {told.high:.2f}]"
    if told.low > options.most_auc:
        why = f"a classifier tells generated from real with an {said}, above {line}"
        return Answered(status="against", why=why, not_measured=lacking)
    if given:
        named = ", ".join(cue.says for cue in given[:3])
        why = f"{len(given)} kinds of cue are commoner than in real work: {named}"
        return Answered(status="against", why=why, not_measured=lacking)
    if told.high <= options.most_auc:
        return Answered(status="holds", why=f"{said} does not reach {line}", not_measured=lacking)
    return Answered(status="open", why=f"{said} lies on both sides of {line}", not_measured=lacking)


def _by_cues_alone(why: str, cues: Sequence[CueFigure]) -> Answered:
    """Return the answer where no classifier could be fitted: cues may still speak against."""
    given = [cue.says for cue in cues if cue.gives_away]
    if given:
        said = f"{len(given)} kinds of cue are commoner than in real work: {', '.join(given[:3])}"
        return Answered(status="against", why=said, not_measured=(why,))
    return Answered(status="not_measured", why=why)


def _kind_figures(kinds: Sequence[Kind], told: Sequence[Told], texts: int) -> tuple[KindFigure, ...]:
    holds = holm([each.p_value for each in told])
    return tuple(
        KindFigure(name=kind.name, features=len(kind.features), auc=_estimate(each, texts), p_value=each.p_value,
                   tells=tells)
        for kind, each, tells in zip(kinds, told, holds, strict=True)
    )  # fmt: skip


def holm(p_values: Sequence[float], level: float = LEVEL) -> list[bool]:
    """Return which of several tests hold together at `level` (Holm 1979).

    >>> holm([0.01, 0.04, 0.03]), holm([])
    ([True, False, False], [])
    """
    order = sorted(range(len(p_values)), key=lambda at: p_values[at])
    found = [False] * len(p_values)
    for rank, at in enumerate(order):
        if p_values[at] > level / (len(p_values) - rank):
            break
        found[at] = True
    return found


def _features(
    kinds: Sequence[Kind], kernels: Sequence[NDArray[np.float64]], figures: Sequence[KindFigure], labels: Labels,
    items: Sequence[Item],
) -> tuple[TellingFeature, ...]:  # fmt: skip
    """Return the features that weigh most, of kinds that tell; runs of characters are too short to read."""
    found: list[tuple[float, TellingFeature]] = []
    for kind, kernel, figure in zip(kinds, kernels, figures, strict=True):
        if not figure.tells or kind.name == "characters":
            continue
        weights = weights_of(kernel, labels, kind.values)
        dense = kind.values
        spread = np.sqrt(np.maximum(0, np.asarray(dense.multiply(dense).mean(axis=0)).ravel()
                                    - np.asarray(dense.mean(axis=0)).ravel() ** 2))  # fmt: skip
        say = weights * spread
        total = float(np.abs(say).max()) or 1.0
        for at in np.argsort(-np.abs(say), kind="stable")[:SHOWN_FEATURES]:
            one = _feature(kind, int(at), float(say[at]), labels, items)
            if one is not None:
                found.append((abs(float(say[at])) / total * (figure.auc.value or 0.0), one))
    found.sort(key=lambda pair: -pair[0])
    return _unlike(one for _, one in found)


def _unlike(features: object) -> tuple[TellingFeature, ...]:
    kept: list[TellingFeature] = []
    for one in features:  # type: ignore[attr-defined]
        same = any(one.is_share and each.is_share and (one.feature in each.feature.split() or
                                                       each.feature in one.feature.split())
                   and abs(one.generated - each.generated) + abs(one.real - each.real) < 0.05
                   for each in kept)  # fmt: skip
        kept += [] if same else [one]
    return tuple(kept[:SHOWN_FEATURES])


def _feature(kind: Kind, at: int, say: float, labels: Labels, items: Sequence[Item]) -> TellingFeature | None:
    towards: Literal["generated", "real"] = "generated" if say > 0 else "real"
    if kind.present is not None:
        column = np.asarray(kind.present[:, [at]].todense()).ravel()
    else:
        assert kind.raw is not None
        column = kind.raw[:, at]
    ours, theirs = column[labels], column[~labels]
    if np.isnan(ours).all() or np.isnan(theirs).all():
        return None
    generated, real = float(np.nanmean(ours)), float(np.nanmean(theirs))
    if (generated > real) != (towards == "generated") and kind.present is not None:
        return None  # it only corrects for another feature, and would be read the wrong way
    side = labels if towards == "generated" else ~labels
    holders = np.flatnonzero(side & (np.nan_to_num(column) > 0))
    example = snippet(items[holders[0]].text, kind.features[at]) if kind.present is not None and len(holders) else ""
    return TellingFeature(kind=kind.name, feature=kind.features[at], towards=towards, generated=generated, real=real,
                          is_share=kind.present is not None, example=example,
                          task=items[holders[0]].name if len(holders) else "")  # fmt: skip


def _cues(ours: Sequence[Item], theirs: Sequence[Item], group: Integers | None) -> tuple[CueFigure, ...]:
    """Return the cues that occur anywhere, those that give away first, then by how common they are."""
    found = []
    for cue in CUES:
        mine, real = [cue.find(item) for item in ours], [cue.find(item) for item in theirs]
        if not any(mine) and not any(real):
            continue
        first = next((at for at, words in enumerate(mine) if words), None)
        compared = _compared(mine, real, group) if group is not None and theirs else (None, None)
        found.append(CueFigure(
            key=cue.key, says=cue.says, generated=sum(map(bool, mine)), real=sum(map(bool, real)) if theirs else None,
            difference=compared[0], p_value=compared[1], gives_away=False,
            example=mine[first] if first is not None else "", task=ours[first].name if first is not None else "",
        ))  # fmt: skip
    return _judged(found)


def _judged(found: Sequence[CueFigure]) -> tuple[CueFigure, ...]:
    """Say which cues give away: commoner in generated tasks, all kinds that could have been found tested together."""
    untested = len(CUES) - len(found)  # what occurs nowhere was looked for as well
    said = holm([*(1.0 if each.p_value is None else each.p_value for each in found), *[1.0] * untested])
    judged = [
        CueFigure(**{name: getattr(each, name) for name in CueFigure.__dataclass_fields__} | {"gives_away": gives})
        for each, gives in zip(found, said, strict=False)
    ]
    return tuple(sorted(judged, key=lambda each: (not each.gives_away, -each.generated, each.key)))


def _compared(mine: Sequence[str], real: Sequence[str], group: Integers) -> tuple[Estimate, float]:
    """Return the difference of the shares over groups of near copies, and Fisher's p with one text of each group.

    Of a group the first text speaks: that any of them has a cue would be commoner in large groups of either side.
    """
    has = np.array([bool(words) for words in (*mine, *real)])
    ours = np.arange(len(has)) < len(mine)
    sides = [Weighted(hit=has[side].astype(np.float64), weight=np.ones(int(side.sum())), cluster=group[side],
                      stratum=np.zeros(int(side.sum()), dtype=np.int64)) for side in (ours, ~ours)]  # fmt: skip
    gap = difference(sides[0], sides[1])
    table = []
    for side in (ours, ~ours):
        _, first = np.unique(group[side], return_index=True)
        holding = int(has[side][first].sum())
        table.append([holding, len(first) - holding])
    p_value = float(fisher_exact(table, alternative="greater")[1])
    estimate = Estimate(value=gap.value, low=gap.low, high=gap.high, n=len(has), unit="tasks",
                        method="difference of shares (MOVER) over groups of near copies")  # fmt: skip
    return estimate, p_value
