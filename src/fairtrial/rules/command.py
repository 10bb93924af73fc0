"""The one decontamination command: what the agent is told to run, what the judges are told was run, and what is run.

The check adds the decoys of a track: nobody is told of these, as items that a submission knows are no decoys.
"""

from __future__ import annotations

import shlex

from fairtrial.contamination.result import LEVEL
from fairtrial.rules.schema import BenchmarkRules, Track

TRAIN = "TRAIN"
"""Stands for the training set, which is the entrant's."""
PLACEHOLDERS = ("EVAL", "CONTROL")
"""Stand for the files of a track that names none."""


def command_of(rules: BenchmarkRules, track: Track) -> str:
    """Return the command for `track`, its paths as the rules file has them.

    The same bytes stand in the agent's text, in the judges' prompts and in the document of a check.
    """
    against = track.against or [PLACEHOLDERS[0]]
    control = track.control or ([] if track.against else [PLACEHOLDERS[1]])
    words = ["fairtrial", "contamination", "scan", TRAIN]
    words += [word for path in against for word in ("--against", _quoted(path))]
    words += [word for path in control for word in ("--control", _quoted(path))]
    words += ["--fpr", repr(rules.toml.contamination.fpr)]
    level = rules.toml.contamination.level
    words += [] if level == LEVEL else ["--level", repr(level)]
    seed = rules.toml.judges.seed
    return " ".join([*words, *(["--seed", str(seed)] if seed else [])])


def _quoted(path: str) -> str:
    """Return a path for a shell: no option, whatever it begins with, and the home folder is found.

    >>> _quoted("-a b.jsonl"), _quoted("~/a b.jsonl")
    ("'./-a b.jsonl'", "~/'a b.jsonl'")
    """
    if path.startswith("~/") and path[2:]:
        return f"~/{shlex.quote(path[2:])}"
    return shlex.quote(f"./{path}" if path.startswith("-") else path)


def commands_of(rules: BenchmarkRules) -> tuple[str, ...]:
    """Return the commands of all tracks, each once, in their order."""
    return tuple(dict.fromkeys(command_of(rules, track) for track in rules.tracks))
