"""Rules on what differs from run to run: clocks, chance, the network."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator

from fairtrial.attack.reading.python_file import PythonFile, argument, constant, dotted, number
from fairtrial.attack.reading.rule import Found, Rule, static_card
from fairtrial.attack.reading.shell_file import ShellFile, program, row, says
from fairtrial.attack.reading.sources import Sources

_CLOCKS = {
    "time",
    "perf_counter",
    "monotonic",
    "process_time",
    "time_ns",
    "perf_counter_ns",
    "monotonic_ns",
    "getrusage",
    "timeit",
    "repeat",
    "now",
    "utcnow",
}
_DRAWS = {
    "random",
    "shuffle",
    "choice",
    "choices",
    "sample",
    "randint",
    "randrange",
    "uniform",
    "gauss",
    "rand",
    "randn",
    "permutation",
    "integers",
    "normal",
}
_SEEDED = re.compile(
    r"\brandom\.seed\(\s*[^)\s]|\bRandom\(\s*[^)\s]|default_rng\(\s*[^)\s]|RandomState\(\s*[^)\s]|np\.random\.seed\("
)
_SHORT = 3.0
_LOOPBACK = re.compile(r"localhost|127\.0\.0\.1|\[?::1\b|0\.0\.0\.0")


def clock_decides(file: PythonFile, _: Sources) -> Iterator[Found]:
    """Find measured time that is compared with a limit, and very short time-outs."""
    timed = _timed_names(file)
    for node, operator, left, right in file.compares:
        compares = isinstance(operator, ast.Lt | ast.LtE | ast.Gt | ast.GtE)
        if compares and (_is_timed(left, timed) or _is_timed(right, timed)) and file.is_verdict(node):
            yield node.lineno, "Measured time decides: a busy machine fails right work."
    for call, name in file.calls:
        seconds = number(argument(call, "timeout"))
        if (
            seconds is not None
            and 0 < seconds <= _SHORT
            and name.rpartition(".")[2] in ("run", "check_output", "communicate")
        ):
            yield call.lineno, f"A time-out of {seconds:g} s: a busy machine fails right work."


def chance_decides(file: PythonFile, _: Sources) -> Iterator[Found]:
    """Find draws at random without a seed."""
    if _SEEDED.search(file.text):
        return
    for node in file.nodes:
        called = (
            {dotted(part.func) for part in ast.walk(node) if isinstance(part, ast.Call)}
            if _is_remainder(node)
            else set()
        )
        if any(name.rpartition(".")[2] in (*_CLOCKS, "getpid", "urandom") for name in called):
            yield node.lineno, "A clock or a process id decides: the same work may pass once and fail once."  # type: ignore[attr-defined]
    for call, name in file.calls:
        module, _dot, short = name.rpartition(".")
        drawn = short in _DRAWS and module in ("random", "np.random", "numpy.random", "rng", "secrets")
        imported = (
            not module
            and short in ("shuffle", "sample", "randint", "choice", "randrange")
            and "from random" in file.text
        )
        if drawn or imported:
            yield call.lineno, "Drawn at random without a seed: the same work may pass once and fail once."


def _is_remainder(node: ast.AST) -> bool:
    return (
        isinstance(node, ast.BinOp)
        and isinstance(node.op, ast.Mod)
        and not isinstance(node.left, ast.Constant | ast.JoinedStr)
    )


def chance_in_shell(script: ShellFile, _: Sources) -> Iterator[Found]:
    """Find $RANDOM and shuf without a source."""
    for node in script.nodes("simple_expansion", "expansion"):
        if says(node) in ("$RANDOM", "${RANDOM}"):
            yield row(node), "Drawn at random without a seed: the same work may pass once and fail once."
    for node, words in script.commands():
        if program(words) == "shuf" and not any(word.startswith("--random-source") for word in words):
            yield row(node), "Drawn at random without a seed: the same work may pass once and fail once."


def network(file: PythonFile, _: Sources) -> Iterator[Found]:
    """Find calls of the network beyond this machine."""
    for call, name in file.calls:
        asks = re.match(r"(requests|httpx|aiohttp)\.(get|post|put|request|head)$|(urllib\.request\.)?urlopen$", name)
        if asks and not _LOOPBACK.search(ast.unparse(call)) and _names_a_host(call):
            yield (
                call.lineno,
                "The verdict hangs on the network: an outage fails right work, and what is there may change.",
            )


def network_in_shell(script: ShellFile, _: Sources) -> Iterator[Found]:
    """Find downloads while grading."""
    for node, words in script.commands():
        text = " ".join(words)
        if program(words) in ("curl", "wget") and re.search(r"https?://", text) and not _LOOPBACK.search(text):
            yield (
                row(node),
                "The verdict hangs on the network: an outage fails right work, and what is there may change.",
            )
        if words[:2] in (["git", "clone"], ["git", "fetch"], ["git", "pull"]):
            yield (
                row(node),
                "The verdict hangs on the network: an outage fails right work, and what is there may change.",
            )


def _names_a_host(call: ast.Call) -> bool:
    first = call.args[0] if call.args else argument(call, "url")
    return isinstance(constant(first), str) or isinstance(first, ast.JoinedStr)


def _timed_names(file: PythonFile) -> set[str]:
    """Return names that hold a duration, and functions that return one."""
    timed: set[str] = set()
    for _ in range(4):
        size = len(timed)
        for node in file.nodes:
            if isinstance(node, ast.Assign):
                timed |= _durations(node.targets[0], node.value, timed)
            if isinstance(node, ast.FunctionDef):
                returned = [
                    part.value for part in ast.walk(node) if isinstance(part, ast.Return) and part.value is not None
                ]
                values = [
                    one for value in returned for one in (value.elts if isinstance(value, ast.Tuple) else [value])
                ]
                timed |= {node.name} if any(_is_timed(value, timed) for value in values) else set()
        if len(timed) == size:
            break
    return timed


def _durations(target: ast.expr, value: ast.expr, timed: set[str]) -> set[str]:
    if isinstance(target, ast.Tuple) and isinstance(value, ast.Tuple) and len(target.elts) == len(value.elts):
        return set().union(*(_durations(t, v, timed) for t, v in zip(target.elts, value.elts, strict=True)))
    if isinstance(target, ast.Tuple) and isinstance(value, ast.Call) and dotted(value.func) in timed:
        return {dotted(target.elts[0])}  # what measures returns its time first, as a rule
    return {dotted(target)} if dotted(target) and _is_timed(value, timed) else set()


def _is_timed(node: ast.expr, timed: set[str]) -> bool:
    """Say whether `node` is a difference of clock readings, or made of one."""
    for part in ast.walk(node):
        if isinstance(part, ast.BinOp) and isinstance(part.op, ast.Sub):
            called = {dotted(inner.func).rpartition(".")[2] for inner in ast.walk(part) if isinstance(inner, ast.Call)}
            if called & _CLOCKS:
                return True
        if isinstance(part, ast.Name) and part.id in timed:
            return True
    return False


RULES = (
    Rule(
        card=static_card("clock_decides", "measured time that decides", ("BGW-113", "BGW-127")),
        python=clock_decides,
    ),
    Rule(
        card=static_card("chance_decides", "draws at random without a seed", ("BGW-127",)),
        python=chance_decides,
        shell=chance_in_shell,
    ),
    Rule(
        card=static_card("network_decides", "the network while grading", ("BGW-118", "BGW-127", "BGW-132")),
        python=network,
        shell=network_in_shell,
    ),
)
