"""A worker's side: do one job that was sent, and say how it ended. Nothing it meets is raised to the machinery.

A node must run the very source of fairtrial that the driver runs, or its records would not be the same; and it must
have what the job needs. Either is told as an error of the set-up, with the node's name, which ends the whole run.
Not covered: how jobs and answers travel.
"""

from __future__ import annotations

import hashlib
import os
import platform
from collections.abc import Callable
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

import fairtrial
from fairtrial.records import FairtrialError, InputError, ModelError
from fairtrial.run.cluster.carrying import Parcel, Root, Travels, job_of, laid_out

SHAPING = ("attack", "checks", "compare", "contamination", "formats", "grade", "models", "prove", "records", "run",
           "sandbox", "tasks")  # fmt: skip
"""Packages that jobs are made of."""


@dataclass(frozen=True, slots=True)
class Returned:
    """The job returned."""

    value: Any


@dataclass(frozen=True, slots=True)
class Refused:
    """The job, or this machine's set-up, met what the user must mend."""

    error: FairtrialError


@dataclass(frozen=True, slots=True)
class Raised:
    """The job ended in an unforeseen error."""

    why: str


@dataclass(frozen=True, slots=True)
class Crashed:
    """The worker died under the job."""

    why: str


@dataclass(frozen=True, slots=True)
class NodeGone:
    """The machine, or what it held of the job's answer, is no more: no fault of the job."""

    why: str


class FetchError(Exception):
    """What the job needs could not be brought to this machine: the way there is broken, not the job."""


Ended = Returned | Refused | Raised | Crashed | NodeGone

_places: dict[str, Path] = {}
"""Hash of a root -> where this machine has it; one process asks once."""


def work(parcel: Parcel, source: str, fetch: Callable[[Root], bytes]) -> Returned | Refused | Raised | NodeGone:
    """Do the job of `parcel`, and say how it ended.

    `source` is the hash of the driver's source, empty where it is this machine's; `fetch` brings a root's content, or
    raises FetchError.
    """
    node = platform.node()
    if source and source != source_hash():
        return Refused(_other_source(node))

    def place_of(root: Root) -> Path:
        if root.hash not in _places or not _places[root.hash].exists():
            _places[root.hash] = laid_out(root, lambda: fetch(root))
        return _places[root.hash]

    try:
        try:
            job: Any = job_of(parcel, place_of)
        except ImportError as error:
            return Refused(InputError(f"the machine {node} cannot read a job: {error}",
                                      hint="What the driver imports, every machine must."))  # fmt: skip
        why = job.why_not_here() if isinstance(job, Travels) else ""
        if lacking := sorted(set(parcel.variables) - set(os.environ)):
            why = f"the variable {lacking[0]} is not set there"
        if why:
            hint = "Mend that machine or take it out of the cluster; what was done is kept."
            return Refused(InputError(f"the machine {node} cannot do its part: {why}", hint=hint))
        return Returned(job())
    except (InputError, ModelError) as error:
        return Refused(error)
    except FetchError as error:
        return NodeGone(f"the machine {node} could not get what the job needs: {error}")
    except (Exception, SystemExit) as error:  # noqa: BLE001  unforeseen: it costs this job, not the others
        return Raised(f"{type(error).__name__}: {error}")


@cache
def source_hash() -> str:
    """Return the hash of what, of fairtrial's own source as it is installed here, shapes what a job returns."""
    base = Path(fairtrial.__file__).parent
    found = hashlib.sha256()
    for path in sorted(path for name in SHAPING for path in (base / name).rglob("*.py")):
        found.update(str(path.relative_to(base)).encode() + b"\0" + path.read_bytes() + b"\0")
    return found.hexdigest()


def _other_source(node: str) -> InputError:
    said = f"the machine {node} runs another source of fairtrial (it says {fairtrial.__version__}) than this one"
    return InputError(said, hint="Install the same version on every machine: records would differ otherwise.")
