"""Diversity: near copies, templates, how many tasks a suite is worth, and how it is spread over families.

Two effective numbers. Over groups of near copies, and over wordings with figures masked: 1 / sum p^2, the number of
groups where they are equally large (Hill's number of order 2). Over similarities: the Vendi score (Friedman and
Dieng 2023), exp of the entropy of the eigenvalues of K / n, K the cosine of rare words; it means something beside that
of real work of as many tasks, and not alone. Not covered: whether different tasks need different skills.
"""

from __future__ import annotations

import math
import re
from collections import Counter
from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray
from scipy import sparse

from fairtrial.authoring.near_copies import groups_of, masked
from fairtrial.authoring.synthetic.features import kinds_of
from fairtrial.authoring.synthetic.material import Item, Material
from fairtrial.authoring.synthetic.options import Options
from fairtrial.authoring.synthetic.result import Answered, Diversity, Spread

MOST_VENDI = 2_000
"""Tasks of which eigenvalues are taken; of more, so many are drawn."""
DRAWS = 20
SHOWN = 10
_SENTENCE_END = re.compile(r"(?<=[.!?])\s+|\n")
_LEAST_WORDS = 5
_SHARED = 0.2


def diversity_of(suite: Material, real: Material | None, options: Options) -> Diversity:
    """Return what repeats in the suite, beside `real` where it is given."""
    items = suite.items
    generator = np.random.default_rng(options.seed)
    copies = groups_of([item.whole for item in items], [item.cluster for item in items])
    wordings = [masked(item.text) for item in items]
    spread = _spread(items, copies, wordings, generator)
    beside = _spread(real.items, groups_of([item.whole for item in real.items]),
                     [masked(item.text) for item in real.items], generator) if real else None  # fmt: skip
    families = Counter(item.family or "(none)" for item in items)
    return Diversity(
        answer=_answer(spread, _effective(list(Counter(masked(item.whole) for item in items).values())), options),
        suite=spread, real=beside,
        vendi_at_equal=_at_equal(items, real.items, generator) if real else None,
        near_copies=_near(items, copies), templates=_templates(items, wordings),
        sentences=_sentences(items), families=tuple(families.most_common()),
        effective_families=_effective(list(families.values())) if any(item.family for item in items) else None,
    )  # fmt: skip


def _answer(spread: Spread, with_files: float, options: Options) -> Answered:
    """Return the answer. `with_files` is the effective number of wordings, files of the tasks among them."""
    if spread.tasks < 2:
        return Answered(status="not_measured", why="one task has nothing to repeat")
    worth = min(spread.effective_groups, spread.effective_templates)
    what = "wordings" if spread.effective_templates <= spread.effective_groups else "groups of near copies"
    share = worth / spread.tasks
    line = f"the line is {options.least_distinct:.0%}"
    why = f"{spread.tasks} tasks are worth {worth:.1f} different {what}, {share:.0%}; {line}"
    if share >= options.least_distinct:
        return Answered(status="holds", why=why)
    if min(spread.effective_groups, with_files) / spread.tasks >= options.least_distinct:
        return Answered(status="open", why=f"{why}; with their files {min(spread.effective_groups, with_files):.1f}: "
                        "one instruction for different work, or one work in other clothes")  # fmt: skip
    return Answered(status="against", why=why)


def _spread(
    items: Sequence[Item], copies: NDArray[np.int64], wordings: Sequence[str], generator: np.random.Generator
) -> Spread:
    templates = Counter(wordings)
    which = range(len(items)) if len(items) <= MOST_VENDI else sorted(
        generator.choice(len(items), MOST_VENDI, replace=False).tolist())  # fmt: skip
    chosen = [items[at] for at in which]
    values = _rare_words(chosen)
    return Spread(
        tasks=len(items), groups=len(np.unique(copies)), templates=len(templates),
        largest_template=max(templates.values()), effective_groups=_effective(np.bincount(copies).tolist()),
        effective_templates=_effective(list(templates.values())),
        vendi=None if values is None else vendi(values), vendi_of=len(chosen),
    )  # fmt: skip


def _effective(counts: Sequence[int]) -> float:
    """Return 1 / sum p^2.

    >>> _effective([5, 5]), round(_effective([9, 1]), 2)
    (2.0, 1.22)
    """
    total = sum(counts)
    return total**2 / sum(count**2 for count in counts)


def _rare_words(items: Sequence[Item]) -> sparse.csr_matrix | None:
    """Return rows of unit length over words and pairs; None where no word is in two texts and missing from a third."""
    kinds = [kind for kind in kinds_of(items) if kind.name == "words"] if len(items) > 1 else []
    return kinds[0].values if kinds else None


def vendi(values: sparse.csr_matrix) -> float:
    """Return exp of the entropy of the eigenvalues of K / n, K the cosines of the rows; a row without words is alone.

    >>> round(vendi(sparse.identity(4, format="csr")), 6), round(vendi(sparse.csr_matrix([[1.0, 0], [1.0, 0]])), 6)
    (4.0, 1.0)
    """
    kernel = np.asarray((values @ values.T).todense(), dtype=np.float64)
    np.fill_diagonal(kernel, 1.0)
    shares = np.linalg.eigvalsh(kernel / len(kernel))
    shares = shares[shares > 1e-12]
    return math.exp(-float((shares * np.log(shares)).sum()))


def _at_equal(
    ours: Sequence[Item], theirs: Sequence[Item], generator: np.random.Generator
) -> tuple[float, float] | None:
    """Return the Vendi scores of both at the size of the smaller, words weighed by their rarity in both together."""
    values = _rare_words([*ours, *theirs])
    size = min(len(ours), len(theirs), MOST_VENDI // 4)
    if values is None or size < 2:
        return None
    found = []
    for start, total in ((0, len(ours)), (len(ours), len(theirs))):
        draws = 1 if total == size else DRAWS
        scores = [vendi(values[start + np.sort(generator.choice(total, size, replace=False))]) for _ in range(draws)]
        found.append(float(np.mean(scores)))
    return found[0], found[1]


def _near(items: Sequence[Item], copies: NDArray[np.int64]) -> tuple[tuple[str, ...], ...]:
    held: dict[int, list[str]] = {}
    for item, group in zip(items, copies.tolist(), strict=True):
        held.setdefault(group, []).append(item.name)
    several = [tuple(names) for names in held.values() if len(names) > 1]
    return tuple(sorted(several, key=lambda names: (-len(names), names)))


def _templates(items: Sequence[Item], wordings: Sequence[str]) -> tuple[tuple[str, int, str], ...]:
    first = {wording: item.name for wording, item in reversed(list(zip(wordings, items, strict=True)))}
    several = [(wording, count, first[wording]) for wording, count in Counter(wordings).most_common() if count > 1]
    return tuple(several[:SHOWN])


def _sentences(items: Sequence[Item]) -> tuple[tuple[str, int], ...]:
    """Return the sentences that a fifth of the tasks share, figures masked, the commonest first."""
    counts: Counter[str] = Counter()
    for item in items:
        parts = {" ".join(part.split()) for part in _SENTENCE_END.split(masked(item.text))}
        counts.update(part for part in parts if len(part.split()) >= _LEAST_WORDS)
    least = max(2, math.ceil(_SHARED * len(items)))
    return tuple((part, count) for part, count in counts.most_common(SHOWN) if count >= least)
