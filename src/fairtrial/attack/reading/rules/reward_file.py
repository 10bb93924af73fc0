"""Rules on the reward file: kept, appended to, read back, left unwritten, or made where the agent can write."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator

from fairtrial.attack.reading.python_file import PythonFile, constant, strings
from fairtrial.attack.reading.rule import Found, Rule, static_card
from fairtrial.attack.reading.shell_file import REWARD, ShellFile, ancestor, row, says
from fairtrial.attack.reading.sources import Sources

_CLEARED = re.compile(
    r"\brm\b[^\n;|&]*(/logs/verifier(/\*|/?\s|/?\"?\s*$)|reward\.(txt|json|\*)|reward\.\{)", re.MULTILINE
)
_SCORE_FILE = re.compile(r"(reward|score|verdict|grade)[\w-]*(\.(txt|json|log))?$", re.IGNORECASE)


def kept_if_there(script: ShellFile, sources: Sources) -> Iterator[Found]:
    """Find a reward that is written only where there is none yet."""
    for node in script.nodes("test_command"):
        text = script.filled(says(node))
        if (
            re.search(r"-[sfer]\s", text)
            and REWARD.search(text)
            and not _reset_before(script, row(node), text, sources)
        ):
            yield row(node), "A reward file that is there already is kept."


def kept_in_python(file: PythonFile, _: Sources) -> Iterator[Found]:
    """Find a reward whose presence decides whether one is written, or that is read back."""
    for call, name in file.calls:
        short = name.rpartition(".")[2]
        if not _is_about_reward(call, file):
            continue
        if short in ("exists", "isfile", "is_file", "getsize"):
            yield call.lineno, "A reward file that is there already may be kept."
        if short in ("read_text", "read_bytes") or (short == "open" and _mode(call.args) == "r"):
            yield call.lineno, "The reward is read back from a file, which others may have written."
        if short == "open" and _mode(call.args) == "a":
            yield call.lineno, "The reward is appended to what stands in the file."


def read_back(script: ShellFile, _: Sources) -> Iterator[Found]:
    """Find a reward that is read back into the script, or appended to."""
    for node in script.nodes("command_substitution"):
        if REWARD.search(script.filled(says(node))) and not re.search(r"\bdirname\b|>", says(node)):
            yield row(node), "The reward is read back from a file, which others may have written."
    for write in script.reward_writes():
        if write.appends:
            yield write.line, "The reward is appended to what stands in the file."


def not_reset(script: ShellFile, sources: Sources) -> Iterator[Found]:
    """Find scripts that write a reward on some paths only and never clear an old one."""
    writes = list(script.reward_writes())
    if not writes or not script.name.endswith("test.sh"):
        return
    others = " ".join(file.text for file in sources.python)
    if REWARD.search(others) or any(not write.conditional for write in writes) or _clears(script, sources):
        return
    for write in writes:
        around = ancestor(write.node, "if_statement", "list", "case_statement")
        if around is not None and around.type == "if_statement" and "else_clause" in {c.type for c in around.children}:
            return
    yield writes[0].line, "Where this line is not reached, an old reward file speaks instead."


def elsewhere(script: ShellFile, sources: Sources) -> Iterator[Found]:
    """Find a score that passes through a file in a place where the agent can write."""
    for node in script.nodes("file_redirect"):
        place = script.filled(says(node.children[-1])).strip("\"'")
        if _writable(place, sources) and _SCORE_FILE.search(place) and says(node.children[0]).startswith(">"):
            yield row(node), f"The score passes through `{place}`, where the agent's processes can write."


def elsewhere_in_python(file: PythonFile, sources: Sources) -> Iterator[Found]:
    """Find a score that a Python grader reads from, or writes to, a place where the agent can write."""
    for call, name in file.calls:
        short = name.rpartition(".")[2]
        places = [text for text in strings(call) if _writable(text, sources) and _SCORE_FILE.search(text)]
        if places and short in ("open", "read_text", "write_text", "load"):
            yield call.lineno, f"The score passes through `{places[0]}`, where the agent's processes can write."


def copied(script: ShellFile, sources: Sources) -> Iterator[Found]:
    """Find a reward that is a copy of a file of the agent's."""
    for node, words in script.commands():
        paths = [word for word in words[1:] if word.startswith("/")]
        copies = words[0] in ("cp", "mv", "install", "ln") and bool(paths) and REWARD.search(paths[-1])
        if copies and any(_writable(place, sources) for place in paths[:-1]):
            yield row(node), f"The reward is a copy of `{paths[0]}`, which the agent's processes can write."
    for write in script.reward_writes():
        names = re.findall(r"(/[\w./-]+)", write.what)
        if re.match(r"(cat|tail|head|jq|sed|awk|cut|tr)\b", write.what) and any(_writable(n, sources) for n in names):
            yield write.line, f"The reward is read from `{names[-1]}`, which the agent's processes can write."


def elsewhere_or_copied(script: ShellFile, sources: Sources) -> Iterator[Found]:
    """Find scores that pass through a place of the agent's, on the way in or out."""
    yield from elsewhere(script, sources)
    yield from copied(script, sources)


def _is_about_reward(call: ast.Call, file: PythonFile) -> bool:
    """Say whether a call names a reward file, itself or by a variable."""
    parts = [call, *(file.value_of(node) for node in ast.walk(call) if isinstance(node, ast.Name))]
    return any(REWARD.search(text) for part in parts for text in strings(part))


def _mode(arguments: list[ast.expr]) -> str:
    mode = constant(arguments[1]) if len(arguments) > 1 else "r"
    return str(mode)[:1]


def _writable(place: str, sources: Sources) -> bool:
    return any(place.startswith(f"{root}/") for root in (*sources.roots, "/tmp", "/var/tmp", "/dev/shm"))


def _clears(script: ShellFile, sources: Sources) -> bool:
    sourced = [
        other.text for other in sources.shell if other is not script and other.name.rpartition("/")[2] in script.text
    ]
    return any(_CLEARED.search(script.filled(text)) for text in (script.text, *sourced))


def _reset_before(script: ShellFile, line: int, tested: str, sources: Sources) -> bool:
    """Say whether the file that is tested was cleared or written by all paths before this line."""
    before = "\n".join(script.text.split("\n")[: line - 1])
    sourced = "\n".join(
        other.text for other in sources.shell if other is not script and other.name.rpartition("/")[2] in before
    )
    earlier = any(write.line < line and not write.conditional and not write.appends for write in script.reward_writes())
    name = "reward.json" if "reward.json" in tested else "reward.txt"
    own = script.filled(before) + "\n" + sourced
    cleared = any(name in hit[0] or "*" in hit[0] or "reward" not in hit[0] for hit in _CLEARED.finditer(own))
    return earlier or cleared


RULES = (
    Rule(
        card=static_card(
            "reward_kept", "a reward file that is kept, appended to or read back", ("BGW-111", "BGW-131", "TRACE-8")
        ),
        python=kept_in_python,
        shell=kept_if_there,
    ),
    Rule(
        card=static_card("reward_read_back", "a reward that is read from its file again", ("BGW-111", "TRACE-8")),
        shell=read_back,
    ),
    Rule(
        card=static_card(
            "reward_not_reset",
            "paths on which no reward is written and no old one removed",
            ("BGW-111", "BGW-126", "TRACE-8"),
        ),
        shell=not_reset,
    ),
    Rule(
        card=static_card(
            "reward_in_reach",
            "scores that pass through a place where the agent can write",
            ("BGW-111", "BGW-131", "TRACE-8"),
        ),
        python=elsewhere_in_python,
        shell=elsewhere_or_copied,
    ),
)
