"""From what was measured to a verdict: a chain of questions, of which the first that has an answer decides.

Each returns evidence that speaks for a verdict, or none. `different_model` and `untrained` are said only of what
training does not produce; where honest training could look so too, the verdict is `unknown` and a person looks.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Callable

from fairtrial.contamination.identity.evidence import Evidence
from fairtrial.contamination.identity.material import FAR, NEAR, Material
from fairtrial.contamination.identity.siblings import DOUBTFUL, EXPLAINED, LEAST, POINTS_THERE, Share

PACKED = 0.1
MOST_OF = 0.9
SOME_FAR = 0.02
MOVED = 0.3
SAME_COUNT = 0.02
CHANCE = 0.05
"""A cosine that two large matrices made apart do not have."""
FEW_CHANGED, IN_ONE_TENSOR = 1e-5, 0.01
EXTRACTED = 0.95
MERGED_LEAST = 0.02
"""Where a known model explains the whole change, so little of it is a merge still."""
AS_TRAINED_FURTHER = (0.9, 1.1)


def decided(found: Material) -> Evidence:
    """Return the evidence that decides; its `speaks_for` is the verdict."""
    for question in QUESTIONS:
        answer = question(found)
        if answer is not None:
            return answer
    return learned(found)


def is_a_known_model(found: Material) -> Evidence | None:
    """Ask whether the submitted is a known model, number for number."""
    for share in found.usable:
        if share.equal == 1 and _covers(found, share):
            name = found.known[share.known].label
            is_cast = any(s.equal[1 + share.known] != s.cast[1 + share.known] for s in found.sums)
            claim = f"every number is that of {name}{', cast to another number format' if is_cast else ''}"
            return Evidence("equal_to_known", claim, {"known": name, "equal": share.equal}, "different_model")
    return None


def _covers(found: Material, share: Share) -> bool:
    """Say whether the known model has a counterpart to nearly all of the submitted."""
    sizes = [(s.pair.size, s.pair.known[share.known] is not None) for s in found.sums]
    return sum(size for size, has in sizes if has) >= 0.99 * sum(size for size, _ in sizes)


def has_other_shapes(found: Material) -> Evidence | None:
    """Ask whether too little of the submitted has a counterpart in the base for more to be asked."""
    if found.packed > PACKED:
        claim = (f"{found.packed:.0%} of the submitted's numbers are packed integers, or their scale lies in "
                 "another tensor: what they mean a quantisation scheme holds, and they cannot be compared")  # fmt: skip
        return Evidence("packed", claim, {"share": found.packed}, "unknown")
    share = found.pairs.share_with_base
    if share >= 0.5:
        return None
    claim = f"only {share:.0%} of the submitted's numbers lie in tensors that the base has, in name and shape"
    if _may_be_renamed(found):
        claim += ", and it has about as many numbers as the base: its tensors may have another program's names"
        return near_known(found) or Evidence("shapes", claim, _parts(found), "unknown")
    claim += ": it is no model of this architecture"
    return near_known(found) or Evidence("shapes", claim, _parts(found), "different_model")


def _may_be_renamed(found: Material) -> bool:
    """Say whether names or stacking alone could set the two apart: shapes agree, or the count of numbers does."""
    theirs = Counter(tuple(sorted(view.shape)) for view in found.base.tensors.values())
    shared = Counter(tuple(sorted(view.shape)) for view in found.submitted.tensors.values()) & theirs
    alike = sum(math.prod(shape) * count for shape, count in shared.items())
    own, base = found.submitted.parameters, found.base.parameters
    return alike >= 0.5 * own or abs(own - base) <= SAME_COUNT * base


def _parts(found: Material) -> dict[str, object]:
    pairs = found.pairs
    return {"share_with_base": pairs.share_with_base, "only_submitted": len(pairs.without_base),
            "only_base": len(pairs.missing), "examples": [*pairs.without_base[:5], *pairs.missing[:5]]}  # fmt: skip


def near_known(found: Material) -> Evidence | None:
    """Ask whether the submitted's matrices are near those of a known model."""
    near = [share for share in found.usable if share.median >= NEAR]
    if not near:
        return None
    best = max(near, key=lambda share: share.median)
    name = found.known[best.known].label
    claim = f"it is {name}, changed: cosine {best.median:.3f} to it, {found.cosine:.3f} to the base"
    numbers = {"known": name, "cosine": best.median, "distance": best.distance, "base_cosine": found.cosine}
    return Evidence("near_known", claim, numbers, "different_model")


def is_unchanged(found: Material) -> Evidence | None:
    """Ask whether every number is the base's."""
    if found.changed or not found.compared or found.pairs.without_base or (found.laid and found.laid.unread):
        return None
    claim = f"every number is the base's{', cast to another number format' if found.equal < 1 else ''}"
    if found.laid is not None:
        claim = (f"the adapter changes nothing: of its {found.laid.matrices} matrices, {found.laid.zero} have a factor "
                 "of zeros")  # fmt: skip
    added = sum(pair.added_rows for pair in found.pairs.pairs)
    if added:  # new tokens alone may have been trained
        claim += f"; {added} rows were added for new tokens, and whether those are trained cannot be told"
        return Evidence("unchanged", claim, {"equal": found.equal, "equal_after_cast": found.cast}, "unknown")
    return Evidence("unchanged", claim, {"equal": found.equal, "equal_after_cast": found.cast}, "untrained")


def holds_matrices_of_a_known_model(found: Material) -> Evidence | None:
    """Ask whether whole matrices are a known model's and not the base's."""
    for share in found.usable:
        if share.own_tensors:
            name = found.known[share.known].label
            claim = (f"{share.own_tensors} of {share.tensors_apart} matrices in which {name} is not the base are "
                     f"{name}'s, number for number")  # fmt: skip
            numbers = {"known": name, "matrices": share.own_tensors, "of": share.tensors_apart}
            return Evidence("matrices_of_known", claim, numbers, "different_model")
    return None


def is_far(found: Material) -> Evidence | None:
    """Ask whether its matrices are not the base's at all."""
    if found.far < 0.5:
        return None
    claim = (f"{found.far:.0%} of its matrices are as far from the base's as those of a model trained apart (cosine "
             f"below {FAR:g}, median {found.cosine:.3f})")  # fmt: skip
    numbers = {"far": found.far, "cosine": found.cosine, "distance": found.distance}
    answer = near_known(found) or is_reordered(found) or has_other_layers(found)
    if answer is None and found.cosine > max(CHANCE, 6 / math.sqrt(found.size)):
        claim += ", and yet nearer than chance: training that went very far arrives there too"
        return Evidence("far", claim, numbers, "unknown")
    return answer or Evidence("far", claim, numbers, "different_model")


def has_other_layers(found: Material) -> Evidence | None:
    """Ask whether matrices that are far stand under another layer's number in the base, or in a known model."""
    look = found.renumbered
    if look is None or max(look.shares) < MOVED:
        return None
    numbers = {"matrices": look.matrices, "shares": list(look.shares), "cosines": list(look.nearest)}
    best = max(range(len(look.shares)), key=lambda at: (round(look.shares[at], 1), look.nearest[at]))
    claim = f"{look.shares[best]:.0%} of the matrices that are not their namesakes are {{}} of other layers"
    if best and _is_nearer(look.nearest[0], look.nearest[best]):
        name = found.known[best - 1].label
        return Evidence("other_layers", claim.format(f"{name}'s"), numbers | {"known": name}, "different_model")
    claim = claim.format("the base's") + ": layers were dropped, repeated or put in another order"
    return Evidence("other_layers", claim, numbers, "unknown")


def _is_nearer(base: float, known: float) -> bool:
    """Say whether two cosines show that a model was made of the known one: half as far from it as from the base."""
    return known > base and 1 - known <= 0.25 * (1 - base)


def is_reordered(found: Material) -> Evidence | None:
    """Ask whether matrices that are far are the base's, or a known model's, in another order."""
    moved = found.moved
    if moved is None or not moved.rows:
        return None
    best = [max(pair) for pair in zip(moved.near, moved.same, strict=True)]
    numbers = {"rows": moved.rows, "base": best[0], "known": best[1:]}
    most = max(best)
    if most < MOVED:
        return None
    where = f"{most:.0%} of sampled rows are rows of {{}} in another place or order, which training does not do"
    rather = max(range(len(best)), key=lambda at: (at > 0) * moved.nearest[at])
    if rather and best[rather] >= MOVED and _is_nearer(moved.nearest[0], moved.nearest[rather]):
        name = found.known[rather - 1].label
        return Evidence("moved_rows", where.format(name), numbers | {"of": name}, "different_model")
    if most == best[0]:
        is_all = moved.same[0] >= MOST_OF and not found.changed_elsewhere
        return Evidence("moved_rows", where.format("the base"), numbers, "untrained" if is_all else "unknown")
    at = best.index(most)
    name = found.known[at - 1].label
    is_theirs = best[0] < MOVED or moved.same[at] - moved.same[0] >= MOVED
    return Evidence("moved_rows", where.format(name), numbers | {"of": name},
                    "different_model" if is_theirs else "unknown")  # fmt: skip


def is_rounded_or_scaled(found: Material) -> Evidence | None:
    """Ask whether the change is rounding, or another scale, of the base."""
    grid = found.grid
    if not grid.matrices or found.far > SOME_FAR:
        return None
    numbers = {"matrices": grid.matrices, "rounded": grid.rounded, "even_errors": grid.even_errors,
               "scaled": grid.scaled, "distance": found.distance}  # fmt: skip
    if found.zeroed == found.changed:
        claim = f"{found.zeroed:,} numbers were set to zero, and nothing else changed: pruned, not trained"
        return Evidence("pruned", claim, numbers | {"zeroed": found.zeroed}, "untrained")
    if found.structure.is_learned:
        return None
    if grid.rounded >= MOST_OF:
        claim = "the base's numbers were rounded to the nearest of few values, and nothing else: quantised, not trained"
        return Evidence("quantised", claim, numbers, "untrained")
    if grid.scaled >= MOST_OF and grid.is_compensated:
        claim = "the base's rows and columns have other scales, which cancel out, and nothing else changed"
        return Evidence("scaled", claim, numbers, "untrained")
    if grid.scaled >= MOST_OF:
        claim = ("the base's rows and columns have other scales, and nothing else changed: scales alone were trained, "
                 "or another tensor makes up for them")  # fmt: skip
        return Evidence("scaled", claim, numbers, "unknown")
    if grid.even_errors >= MOST_OF and found.structure.is_noise:
        claim = ("the change is spread as errors of rounding are, and has no direction: quantised, perhaps after "
                 "training that moved less than the rounding")  # fmt: skip
        return Evidence("quantised", claim, numbers, "unknown")
    return None


def is_a_merge(found: Material) -> Evidence | None:
    """Ask whether base and known models explain the whole change."""
    fit = found.mixture
    if fit.explained < EXPLAINED or max(map(abs, fit.coefficients), default=0) < MERGED_LEAST:
        return None
    parts = {found.known[s.known].label: c for s, c in zip(found.usable, fit.coefficients, strict=True)}
    told = ", ".join(f"{c:.2f} of what {name} changed" for name, c in parts.items())
    claim = f"base and known models explain {fit.explained:.1%} of the change ({told}): a merge"
    return Evidence("mixture", claim, {"explained": fit.explained, "coefficients": parts}, "different_model")


def points_to_a_known_model(found: Material) -> Evidence | None:
    """Ask whether a known model was trained further, mixed with own training, or extracted; or whether it may be so."""
    for share in sorted(found.usable, key=lambda share: -abs(share.cosine)):
        answer = _points_to(found, share)
        if answer is not None:
            return answer
    return None


def _points_to(found: Material, share: Share) -> Evidence | None:
    name = found.known[share.known].label
    numbers = {"known": name, "coefficient": share.coefficient, "spread": share.spread, "error": share.error,
               "cosine": share.cosine, "distance": share.distance, "base_distance": found.distance}  # fmt: skip
    same = found.extracted[share.known]
    if same >= EXTRACTED and abs(share.cosine) >= POINTS_THERE:
        claim = f"the change is that of {name}, cut to its largest directions"
        return Evidence("extracted", claim, numbers | {"same_directions": same}, "different_model")
    if abs(share.coefficient) < LEAST or abs(share.cosine) < DOUBTFUL:
        return None
    told = f"{share.coefficient:.2f} ± {share.spread:.2f}"
    if share.is_uniform and abs(share.cosine) >= POINTS_THERE:
        is_whole = AS_TRAINED_FURTHER[0] <= share.coefficient <= AS_TRAINED_FURTHER[1]
        way = "trained further" if is_whole else "mixed with other weights"
        claim = f"every matrix holds {told} of what {name} changed: {name}, {way}"
        return Evidence("mixture", claim, numbers, "different_model")
    claim = (f"the change points where that of {name} does (cosine {share.cosine:.2f}), by {told} of its length: a "
             "mixture with it, or own training on data like its data")  # fmt: skip
    return Evidence("toward_known", claim, numbers, "unknown")


def is_partly_far(found: Material) -> Evidence | None:
    """Ask whether some matrices are not the base's, or most are neither near nor far, or parts are missing."""
    numbers = {"far": found.far, "near": found.near, "cosine": found.cosine} | _parts(found)
    if found.far > SOME_FAR:
        claim = f"{found.far:.0%} of its matrices are not the base's, the others are"
        return Evidence("partly_far", claim, numbers, "unknown")
    if found.near < MOST_OF and found.distance > 0:
        claim = f"only {found.near:.0%} of its matrices are near the base's (cosine from {NEAR:g})"
        return Evidence("between", claim, numbers, "unknown")
    if found.pairs.missing or found.pairs.share_with_base < MOST_OF:
        lacking = 1 - found.pairs.share_with_base
        parts = [f"{len(found.pairs.missing)} tensors of the base are missing"] if found.pairs.missing else []
        parts += (
            [f"{lacking:.0%} of the submitted's numbers have no counterpart in the base"] if lacking > 0.005 else []
        )
        return Evidence("parts", " and ".join(parts), numbers, "unknown")
    return None


def changed_too_little(found: Material) -> Evidence | None:
    """Ask whether enough changed for training to be seen at all."""
    if found.changed >= FEW_CHANGED * found.compared or found.most_changed >= IN_ONE_TENSOR:
        return None
    claim = f"only {found.changed:,} of {found.compared:,} numbers changed: too few to show training"
    return Evidence("few_changed", claim, {"changed": found.changed, "compared": found.compared}, "unknown")


def learned(found: Material) -> Evidence:
    """Say whether the change looks learned: the last question, which always has an answer."""
    look, vectors = found.structure, found.vectors
    if not look.is_learned and vectors.is_learned:
        claim = (f"the changes of {vectors.vectors} vectors (norms, biases) point the same ways by "
                 f"{vectors.deviations:.1f} standard deviations more than "
                 "those of the same changes with drawn signs")  # fmt: skip
        counts = {"deviations": vectors.deviations, "vectors": vectors.vectors}
        return Evidence("vectors", claim, counts, "base_derived")
    numbers = {
        "deviations": look.deviations,
        "ratio": look.ratio,
        "matrices": look.matrices,
        "distance": found.distance,
    }
    if not look.matrices:
        claim = "no matrix changed so much that training could be told from noise"
        return Evidence("structure", claim, numbers, "unknown")
    told = (f"over {look.matrices} matrices, its rows point the same ways by {look.deviations:.1f} standard deviations "
            "more than those of the same change with drawn signs")  # fmt: skip
    if look.is_learned:
        return Evidence(
            "structure", f"the change has directions that noise does not make: {told}", numbers, "base_derived"
        )
    looks = "looks like noise added to the base" if look.is_noise else "can hardly be told from noise"
    return Evidence("structure", f"the change {looks}: {told}", numbers, "unknown")


QUESTIONS: tuple[Callable[[Material], Evidence | None], ...] = (
    is_a_known_model, is_unchanged, has_other_shapes, holds_matrices_of_a_known_model, is_far, is_rounded_or_scaled,
    is_a_merge, points_to_a_known_model, is_partly_far, changed_too_little,
)  # fmt: skip
"""In the order in which they are asked."""
