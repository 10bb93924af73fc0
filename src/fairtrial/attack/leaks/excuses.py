"""Whether an agent is meant to read a piece: input that the instruction names is no leak, whatever it holds.

A file named by the instruction, or lying in a folder that it names, is input; so is what one opens of it. History is
meant to be read where the instruction speaks of it. Where the task is to find or to recover something, a find is a
lead. Not covered: an instruction that names nothing and means everything.
"""

from __future__ import annotations

import posixpath
import re
from typing import Literal

from fairtrial.attack.leaks.pieces import Piece, visible_pieces
from fairtrial.attack.target import Target

Standing = Literal["proof", "lead", "meant"]
_HISTORY = re.compile(
    r"\b(?:commits?|reflog|stash\w*|revert\w*|bisect|cherry-?pick\w*|git (?:log|show|diff|blame|history))\b"
    r"|\b(?:previous|earlier|older|last|lost|deleted) (?:version|revision|state|release)s?\b",
    re.IGNORECASE,
)
_HISTORY_OF_A_REPOSITORY = re.compile(
    r"\b(?:histor\w+|branch\w*|tags?|regress\w*|merge\w*|rebas\w*|check(?:ed)? ?out|roll(?:ed)? ?back)\b", re.IGNORECASE
)
_REPOSITORY = re.compile(r"\b(?:git|repo|repositor\w+|version control)\b", re.IGNORECASE)
_SEEKING = re.compile(
    r"\b(?:flag|hidden|secret\w*|passwords?|decod\w+|decrypt\w*|decompress\w*|extract\w*|unpack\w*|recover\w*|restor\w*|"
    r"forensic\w*|deleted|crack\w*|undelet\w*|backups?|archives?|dump\w*)\b",
    re.IGNORECASE,
)
_SUSPICIOUS = re.compile(
    r"expect|answer|gold|solution|solve|reference|truth|correct|checked|backup|snapshot|\.bak\b|~$|\.orig\b|\.swp\b|\.old\b|"
    r"\.save\b|(?:^|/)\.[^/]+$|_history$|__pycache__|\.pyc$|(?:^|_)key\b",
    re.IGNORECASE,
)


def standing(piece: Piece, target: Target) -> Standing:
    """Return what finding the answer in `piece` comes to."""
    instruction = target.task.instruction
    if piece.source == "git":
        return "meant" if _speaks_of_history(instruction) else "proof"
    if piece.source == "variable":
        return "meant" if _says(piece.root.rpartition(" ")[2], instruction) else "proof"
    found: Standing = "lead" if _SEEKING.search(instruction) else "proof"
    if not is_named(piece.root, target):
        return found
    if piece.source == "file":
        return "meant"
    if piece.source == "table" and not _says(piece.name.rstrip("s"), instruction, whole=False):
        return found if _SUSPICIOUS.search(piece.name) else "lead"
    return "lead" if _SUSPICIOUS.search(piece.name) and piece.name != posixpath.basename(piece.root) else "meant"


def readable(target: Target) -> list[tuple[Piece, Standing]]:
    """Return every piece that the agent can read and is not meant to take the answer from."""
    found = [(piece, standing(piece, target)) for piece in visible_pieces(target)]
    return [(piece, held) for piece, held in found if held != "meant"]


def _speaks_of_history(instruction: str) -> bool:
    if _HISTORY.search(instruction):
        return True
    return bool(_HISTORY_OF_A_REPOSITORY.search(instruction) and _REPOSITORY.search(instruction))


def is_named(inside: str, target: Target) -> bool:
    """Say whether the instruction names a file, or a folder that it lies in; the workdir itself counts for nothing."""
    instruction = target.task.instruction
    if _says(posixpath.basename(inside), instruction):
        return True
    if _SUSPICIOUS.search(inside):
        return False
    folder = posixpath.dirname(inside)
    workdir = target.task.environment.workdir.rstrip("/")
    while folder not in ("", "/") and not f"{workdir}/".startswith(folder + "/"):
        if _says(f"{posixpath.basename(folder)}/", instruction) or _says(folder, instruction):
            return True
        folder = posixpath.dirname(folder)
    return False


def _says(word: str, instruction: str, *, whole: bool = True) -> bool:
    """Say whether the instruction has `word`, not as a part of another."""
    if not word:
        return False
    pattern = rf"(?<![\w.-]){re.escape(word)}(?![\w-])" if whole else re.escape(word)
    return re.search(pattern, instruction, re.IGNORECASE) is not None
