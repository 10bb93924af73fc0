"""Names of tensors brought to one form, so that the same weights under another program's names are still compared.

Wrappers' prefixes are dropped; matrices that one program keeps as one (queries, keys and values; gate and up) are cut
where the other keeps them apart, by the rows that the other has. Not covered: query, key and value interleaved by head,
experts stacked into one tensor, a layer under another number.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence

from fairtrial.contamination.identity.views import Stored, View, slices

PREFIXES = ("base_model.model.", "_orig_mod.", "module.", "model.", "transformer.", "language_model.", "backbone.")
FUSED = {
    "qkv_proj": ("q_proj", "k_proj", "v_proj"),
    "W_pack": ("q_proj", "k_proj", "v_proj"),
    "gate_up_proj": ("gate_proj", "up_proj"),
}
EMBEDDINGS = ("embed_tokens.weight", "wte.weight", "tok_embeddings.weight", "embed_in.weight", "word_embeddings.weight")
HEADS = ("lm_head.weight", "output.weight", "embed_out.weight")
_LAYER = re.compile(r"(?:^|\.)(?:layers|h|blocks|block|layer)\.(\d+)\.")
_BUFFER = re.compile(r"(?:inv_freq|position_ids|masked_bias|attn\.bias|causal_mask|cos_cached|sin_cached)$")


def plain(name: str) -> str:
    """Return `name` without the prefixes of wrappers.

    >>> plain("base_model.model.model.layers.0.mlp.up_proj.base_layer.weight"), plain("lm_head.weight")
    ('layers.0.mlp.up_proj.weight', 'lm_head.weight')
    """
    while True:
        for prefix in PREFIXES:
            if name.startswith(prefix):
                name = name.removeprefix(prefix)
                break
        else:
            return name.replace(".base_layer.", ".")


def renamed(tensors: Mapping[str, View]) -> dict[str, View]:
    """Return `tensors` by their plain names; where two would share one, both keep their own."""
    count: dict[str, int] = {}
    for name in tensors:
        count[plain(name)] = count.get(plain(name), 0) + 1
    return {plain(name) if count[plain(name)] == 1 else name: view for name, view in tensors.items()}


def without_prefix(tensors: Mapping[str, View], like: Mapping[str, View]) -> dict[str, View]:
    """Return `tensors` without the prefix that keeps most of them from having names of `like`.

    A trainer's own wrapper (`actor.`, `pretrained_model.`) is no other model.
    """
    counts: dict[str, int] = {"": sum(name in like for name in tensors)}
    for name in tensors:
        at = name.find(".")
        while at >= 0:
            if name[at + 1 :] in like:
                counts[name[: at + 1]] = counts.get(name[: at + 1], 0) + 1
            at = name.find(".", at + 1)
    prefix = max(counts, key=lambda each: counts[each])
    parts = prefix.split(".")[:-1]
    heads = [".".join(parts[:count]) + "." for count in range(len(parts), 0, -1)]  # the head lacks the body's `model.`
    names = {name: _shortened(name, heads, like) for name in tensors}
    return {names[name]: view for name, view in tensors.items()} if len({*names.values()}) == len(names) \
        else dict(tensors)  # fmt: skip


def _shortened(name: str, prefixes: Sequence[str], like: Mapping[str, View]) -> str:
    cut = [name.removeprefix(prefix) for prefix in prefixes if name.startswith(prefix)]
    return next((tail for tail in cut if tail in like), cut[0] if cut and name not in like else name)


def layer_of(name: str) -> str:
    """Return the part of the model that a tensor belongs to.

    >>> layer_of("layers.11.mlp.up_proj.weight"), layer_of("embed_tokens.weight"), layer_of("norm.weight")
    ('layer 11', 'embedding', 'other')
    """
    found = _LAYER.search(name)
    if found:
        return f"layer {int(found.group(1))}"
    if name in EMBEDDINGS:
        return "embedding"
    return "head" if name in HEADS else "other"


def is_buffer(name: str) -> bool:
    """Say whether a tensor holds what a program computes by itself (masks, positions, frequencies), not weights."""
    return _BUFFER.search(name) is not None


def unfused(tensors: Mapping[str, View], like: Mapping[str, View]) -> dict[str, View]:
    """Return `tensors` with those cut that `like` keeps in parts, where rows add up; what it has no part of stays."""
    result: dict[str, View] = {}
    for name, view in tensors.items():
        parts = _parts(name, view, like)
        result |= parts or {name: view}
    return result


def _parts(name: str, view: View, like: Mapping[str, View]) -> dict[str, View]:
    for fused, names in FUSED.items():
        if f".{fused}." not in name or name in like or not isinstance(view, Stored):
            continue
        wanted = [name.replace(f".{fused}.", f".{part}.") for part in names]
        if all(part in like for part in wanted):
            rows = tuple(like[part].shape[0] for part in wanted if like[part].shape)
            if len(rows) == len(wanted) and sum(rows) == view.shape[0]:
                return dict(zip(wanted, slices(view, rows), strict=True))
    return {}


def with_tied(tensors: Mapping[str, View], like: Mapping[str, View]) -> dict[str, View]:
    """Return `tensors` with the head that `like` has and these share with the embedding."""
    missing = [head for head in HEADS if head in like and head not in tensors]
    embedding = next((tensors[name] for name in EMBEDDINGS if name in tensors), None)
    if not missing or embedding is None or any(head in tensors for head in HEADS):
        return dict(tensors)
    return dict(tensors) | {missing[0]: embedding}
