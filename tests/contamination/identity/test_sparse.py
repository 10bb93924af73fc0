"""Sparse changes, and changes of vectors alone, are told from noise: what training moves together, noise does not."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from contamination.identity.handed_in import Array, Weights, save
from fairtrial.contamination.identity import compare_models

LAYERS, WIDTH, INNER = 6, 96, 1536


def model() -> Weights:
    rng, found = np.random.default_rng(0), {}
    for layer in range(LAYERS):
        at = f"model.layers.{layer}."
        found[f"{at}mlp.up_proj.weight"] = rng.normal(0, 0.1, (INNER, WIDTH)).astype(np.float32)
        found[f"{at}input_layernorm.weight"] = rng.uniform(0.8, 1.2, WIDTH).astype(np.float32)
    return found


def verdict(folder: Path, changed: Weights) -> tuple[str, str]:
    found = compare_models(save(folder / "s", changed), save(folder / "b", model()))
    return found.verdict, found.evidence[0].kind


def norms_changed(channels: float, each: float) -> Weights:
    """Return the model with norms changed by what all layers share, and by what each has alone."""
    rng = np.random.default_rng(1)
    together = rng.normal(0, channels, WIDTH)
    return {n: (v + together + rng.normal(0, each, WIDTH)).astype(np.float32) if v.ndim == 1 else v
            for n, v in model().items()}  # fmt: skip


def rows_changed(is_learned: bool) -> Weights:
    """Return the model with an eightieth of rows changed in a tenth of their numbers, in one direction or by noise."""
    rng, found = np.random.default_rng(2), model()
    for value in found.values():
        if value.ndim == 2:
            rows = rng.choice(INNER, INNER // 80, replace=False)
            signs: Array = np.outer(rng.choice([-1, 1], len(rows)), rng.choice([-1, 1], WIDTH))
            if not is_learned:
                signs = rng.choice([-1, 1], signs.shape)
            value[rows] += (0.001 * signs * (rng.random(signs.shape) < 0.1)).astype(np.float32)
    return found


def test_norms_that_share_channels_were_trained(tmp_path: Path) -> None:
    assert verdict(tmp_path, norms_changed(0.01, 0.01)) == ("base_derived", "vectors")


@pytest.mark.parametrize("size", [1e-4, 0.01, 0.3])
def test_noise_on_norms_is_no_training(size: float, tmp_path: Path) -> None:
    assert verdict(tmp_path, norms_changed(0, size)) == ("unknown", "structure")


def test_another_scale_of_norms_is_no_training(tmp_path: Path) -> None:
    scaled = {n: (v * np.float32(1.01)) if v.ndim == 1 else v for n, v in model().items()}
    assert verdict(tmp_path, scaled)[0] == "unknown"


@pytest.mark.extra
def test_few_rows_are_looked_at_where_they_changed(tmp_path: Path) -> None:
    assert verdict(tmp_path, rows_changed(is_learned=True)) == ("base_derived", "structure")
    assert verdict(tmp_path, rows_changed(is_learned=False)) == ("unknown", "structure")
