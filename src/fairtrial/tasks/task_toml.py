"""task.toml, Harbor's schema 1.x: the keys that fairtrial reads, with their types.

Keys that are not listed are kept but not read: Harbor ignores them too, and a later schema may add some. They count
in the task's hash where they stand in a table that shapes the outcome (`outcome_settings`).
"""

from __future__ import annotations

import re
from typing import Annotated, Any, Literal

from pydantic import AfterValidator, BaseModel, BeforeValidator, ConfigDict, Field

_SIZE = re.compile(r"(\d+(?:\.\d+)?)\s*([KMGT]?)(?:i?B)?", re.IGNORECASE)
_MEGABYTES = {"": 1 / 1_048_576, "K": 1 / 1024, "M": 1, "G": 1024, "T": 1_048_576}
_STEP_NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]*")

DEFAULT_SECONDS = 600.0
"""Harbor's default for agents and verifiers."""


def megabytes(value: Any) -> Any:
    """Turn a size such as "2G" into megabytes (1 MB = 2**20 bytes, a bare string of digits is bytes).

    >>> megabytes("2G"), megabytes("512MB"), megabytes(256)
    (2048, 512, 256)
    """
    if not isinstance(value, str):
        return value
    match = _SIZE.fullmatch(value.strip())
    if match is None:
        raise ValueError('should be a size such as 2048 or "2G"')
    return max(1, round(float(match[1]) * _MEGABYTES[match[2].upper()]))


def _plain_name(value: str) -> str:
    if not _STEP_NAME.fullmatch(value):
        raise ValueError("should be a plain folder name")
    return value


def _text_values(value: Any) -> Any:
    """Let numbers and booleans stand as values of environment variables, as Harbor does."""
    if not isinstance(value, dict):
        return value
    return {
        name: str(item).lower() if isinstance(item, bool) else str(item) if isinstance(item, int | float) else item
        for name, item in value.items()
    }


Seconds = Annotated[float, Field(gt=0, le=1e8, allow_inf_nan=False)]
"""Three years at most: the kernel's clocks take no number of any size."""
Megabytes = Annotated[int, BeforeValidator(megabytes), Field(gt=0, le=2**32)]
Variables = Annotated[dict[str, str], BeforeValidator(_text_values)]


class Table(BaseModel):
    """A table of task.toml: typed where known, open to keys that are not."""

    model_config = ConfigDict(extra="allow", strict=True, frozen=True)


class TaskTable(Table):
    """[task]"""

    name: str = ""
    version: str | int | float = ""


class AgentTable(Table):
    """[agent]"""

    timeout_sec: Seconds = DEFAULT_SECONDS
    user: str | int | None = None
    network_mode: str | None = None


class EnvironmentTable(Table):
    """[environment], and [verifier.environment]"""

    docker_image: str | None = None
    cpus: Annotated[float, Field(gt=0, allow_inf_nan=False)] | None = None
    memory_mb: Megabytes | None = None
    storage_mb: Megabytes | None = None
    memory: Megabytes | None = None
    """Older form of memory_mb: "2G"."""
    storage: Megabytes | None = None
    env: Variables = Field(default_factory=dict)
    workdir: str | None = None
    allow_internet: bool | None = None
    network_mode: str | None = None
    allowed_hosts: list[str] = Field(default_factory=list)

    @property
    def memory_megabytes(self) -> int | None:
        """Return the memory limit in either form."""
        return self.memory_mb if self.memory_mb is not None else self.memory

    @property
    def storage_megabytes(self) -> int | None:
        """Return the storage limit in either form."""
        return self.storage_mb if self.storage_mb is not None else self.storage

    @property
    def wants_network(self) -> bool:
        """Say whether the task asks for a network by name; silence is no."""
        if self.network_mode is not None:
            return self.network_mode not in ("no-network", "none", "offline")
        return self.allow_internet is True


class VerifierTable(Table):
    """[verifier]"""

    timeout_sec: Seconds = DEFAULT_SECONDS
    env: Variables = Field(default_factory=dict)
    user: str | int | None = None
    environment_mode: Literal["shared", "separate"] = "shared"
    environment: EnvironmentTable | None = None


class SolutionTable(Table):
    """[solution]"""

    env: Variables = Field(default_factory=dict)


class StepAgentTable(Table):
    """[steps.agent]: None falls back to [agent]."""

    timeout_sec: Seconds | None = None


class StepVerifierTable(Table):
    """[steps.verifier]: None falls back to [verifier]."""

    timeout_sec: Seconds | None = None


class StepTable(Table):
    """[[steps]]"""

    name: Annotated[str, AfterValidator(_plain_name)]
    min_reward: float | dict[str, float] | None = None
    agent: StepAgentTable = Field(default_factory=StepAgentTable)
    verifier: StepVerifierTable = Field(default_factory=StepVerifierTable)

    @property
    def least_reward(self) -> float | None:
        """Return the threshold on the overall reward."""
        return self.min_reward.get("reward") if isinstance(self.min_reward, dict) else self.min_reward


class ArtifactTable(Table):
    """An artifact in its long form."""

    source: str


class MetadataTable(Table):
    """[metadata]: free, but for the labels that reports group by."""

    category: Any = ""
    domain: Any = ""
    family: Any = ""
    cluster: Any = ""


def _first_schema(value: str | float | None) -> str | float | None:
    if value is not None and not re.fullmatch(r"1(\.\d+)*", str(value)):
        raise ValueError("should be a schema that fairtrial reads, 1.x")
    return value


class TaskToml(Table):
    """The whole of task.toml."""

    schema_version: Annotated[str | float | None, AfterValidator(_first_schema)] = None
    version: Annotated[str | float | None, AfterValidator(_first_schema)] = None
    task: TaskTable = Field(default_factory=TaskTable)
    metadata: MetadataTable = Field(default_factory=MetadataTable)
    agent: AgentTable = Field(default_factory=AgentTable)
    verifier: VerifierTable = Field(default_factory=VerifierTable)
    environment: EnvironmentTable = Field(default_factory=EnvironmentTable)
    solution: SolutionTable = Field(default_factory=SolutionTable)
    steps: list[StepTable] = Field(default_factory=list)
    artifacts: list[str | ArtifactTable] = Field(default_factory=list)
    multi_step_reward_strategy: Literal["mean", "final"] = "mean"

    def outcome_settings(self) -> dict[str, Any]:
        """Return what changes an outcome, as JSON: all but names, versions, labels and the time to build."""
        content: dict[str, Any] = self.model_dump(mode="json", exclude_defaults=True)
        for name in ("schema_version", "version", "task", "metadata", "source"):
            content.pop(name, None)
        content.get("environment", {}).pop("build_timeout_sec", None)
        return {name: value for name, value in content.items() if value not in ({}, [])}
