"""The sections on what repeats: near copies, templates, families; and references that only resemble right ones."""

from __future__ import annotations

from fairtrial.authoring.synthetic.result import Diversity, References, Spread
from fairtrial.report.data import Block, Cell, Column, Fact, Row, Section, Table
from fairtrial.report.numbers import count, of, percent, rounded, share_with_interval
from fairtrial.report.words import listed, plural, visible

_SHOWN = 10
_MOST_LETTERS = 160


def diversity_section(found: Diversity) -> Section:
    """Return the section on what repeats."""
    spread = found.suite
    claim = (f"{plural(spread.tasks, 'task')} are worth {rounded(spread.effective_groups, 1)} by near copies and "
             f"{rounded(spread.effective_templates, 1)} by wording")  # fmt: skip
    sides = [("generated", spread), *([("real", found.real)] if found.real else [])]
    blocks = [Block(claim=claim, say="An effective number is that of equally common groups with the same "
                    "concentration, 1 / sum p². The Vendi score means something beside another of as many tasks.",
                    tables=(_spreads(sides, found),))]  # fmt: skip
    if found.templates:
        blocks.append(Block(claim=f"The commonest wording stands in {of(spread.largest_template, spread.tasks)} tasks",
                            tables=(_templates(found),)))  # fmt: skip
    if found.sentences:
        blocks.append(Block(claim=f"{plural(len(found.sentences), 'sentence')} stand in a fifth of the tasks or more",
                            tables=(_sentences(found),)))  # fmt: skip
    if found.effective_families is not None:
        blocks.append(Block(claim=f"{plural(len(found.families), 'family', 'families')} are worth "
                            f"{rounded(found.effective_families, 1)}", tables=(_families(found),)))  # fmt: skip
    side = (Fact("n", plural(spread.tasks, "task")),
            Fact("Near copies", plural(len(found.near_copies), "group")),
            Fact("Wording", "figures masked, blanks as one"))  # fmt: skip
    return Section(key="diversity", title="Diversity", side=side, blocks=tuple(blocks))


def _spreads(sides: list[tuple[str, Spread]], found: Diversity) -> Table:
    columns = (
        Column(key="side", title="texts", kind="name"), Column(key="tasks", title="tasks", kind="number"),
        Column(key="groups", title="near copies once", kind="number"),
        Column(key="effective", title="effective", kind="number"),
        Column(key="templates", title="wordings", kind="number"),
        Column(key="worth", title="effective", kind="number"), Column(key="vendi", title="Vendi", kind="number"),
        Column(key="equal", title="Vendi at equal n", kind="number"),
    )  # fmt: skip
    rows = []
    for at, (name, spread) in enumerate(sides):
        equal = "not measured" if found.vendi_at_equal is None else rounded(found.vendi_at_equal[at], 1)
        vendi = "not measured" if spread.vendi is None else rounded(spread.vendi, 1)
        rows.append(Row((Cell(text=name), Cell(text=count(spread.tasks)), Cell(text=count(spread.groups)),
                         Cell(text=rounded(spread.effective_groups, 1)), Cell(text=count(spread.templates)),
                         Cell(text=rounded(spread.effective_templates, 1)), Cell(text=vendi), Cell(text=equal)),
                        chosen=not at))  # fmt: skip
    caption = "Wordings: figures masked. At equal n: so many drawn of the larger as the smaller has, 20 times."
    return Table(key="spread", caption=caption, columns=columns, rows=tuple(rows))


def _short(text: str) -> str:
    plain = visible(text)
    return plain if len(plain) <= _MOST_LETTERS else f"{plain[:_MOST_LETTERS]}… ({count(len(plain))} characters)"


def _templates(found: Diversity) -> Table:
    columns = (Column(key="wording", title="wording", kind="claim"), Column(key="tasks", title="tasks", kind="number"),
               Column(key="first", title="first", kind="name"))  # fmt: skip
    rows = tuple(Row((Cell(text=_short(wording)), Cell(text=count(tasks), value=tasks), Cell(text=visible(first))))
                 for wording, tasks, first in found.templates)  # fmt: skip
    return Table(key="templates", caption="Wordings of several tasks, commonest first; # is a figure.",
                 columns=columns, rows=rows, layout="stack")  # fmt: skip


def _sentences(found: Diversity) -> Table:
    columns = (Column(key="sentence", title="sentence", kind="claim"),
               Column(key="tasks", title="tasks", kind="number"))  # fmt: skip
    rows = tuple(
        Row((Cell(text=_short(words)), Cell(text=count(tasks), value=tasks))) for words, tasks in found.sentences
    )
    return Table(
        key="sentences", caption="Figures masked, commonest first.", columns=columns, rows=rows, layout="stack"
    )


def _families(found: Diversity) -> Table:
    columns = (Column(key="family", title="family", kind="name"), Column(key="tasks", title="tasks", kind="number"),
               Column(key="share", title="share", kind="number"))  # fmt: skip
    rows = tuple(Row((Cell(text=visible(name)), Cell(text=count(tasks), value=tasks),
                      Cell(text=percent(tasks / found.suite.tasks)))) for name, tasks in found.families)  # fmt: skip
    return Table(key="balance", caption="Tasks by family, largest first.", columns=columns, rows=rows)


def references_section(found: References) -> Section:
    """Return the section on references that only resemble right ones."""
    rows = [
        ("tasks without a reference", count(len(found.lacking)), _names(found.lacking), bool(found.lacking)),
        ("answers that their own comparison rejects", count(len(found.own_failed)), _names(found.own_failed),
         bool(found.own_failed)),
        ("solutions shared by tasks of different wording", count(len(found.same)),
         "; ".join(_names(names) for names in found.same[:3]), bool(found.same)),
        ("references that another task's grader passes (short answers meet by chance)",
         share_with_interval(found.crossed) if found.crossed else "not measured",
         _names([f"{each.reference_of} under {each.passes}" for each in found.passes_other]),
         bool(found.passes_other)),
        ("answers guessed: the commonest of the family's others",
         share_with_interval(found.guessed) if found.guessed else "not measured", "", False),
        ("answers that stand in their own prompt",
         share_with_interval(found.in_prompt) if found.in_prompt else "not measured",
         "" if found.in_other_prompt is None else f"{percent(found.in_other_prompt)} in another prompt of the family",
         False),
        ("keys that the models' answers contradict",
         "not measured" if found.doubted is None else count(len(found.doubted)),
         "; ".join(f"{visible(task)}: {visible(why)}" for task, _, why in (found.doubted or ())[:3]),
         bool(found.doubted)),
    ]  # fmt: skip
    columns = (Column(key="what", title="looked for", kind="claim"), Column(key="found", title="found", kind="number"),
               Column(key="which", title="which", kind="text"),
               Column(key="state", title="state", kind="state"))  # fmt: skip
    table = Table(
        key="references", caption="What can be told without asking an expert. A contradicted key is a lead.",
        columns=columns, layout="stack",
        rows=tuple(Row((Cell(text=what), Cell(text=number), Cell(text=which),
                        Cell(text="lead", state="lead") if is_seen else Cell(text="")))
                   for what, number, which, is_seen in rows),
    )  # fmt: skip
    claim = visible(found.answer.why[:1].upper() + found.answer.why[1:])
    side = (Fact("n", plural(found.with_reference, "reference")),)
    return Section(key="references", title="References", side=side, blocks=(Block(claim=claim, tables=(table,)),))


def _names(names: tuple[str, ...] | list[str]) -> str:
    return listed([visible(name) for name in names], most=5)
