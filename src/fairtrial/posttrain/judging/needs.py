"""What a post-training benchmark needs of its rules, asked before anything runs: agent, checks and board stand under
one file, so nothing is filled in behind it but where the evaluators lie.
"""

from __future__ import annotations

import re
from dataclasses import replace
from pathlib import Path

from fairtrial.posttrain.bench import Bench
from fairtrial.records import FormatError
from fairtrial.rules import BenchmarkRules
from fairtrial.rules.submission import check_rules_paths

AGAIN = re.compile(r"~\d+$")
"""How the name of a repeat ends."""


def check_needs(bench: Bench) -> None:
    """Raise FormatError where rules and bench do not make a whole benchmark, naming what to write."""
    toml, path = bench.rules.toml, bench.rules.path
    if "edits" not in toml.benchmark.checked:
        told = ", ".join(f'"{one}"' for one in (*toml.benchmark.checked, "edits"))
        raise FormatError("does not check `edits`, and agents work with a copy of the evaluator", path=path,
                          field="benchmark.checked", hint=f"checked = [{told}]")  # fmt: skip
    if toml.penalty.awaiting != "base_score":
        raise FormatError("lets a flagged model keep its score until somebody rules, and no judge is waited for here",
                          path=path, field="penalty.awaiting", hint='[penalty] awaiting = "base_score"')  # fmt: skip
    if "contamination" not in toml.benchmark.checked and (named := [one for one in bench.toml.benchmark if one.decoys]):
        raise FormatError(f"names decoys for `{named[0].track}`, and its rules do not check `contamination`, of which "
                          "answers to them are a part", path=bench.path, field="benchmark.decoys")  # fmt: skip
    _check_names(bench)
    _check_tracks(bench)
    seeds = bench.toml.evaluation.seeds
    if len(set(seeds)) < len(seeds):
        raise FormatError("names a seed twice", path=bench.path, field="evaluation.seeds")
    check_rules_paths(bench.rules)
    if lacking := unweighed(bench):
        raise FormatError(f"the weights of tracks come from instruct siblings, and there is no folder of `{lacking}`",
                          path=path, field="identity.known",
                          hint="Name its folder in [identity] known (the folder is called as it is), or give every "
                               "[[track]] a weight.")  # fmt: skip


def _check_names(bench: Bench) -> None:
    """Raise FormatError where two runs would go by one name in the ledger: `a/b` on `c`, and `a` on `b/c`."""
    held: set[str] = set()
    for base in bench.rules.toml.base:
        for track in bench.rules.tracks:
            name = f"{base.model}/{track.name}"
            if name in held or AGAIN.search(track.name):
                raise FormatError(f"two runs would be called `AGENT/{name}`", path=bench.rules.path,
                                  field="track.name", hint="Give the track another name, without `/` and `~`.",
                                  )  # fmt: skip
            held.add(name)


def _check_tracks(bench: Bench) -> None:
    path, seeds = bench.rules.path, len(bench.toml.evaluation.seeds)
    named = {one.track for one in bench.toml.benchmark}
    for track in bench.rules.tracks:
        if track.name not in named:
            raise FormatError(f"has no [[benchmark]] for the track `{track.name}`, and a row of the board needs each",
                              path=bench.path, field="benchmark")  # fmt: skip
        if len(bench.rules.tracks) > 1 and not track.suite:
            raise FormatError(f"the track `{track.name}` names no suite", path=path, field="track.suite",
                              hint=f'suite = "{track.name}"')  # fmt: skip
        if track.runs_per_task != seeds:
            raise FormatError(f"the track `{track.name}` asks for {track.runs_per_task} runs of every task, and the "
                              f"bench evaluates at {seeds} seeds", path=path, field="runs_per_task",
                              hint=f"runs_per_task = {seeds}")  # fmt: skip


def unweighed(bench: Bench) -> str:
    """Return the sibling from whose score weights would come and that is nowhere to be found; empty where none is."""
    tracks = bench.rules.tracks
    if len(tracks) == 1 or all(track.weight is not None for track in tracks):
        return ""
    siblings = [base.instruct for base in bench.rules.toml.base if base.instruct]
    return next((name for name in siblings if sibling_weights(bench, name) is None), "")


def sibling_weights(bench: Bench, name: str) -> Path | None:
    """Return the folder of an instruct sibling: the known model whose folder is called as the last part of its name."""
    last = name.rsplit("/", 1)[-1]
    folders = [bench.rules.beside(path) for path in bench.rules.toml.identity.known]
    return next((folder for folder in folders if folder.name == last or folder.resolve().name == last), None)


def rules_of(bench: Bench) -> BenchmarkRules:
    """Return the rules with the folders of the evaluators filled in, under the name that they have without."""
    found = []
    for track in bench.rules.tracks:
        evaluator = str(bench.beside(bench.benchmark(track.name).evaluator).resolve())
        found.append(track.model_copy(update={"evaluator": evaluator}))
    return replace(bench.rules, toml=bench.rules.toml.model_copy(update={"track": found}))
