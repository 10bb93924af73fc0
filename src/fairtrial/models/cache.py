"""Replies kept on disk under the content address of the whole request: model, server, settings, messages, tools.

Off unless asked for. A sampled rollout must not read one: attempts would repeat each other. Only answers are kept,
never failures. Safe for many processes: a file is written aside and renamed; one that cannot be read is no answer.
"""

from __future__ import annotations

import json
import os
import tempfile
from dataclasses import asdict
from pathlib import Path

from fairtrial.models.conversation import Call, Reply, Request
from fairtrial.models.outcome import Answered
from fairtrial.models.spec import ModelSpec, Usage
from fairtrial.records import canonical_json, record_id

KIND = "model-request/1"


class Cache:
    """A folder of replies."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder

    def key(self, spec: ModelSpec, request: Request) -> str:
        """Return the content address of a request to a model."""
        return record_id(KIND, {"spec": spec.identity(), "request": request.content()})

    def get(self, key: str) -> Answered | None:
        """Return the reply kept under `key`, None where there is none that can be read."""
        try:
            found = json.loads(self._file(key).read_bytes())
            reply = found["reply"]
            reply["calls"] = tuple(Call(**call) for call in reply["calls"])
            return Answered(reply=Reply(**reply), usage=Usage(**found["usage"]), cached=True)
        except (OSError, ValueError, KeyError, TypeError, AttributeError):
            return None

    def put(self, key: str, answer: Answered) -> None:
        """Keep `answer` under `key`."""
        file = self._file(key)
        file.parent.mkdir(parents=True, exist_ok=True)
        handle, beside = tempfile.mkstemp(dir=file.parent, prefix=".part-")
        with os.fdopen(handle, "wb") as part:
            part.write(canonical_json({"reply": asdict(answer.reply), "usage": asdict(answer.usage)}))
        Path(beside).replace(file)

    def _file(self, key: str) -> Path:
        return self.folder / key[:2] / f"{key}.json"
