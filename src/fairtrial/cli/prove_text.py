"""`fairtrial prove --grader module:function --cases FILE`: prove a reward function, scorer or rubric."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Annotated, Any

import typer

from fairtrial import __version__
from fairtrial.cli.output import note, print_document, stdout
from fairtrial.cli.progress import Ticker
from fairtrial.cli.sandboxes import choose
from fairtrial.ledger import Ledger
from fairtrial.prove.text import (
    Box,
    Brought,
    Framework,
    GraderTarget,
    Harness,
    Plain,
    ProvenText,
    TextOptions,
    cases_of_grader,
    drawn,
    look_at,
    own_environment,
    prove_text,
    read_cases,
    read_target,
)
from fairtrial.records import InputError

FRAMEWORKS: tuple[Framework, ...] = ("auto", "function", "trl", "inspect", "verifiers")
MOST_CASES = 32
"""Cases that are tried unless --sample says otherwise: some three hundred completions are made of each."""
OWN_CASES = 1000
"""Cases that a grader is asked for where --sample is 0."""

GraderName = Annotated[
    str, typer.Option("--grader", help="module:function or FILE.py:function: a text grader to prove.")
]
FrameworkName = Annotated[
    str, typer.Option("--framework", help="auto, function, trl, inspect or verifiers: how --grader is called.")
]
PythonName = Annotated[str, typer.Option("--python", help="Interpreter that runs --grader; our own if not named.")]
Install = Annotated[
    list[str] | None,
    typer.Option("--install", help="Package for --grader, pinned, in an environment of its own; may be repeated."),
]
Sample = Annotated[int, typer.Option("--sample", min=0, help="Most cases of --grader that are tried; 0 for all.")]
CallSeconds = Annotated[float, typer.Option("--call-seconds", min=0.1, max=86_400, help="Longest call of --grader.")]


@dataclass(frozen=True, slots=True, kw_only=True)
class TextWords:
    """What was said of a text grader on the command line."""

    grader: str
    cases: Path | None
    framework: str = "auto"
    python: str = ""
    install: tuple[str, ...] = ()
    sandbox: str = ""
    sample: int = MOST_CASES
    call_seconds: float = 30.0
    options: TextOptions = field(default_factory=TextOptions)
    ledger: Path | None = None


def prove_text_of(words: TextWords) -> ProvenText:
    """Prove the grader that the words name, with progress on stderr."""
    if words.framework not in FRAMEWORKS:
        hint = f"One of {', '.join(FRAMEWORKS)}."
        raise InputError(f"there is no framework `{words.framework}`", field="--framework", hint=hint)
    target = read_target(words.grader, Path.cwd())
    brought = _brought(words, _harness(words, target))
    book = Ledger.open(words.ledger, create=True) if words.ledger is not None else None
    with Ticker("prove", 0) as ticker:

        def on_graded(count: int) -> None:
            for _ in range(count):
                ticker.tick()

        proven = prove_text(brought, words.options, tool=__version__, on_graded=on_graded, on_more=ticker.expect)
    if book is not None:
        book.append("findings", list(proven.task.findings))
        book.append("proofs", [proven.task.proof])
    return proven


def _harness(words: TextWords, target: GraderTarget) -> Harness:
    python = own_environment(words.install, words.python) if words.install else words.python
    interpreter, sandbox = look_at(python), choose(words.sandbox)
    if sandbox.name not in ("bwrap", "local"):
        hint = "Text graders run in bwrap or local."
        raise InputError(f"no text grader runs in `{sandbox.name}`", field="--sandbox", hint=hint)
    isolated = sandbox.capability().isolated
    place = (Box(sandbox=sandbox, interpreter=interpreter, target=target) if isolated
             else Plain(interpreter=interpreter, target=target))  # fmt: skip
    return Harness(target=target, place=place, framework=_framework(words.framework), seed=words.options.seed,
                   call_seconds=words.call_seconds)  # fmt: skip


def _framework(name: str) -> Framework:
    return next(one for one in FRAMEWORKS if one == name)


def _brought(words: TextWords, harness: Harness) -> Brought:
    """Load the grader, with the cases of the file or else its own."""
    command = _command(words)
    if words.cases is not None:
        every = read_cases(words.cases)
        cases = drawn(every, words.sample, words.options.seed)
        if len(cases) < len(every):
            note(
                f"note: {len(cases)} of {len(every)} cases, drawn by --seed {words.options.seed}; --sample 0 takes all"
            )
        return Brought(harness=harness, cases=cases, loaded=harness.load(cases), path=str(words.cases), command=command)
    own = replace(harness, own_cases=words.sample or OWN_CASES)
    loaded = own.load()
    cases = cases_of_grader(loaded.rows, words.grader)
    return Brought(harness=own, cases=cases, loaded=loaded, path=words.grader, command=command)


def print_text(proven: ProvenText, *, as_json: bool) -> None:
    """Print the document, or the figures; findings are printed as for every grader."""
    if as_json:
        print_document({"schema": "fairtrial.proof/1", "sandbox": proven.task.proof.sandbox,
                        "isolated": proven.grader["isolated"], "tasks": [proven.document()]})  # fmt: skip
        return
    figures, grader = proven.figures, proven.grader
    gold = figures["gold"]
    stdout.print(f"gold completions pass in {gold['passing']} of {gold['cases']} cases "
                 f"({grader['framework']}, as {grader['form']}, {gold['format']})", markup=False)  # fmt: skip
    for name, text in (("false_pass_ceiling", "of wrong completions pass"),
                       ("false_fail_rate", "of right completions fail")):  # fmt: skip
        if figures[name]["value"] is not None:
            stdout.print(f"{_rate(figures[name])} {text}, of {figures[name]['n']}", markup=False)
    lazy = figures["laziest_policy"]
    if lazy["value"] is not None:
        low_high = f" ({lazy['low']:.3g} to {lazy['high']:.3g})" if lazy["low"] is not None else ""
        stdout.print(f"laziest policy: {lazy['value']:.3g}{low_high}, {lazy['says']}", markup=False)
    if figures["false_pass_ceiling"]["ungraded"]:
        note(f"note: {figures['false_pass_ceiling']['ungraded']} wrong completions are ungraded")


def _rate(figure: dict[str, Any]) -> str:
    if figure["one_sided"] and not figure["value"]:
        return f"0% (at most {figure['high']:.1%})"
    return f"{figure['value']:.1%} ({figure['low']:.1%} to {figure['high']:.1%})"


def _command(words: TextWords) -> tuple[str, ...]:
    """Return the command that proves this grader again, without `--only`."""
    usual, options = TextWords(grader="", cases=None), words.options
    said = ["fairtrial", "prove", "--grader", words.grader]
    said += ["--cases", str(words.cases)] if words.cases is not None else []
    said += ["--framework", words.framework] if words.framework != usual.framework else []
    said += ["--python", words.python] if words.python else []
    said += ["--sandbox", words.sandbox] if words.sandbox else []
    said += [word for one in words.install for word in ("--install", one)]
    said += ["--sample", str(words.sample)] if words.sample != usual.sample else []
    said += ["--call-seconds", f"{words.call_seconds:g}"] if words.call_seconds != usual.call_seconds else []
    said += ["--repeats", str(options.repeats)] if options.repeats != usual.options.repeats else []
    said += ["--pass-at", f"{options.pass_at:g}"] if options.pass_at is not None else []
    said += ["--seed", str(options.seed)] if options.seed else []
    return tuple(said)
