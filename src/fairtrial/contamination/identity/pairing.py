"""Which tensor of the base, and of each known model, stands beside which of the submitted."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from fairtrial.contamination.identity.dtypes import WEIGHTS
from fairtrial.contamination.identity.folder import Model
from fairtrial.contamination.identity.naming import (
    EMBEDDINGS,
    HEADS,
    is_buffer,
    layer_of,
    unfused,
    with_tied,
    without_prefix,
)
from fairtrial.contamination.identity.views import View, first_rows, row_size


@dataclass(frozen=True, slots=True, kw_only=True)
class Pair:
    """One tensor of the submitted model, and what it is compared with: of one shape all."""

    name: str
    layer: str
    submitted: View
    base: View | None
    known: tuple[View | None, ...]
    added_rows: int = 0
    """Rows that the submitted has beyond the base's, of an embedding or head."""

    @property
    def shape(self) -> tuple[int, ...]:
        """Return the shape of what is compared."""
        return self.submitted.shape

    @property
    def size(self) -> int:
        """Return how many numbers are compared."""
        return math.prod(self.shape)

    @property
    def is_weight(self) -> bool:
        """Say whether these are numbers that training changes."""
        return self.submitted.dtype in WEIGHTS and not is_buffer(self.name)

    @property
    def is_table(self) -> bool:
        """Say whether its rows belong to tokens."""
        return self.name in (*EMBEDDINGS, *HEADS)

    @property
    def is_matrix(self) -> bool:
        """Say whether it is a weight of two dimensions or more, in which two models that share nothing are orthogonal.

        Vectors do not tell: the scales of all norms are near 1.
        """
        return self.is_weight and len(self.shape) > 1 and min(self.shape) > 1


@dataclass(frozen=True, slots=True, kw_only=True)
class Pairs:
    """All tensors of the submitted model with their counterparts, and what has none."""

    pairs: tuple[Pair, ...]
    without_base: tuple[str, ...]
    """Names of the submitted's tensors that the base does not have, or has in another shape."""
    missing: tuple[str, ...]
    """Names of the base's tensors that the submitted does not have."""
    base: Mapping[str, View]
    known: tuple[Mapping[str, View], ...]
    """Their tensors, named as the submitted's are."""
    share_with_base: float
    """Of the submitted's weights, how many have a counterpart in the base."""


def paired(submitted: Model, base: Model, known: Sequence[Model]) -> Pairs:
    """Return the tensors of `submitted` beside those of `base` and `known`, buffers left out."""
    own = _named_like(submitted.tensors, base.tensors)
    others = [_named_like(other.tensors, own) for other in (base, *known)]
    pairs = [_pair(name, view, [other.get(name) for other in others])
             for name, view in own.items() if not is_buffer(name)]  # fmt: skip
    weights = sum(pair.size for pair in pairs) or 1
    return Pairs(
        pairs=tuple(pairs),
        without_base=tuple(pair.name for pair in pairs if pair.base is None),
        missing=tuple(sorted(name for name in others[0] if name not in own and not is_buffer(name))),
        base=others[0],
        known=tuple(others[1:]),
        share_with_base=sum(pair.size for pair in pairs if pair.base is not None) / weights,
    )


def _named_like(tensors: Mapping[str, View], like: Mapping[str, View]) -> dict[str, View]:
    return with_tied(unfused(without_prefix(tensors, like), like), like)


def _pair(name: str, view: View, others: list[View | None]) -> Pair:
    """Return one tensor beside its counterparts; of tables of tokens, the rows that submitted and base share."""
    added = 0
    if name in (*EMBEDDINGS, *HEADS) and len(view.shape) > 1:
        tables = [o if o is not None and _is_table_like(o, view) else None for o in others]
        rows = min([view.shape[0], *(o.shape[0] for o in tables[:1] if o is not None)])
        added = view.shape[0] - rows if tables[0] is not None else 0
        if tables[0] is None:  # no base to share rows with: those that any known model has
            rows = min([rows, *(o.shape[0] for o in tables if o is not None)])
        others = [first_rows(o, rows) if o is not None and o.shape[0] >= rows else None for o in tables]
        view = first_rows(view, rows)
    fit = [o if o is not None and _can_be_compared(o, view) else None for o in others]
    return Pair(name=name, layer=layer_of(name), submitted=view, base=fit[0], known=tuple(fit[1:]), added_rows=added)


def _is_table_like(other: View, view: View) -> bool:
    return len(other.shape) > 1 and row_size(other.shape) == row_size(view.shape)


def _can_be_compared(other: View, view: View) -> bool:
    """Say whether two tensors have one shape, and both hold weights or neither."""
    return other.shape == view.shape and (other.dtype in WEIGHTS) == (view.dtype in WEIGHTS)
