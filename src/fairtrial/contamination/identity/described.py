"""What else was seen, whatever decided: distances, known models, spectrum, adapter, a row for each layer, and what was
not measured."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from fairtrial.contamination.identity.adapter import Laid
from fairtrial.contamination.identity.beside import evidence_beside
from fairtrial.contamination.identity.evidence import Evidence
from fairtrial.contamination.identity.header import shown
from fairtrial.contamination.identity.material import Material
from fairtrial.contamination.identity.measuring import Sums
from fairtrial.contamination.identity.siblings import Share

NO_KNOWN = ("no known model was given (--known): a sibling of the base handed in as own work, or a merge with one, "
            "cannot be excluded")  # fmt: skip


def described(found: Material) -> list[Evidence]:
    """Return the evidence that only describes."""
    told = [_distance(found), *(_known(found, share) for share in found.siblings), *_spectrum(found)]
    if found.laid is not None:
        told.append(of_adapter(found.laid))
    if found.not_finite:
        claim = f"{found.not_finite:,} numbers are infinite or not a number"
        told.append(Evidence("not_finite", claim, {"numbers": found.not_finite}))
    return told + evidence_beside(found.submitted, found.base, found.known)


def _distance(found: Material) -> Evidence:
    claim = (f"{found.equal:.1%} of numbers are the base's ({found.cast:.1%} after casting); the matrices lie "
             f"{found.distance:.2%} of the base's length away")  # fmt: skip
    numbers = {"equal": found.equal, "equal_after_cast": found.cast, "distance": found.distance, "cosine": found.cosine,
               "changed": found.changed, "compared": found.compared}  # fmt: skip
    return Evidence("distance", claim, numbers)


def _known(found: Material, share: Share) -> Evidence:
    name = found.known[share.known].label
    if share.same_as_base:
        return Evidence("known", f"{name} holds the base's weights, so nothing is told by it", {"known": name})
    claim = (f"{share.equal:.1%} of numbers are those of {name}, {share.distance:.2%} of its length away; the change "
             f"holds {share.coefficient:.3f} ± {share.spread:.3f} of what {name} changed "
             f"(cosine {share.cosine:.3f})")  # fmt: skip
    numbers = {"known": name, "equal": share.equal, "distance": share.distance, "coefficient": share.coefficient,
               "spread": share.spread, "error": share.error, "cosine": share.cosine}  # fmt: skip
    return Evidence("known", claim, numbers)


def _spectrum(found: Material) -> list[Evidence]:
    look = found.structure
    if not look.matrices:
        return []
    claim = (f"the rows of the change in {look.matrices} matrices point the same ways by {look.deviations:.1f} "
             "standard deviations more than those of noise")  # fmt: skip
    numbers = {"deviations": look.deviations, "ratio": look.ratio, "matrices": look.matrices}
    told = [Evidence("spectrum", claim, numbers)]
    if look.is_low_rank:
        claim = (
            f"99% of the change lies in about {look.rank:.0f} directions of each matrix, as that of a LoRA adapter does"
        )
        told.append(Evidence("low_rank", claim, {"rank": look.rank, "side": look.side}))
    return told


def of_adapter(laid: Laid) -> Evidence:
    """Return what an adapter is, and what it says of its base."""
    claim = (f"a LoRA adapter on {laid.matrices} matrices of the base, of rank {', '.join(map(str, laid.ranks))}, "
             f"{laid.zero} of them without effect")  # fmt: skip
    if laid.claimed_base:
        claim += f"; it names `{shown(laid.claimed_base)}` as its base, which is a claim"
    numbers = {
        "matrices": laid.matrices,
        "zero": laid.zero,
        "ranks": list(laid.ranks),
        "claimed_base": laid.claimed_base,
    }
    return Evidence("adapter", claim, numbers)


def not_measured(found: Material) -> list[str]:
    """Return what the verdict does not rest on, and could have."""
    told = [NO_KNOWN]
    if found.usable:
        names = ", ".join(found.known[share.known].label for share in found.usable)
        told = [f"models other than {names} were not compared: a sibling that was not given cannot be excluded"]
    for share in found.siblings:
        sizes = [(s.pair.size, s.pair.known[share.known] is not None) for s in found.sums]
        lacking = 1 - sum(size for size, has in sizes if has) / (sum(size for size, _ in sizes) or 1)
        if lacking > 0.01:
            name = found.known[share.known].label
            told.append(f"{name} has no counterpart to {lacking:.0%} of the submitted's numbers")
    added = sum(pair.added_rows for pair in found.pairs.pairs)
    if added:
        told.append(f"whether {added} rows that were added for new tokens are trained cannot be told")
    if found.laid is not None:
        told += found.laid.unread
    if found.pairs.without_base:
        first = ", ".join(map(shown, found.pairs.without_base[:3]))
        told.append(
            f"{len(found.pairs.without_base)} tensors of the submitted have no counterpart in the base: {first}"
        )
    return told


def layers(found: Material) -> list[dict[str, Any]]:
    """Return one row for each layer: how much is equal, how far it went, how much of each known model it holds."""
    groups: dict[str, list[Sums]] = {}
    for sums in found.sums:
        groups.setdefault(sums.pair.layer, []).append(sums)
    return [_layer(found, name, groups[name]) for name in sorted(groups, key=_place)]


def _place(name: str) -> tuple[bool, bool, int, str]:
    is_layer = name.startswith("layer ")
    return name != "embedding", not is_layer, int(name.split()[1]) if is_layer else 0, name


def _layer(found: Material, name: str, sums: Sequence[Sums]) -> dict[str, Any]:
    compared = [s for s in sums if s.pair.base is not None]
    numbers = sum(s.pair.size for s in compared)
    size = 2 + len(found.known)
    total = np.sum([s.changes for s in compared], axis=0) if compared else np.zeros((size, size))
    known = {}
    for at, model in enumerate(found.known):
        length, away = sum(float(s.known[at]) for s in sums), sum(float(s.to_known[at]) for s in sums)
        theirs = float(total[2 + at, 2 + at])
        known[model.label] = {
            "distance": float(np.sqrt(away / length)) if length else None,
            "coefficient": float(total[0, 2 + at]) / theirs if theirs else None,
        }
    return {
        "layer": name,
        "tensors": len(sums),
        "numbers": sum(s.pair.size for s in sums),
        "equal": sum(int(s.cast[0]) for s in compared) / numbers if numbers else None,
        "distance": float(np.sqrt(total[0, 0] / total[1, 1])) if total[1, 1] > 0 else None,
        "known": known,
    }
