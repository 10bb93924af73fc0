"""What lies beside the weights: configuration, tokenizer, chat template, generation settings. Never a verdict.

An instruct sibling has the very architecture of its base, and who trains a base may use its sibling's template: so
equal files speak of nobody's weights, and different ones are only worth a look.
"""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

from fairtrial.contamination.identity.evidence import Evidence
from fairtrial.contamination.identity.folder import MOST_JSON_BYTES, Model, read_json
from fairtrial.contamination.identity.header import shown
from fairtrial.records import FormatError, canonical_json

NOT_ARCHITECTURE = frozenset(("_name_or_path", "transformers_version", "torch_dtype", "dtype", "use_cache", "auto_map"))
_SHOWN = 12


@dataclass(frozen=True, slots=True)
class Tokenizer:
    """A tokenizer's vocabulary and merges, by content."""

    kind: str
    """The file it was read from; empty where there is none."""
    vocabulary: dict[str, int] = field(default_factory=dict)
    """Tokens to ids, added ones too; empty where the file is binary (tokenizer.model)."""
    added: tuple[str, ...] = ()
    merges: str = ""
    """Hash of the merges, or of the binary file."""


def evidence_beside(submitted: Model, base: Model, known: Sequence[Model]) -> list[Evidence]:
    """Return what the files beside the weights say, one for each kind of file."""
    return [
        _config(submitted, base, known),
        *_tokenizers(submitted, base),
        *_texts("chat_template", "the chat template", [_template(m) for m in (submitted, base, *known)], known),
        *_texts(
            "generation_config", "generation_config.json", [_generation(m) for m in (submitted, base, *known)], known
        ),
    ]


def _config(submitted: Model, base: Model, known: Sequence[Model]) -> Evidence:
    different = config_differences(submitted.config, base.config)
    same = [model.label for model in (base, *known) if not config_differences(submitted.config, model.config)]
    if not submitted.config or not base.config:
        claim = "config.json is missing on one side, so configurations were not compared"
    elif different:
        claim = f"the configuration differs from the base's in {', '.join(map(shown, list(different)[:_SHOWN]))}"
    else:
        claim = f"the configuration is that of {', '.join(same)}; that says nothing of the weights"
    numbers: dict[str, Any] = {"different": {key: list(value) for key, value in list(different.items())[:_SHOWN]}}
    name = submitted.config.get("_name_or_path")
    return Evidence("config", claim, numbers | ({"name_or_path": str(name)} if name else {}))


def config_differences(one: dict[str, Any], other: dict[str, Any]) -> dict[str, tuple[Any, Any]]:
    """Return the keys of two configurations that differ, with both values; what names no architecture is left out.

    >>> config_differences({"hidden_size": 8, "use_cache": True}, {"hidden_size": 4})
    {'hidden_size': (8, 4)}
    """
    keys = sorted((set(one) | set(other)) - NOT_ARCHITECTURE)
    return {key: (one.get(key), other.get(key)) for key in keys if one.get(key) != other.get(key)}


def _tokenizers(submitted: Model, base: Model) -> list[Evidence]:
    own, theirs = read_tokenizer(submitted), read_tokenizer(base)
    if not own.kind or not theirs.kind:
        return [Evidence("tokenizer", "there is no tokenizer on one side, so they were not compared", {})]
    if own.kind != theirs.kind:
        return [
            Evidence("tokenizer", f"tokenizers are of two kinds ({own.kind}, base {theirs.kind}): not compared", {})
        ]
    more = sorted(set(own.vocabulary) - set(theirs.vocabulary))
    less = sorted(set(theirs.vocabulary) - set(own.vocabulary))
    moved = sum(theirs.vocabulary.get(token, number) != number for token, number in own.vocabulary.items())
    numbers: dict[str, Any] = {
        "tokens": len(own.vocabulary), "base_tokens": len(theirs.vocabulary), "added": len(more), "removed": len(less),
        "other_ids": moved, "same_merges": own.merges == theirs.merges, "added_tokens": more[:_SHOWN],
    }  # fmt: skip
    if not more and not less and not moved and own.merges == theirs.merges:
        return [Evidence("tokenizer", "the tokenizer is the base's", numbers)]
    merges = "" if own.merges == theirs.merges else "; its merges are others"
    claim = (
        f"the tokenizer has {len(more):,} tokens more than the base's, {len(less):,} fewer, {moved:,} under other ids"
    )
    return [Evidence("tokenizer", claim + merges, numbers)]


def read_tokenizer(model: Model) -> Tokenizer:
    """Return a model's tokenizer: tokenizer.json, else vocab.json with merges.txt, else tokenizer.model by its hash."""
    folder = model.path
    if not folder.is_dir():
        return Tokenizer("")
    whole = read_json(folder / "tokenizer.json")
    if whole:
        held = whole.get("model")
        inner: dict[str, Any] = held if isinstance(held, dict) else {}
        listed = whole.get("added_tokens")
        tokens = [token for token in listed if isinstance(token, dict)] if isinstance(listed, list) else []
        added = {str(t.get("content")): t["id"] for t in tokens if isinstance(t.get("id"), int)}
        merges = hashlib.sha256(canonical_json(_text_of_merges(inner.get("merges")))).hexdigest()
        return Tokenizer("tokenizer.json", _vocabulary(inner.get("vocab")) | added, tuple(added), merges)
    vocabulary = read_json(folder / "vocab.json")
    if vocabulary:
        return Tokenizer("vocab.json", _vocabulary(vocabulary), (), _hash(model, "merges.txt"))
    return Tokenizer("tokenizer.model", {}, (), _hash(model, "tokenizer.model")) \
        if (folder / "tokenizer.model").is_file() else Tokenizer("")  # fmt: skip


def _vocabulary(found: Any) -> dict[str, int]:
    if isinstance(found, dict):
        return {token: number for token, number in found.items() if isinstance(number, int)}
    if isinstance(found, list):  # unigram: [token, score] in the order of ids
        return {str(pair[0]): number for number, pair in enumerate(found) if isinstance(pair, list) and pair}
    return {}


def _text_of_merges(found: Any) -> list[str]:
    """Return merges as older and newer files write them, in one form: "a b"."""
    return [" ".join(map(str, m)) if isinstance(m, list) else str(m) for m in found] if isinstance(found, list) else []


def _hash(model: Model, name: str) -> str:
    path = model.path / name
    if not path.is_file():
        return ""
    if path.stat().st_size > MOST_JSON_BYTES:
        raise FormatError(f"has more than {MOST_JSON_BYTES:,} bytes", path=path)
    return hashlib.sha256(path.read_bytes()).hexdigest()


def _template(model: Model) -> str:
    """Return the chat template, from a file of its own or from tokenizer_config.json; empty where there is none."""
    if not model.path.is_dir():
        return ""
    own = model.path / "chat_template.jinja"
    if own.is_file() and own.stat().st_size <= MOST_JSON_BYTES:
        return own.read_bytes().decode("utf-8", "replace").strip()
    found = read_json(model.path / "chat_template.json").get("chat_template") or read_json(
        model.path / "tokenizer_config.json"
    ).get("chat_template")
    return found.strip() if isinstance(found, str) else canonical_json(found).decode() if found else ""


def _generation(model: Model) -> str:
    if not model.path.is_dir():
        return ""
    found = read_json(model.path / "generation_config.json")
    found.pop("transformers_version", None)
    return canonical_json(found).decode() if found else ""


def _texts(kind: str, name: str, found: Sequence[str], known: Sequence[Model]) -> list[Evidence]:
    """Return whose text the submitted's is: the base's, a known model's, its own."""
    own, base, others = found[0], found[1], found[2:]
    same = [model.label for model, text in zip(known, others, strict=True) if text and text == own]
    numbers = {"same_as_base": own == base, "same_as_known": same}
    if not own:
        return [Evidence(kind, f"{name} is not there{'; the base has one' if base else ''}", numbers)] if base else []
    if own == base:
        return [Evidence(kind, f"{name} is the base's", numbers)]
    if same:
        return [Evidence(kind, f"{name} is that of {', '.join(same)}, and not the base's; who trains a base may use it",
                         numbers)]  # fmt: skip
    return [Evidence(kind, f"{name} is neither the base's nor a known model's", numbers)]
