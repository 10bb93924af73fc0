"""Read the settings that lie in config/."""

import tomllib
from pathlib import Path

CONFIG = Path(__file__).resolve().parent.parent / "config"


def settings(name):
    """Return the settings of one file, such as `belts`."""
    return tomllib.loads((CONFIG / f"{name}.toml").read_text(encoding="utf-8"))
