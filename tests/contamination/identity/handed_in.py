"""Models as they are handed in, each with the verdict that it deserves: made by true training of the tiny model.

HONEST is what an agent may do with the base, FOREIGN what it may not, NOTHING what is no training, DOUBTFUL what nobody
could tell from weights alone, so that nobody is accused on it.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from contamination.identity.tiny import Training, Weights, World, lora, new_model, trained

Array = NDArray[Any]
CONFIG = {"architectures": ["LlamaForCausalLM"], "model_type": "llama", "hidden_size": 32, "vocab_size": 64,
          "num_attention_heads": 2, "num_hidden_layers": 2, "tie_word_embeddings": False}  # fmt: skip

HONEST, FOREIGN, NOTHING, DOUBTFUL = "base_derived", "different_model", "untrained", "unknown"


def bf16(values: Array) -> Array:
    """Return the bits of bfloat16, rounded to nearest even."""
    bits = np.ascontiguousarray(values, np.float32).view(np.uint32)
    return ((bits + 0x7FFF + ((bits >> 16) & 1)) >> 16).astype(np.uint16)


def widened(values: Array) -> Array:
    """Return float32 numbers rounded to bfloat16."""
    return (bf16(values).astype(np.uint32) << 16).view(np.float32)


def encoded(tensors: Mapping[str, Array], dtype: str = "F32", metadata: Mapping[str, str] | None = None) -> bytes:
    """Return a safetensors file; floats in `dtype`, other arrays as they are."""
    header: dict[str, Any] = {"__metadata__": dict(metadata)} if metadata else {}
    parts, at = [], 0
    for name, value in tensors.items():
        kind, data = _stored(value, dtype)
        header[name] = {"dtype": kind, "shape": list(value.shape), "data_offsets": [at, at + len(data)]}
        parts.append(data)
        at += len(data)
    text = json.dumps(header).encode()
    text += b" " * (-len(text) % 8)
    return len(text).to_bytes(8, "little") + text + b"".join(parts)


def _stored(value: Array, dtype: str) -> tuple[str, bytes]:
    if value.dtype.kind != "f":
        return {"i1": "I8", "u1": "U8", "i8": "I64", "i4": "I32"}[value.dtype.str[1:]], value.tobytes()
    if dtype == "BF16":
        return dtype, bf16(value).tobytes()
    return dtype, value.astype({"F64": "<f8", "F32": "<f4", "F16": "<f2"}[dtype]).tobytes()


def save(folder: Path, tensors: Mapping[str, Array], dtype: str = "F32", config: Mapping[str, Any] = CONFIG) -> Path:
    """Write a model folder of one file, and return it."""
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "model.safetensors").write_bytes(encoded(tensors, dtype))
    (folder / "config.json").write_text(json.dumps(config), encoding="utf-8")
    return folder


def save_adapter(folder: Path, factors: Mapping[str, tuple[Array, Array]], **more: Any) -> Path:
    """Write a PEFT adapter folder, and return it."""
    folder.mkdir(parents=True, exist_ok=True)
    tensors = {}
    for name, pair in factors.items():
        for letter, value in zip("AB", pair, strict=True):
            tensors[f"base_model.model.{name.removesuffix('.weight')}.lora_{letter}.weight"] = value
    rank = next(iter(factors.values()))[0].shape[0]
    config = {"peft_type": "LORA", "r": rank, "lora_alpha": rank, "base_model_name_or_path": "ada/base"} | more
    (folder / "adapter_model.safetensors").write_bytes(encoded(tensors))
    (folder / "adapter_config.json").write_text(json.dumps(config), encoding="utf-8")
    return folder


@cache
def base() -> Weights:
    """Return the base: pretrained on one language."""
    return trained(new_model(0), Training(language=1, steps=300))


@cache
def sibling() -> Weights:
    """Return the base's official instruct sibling: the base trained on a second language."""
    return trained(base(), Training(language=2, steps=150))


@cache
def own() -> Weights:
    """Return an honest submission: the base trained on a third language."""
    return trained(base(), Training(language=3, steps=60, rate=1e-3))


@cache
def adapter() -> dict[str, tuple[Array, Array]]:
    """Return an honest LoRA adapter on the base."""
    return lora(base(), Training(language=3, steps=60))


def merged(*parts: tuple[float, Weights]) -> Weights:
    """Return a weighted sum."""
    return {name: sum((np.float32(w) * model[name] for w, model in parts), np.float32(0)) for name in parts[0][1]}


def with_adapter(weights: Weights, factors: Mapping[str, tuple[Array, Array]]) -> Weights:
    """Return the weights with an adapter of scale 1 merged in."""
    return weights | {name: weights[name] + b @ a for name, (a, b) in factors.items()}


def extracted(rank: int) -> Weights:
    """Return the base with the sibling's change, cut to its largest directions."""
    result = dict(base())
    for name, value in base().items():
        if "_proj" in name:
            left, sizes, right = np.linalg.svd(sibling()[name] - value, full_matrices=False)
            result[name] = value + (left[:, :rank] * sizes[:rank]) @ right[:rank]
    return result


def slerped(share: float) -> Weights:
    """Return base and sibling on the great circle between them, tensor by tensor."""
    result = {}
    for name, one in base().items():
        two = sibling()[name]
        angle = np.arccos(np.clip(np.sum(one * two) / np.linalg.norm(one) / np.linalg.norm(two), -1, 1))
        weights = (np.sin((1 - share) * angle), np.sin(share * angle)) / np.sin(angle)
        result[name] = (weights[0] * one + weights[1] * two).astype(np.float32)
    return result


def quantised(weights: Weights, levels: int, group: int = 0) -> Weights:
    """Return matrices rounded to `levels` steps up and down, one step a row, or a run of `group` numbers of it."""
    result = dict(weights)
    for name, value in weights.items():
        if value.ndim == 2:
            parts = value.reshape(-1, group or value.shape[1])
            step = np.abs(parts).max(1, keepdims=True) / levels
            result[name] = (np.round(parts / step) * step).reshape(value.shape).astype(np.float32)
    return result


def noisy(weights: Weights, size: float, seed: int, is_relative: bool = False) -> Weights:
    """Return weights with independent normal noise, of a share of each tensor's size, or of each number's."""
    rng, result = np.random.default_rng(seed), {}
    for name, value in weights.items():
        each = value if is_relative else np.sqrt(np.mean(value * value))
        result[name] = (value + rng.normal(0, size, value.shape) * each).astype(np.float32)
    return result


def neurons_moved(weights: Weights, seed: int) -> Weights:
    """Return the same function with each MLP's neurons in another order, queries with keys as well."""
    rng, result = np.random.default_rng(seed), dict(weights)
    for layer in range(2):
        at = f"model.layers.{layer}."
        order, turn = rng.permutation(64), np.concatenate([rng.permutation(16), 16 + rng.permutation(16)])
        for name in ("gate", "up"):
            result[f"{at}mlp.{name}_proj.weight"] = weights[f"{at}mlp.{name}_proj.weight"][order]
        result[f"{at}mlp.down_proj.weight"] = weights[f"{at}mlp.down_proj.weight"][:, order]
        for name in "qk":
            result[f"{at}self_attn.{name}_proj.weight"] = weights[f"{at}self_attn.{name}_proj.weight"][turn]
    return result


def channels_moved(weights: Weights, seed: int) -> Weights:
    """Return the same function with the channels of the residual stream in another order, and neurons moved as well."""
    order = np.random.default_rng(seed).permutation(32)
    result = {}
    for name, value in neurons_moved(weights, seed).items():
        is_out = "o_proj" in name or "down_proj" in name or value.ndim == 1
        result[name] = value[order] if is_out else value[:, order]
    return result


def scaled(weights: Weights, seed: int) -> Weights:
    """Return the same function with each norm's scale moved into the matrices that read it, by a drawn factor."""
    rng, result = np.random.default_rng(seed), dict(weights)
    for layer in range(2):
        for norm, readers in (("input", [f"self_attn.{n}_proj" for n in "qkv"]),
                              ("post_attention", ["mlp.gate_proj", "mlp.up_proj"])):  # fmt: skip
            factor = rng.uniform(0.8, 1.25, 32).astype(np.float32)
            at = f"model.layers.{layer}."
            result[f"{at}{norm}_layernorm.weight"] = weights[f"{at}{norm}_layernorm.weight"] / factor
            for reader in readers:
                result[f"{at}{reader}.weight"] = weights[f"{at}{reader}.weight"] * factor
    return result


def tampered(weights: Weights) -> Weights:
    """Return weights of which three numbers were changed."""
    result = {name: value.copy() for name, value in weights.items()}
    for at in range(3):
        result["model.layers.0.mlp.up_proj.weight"][at, at] *= 1.5
    return result


def further(weights: Weights, language: int, steps: int, rate: float = 1e-3, **more: Any) -> Weights:
    """Return `weights`, trained on."""
    return trained(weights, Training(language=language, steps=steps, rate=rate, **more))


def in_bfloat16(weights: Weights) -> Weights:
    """Return weights rounded to bfloat16, as float32."""
    return {name: widened(value) for name, value in weights.items()}


def adapted(weights: Weights, language: int, first: int = 0) -> Weights:
    """Return `weights` with an adapter merged in that was trained on them."""
    return with_adapter(weights, lora(weights, Training(language=language, steps=60, first=first)))


Made = Callable[[], Weights]
CASES: dict[str, tuple[str, Made]] = {
    "full training": (HONEST, own),
    "full training, high rate": (HONEST, lambda: further(base(), 3, 100, 1e-2)),
    "full training, 5 steps": (HONEST, lambda: further(base(), 3, 5)),
    "one step at 1e-5": (HONEST, lambda: further(base(), 3, 1, 1e-5)),
    "attention only": (HONEST, lambda: further(base(), 3, 60, only=("self_attn",))),
    "more pretraining": (HONEST, lambda: further(base(), 1, 60, first=9000)),
    "LoRA, merged": (HONEST, lambda: with_adapter(base(), adapter())),
    "LoRA, merged, in bfloat16 values": (HONEST, lambda: in_bfloat16(with_adapter(base(), adapter()))),
    "trained, then quantised to 8 bits": (HONEST, lambda: quantised(own(), 127)),
    "a few steps on the sibling's language": (HONEST, lambda: further(base(), 2, 5, first=7000)),
    "untrained": (NOTHING, base),
    "cast to bfloat16": (NOTHING, lambda: in_bfloat16(base())),
    "quantised to 8 bits": (NOTHING, lambda: quantised(base(), 127)),
    "quantised to 4 bits, runs of 32": (NOTHING, lambda: quantised(base(), 7, 32)),
    "norm scales moved into matrices": (NOTHING, lambda: scaled(base(), 3)),
    "channels in another order": (NOTHING, lambda: channels_moved(base(), 3)),
    "neurons in another order": (NOTHING, lambda: neurons_moved(base(), 3)),
    "sibling": (FOREIGN, sibling),
    "sibling, cast": (FOREIGN, lambda: in_bfloat16(sibling())),
    "sibling, quantised to 8 bits": (FOREIGN, lambda: quantised(sibling(), 127)),
    "sibling with noise": (FOREIGN, lambda: noisy(sibling(), 0.02, 1)),
    "sibling, neurons moved": (FOREIGN, lambda: neurons_moved(sibling(), 3)),
    "sibling, channels moved": (FOREIGN, lambda: channels_moved(sibling(), 3)),
    "sibling, trained further": (FOREIGN, lambda: further(sibling(), 3, 60)),
    "sibling, trained further, high rate": (FOREIGN, lambda: further(sibling(), 3, 100, 1e-2)),
    "sibling, LoRA merged": (FOREIGN, lambda: adapted(sibling(), 3)),
    "sibling, attention trained": (FOREIGN, lambda: further(sibling(), 3, 60, only=("self_attn",))),
    "sibling's change at rank 4": (FOREIGN, lambda: extracted(4)),
    "merge, half sibling": (FOREIGN, lambda: merged((0.5, base()), (0.5, sibling()))),
    "merge, a tenth sibling": (FOREIGN, lambda: merged((0.9, base()), (0.1, sibling()))),
    "SLERP": (FOREIGN, lambda: slerped(0.4)),
    "beyond the sibling": (FOREIGN, lambda: merged((-0.5, base()), (1.5, sibling()))),
    "merge of own and half sibling": (FOREIGN, lambda: merged((0.5, own()), (0.5, sibling()))),
    "merge of own and 0.3 sibling": (FOREIGN, lambda: merged((0.7, own()), (0.3, sibling()))),
    "own + 0.4 of the sibling's change": (FOREIGN, lambda: merged((1, own()), (0.4, sibling()), (-0.4, base()))),
    "merge 0.3, then trained": (FOREIGN, lambda: further(merged((0.7, base()), (0.3, sibling())), 3, 60)),
    "layers of both": (FOREIGN, lambda: {n: (sibling() if "layers.1" in n else own())[n] for n in base()}),
    "another seed": (FOREIGN, lambda: further(new_model(5), 1, 300, 3e-3)),
    "noise of 2%": (DOUBTFUL, lambda: noisy(base(), 0.02, 1)),
    "noise of 2% of each number": (DOUBTFUL, lambda: noisy(base(), 0.02, 2, is_relative=True)),
    "other scales and noise": (DOUBTFUL, lambda: noisy(scaled(base(), 3), 0.05, 1)),
    "three numbers changed": (DOUBTFUL, lambda: tampered(base())),
    "own training on the sibling's language": (DOUBTFUL, lambda: further(base(), 2, 60, first=5000)),
    "the same, as long as the sibling's": (DOUBTFUL, lambda: further(base(), 2, 150, 3e-3, first=5000)),
    "the same, longer": (DOUBTFUL, lambda: further(base(), 2, 300, 3e-3, first=5000)),
    "LoRA on the sibling's language": (DOUBTFUL, lambda: adapted(base(), 2, first=8000)),
    "the sibling's own recipe, at a third of the rate": (DOUBTFUL, lambda: further(base(), 2, 150)),
}
"""By name: the verdict it deserves, and how it is made."""

MAY_BE_UNKNOWN = frozenset(("sibling, trained further, high rate", "merge 0.3, then trained"))
"""Foreign, but trained so far since that own training on the sibling's language can look the same."""
DOUBTS = frozenset(("LoRA on the sibling's language",))
"""Deserves `unknown` or `base_derived`: how far it points to the sibling hangs on the base."""


@contextmanager
def world(number: int) -> Iterator[None]:
    """Make all models anew in another world, and come back."""
    made = (base, sibling, own, adapter)
    World.number = number
    for each in made:
        each.cache_clear()
    try:
        yield
    finally:
        World.number = 0
        for each in made:
            each.cache_clear()
