"""A model folder as it is compared: tensors by plain names, configuration, and what lies there that was not read.

Reads safetensors (one file, shards with an index, a LoRA adapter) and JSON. Never pickle, never a model's own code:
both run what their author wrote.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import orjson

from fairtrial.contamination.identity.header import read_header, shown
from fairtrial.contamination.identity.naming import renamed
from fairtrial.contamination.identity.views import Stored, View
from fairtrial.records import FormatError, InputError, canonical_json

PICKLES = (".bin", ".pt", ".pth", ".ckpt", ".pkl", ".pickle")
OTHERS = (".gguf", ".h5", ".msgpack", ".onnx", ".npz", ".ot")
INDEX = "model.safetensors.index.json"
ADAPTER, ADAPTER_CONFIG = "adapter_model.safetensors", "adapter_config.json"
MOST_JSON_BYTES = 128_000_000
_CONVERT = "Save it as safetensors (`save_pretrained(..., safe_serialization=True)`), and hand that in."


@dataclass(frozen=True, slots=True, kw_only=True)
class Model:
    """Hold what one folder says of itself, nothing of its weights read yet."""

    path: Path
    label: str
    """As pages call it: the folder's name."""
    tensors: dict[str, View]
    """By plain names. Of an adapter its factors, until it is laid on its base."""
    config: dict[str, Any]
    files: tuple[Path, ...]
    """Of weights, in order."""
    adapter: dict[str, Any] | None = None
    """adapter_config.json, where the folder holds a LoRA adapter and no weights of its own."""
    unread: tuple[str, ...] = ()
    """What lies there and was not read, in words."""

    @property
    def parameters(self) -> int:
        """Return how many numbers its tensors hold."""
        total = 0
        for view in self.tensors.values():
            size = 1
            for part in view.shape:
                size *= part
            total += size
        return total


def open_model(path: Path) -> Model:
    """Open a model folder, or one safetensors file. Raise InputError where there are no weights that can be read."""
    if not path.exists():
        raise InputError("there is no such model folder", path=path)
    if path.is_file():
        if path.suffix != ".safetensors":
            raise InputError("is no model folder and no safetensors file", path=path, hint=_CONVERT)
        return Model(path=path, label=shown(path.stem), tensors=_tensors([path]), config={}, files=(path,))
    config = read_json(path / "config.json")
    unread = _unread(path, config)
    label = shown(path.resolve().name)
    if (path / INDEX).is_file():
        files = _of_index(path)
    elif (path / "model.safetensors").is_file():
        files = [path / "model.safetensors"]
    else:
        files = sorted(p for p in path.glob("*.safetensors") if p.is_file() and p.name != ADAPTER)
    if files:
        passed = sorted({p.name for p in path.glob("*.safetensors")} - {p.name for p in files})
        unread += tuple(f"{name} lies beside the weights and belongs to none of them: not read" for name in passed)
        return Model(path=path, label=label, tensors=_tensors(files), config=config, files=tuple(files), unread=unread)
    if (path / ADAPTER).is_file():
        adapter = read_json(path / ADAPTER_CONFIG)
        if not adapter:
            raise InputError(f"holds {ADAPTER} and no {ADAPTER_CONFIG}", path=path)
        return Model(path=path, label=label, tensors=_tensors([path / ADAPTER]), config=config,
                     files=(path / ADAPTER,), adapter=adapter,
                     unread=unread)  # fmt: skip
    raise _no_weights(path)


def _no_weights(path: Path) -> InputError:
    names = sorted(p.name for p in path.iterdir() if p.suffix in PICKLES)
    if names:
        return InputError(f"holds weights as pickle alone ({', '.join(names[:3])}); reading those runs what their "
                          "author wrote, so they are not read", path=path, hint=_CONVERT)  # fmt: skip
    names = sorted(p.name for p in path.iterdir() if p.suffix in OTHERS)
    if names:
        return InputError(f"holds weights in a format that is not read ({', '.join(names[:3])})", path=path,
                          hint=_CONVERT)  # fmt: skip
    return InputError("holds no *.safetensors", path=path, hint=_CONVERT)


def _of_index(path: Path) -> list[Path]:
    """Return the shards that the index names. Raise FormatError where one is missing or lies elsewhere."""
    named = read_json(path / INDEX).get("weight_map")
    if not isinstance(named, dict) or not named or not all(isinstance(value, str) for value in named.values()):
        raise FormatError("has no `weight_map` of names to files", path=path / INDEX)
    files = []
    for name in sorted(set(named.values())):
        if Path(name).name != name or not name.endswith(".safetensors"):
            raise FormatError(f"names {shown(name)!r}, which is no safetensors file of this folder", path=path / INDEX)
        if not (path / name).is_file():
            raise FormatError(f"names {name}, which is not there", path=path / INDEX,
                              hint="The model is incomplete; a part of it cannot be judged.")  # fmt: skip
        files.append(path / name)
    held = {tensor.name: tensor.path.name for file in files for tensor in read_header(file)}
    for tensor, name in named.items():
        if held.get(tensor) != name:
            raise FormatError(f"says that {name} holds `{shown(tensor)}`; it does not", path=path / INDEX)
    return files


def _tensors(files: Iterable[Path]) -> dict[str, View]:
    found: dict[str, View] = {}
    for file in files:
        for tensor in read_header(file):
            if tensor.name in found:
                raise FormatError("is held by another file of the folder too", path=file, field=shown(tensor.name),
                                  hint="Two programs would read two models from it.")  # fmt: skip
            found[tensor.name] = Stored(tensor)
    if not found:
        raise InputError("holds no tensor", path=next(iter(files)))
    return renamed(found)


def _unread(path: Path, config: dict[str, Any]) -> tuple[str, ...]:
    found = []
    names = sorted(p.name for p in path.iterdir() if p.suffix in (*PICKLES, *OTHERS) and p.name != "training_args.bin")
    if names:
        found.append(f"{', '.join(names[:5])}: not read; a program that prefers it loads another model")
    if "auto_map" in config or any(path.glob("*.py")):
        found.append("the model brings code of its own, which was not read: what it computes is not what tensors say")
    if (path / ADAPTER).is_file() and any(p.name != ADAPTER for p in path.glob("*.safetensors")):
        found.append(f"{ADAPTER} lies beside whole weights: not applied; some programs apply it")
    return tuple(found)


def read_json(path: Path) -> dict[str, Any]:
    """Return a JSON object; empty where the file is not there. Raise FormatError where it holds something else."""
    if not path.is_file():
        return {}
    if path.stat().st_size > MOST_JSON_BYTES:
        raise FormatError(f"has more than {MOST_JSON_BYTES:,} bytes", path=path)
    try:
        found = orjson.loads(path.read_bytes())
    except orjson.JSONDecodeError as error:
        raise FormatError(f"is not JSON: {error}", path=path) from error
    if not isinstance(found, dict):
        raise FormatError("holds no JSON object", path=path)
    return found


def content_hash(model: Model) -> str:
    """Return the content address of a model: of its files of weights, and of the JSON and text beside them."""
    beside = (p for p in model.path.iterdir() if p.suffix in (".json", ".jinja", ".model", ".txt") and p.is_file()) \
        if model.path.is_dir() else ()  # fmt: skip
    parts = {}
    for path in sorted({*model.files, *beside}):
        with path.open("rb") as file:
            parts[path.name] = hashlib.file_digest(file, "sha256").hexdigest()
    return "sha256:" + hashlib.sha256(canonical_json(parts)).hexdigest()
