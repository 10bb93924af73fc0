"""What experts say: of the benchmark by a checklist, of each part of a task, and of two rollouts beside each other."""

from __future__ import annotations

from fairtrial.audit.pairs import Ranking
from fairtrial.ledger.signed import PARTS, SignedTask
from fairtrial.records import Estimate, TaskPart
from fairtrial.report.data import Block, Cell, Column, Fact, Row, Scope, Section, State, Table
from fairtrial.report.numbers import NOT_MEASURED, count, of, rounded, share_with_interval
from fairtrial.report.subject import Inspected, Subject, number_cell
from fairtrial.report.words import listed, plural, visible

_STATES: dict[str, tuple[State, str]] = {
    "signed": ("holds", "holds"), "refused": ("refuted", "does not hold"), "disputed": ("lead", "disputed"),
    "cannot_tell": ("none", "cannot tell"), "nobody": ("none", "nobody looked"),
}  # fmt: skip


def experts_section(subject: Subject) -> Section:
    """Return the section of experts' statements."""
    blocks = (_tasks_block(subject), _checklist_block(subject), _preferences_block(subject))
    side = (
        Fact("Signed", "of each reviewer the last word on a part, for the content that the task has now"),
        Fact("Void", "what was said of another content of the task; it counts for nothing"),
    )
    return Section(key="experts", title="Experts", side=side, blocks=blocks)


def _tasks_block(subject: Subject) -> Block:
    signed, context = subject.audited.signed, subject.context
    if not signed:
        command = f"fairtrial audit task {context.suite_path} --ledger {context.ledger} --write FORM.toml"
        empty = Scope("What experts say of instruction, world, grader and reference would be here",
                      "no expert has reviewed a task", command)  # fmt: skip
        return Block(claim="No expert has signed a task off", empty=empty)
    whole = sum(all(task.state(part) == "signed" for part in PARTS) for task in signed)
    columns = (Column(key="task", title="task", kind="name"),
               *(Column(key=part, title=part, kind="state") for part in PARTS),
               Column(key="who", title="by"), Column(key="void", title="void", kind="number"))  # fmt: skip
    rows = tuple(Row((Cell(text=visible(task.task), note=_designs(task)), *(_state_cell(task, part) for part in PARTS),
                      Cell(text=_who(task)), number_cell(len(task.void)))) for task in signed)  # fmt: skip
    table = Table(key="signoffs", caption=f"{plural(len(signed), 'task')} of which an expert said something, by name.",
                  columns=columns, rows=rows)  # fmt: skip
    claim = f"Experts sign off all four parts of {of(whole, len(signed))} reviewed tasks"
    return Block(claim=claim, tables=(table,))


def _state_cell(task: SignedTask, part: TaskPart) -> Cell:
    state, text = _STATES[task.state(part)]
    return Cell(text=text, value=text, state=state)


def _who(task: SignedTask) -> str:
    names = {
        f"{one.reviewer} ({one.role})" if one.role else one.reviewer for said in task.said.values() for one in said
    }
    return listed([visible(name) for name in sorted(names)], most=6) if names else "nobody, of this content"


def _designs(task: SignedTask) -> str:
    refused = task.refused_designs
    if not refused:
        return ""
    named = "; ".join(visible(one.second_design) for one in refused)
    return f"the grader refuses {plural(len(refused), 'design')} that a reviewer calls correct: {named}"


def _checklist_block(subject: Subject) -> Block:
    inspected, ledger = subject.audited.inspected, subject.context.ledger
    if not inspected:
        empty = Scope("What inspectors find by a checklist would be here", "no task was inspected",
                      f"fairtrial audit checklist {ledger} --write FORM.toml")  # fmt: skip
        return Block(claim="The benchmark was not inspected by a checklist", empty=empty)
    tasks, failing = sum(one.tasks for one in inspected), sum(one.failing for one in inspected)
    columns = (Column(key="checklist", title="checklist", kind="name"),
               Column(key="tasks", title="tasks", kind="number"),
               Column(key="failing", title="with a failing item", kind="number"),
               Column(key="scale", title="failing at scale"), Column(key="who", title="by"))  # fmt: skip
    rows = tuple(Row(_inspected_cells(one)) for one in inspected)
    table = Table(key="inspections", caption="An item fails where an inspector says so, the last word of each.",
                  columns=columns, rows=rows)  # fmt: skip
    say = "Whether the benchmark is flawed hangs on how its tasks were drawn: the command decides, with the interval."
    return Block(claim=f"Inspectors find a failing item in {of(failing, tasks)} inspected tasks", say=say,
                 tables=(table,), commands=(f"fairtrial audit checklist {ledger}",))  # fmt: skip


def _inspected_cells(one: Inspected) -> tuple[Cell, ...]:
    scale = listed([visible(item) for item in one.at_scale], most=6) if one.at_scale else "none named"
    return (Cell(text=visible(one.checklist)), number_cell(one.tasks), number_cell(one.failing), Cell(text=scale),
            Cell(text=listed([visible(name) for name in one.inspectors], most=6)))  # fmt: skip


def _preferences_block(subject: Subject) -> Block:
    ranking = subject.audited.preferences
    if ranking is None or ranking.fit is None:
        empty = Scope("Which model reviewers prefer, pair by pair, would be here", "no pair of two models was compared",
                      f"fairtrial serve {subject.context.ledger} --reviewer NAME")  # fmt: skip
        return Block(claim="Preferences between models were not measured", empty=empty)
    strongest = ranking.fit.strengths()[0]
    told = f"{visible(strongest.name)} is" if strongest.worst_rank == 1 else "No model is surely"
    first = share_with_interval(ranking.first_preferred)
    say = f"Ties {share_with_interval(ranking.ties)}; the one shown first {first}."
    return Block(claim=f"{told} preferred to the others, by {plural(len(ranking.pairs.decided), 'comparison')}",
                 say=f"{say} {ranking.fit.method}.", tables=(_strengths(ranking),))  # fmt: skip


def _strengths(ranking: Ranking) -> Table:
    assert ranking.fit is not None
    columns = (Column(key="model", title="model", kind="name"), Column(key="rank", title="rank", kind="number"),
               Column(key="strength", title="log-odds [95%]", kind="number"),
               Column(key="wins", title="won", kind="number"),
               Column(key="losses", title="lost", kind="number"),
               Column(key="ties", title="tied", kind="number"))  # fmt: skip
    rows = []
    for one in ranking.fit.strengths():
        rank = count(one.best_rank) if one.best_rank == one.worst_rank else f"{one.best_rank} to {one.worst_rank}"
        rows.append(Row((Cell(text=visible(one.name), value=one.name), Cell(text=rank), _odds_cell(one.strength),
                         number_cell(one.wins), number_cell(one.losses), number_cell(one.ties))))  # fmt: skip
    return Table(key="preferences", caption="Against the middle of the models compared, strongest first.",
                 columns=columns, rows=tuple(rows))  # fmt: skip


def _odds_cell(odds: Estimate) -> Cell:
    if odds.value is None or odds.low is None or odds.high is None:
        return Cell(text=NOT_MEASURED)
    low, high = rounded(odds.low, 2), rounded(odds.high, 2)
    return Cell(text=f"{rounded(odds.value, 2)} [{low}, {high}]", value=odds.value)
