"""The ray engine: jobs on a cluster of machines, or on a small one that is started here and ends with the run.

Needs the extra `ray`, which is imported only when a cluster is entered. The machine that calls keeps the ledger; nodes
are sent jobs and, by content, the files that these name. Ray's own retries are off: `dispatch` counts tries and sends
again. Not covered: keeping nodes from one another, or from who else is on the cluster: a node sees the keys of the
tasks that it grades. Secrets are not sent: a node has those that its `ray start` was given.
"""

from __future__ import annotations

import importlib
import logging
import os
import shutil
import socket
import time
from collections.abc import Callable, Hashable, Iterable, Iterator, Sequence
from pathlib import Path
from types import TracebackType
from typing import Any, Self, TypeVar

from fairtrial.records import InputError
from fairtrial.run.cluster.carrying import Parcel, Root, content_hash, packed, parcel_of
from fairtrial.run.cluster.dispatch import dispatch
from fairtrial.run.cluster.working import Crashed, Ended, FetchError, NodeGone, Refused, source_hash, work
from fairtrial.run.engine import Done, LocalEngine, Lost

Result = TypeVar("Result")
ADDRESS = "RAY_ADDRESS"
QUIET = {"RAY_USAGE_STATS_ENABLED": "0", "RAY_ACCEL_ENV_VAR_OVERRIDE_ON_ZERO": "0"}
"""Of this process alone: nothing is reported to anybody, and no device is hidden from jobs."""
AUTH, TOKEN = "RAY_AUTH_MODE", ("RAY_AUTH_TOKEN", "RAY_AUTH_TOKEN_PATH")
"""How ray is told to show a token, and where it looks for one before the file in the home folder."""
STORE_BYTES = 256 << 20
"""Of a cluster started here: parcels and answers are small, and /dev/shm often is."""
TOKEN_HINT = "Start one: ray start --head. Where a cluster asks for a token, every machine must hold the same one."
QUEUED = 2
"""Jobs sent for each core, so that a core need not wait for the next one to travel."""
ANSWER_SECONDS = 10.0
LOOK_AGAIN = 5.0
"""Seconds after which the size of the cluster is asked for anew."""


class RayEngine:
    """Jobs on a ray cluster. Use it as a context manager."""

    def __init__(self, workers: int | None = None, address: str = "") -> None:
        self.workers = workers
        self.address = address or os.environ.get(ADDRESS, "")
        self._ray: Any = None
        self._is_ours = False
        self._session: Path | None = None
        self._before: dict[str, str | None] = {}
        self._home: LocalEngine | None = None
        self._hashes: dict[Path, str] = {}
        self._sent: dict[str, Any] = {}

    def __enter__(self) -> Self:
        refuse_shadow(Path.cwd())
        self._before = {name: os.environ.get(name) for name in (*QUIET, AUTH)}
        os.environ.update(QUIET)
        if self.address and AUTH not in os.environ and has_token():
            # To a cluster that was named ray shows its token only if told so, though `ray start --head` asks for it.
            os.environ[AUTH] = "token"
        try:
            self._ray = imported()
            if not self._ray.is_initialized():
                refuse_silence(self.address)
                self._start()
                self._is_ours = True
        except BaseException:
            self._restore()
            raise
        if not self._ray.cluster_resources().get("CPU"):
            self._end(kill=True)
            raise InputError("no machine of the cluster has a core for jobs", field="--address",
                             hint="Add a node: ray start --address ADDRESS")  # fmt: skip
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._end(kill=error is not None)

    def map(
        self, jobs: Iterable[Callable[[], Result]], *, at_once: int | None = None, cores_each: int | None = None,
        here: bool = False,
    ) -> Iterator[Done[Result] | Lost]:  # fmt: skip
        """Yield each job's result as it ends, in any order, at most `at_once` running."""
        if here:
            workers = max(os.cpu_count() or 1, self.workers or 0, at_once or 0)
            if self._home is None or self._home.workers < workers:
                self._leave_home(None)
                self._home = LocalEngine(workers)
            yield from self._home.map(jobs, at_once=at_once, cores_each=cores_each)
            return
        yield from dispatch(jobs, RayCluster(self._ray, self._sent_as, self.workers, cores_each or 1), at_once)

    def _start(self) -> None:
        """Connect to the cluster at the address, or start one here."""
        quiet = {"log_to_driver": False, "logging_level": logging.CRITICAL}
        try:
            if self.address:
                self._ray.init(address=self.address, **quiet)
            else:
                os.environ.pop(ADDRESS, None)
                started = self._ray.init(num_cpus=self.workers or os.cpu_count(), include_dashboard=False,
                                         object_store_memory=STORE_BYTES, **quiet)  # fmt: skip
                self._session = Path(started.address_info["session_dir"])
        except (ConnectionError, OSError, RuntimeError, ValueError, self._ray.exceptions.RayError) as error:
            where = f"no ray cluster answers at {self.address}" if self.address else "ray cannot be started here"
            raise InputError(f"{where}: {str(error).splitlines()[0] if str(error) else type(error).__name__}",
                             field="--address", hint=TOKEN_HINT if self.address else "") from error  # fmt: skip

    def _sent_as(self, job: Callable[[], Any]) -> tuple[Parcel, str, dict[str, list[Any]]]:
        """Return the job as a parcel, the hash of our source, and where contents are to be had; each is put once."""
        if self._is_ours and not self.address:  # started here, with this one machine: every worker sees our files
            return parcel_of(job, None), "", {}
        parcel = parcel_of(job, self._hash_of)
        for root in parcel.roots:
            if root.hash not in self._sent:
                self._sent[root.hash] = self._ray.put(packed(root.path))
        # In a list, so that a node is sent a content only when it asks for it.
        return parcel, source_hash(), {root.hash: [self._sent[root.hash]] for root in parcel.roots}

    def _hash_of(self, path: Path) -> str:
        if path not in self._hashes:
            self._hashes[path] = content_hash(path)
        return self._hashes[path]

    def _end(self, *, kill: bool) -> None:
        self._leave_home(KeyboardInterrupt() if kill else None)
        self._sent.clear()
        if self._is_ours:
            self._ray.shutdown()
            self._is_ours = False
        if self._session is not None and not kill:
            # Ray leaves the logs of every cluster for ever. Those of one that served are of no use; a process of it
            # that is still ending may write one more.
            shutil.rmtree(self._session, ignore_errors=True)
        self._session = None
        self._restore()

    def _leave_home(self, error: BaseException | None) -> None:
        home, self._home = self._home, None
        if home is not None:
            home.__exit__(None if error is None else type(error), error, None)

    def _restore(self) -> None:
        for name, value in self._before.items():
            if value is None:
                os.environ.pop(name, None)
            else:
                os.environ[name] = value


class RayCluster:
    """A ray cluster as `dispatch` sees one."""

    def __init__(
        self, ray: Any, sent_as: Callable[[Callable[[], Any]], tuple[Parcel, str, dict[str, list[Any]]]],
        workers: int | None, cores_each: int,
    ) -> None:  # fmt: skip
        self._ray, self._sent_as, self._workers = ray, sent_as, workers
        most = max((int(node["Resources"].get("CPU", 0)) for node in ray.nodes() if node["Alive"]), default=1)
        self._cores = max(1, min(cores_each, most))  # more than any machine has would be waited for without end
        self._do = ray.remote(_do).options(num_cpus=self._cores, max_retries=0)
        self._room = 0
        self._looked = 0.0

    def room(self) -> int:
        """Return how many jobs may be there at once; machines that have joined since count."""
        if self._workers is not None:
            return self._workers
        if not self._room or time.monotonic() - self._looked > LOOK_AGAIN:
            self._room = QUEUED * max(1, int(self._ray.cluster_resources().get("CPU", 1)) // self._cores)
            self._looked = time.monotonic()
        return self._room

    def send(self, job: Callable[[], Any]) -> Hashable:
        """Send a job."""
        ticket: Hashable = self._do.remote(*self._sent_as(job))
        return ticket

    def answers(self, tickets: Sequence[Hashable]) -> list[tuple[Hashable, Ended]]:
        """Wait for an answer, and return all that are there; none once it is time to look how large the cluster is."""
        self._ray.wait(list(tickets), num_returns=1, timeout=LOOK_AGAIN)
        there, _ = self._ray.wait(list(tickets), num_returns=len(tickets), timeout=0)
        return [(ticket, self._ended(ticket)) for ticket in there]

    def forget(self, tickets: Sequence[Hashable]) -> None:
        """Kill what was sent."""
        for ticket in tickets:
            self._ray.cancel(ticket, force=True)

    def _ended(self, ticket: Hashable) -> Ended:
        errors = self._ray.exceptions
        try:
            ended: Ended = self._ray.get(ticket)
            return ended
        except (errors.WorkerCrashedError, errors.OutOfMemoryError) as error:
            return Crashed(_first_line(error))
        except errors.RayTaskError as error:
            # `work` raises nothing: what is here could not even be read there.
            hint = "Every machine needs fairtrial and what it needs, in the Python that ray was started with."
            return Refused(InputError(f"a machine of the cluster cannot do jobs: {_last_line(error)}", hint=hint))
        except errors.RayError as error:
            return NodeGone(_first_line(error))


def _do(parcel: Parcel, source: str, contents: dict[str, list[Any]]) -> Ended:
    """Do a job on a node."""
    ray = importlib.import_module("ray")

    def fetch(root: Root) -> bytes:
        try:
            content: bytes = ray.get(contents[root.hash][0])
        except ray.exceptions.RayError as error:
            raise FetchError(_first_line(error)) from error
        return content

    return work(parcel, source, fetch)


def imported() -> Any:
    """Return ray. Raise InputError where it is not installed, or what is imported is another thing of that name."""
    try:
        ray = importlib.import_module("ray")
    except ImportError as error:
        raise InputError(f"ray cannot be imported: {error}", field="--engine",
                         hint="It is an extra: pip install 'fairtrial[ray]'") from error  # fmt: skip
    if not hasattr(ray, "init"):
        place = next(iter(getattr(ray, "__path__", [])), getattr(ray, "__file__", None) or "")
        raise InputError("is imported in place of the package ray", path=place, field="--engine",
                         hint="Rename it, or install the extra: pip install 'fairtrial[ray]'")  # fmt: skip
    return ray


def has_token() -> bool:
    """Say whether this user holds a token of ray, where ray looks for one: two variables, then a file at home."""
    if any(os.environ.get(name) for name in TOKEN):
        return True
    try:
        return (Path.home() / ".ray" / "auth_token").is_file()
    except (OSError, RuntimeError):  # no home, or one that cannot be entered
        return False


def refuse_shadow(folder: Path) -> None:
    """Raise InputError where `folder`, in which ray's workers look first, holds a module called ray."""
    for path in (folder / "ray.py", folder / "ray" / "__init__.py"):
        if path.is_file():
            raise InputError("would be imported in place of the package ray by every worker", path=path,
                             hint="Rename it, or start from another folder.")  # fmt: skip


def refuse_silence(address: str) -> None:
    """Raise InputError where nothing listens at `address`: ray itself would wait for minutes."""
    if not address or address in ("auto", "local"):
        return
    host, _, port = address.rpartition(":")
    if "://" in address or not host or not port.isdigit():
        raise InputError(f"`{address}` is not HOST:PORT", field="--address",
                         hint="Give what `ray start` printed, on a machine of the cluster itself.")  # fmt: skip
    try:
        socket.create_connection((host, int(port)), timeout=ANSWER_SECONDS).close()
    except (OSError, OverflowError) as error:
        raise InputError(f"no ray cluster answers at {address}: {error}", field="--address",
                         hint="Start one: ray start --head") from error  # fmt: skip


def _first_line(error: Exception) -> str:
    return f"{type(error).__name__}: {(str(error).splitlines() or [''])[0]}"


def _last_line(error: Exception) -> str:
    return ([line for line in str(error).splitlines() if line.strip()] or [type(error).__name__])[-1].strip()
