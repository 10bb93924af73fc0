"""What was found of a generated suite in, its page out as data: verdict, then a section for each question asked."""

from __future__ import annotations

from collections.abc import Sequence

from fairtrial import __version__
from fairtrial.authoring.synthetic.options import Part
from fairtrial.authoring.synthetic.result import SCHEMA, Answered, Status, Synthetic
from fairtrial.records import Estimate
from fairtrial.report.data import Block, Fact, Report, Scope, Section, Span, State, VerdictPart, VerdictRow
from fairtrial.report.numbers import count, rounded, share, share_interval
from fairtrial.report.synthetic.realism import realism_section
from fairtrial.report.synthetic.repeats import diversity_section, references_section
from fairtrial.report.synthetic.takers import ceiling_section, solvability_section
from fairtrial.report.words import capital, count_word, listed, plural, visible

_STATES: dict[Status, tuple[State, str]] = {
    "holds": ("holds", "holds"), "against": ("refuted", "speaks against"), "open": ("none", "open"),
    "not_measured": ("none", "not measured"),
}  # fmt: skip
_QUESTIONS: dict[Part, str] = {
    "realism": "Told from real work by a classifier",
    "solvability": "Solvable: a reference is proven, or somebody passes",
    "ceiling": "Failed by its own generator at least once", "diversity": "Worth as many different tasks as it has",
    "references": "References that answer their own task",
}  # fmt: skip
_FILLS: dict[Part, str] = {
    "realism": "fairtrial authoring synthetic SUITE --real REAL",
    "solvability": "fairtrial authoring synthetic SUITE --ledger LEDGER",
    "ceiling": "fairtrial authoring synthetic SUITE --ledger LEDGER --generator MODEL",
    "diversity": "", "references": "",
}  # fmt: skip


def page_of(found: Synthetic, commands: Sequence[str] = ()) -> Report:
    """Return the page; `commands` make it again."""
    sections = [section for section in (
        realism_section(found.realism) if found.realism else None,
        solvability_section(found.solvability) if found.solvability else None,
        ceiling_section(found.ceiling) if found.ceiling else None,
        diversity_section(found.diversity) if found.diversity else None,
        references_section(found.references) if found.references else None,
    ) if section is not None]  # fmt: skip
    return Report(
        title=visible(found.suite.rpartition("@")[0] or found.suite),
        subtitle="A generated suite: is it like real work, solvable, hard enough, diverse, and rightly answered",
        tool=f"fairtrial {__version__}",
        identity=_identity(found),
        notices=tuple(visible(note) for note in found.notes),
        measured=tuple(Scope(f"{part}: {visible(answer.why)}") for part, answer in found.answers
                       if answer.status in ("holds", "against")),
        not_measured=tuple(scope for part, answer in found.answers for scope in _lacking(part, answer)),
        verdict=VerdictPart(sentence=_sentence(found), paragraph=_PARAGRAPH, rows=tuple(_rows(found)),
                            side=(Fact("n", plural(found.tasks, "task")), Fact("Seed", str(found.seed)))),
        sections=(*sections, _provenance(found, commands)),
        schema=SCHEMA,
    )  # fmt: skip


_PARAGRAPH = (
    "Each question has a line, and its answer stands where the whole interval lies on one side of it. Where the "
    "interval lies on both sides the question is open, which is not a yes. A difference from real work may be one of "
    "subject: what it was compared with is named above."
)


def _sentence(found: Synthetic) -> str:
    """Return the answer in one sentence."""
    against = [part for part, answer in found.answers if answer.status == "against"]
    rest = [part for part, answer in found.answers if answer.status in ("open", "not_measured")]
    holds = len(found.answers) - len(against) - len(rest)
    more = f"; {listed(rest)} {'is' if len(rest) == 1 else 'are'} not answered" if rest else ""
    if against:
        return capital(f"{listed(against)} {'speaks' if len(against) == 1 else 'speak'} against the suite{more}.")
    if holds == len(found.answers) == 1:
        return f"Nothing speaks against the suite in its {found.parts[0]}."
    if not holds:
        return "None of the questions could be answered."
    return capital(f"{count_word(holds)} of {count_word(len(found.answers))} questions hold{more}.")


def _identity(found: Synthetic) -> tuple[Fact, ...]:
    facts = [Fact("Suite", visible(found.suite), code=True), Fact("Tasks", count(found.tasks)),
             Fact("Kind", "text tasks" if found.kind == "text" else "task folders"),
             Fact("Real work", visible(found.real) or "none given"),
             Fact("Ledger", visible(found.ledger) or "none given")]  # fmt: skip
    if found.ceiling is not None:
        facts.append(Fact("Generator", visible(found.ceiling.generator) or "not named"))
    return tuple(facts)


def _lacking(part: Part, answer: Answered) -> list[Scope]:
    own = [Scope(part, visible(answer.why), _FILLS[part])] if answer.status in ("open", "not_measured") else []
    return [*own, *(Scope(part, visible(why)) for why in answer.not_measured)]


def _rows(found: Synthetic) -> list[VerdictRow]:
    rows = []
    for part, answer in found.answers:
        estimate, base = _estimate(part, found)
        state = _STATES[answer.status]
        known = estimate is not None and estimate.value is not None
        rows.append(VerdictRow(
            key=part, statement=_QUESTIONS[part], detail=capital(visible(answer.why)) + ".",
            estimate=_shown(part, estimate) if known else state[1], interval=_interval(part, estimate) if known else "",
            base=base, span=Span(estimate.value, estimate.low, estimate.high) if known and estimate else Span(),
            states=(state,), command="" if known else _FILLS[part],
        ))  # fmt: skip
    return rows


def _estimate(part: Part, found: Synthetic) -> tuple[Estimate | None, tuple[str, ...]]:
    if part == "realism" and found.realism:
        return found.realism.auc, (f"{count(found.realism.generated)} generated", f"{count(found.realism.real)} real")
    if part == "solvability" and found.solvability:
        return found.solvability.share, (plural(found.solvability.share.n if found.solvability.share else 0, "task"),)
    if part == "ceiling" and found.ceiling:
        own = next((one for one in found.ceiling.takers if one.is_generator), None)
        return (own.taught, (plural(own.tasks, "task"), plural(own.attempts, "attempt"))) if own else (None, ())
    if part == "diversity" and found.diversity:
        spread = found.diversity.suite
        value = min(spread.effective_groups, spread.effective_templates) / spread.tasks
        return (Estimate(value=value, low=None, high=None, n=spread.tasks, method="1 / sum p^2 over tasks"),
                (plural(spread.tasks, "task"),))  # fmt: skip
    if part == "references" and found.references:
        return found.references.guessed, (plural(found.references.with_reference, "reference"),)
    return None, ()


def _shown(part: Part, estimate: Estimate | None) -> str:
    assert estimate is not None
    assert estimate.value is not None
    if part == "realism":
        return f"AUC {rounded(estimate.value, 2)}"
    guessed = " can be guessed" if part == "references" else ""
    return f"{share(estimate)}{guessed}"


def _interval(part: Part, estimate: Estimate | None) -> str:
    assert estimate is not None
    if part == "realism" and estimate.low is not None and estimate.high is not None:
        return f"[{rounded(estimate.low, 2)}, {rounded(estimate.high, 2)}]"
    return share_interval(estimate)


def _provenance(found: Synthetic, commands: Sequence[str]) -> Section:
    claim = "The same suite, real work, ledger and seed give the same figures"
    block = Block(claim=claim, say="The suite is named by the hash of its tasks and keys.",
                  commands=tuple(commands))  # fmt: skip
    return Section(key="provenance", title="Provenance", side=(Fact("Seed", str(found.seed)),), blocks=(block,))
