"""The section on realism: how well a classifier tells generated from real, by what, and the table of cues."""

from __future__ import annotations

from fairtrial.authoring.synthetic.result import Realism
from fairtrial.records import Estimate
from fairtrial.report.data import Block, Cell, Column, Fact, Row, Scope, Section, Span, Table
from fairtrial.report.numbers import NOT_MEASURED, count, p_value, percent, points, rounded
from fairtrial.report.words import plural, verb, visible


def realism_section(found: Realism) -> Section:
    """Return the section."""
    if found.auc is None:
        empty = Scope("How well a classifier tells generated from real", visible(found.answer.why),
                      "fairtrial authoring synthetic SUITE --real REAL")  # fmt: skip
        first: tuple[Block, ...] = (Block(claim="Whether the tasks read like real work was not measured", empty=empty),)
    else:
        first = (_kinds(found), *_features(found))
    side = (Fact("n", f"{count(found.generated)} generated, {count(found.real)} real"),
            Fact("Near copies once", f"{count(found.groups[0])} and {count(found.groups[1])}"),
            Fact("Method", "ridge regression of the label; AUC of texts left out, DeLong with clusters"),
            Fact("p", "labels permuted over near copies; kinds and cues by Holm"))  # fmt: skip
    return Section(key="realism", title="Realism", side=side, blocks=(*first, _cues(found)))


def auc_words(auc: Estimate) -> str:
    """Return an AUC with its interval."""
    if auc.value is None or auc.low is None or auc.high is None:
        return NOT_MEASURED
    return f"{rounded(auc.value, 2)} [{rounded(auc.low, 2)}, {rounded(auc.high, 2)}]"


def _kinds(found: Realism) -> Block:
    assert found.auc is not None
    columns = (
        Column(key="kind", title="features", kind="name"), Column(key="count", title="how many", kind="number"),
        Column(key="glyph", title="AUC, 0 to 1", kind="glyph"), Column(key="auc", title="AUC [95%]", kind="number"),
        Column(key="p", title="p", kind="number"), Column(key="state", title="state", kind="state"),
    )  # fmt: skip
    figures = sorted(found.kinds, key=lambda each: -(each.auc.value or 0.0))
    rows = [Row((Cell(text="all together"), Cell(text=count(sum(each.features for each in figures))),
                 Cell(text=auc_words(found.auc), span=_span(found.auc)), Cell(text=auc_words(found.auc)),
                 Cell(text=p_value(found.p_value or 0.0), value=found.p_value), Cell()), chosen=True)]  # fmt: skip
    rows += [Row((Cell(text=each.name, value=each.name), Cell(text=count(each.features), value=each.features),
                  Cell(text=auc_words(each.auc), span=_span(each.auc)),
                  Cell(text=auc_words(each.auc), value=each.auc.value),
                  Cell(text=p_value(each.p_value), value=each.p_value),
                  Cell(text="tells", state="lead") if each.tells else Cell(text="")))
             for each in figures]  # fmt: skip
    caption = "Each kind of features alone, the best first. An AUC of 0.5 is chance."
    table = Table(key="kinds", caption=caption, columns=columns, rows=tuple(rows))
    claim = (
        f"Of a generated and a real text the classifier picks the generated one with an AUC of {auc_words(found.auc)}"
    )
    return Block(claim=claim, tables=(table,), say="Every text was judged by a classifier that had seen neither it nor "
                 "a near copy. What differs may be the subject and not the making.")  # fmt: skip


def _span(auc: Estimate) -> Span:
    return Span(auc.value, auc.low, auc.high)


def _features(found: Realism) -> tuple[Block, ...]:
    if not found.features:
        return ()
    columns = (
        Column(key="feature", title="feature", kind="name"), Column(key="kind", title="of", kind="text"),
        Column(key="generated", title="generated", kind="number"), Column(key="real", title="real", kind="number"),
        Column(key="example", title="for example", kind="text"),
    )  # fmt: skip
    rows = tuple(
        Row((Cell(text=visible(each.feature), value=each.feature), Cell(text=each.kind),
             Cell(text=percent(each.generated) if each.is_share else rounded(each.generated, 2), value=each.generated),
             Cell(text=percent(each.real) if each.is_share else rounded(each.real, 2), value=each.real),
             Cell(text=visible(f"{each.task}: {each.example}" if each.example else each.task))))
        for each in found.features
    )  # fmt: skip
    caption = "The features that weigh most. Words: share of texts that have them, # a figure; numbers: their mean."
    table = Table(key="features", caption=caption, columns=columns, rows=rows, layout="stack")
    first = found.features[0]
    claim = f"What tells most is {visible(first.feature)!r} ({first.kind}), the mark of {first.towards} texts"
    return (Block(claim=claim, tables=(table,)),)


def _cues(found: Realism) -> Block:
    given = [cue for cue in found.cues if cue.gives_away]
    compared = any(cue.real is not None for cue in found.cues)
    if not found.cues:
        return Block(claim="No text holds a cue of the 18 kinds that are looked for",
                     say="Cues that nobody has thought of are not among them.")  # fmt: skip
    columns = (
        Column(key="cue", title="cue", kind="claim"), Column(key="generated", title="generated", kind="number"),
        Column(key="real", title="real", kind="number"), Column(key="gap", title="difference [95%]", kind="number"),
        Column(key="p", title="p", kind="number"), Column(key="state", title="state", kind="state"),
    )  # fmt: skip
    rows = tuple(
        Row((Cell(text=cue.says, value=cue.key, note=visible(f"{cue.task}: {cue.example}") if cue.example else ""),
             Cell(text=count(cue.generated), value=cue.generated),
             Cell(text=NOT_MEASURED if cue.real is None else count(cue.real), value=cue.real),
             Cell(text=points(cue.difference) if cue.difference else NOT_MEASURED),
             Cell(text=p_value(cue.p_value) if cue.p_value is not None else NOT_MEASURED, value=cue.p_value),
             Cell(text="gives away", state="refuted") if cue.gives_away else Cell(text="")))
        for cue in found.cues
    )  # fmt: skip
    table = Table(key="cues", caption=f"Tasks with the cue, of {count(found.generated)} generated and "
                  f"{count(found.real)} real. Those that give away first, then the commonest.", columns=columns,
                  rows=rows, layout="stack")  # fmt: skip
    if not compared:
        claim = f"{plural(len(found.cues), 'kind')} of cue occur; whether real work has them too was not measured"
    else:
        claim = f"{plural(len(given), 'kind')} of cue {verb(len(given), 'gives', 'give')} the test rig away"
    say = "A cue as common in real work is no cue: p is Fisher's, one-sided, near copies once, all 18 kinds together."
    return Block(claim=claim, say=say, tables=(table,))
