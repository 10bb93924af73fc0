"""Lay out what this machine has compiled of fairtrial's own loops, so that the decontamination command starts at once.

In a box the package is read-only, and numba would compile anew in every one: seconds, or a minute on a busy machine.
What numba finds to be of another source or processor it leaves alone; nothing then is lost but time.
"""

from __future__ import annotations

import hashlib
import shutil
from pathlib import Path

import fairtrial

CACHE = "/root/.cache/numba"
"""Where numba looks in a home when it cannot write beside the source."""
KEPT = ("*.nbi", "*.nbc")


def lay_out_compiled(folder: Path) -> bool:
    """Copy what is compiled into `folder`, as numba names it there (numba.core.caching); say whether there was any."""
    package = Path(fairtrial.__file__).resolve().parent
    for cache in package.rglob("__pycache__"):
        files = [path for pattern in KEPT for path in cache.glob(pattern)]
        source = cache.parent
        place = folder / f"{source.name}_{hashlib.sha1(str(source).encode(), usedforsecurity=False).hexdigest()}"
        for path in files:
            place.mkdir(parents=True, exist_ok=True)
            shutil.copyfile(path, place / path.name)
    return folder.is_dir()
