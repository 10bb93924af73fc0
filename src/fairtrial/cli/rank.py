"""`fairtrial rank LEDGER`: rank the passing rollouts of each group on criteria that were fixed before."""

from __future__ import annotations

from dataclasses import dataclass, replace
from pathlib import Path
from typing import Annotated, Any

import typer
from rich.table import Table
from rich.text import Text

from fairtrial.checks.judged import Judges, Preference, preferring
from fairtrial.checks.judged.pairs import Work, flips
from fairtrial.cli.agents import ModelWords, spec_of
from fairtrial.cli.options import BaseUrl, Effort, KeyVariable, MaxUsd, PriceWords, Temperature
from fairtrial.cli.output import HOLDS, NOT_MEASURED, JsonFlag, note, print_document, print_whole, stdout
from fairtrial.grade.groupwise import (
    Criteria,
    Group,
    Prefer,
    Ranked,
    Ranking,
    groups_of,
    rank_group,
    read_criteria,
    work_of,
)
from fairtrial.ledger import Ledger
from fairtrial.models import Budget, LanguageModel, ModelSpec, preflight
from fairtrial.records import InputError, ModelError
from fairtrial.sandbox import kept_folder

app = typer.Typer(add_completion=False, pretty_exceptions_enable=False)
SCHEMA = "fairtrial.ranks/1"
OUTAGE = 6
"""So many pairs in a row that failed for the server's sake make one ask whether it is still there."""


@app.command()
def rank(
    ledger: Annotated[Path, typer.Argument(help="Ledger folder.")],
    task: Annotated[list[str] | None, typer.Option(help="Only this task; may be repeated.")] = None,
    suite: Annotated[str, typer.Option(help="Only this suite.")] = "",
    criteria: Annotated[
        Path | None, typer.Option("--criteria", help="TOML file of criteria; without it, fewer output tokens.")
    ] = None,
    model: Annotated[str, typer.Option("--model", help="Language model that judges pairs of rollouts.")] = "",
    base_url: BaseUrl = "",
    effort: Effort = "",
    temperature: Temperature = None,
    price: PriceWords = "",
    max_usd: MaxUsd = None,
    api_key_variable: KeyVariable = "OPENAI_API_KEY",
    as_json: JsonFlag = False,
) -> None:
    """Rank the passing rollouts of each group of LEDGER; confirmed hacks get nothing, leads change nothing."""
    stated = read_criteria(criteria) if criteria is not None else Criteria()
    words = ModelWords(model=model, base_url=base_url, effort=effort, max_usd=max_usd, price=price,
                       api_key_variable=api_key_variable, temperature=temperature)  # fmt: skip
    held = Ledger.open(ledger)
    groups = groups_of(held, task or (), suite)
    if stated.judged and not model:
        raise InputError(f"`{stated.judged[0].name}` is judged, and no model is named", field="--model",
                         hint="Name the model that judges, or leave the criterion out.")  # fmt: skip
    seen: list[Preference] = []
    if stated.judged:
        with _judge(words) as asked:
            judges = Judges(model=asked, kept=kept_folder("judged"))
            prefer = _Watched(preferring(judges, seen), seen, asked.spec)
            rankings = [_ranking(held, group, stated, prefer) for group in groups]
    else:
        rankings = [_ranking(held, group, stated, None) for group in groups]
    document = _document(stated, criteria, groups, rankings)
    if stated.judged:
        document["judge"] = {"model": model, **flips(seen)}
    if as_json:
        print_document(document)
    else:
        for group, ranking in zip(groups, rankings, strict=True):
            _print(stated, group, ranking)
    raise typer.Exit(_exit_code(groups, rankings))


@dataclass(slots=True)
class _Watched:
    """Asks the judge until its server is gone: every pair would wait minutes for it, and more of them tell nothing."""

    prefer: Prefer
    seen: list[Preference]
    spec: ModelSpec
    is_gone: bool = False

    def __call__(self, question: str, first: Work, second: Work) -> float | None:
        if self.is_gone:
            return None
        value = self.prefer(question, first, second)
        last = self.seen[-OUTAGE:]
        if value is None and len(last) == OUTAGE and all(_is_outage(one) for one in last):
            self.is_gone = preflight(self.spec) is not None  # or it is there, and refuses this work
        return value


def _is_outage(one: Preference) -> bool:
    return any(vote.broken == "infrastructure" for vote in one.votes)


def _judge(words: ModelWords) -> LanguageModel:
    """Open the model that judges. Raise ModelError where it cannot be asked."""
    spec = spec_of(words, "a judge")
    if trouble := preflight(spec):
        raise ModelError(f"the model `{spec.name}` cannot be asked: {trouble.reason}: {trouble.detail}",
                         hint="Check --base-url, --model and the key; nothing was ranked.")  # fmt: skip
    return LanguageModel(spec, budget=Budget(usd=words.max_usd))


def _ranking(ledger: Ledger, group: Group, criteria: Criteria, prefer: Prefer | None) -> Ranking:
    passing = []
    for chosen in group.passing:
        looked_at = {c.name: work_of(ledger, chosen, c.looks_at) for c in criteria.judged}
        works = {name: work for name, work in looked_at.items() if work is not None}
        passing.append(replace(chosen.passing, works=works))
    return rank_group(criteria, passing, prefer)


def _exit_code(groups: list[Group], rankings: list[Ranking]) -> int:
    ranked = sum(one.rank is not None for ranking in rankings for one in ranking.ranked)
    lacking = sum(len(ranking.not_ranked) for ranking in rankings)
    ungraded = sum(group.ungraded for group in groups)
    if lacking or ungraded:
        note(f"note: {lacking} passing rollouts could not be measured, and {ungraded} are ungraded; none of them is "
             "ranked")  # fmt: skip
    if ranked:
        return HOLDS
    passed = sum(len(group.passing) for group in groups)
    note(f"error: none of {passed} passing rollouts could be ranked" if passed else "error: no rollout passed")
    return NOT_MEASURED


def _document(criteria: Criteria, path: Path | None, groups: list[Group], rankings: list[Ranking]) -> dict[str, Any]:
    return {
        "schema": SCHEMA,
        "criteria": {
            "hash": criteria.hash,
            "path": str(path) if path else None,
            "names": [criterion.name for criterion in criteria.criteria],
        },
        "groups": [
            {
                "suite": group.suite,
                "task": group.task,
                "group": group.name,
                "step": group.step,
                "rollouts": [_row(one) for one in ranking.ranked],
                "not_ranked": [{"rollout": rollout, "why": why} for rollout, why in ranking.not_ranked],
                "failed": group.failed,
                "ungraded": group.ungraded,
                "disputed_hacks": sorted(group.disputed),
            }
            for group, ranking in zip(groups, rankings, strict=True)
        ],
    }


def _row(one: Ranked) -> dict[str, Any]:
    return {
        "rollout": one.rollout,
        "rank": one.rank,
        "share": one.share,
        "criteria": dict(one.criteria),
        "confirmed_hack": one.confirmed_hack,
    }


def _print(criteria: Criteria, group: Group, ranking: Ranking) -> None:
    step = "" if group.step is None else f", step {group.step}"
    counts = f"{len(group.passing)} passed, {group.failed} failed, {group.ungraded} ungraded"
    stdout.print(f"{group.task}, {group.name}{step}: {counts}", markup=False, soft_wrap=True)
    table = Table(box=None, padding=(0, 2, 0, 2))
    for name in ("rank", "share", "rollout", *(criterion.name for criterion in criteria.criteria)):
        table.add_column(Text(name), justify="left" if name == "rollout" else "right", no_wrap=True)
    for one in ranking.ranked:
        reached = [f"{one.criteria[c.name]:.2f}" if c.name in one.criteria else "" for c in criteria.criteria]
        rank = "hack" if one.rank is None else f"{one.rank:g}"
        table.add_row(rank, f"{one.share:.2f}", one.rollout, *reached)
    if ranking.ranked:
        print_whole(table)
    for rollout, why in ranking.not_ranked:
        stdout.print(f"  ▢ not ranked  {rollout}: {why}", markup=False, soft_wrap=True)
    for rollout in sorted(group.disputed):
        stdout.print(f"  △ people disagree whether it is a hack  {rollout}", markup=False, soft_wrap=True)
