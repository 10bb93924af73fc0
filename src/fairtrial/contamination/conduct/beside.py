"""Variables that files set which lie beside a program: `.env`, scripts that start it, compose files, Dockerfiles.

Of the same folder and of those above it. Where two files set one differently, what leads off the machine is kept.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path

from fairtrial.contamination.conduct.recipes import holds_recipes, variables_of
from fairtrial.contamination.conduct.shell_variables import variables_in

_SHELL = re.compile(r"\.(?:sh|bash|zsh|slurm|sbatch)$|^\.envrc$")
_DOCKERFILE = re.compile(r"^(?:Docker|Container)file(?:\.\w+)?$|\.[dD]ockerfile$")
_NEAR = re.compile(r"//(?:localhost|127\.|0\.0\.0\.0|\[::1\]|10\.|192\.168\.|[\w-]+[:/]|[\w-]+$)")


@dataclass(slots=True)
class Beside:
    """What files set, by folder."""

    texts: Mapping[Path, str]
    _by_folder: dict[Path, dict[str, str]] = field(default_factory=dict)

    def __post_init__(self) -> None:
        for file, text in self.texts.items():
            found = _set_by(file.name, text)
            held = self._by_folder.setdefault(file.parent, {})
            for name, value in found.items():
                if name not in held or _NEAR.search(held[name]):
                    held[name] = value

    def variables(self, file: Path) -> dict[str, str]:
        """Return the variables in sight of a program; its own folder and `.env` come first."""
        found: dict[str, str] = {}
        for folder in (*reversed(file.parent.parents), file.parent):
            found |= self._by_folder.get(folder, {})
        return found | variables_in("\n" + self.texts.get(file.parent / ".env", ""), {})


def _set_by(name: str, text: str) -> dict[str, str]:
    if _SHELL.search(name):
        return variables_in("\n" + text, {})
    return variables_of(name, text) if holds_recipes(name) or _DOCKERFILE.search(name) else {}
