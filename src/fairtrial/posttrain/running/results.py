"""The folder of a benchmark's results: one bench on one set of terms, held by one process at a time.

OUT/
  results.json      the bench, its rules, the terms and the weights of bases: what must be the same on every call
  ledger/           rollouts, verdicts, submissions, screenings, rulings
  references/       MODEL/TRACK/SEED.json: evaluations of base models and their siblings
  runs/             one folder a run (posttrain.folder)
  posttrain.json    the document, posttrain.html its page
"""

from __future__ import annotations

import fcntl
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from fairtrial.ledger import Ledger
from fairtrial.posttrain.bench import Bench
from fairtrial.posttrain.evaluating import Terms
from fairtrial.posttrain.folder import place_of, read_document, write_document
from fairtrial.records import InputError
from fairtrial.rules.checking.hashes import path_hash

SCHEMA = "fairtrial.posttrain_results/1"
MARKER, LOCK = "results.json", ".lock"
TOLD = {
    "bench": "BENCH.toml", "rules": "the rules", "terms": "evaluators, settings or environment",
    "bases": "the weights of base models", "files": "the files that the rules name",
    "decoys": "the decoys that models are asked",
}  # fmt: skip


@dataclass(frozen=True, slots=True)
class Results:
    """The paths of all results."""

    path: Path

    @property
    def ledger(self) -> Path:
        """Return the folder of the ledger."""
        return self.path / "ledger"

    def reference(self, model: str, track: str) -> Path:
        """Return the folder of evaluations of a base model or sibling on a track."""
        return self.path / "references" / place_of(model) / place_of(track)

    @contextmanager
    def held(self) -> Iterator[None]:
        """Keep all other processes out. Raise InputError where one is at work; the lock goes with its process."""
        try:
            self.path.mkdir(parents=True, exist_ok=True)
            file = (self.path / LOCK).open("ab")
        except OSError as error:
            raise InputError(f"cannot be written: {error.strerror or error}", path=self.path, field="--out") from error
        with file:
            try:
                fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
            except BlockingIOError as error:
                raise InputError("another process is at work on these results", path=self.path, field="--out",
                                 hint="Wait for it, or name another folder.") from error  # fmt: skip
            yield

    def bind(self, bench: Bench, terms: Mapping[str, Terms]) -> Ledger:
        """Record what these results are of, or make sure that it is the same; return their ledger.

        Raise InputError where they are of something else: two benchmarks on one board would be compared.
        """
        now = _stated(bench, terms)
        held = read_document(self.path / MARKER, SCHEMA)
        if held is None:
            if any(one.name != LOCK for one in self.path.iterdir()):
                raise InputError("is not empty, and holds no results of a post-training benchmark", path=self.path,
                                 field="--out", hint="Name a folder of its own.")  # fmt: skip
            write_document(self.path / MARKER, {"schema": SCHEMA, "path": str(bench.path.resolve())} | now)
        elif differs := [TOLD[name] for name in TOLD if held.get(name) != now.get(name)]:
            raise InputError(f"holds results of other terms: {', '.join(differs)} changed since", path=self.path,
                             field="--out",
                             hint="Results of two terms are never mixed: name another folder.")  # fmt: skip
        return Ledger.open(self.ledger, create=True)

    def must_be_of(self, bench: Bench) -> None:
        """Raise InputError where these are results of another bench, or of other rules."""
        held = read_document(self.path / MARKER, SCHEMA) or {}
        for name, now in (("bench", bench.hash), ("rules", bench.rules.name)):
            if held.get(name) != now:
                raise InputError(f"holds results under {held.get(name)}, and {TOLD[name]} is now {now}", path=self.path,
                                 hint="Results are told under the bench and rules that they were made under.",
                                 )  # fmt: skip

    def bench_path(self) -> Path:
        """Return where the BENCH.toml of these results lay. Raise InputError where there are none."""
        held = read_document(self.path / MARKER, SCHEMA)
        if held is None:
            raise InputError(f"holds no results of a post-training benchmark (no {MARKER})", path=self.path,
                             hint="`fairtrial posttrain run BENCH --out DIR` makes them.")  # fmt: skip
        return Path(held["path"])


def _stated(bench: Bench, terms: Mapping[str, Terms]) -> dict[str, Any]:
    asked = {one.track: path_hash(bench.beside(one.decoys)) for one in bench.toml.benchmark if one.decoys}
    return {
        "bench": bench.hash, "rules": bench.rules.name,
        "terms": {name: one.document() for name, one in sorted(terms.items())},
        "bases": {base.model: path_hash(bench.base_weights(base.model)) for base in bench.rules.toml.base},
        "files": {path: path_hash(bench.rules.beside(path)) for path in _named(bench)},
    } | ({"decoys": asked} if asked else {})  # fmt: skip


def _named(bench: Bench) -> list[str]:
    """Return what the checks compare with: two runs that were compared with different files are not alike."""
    found = [path for track in bench.rules.tracks for path in (*track.against, *track.control, *track.decoys)]
    return sorted({*found, *bench.rules.toml.identity.known})
