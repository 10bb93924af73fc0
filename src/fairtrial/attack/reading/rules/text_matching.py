"""Rules on lenient comparison of text: pieces, prefixes, patterns, likeness, letter case, one of many."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator

from fairtrial.attack.reading.python_file import PythonFile, constant, dotted, strings
from fairtrial.attack.reading.rule import Found, Rule, static_card
from fairtrial.attack.reading.sources import Sources

_LIKENESS = re.compile(
    r"SequenceMatcher|get_close_matches|\bfuzz\.|rapidfuzz|levenshtein|jaro|rouge|\bbleu|cosine_sim|"
    r"edit_distance|(partial|token_\w+)_ratio|\bwer\(|bert_?score",
    re.IGNORECASE,
)
_FOLDS = ("lower", "upper", "casefold")


def piece(file: PythonFile, _: Sources) -> Iterator[Found]:
    """Find the right answer looked for anywhere in a text of the agent's, or the agent's in the right one."""
    for node, operator, left, right in file.compares:
        if not isinstance(operator, ast.In | ast.NotIn) or not file.is_verdict(node):
            continue
        if isinstance(operator, ast.NotIn) and isinstance(file.parents.get(id(node)), ast.Assert):
            continue  # something forbidden is asserted to be absent
        if file.flow.kind(right) == "text" and not file.flow.is_work(left) and _has_letters(left):
            yield (
                node.lineno,
                "The answer is looked for anywhere in the text: one that names others too, or denies it, holds it.",
            )
        if file.flow.kind(left) in ("text", "data") and isinstance(constant(right), str):
            yield node.lineno, "Any piece of the right text is taken for it, an empty one too."


def like_pattern(file: PythonFile, _: Sources) -> Iterator[Found]:
    """Find SQL that looks for a piece of a text in the agent's database."""
    for call, name in file.calls:
        if name.rpartition(".")[2] == "execute" and re.search(
            r"\bLIKE\s+'%?[^']*%", " ".join(strings(call)), re.IGNORECASE
        ):
            yield call.lineno, "Any text that holds this piece passes, whatever else it says."


def piece_or_like(file: PythonFile, sources: Sources) -> Iterator[Found]:
    """Find pieces of texts, in Python and in SQL."""
    yield from piece(file, sources)
    yield from like_pattern(file, sources)


def end(file: PythonFile, _: Sources) -> Iterator[Found]:
    """Find a beginning or an end compared instead of the whole."""
    for call, name in file.calls:
        if not name.endswith((".startswith", ".endswith")) or not isinstance(call.func, ast.Attribute) or not call.args:
            continue
        of_agent, with_agent = file.flow.is_work(call.func.value), file.flow.is_work(call.args[0])
        if of_agent != with_agent and file.is_verdict(call):
            which = (
                "Any beginning or end of the right text" if with_agent else "Any text with the right beginning or end"
            )
            yield call.lineno, f"{which} passes, an empty one too." if with_agent else f"{which} passes."


def part_compared(file: PythonFile, _: Sources) -> Iterator[Found]:
    """Find a part of the agent's text compared with a part of the right one."""
    for node, operator, left, right in file.compares:
        if not isinstance(operator, ast.Eq) or not file.is_verdict(node):
            continue
        sides = [file.value_of(side) for side in (left, right)]
        cut = [isinstance(side, ast.Subscript) and _is_cut(side) for side in sides]
        texts = [isinstance(side, ast.Subscript) and file.flow.kind(side.value) == "text" for side in sides]
        if all(cut) and any(texts):
            yield node.lineno, "Only a part of each text is compared: the rest may be wrong."


def pattern(file: PythonFile, _: Sources) -> Iterator[Found]:
    """Find a pattern that is searched for anywhere in a text and decides."""
    for call, name in file.calls:
        short = name.rpartition(".")[2]
        if short not in ("search", "match") or not name.startswith(("re.", "regex.")) or len(call.args) < 2:
            continue
        wanted = constant(call.args[0])
        anchored = (
            isinstance(wanted, str)
            and bool(re.search(r"(\$|\\Z)$", wanted))
            and (short == "match" or wanted.startswith(("^", "\\A")))
        )
        if file.flow.kind(call.args[1]) in ("text", "data") and not anchored and _tests_truth(call, file):
            yield call.lineno, "Any text that holds a match passes, whatever else it says."


def likeness(file: PythonFile, _: Sources) -> Iterator[Found]:
    """Find likeness instead of equality."""
    for call, name in file.calls:
        if _LIKENESS.search(f"{name}(") and any(
            file.flow.mentions_agent(part) for part in (*call.args, *call.keywords)
        ):
            yield call.lineno, "Texts that are alike pass: a wrong digit or a `not` hardly changes likeness."


def letter_case(file: PythonFile, _: Sources) -> Iterator[Found]:
    """Find equality that drops letter case of the agent's text."""
    for node, operator, left, right in file.compares:
        for side in (left, right):
            folded = isinstance(side, ast.Call) and isinstance(side.func, ast.Attribute) and side.func.attr in _FOLDS
            if isinstance(operator, ast.Eq) and folded and file.flow.is_work(side) and file.is_verdict(node):
                yield node.lineno, "Letter case is dropped before the comparison."


def any_of_them(file: PythonFile, _: Sources) -> Iterator[Found]:
    """Find `any()` over what the agent handed in, and sets that need only meet."""
    for call, name in file.calls:
        if name == "any" and call.args and isinstance(call.args[0], ast.GeneratorExp | ast.ListComp):
            generator = call.args[0]
            over_work = file.flow.kind(generator.generators[0].iter) in ("texts", "data", "text", "file")
            if over_work and isinstance(generator.elt, ast.Compare | ast.Call) and file.is_verdict(call):
                yield call.lineno, "One right item among any number of wrong ones is enough."
        if name.endswith((".intersection", ".issubset", ".issuperset", ".isdisjoint")) and file.is_verdict(call):
            parts = [call.func.value if isinstance(call.func, ast.Attribute) else call.func, *call.args]
            of_sets = any(_is_set(part, file) for part in parts)
            if of_sets and any(file.flow.is_work(part) for part in parts):
                yield call.lineno, "Sets need not be equal: what is too much, or lacks, goes unseen."
    for node in file.nodes:
        if (
            isinstance(node, ast.BinOp)
            and isinstance(node.op, ast.BitAnd)
            and file.is_verdict(node)
            and any(
                isinstance(s, ast.Call) and dotted(s.func) == "set" and file.flow.is_work(s)
                for s in (node.left, node.right)
            )
        ):
            yield node.lineno, "Sets need only meet: one right item among wrong ones is enough."
    for compared, operator, left, right in file.compares:
        of_sets = all(isinstance(side, ast.Call | ast.Set) for side in (left, right))
        work = [
            isinstance(side, ast.Call) and dotted(side.func) == "set" and file.flow.is_work(side)
            for side in (left, right)
        ]
        ordered = isinstance(operator, ast.LtE | ast.GtE | ast.Lt | ast.Gt)
        if ordered and of_sets and any(work) and file.is_verdict(compared):
            yield compared.lineno, "One set need only hold the other: what is too much, or lacks, goes unseen."


def one_of_many(file: PythonFile, _: Sources) -> Iterator[Found]:
    """Find the first or last of several matches in the agent's text taken for its answer."""
    for node in file.nodes:
        if not isinstance(node, ast.Subscript) or not isinstance(node.ctx, ast.Load):
            continue
        index = ast.unparse(node.slice) if isinstance(node.slice, ast.UnaryOp | ast.Constant) else ""
        found = node.value
        if index in ("-1", "0") and _is_findall(found, file) and file.flow.mentions_agent(found):
            which = "last" if index == "-1" else "first"
            yield node.lineno, f"The {which} match in the text is taken for the answer, whatever is said around it."


def _is_findall(node: ast.expr, file: PythonFile) -> bool:
    if isinstance(node, ast.Call):
        return dotted(node.func).rpartition(".")[2] in ("findall", "finditer")
    if not isinstance(node, ast.Name):
        return False
    assigned = (n for n in file.nodes if isinstance(n, ast.Assign) and dotted(n.targets[0]) == node.id)
    return any(isinstance(n.value, ast.Call) and dotted(n.value.func).endswith("findall") for n in assigned)


def _is_set(node: ast.expr, file: PythonFile) -> bool:
    made = file.value_of(node)
    return isinstance(made, ast.Set | ast.SetComp) or (
        isinstance(made, ast.Call) and dotted(made.func) in ("set", "frozenset")
    )


def _is_cut(node: ast.Subscript) -> bool:
    """Say whether an index takes a part by position."""
    return isinstance(node.slice, ast.Slice | ast.UnaryOp) or isinstance(constant(node.slice), int)


def _tests_truth(call: ast.Call, file: PythonFile) -> bool:
    """Say whether only the presence of a match counts: it is asserted, returned as bool, or a condition of failing."""
    above = file.parents.get(id(call))
    if isinstance(above, ast.Assign | ast.NamedExpr | ast.Attribute):
        return False
    return file.is_verdict(call)


def _has_letters(node: ast.expr) -> bool:
    value = constant(node)
    return not isinstance(value, str) or any(character.isalnum() for character in value)


RULES = (
    Rule(
        card=static_card("part_compared", "parts of texts compared", ("BGW-123",), "text"),
        python=part_compared,
    ),
    Rule(
        card=static_card("piece_of_text", "`in` on the agent's text", ("BGW-123", "BGW-138", "TRACE-3"), "text"),
        python=piece_or_like,
    ),
    Rule(
        card=static_card("end_of_text", "startswith and endswith on the agent's text", ("BGW-123",), "text"),
        python=end,
    ),
    Rule(
        card=static_card(
            "pattern_anywhere",
            "patterns searched for anywhere in the agent's text",
            ("BGW-106", "BGW-123", "BGW-138"),
            "text",
        ),
        python=pattern,
    ),
    Rule(
        card=static_card("likeness", "fuzzy comparison", ("BGW-123", "BGW-134"), "text"),
        python=likeness,
    ),
    Rule(
        card=static_card("letter_case", "letter case that is dropped", ("BGW-123",), "text"),
        python=letter_case,
    ),
    Rule(
        card=static_card("any_of_them", "`any()` and sets that need only meet", ("BGW-123", "TRACE-2"), "text"),
        python=any_of_them,
    ),
    Rule(
        card=static_card("one_of_many", "the first or last match taken for the answer", ("BGW-123",), "text"),
        python=one_of_many,
    ),
)
