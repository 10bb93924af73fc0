"""A LoRA adapter laid on a base: W + (alpha / rank) · B A for each matrix it names, other tensors the base's own.

The base that adapter_config.json names is a claim; what counts is whether the shapes fit the base that was given.
Source: Hu et al. 2021, "LoRA"; alpha / √rank after Kalajdzievski 2023 (`use_rslora`).
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any

from fairtrial.contamination.identity.dtypes import Array
from fairtrial.contamination.identity.folder import Model
from fairtrial.contamination.identity.header import shown
from fairtrial.contamination.identity.naming import plain
from fairtrial.contamination.identity.views import Adapted, View
from fairtrial.records import FormatError, InputError

MOST_FACTOR_NUMBERS = 50_000_000
_OTHER = "The adapter was made for another model."
_FACTORS = {".lora_A.": ("A", False), ".lora_B.": ("B", False), ".lora_embedding_A": ("A", True),
            ".lora_embedding_B": ("B", True)}  # fmt: skip


class DoesNotFitError(InputError):
    """An adapter was made for a model of other shapes."""


@dataclass(frozen=True, slots=True)
class Laid:
    """An adapter's whole model, and what the adapter says and is."""

    model: Model
    claimed_base: str
    matrices: int
    """How many it changes, those with B = 0 counted too."""
    zero: int
    """How many have B = 0 (or A = 0): they change nothing."""
    ranks: tuple[int, ...]
    unread: tuple[str, ...]


def laid_on(adapter: Model, base: Model) -> Laid:
    """Return `adapter` on `base`. Raise InputError where its kind is not LoRA, DoesNotFitError where its shapes
    do not fit."""
    config = adapter.adapter or {}
    kind = str(config.get("peft_type", "LORA")).upper()
    if kind != "LORA" or config.get("use_dora"):
        raise InputError(f"is an adapter of the kind {'DoRA' if config.get('use_dora') else kind}, which is not read",
                         path=adapter.path, hint="Merge it into its base and hand in the merged model.")  # fmt: skip
    factors, whole, unread = _sorted(adapter.tensors, base)
    if not factors and not whole:
        raise FormatError("holds no factor of a LoRA adapter", path=adapter.path, hint="Known: lora_A and lora_B.")
    tensors, ranks, zero = dict(base.tensors), set(), 0
    for target, pair in factors.items():
        laid = _adapted(adapter, config, target, pair, base.tensors[target])
        ranks.add(laid.a.shape[0])
        zero += not (laid.a.any() and laid.b.any() and laid.scale)
        tensors[target] = laid
    tensors |= whole
    model = replace(adapter, tensors=tensors, config=adapter.config or base.config)
    return Laid(
        model, str(config.get("base_model_name_or_path") or ""), len(factors), zero, tuple(sorted(ranks)), unread
    )


def _sorted(
    tensors: Mapping[str, View], base: Model
) -> tuple[dict[str, dict[str, View]], dict[str, View], tuple[str, ...]]:
    """Return the factors by the base's tensor, the tensors that are handed in whole, and what fits nothing."""
    factors: dict[str, dict[str, View]] = {}
    whole: dict[str, View] = {}
    unread = []
    for name, view in tensors.items():
        target, factor = _target(name)
        if factor and target in base.tensors:
            factors.setdefault(target, {})[factor] = view
        elif factor:
            raise DoesNotFitError(
                f"changes `{shown(target)}`, which the base does not have", path=base.path, hint=_OTHER
            )
        elif plain(target) in base.tensors:
            whole[plain(target)] = view
        else:
            unread.append(f"`{shown(name)}` of the adapter belongs to no tensor of the base")
    return factors, whole, tuple(unread)


def _target(name: str) -> tuple[str, str]:
    """Return the tensor that an adapter's tensor changes, and which factor it is; "" where it replaces the whole.

    >>> _target("layers.0.q_proj.lora_A.default.weight"), _target("lm_head.modules_to_save.default.weight")
    (('layers.0.q_proj.weight', 'A'), ('lm_head.weight', ''))
    """
    for mark, (factor, is_embedding) in _FACTORS.items():
        if mark in name:
            # an embedding's A is (rank, tokens) and its B (columns, rank): the table is (B A) transposed
            return f"{plain(name.split(mark)[0])}.weight", f"{factor}{'t' if is_embedding else ''}"
    return plain(name.replace(".modules_to_save.default.", ".").replace(".modules_to_save.", ".")), ""


def _adapted(adapter: Model, config: dict[str, Any], target: str, pair: dict[str, View], base: View) -> Adapted:
    is_embedding = any(factor.endswith("t") for factor in pair)
    views = {factor[0]: view for factor, view in pair.items()}
    if set(views) != {"A", "B"} or any(len(view.shape) != 2 for view in views.values()):
        raise FormatError("has one factor of the two, or one that is no matrix", path=adapter.path, field=shown(target))
    a, b = (_matrix(adapter, target, views[name]) for name in "AB")
    is_transposed = is_embedding or bool(config.get("fan_in_fan_out"))
    shape = (a.shape[1], b.shape[0]) if is_transposed else (b.shape[0], a.shape[1])
    if a.shape[0] != b.shape[1] or shape != base.shape:
        what = f"changes `{shown(target)}` by a matrix of {list(shape)}; the base's has {list(base.shape)}"
        raise DoesNotFitError(what, path=adapter.path, hint=_OTHER)
    return Adapted(base, a, b, _scale(config, target, a.shape[0]), is_transposed)


def _matrix(adapter: Model, target: str, view: View) -> Array:
    size = view.shape[0] * view.shape[1]
    if size > MOST_FACTOR_NUMBERS:
        raise FormatError(f"has a factor of {size:,} numbers", path=adapter.path, field=shown(target))
    numbers: Array = view.numbers(0, size).reshape(view.shape)
    return numbers


def _scale(config: dict[str, Any], target: str, rank: int) -> float:
    """Return alpha / rank, or alpha / √rank; `alpha_pattern` names modules with an alpha of their own."""
    module = target.removesuffix(".weight")
    own = config.get("alpha_pattern")
    named = [value for key, value in own.items() if module == key or module.endswith(f".{key}")] \
        if isinstance(own, dict) else []  # fmt: skip
    alpha = named[0] if named else config.get("lora_alpha", rank)
    if not isinstance(alpha, int | float) or not math.isfinite(alpha):
        raise FormatError("is no number", field="lora_alpha")
    return float(alpha) / (math.sqrt(rank) if config.get("use_rslora") else rank) if rank else 0.0
