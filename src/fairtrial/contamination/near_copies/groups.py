"""Near copies among texts: reworded variants, copies with other figures, templates filled in; as groups.

Copies with the same masked wording are one text from the start. The rest is: candidates, likeness, union of the pairs
that are alike enough, again for those whose neighbours were all of their own group, then chains told or cut. The
result does not depend on the order of the texts.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from fairtrial.contamination.near_copies.candidates import MOST_BY_MEANING, by_minhash, crowded, nearest, ordered
from fairtrial.contamination.near_copies.joined import (
    LARGE,
    LOOKED_AT,
    Chain,
    Cut,
    Links,
    chain_of,
    cut_chain,
    joined,
    largest_first,
    members_of,
)
from fairtrial.contamination.near_copies.likeness import Likeness, Vectors, likeness_of
from fairtrial.contamination.near_copies.wording import Wording, without_boilerplate, wording_of

ROUNDS = 4
"""Searches at most; each looks beyond the groups that the last one found."""


@dataclass(frozen=True, slots=True, kw_only=True)
class NearCopies:
    """Hold the groups; texts are named by their number."""

    groups: tuple[tuple[int, ...], ...]
    """All of them, singletons too, by their smallest member."""
    threshold: float
    chains: tuple[Chain, ...]
    cut: tuple[Cut, ...]
    boilerplate: int
    """Sentences set aside because a fifth of the texts have them."""
    not_measured: tuple[str, ...]
    likeness: Likeness
    copy_of: NDArray[np.int64]
    """For each text the number by which `likeness` knows it; copies that are one but for figures share it."""

    def nearest_pair(self, left: Sequence[int], right: Sequence[int]) -> tuple[int, int, float]:
        """Return the pair that is most alike, one of `left` and one of `right`, and how alike (1 for copies)."""
        some, others = np.asarray(left[:LOOKED_AT]), np.asarray(right[:LOOKED_AT])
        pairs = np.stack([np.repeat(some, len(others)), np.tile(others, len(some))], axis=1)
        same = self.copy_of[pairs[:, 0]] == self.copy_of[pairs[:, 1]]
        alike = np.where(same, 1.0, self.likeness.of(self.copy_of[pairs]))
        best = int(np.argmax(alike))
        return int(pairs[best, 0]), int(pairs[best, 1]), float(alike[best])


def near_copies(texts: Sequence[str], vectors: Vectors | None, threshold: float | None = None) -> NearCopies:
    """Group `texts` by near copies; a `threshold` of likeness in (0, 1] replaces the measured one."""
    order = sorted(range(len(texts)), key=lambda number: texts[number])  # so that the order given changes nothing
    stripped, boilerplate = without_boilerplate([texts[number] for number in order])
    wordings = [wording_of(text) for text in stripped]
    copies = _copies(stripped, wordings)
    first = np.array([members[0] for members in copies], dtype=np.int64)
    kept = [wordings[number] for number in first.tolist()]
    likeness = likeness_of([stripped[number] for number in first.tolist()], kept, vectors)
    at = likeness.threshold if threshold is None else threshold
    links = _links(likeness, kept, at)
    sizes = np.array([len(members) for members in copies], dtype=np.int64)
    groups, chains, cut = _settled(links, likeness, sizes, at)
    place = [[order[number] for number in members] for members in copies]
    copy_of = np.zeros(len(texts), dtype=np.int64)
    for number, members in enumerate(place):
        copy_of[members] = number
    return NearCopies(
        groups=tuple(sorted(tuple(sorted(n for one in group for n in place[one])) for group in groups)),
        threshold=at,
        chains=tuple(_renumbered(chain, place) for chain in chains),
        cut=tuple(
            Cut(members=tuple(sorted(n for one in each.members for n in place[one])), parts=each.parts,
                threshold=each.threshold, links=each.links)
            for each in cut
        ),
        boilerplate=boilerplate,
        not_measured=tuple(_not_measured(likeness, len(kept))), likeness=likeness, copy_of=copy_of,
    )  # fmt: skip


def _copies(texts: Sequence[str], wordings: Sequence[Wording]) -> list[list[int]]:
    """Return the texts that are one but for figures, case and punctuation; those without words must be equal."""
    same: dict[tuple[str, ...], list[int]] = {}
    for number, (text, wording) in enumerate(zip(texts, wordings, strict=True)):
        key = wording.words or ("\0", text)
        same.setdefault(key, []).append(number)
    return list(same.values())


def _links(likeness: Likeness, wordings: Sequence[Wording], threshold: float) -> Links:
    """Return the verified pairs: those of a first search, and of further ones from within crowded groups."""
    count = len(wordings)
    if count < 2:
        return Links(np.zeros((0, 2), np.int64), np.zeros(0))
    everyone = np.arange(count, dtype=np.int64)
    pairs = ordered(np.concatenate([by_minhash(wordings), nearest(likeness, everyone, everyone)]))
    found = Links(pairs, likeness.of(pairs))
    kept = Links(found.above(threshold), found.likeness[found.likeness >= threshold])
    for _ in range(ROUNDS - 1):
        group = joined(count, kept.pairs)
        rows = crowded(group)
        more = nearest(likeness, rows, group) if len(rows) else np.zeros((0, 2), np.int64)
        alike = likeness.of(more)
        if not (alike >= threshold).any():
            break
        kept = Links(np.concatenate([kept.pairs, more[alike >= threshold]]),
                     np.concatenate([kept.likeness, alike[alike >= threshold]]))  # fmt: skip
    return kept


def _settled(
    links: Links, likeness: Likeness, sizes: NDArray[np.int64], threshold: float
) -> tuple[list[list[int]], list[Chain], list[Cut]]:
    groups: list[list[int]] = []
    chains: list[Chain] = []
    cut: list[Cut] = []
    for members in members_of(joined(len(sizes), links.pairs)):
        chain = chain_of(members, likeness, threshold)
        if chain is None:
            groups.append(members.tolist())
        elif sizes[members].sum() > LARGE * sizes.sum() and len(sizes) > 1 / LARGE:
            parts, how = cut_chain(chain, links, sizes, threshold)
            groups += parts
            cut.append(how)
        else:
            groups.append(members.tolist())
            chains.append(chain)
    return largest_first(groups), chains, cut


def _renumbered(chain: Chain, place: Sequence[Sequence[int]]) -> Chain:
    members = tuple(sorted(n for one in chain.members for n in place[one]))
    return Chain(members=members, centre=place[chain.centre][0], weakest=chain.weakest, distinct=chain.distinct)


def _not_measured(likeness: Likeness, count: int) -> list[str]:
    if not likeness.has_vectors:
        return ["likeness of meaning: word vectors were left out as asked, or are not installed: pip install "
                '"fairtrial[vectors]"; fewer rewordings are found']  # fmt: skip
    if count > MOST_BY_MEANING:
        return [f"search by meaning: {count:,} different texts are more than {MOST_BY_MEANING:,}; pairs that share no "
                "rare word were not compared"]  # fmt: skip
    return []
