"""What an honest agent may hand in and was once accused for: other names, other scales, rounding, dropped layers.

Beside each stands what it must not be taken for: the same done to the base alone, or to its sibling.
"""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from contamination.identity.handed_in import (
    Array,
    Weights,
    base,
    further,
    merged,
    neurons_moved,
    own,
    quantised,
    save,
    scaled,
    sibling,
)
from fairtrial.contamination.identity import Identity, compare_models


def compared(folder: Path, weights: Weights) -> Identity:
    origin, instruct = save(folder / "base", base()), save(folder / "instruct", sibling())
    return compare_models(save(folder / "submitted", weights), origin, [instruct])


def under(prefix: str, weights: Weights) -> Weights:
    return {prefix + name: value for name, value in weights.items()}


def renamed(weights: Weights) -> Weights:
    """Return weights under names that nobody knows."""
    pairs = (("model.layers", "stack"), ("_proj", "_lin"), ("lm_head", "unembed"), ("embed_tokens", "symbols"))
    result = {}
    for name, value in weights.items():
        for one, two in pairs:
            name = name.replace(one, two)
        result[name] = value
    return result


def scales_trained(weights: Weights) -> Weights:
    """Return weights as (IA)³ leaves them: keys, values and neurons have other scales, nothing makes up for it."""
    rng, result = np.random.default_rng(4), dict(weights)
    for layer in range(2):
        at = f"model.layers.{layer}."
        for name, shape in (("self_attn.k", (32, 1)), ("self_attn.v", (32, 1)), ("mlp.down", (1, 64))):
            name = f"{at}{name}_proj.weight"
            result[name] = weights[name] * rng.uniform(0.9, 1.1, shape).astype(np.float32)
    return result


def with_scale(weights: Weights) -> Weights:
    """Return weights as 8-bit programs keep them: of full range, with their scale in another tensor."""
    result = dict(weights)
    for name, value in weights.items():
        if "_proj" in name:
            scale = np.abs(value).max() / 448
            result[name] = value / scale
            result[f"{name}_scale"] = np.array([scale], np.float32)
    return result


def first_layer_dropped(weights: Weights) -> Weights:
    return {n.replace("layers.1", "layers.0"): v for n, v in weights.items() if "layers.0" not in n}


def layers_swapped(weights: Weights) -> Weights:
    other = {"layers.0": "layers.1", "layers.1": "layers.0"}
    return {next((n.replace(a, b) for a, b in other.items() if a in n), n): v for n, v in weights.items()}


def with_new_tokens(weights: Weights) -> Weights:
    rng, names = np.random.default_rng(7), ("model.embed_tokens.weight", "lm_head.weight")
    return weights | {n: np.concatenate([weights[n], rng.normal(size=(4, 32)).astype(np.float32)]) for n in names}


def without_the_smallest(weights: Weights, share: float = 0.1) -> Weights:
    def cut(value: Array) -> Array:
        return np.where(np.abs(value) < np.quantile(np.abs(value), share), 0, value).astype(np.float32)

    return {name: cut(value) if value.ndim == 2 else value for name, value in weights.items()}


@pytest.mark.parametrize("prefix", ["actor.", "pretrained_model.", "policy.module.model."])
def test_a_trainers_own_prefix_makes_no_other_model(prefix: str, tmp_path: Path) -> None:
    head = {"v_head.summary.weight": np.ones((1, 32), np.float32)}
    assert compared(tmp_path, under(prefix, own()) | head).verdict == "base_derived"
    assert compared(tmp_path, under(prefix, sibling()) | head).verdict == "different_model"
    assert compared(tmp_path, under(prefix, base())).verdict == "untrained"


def test_unknown_names_on_the_same_shapes_accuse_nobody(tmp_path: Path) -> None:
    found = compared(tmp_path, renamed(own()))
    assert (found.verdict, found.evidence[0].kind) == ("unknown", "shapes")


def test_scales_that_were_trained_are_told_from_scales_that_were_moved(tmp_path: Path) -> None:
    assert compared(tmp_path, scales_trained(base())).verdict == "unknown"
    assert compared(tmp_path, scaled(base(), 3)).verdict == "untrained"


def test_a_rescaled_model_is_no_merge(tmp_path: Path) -> None:
    assert compared(tmp_path, with_scale(own())).verdict == "unknown"
    doubled = {name: value * 3 if "_proj" in name else value for name, value in own().items()}
    assert compared(tmp_path, doubled).verdict != "different_model"


@pytest.mark.parametrize(("levels", "group"), [(7, 32), (127, 0)])
@pytest.mark.parametrize(("steps", "rate"), [(5, 1e-3), (20, 1e-4), (20, 1e-5)])
def test_little_training_before_rounding_is_not_called_none(
    levels: int, group: int, steps: int, rate: float, tmp_path: Path
) -> None:
    before = quantised(further(base(), 3, steps, rate), levels, group)
    assert compared(tmp_path, before).verdict in ("base_derived", "unknown")
    assert compared(tmp_path, quantised(base(), levels, group)).verdict == "untrained"


def test_layers_that_were_dropped_or_moved_accuse_nobody_but_a_siblings_do(tmp_path: Path) -> None:
    for change in (first_layer_dropped, layers_swapped):
        found = compared(tmp_path, change(own()))
        assert (found.verdict, found.evidence[0].kind) == ("unknown", "other_layers")
        assert compared(tmp_path, change(sibling())).verdict == "different_model"
        assert compared(tmp_path, change(further(sibling(), 3, 20))).verdict == "different_model"


def test_neurons_in_another_order_are_the_nearer_models(tmp_path: Path) -> None:
    assert compared(tmp_path, further(neurons_moved(sibling(), 3), 3, 20)).verdict == "different_model"
    assert compared(tmp_path, further(neurons_moved(base(), 3), 3, 20)).verdict == "unknown"
    assert compared(tmp_path, further(neurons_moved(base(), 3), 2, 60, first=5000)).verdict == "unknown"


def test_new_tokens_alone_may_have_been_trained(tmp_path: Path) -> None:
    found = compared(tmp_path, with_new_tokens(base()))
    assert (found.verdict, found.evidence[0].kind) == ("unknown", "unchanged")


def test_numbers_set_to_zero_are_no_training(tmp_path: Path) -> None:
    assert compared(tmp_path, without_the_smallest(base())).evidence[0].kind == "pruned"
    assert compared(tmp_path, without_the_smallest(own())).verdict == "base_derived"


def test_a_twentieth_of_a_sibling_is_a_merge_where_nothing_else_changed(tmp_path: Path) -> None:
    found = compared(tmp_path, merged((0.95, base()), (0.05, sibling())))
    assert (found.verdict, found.evidence[0].kind) == ("different_model", "mixture")


def test_a_table_that_the_same_program_patched_accuses_nobody(tmp_path: Path) -> None:
    """Rows of unused tokens are set to the mean by sibling and submitted alike."""
    name = "model.embed_tokens.weight"
    patched = base()[name].copy()
    patched[-2:] = patched[:-2].mean(0)
    instruct = save(tmp_path / "instruct", sibling() | {name: patched})
    mine = save(tmp_path / "mine", own() | {name: patched})
    assert compare_models(mine, save(tmp_path / "base", base()), [instruct]).verdict == "base_derived"
