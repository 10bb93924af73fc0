"""Load a grader by file and path, and call it with what its signature asks for. Used by the drivers of peers alone.

Runs in a peer's own interpreter, so it imports nothing of fairtrial.
"""

from __future__ import annotations

import importlib.util
import inspect
import json
import sys
import traceback
from collections.abc import Callable
from pathlib import Path
from typing import Any

Grader = Callable[[str, dict[str, Any]], float]


def load(file: str, path: str) -> Callable[..., Any]:
    """Return what stands at `path` (`SPECIMENS.3.reward`) in a file, loaded as part of the package around it."""
    place = Path(file)
    parts, folder = [place.stem], place.parent
    while (folder / "__init__.py").is_file():
        parts.insert(0, folder.name)
        folder = folder.parent
    if str(folder) not in sys.path:
        sys.path.insert(0, str(folder))
    if len(parts) > 1:
        found: Any = importlib.import_module(".".join(parts))
    else:
        spec = importlib.util.spec_from_file_location(parts[0].replace("-", "_"), place)
        assert spec is not None
        assert spec.loader is not None
        found = importlib.util.module_from_spec(spec)
        spec.loader.exec_module(found)
    for name in path.split("."):
        found = found[int(name)] if name.isdigit() else getattr(found, name)
    return found


def caller(file: str, path: str) -> Grader:
    """Return a function of (completion, case) that calls the grader with the parameters that it declares."""
    function = load(file, path)
    names = list(inspect.signature(function).parameters)

    def call(completion: str, case: dict[str, Any]) -> float:
        values = {"completion": completion, "answer": case["answer"], "prompt": case["prompt"]}
        known = {name: values[name] for name in names if name in values}
        return float(function(**known)) if "completion" in known else float(function(completion))

    return call


def answer_all(judge: Callable[[dict[str, Any]], list[str]]) -> None:
    """Read graders as JSON from stdin, ask `judge` for what a peer reports of each, and print that as JSON."""
    found: dict[str, dict[str, Any]] = {}
    for grader in json.load(sys.stdin):
        try:
            found[grader["name"]] = {"flags": judge(grader)}
        except BaseException as error:  # noqa: BLE001  the peer: whatever it raises is its outcome
            traceback.print_exc()
            found[grader["name"]] = {"error": f"{type(error).__name__}: {error}"[:300]}
    print("\n@@" + json.dumps(found))
