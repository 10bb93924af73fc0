"""A model folder is read whole or refused with the reason: shards, index, pickles, code, places outside."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from contamination.identity.handed_in import CONFIG, encoded, save
from fairtrial.contamination.identity.folder import INDEX, content_hash, open_model
from fairtrial.records import FormatError, InputError

PARTS = {"model.layers.0.mlp.up_proj.weight": np.ones((4, 3)), "model.norm.weight": np.ones(3)}


def sharded(folder: Path, **changes: Any) -> Path:
    folder.mkdir()
    names = {}
    for number, (name, value) in enumerate(PARTS.items(), 1):
        file = f"model-0000{number}-of-00002.safetensors"
        (folder / file).write_bytes(encoded({name: value}))
        names[name] = file
    (folder / INDEX).write_text(json.dumps({"weight_map": names | changes}), encoding="utf-8")
    (folder / "config.json").write_text(json.dumps(CONFIG), encoding="utf-8")
    return folder


def test_shards_are_one_model(tmp_path: Path) -> None:
    whole, parts = open_model(save(tmp_path / "one", PARTS)), open_model(sharded(tmp_path / "two"))
    assert whole.tensors.keys() == parts.tensors.keys() == {"layers.0.mlp.up_proj.weight", "norm.weight"}
    assert whole.parameters == parts.parameters == 15


@pytest.mark.parametrize(
    ("changes", "said"),
    [
        ({"model.norm.weight": "model-00003-of-00002.safetensors"}, "not there"),
        ({"model.norm.weight": "../other/model.safetensors"}, "no safetensors file of this folder"),
        ({"model.norm.weight": "/etc/passwd"}, "no safetensors file of this folder"),
        ({"model.norm.weight": "model.bin"}, "no safetensors file of this folder"),
        ({"model.norm.weight": "model-00001-of-00002.safetensors"}, "it does not"),
        ({"more": "model-00001-of-00002.safetensors"}, "it does not"),
        ({"model.norm.weight": 7}, "no `weight_map`"),
    ],
)
def test_an_index_that_does_not_hold_is_refused(changes: dict[str, Any], said: str, tmp_path: Path) -> None:
    with pytest.raises(FormatError, match=said):
        open_model(sharded(tmp_path / "m", **changes))


@pytest.mark.parametrize("name", ["pytorch_model.bin", "model.pt", "consolidated.00.pth"])
def test_pickles_are_refused_and_never_opened(name: str, tmp_path: Path) -> None:
    (tmp_path / "config.json").write_text(json.dumps(CONFIG), encoding="utf-8")
    (tmp_path / name).symlink_to("/nonexistent/never-opened")
    with pytest.raises(InputError, match="pickle") as refused:
        open_model(tmp_path)
    assert "safetensors" in str(refused.value.hint)


@pytest.mark.parametrize(
    ("files", "said"),
    [({}, "no \\*.safetensors"), ({"model.gguf": b""}, "format that is not read"),
     ({"adapter_model.safetensors": encoded(PARTS)}, "no adapter_config"),
     ({"model.safetensors": encoded({})}, "no tensor"), ({"config.json": b"{", "model.safetensors": b""}, "not JSON"),
     ({"a.safetensors": encoded(PARTS), "b.safetensors": encoded(PARTS)}, "another file of the folder")],
)  # fmt: skip
def test_folders_without_one_readable_model_are_refused(files: dict[str, bytes], said: str, tmp_path: Path) -> None:
    for name, data in files.items():
        (tmp_path / name).write_bytes(data)
    with pytest.raises(InputError, match=said):
        open_model(tmp_path)


def test_what_lies_beside_and_is_not_read_is_told(tmp_path: Path) -> None:
    folder = save(tmp_path / "m", PARTS, config=CONFIG | {"auto_map": {"AutoModel": "own.Model"}})
    (folder / "pytorch_model.bin").write_bytes(b"x")
    (folder / "consolidated.safetensors").write_bytes(encoded(PARTS))
    told = " ".join(open_model(folder).unread)
    assert "pytorch_model.bin" in told
    assert "code of its own" in told
    assert "consolidated.safetensors" in told


def test_the_hash_is_of_content_and_of_all_of_it(tmp_path: Path) -> None:
    one, two = save(tmp_path / "one", PARTS), save(tmp_path / "two", PARTS)
    assert content_hash(open_model(one)) == content_hash(open_model(two))
    (two / "chat_template.jinja").write_text("{{ x }}", encoding="utf-8")
    assert content_hash(open_model(one)) != content_hash(open_model(two))


def test_a_file_that_ends_while_it_is_read_is_an_error(tmp_path: Path) -> None:
    model = open_model(save(tmp_path / "m", PARTS))
    file = tmp_path / "m" / "model.safetensors"
    file.write_bytes(file.read_bytes()[:-8])
    with pytest.raises(FormatError, match="ended while"):
        model.tensors["norm.weight"].raw(0, 3)
