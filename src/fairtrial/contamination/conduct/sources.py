"""Where conduct is read from: trajectories (ATIF), files that an agent left, and folders of both.

Of a folder: trajectories, and files that `artifacts.is_artifact` knows by name; installed packages, histories and other
files are left out and counted. What is named itself is read whatever it is called. No link is followed.
"""

from __future__ import annotations

import hashlib
import os
import re
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path

from fairtrial.checks.reading import WorkError
from fairtrial.contamination.conduct.artifacts import is_artifact, pieces_of_file
from fairtrial.contamination.conduct.beside import Beside
from fairtrial.contamination.conduct.leads import UnreadFile
from fairtrial.contamination.conduct.pieces import Piece
from fairtrial.contamination.conduct.python_reading import Around
from fairtrial.contamination.conduct.trajectories import pieces_of
from fairtrial.formats.atif import read_trajectory
from fairtrial.formats.atif_import import is_trajectory, task_name
from fairtrial.records import FairtrialError, InputError

SKIPPED = frozenset({".git", "node_modules", ".venv", "venv", "site-packages", "__pycache__", ".mypy_cache", ".cache",
                     ".tox", "dist-packages"})  # fmt: skip
MOST_BYTES = 64 << 20
"""Of one file; a larger one is named as unread."""

OPENING = 1 << 16
_OTHER_TRAJECTORY = re.compile(rb"\"(?:tool_calls|tool_use|tool_use_id|function_call|trajectory_format|parentUuid)\"")
"""A transcript in another format would be read as settings, and be told as clean."""
_HARNESS_LINES = re.compile(
    rb"\"(?:parentUuid|tool_use_id)\"|\"type\"\s*:\s*\"(?:tool_use|session_meta|response_item|function_call_output)\"|"
    rb"\"(?:action|observation)\"\s*:\s*\"(?:run|run_ipython)\""
)
"""Of JSON lines, most of which are data: what only a harness writes."""
_HARNESS_FILE = re.compile(r"\.(?:traj|eval|cast)$|\.traj\.json$")


@dataclass(slots=True)
class Conduct:
    """Everything that was read."""

    pieces: list[Piece] = field(default_factory=list)
    read: list[str] = field(default_factory=list)
    unreadable: list[UnreadFile] = field(default_factory=list)
    left_out: int = 0
    hash: str = ""


def read_conduct(paths: Sequence[Path]) -> Conduct:
    """Read trajectories and files at `paths`. Raise InputError for a path that is not there."""
    conduct = Conduct()
    files: list[Path] = []
    for path in paths:
        if not path.exists():
            raise InputError("does not exist", path=path, hint="Name trajectories, files that were left, or folders.")
        files += _below(path, conduct) if path.is_dir() else [path]
    texts: dict[Path, str] = {}
    whole = hashlib.sha256()
    for file in sorted(dict.fromkeys(files)):
        data = _bytes(file, conduct)
        if data is None:
            continue
        whole.update(hashlib.sha256(data).digest())
        if file.suffix == ".json" and is_trajectory(file):
            _read_trajectory(file, data, conduct)
        else:
            _keep_text(file, data, texts, conduct)
    beside = Beside(texts)
    for file, text in texts.items():
        try:
            conduct.pieces += pieces_of_file(file, text, _around(file, beside))
            conduct.read.append(str(file))
        except WorkError:
            conduct.unreadable.append(UnreadFile(str(file), "unfolds into more than can be read"))
    conduct.hash = f"sha256:{whole.hexdigest()}"
    return conduct


def _below(folder: Path, conduct: Conduct) -> list[Path]:
    found: list[Path] = []
    for at, folders, names in os.walk(folder, onerror=lambda error: conduct.unreadable.append(
            UnreadFile(str(error.filename), f"cannot be listed: {error.strerror}"))):  # fmt: skip
        folders[:] = sorted(one for one in folders if one not in SKIPPED)
        for name in sorted(names):
            file = Path(at, name)
            if file.is_symlink() or not file.is_file():
                conduct.left_out += 1
            elif _is_transcript(file):
                conduct.unreadable.append(UnreadFile(str(file), "looks like a transcript that is no ATIF trajectory"))
            elif not (is_artifact(name) or _has_shebang(file)):
                conduct.left_out += 1
            else:
                found.append(file)
    return found


def _is_transcript(file: Path) -> bool:
    """Say whether a file that no rule reads is what another harness wrote of an agent."""
    if _HARNESS_FILE.search(file.name):
        return True
    if file.suffix != ".jsonl":
        return False
    try:
        with file.open("rb") as handle:
            return bool(_HARNESS_LINES.search(handle.read(OPENING)))
    except OSError:
        return True


def _has_shebang(file: Path) -> bool:
    if file.suffix:
        return False
    try:
        with file.open("rb") as handle:
            return handle.read(2) == b"#!"
    except OSError:
        return True  # it is named as unread where it is read


def _bytes(file: Path, conduct: Conduct) -> bytes | None:
    try:
        if file.stat().st_size > MOST_BYTES:
            conduct.unreadable.append(UnreadFile(str(file), f"is larger than {MOST_BYTES >> 20} MB"))
            return None
        return file.read_bytes()
    except OSError as error:
        conduct.unreadable.append(UnreadFile(str(file), f"cannot be read: {error.strerror}"))
        return None


def _keep_text(file: Path, data: bytes, texts: dict[Path, str], conduct: Conduct) -> None:
    if b"\0" in data[:4096]:
        conduct.unreadable.append(UnreadFile(str(file), "is no text"))
    elif file.suffix in (".json", ".jsonl") and _OTHER_TRAJECTORY.search(data[:OPENING]):
        conduct.unreadable.append(UnreadFile(str(file), "holds calls of tools, and is no ATIF trajectory"))
    else:
        texts[file] = data.decode("utf-8", "replace")


def _read_trajectory(file: Path, data: bytes, conduct: Conduct) -> None:
    try:
        trajectory = read_trajectory(data)
    except FairtrialError as error:
        conduct.unreadable.append(UnreadFile(str(file), f"{error.field}: {error.what}" if error.field else error.what))
        return
    pieces, unread = pieces_of(trajectory, file, task_name(file))
    conduct.read.append(str(file))
    conduct.pieces += pieces
    conduct.unreadable += [UnreadFile(f"{file}#{place}", "unfolds into more than can be read") for place in unread]


def _around(file: Path, beside: Beside) -> Around:
    """Return what lies beside a file: other files that were read, and the variables that they set."""

    def text(path: str) -> str | None:
        return beside.texts.get(file.parent / path) or beside.texts.get(file.parent / Path(path).name)

    return Around(variables=beside.variables(file), file=text)
