"""All that was measured of one submitted model, before anything is decided."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from fairtrial.contamination.identity.adapter import Laid
from fairtrial.contamination.identity.dtypes import WEIGHTS
from fairtrial.contamination.identity.folder import Model
from fairtrial.contamination.identity.grids import has_even_errors, is_rounded, is_scaled
from fairtrial.contamination.identity.layers import Renumbered, renumbered
from fairtrial.contamination.identity.measuring import Sums, Tell, measured
from fairtrial.contamination.identity.order import Moved, moved_rows
from fairtrial.contamination.identity.pairing import Pair, Pairs, paired
from fairtrial.contamination.identity.samples import Sample, densest_samples, samples
from fairtrial.contamination.identity.scales import is_compensated
from fairtrial.contamination.identity.siblings import POINTS_THERE, Mixture, Share, mixture, shares
from fairtrial.contamination.identity.structure import (
    Structure,
    Together,
    part_of_known,
    structure_of,
    vectors_together,
)

SPARSE = 0.1
"""Share of numbers up to which a change is sparse, as a few steps in bfloat16 leave it: there, a second look."""
FAR, NEAR = 0.2, 0.5
"""Cosine of a matrix and the base's: below FAR it is another; from NEAR it is the base's, changed. Matrices of models
trained apart have 0 ± 1/√n; instruct models and their bases 0.97 and more; long training, or a high rate, less."""


SCALES = (".weight_scale", ".weight_scale_inv", ".scale_weight")
"""Names under which programs keep the scale of an 8-bit matrix."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Grid:
    """Shares of the sampled matrices whose change is rounding to few values, errors of rounding, another scale."""

    matrices: int
    rounded: float
    even_errors: float
    scaled: float
    is_compensated: bool
    """Scales that changed have their inverse in another tensor of the layer; asked only where all is scales."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Material:
    """What was measured. Shares are of numbers in tensors that the base has too."""

    submitted: Model
    base: Model
    known: tuple[Model, ...]
    laid: Laid | None
    pairs: Pairs
    sums: tuple[Sums, ...]
    siblings: tuple[Share, ...]
    mixture: Mixture
    extracted: tuple[float, ...]
    """By known model, how much of a low-rank change is the known's in the same directions."""
    structure: Structure
    vectors: Together
    """Of norms and biases."""
    grid: Grid
    moved: Moved | None
    """Looked for only where the submitted is far from the base, in the matrices that are."""
    renumbered: Renumbered | None
    """The same, for layers under other numbers."""
    changed_elsewhere: int
    """Changed numbers in the other matrices."""
    equal: float
    """Share of numbers whose bits (or values) are the base's."""
    cast: float
    """Share that is the base's once that is cast to the submitted's format."""
    changed: int
    compared: int
    zeroed: int
    """Of the changed, those that are zero now."""
    most_changed: float
    """Largest share of changed numbers in one tensor."""
    distance: float
    """|s - b| / |b| over matrices."""
    far: float
    near: float
    """Shares, by size, of the matrices that are far from the base's, and near."""
    cosine: float
    """Median over matrices."""
    size: float
    """Of a matrix, median: how many numbers."""
    packed: float
    """Share of the submitted's numbers in formats that are no weights, or whose scale lies in another tensor."""
    not_finite: int

    @property
    def usable(self) -> list[Share]:
        """Return what is known of the known models that are not the base."""
        return [share for share in self.siblings if not share.same_as_base]


def material_of(submitted: Model, base: Model, known: Sequence[Model], laid: Laid | None, tell: Tell) -> Material:
    """Measure `submitted` against `base` and `known`: every tensor once, then parts of some matrices."""
    pairs = paired(submitted, base, known)
    sums = measured(pairs.pairs, len(known), tell)
    with_base = [s for s in sums if s.pair.base is not None]
    compared = sum(s.pair.size for s in with_base)
    counts = [(s, s.pair.size - int(s.cast[0])) for s in with_base]
    matrices = [s for s in with_base if s.pair.is_matrix and s.own > 0 and s.changes[1, 1] > 0]
    cosines = np.array([s.with_base / np.sqrt(s.own * s.changes[1, 1]) for s in matrices])
    sizes = np.array([s.pair.size for s in matrices], float)
    all_sizes, b2 = float(sizes.sum()) or 1.0, sum(float(s.changes[1, 1]) for s in matrices)
    far = float(sizes[cosines < FAR].sum()) / all_sizes if len(matrices) else 0.0
    siblings = shares(sums, len(known))
    found = samples([s.pair for s, count in counts if count])
    looked = [sample for sample in found if sample.change.any()]
    apart = [s.pair for s, cosine in zip(matrices, cosines, strict=True) if cosine < FAR] if far > 0.02 else []
    return Material(
        submitted=submitted, base=base, known=tuple(known), laid=laid, pairs=pairs, sums=tuple(sums),
        siblings=tuple(siblings), mixture=mixture(sums, [s.known for s in siblings if not s.same_as_base]),
        extracted=tuple(part_of_known(looked, s.known) if _may_be_extracted(s) else 0.0 for s in siblings),
        structure=_structure(looked, counts), vectors=vectors_together([s.pair for s, count in counts if count]),
        grid=_grid(looked, [s.pair for s, count in counts if count]),
        moved=moved_rows(apart, len(known)) if apart else None,
        renumbered=renumbered(apart, [pairs.base, *pairs.known]) if apart else None,
        changed_elsewhere=sum(count for s, count in counts if s.pair.is_matrix and s.pair not in apart),
        equal=sum(int(s.equal[0]) for s in with_base) / (compared or 1),
        cast=sum(int(s.cast[0]) for s in with_base) / (compared or 1),
        changed=sum(count for _, count in counts), compared=compared,
        most_changed=max((count / s.pair.size for s, count in counts if s.pair.size), default=0.0),
        distance=float(np.sqrt(sum(float(s.changes[0, 0]) for s in matrices) / b2)) if b2 else 0.0,
        far=far, near=float(sizes[cosines >= NEAR].sum()) / all_sizes if len(matrices) else 0.0,
        cosine=float(np.median(cosines)) if len(cosines) else 0.0, size=float(np.median(sizes)) if len(sizes) else 1.0,
        zeroed=sum(s.zeroed for s in with_base), packed=_packed(sums), not_finite=sum(s.not_finite for s in sums),
    )  # fmt: skip


def _structure(looked: Sequence[Sample], counts: Sequence[tuple[Sums, int]]) -> Structure:
    """Return the structure of the sampled changes; where those are few and tell nothing, of the densest parts."""
    found = structure_of(looked)
    changed, size = sum(count for s, count in counts if count), sum(s.pair.size for s, count in counts if count)
    if found.is_learned or not looked or changed > SPARSE * size:
        return found
    second = structure_of(densest_samples([(s.pair, count) for s, count in counts if count]))
    return second if second.matrices else found


def _may_be_extracted(share: Share) -> bool:
    return not share.same_as_base and abs(share.cosine) >= POINTS_THERE


def _share(claims: Sequence[bool]) -> float:
    return sum(claims) / len(claims) if claims else 0.0


def _packed(sums: Sequence[Sums]) -> float:
    scaled = {name.removesuffix(end) for name in (s.pair.name for s in sums) for end in SCALES if name.endswith(end)}
    packed = [s.pair.size for s in sums
              if s.pair.submitted.dtype not in WEIGHTS or s.pair.name.removesuffix(".weight") in scaled]  # fmt: skip
    return sum(packed) / (sum(s.pair.size for s in sums) or 1)


def _grid(looked: Sequence[Sample], changed: Sequence[Pair]) -> Grid:
    scaled = _share([is_scaled(sample) for sample in looked])
    return Grid(matrices=len(looked), rounded=_share([is_rounded(s) for s in looked]),
                even_errors=_share([has_even_errors(s) for s in looked]), scaled=scaled,
                is_compensated=scaled > 0 and is_compensated(changed))  # fmt: skip
