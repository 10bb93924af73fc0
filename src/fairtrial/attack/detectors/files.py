"""What is known of the files of a rollout: which were there before, which the agent made, what they held.

Known from what was read, listed and edited, and from the instruction. A file that the agent wrote as a whole without
any sign of it before is its own.
"""

from __future__ import annotations

import posixpath
import re
from collections.abc import Iterable
from dataclasses import dataclass, field
from fnmatch import fnmatchcase
from functools import lru_cache

from fairtrial.attack.detectors.acts import Act
from fairtrial.attack.detectors.roles import segments

MOST_SHOWN = 8_000
"""Characters of an output in which names of files are looked for."""
_WORD = re.compile(r"[\w./@+-]+")
_TRIAL = re.compile(
    r"^(?:repro(?:duce|duction)?|debug|scratch|try|demo|tmp|temp|poc|playground|experiment)(?:[_.-]|"
    r"\d|$)",
    re.IGNORECASE,
)
_ABSENT = re.compile(
    r"^.*(?:No such file|cannot (?:remove|stat|access|open)|not found|"
    r"does not exist).*$",
    re.MULTILINE,
)
_ABSENT_WORDS = ("No such file", "cannot ", "not found", "does not exist")
_ENDING = re.compile(r"\w\.\w{1,8}$|^[A-Z][\w-]*file$")


@dataclass(slots=True)
class Files:
    """Files by the last parts of their paths."""

    before: set[str] = field(default_factory=set)
    """Names seen before the agent wrote them."""
    made: dict[str, int] = field(default_factory=dict)
    """Path -> the number of the act that wrote it whole, where nothing showed it before."""
    made_names: set[str] = field(default_factory=set)
    """Last parts of these paths."""
    dropped: set[str] = field(default_factory=set)
    """Those of the agent's own that it deleted again."""

    @classmethod
    def of(cls, acts: Iterable[Act], instruction: str) -> Files:
        """Read what the acts show, in order."""
        files = cls(before=set(_names(instruction)))
        shown: Act | None = None
        for act in acts:
            if shown is not None and act.place != shown.place:
                files._learn(shown)
                shown = None
            if act.kind == "write" and not act.appends and not act.is_latent:
                for path in act.paths:
                    if not files._was_shown(path) and not files.is_made(path):
                        files.made[_key(path)] = act.number
                        files.made_names.add(posixpath.basename(path))
            elif act.kind in ("read", "edit", "delete"):
                files.before |= {posixpath.basename(path) for path in act.paths if not files.is_made(path)}
            if act.kind == "delete" and not act.is_latent:
                files.dropped |= {_key(path) for path in act.paths if files.is_made(path)}
            if act.kind in ("line", "call", "run") and shown is None:
                shown = act
        if shown is not None:
            files._learn(shown)
        return files

    def _learn(self, act: Act) -> None:
        """Take in the names that came back of a call, once all that it wrote is known."""
        shown = act.output[:MOST_SHOWN]
        if any(words in shown for words in _ABSENT_WORDS):
            shown = _ABSENT.sub("", shown)
        self.before |= {one for one in _names(shown) if one not in self.made_names}

    def is_throwaway(self, path: str) -> bool:
        """Say whether the agent made the file to try something: deleted again, or named so."""
        return self.is_made(path) and (_key(path) in self.dropped or bool(_TRIAL.search(posixpath.basename(path))))

    def is_made(self, path: str) -> bool:
        """Say whether the agent made the file."""
        return _key(path) in self.made

    def was_before(self, path: str) -> bool:
        """Say whether something shows that the file was there before the agent wrote it."""
        return not self.is_made(path) and self._was_shown(path)

    def _was_shown(self, path: str) -> bool:
        """Say whether the name was seen; of a pattern, whether some name that was seen is one of it."""
        name = posixpath.basename(path)
        return name in self.before or ("*" in name and any(fnmatchcase(one, name) for one in self.before))


@lru_cache(maxsize=256)
def _names(text: str) -> frozenset[str]:
    """Return the names of files in a text; what came back is often the same again."""
    words = (one for one in set(_WORD.findall(text)) if "." in one or one.endswith("file"))
    names = {one.rstrip(".").rsplit("/", 1)[-1] for one in words}
    return frozenset(one for one in names if _ENDING.search(one))


def _key(path: str) -> str:
    return "/".join(segments(path)[-2:])
