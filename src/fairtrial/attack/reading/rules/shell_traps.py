"""Rules on shell's own traps: words that split, statuses of pipes, partial grep, comparisons nobody looks at."""

from __future__ import annotations

import re
from collections.abc import Iterator

import tree_sitter

from fairtrial.attack.reading.rule import Found, Rule, static_card
from fairtrial.attack.reading.shell_file import REWARD, ShellFile, ancestor, is_runner, program, row, says
from fairtrial.attack.reading.sources import Sources

_ANCHORED = re.compile(r"^\^.*\$$")
_FACTS = ("$?", "$#", "$$", "$!")


def words_that_split(script: ShellFile, sources: Sources) -> Iterator[Found]:
    """Find unquoted agent data in `[ … ]`: empty or of several words, the test means something else."""
    for node in script.nodes("test_command"):
        text = says(node)
        if not text.startswith("[ ") and not text.startswith("test "):
            continue
        for part in _descend(node):
            quoted = ancestor(part, "string", "raw_string", "test_command")
            bare = part.type in ("simple_expansion", "command_substitution") and quoted == node
            if bare and not says(part).startswith(_FACTS) and _holds_agent(part, script, sources):
                yield row(part), f"`{says(part)[:40]}` is not quoted: what the agent wrote can change what is tested."


def pipe_status(script: ShellFile, _: Sources) -> Iterator[Found]:
    """Find a test run in a pipe whose status is that of the last command, and decides."""
    if script.sets("pipefail") or "PIPESTATUS" in script.text:
        return
    for node in script.nodes("pipeline"):
        stages = node.named_children
        first = script.words(stages[0]) if stages[0].type == "command" else []
        last = script.words(stages[-1]) if stages[-1].type == "command" else [""]
        runs = bool(first) and is_runner(first) and program(last) in ("tee", "cat", "tail", "head", "sed", "awk", "ts")
        if runs and _status_is_read(node):
            yield row(node), f"The status is that of `{program(last)}`, not of the tests: set -o pipefail is missing."


def partial_grep(script: ShellFile, sources: Sources) -> Iterator[Found]:
    """Find grep that takes a piece of a line of the agent's for the line."""
    for node, words in script.commands():
        if program(words) not in ("grep", "egrep", "fgrep") or node.parent is None:
            continue
        flags = "".join(word.lstrip("-") for word in words[1:] if re.match(r"-[a-zA-Z]+$", word))
        long = {word.partition("=")[0] for word in words if word.startswith("--")}
        others = [word for word in words[1:] if not word.startswith("-")]
        if (
            not others
            or "x" in flags
            or "v" in flags
            or long & {"--line-regexp", "--invert-match"}
            or _ANCHORED.match(others[0])
        ):
            continue
        quiet = "q" in flags or "c" in flags or "--quiet" in long or "--silent" in long
        if quiet and not REWARD.search(script.filled(says(node))) and _reads_agent(node, others[1:], script, sources):
            yield row(node), f"A line that holds `{others[0][:40]}` anywhere is enough: -x or anchors are missing."


def glob_match(script: ShellFile, sources: Sources) -> Iterator[Found]:
    """Find `[[ x == *42* ]]`, `[[ x =~ 42 ]]` and `case x in *42*)` on what the agent wrote."""
    for node in script.nodes("test_command"):
        text = says(node)
        loose = re.search(r"==?\s*[\"']?\*[\"']?\w|\w[\"']?\*\s*\]\]|=~\s*(?!\^.*\$\s*\]\])", text)
        if text.startswith("[[") and loose and any(_holds_agent(p, script, sources) for p in _descend(node)):
            yield row(node), "Any text that holds the piece passes, whatever else it says."
    for item in script.nodes("case_item"):
        around = ancestor(item, "case_statement")
        pattern = says(item.children[0])
        if (
            around is not None
            and re.match(r"\*.*\w.*\*$", pattern)
            and any(_holds_agent(part, script, sources) for part in _descend(around) if part.end_byte < item.start_byte)
        ):
            yield row(item), "Any text that holds the piece passes, whatever else it says."


def partial_match(script: ShellFile, sources: Sources) -> Iterator[Found]:
    """Find pieces of texts taken for the whole, by grep and by patterns."""
    yield from partial_grep(script, sources)
    yield from glob_match(script, sources)


def comparison_dropped(script: ShellFile, _: Sources) -> Iterator[Found]:
    """Find diff or cmp whose status nobody reads."""
    if script.sets("e"):
        return
    for node, words in script.commands():
        alone = node.parent is not None and node.parent.type in ("program", "compound_statement", "do_group")
        redirected = (
            node.parent is not None
            and node.parent.type == "redirected_statement"
            and (node.parent.parent is not None and node.parent.parent.type == "program")
        )
        if program(words) not in ("diff", "cmp") or not (alone or redirected):
            continue
        statement = node if alone else node.parent
        assert statement is not None
        after = statement.next_named_sibling
        if after is not None and "$?" not in says(after):
            yield row(node), f"Nobody reads whether `{program(words)}` found a difference."


def _holds_agent(node: tree_sitter.Node, script: ShellFile, sources: Sources) -> bool:
    """Say whether an expansion holds what the agent wrote, as far as the script's assignments tell."""
    text = says(node)
    name = text.strip("${}")
    given = [says(n) for n in script.nodes("variable_assignment") if says(n).startswith(f"{name}=")]
    texts = [text, *given]
    return any(f"{root}/" in script.filled(one) for one in texts for root in sources.roots)


def _reads_agent(node: tree_sitter.Node, files: list[str], script: ShellFile, sources: Sources) -> bool:
    pipe = ancestor(node, "pipeline")
    text = script.filled(says(pipe)) if pipe is not None else " ".join(files)
    if any(f"{root}/" in text for root in sources.roots):
        return True
    return bool(files) and not files[0].startswith(("/", "$", "<")) and re.search(r"\.\w{2,5}$", files[0]) is not None


def _status_is_read(node: tree_sitter.Node) -> bool:
    around = node.parent
    if around is None:
        return False
    if around.type == "if_statement" and around.children[1] == node:
        return True
    if around.type == "list" and around.children[0] == node:
        return says(around.children[1]) == "&&"
    statement = around if around.type == "redirected_statement" else node
    after = statement.next_named_sibling
    return after is not None and "$?" in says(after)


def _descend(node: tree_sitter.Node) -> Iterator[tree_sitter.Node]:
    for child in node.children:
        yield child
        if child.type != "command_substitution":
            yield from _descend(child)


RULES = (
    Rule(
        card=static_card("words_that_split", "unquoted agent data in shell tests", ("BGW-126", "BGW-129")),
        shell=words_that_split,
    ),
    Rule(
        card=static_card("pipe_status", "the status of a pipe taken for that of the tests", ("BGW-125", "BGW-126")),
        shell=pipe_status,
    ),
    Rule(
        card=static_card("partial_grep", "grep for a piece of a line", ("BGW-123", "BGW-138")),
        shell=partial_match,
    ),
    Rule(
        card=static_card("comparison_dropped", "diff and cmp whose status nobody reads", ("BGW-125",)),
        shell=comparison_dropped,
    ),
)
