"""The text that the agent reads, made from the rules file: Markdown. The judges' prompts hold it whole.

Not covered: which tasks there are, and what the agent is to do. That is the benchmark's own text.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol

from fairtrial.records import Rule
from fairtrial.rules.command import PLACEHOLDERS, TRAIN, commands_of
from fairtrial.rules.schema import BenchmarkRules

TITLES: dict[Rule, str] = {
    "contamination": "Training data",
    "usage": "Other models",
    "lookup": "Looking up the benchmark",
    "identity": "The submitted model",
    "edits": "The evaluator",
}
CHECKS: dict[Rule, str] = {
    "contamination": "The training set that was used is compared with the evaluation set by the command above.",
    "usage": "Trajectories and the scripts that were left are searched for calls to outside models and for reads of "
             "credentials.",
    "lookup": "Trajectories and the scripts that were left are searched for what the benchmark is found by.",
    "identity": "The submitted weights are compared with those of the base model and of known other models, tensor by "
                "tensor.",
    "edits": "The evaluator as you left it is compared with the one that you were given, file by file.",
}  # fmt: skip
"""What is run for each rule, in a sentence."""


class Worded(Protocol):
    """A section of the rules file that says what is allowed and what is not."""

    @property
    def allowed(self) -> list[str]: ...
    @property
    def forbidden(self) -> list[str]: ...


@dataclass(frozen=True, slots=True)
class Part:
    """A titled part of the text: sentences as a list, then a block of commands, then more sentences."""

    title: str
    sentences: tuple[str, ...]
    commands: tuple[str, ...] = ()
    after: tuple[str, ...] = ()

    def markdown(self) -> str:
        """Return it as Markdown."""
        lines = [f"## {self.title}", "", *(f"- {one}" for one in self.sentences)]
        if self.commands:
            lines += ["", "```bash", *self.commands, "```"]
        if self.after:
            lines += ["", *(f"- {one}" for one in self.after)]
        return "\n".join(lines)


def rules_text(rules: BenchmarkRules) -> str:
    """Return the rules as the agent reads them, a line feed at the end."""
    benchmark = rules.toml.benchmark
    head = f"# Rules of {benchmark.title or benchmark.name}\n\nThese are the rules `{rules.name}`."
    return "\n\n".join([head, *(part.markdown() for part in parts_of(rules))]) + "\n"


def parts_of(rules: BenchmarkRules) -> tuple[Part, ...]:
    """Return the parts of the text in their order: one for each rule that is checked, then what follows."""
    parts = [_rule_part(rules, rule) for rule in rules.toml.benchmark.checked]
    return (*parts, _credentials(rules), _checked(rules))


def sentences_of(rules: BenchmarkRules) -> tuple[str, ...]:
    """Return every sentence that the agent reads, each once."""
    return tuple(dict.fromkeys(one for part in parts_of(rules) for one in (*part.sentences, *part.after)))


def section_of(rules: BenchmarkRules, rule: Rule) -> Worded:
    """Return the section of the file that words `rule`."""
    toml = rules.toml
    sections: dict[Rule, Worded] = {
        "contamination": toml.contamination, "usage": toml.usage, "lookup": toml.lookup, "identity": toml.identity,
        "edits": toml.edits,
    }  # fmt: skip
    return sections[rule]


def _rule_part(rules: BenchmarkRules, rule: Rule) -> Part:
    section = section_of(rules, rule)
    sentences = (*(f"Allowed: {one}" for one in section.allowed), *(f"Not allowed: {one}" for one in section.forbidden))
    match rule:
        case "contamination":
            return Part(TITLES[rule], (*sentences, _decontamination()), commands_of(rules),
                        (_files(rules),
                         "Rows that it flags should be left out, or you should be ready to say what they are.",
                         "It is a check of single rows: what is built around items without holding them is not allowed "
                         "either, and is looked for as well."))  # fmt: skip
        case "usage":
            return Part(TITLES[rule], (*sentences, *_hosts(rules)))
        case "lookup":
            return Part(TITLES[rule], (*sentences, *_names(rules)))
        case "identity":
            return Part(TITLES[rule], (*sentences, *_models(rules)))
        case "edits":
            return Part(TITLES[rule], (*sentences, "The score that counts comes from another copy."))


def _decontamination() -> str:
    return (
        "The training set that was used is judged, not whether the benchmark was looked at. Check it with this command "
        f"before you hand it in; {TRAIN} stands for it:"
    )


def _files(rules: BenchmarkRules) -> str:
    if all(track.against for track in rules.tracks):
        return "The files that it names lie beside the rules file."
    return f"{' and '.join(PLACEHOLDERS)} stand for files that the benchmark hands out, where it does."


def _hosts(rules: BenchmarkRules) -> tuple[str, ...]:
    usage = rules.toml.usage
    named = [one for one in usage.external_hosts if one != "default"]
    told = ["hosts of the known model providers"] if "default" in usage.external_hosts else []
    external = _listed([*told, *(f"`{one}`" for one in named)]) or "no host"
    sentences = [f"As outside models count: {external}."]
    if usage.allowed_hosts:
        sentences.append(f"Not counted as outside: {_listed([f'`{one}`' for one in usage.allowed_hosts])}.")
    return tuple(sentences)


def _names(rules: BenchmarkRules) -> tuple[str, ...]:
    benchmark = rules.toml.benchmark
    kinds = (("repository", benchmark.repository), ("leaderboard", benchmark.leaderboard),
             ("traces", benchmark.traces), ("other names", benchmark.names))  # fmt: skip
    named = [f"{kind} {_listed([f'`{one}`' for one in each])}" for kind, each in kinds if each]
    return (f"The benchmark is found by: {'; '.join(named)}.",) if named else ()


def _models(rules: BenchmarkRules) -> tuple[str, ...]:
    bases = _listed([f"`{base.model}`" for base in rules.toml.base])
    return (f"The base model is one of: {bases}.",) if bases else ()


def _credentials(rules: BenchmarkRules) -> Part:
    passed = _listed([f"`{name}`" for name in rules.toml.credentials.pass_env])
    let = f"Your commands see these variables beside the usual ones: {passed}." if passed else ""
    sentences = (
        "Credentials are removed from the environment of the commands that you run.",
        *([let] * bool(let)),
    )
    return Part("Credentials", sentences)


def _checked(rules: BenchmarkRules) -> Part:
    toml = rules.toml
    checked = toml.benchmark.checked
    if not checked:
        return Part("What is checked", ("Nothing is checked: only results are compared.",))
    runs = toml.judges.runs
    judged = f"Each rule is then judged by a language model {runs} times" if runs > 1 else (
        "Each rule is then judged once by a language model")  # fmt: skip
    flagged = (
        "A submission that is ruled a violation is scored as its base model, and shown so."
        if toml.penalty.flagged == "base_score"
        else "A submission that is ruled a violation is removed, and shown so."
    )
    return Part(
        "What is checked, and what follows",
        (
            *(CHECKS[rule] for rule in checked),
            "Hand in the training set that was used, the weights, the trajectories and the scripts: what is not handed "
            "in is not measured, which is not the same as clean.",
            f"{judged}, under these rules, and more than half must agree; a person may overrule them, with name and "
            "reason." if runs > 1 else f"{judged}, under these rules; a person may overrule it, with name and reason.",
            flagged,
            *_awaiting(rules),
            "Results that were affected by something else than the submission are run again, and removed where they "
            "cannot be.",
        ),
    )  # fmt: skip


def _awaiting(rules: BenchmarkRules) -> tuple[str, ...]:
    if rules.toml.penalty.awaiting == "own_score":
        return ()
    return ("A submission in which a check found something is scored as its base model until somebody has ruled it "
            "clean, and shown so with what was found.",)  # fmt: skip


def _listed(words: Sequence[str]) -> str:
    return ", ".join(words)
