"""Write a recipe as TOML that reads back as the same object: every field, its defaults too, in the schema's order."""

from __future__ import annotations

import os
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import orjson

from fairtrial.train.recipe.reading import SEED, with_paths
from fairtrial.train.recipe.schema import Recipe


def recipe_toml(recipe: Recipe, beside: Path) -> str:
    """Return `recipe`, whose paths are absolute, as the text of a file in the folder `beside`."""
    return _written(with_paths(recipe, lambda _, text: os.path.relpath(text, beside.resolve())))


def placeless_toml(recipe: Recipe) -> str:
    """Return `recipe` with each path cut to its name, so that the text is the same wherever the files lie.

    A path whose folder holds `{seed}` is cut to that folder. The files are named by hash in `[resolved]`.
    """
    return _written(with_paths(recipe, lambda _, text: _name(text)))


def _name(path: str) -> str:
    r"""Return the end of a path that tells files apart.

    >>> _name("/a/b/base"), _name("/a/base-{seed}/model")
    ('base', 'base-{seed}/model')
    """
    parts = Path(path).parts
    first = next((number for number, part in enumerate(parts) if SEED in part), len(parts) - 1)
    return "/".join(parts[first:])


def _written(recipe: Recipe) -> str:
    return "".join(_table((), recipe.model_dump(exclude_none=True))).lstrip("\n")


def _table(place: tuple[str, ...], values: Mapping[str, Any], is_item: bool = False) -> list[str]:
    """Return the lines of a table: its values, then the tables below it, as TOML wants them."""
    name = ".".join(_key(part) for part in place)
    lines = [f"\n[[{name}]]\n" if is_item else f"\n[{name}]\n"] if place else []
    below: list[str] = []
    for key, value in values.items():
        if isinstance(value, Mapping):
            below += _table((*place, key), value)
        elif isinstance(value, list) and value and isinstance(value[0], Mapping):
            for item in value:
                below += _table((*place, key), item, is_item=True)
        else:
            lines.append(f"{_key(key)} = {_value(value)}\n")
    return lines + below


def _key(key: str) -> str:
    plain = key.isascii() and key.replace("_", "").replace("-", "").isalnum()
    return key if plain else _value(key)


def _value(value: Any) -> str:
    r"""Return a value as TOML writes it. Its basic strings are those of JSON, but for DEL.

    >>> _value("a\x7f\"b"), _value([1, 2]), _value(1e-05), _value(True)
    ('"a\\u007f\\"b"', '[1, 2]', '1e-05', 'true')
    """
    if isinstance(value, str):
        return orjson.dumps(value).decode().replace("\x7f", "\\u007f")
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, float):
        return repr(value)
    if isinstance(value, list):
        return f"[{', '.join(_value(each) for each in value)}]"
    return str(value)
