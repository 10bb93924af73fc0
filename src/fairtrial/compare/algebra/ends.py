"""Pieces of the real line and their ends: which comes first, what two pieces share, what is left beside them.

Ends are formulas; they are ordered exactly or to 60 digits. Not here: what describes a piece (`regions`).
"""

from __future__ import annotations

from decimal import DecimalException
from typing import NamedTuple

from fairtrial.compare.algebra.balls import Reals, VagueError
from fairtrial.compare.algebra.evaluating import Evaluation
from fairtrial.compare.algebra.exact import TooMuchWorkError, UndefinedError, constant
from fairtrial.compare.algebra.tree import Node

MOST_PIECES = 200


class Piece(NamedTuple):
    """An interval; an end that is None is infinite."""

    low: Node | None
    high: Node | None
    low_is_open: bool
    high_is_open: bool


LINE = Piece(None, None, True, True)


class Ends:
    """Orders ends and joins pieces, paid from a budget."""

    def __init__(self, budget: list[int]) -> None:
        self.budget = budget

    def order(self, left: Node, right: Node) -> int | None:
        """Return -1, 0 or 1 as `left` lies before, at or after `right`; None where that is not known."""
        values = constant(left, self.budget), constant(right, self.budget)
        if values[0] is not None and values[1] is not None:
            return (values[0] > values[1]) - (values[0] < values[1])
        if left == right:
            return 0
        try:
            reals = Reals(60, self.budget)
            a, b = (Evaluation(reals, {}, "")(one) for one in (left, right))
            if a.imaginary is not None or b.imaginary is not None:
                return None
            apart = reals.subtract(a.real, b.real)
        except (VagueError, UndefinedError, TooMuchWorkError, DecimalException):
            return None
        if apart.holds_zero:
            return 0
        return 1 if apart.middle > 0 else -1

    def rest(self, pieces: tuple[Piece, ...]) -> tuple[Piece, ...] | None:
        """Return the line without `pieces`; None where their ends cannot be ordered."""
        left: tuple[Piece, ...] | None = (LINE,)
        for piece in pieces:
            outside = []
            if piece.low is not None:
                outside.append(Piece(None, piece.low, True, not piece.low_is_open))
            if piece.high is not None:
                outside.append(Piece(piece.high, None, not piece.high_is_open, True))
            left = None if left is None else self.shared(left, tuple(outside))
        return left

    def shared(self, some: tuple[Piece, ...], others: tuple[Piece, ...]) -> tuple[Piece, ...] | None:
        """Return what lies in both; None where the ends cannot be ordered."""
        if len(some) * len(others) > MOST_PIECES:
            return None
        found = []
        for one in some:
            for other in others:
                low = self._inner(one.low, one.low_is_open, other.low, other.low_is_open, 1)
                high = self._inner(one.high, one.high_is_open, other.high, other.high_is_open, -1)
                if low is None or high is None:
                    return None
                piece = Piece(low[0], high[0], low[1], high[1])
                is_empty = self._is_empty(piece)
                if is_empty is None:
                    return None
                if not is_empty:
                    found.append(piece)
        return tuple(found)

    def _inner(self, one: Node | None, one_open: bool, other: Node | None, other_open: bool, sign: int) -> (
        tuple[Node | None, bool] | None
    ):  # fmt: skip
        if one is None or other is None:
            return (other, other_open) if one is None else (one, one_open)
        order = self.order(one, other)
        if order is None:
            return None
        if order == 0:
            return one, one_open or other_open
        return (one, one_open) if order == sign else (other, other_open)

    def _is_empty(self, piece: Piece) -> bool | None:
        if piece.low is None or piece.high is None:
            return False
        order = self.order(piece.low, piece.high)
        if order is None:
            return None
        return order > 0 or (order == 0 and (piece.low_is_open or piece.high_is_open))

    def joined(self, pieces: tuple[Piece, ...]) -> list[Piece] | None:
        """Return the pieces in order, empty ones left out and touching ones joined; None where that is not known."""
        kept = []
        for piece in pieces:
            is_empty = self._is_empty(piece)
            if is_empty is None:
                return None
            if not is_empty:
                kept.append(piece)
        sorted_ = self._sorted(kept)
        if sorted_ is None:
            return None
        result: list[Piece] = []
        for piece in sorted_:
            before = result[-1] if result else None
            if before is None or not self._touch(before, piece):
                result.append(piece)
                continue
            end = self._outer(before, piece)
            result[-1] = Piece(before.low, end[0], before.low_is_open, end[1])
        return result

    def _sorted(self, pieces: list[Piece]) -> list[Piece] | None:
        result: list[Piece] = []
        for piece in pieces:
            place = 0
            while place < len(result):
                first = self._begins_before(piece, result[place])
                if first is None:
                    return None
                if first:
                    break
                place += 1
            result.insert(place, piece)
        return result

    def _begins_before(self, one: Piece, other: Piece) -> bool | None:
        if one.low is None or other.low is None:
            return one.low is None
        order = self.order(one.low, other.low)
        if order is None:
            return None
        return order < 0 or (order == 0 and not one.low_is_open and other.low_is_open)

    def _touch(self, before: Piece, after: Piece) -> bool:
        if before.high is None or after.low is None:
            return True
        order = self.order(after.low, before.high)
        return order is not None and (order < 0 or (order == 0 and not (before.high_is_open and after.low_is_open)))

    def _outer(self, before: Piece, after: Piece) -> tuple[Node | None, bool]:
        if before.high is None or after.high is None:
            return None, True
        order = self.order(before.high, after.high)
        if order == 0:
            return before.high, before.high_is_open and after.high_is_open
        return (before.high, before.high_is_open) if order == 1 else (after.high, after.high_is_open)
