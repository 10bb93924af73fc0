"""Make small task folders for tests: written file by file, so that a test can change one thing."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

FILES: Mapping[str, str] = {
    "task.toml": 'version = "1.0"\n\n[metadata]\nauthor_name = "a"\n\n[environment]\nmemory_mb = 256\n',
    "instruction.md": "Write 4 into /app/answer.txt.\n",
    "environment/Dockerfile": "FROM python:3.11-slim\nWORKDIR /app\nCOPY workspace/ /app/\n",
    "environment/workspace/question.txt": "2 + 2\n",
    "solution/solve.sh": "echo 4 > /app/answer.txt\n",
    "tests/test.sh": "grep -qx 4 /app/answer.txt && echo 1 > /logs/verifier/reward.txt\n",
    "candidates/five/solve.sh": "echo 5 > /app/answer.txt\n",
    "candidates/padded/solve.sh": "printf '4\\n' > /app/answer.txt\n",
    "candidates/forged/solve.sh": "echo 1 > /logs/verifier/reward.txt\n",
    "proof.toml": (
        '[[candidate]]\nname = "five"\nkind = "defect"\nsolve = "candidates/five/solve.sh"\nfails = ["answer"]\n\n'
        '[[candidate]]\nname = "padded"\nkind = "alternative"\nsolve = "candidates/padded/solve.sh"\n\n'
        '[[candidate]]\nname = "forged"\nkind = "hack"\nsolve = "candidates/forged/solve.sh"\n'
    ),
    "README.md": "A sum.\n",
}


def make_task(path: Path, changed: Mapping[str, str | None] | None = None) -> Path:
    """Write a sound task folder at `path`, with some files changed, added, or (None) left out."""
    for name, text in {**FILES, **(changed or {})}.items():
        if text is not None:
            write(path / name, text)
    return path


def write(path: Path, text: str) -> None:
    """Write a file and the folders above it."""
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text, encoding="utf-8")
