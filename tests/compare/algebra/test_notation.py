"""Random formulas in two notations are the same, and with one thing changed they are not.

The changes are such that no identity undoes them: a symbol of its own, one more, another sign on a part that counts.
"""

from __future__ import annotations

from dataclasses import dataclass

from hypothesis import assume, given
from hypothesis import strategies as st

from fairtrial.compare import equivalent

LETTERS = ("x", "y", "t")
FUNCTIONS = ("sin", "cos", "exp", "arctan")


@dataclass(frozen=True)
class Tree:
    """A formula: an operator with parts, or a leaf."""

    op: str
    parts: tuple[Tree, ...] = ()
    leaf: str = ""


def leaves() -> st.SearchStrategy[Tree]:
    numbers = st.integers(1, 12).map(str)
    return st.one_of(numbers, st.sampled_from(LETTERS), st.just("pi")).map(lambda text: Tree("leaf", (), text))


def larger(inner: st.SearchStrategy[Tree]) -> st.SearchStrategy[Tree]:
    pair = st.tuples(inner, inner)
    return st.one_of(
        st.tuples(st.sampled_from(("add", "sub", "mul", "div")), pair).map(lambda found: Tree(*found)),
        st.tuples(inner, st.sampled_from(("2", "3"))).map(lambda f: Tree("pow", (f[0], Tree("leaf", (), f[1])))),
        st.tuples(st.sampled_from(FUNCTIONS), inner).map(lambda found: Tree("call", (found[1],), found[0])),
        inner.map(lambda part: Tree("root", (Tree("pow", (part, Tree("leaf", (), "2"))),))),
    )


TREES = st.recursive(leaves(), larger, max_leaves=7)


def typed(tree: Tree) -> str:
    """Write as one types it."""
    if tree.op == "leaf":
        return tree.leaf
    parts = [f"({typed(part)})" for part in tree.parts]
    if tree.op in ("call", "root"):
        return f"{tree.leaf or 'sqrt'}{parts[0]}"
    return {"add": " + ", "sub": " - ", "mul": "*", "div": "/", "pow": "**"}[tree.op].join(parts)


def marked_up(tree: Tree) -> str:
    """Write in LaTeX, sums and products the other way round."""
    if tree.op == "leaf":
        return r"\pi" if tree.leaf == "pi" else tree.leaf
    parts = [marked_up(part) for part in tree.parts]
    if tree.op == "div":
        return rf"\frac{{{parts[0]}}}{{{parts[1]}}}"
    if tree.op == "root":
        return rf"\sqrt{{{parts[0]}}}"
    if tree.op == "call":
        return rf"\{tree.leaf}\left({parts[0]}\right)"
    grouped = [rf"\left( {part} \right)" for part in parts]
    if tree.op == "pow":
        return rf"{grouped[0]}^{{{parts[1]}}}"
    if tree.op == "sub":
        return f"-{grouped[1]} + {grouped[0]}"
    return (" + " if tree.op == "add" else r" \cdot ").join(reversed(grouped))


@given(TREES)
def test_one_formula_in_two_notations_is_the_same_or_refused_with_a_reason(tree: Tree) -> None:
    found = equivalent(typed(tree), marked_up(tree), "math")
    assert found.equivalent or "cannot be decided" in found.reason, (typed(tree), marked_up(tree), found.reason)


@given(TREES, st.sampled_from(("{} + 1", "{} + q", "-1 + {}", "q*({})")))
def test_one_formula_with_something_added_is_another(tree: Tree, change: str) -> None:
    whole = typed(tree)
    assume(not equivalent(whole, "0", "math").equivalent)
    changed = change.format(f"({whole})")
    found = equivalent(whole, changed, "math")
    assert not found.equivalent, (whole, changed, found.reason)


@given(TREES, TREES)
def test_both_directions_agree(one: Tree, other: Tree) -> None:
    forth = equivalent(typed(one), marked_up(other), "math")
    back = equivalent(marked_up(other), typed(one), "math")
    assert forth.equivalent == back.equivalent


@given(st.sampled_from(("math", "tuple", "set", "interval")), st.data())
def test_nothing_is_raised_on_any_text(kind: str, data: st.DataObject) -> None:
    pieces = st.sampled_from(
        [*"()[]{}|^_!+-*/=<>,;.:'\"$%&\\ ~0123456789xyei∞π√±∪≤½²", "\\frac", "\\sqrt", "\\left", "\\{", "\\}", "\\pm",
         "\\text{or}", "and", "\\begin{pmatrix}", "\\end{pmatrix}", "\\\\", "\\sum_{k=1}^", "\\int", "sin", "max",
         "mod", "\\pmod", "\\choose", "...", "\\overline", "\\infty", "f(", "\\log_", "\ud800", "\x00"]
    )  # fmt: skip
    text = "".join(data.draw(st.lists(pieces, max_size=25)))
    other = "".join(data.draw(st.lists(pieces, max_size=25)))
    assert equivalent(text, text, kind).equivalent
    assert equivalent(text, other, kind).equivalent == equivalent(other, text, kind).equivalent
