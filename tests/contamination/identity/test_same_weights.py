"""The same weights under other names, shards, formats, fused or with added tokens are still the same weights."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest

from contamination.identity.handed_in import CONFIG, base, encoded, own, save, sibling, widened
from contamination.identity.tiny import Weights
from fairtrial.contamination.identity import Identity, compare_models


def compared(tmp_path: Path, weights: Weights, dtype: str = "F32", origin: str = "F32") -> Identity:
    return compare_models(save(tmp_path / "s", weights, dtype), save(tmp_path / "b", base(), origin),
                          [save(tmp_path / "instruct", sibling(), origin)])  # fmt: skip


def fused(weights: Weights) -> Weights:
    """Return weights as a program keeps them that has queries, keys and values in one, gate and up in one."""
    result = dict(weights)
    for layer in range(2):
        at = f"model.layers.{layer}."
        qkv = [result.pop(f"{at}self_attn.{name}_proj.weight") for name in "qkv"]
        gate_up = [result.pop(f"{at}mlp.{name}_proj.weight") for name in ("gate", "up")]
        result[f"{at}self_attn.qkv_proj.weight"] = np.concatenate(qkv)
        result[f"{at}mlp.gate_up_proj.weight"] = np.concatenate(gate_up)
    return result


def more_tokens(weights: Weights, count: int = 8) -> Weights:
    """Return weights with drawn rows for new tokens."""
    rng, names = np.random.default_rng(7), ("model.embed_tokens.weight", "lm_head.weight")
    return weights | {n: np.concatenate([weights[n], rng.normal(size=(count, 32)).astype(np.float32)]) for n in names}


def under(prefix: str, weights: Weights) -> Weights:
    return {prefix + name: value for name, value in weights.items()}


def widened_all(weights: Weights) -> Weights:
    return {name: widened(value) for name, value in weights.items()}


def without_prefix(weights: Weights) -> Weights:
    return {name.removeprefix("model."): value for name, value in weights.items()}


SAME = {
    "as it is": lambda w: w,
    "wrapped": lambda w: under("base_model.model.", w),
    "compiled": lambda w: under("_orig_mod.", w),
    "bare": without_prefix,
    "fused": fused,
    "more tokens": more_tokens,
    "fused, wrapped, more tokens": lambda w: under("module.", more_tokens(fused(w))),
}


@pytest.mark.parametrize("form", [pytest.param(form, marks=() if "," in form else pytest.mark.extra) for form in SAME])
def test_the_base_in_another_form_is_untrained_and_the_sibling_is_found(form: str, tmp_path: Path) -> None:
    told = "unknown" if "tokens" in form else "untrained"  # new tokens alone may have been trained
    assert compared(tmp_path, SAME[form](base())).verdict == told
    assert compared(tmp_path, SAME[form](sibling())).verdict == "different_model"
    assert compared(tmp_path, SAME[form](own())).verdict == "base_derived"


@pytest.mark.parametrize(
    ("dtype", "origin"),
    [
        ("BF16", "F32"),
        ("F32", "BF16"),
        pytest.param("F16", "F32", marks=pytest.mark.extra),
        pytest.param("F64", "F32", marks=pytest.mark.extra),
        pytest.param("F16", "BF16", marks=pytest.mark.extra),
        pytest.param("F32", "F64", marks=pytest.mark.extra),
    ],
)
def test_another_number_format_is_no_training(dtype: str, origin: str, tmp_path: Path) -> None:
    narrow = widened_all if origin == "BF16" else dict
    assert compared(tmp_path, narrow(base()), dtype, origin).verdict == "untrained"
    assert compared(tmp_path, narrow(sibling()), dtype, origin).verdict == "different_model"
    assert compared(tmp_path, own(), dtype, origin).verdict == "base_derived"


def test_a_fused_base_is_cut_as_well(tmp_path: Path) -> None:
    found = compare_models(save(tmp_path / "s", own()), save(tmp_path / "b", fused(base())))
    assert found.verdict == "base_derived"
    assert found.evidence[1].numbers["compared"] == sum(value.size for value in base().values())


@pytest.mark.parametrize("is_tied", [True, False])
def test_a_head_that_is_the_embedding_may_be_written_or_not(is_tied: bool, tmp_path: Path) -> None:
    tied = {name: value for name, value in base().items() if name != "lm_head.weight"}
    written = tied | {"lm_head.weight": tied["model.embed_tokens.weight"]}
    one, two = (tied, written) if is_tied else (written, tied)
    found = compare_models(save(tmp_path / "s", one), save(tmp_path / "b", two))
    assert found.verdict == "untrained"


@pytest.mark.extra
def test_shards_are_no_difference(tmp_path: Path) -> None:
    folder = tmp_path / "s"
    folder.mkdir()
    names = {}
    for number, name in enumerate(own()):
        names[name] = f"model-{number:05}-of-00021.safetensors"
        (folder / names[name]).write_bytes(encoded({name: own()[name]}))
    (folder / "model.safetensors.index.json").write_text(json.dumps({"weight_map": names}), encoding="utf-8")
    (folder / "config.json").write_text(json.dumps(CONFIG), encoding="utf-8")
    one = compare_models(folder, save(tmp_path / "b", base())).document()
    two = compare_models(save(tmp_path / "t", own()), tmp_path / "b").document()
    assert one["evidence"] == two["evidence"]
    assert one["layers"] == two["layers"]


def test_positions_and_masks_are_no_weights(tmp_path: Path) -> None:
    more = {"model.layers.0.self_attn.rotary_emb.inv_freq": np.ones(8, np.float32),
            "model.position_ids": np.arange(8, dtype="<i8")}  # fmt: skip
    assert compare_models(save(tmp_path / "s", base() | more), save(tmp_path / "b", base())).verdict == "untrained"
    trained = compare_models(save(tmp_path / "t", own() | more), tmp_path / "b")
    assert trained.verdict == "base_derived"
