"""Take what an agent left, once nothing of it runs: the final model, the evaluator, its trajectory, the rest.

Of the model only what cannot be executed is taken: weights as safetensors, configuration, tokenizer. Links, pipes,
pickles and code are left out and told. Not covered: whether the model loads, which its evaluation shows.
"""

from __future__ import annotations

import contextlib
import os
import re
import shutil
import stat
import tempfile
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import orjson

from fairtrial.contamination.identity.folder import open_model
from fairtrial.posttrain.attempt.below import FOLDER, folders_below, joined
from fairtrial.posttrain.attempt.workspace import EVALUATOR, FINAL_MODEL, TRAINING_SET, TRAJECTORY, USAGE, WORKSPACE
from fairtrial.posttrain.folder import RunFolder
from fairtrial.records import InputError, SandboxError
from fairtrial.sandbox import Taken, scratch_folder
from fairtrial.sandbox.deliverable import take
from fairtrial.sandbox.inside import move_away, normal, open_folder, remove_tree
from fairtrial.sandbox.live_box import LiveBox

MOST_DECLARED = 1000
MOST_TEXT = 1 << 20
MOST_FOLDERS = 100_000
MOST_LEFT_OUT = 10_000
MOST_TABLE = 100 << 20
_MODEL_FILE = re.compile(r"[^/]+\.(?:safetensors|json|jinja|txt|model|spm|tiktoken)", re.DOTALL)
_WEIGHTS = (".safetensors", ".bin", ".pt", ".pth", ".ckpt", ".gguf", ".pkl", ".onnx", ".npz")
_CACHES = frozenset({"__pycache__", ".git", ".cache", "node_modules", ".venv", "venv"})


@dataclass(frozen=True, slots=True, kw_only=True)
class Left:
    """What was taken of what an agent left."""

    has_model: bool
    why_no_model: str
    model_hash: str
    declared: tuple[str, ...]
    left_out: tuple[tuple[str, str], ...]
    input_tokens: int | None
    output_tokens: int | None
    cost_usd: float | None


def take_all(box: LiveBox, folder: RunFolder, most_bytes: int) -> Left:
    """Take the model, the evaluator, the trajectory and the rest into the folder of a run."""
    with scratch_folder() as scratch:
        for inside in (WORKSPACE, FINAL_MODEL):
            _open_up(box, inside)
        model, why, left_out = _take_model(box, folder, scratch, most_bytes)
        for inside, target in ((EVALUATOR, folder.evaluator), (TRAJECTORY, folder.path / "trajectory.json")):
            left_out += _take_one(box, inside, target, scratch, most_bytes)
        left_out += _take_rest(box, folder, scratch, most_bytes)
    if len(left_out) > MOST_LEFT_OUT:
        left_out = [*left_out[:MOST_LEFT_OUT], (WORKSPACE, f"{len(left_out) - MOST_LEFT_OUT:,} more are not listed")]
    tokens = _usage(folder.workspace / Path(USAGE).name)
    return Left(has_model=not why, why_no_model=why, model_hash=model.hash if model and not why else "",
                declared=_declared(folder.workspace), left_out=tuple(left_out),
                input_tokens=_count(tokens, "input_tokens"),
                output_tokens=_count(tokens, "output_tokens"), cost_usd=_money(tokens))  # fmt: skip


def _open_up(box: LiveBox, inside: str) -> None:
    """Give back the permission to look into a folder, where the agent took it away and we are no root."""
    with contextlib.suppress(OSError, SandboxError), open_folder(box.root, inside):
        pass


def _take_model(
    box: LiveBox, folder: RunFolder, scratch: Path, most_bytes: int
) -> tuple[Taken | None, str, list[tuple[str, str]]]:
    """Take the files of the model that may be taken; return them, why there is no model or empty, what was left out."""
    place = box.root / FINAL_MODEL.lstrip("/")
    if place.is_symlink() or place.parent.is_symlink():
        return None, f"{FINAL_MODEL} is a link", []
    if not place.is_dir():
        return None, f"there is no folder {FINAL_MODEL}", []
    names = sorted(path.name for path in place.iterdir())
    wanted = [name for name in names if _MODEL_FILE.fullmatch(name) and _is_plain(place / name)]
    left_out = [(_shown(f"{FINAL_MODEL}/{name}"), _why_not_model(place / name)) for name in names if name not in wanted]
    taken = take(box.root, [f"{FINAL_MODEL}/{name}" for name in wanted], scratch / "model", most_bytes)
    made = scratch / "model" / FINAL_MODEL.lstrip("/")
    why = _why_no_model(made, taken)
    if not why:
        why, beside = _read_as_model(made)
        left_out += beside
    if not why:
        shutil.move(made, folder.model)
    return taken, why, [*left_out, *taken.left_out]


def _why_no_model(made: Path, taken: Taken) -> str:
    """Return why what was taken of a model is none; empty where it may be one."""
    if taken.left_out:
        return f"{taken.left_out[0][0]} was not taken: {taken.left_out[0][1]}"
    if not (made / "config.json").is_file():
        return f"{FINAL_MODEL} holds no config.json"
    weights = sorted(path for path in made.iterdir() if path.suffix == ".safetensors")
    if not weights:
        return f"{FINAL_MODEL} holds no weights as safetensors"
    broken = next((path for path in weights if not _is_safetensors(path)), None)
    return f"{FINAL_MODEL}/{broken.name} is no file of safetensors" if broken is not None else ""


def _read_as_model(made: Path) -> tuple[str, list[tuple[str, str]]]:
    """Remove weights that are none of the model's; return why it is no model, or empty, and what was removed.

    What is evaluated is then what identity compares: an evaluator could read other files than the check does.
    """
    try:
        files = open_model(made).files
    except InputError as error:
        return f"{FINAL_MODEL} cannot be read as one model: {error.what}", []
    beside = [path for path in sorted(made.glob("*.safetensors")) if path not in files]
    for path in beside:
        path.unlink()
    why = "lies beside the weights of the model and is none of them"
    return "", [(_shown(f"{FINAL_MODEL}/{path.name}"), why) for path in beside]


def _is_plain(path: Path) -> bool:
    return stat.S_ISREG(path.lstat().st_mode)


def _why_not_model(path: Path) -> str:
    if not _is_plain(path):
        return "a folder" if path.is_dir() and not path.is_symlink() else "a link, or no file"
    return "is neither safetensors, nor configuration, nor a tokenizer"


def _is_safetensors(path: Path) -> bool:
    """Say whether a file begins as safetensors do: a length, and a table of that length in JSON."""
    with path.open("rb") as file:
        length = int.from_bytes(file.read(8), "little")
        if not 2 <= length <= min(MOST_TABLE, path.stat().st_size - 8):
            return False
        try:
            return isinstance(orjson.loads(file.read(length)), dict)
        except orjson.JSONDecodeError:
            return False


def _take_one(box: LiveBox, inside: str, target: Path, scratch: Path, most_bytes: int) -> list[tuple[str, str]]:
    """Take one file or folder to `target`; nothing where it is not there."""
    at = scratch / target.name
    taken = take(box.root, [inside], at, most_bytes)
    made = at / inside.lstrip("/")
    if made.exists():
        shutil.move(made, target)
    return [(path, why) for path, why in taken.left_out if path != inside]


def _take_rest(box: LiveBox, folder: RunFolder, scratch: Path, most_bytes: int) -> list[tuple[str, str]]:
    """Take the workspace without what was taken already, caches and weights."""
    root = box.root / WORKSPACE.lstrip("/")
    if root.is_symlink() or not root.is_dir():
        folder.workspace.mkdir()
        return [(WORKSPACE, "is no folder any more")]
    left_out = list(_cleared(root, box.root.parent))
    taken = take(box.root, [WORKSPACE], scratch / "rest", most_bytes)
    made = scratch / "rest" / WORKSPACE.lstrip("/")
    if made.exists():
        shutil.move(made, folder.workspace)
    else:
        folder.workspace.mkdir()
    return [*left_out, *taken.left_out]


def _cleared(root: Path, beside: Path) -> Iterator[tuple[str, str]]:
    """Remove from a workspace in which nothing runs any more what is not taken; yield what and why.

    Removed, not passed over: a list of a hundred thousand names to take would be slower to go through than the files.
    What lies deeper than a few hundred folders is not looked at, and not taken either.
    """
    opened = os.open(root, FOLDER)
    try:
        for taken in ("final_model", "evaluator"):
            _discard(taken, opened, beside)
        for inside, here in folders_below(opened, b"", MOST_FOLDERS):
            for entry in _entries(here):
                is_cache = entry.name in _CACHES and entry.is_dir(follow_symlinks=False)
                if is_cache or entry.name.endswith(_WEIGHTS):
                    path = os.fsdecode(joined(inside, os.fsencode(entry.name)))
                    _discard(entry.name, here, beside)
                    why = "a cache" if is_cache else "weights beside the final model"
                    yield _shown(f"{WORKSPACE}/{path}"), why
    finally:
        os.close(opened)


def _entries(here: int) -> list[os.DirEntry[str]]:
    with os.scandir(here) as entries:
        return sorted(entries, key=lambda one: one.name)


def _discard(name: str, folder: int, beside: Path) -> None:
    """Remove what stands at `name` in an open folder: its whole path may be longer than the kernel takes."""
    os.fchmod(folder, stat.S_IMODE(os.fstat(folder).st_mode) | 0o700)
    staging = Path(tempfile.mkdtemp(prefix="left-", dir=beside))
    try:
        move_away(name, folder, staging / "old")
    finally:
        remove_tree(staging)


def _shown(path: str) -> str:
    """Return a path as text that can be written: undecodable bytes as escapes."""
    return os.fsencode(path).decode("utf-8", "backslashreplace")


def _declared(workspace: Path) -> tuple[str, ...]:
    """Return the training files that the agent named: relative paths below the workspace, absolute ones elsewhere."""
    path = workspace / Path(TRAINING_SET).name
    if not path.is_file() or path.is_symlink() or path.stat().st_size > MOST_TEXT:
        return ()
    lines = (line.strip() for line in path.read_text("utf-8", "replace").splitlines())
    named = [line for line in lines if line and not line.startswith("#")]
    places = (normal(line.replace("\0", ""), WORKSPACE) for line in named)
    return tuple(dict.fromkeys(place.removeprefix(f"{WORKSPACE}/") for place in places))[:MOST_DECLARED]


def _usage(path: Path) -> dict[str, object]:
    """Return what the agent states that it used; nothing where that cannot be read."""
    if not path.is_file() or path.is_symlink() or path.stat().st_size > MOST_TEXT:
        return {}
    try:
        content = orjson.loads(path.read_bytes())
    except orjson.JSONDecodeError:
        return {}
    return content if isinstance(content, dict) else {}


def _count(usage: dict[str, object], name: str) -> int | None:
    value = usage.get(name)
    return value if isinstance(value, int) and not isinstance(value, bool) and 0 <= value < 2**53 else None


def _money(usage: dict[str, object]) -> float | None:
    value = usage.get("usd")
    is_number = isinstance(value, int | float) and not isinstance(value, bool)
    return float(value) if is_number and 0 <= value < 1e9 else None  # type: ignore[arg-type, operator]


def check_agent_files(files: Path | None) -> None:
    """Raise InputError where the folder that is to be shown at /agent is none."""
    if files is not None and not files.is_dir():
        raise InputError("is no folder to show at /agent", path=files)
