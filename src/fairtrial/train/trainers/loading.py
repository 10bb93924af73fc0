"""Load a model from a folder: safetensors alone, never pickle, never the model's own code.

`open_model` has refused folders without safetensors; here the loader is told the same, and nothing is fetched.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

import torch
from transformers import AutoModelForCausalLM, AutoModelForSequenceClassification, AutoTokenizer

from fairtrial.contamination.identity.folder import open_model
from fairtrial.records import InputError
from fairtrial.train.recipe import Recipe

_SAFE: dict[str, Any] = {"local_files_only": True, "trust_remote_code": False}


def load_policy(folder: Path, dtype: torch.dtype = torch.float32) -> Any:
    """Return the language model in `folder`. Raise InputError where it cannot be loaded."""
    return _loaded(AutoModelForCausalLM, folder, dtype)


def load_scorer(folder: Path, dtype: torch.dtype = torch.float32) -> Any:
    """Return the model in `folder` with a head of one score; the head is new where the folder has none."""
    return _loaded(AutoModelForSequenceClassification, folder, dtype, num_labels=1)


def _loaded(kind: Any, folder: Path, dtype: torch.dtype, **more: Any) -> Any:
    open_model(folder)
    try:
        return kind.from_pretrained(str(folder), use_safetensors=True, dtype=dtype, **_SAFE, **more)
    except (OSError, ValueError, KeyError, RuntimeError) as error:
        raise InputError(f"cannot be loaded: {str(error).strip().splitlines()[0]}", path=folder) from error


def load_tokenizer(folder: Path, *, side: str = "right") -> Any:
    """Return the tokenizer in `folder`, padded on `side`, with a token to pad with.

    Raise InputError where there is none, or it has no token that ends a text.
    """
    try:
        tokenizer = AutoTokenizer.from_pretrained(str(folder), padding_side=side, **_SAFE)
    except (OSError, ValueError, KeyError) as error:
        raise InputError(
            f"its tokenizer cannot be loaded: {str(error).strip().splitlines()[0]}", path=folder
        ) from error
    if tokenizer.eos_token_id is None:
        raise InputError("its tokenizer has no token that ends a text (eos_token)", path=folder)
    if tokenizer.pad_token_id is None:
        tokenizer.pad_token = tokenizer.eos_token
    return tokenizer


def sampling_dtype(recipe: Recipe) -> torch.dtype:
    """Return the type of the numbers that a model is sampled in."""
    return torch.bfloat16 if recipe.precision == "bfloat16" else torch.float32
