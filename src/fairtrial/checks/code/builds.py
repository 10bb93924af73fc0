"""Say whether the work builds: a command ends with 0 on a copy and makes what it should."""

from __future__ import annotations

import shlex
from pathlib import Path
from typing import Any

from fairtrial.checks.code.globs import matches
from fairtrial.checks.code.laying import in_place_of, laid
from fairtrial.checks.code.runs import Limits, refuse_lacking
from fairtrial.checks.code.trees import key, work
from fairtrial.checks.protocol import CheckError, Inside, Result
from fairtrial.checks.reading import of_the_work


@of_the_work
def builds(
    code: Inside,
    command: str,
    makes: list[str] | None = None,
    recipe: Inside = "",
    run: dict[str, Any] | None = None,
) -> Result:
    """Pass if `command` ends with 0 in a copy of the folder `code` and makes the files that `makes` names.

    What `makes` means is taken away first, so a product that lay there is none. `recipe` is a folder of the key whose
    files are laid over the copy (the Makefile, the script), as the work could have emptied its own. `run` is as in
    `tests_pass`.
    """
    limits = Limits.of(run)
    words = words_of(command)
    layers = [in_place_of(key(recipe, "recipe"), ".")] if recipe else []
    with laid(work(code), layers, without=makes or (), user=limits.user) as folder:
        ended = limits.run(words, folder)
        refuse_lacking(ended, words)
        try:
            made = [path.relative_to(folder).as_posix() for path in folder.rglob("*") if path.is_file()]
            empty = [name for name in made if not Path(folder, name).stat().st_size]
        except (OSError, RecursionError) as error:
            return Result(False, f"what the build made cannot be read: {error}")
    if ended.code != 0:
        last = (ended.errors or ended.output).strip()[-2000:]
        return Result(False, f"the build {ended.said}; 0 was expected", evidence={"printed": last})
    lacking = [
        wanted for wanted in makes or () if not any(matches(name, [wanted]) for name in made if name not in empty)
    ]
    if lacking:
        return Result(False, f"the build made no {lacking[0]}, or an empty one", evidence={"lacking": lacking})
    return Result(True, "it builds" + (f" and makes {', '.join(makes)}" if makes else ""))


def words_of(command: str) -> list[str]:
    """Return the words of a check's `command`, without a shell. Raise CheckError where there are none."""
    try:
        words = shlex.split(command)
    except ValueError as error:
        raise CheckError(f"`command` is no command: {error}") from error
    if not words:
        raise CheckError("`command` is empty")
    return words
