"""Rules on what a grader brings in and leaves behind: unpinned installs, background processes."""

from __future__ import annotations

import itertools
import re
from collections.abc import Iterator

from fairtrial.attack.reading.python_file import PythonFile
from fairtrial.attack.reading.rule import Found, Rule, static_card
from fairtrial.attack.reading.shell_file import ShellFile, program, row, says
from fairtrial.attack.reading.sources import Sources

_PINNED = re.compile(r"==|@|\.whl$|^-|^\.|/|\$")


def unpinned_install(script: ShellFile, _: Sources) -> Iterator[Found]:
    """Find packages that are installed while grading, in whatever version there is."""
    for node, words in script.commands():
        name = program(words)
        if (name in ("pip", "pip3", "uv") or "pip" in words) and "install" in words and "-r" not in words:
            packages = words[words.index("install") + 1 :]
            loose = [word for word in packages if not _PINNED.search(word)]
            if loose:
                yield row(node), f"`{loose[0]}` is installed while grading, in whatever version there is that day."
        if name in ("uvx", "uv") and any(word in ("-w", "--with") for word in words):
            wanted = [after for word, after in itertools.pairwise(words) if word in ("-w", "--with")]
            loose = [word for word in wanted if "==" not in word]
            if loose:
                yield row(node), f"`{loose[0]}` is installed while grading, in whatever version there is that day."
        if name in ("apt-get", "apt", "apk", "npm", "yum") and ("install" in words or "add" in words):
            yield row(node), f"`{name}` installs while grading, in whatever version there is that day."
    for pipe in script.nodes("pipeline"):
        stages = [script.words(stage) for stage in pipe.named_children if stage.type == "command"]
        if stages and program(stages[0]) in ("curl", "wget") and program(stages[-1]) in ("sh", "bash"):
            yield row(pipe), "A script from the network is run while grading."


def left_running(script: ShellFile, _: Sources) -> Iterator[Found]:
    """Find background processes that nothing waits for or ends."""
    ends = any(words[0] in ("wait", "kill", "pkill", "trap") for _, words in script.commands())
    for node in script.nodes("&"):
        before = node.prev_named_sibling
        if (
            not ends
            and before is not None
            and before.type in ("command", "redirected_statement", "pipeline", "subshell", "list")
        ):
            yield row(before), f"`{says(before)[:40]}` is left running: it may write after the verdict."


def started_and_left(file: PythonFile, _: Sources) -> Iterator[Found]:
    """Find programs of the agent's that are started and neither waited for nor ended."""
    ends = re.search(r"\.(wait|communicate|kill|terminate|killpg)\(|killpg\(|with subprocess\.Popen", file.text)
    for call, name in file.calls:
        if name.rpartition(".")[2] == "Popen" and not ends and file.flow.kind(call) == "process":
            yield call.lineno, "The agent's program is left running: it may write after the verdict."


RULES = (
    Rule(
        card=static_card("unpinned_install", "installs while grading", ("BGW-118", "BGW-127", "BGW-132")),
        shell=unpinned_install,
    ),
    Rule(
        card=static_card("left_running", "processes that outlive the grading", ("BGW-111", "BGW-114", "BGW-127")),
        python=started_and_left,
        shell=left_running,
    ),
)
