"""`fairtrial kit TESTS --from-rewardkit FOLDER`: write what a rewardkit folder asks as checks.toml and grading.toml.

Nothing of the folder is run, and nothing in TESTS is overwritten. Not covered: files that its criteria name beside
themselves (a judge's reference), which the author copies.
"""

from __future__ import annotations

import tomllib
from pathlib import Path

from fairtrial.checks.aggregation import Rules
from fairtrial.checks.checks_file import NAME
from fairtrial.checks.rewardkit import Translation, read_rewardkit
from fairtrial.cli.output import note
from fairtrial.records import InputError

GRADING = "grading.toml"


def bring(folder: Path, tests: Path, workspace: str) -> Translation:
    """Write the translation of `folder` into `tests`, and say on stderr what it lacks.

    Raise InputError, having written nothing, where a file of ours is there already, or nothing could be translated.
    """
    if not workspace.startswith("/"):
        raise InputError("is a path in the box, so it begins with /", field="--workspace")
    places = (tests / NAME, tests / GRADING)
    for place in (*places, tests.resolve().parent / GRADING):
        if place.exists() or place.is_symlink():
            raise InputError("is there already", path=place, hint="It is not overwritten; move it away first.")
    found = read_rewardkit(folder, workspace)
    _tell(found)
    if not found.checks:
        what = "none of its criteria has a counterpart" if found.untranslated else "holds no criterion"
        raise InputError(what, path=folder, field="--from-rewardkit")
    try:
        Rules.of(tomllib.loads(found.grading))
    except InputError as error:
        what = f"what can be translated makes no grading by itself: {error.what}"
        raise InputError(what, path=folder, field="--from-rewardkit") from None
    for place, text in zip(places, (found.checks, found.grading), strict=True):
        place.write_text(text, encoding="utf-8")
        note(f"written: {place}")
    return found


def _tell(found: Translation) -> None:
    for line in found.untranslated:
        note(f"not translated: {line}")
    for line in found.differs:
        note(f"differs: {line}")
