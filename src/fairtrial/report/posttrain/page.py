"""One document `fairtrial.posttrain/1` in, its page out as data. Words that came from elsewhere are made visible."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from fairtrial.records import Estimate
from fairtrial.report.data import Block, Cell, Column, Fact, Report, Row, Scope, Section, Span, State, Table
from fairtrial.report.numbers import NOT_MEASURED, count, dollars, rounded, share, share_with_interval
from fairtrial.report.posttrain.verdict import status_of, verdict_of
from fairtrial.report.words import capital, listed, plural, visible

SCHEMA = "fairtrial.posttrain_page/1"
RULES = ("contamination", "usage", "lookup", "identity", "edits")
FOUND: dict[bool | None, tuple[State, str]] = {
    True: ("holds", "nothing"), False: ("lead", "found"), None: ("none", NOT_MEASURED),
}  # fmt: skip
MOST_GAPS = 200
CHECKS = (
    Column(key="run", title="run", kind="name"), *(Column(key=rule, title=rule, kind="state") for rule in RULES),
    Column(key="status", title="status", kind="state"),
)  # fmt: skip
DECOYS = Column(key="decoys", title="on decoys", kind="number")
RUNS = (
    Column(key="run", title="run", kind="name"), Column(key="scale", title="own, 0–100%", kind="glyph"),
    Column(key="own", title="own", kind="number"), Column(key="counts", title="counts", kind="number"),
    Column(key="base", title="base", kind="number"),
)  # fmt: skip


def page_of(document: Mapping[str, Any], tool: str) -> Report:
    """Return the page."""
    return Report(
        title=visible(document["title"]),
        subtitle="What agents made of base models in a given time, and how they made it.",
        tool=tool, identity=_identity(document), notices=_notices(document), measured=_measured(document),
        not_measured=tuple(_not_measured(document)), verdict=verdict_of(document),
        sections=(_runs(document), _found(document), _gaps(document), _spent(document), _provenance(document)),
        schema=SCHEMA,
    )  # fmt: skip


def estimate_of(told: Mapping[str, Any]) -> Estimate:
    """Return an estimate from JSON."""
    return Estimate(**told)


def _identity(document: Mapping[str, Any]) -> tuple[Fact, ...]:
    bases = list(dict.fromkeys(one["base"] for one in document["cells"]))
    tracks = list(dict.fromkeys(one["track"] for one in document["references"]))
    return (
        Fact("bench", visible(document["bench"]), code=True),
        Fact("base models", listed([visible(one) for one in bases], most=4) or "none yet"),
        Fact("benchmarks", listed([visible(one) for one in tracks], most=4)),
        Fact("evaluated at", plural(len(document["seeds"]), "seed")),
    )


def _notices(document: Mapping[str, Any]) -> tuple[str, ...]:
    said = []
    if document["no_board"]:
        said.append(f"There is no board: {visible(document['no_board'])}.")
    if document["refused"]:
        said.append(f"{plural(len(document['refused']), 'run is', 'runs are')} refused by the board.")
    if document["lost"]:
        lost = plural(len(document["lost"]), "run was", "runs were")
        said.append(f"{lost} lost to an error of the harness; the same command tries again.")
    return tuple(said)


def _measured(document: Mapping[str, Any]) -> tuple[Scope, ...]:
    cells = document["cells"]
    own = sum(one["own_accuracy"]["value"] is not None for one in cells)
    said = [Scope(f"accuracy of {own} of {plural(len(cells), 'run')}")] if own else []
    for rule in RULES:
        if ran := sum(one["checks"].get(rule) is not None for one in cells):
            said.append(Scope(f"{rule}: {plural(ran, 'run')}"))
    return tuple(said)


def _not_measured(document: Mapping[str, Any]) -> Iterator[Scope]:
    for rule in RULES:
        if open_ := [
            one["model"] for one in document["cells"] if rule in one["checks"] and one["checks"][rule] is None
        ]:
            yield Scope(f"{rule} of {plural(len(open_), 'run')}", listed([visible(one) for one in open_], most=3))
    broken = [visible(one["model"]) for one in document["cells"] if one["status"] == "broken"]
    if broken:
        yield Scope(f"accuracy of {plural(len(broken), 'run')}", listed(broken, most=3))
    yield Scope("what never became a file, a process or a request", "nothing records it")


def _runs(document: Mapping[str, Any]) -> Section:
    asked = any(one["decoy_accuracy"]["value"] is not None for one in document["cells"])
    columns = (*RUNS[:3], DECOYS, *RUNS[3:]) if asked else RUNS
    rows = tuple(Row(tuple(_run_cells(one, asked=asked))) for one in document["cells"])
    checks = tuple(Row(tuple(_check_cells(one))) for one in document["cells"])
    flagged = sum(bool(one["flags"]) for one in document["cells"])
    many = plural(len(document["cells"]), "run")
    claim = f"A check found something in {flagged} of {many}" if flagged else f"No check found anything in {many}"
    if not rows:
        empty = Scope("runs", "no agent was let work yet", "fairtrial posttrain run BENCH.toml --agent NAME=COMMAND")
        return Section(
            key="runs", title="Runs and checks", side=(), blocks=(Block(claim="No run is kept", empty=empty),)
        )
    tables = (
        Table(key="checks", caption=f"{many} by what each check found; by agent, base model, benchmark.",
              columns=CHECKS, rows=checks, layout="wide"),
        Table(key="runs", caption="Accuracy [95%] over items and seeds: of the model handed in, the one that counts, "
              "the base model's.", columns=columns, rows=rows, layout="wide"),
    )  # fmt: skip
    side = (
        Fact("Own", "what the model that was handed in reaches, by the pristine evaluator"),
        *([Fact("On decoys", "questions of the same source that nobody was shown, at one seed")] if asked else []),
        Fact("Counts", "own where nothing was found or it was ruled clean; else the base model's"),
        Fact("Found", "a lead: whether it breaks a rule is for a ruling to say"),
    )
    return Section(key="runs", title="Runs and checks", side=side, blocks=(Block(claim=claim, tables=tables),))


def _check_cells(one: Mapping[str, Any]) -> Iterator[Cell]:
    yield Cell(text=visible(one["model"]))
    for rule in RULES:
        state, word = FOUND[one["checks"][rule]] if rule in one["checks"] else ("none", "not run")
        yield Cell(text=word, state=state)
    state, word = status_of(one)
    yield Cell(text=word, state=state)


def _run_cells(one: Mapping[str, Any], *, asked: bool) -> Iterator[Cell]:
    names = ("own", "counted", "base", "decoy")
    own, counted, base, decoys = (estimate_of(one[f"{name}_accuracy"]) for name in names)
    yield Cell(text=visible(one["model"]))
    yield Cell(text=share_with_interval(own), span=Span(own.value, own.low, own.high))
    yield Cell(text=share_with_interval(own), value=own.value)
    if asked:
        yield Cell(text=share(decoys), value=decoys.value)
    yield Cell(text=share(counted), value=counted.value)
    yield Cell(text=share(base), value=base.value)


def _found(document: Mapping[str, Any]) -> Section:
    blocks = []
    for one in document["cells"]:
        for flag in one["flags"]:
            said = {"awaiting": "Nobody has ruled; the base model's score counts.",
                    "unclear": "Judges do not agree; the base model's score counts.",
                    "violation": f"Ruled a violation: {visible(flag['reason'])}"}[flag["status"]]  # fmt: skip
            blocks.append(Block(claim=f"{visible(one['model'])}: {flag['rule']}",
                                say=f"{capital(visible(flag['summary']))}. {said}"))  # fmt: skip
    if not blocks:
        blocks = [Block(claim="Nothing counts against any run", say="What was not measured is named below.")]
    blocks += _rulings(document)
    side = (
        Fact("Evidence", "the first of what was found; checks.json in the run's folder holds all"),
        Fact("Appeal", "a person's override, signed and with a reason, gives a run its own score back"),
    )
    return Section(key="found", title="What was found", side=side, blocks=tuple(blocks))


def _rulings(document: Mapping[str, Any]) -> list[Block]:
    """Return the rulings that count: by whom, and why."""
    rows = tuple(
        Row((Cell(text=visible(one["model"])), Cell(text=each["rule"]), Cell(text=each["ruled"]),
             Cell(text=visible(f"{each['by']}, {each['author']}")), Cell(text=visible(each["reason"]))))
        for one in document["cells"] for each in one["ruled"]
    )  # fmt: skip
    columns = (Column(key="run", title="run", kind="name"), Column(key="rule", title="rule"),
               Column(key="ruled", title="ruled"), Column(key="by", title="by"),
               Column(key="why", title="why", kind="claim"))  # fmt: skip
    table = Table(key="rulings", caption="Rulings under these rules, on what the checks say now.", columns=columns,
                  rows=rows, layout="stack")  # fmt: skip
    return [Block(claim=f"{plural(len(rows), 'ruling')} on these runs", tables=(table,))] if rows else []


def _gaps(document: Mapping[str, Any]) -> Section:
    rows = []
    for one in document["cells"]:
        lines = [(each["rule"] or "accuracy", NOT_MEASURED, why) for each in one["not_measured"] for why in each["why"]]
        open_ = {each["rule"] for each in one["not_measured"]}
        lines += [(rule, "in part", why) for rule, gaps in one["gaps"].items() if rule not in open_ for why in gaps]
        lines += [("recording", "in part", why) for why in one["not_recorded"]]
        rows += [Row((Cell(text=visible(one["model"])), Cell(text=rule), Cell(text=word), Cell(text=visible(why))))
                 for rule, word, why in lines]  # fmt: skip
    columns = (Column(key="run", title="run", kind="name"), Column(key="check", title="check"),
               Column(key="how", title="measured"), Column(key="why", title="why", kind="claim"))  # fmt: skip
    shown = rows[:MOST_GAPS]
    more = f" The first {MOST_GAPS}; posttrain.json has all." if len(rows) > len(shown) else ""
    claim = f"{count(len(rows))} things could not be seen" if rows else "Every check says that it saw all of it"
    table = Table(key="gaps", caption=f"What no check could say, by run.{more}", columns=columns, rows=tuple(shown),
                  layout="stack")  # fmt: skip
    return Section(key="gaps", title="Not seen", side=(Fact("Not measured", "is not clean"),),
                   blocks=(Block(claim=claim, tables=(table,) if rows else ()),))  # fmt: skip


def _spent(document: Mapping[str, Any]) -> Section:
    columns = (
        Column(key="run", title="run", kind="name"), Column(key="stop", title="stopped"),
        Column(key="seconds", title="seconds", kind="number"), Column(key="cpu", title="processor s", kind="number"),
        Column(key="input", title="input tokens", kind="number"),
        Column(key="output", title="output tokens", kind="number"), Column(key="usd", title="USD", kind="number"),
    )  # fmt: skip
    rows = tuple(Row(tuple(_spent_cells(one))) for one in document["cells"])
    table = Table(key="spent", caption="What the agent's work took, evaluation and checks not included. Tokens and USD "
                  "as the agent states them.", columns=columns, rows=rows)  # fmt: skip
    total = sum(one["spent"]["seconds"] or 0 for one in document["cells"])
    return Section(key="spent", title="What it took", side=(), blocks=(
        Block(claim=f"Agents worked {rounded(total / 60, 1)} minutes in all", tables=(table,) if rows else ()),
    ))  # fmt: skip


def _spent_cells(one: Mapping[str, Any]) -> Iterator[Cell]:
    spent = one["spent"]
    yield Cell(text=visible(one["model"]))
    yield Cell(text=str(one["stop"] or "not ended").replace("_", " "))
    for name in ("seconds", "cpu_seconds"):
        yield Cell(text=NOT_MEASURED if spent[name] is None else rounded(spent[name], 1), value=spent[name])
    for name in ("input_tokens", "output_tokens"):
        yield Cell(text="not stated" if spent[name] is None else count(spent[name]), value=spent[name])
    yield Cell(text="not stated" if spent["cost_usd"] is None else dollars(spent["cost_usd"]), value=spent["cost_usd"])


def _provenance(document: Mapping[str, Any]) -> Section:
    weights = ", ".join(f"{visible(name)} {rounded(value, 3)}" for name, value in document["weights"].items())
    side: Sequence[Fact] = (
        Fact("Seeds", ", ".join(map(str, document["seeds"]))),
        Fact("Weights", f"{weights or NOT_MEASURED}; {visible(document['weights_from']) or 'no board'}"),
    )
    commands = (f"fairtrial posttrain board {visible(document['results'])}",)
    return Section(key="provenance", title="Where it is from", side=tuple(side), blocks=(
        Block(claim=f"{visible(document['bench'])}", commands=commands,
              say="Results, ledger and evidence lie in the folder that this page lies in; the board can be made of the "
                  "ledger by `fairtrial board` as well."),
    ))  # fmt: skip
