"""Under what a proof was made: tool, catalogue, sandbox, host and options. Another of them may give another outcome.

Not covered: how fast the machine is and how many cores it has, of which a sound grader depends on neither.
"""

from __future__ import annotations

import platform
from dataclasses import asdict, dataclass

from fairtrial.attack import cards, catalogue_version
from fairtrial.models import ModelSpec
from fairtrial.prove.options import ProveOptions
from fairtrial.records import Runner, canonical_json, digest
from fairtrial.sandbox import Sandbox


@dataclass(frozen=True, slots=True, kw_only=True)
class Chosen:
    """Record the options that may change an outcome, named as in `ProveOptions`."""

    repeats: int
    concurrency: int
    only: str
    pass_at: float
    seed: int
    known_only: bool
    mutants: int
    runners: tuple[Runner, ...]
    judge: str = ""
    """Name of the language model of judged checks; empty where none was asked."""

    @classmethod
    def of(cls, options: ProveOptions) -> Chosen:
        """Return what of `options` is recorded."""
        recorded = {name: getattr(options, name) for name in cls.__dataclass_fields__}
        return cls(**recorded | {"judge": options.judge.name if options.judge is not None else ""})

    def again(self) -> ProveOptions:
        """Return the options of a proof that grades all of it afresh; the judge is asked where OPENAI_BASE_URL says."""
        recorded = {name: getattr(self, name) for name in self.__dataclass_fields__}
        judge = ModelSpec(name=self.judge) if self.judge else None
        return ProveOptions(**recorded | {"judge": judge}, fresh=True)


@dataclass(frozen=True, slots=True, kw_only=True)
class Circumstances:
    """Name all besides the tasks on which the outcome of a proof may depend."""

    tool: str
    """Version of fairtrial."""
    catalogue: str
    """Content address of the ids and versions of all probes of workspaces, and of the rules of static reading."""
    sandbox: str
    isolated: bool
    """Whether that sandbox keeps a submission from the grader, the host and its neighbours."""
    host: dict[str, str]
    options: Chosen

    @property
    def hash(self) -> str:
        """Return the content address of them all."""
        return digest(b"circumstances/1\0" + canonical_json(asdict(self)))


def circumstances(tool: str, sandbox: Sandbox, options: ProveOptions) -> Circumstances:
    """Return the circumstances of a proof made here and now."""
    asked = tuple(card for card in cards() if card.surface == "workspace")
    if options.probes is not None:
        asked = tuple(probe.card for probe in options.probes)
    return Circumstances(
        tool=tool,
        catalogue=catalogue_version(asked),
        sandbox=sandbox.name,
        isolated=sandbox.capability().isolated,
        host=host_facts(),
        options=Chosen.of(options),
    )


def host_facts() -> dict[str, str]:
    """Return what a grader that runs on this host's programs may notice of it."""
    try:
        release = platform.freedesktop_os_release()
    except OSError:  # no os-release file: some hosts have none
        release = {}
    return {
        "distribution": " ".join(part for part in (release.get("ID", ""), release.get("VERSION_ID", "")) if part),
        "machine": platform.machine(),
        "python": platform.python_version(),
        "system": platform.system(),
    }
