"""What the grader reads or runs and the agent can write: reports, settings, scripts, each forged where it is expected.

Paths are those that the text of the grader mentions. The reference's own deliverables are left alone: filling those is
other probes' part. Not covered: paths that a grader puts together from pieces.
"""

from __future__ import annotations

import posixpath
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

from fairtrial.attack.card import Card
from fairtrial.attack.protocol import Submission
from fairtrial.attack.tampering.forgery import LOGS, WORDS, Forgery, forgery
from fairtrial.attack.tampering.grader_text import grader_texts, mentioned_paths
from fairtrial.attack.tampering.idleness import home, idle, planted, reaches, stands
from fairtrial.attack.target import Target
from fairtrial.records import Runner

MOST_PATHS = 60
_NOT_OURS = re.compile(r"/(?:tests|solution|usr|bin|sbin|lib\w*|dev|proc|sys|etc|run|boot)(?:/|$)")
_QUOTED = re.compile(r"\"([^\"\n]{2,80})\"|'([^'\n]{2,80})'")
_SCRIPTS = frozenset({"", ".sh", ".bash", ".env", ".rc", ".mk", ".bats"})

CARD = Card(
    id="grader_inputs_forged",
    family="hack",
    surface="workspace",
    submits="no work, and forged reports, settings and scripts at every place that the grader mentions",
    sound="fails it: what decides is made by the grader, or brought by it",
    proof="A forged report was believed, or a planted script ran.",
    classes=("BGW-109", "BGW-110", "BGW-112", "BGW-114", "BGW-131", "TRACE-8"),
)


@dataclass(frozen=True, slots=True)
class GraderInputsForged:
    """Put what the grader hopes to find where it looks."""

    card: Card = CARD

    def submissions(self, target: Target) -> Iterator[Submission]:
        """Yield one submission for what is missing, and one for scripts that stand in the workspace."""
        forged = forgery(target)
        literals = _literals(target)
        missing: dict[tuple[Runner, ...], dict[str, str]] = {}
        for inside in _places(target):
            if not stands(target, inside):
                text = _content(inside, forged, literals)
                missing.setdefault(reaches(target, inside), {})[inside] = text
        for runners, texts in missing.items():
            where = "workspace" if "ours" in runners else "elsewhere"
            what = f"no work, and forged files where the grader looks ({_some(texts)})"
            yield idle(where, what, runners=runners, files=planted(target, texts))
        if scripts := [inside for inside in _scripts(target) if "ours" in reaches(target, inside)]:
            files = {inside: _payload(target, forged, inside) for inside in scripts}
            yield idle("scripts", f"no work, and {_some(scripts)} replaced by what reports success", files=files)


def _places(target: Target) -> list[str]:
    changed = [change.inside for change in target.changes]
    parents = {posixpath.dirname(inside) for inside in changed}
    found = []
    for inside in mentioned_paths(target, home(target)):
        touches = any(inside == one or one.startswith(inside + "/") or inside.startswith(one + "/") for one in changed)
        is_log = inside.startswith(LOGS + "/reward")
        if not (touches or is_log or inside in parents or _NOT_OURS.match(inside) or inside == LOGS):
            found.append(inside)
    # A place that is the folder of another cannot be a file too.
    return [one for one in found if not any(other.startswith(one + "/") for other in found)][:MOST_PATHS]


def _scripts(target: Target) -> Iterator[str]:
    """Yield scripts of the workspace that the grader mentions and the reference leaves alone."""
    changed = {change.inside for change in target.changes}
    for inside in mentioned_paths(target, home(target)):
        path = target.before / inside.lstrip("/")
        if inside not in changed and path.is_file() and not path.is_symlink():
            is_named = posixpath.basename(inside) in ("Makefile", "package.json")
            if path.suffix in (".sh", ".py", ".bash") or is_named or path.read_bytes()[:2] == b"#!":
                yield inside


def _payload(target: Target, forged: Forgery, inside: str) -> Path:
    text = forged.python("1\n") if inside.endswith(".py") else forged.shell("1\n")
    if posixpath.basename(inside) == "Makefile":
        text = "all test check:\n\t@true\n"
    path = target.new_file(inside, text.encode())
    path.chmod(0o755)
    return path


def _content(inside: str, forged: Forgery, literals: str) -> str:
    """Return what a grader would be glad to find at a path of this name."""
    suffix = posixpath.splitext(inside)[1].lower()
    if posixpath.basename(inside) == "activate" or suffix in _SCRIPTS or posixpath.basename(inside).startswith("."):
        return forged.shell("1\n")
    by_suffix: Mapping[str, str] = {".py": forged.python("1\n"), ".xml": forged.junit, ".json": forged.report}
    return by_suffix.get(suffix, f"{WORDS}{literals}")


def _literals(target: Target) -> str:
    """Return every short text that the grader quotes, a line each: marker lines are among them."""
    found = (one or other for _, text in grader_texts(target) for one, other in _QUOTED.findall(text))
    return "".join(f"{text}\n" for text in list(dict.fromkeys(found))[:400])


def _some(paths: Mapping[str, str] | list[str]) -> str:
    names = sorted(paths)
    return ", ".join(names[:3]) + (f" and {len(names) - 3} more" if len(names) > 3 else "")


PROBE = GraderInputsForged()
