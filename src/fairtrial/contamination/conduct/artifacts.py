"""From files that an agent left to pieces: scripts, notebooks, settings, logs. Nothing here shows that they were run,
but for the cells of a notebook that were, and for logs, which tell what came about."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

from fairtrial.attack.detectors.programs import language_of
from fairtrial.contamination.conduct.notebooks import cells_of
from fairtrial.contamination.conduct.pieces import Piece
from fairtrial.contamination.conduct.python_reading import Around
from fairtrial.contamination.conduct.recipes import JUSTFILE, MAKEFILE, holds_recipes, recipes_of, variables_of
from fairtrial.contamination.conduct.scripts import command_pieces
from fairtrial.contamination.conduct.shell_variables import variables_in
from fairtrial.contamination.conduct.trajectories import CODE_ENDINGS

SHELL = (".sh", ".bash", ".zsh", ".ksh", ".slurm", ".sbatch")
SETTINGS = (".toml", ".yaml", ".yml", ".json", ".cfg", ".ini", ".conf", ".env", ".properties")
LOGS = (".log", ".txt", ".out", ".err", ".md", ".rst")
_NAMED_SHELL = re.compile(r"^\.(?:bash|zsh)rc$|^\.profile$")
_DOCKERFILE = re.compile(r"^(?:Dockerfile|Containerfile)(?:\.\w+)?$|\.(?:dockerfile|Dockerfile)$")
_ENV_FILE = re.compile(r"^\.env(?:\.\w+)?$")
_ADD = re.compile(r"^[ \t]*ADD[ \t]+(?:--\S+[ \t]+)*((?:https?://|git@)\S+)", re.MULTILINE)
SHELL_CELL = re.compile(r"\s*%%(?:bash|sh|script[ \t]+\S*sh)\b[^\n]*\n(.*)", re.DOTALL)
MOST_OF_RECIPES = 200_000
_RUN = re.compile(r"^[ \t]*(?:RUN|CMD|ENTRYPOINT)[ \t]+((?:[^\n\\]|\\\n|\\.)*)", re.MULTILINE)


def is_artifact(name: str) -> bool:
    """Say whether a file is one that is read, by its name.

    >>> is_artifact("gen.py"), is_artifact("Dockerfile"), is_artifact(".env"), is_artifact("train.jsonl")
    (True, True, True, False)
    """
    known = (".py", ".ipynb", *CODE_ENDINGS, *SHELL, *SETTINGS, *LOGS)
    return name.endswith(known) or any(
        p.search(name) for p in (_NAMED_SHELL, _DOCKERFILE, _ENV_FILE, MAKEFILE, JUSTFILE)
    )


def pieces_of_file(path: Path, text: str, around: Around) -> Iterator[Piece]:
    """Yield the pieces of one file. Raise WorkError for a script that unfolds into more than is read."""
    name, language = path.name, language_of(path.name, text)
    base = Piece(path=str(path), form="settings", state="written", text=text, line=1,
                 around=replace(around, is_module=True))  # fmt: skip
    if name.endswith(".ipynb"):
        for cell in cells_of(text):
            if (shell := SHELL_CELL.match(cell.code)) is not None:
                yield from command_pieces(replace(base, form="line", state="ran" if cell.has_run else "written",
                                                  text=shell[1], line=cell.line + 1, output=cell.output))  # fmt: skip
                continue
            yield replace(base, form="python", state="ran" if cell.has_run else "written", text=cell.code,
                          line=cell.line, output=cell.output)  # fmt: skip
            for line in re.findall(r"^[ \t]*!(.*)", cell.code, re.MULTILINE):
                yield from command_pieces(replace(base, form="line", state="ran" if cell.has_run else "written",
                                                  text=line, line=cell.line, output=cell.output))  # fmt: skip
            if cell.output:
                yield replace(base, form="log", state="shown", text=cell.output, line=cell.line)
    elif language == "python":
        yield replace(base, form="python")
    elif name.endswith(CODE_ENDINGS) or language:
        yield replace(base, form="code")
    elif name.endswith(SHELL) or _NAMED_SHELL.search(name) or re.match(r"#!.*\b(?:ba|z|k|da)?sh\b", text):
        set_here = dict(around.variables) | variables_in(text, dict(around.variables))
        yield from command_pieces(replace(base, form="line", around=replace(around, variables=set_here)))
    elif _DOCKERFILE.search(name):
        for found in _RUN.finditer(text):
            line = text.count("\n", 0, found.start(1)) + 1
            yield from command_pieces(replace(base, form="line", text=found[1].replace("\\\n", " "), line=line))
        for found in _ADD.finditer(text):
            line = text.count("\n", 0, found.start(1)) + 1
            yield from command_pieces(replace(base, form="line", text=f"curl -LO '{found[1]}'", line=line))
        yield replace(base, state="said")
    elif holds_recipes(name) and len(text) < MOST_OF_RECIPES:
        known = {**variables_of(name, text), **around.variables}
        for one in recipes_of(name, text):
            yield from command_pieces(replace(base, form="line", text=one.text, line=one.line,
                                              around=replace(around, variables=known)))  # fmt: skip
        yield replace(base, state="said")
    elif name.endswith(LOGS):
        yield replace(base, form="log", state="shown")
    else:
        yield replace(base, state="said")
