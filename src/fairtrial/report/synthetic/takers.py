"""The sections on who passes: what is solvable, and the ceiling of the model that wrote the suite."""

from __future__ import annotations

from fairtrial.authoring.synthetic.result import Ceiling, FamilyRates, Solvability, Taker, TaskSolved
from fairtrial.records import Estimate
from fairtrial.report.data import Block, Cell, Column, Fact, Row, Scope, Section, Span, Table
from fairtrial.report.numbers import count, of, points, share_with_interval
from fairtrial.report.words import capital, listed, visible

_SOLVED = {
    "proven_and_passed": "by reference and policy", "proven_only": "by reference only", "passed_only": "by policy only",
    "neither": "neither", "not_measured": "not measured",
}  # fmt: skip
_MOST_TASKS = 100


def solvability_section(found: Solvability) -> Section:
    """Return the section on what is solvable."""
    if not found.tasks:
        empty = Scope("Which tasks are proven and which somebody passes", visible(found.answer.why),
                      "fairtrial authoring synthetic SUITE --ledger LEDGER")  # fmt: skip
        block = Block(claim="Whether the tasks can be solved was not measured", empty=empty)
        return Section(key="solvability", title="Solvability", side=(), blocks=(block,))
    solved = sum(count for name, count in found.counts.items() if name not in ("neither", "not_measured"))
    claim = f"{of(solved, len(found.tasks))} tasks are known to be solvable"
    say = capital(listed([f"{count(found.counts[name])} {words}" for name, words in _SOLVED.items()
                          if found.counts.get(name)])) + "."  # fmt: skip
    side = [Fact("n", f"{count(len(found.tasks))} tasks")]
    if found.share is not None:
        side += [
            Fact("Ungraded", count(found.share.ungraded)),
            Fact("Of those measured", share_with_interval(found.share)),
        ]
    if found.worst_case is not None:
        side.append(Fact("Not measured taken for unsolvable", share_with_interval(found.worst_case)))
    blocks = [Block(claim=claim, say=say, tables=(_tasks(found.tasks),))]
    if found.passed_by_nothing:
        names = listed([visible(name) for name in found.passed_by_nothing], most=8)
        blocks.append(Block(claim=f"{of(len(found.passed_by_nothing), len(found.tasks))} tasks are passed by an agent "
                            "that does nothing", say=names + "."))  # fmt: skip
    return Section(key="solvability", title="Solvability", side=tuple(side), blocks=tuple(blocks))


def _tasks(tasks: tuple[TaskSolved, ...]) -> Table:
    order = list(_SOLVED)
    worst = sorted(tasks, key=lambda each: (-order.index(each.solved), each.task))
    columns = (
        Column(key="task", title="task", kind="name"), Column(key="solved", title="solvable", kind="state"),
        Column(key="proof", title="proof", kind="text"), Column(key="by", title="passed by", kind="text"),
        Column(key="graded", title="graded", kind="number"), Column(key="ungraded", title="ungraded", kind="number"),
    )  # fmt: skip
    rows = tuple(
        Row((Cell(text=visible(each.task), value=each.task), _solved(each),
             Cell(text=each.proof.replace("_", " ") or "none of this content"),
             Cell(text=listed([visible(name) for name in each.passed_by], most=3) or "nobody"),
             Cell(text=count(each.graded), value=each.graded), Cell(text=count(each.ungraded), value=each.ungraded)))
        for each in worst[:_MOST_TASKS]
    )  # fmt: skip
    caption = f"{of(len(rows), len(tasks))} shown: neither and not measured first. Known candidates are nobody."
    return Table(key="solved", caption=caption, columns=columns, rows=rows, layout="stack")


def _solved(each: TaskSolved) -> Cell:
    words = _SOLVED[each.solved]
    if each.solved == "not_measured":
        return Cell(text=words, state="none", value=each.solved)
    return Cell(text=words, state="refuted" if each.solved == "neither" else "holds", value=each.solved)


def ceiling_section(found: Ceiling) -> Section:
    """Return the section on the generator's own pass rate."""
    if not found.takers:
        empty = Scope("The generator's pass rate beside the others'", visible(found.answer.why),
                      "fairtrial authoring synthetic SUITE --ledger LEDGER --generator MODEL")  # fmt: skip
        block = Block(claim="What the suite could teach its own generator was not measured", empty=empty)
        return Section(key="ceiling", title="Ceiling", side=(), blocks=(block,))
    own = next((one for one in found.takers if one.is_generator), None)
    if own is None:
        claim = f"{capital(visible(found.answer.why))}; the rates are the other models'"
    else:
        claim = (f"{visible(own.model)}, which wrote the suite, passes {share_with_interval(own.rate)} and failed "
                 f"{share_with_interval(own.taught)} of tasks at least once")  # fmt: skip
    side = [Fact("Generator", visible(found.generator) or "not named")]
    if found.ceiling is not None:
        side.append(Fact("Ceiling: known to be solvable", share_with_interval(found.ceiling)))
    blocks = [Block(claim=claim, say="What a model passes every time holds nothing for it to learn: a group of "
                    "attempts teaches where some pass and some fail.", tables=(_takers(found.takers),))]  # fmt: skip
    if found.families:
        blocks.append(Block(claim=f"{count(len(found.families))} families, each beside the others' rate",
                            tables=(_families(found.families),)))  # fmt: skip
    return Section(key="ceiling", title="Ceiling", side=tuple(side), blocks=tuple(blocks))


def _takers(takers: tuple[Taker, ...]) -> Table:
    columns = (
        Column(key="model", title="model", kind="name"), Column(key="tasks", title="tasks", kind="number"),
        Column(key="attempts", title="attempts", kind="number"),
        Column(key="ungraded", title="ungraded", kind="number"),
        Column(key="glyph", title="pass rate", kind="glyph"), Column(key="rate", title="passes [95%]", kind="number"),
        Column(key="taught", title="failed once [95%]", kind="number"),
        Column(key="mixed", title="pass and fail [95%]", kind="number"),
        Column(key="ahead", title="generator ahead by [95%]", kind="number"),
    )  # fmt: skip
    rows = tuple(
        Row((Cell(text=visible(one.model), value=one.model, note="the generator" if one.is_generator else ""),
             Cell(text=count(one.tasks), value=one.tasks), Cell(text=count(one.attempts), value=one.attempts),
             Cell(text=count(one.ungraded), value=one.ungraded),
             Cell(text=share_with_interval(one.rate), span=Span(one.rate.value, one.rate.low, one.rate.high)),
             _rate(one.rate), _rate(one.taught), _rate(one.mixed),
             Cell(text="itself" if one.is_generator else points(one.ahead) if one.ahead else "not measured")),
            chosen=one.is_generator)
        for one in takers
    )  # fmt: skip
    caption = "The generator first, then by pass rate. The lead over each other model is on tasks that both attempted."
    return Table(key="takers", caption=caption, columns=columns, rows=rows)


def _rate(estimate: Estimate) -> Cell:
    return Cell(text=share_with_interval(estimate), value=estimate.value)


def _families(families: tuple[FamilyRates, ...]) -> Table:
    columns = (
        Column(key="family", title="family", kind="name"), Column(key="tasks", title="tasks", kind="number"),
        Column(key="generator", title="generator [95%]", kind="number"),
        Column(key="others", title="others [95%]", kind="number"),
    )  # fmt: skip
    rows = tuple(Row((Cell(text=visible(one.family), value=one.family), Cell(text=count(one.tasks), value=one.tasks),
                      _rate(one.generator), _rate(one.others))) for one in families)  # fmt: skip
    return Table(key="families", caption="Mean of the tasks' pass rates, by family.", columns=columns, rows=rows)
