"""`fairtrial aggregate`: turn check results into a score by a grading.toml."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Any

import orjson
import typer
from rich.tree import Tree

from fairtrial.cli.output import JsonFlag, print_document, stdout
from fairtrial.grade import Rules, Score, aggregate, read_rules
from fairtrial.records import FormatError

app = typer.Typer(add_completion=False, pretty_exceptions_enable=False)


@app.command()
def aggregate_(
    grading: Annotated[Path, typer.Option("--grading", help="grading.toml with the roles, workflows and weights.")],
    checks: Annotated[Path, typer.Option("--checks", help="JSON object: name of a check -> true or false.")],
    explain: Annotated[bool, typer.Option("--explain", help="Show the tree of workflows and checks.")] = False,
    as_json: JsonFlag = False,
) -> None:
    """Say what the check results in --checks add up to by the rules in --grading."""
    rules = read_rules(grading)
    score = aggregate(rules, _read_checks(checks))
    if as_json:
        print_document(score.document())
        return
    stdout.print(f"score {score.score:.4f}, {'correct' if score.correct else 'not correct'}; "
                 f"{score.per_check:.4f} per check")  # fmt: skip
    for name in score.gates_broken:
        stdout.print(f"  gate broken: {name}", markup=False)
    for name in score.blockers_failed:
        stdout.print(f"  blocker failed: {name}", markup=False)
    if explain:
        stdout.print(_tree(rules, score))


def _read_checks(path: Path) -> dict[str, bool]:
    try:
        content: Any = orjson.loads(path.read_bytes())
    except OSError as error:
        raise FormatError(f"cannot be read: {error.strerror}", path=path) from error
    except orjson.JSONDecodeError as error:
        raise FormatError(f"is not JSON: {error.msg}", path=path, line=error.lineno) from error
    if not isinstance(content, dict):
        raise FormatError("is not a JSON object of check names to true or false", path=path)
    for name, value in content.items():
        if not isinstance(value, bool):
            raise FormatError("should be true or false", path=path, field=name)
    return content


def _tree(rules: Rules, score: Score) -> Tree:
    tree = Tree(f"score {score.score:.4f}")
    for name, weight in rules.workflows.items():
        branch = tree.add(f"{_mark(score.workflows[name])} workflow {name}  weight {weight:g}")
        for check in rules.checks:
            if check.workflow == name:
                branch.add(_line(check.name, check.role, check.depends_on, score))
    for check in rules.checks:
        if not check.workflow:
            tree.add(_line(check.name, check.role, check.depends_on, score))
    return tree


def _line(name: str, role: str, parents: tuple[str, ...], score: Score) -> str:
    lacking = [parent for parent in parents if not score.effective[parent]]
    needs = f"  builds on {', '.join(parents)}" if parents else ""
    unmet = f" (not met: {', '.join(lacking)})" if lacking else ""
    return f"{_mark(score.effective[name])} {name}  {role}{needs}{unmet}"


def _mark(holds: bool) -> str:
    return "● passes" if holds else "◆ fails "
