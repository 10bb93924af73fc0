"""A LoRA adapter is measured as the model it makes of the base; what it says of its base is only told."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from contamination.identity.handed_in import (
    Array,
    adapter,
    base,
    encoded,
    own,
    save,
    save_adapter,
    sibling,
    with_adapter,
)
from fairtrial.contamination.identity import compare_models
from fairtrial.contamination.identity.adapter import laid_on
from fairtrial.contamination.identity.folder import open_model
from fairtrial.records import InputError

Factors = dict[str, tuple[Array, Array]]


@pytest.fixture
def origin(tmp_path: Path) -> Path:
    return save(tmp_path / "base", base())


def test_an_adapter_and_its_merged_model_are_one_model(origin: Path, tmp_path: Path) -> None:
    laid = laid_on(open_model(save_adapter(tmp_path / "a", adapter(), lora_alpha=4)), open_model(origin)).model
    for name, value in with_adapter(base(), adapter()).items():
        view = laid.tensors[name.removeprefix("model.")]
        assert np.allclose(view.numbers(0, value.size), value.ravel(), atol=1e-6)
        for start, stop in ((0, 1), (7, 31), (value.size - 5, value.size)):
            assert np.allclose(view.numbers(start, stop), value.ravel()[start:stop], atol=1e-6)


@pytest.mark.parametrize(
    ("settings", "scale"),
    [({"lora_alpha": 8}, 2.0), ({"lora_alpha": 8, "use_rslora": True}, 4.0), ({"lora_alpha": 0}, 0.0),
     ({"lora_alpha": 8, "alpha_pattern": {"q_proj": 2}}, 0.5)],
)  # fmt: skip
def test_the_scale_is_that_of_the_settings(
    settings: dict[str, Any], scale: float, origin: Path, tmp_path: Path
) -> None:
    laid = laid_on(open_model(save_adapter(tmp_path / "a", adapter(), **settings)), open_model(origin)).model
    name = "model.layers.0.self_attn.q_proj.weight"
    a, b = adapter()[name]
    found = laid.tensors[name.removeprefix("model.")].numbers(0, 1024) - base()[name].ravel()
    assert np.allclose(found, scale * (b @ a).ravel(), atol=1e-6)


def test_an_adapter_of_an_embedding_changes_its_rows(origin: Path, tmp_path: Path) -> None:
    rng = np.random.default_rng(0)
    a, b = rng.normal(size=(4, 64)).astype(np.float32), rng.normal(size=(32, 4)).astype(np.float32)
    folder = save_adapter(tmp_path / "a", adapter())
    at = "base_model.model.model.embed_tokens.lora_embedding_"
    (folder / "adapter_model.safetensors").write_bytes(encoded({f"{at}A": a, f"{at}B": b}))
    view = laid_on(open_model(folder), open_model(origin)).model.tensors["embed_tokens.weight"]
    wanted = base()["model.embed_tokens.weight"] + (b @ a).T
    assert np.allclose(view.numbers(0, 2048), wanted.ravel(), atol=1e-5)
    assert np.allclose(view.numbers(65, 100), wanted.ravel()[65:100], atol=1e-5)


def test_verdicts_of_adapters(origin: Path, tmp_path: Path) -> None:
    instruct = save(tmp_path / "instruct", sibling())
    zero = {name: (a, b * 0) for name, (a, b) in adapter().items()}
    verdicts = {
        name: compare_models(save_adapter(tmp_path / name, factors), origin, [instruct]).verdict
        for name, factors in {"trained": adapter(), "zero": zero, "sibling": extracted(4)}.items()
    }
    assert verdicts == {"trained": "base_derived", "zero": "untrained", "sibling": "different_model"}


def extracted(rank: int) -> Factors:
    """Return the sibling's change as an adapter."""
    factors = {}
    for name in adapter():
        left, sizes, right = np.linalg.svd(sibling()[name] - base()[name], full_matrices=False)
        factors[name] = (right[:rank], left[:, :rank] * sizes[:rank])
    return factors


def test_whole_tensors_beside_the_factors_are_compared_too(origin: Path, tmp_path: Path) -> None:
    folder = save_adapter(tmp_path / "a", adapter())
    head = sibling()["lm_head.weight"]
    tensors = {f"base_model.model.{name[:-7]}.lora_{letter}.weight": value for name, pair in adapter().items()
               for letter, value in zip("AB", pair, strict=True)}  # fmt: skip
    (folder / "adapter_model.safetensors").write_bytes(
        encoded(tensors | {"base_model.model.lm_head.modules_to_save.default.weight": head})
    )
    found = compare_models(folder, origin, [save(tmp_path / "instruct", sibling())])
    assert found.verdict == "different_model"
    assert "1 of" in found.why


def test_shapes_that_do_not_fit_make_it_another_models_adapter(origin: Path, tmp_path: Path) -> None:
    narrow = {name: (a[:, :16], b) for name, (a, b) in adapter().items()}
    deeper = {name.replace("layers.1", "layers.9"): pair for name, pair in adapter().items()}
    for name, factors in {"narrow": narrow, "deeper": deeper}.items():
        folder = save_adapter(tmp_path / name, factors)
        assert compare_models(folder, origin).verdict == "different_model"
        known = compare_models(save(tmp_path / "mine", own()), origin, [folder])
        assert known.verdict == "base_derived"
        assert any(f"known adapter {name}" in why for why in known.not_measured)


@pytest.mark.parametrize(
    ("settings", "said"),
    [({"peft_type": "IA3"}, "IA3"), ({"use_dora": True}, "DoRA"), ({"lora_alpha": "x"}, "no number")],
)
def test_other_adapters_are_refused(settings: dict[str, Any], said: str, origin: Path, tmp_path: Path) -> None:
    with pytest.raises(InputError, match=said):
        compare_models(save_adapter(tmp_path / "a", adapter(), **settings), origin)


def test_an_adapter_without_factors_is_no_untrained_model(origin: Path, tmp_path: Path) -> None:
    folder = tmp_path / "a"
    folder.mkdir()
    (folder / "adapter_config.json").write_text(json.dumps({"peft_type": "LORA"}), encoding="utf-8")
    (folder / "adapter_model.safetensors").write_bytes(encoded({"prompt_embeddings": np.ones((4, 4))}))
    with pytest.raises(InputError, match="no factor"):
        compare_models(folder, origin)
    with pytest.raises(InputError, match="no base"):
        compare_models(origin, save_adapter(tmp_path / "b", adapter()))


def test_the_named_base_is_a_claim(origin: Path, tmp_path: Path) -> None:
    found = compare_models(save_adapter(tmp_path / "a", adapter(), base_model_name_or_path="ada/base-instruct"), origin)
    told = next(each for each in found.evidence if each.kind == "adapter")
    assert told.numbers["claimed_base"] == "ada/base-instruct"
    assert "claim" in told.claim
    assert told.speaks_for == ""
