"""Take what an agent left, once nothing of it runs: the final model, the evaluator, its trajectory, the rest.

Of the model only what cannot be executed is taken: weights as safetensors, configuration, tokenizer. Links, pipes,
pickles and code are left out and told. Not covered: whether the model loads, which its evaluation shows.
"""

from __future__ import annotations

import os
import re
import shutil
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import orjson

from fairtrial.posttrain.attempt.workspace import EVALUATOR, FINAL_MODEL, TRAINING_SET, TRAJECTORY, USAGE, WORKSPACE
from fairtrial.posttrain.folder import RunFolder
from fairtrial.records import InputError
from fairtrial.sandbox import Taken, scratch_folder
from fairtrial.sandbox.deliverable import take
from fairtrial.sandbox.live_box import LiveBox

MOST_DECLARED = 1000
MOST_TEXT = 1 << 20
_MODEL_FILE = re.compile(r"[^/]+\.(?:safetensors|json|jinja|txt)|tokenizer\.model|[^/]+\.spm|[^/]+\.tiktoken")
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
        model, why, left_out = _take_model(box, folder, scratch, most_bytes)
        for inside, target in ((EVALUATOR, folder.evaluator), (TRAJECTORY, folder.path / "trajectory.json")):
            left_out += _take_one(box, inside, target, scratch, most_bytes)
        left_out += _take_rest(box, folder, scratch, most_bytes)
    tokens = _usage(folder.workspace / Path(USAGE).name)
    return Left(has_model=not why, why_no_model=why, model_hash=model.hash if model and not why else "",
                declared=_declared(folder.workspace), left_out=tuple(left_out),
                input_tokens=_count(tokens, "input_tokens"),
                output_tokens=_count(tokens, "output_tokens"), cost_usd=_money(tokens))  # fmt: skip


def _take_model(
    box: LiveBox, folder: RunFolder, scratch: Path, most_bytes: int
) -> tuple[Taken | None, str, list[tuple[str, str]]]:
    """Take the files of the model that may be taken; return them, why there is no model or empty, what was left out."""
    place = box.root / FINAL_MODEL.lstrip("/")
    if not place.is_dir() or place.is_symlink() or place.parent.is_symlink():
        return None, f"there is no folder {FINAL_MODEL}", []
    names = sorted(path.name for path in place.iterdir())
    wanted = [name for name in names if _MODEL_FILE.fullmatch(name) and not (place / name).is_symlink()]
    left_out = [(f"{FINAL_MODEL}/{name}", "is no safetensors, configuration or tokenizer") for name in names
                if name not in wanted]  # fmt: skip
    taken = take(box.root, [f"{FINAL_MODEL}/{name}" for name in wanted], scratch / "model", most_bytes)
    left_out += taken.left_out
    made = scratch / "model" / FINAL_MODEL.lstrip("/")
    if not (made / "config.json").is_file():
        return taken, f"{FINAL_MODEL} holds no config.json", left_out
    if not any(name.suffix == ".safetensors" for name in made.iterdir()):
        return taken, f"{FINAL_MODEL} holds no weights as safetensors", left_out
    over = [path for path, why in taken.left_out if why.startswith("over the cap")]
    if over:
        return taken, f"{over[0]} is larger than what is taken ({most_bytes >> 20} MB)", left_out
    shutil.move(made, folder.model)
    return taken, "", left_out


def _take_one(box: LiveBox, inside: str, target: Path, scratch: Path, most_bytes: int) -> list[tuple[str, str]]:
    """Take one file or folder to `target`; nothing where it is not there."""
    at = scratch / target.name
    taken = take(box.root, [inside], at, most_bytes)
    made = at / inside.lstrip("/")
    if made.exists():
        shutil.move(made, target)
    return [(path, why) for path, why in taken.left_out if path != inside]


def _take_rest(box: LiveBox, folder: RunFolder, scratch: Path, most_bytes: int) -> list[tuple[str, str]]:
    """Take the workspace without the final model, caches and weights."""
    root = box.root / WORKSPACE.lstrip("/")
    if not root.is_dir() or root.is_symlink():
        folder.workspace.mkdir()
        return [(WORKSPACE, "is no folder any more")]
    left_out: list[tuple[str, str]] = []
    paths = list(_rest(root, left_out))
    taken = take(box.root, paths, scratch / "rest", most_bytes)
    made = scratch / "rest" / WORKSPACE.lstrip("/")
    if made.exists():
        shutil.move(made, folder.workspace)
    else:
        folder.workspace.mkdir()
    return [*left_out, *taken.left_out]


def _rest(root: Path, left_out: list[tuple[str, str]]) -> Iterator[str]:
    """Yield inside paths of what is taken of the workspace."""
    for at, folders, names in os.walk(root):
        below = Path(at).relative_to(root)
        skipped = [
            one for one in folders if one in _CACHES or (below == Path() and one in ("final_model", "evaluator"))
        ]
        left_out += [(f"{WORKSPACE}/{below / one}", "a cache") for one in skipped if one in _CACHES]
        folders[:] = sorted(one for one in folders if one not in skipped)
        for name in sorted(names):
            inside = f"{WORKSPACE}/{below / name}"
            if name.endswith(_WEIGHTS):
                left_out.append((inside, "weights beside the final model"))
            else:
                yield inside


def _declared(workspace: Path) -> tuple[str, ...]:
    """Return the training files that the agent named, as paths inside the workspace."""
    path = workspace / Path(TRAINING_SET).name
    if not path.is_file() or path.is_symlink() or path.stat().st_size > MOST_TEXT:
        return ()
    lines = (line.strip() for line in path.read_text("utf-8", "replace").splitlines())
    named = [line for line in lines if line and not line.startswith("#")]
    return tuple(dict.fromkeys(named))[:MOST_DECLARED]


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
