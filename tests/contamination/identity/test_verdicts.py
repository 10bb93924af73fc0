"""Truly trained models, siblings, merges, copies and noise are told apart; nobody is accused who may be honest.

A few of each kind here; all of them, on five bases, in tests/quality/test_identity.py.
"""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest

from contamination.identity.handed_in import CASES, CONFIG, base, merged, noisy, own, save, sibling
from contamination.identity.tiny import Training, new_model, trained
from fairtrial.contamination.identity import Identity, compare_models

QUICK = (
    "full training", "trained, then quantised to 8 bits", "untrained", "cast to bfloat16", "quantised to 8 bits",
    "norm scales moved into matrices", "neurons in another order", "sibling", "sibling with noise",
    "sibling, neurons moved", "sibling's change at rank 4", "merge, half sibling", "merge of own and 0.3 sibling",
    "layers of both", "noise of 2%", "three numbers changed",
)  # fmt: skip


@pytest.fixture
def origin(tmp_path: Path) -> Path:
    return save(tmp_path / "base", base())


@pytest.fixture
def instruct(tmp_path: Path) -> Path:
    return save(tmp_path / "instruct", sibling())


def evidence(found: Identity, kind: str) -> dict[str, object]:
    return next(each.numbers for each in found.evidence if each.kind == kind)


@pytest.mark.parametrize("name", QUICK)
def test_each_gets_the_verdict_it_deserves(name: str, origin: Path, instruct: Path, tmp_path: Path) -> None:
    deserved, made = CASES[name]
    found = compare_models(save(tmp_path / "submitted", made()), origin, [instruct])
    assert found.verdict == deserved, found.why
    assert found.evidence[0].speaks_for == deserved
    assert found.holds is {"base_derived": True, "unknown": None}.get(deserved, False)


@pytest.mark.extra
def test_equal_configurations_tell_nobody_apart(origin: Path, instruct: Path, tmp_path: Path) -> None:
    strange = trained(new_model(9), Training(language=1, steps=20))
    for weights in (own(), sibling(), strange):
        found = compare_models(save(tmp_path / "s", weights), origin, [instruct])
        told = next(each for each in found.evidence if each.kind == "config")
        assert told.speaks_for == ""
        assert "nothing of the weights" in told.claim
    assert found.verdict == "different_model"


def test_a_sibling_that_was_not_given_is_never_said_to_be_excluded(
    origin: Path, instruct: Path, tmp_path: Path
) -> None:
    alone = compare_models(save(tmp_path / "s", sibling()), origin)
    assert alone.verdict == "base_derived"  # it is the base, trained: by somebody else
    assert any("no known model was given" in why for why in alone.not_measured)
    useless = compare_models(tmp_path / "s", origin, [origin])
    assert any("no known model was given" in why for why in useless.not_measured)
    given = compare_models(save(tmp_path / "o", own()), origin, [instruct])
    assert any("was not given cannot be excluded" in why for why in given.not_measured)


@pytest.mark.extra
def test_of_two_known_models_the_right_ones_are_named(origin: Path, instruct: Path, tmp_path: Path) -> None:
    second = trained(base(), Training(language=4, steps=100))
    other = save(tmp_path / "second", second)
    half = compare_models(save(tmp_path / "s", merged((0.5, sibling()), (0.5, second))), origin, [instruct, other])
    assert half.verdict == "different_model"
    parts = evidence(half, "mixture")["coefficients"]
    assert parts == {"instruct": pytest.approx(0.5, abs=0.02), "second": pytest.approx(0.5, abs=0.02)}
    further = compare_models(save(tmp_path / "t", noisy(second, 0.01, 1)), origin, [instruct, other])
    assert further.verdict == "different_model"
    assert "second" in further.why


def test_another_architecture_is_a_different_model_and_says_which(origin: Path, instruct: Path, tmp_path: Path) -> None:
    wide = {name: np.repeat(value, 2, axis=-1) for name, value in own().items()}
    strange = compare_models(save(tmp_path / "s", wide), origin, [instruct])
    assert (strange.verdict, strange.evidence[0].kind) == ("different_model", "shapes")
    known = compare_models(
        tmp_path / "s", origin, [save(tmp_path / "k", wide | {"lm_head.weight": wide["lm_head.weight"] + 1})]
    )
    assert (known.verdict, known.evidence[0].kind) == ("different_model", "near_known")


def test_packed_weights_are_unknown_and_never_untrained(origin: Path, tmp_path: Path) -> None:
    packed = {n: (v * 20).astype("i1") if v.ndim == 2 else v for n, v in base().items()}
    found = compare_models(save(tmp_path / "s", packed), origin)
    assert found.verdict == "unknown"
    assert "packed" in found.why


def test_parts_that_are_missing_or_not_the_bases_are_not_vouched_for(origin: Path, tmp_path: Path) -> None:
    without = {n: v for n, v in own().items() if "layers.1.mlp" not in n}
    swapped = own() | {n: v for n, v in new_model(3).items() if "layers.1.mlp.up" in n}
    for weights in (without, swapped):
        assert compare_models(save(tmp_path / "s", weights), origin).verdict == "unknown"


def test_only_vectors_changed_cannot_be_told_from_noise(origin: Path, tmp_path: Path) -> None:
    only = trained(base(), Training(language=3, steps=20, only=("norm",)))
    assert compare_models(save(tmp_path / "s", only), origin).verdict == "unknown"


def test_the_same_folders_give_the_same_document(origin: Path, instruct: Path, tmp_path: Path) -> None:
    submitted = save(tmp_path / "s", own())
    one, two = (json.dumps(compare_models(submitted, origin, [instruct]).document(), sort_keys=True) for _ in range(2))
    assert one == two


def test_layers_show_where_a_model_was_changed(origin: Path, instruct: Path, tmp_path: Path) -> None:
    mixed = {n: (sibling() if "layers.1" in n else base())[n] for n in base()}
    rows = {row["layer"]: row for row in compare_models(save(tmp_path / "s", mixed), origin, [instruct]).layers}
    assert list(rows) == ["embedding", "layer 0", "layer 1", "head", "other"]
    assert (rows["layer 0"]["equal"], rows["layer 1"]["equal"]) == (1, 0)
    assert rows["layer 1"]["known"]["instruct"] == {"distance": 0, "coefficient": pytest.approx(1, abs=1e-5)}
    assert rows["layer 0"]["known"]["instruct"]["coefficient"] == 0


def test_files_beside_the_weights_are_told(origin: Path, instruct: Path, tmp_path: Path) -> None:
    submitted = save(tmp_path / "s", own(), config=CONFIG | {"vocab_size": 66})
    vocabulary = {"a": 0, "b": 1}
    for folder, more, template in ((origin, {}, "plain"), (instruct, {}, "chat"), (submitted, {"<x>": 2}, "chat")):
        added = [{"content": token, "id": number} for token, number in more.items()]
        document = {"model": {"type": "BPE", "vocab": vocabulary, "merges": ["a b"]}, "added_tokens": added}
        (folder / "tokenizer.json").write_text(json.dumps(document), encoding="utf-8")
        (folder / "tokenizer_config.json").write_text(json.dumps({"chat_template": template}), encoding="utf-8")
        (folder / "generation_config.json").write_text(json.dumps({"eos_token_id": len(template)}), encoding="utf-8")
    found = compare_models(submitted, origin, [instruct])
    assert found.verdict == "base_derived"
    assert evidence(found, "config")["different"] == {"vocab_size": [66, 64]}
    tokenizer = evidence(found, "tokenizer")
    assert (tokenizer["added"], tokenizer["removed"], tokenizer["added_tokens"]) == (1, 0, ["<x>"])
    assert evidence(found, "chat_template")["same_as_known"] == ["instruct"]
    assert evidence(found, "generation_config")["same_as_known"] == ["instruct"]
