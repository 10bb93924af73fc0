"""Why a row is on one version of a board and not on another: refused, part of another row, the scale, or not there.

Both versions are documents. Not covered: rows that are on both (`changes`).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any


def left(row: Mapping[str, Any], now: Mapping[str, Any]) -> tuple[str, ...]:
    """Return why `row` of an earlier version is no row of the board `now`."""
    if why := _refused(row, now):
        return (f"its run is refused: {why}",)
    if models := _scale(row, now):
        return (f"{', '.join(models)}: of the scale below the rows now",)
    if others := _rows_with(row, now):
        return (f"part of the row {others[0]} now",) if _is_single(row) else (
            f"its models are rows of their own now: {', '.join(others)}",)  # fmt: skip
    return ("none of its runs is in the ledgers any more",)


def entered(row: Mapping[str, Any], before: Mapping[str, Any]) -> tuple[str, ...]:
    """Return where `row` was in the earlier version `before`; nothing where it was not there."""
    if why := _refused(row, before):
        return (f"its run was refused before: {why}",)
    if models := _scale(row, before):
        return (f"{', '.join(models)}: of the scale below the rows before",)
    if others := _rows_with(row, before):
        return (f"part of the row {others[0]} before" if _is_single(row) else
                f"its models were rows of their own before: {', '.join(others)}",)  # fmt: skip
    return ()


def _is_single(row: Mapping[str, Any]) -> bool:
    return not str(row["key"]).startswith("entrant ")


def _refused(row: Mapping[str, Any], board: Mapping[str, Any]) -> str:
    whose = [(model, row["agent"], row["effort"]) for model in row["models"]]
    if not _is_single(row):  # a row of several models is of no scaffold or effort
        found = [one["why"] for one in board["refused"] if one["model"] in row["models"]]
    else:
        found = [one["why"] for one in board["refused"] if (one["model"], one["agent"], one["effort"]) in whose]
    return "; ".join(found[:1])


def _scale(row: Mapping[str, Any], board: Mapping[str, Any]) -> Sequence[str]:
    scale = {model for each in board["references"] for model in each["models"]}
    return [model for model in row["models"] if model in scale or f"{model}@{row['effort']}" in scale]


def _rows_with(row: Mapping[str, Any], board: Mapping[str, Any]) -> Sequence[str]:
    """Return the labels of rows of `board` that hold models of `row`, and are rows of another kind than it."""
    models = {*row["models"], *(f"{model}@{row['effort']}" for model in row["models"] if row["effort"])}
    return [each["model"] for each in board["rows"]
            if _is_single(each) != _is_single(row) and models & set(each["models"])]  # fmt: skip
