"""From material to tried criteria: split, write, try. The models are handed in."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, field

from fairtrial import __version__
from fairtrial.models import LanguageModel, Price
from fairtrial.records import FairtrialError, ModelError
from fairtrial.train.criteria.asking import Asker
from fairtrial.train.criteria.criterion import JudgeWords, Made, TriedCriteria
from fairtrial.train.criteria.halves import Contrasted, Halves, halves
from fairtrial.train.criteria.reading import Material
from fairtrial.train.criteria.trial import Bars, HeldOut, try_criteria
from fairtrial.train.criteria.writing import Studied, Written, prompt_hash, write_criteria


@dataclass(frozen=True, slots=True, kw_only=True)
class Making:
    """How criteria are made."""

    seed: int = 0
    left_out: float = 0.25
    """Share of the clusters of tasks of which nothing is studied."""
    bars: Bars = field(default_factory=Bars)
    rate: float = 0.7
    ledger: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class MadeCriteria:
    """What was made, and from how much."""

    criteria: TriedCriteria
    halves: Halves
    written: Written


def split(material: Material, making: Making) -> Halves:
    """Return what is studied and what is held out. Raise FairtrialError (exit 3) where either has too little."""
    found = halves(
        [
            Contrasted(rollout=one.rollout, task=one.work.task, cluster=one.cluster, content=one.work.content,
                       better=one.side.better)
            for one in material.found
        ],
        making.seed, making.left_out,
    )  # fmt: skip
    for name, ones in (("study", found.studied), ("hold out", found.held_out)):
        if len({one.better for one in ones}) < 2:
            raise FairtrialError(
                f"there is too little to {name}: {material.passed_often} tasks pass often enough, of "
                f"{material.contrasted} of them some rollouts are better than others, and no better and worse one is "
                f"left to {name}{_apart(material)}", path=making.ledger,
                hint="More rollouts, reviews or comparisons (`fairtrial serve`), or a lower --rate give more.",
            )  # fmt: skip
    return found


def _apart(material: Material) -> str:
    count = material.left_out["held_out"]
    return f"; {count} rollouts are of tasks that are held out" if count else ""


def make_criteria(
    material: Material, parts: Halves, writer: LanguageModel, asker: Asker, making: Making,
    expect: Callable[[int], None] = lambda _: None,
) -> MadeCriteria:  # fmt: skip
    """Let `writer` study one half and try what it writes on the other. Raise ModelError where it writes nothing."""
    by_rollout = {one.rollout: one for one in material.found}
    studied = [by_rollout[one.rollout] for one in parts.studied]
    shown = [Studied(work=one.work, better=one.side.better, by=one.side.by) for one in studied]
    wrote = write_criteria(writer, shown, may_lack=making.bars.may_lack)
    if not wrote.criteria:
        why = wrote.failed[0] if wrote.failed else "it had no criterion to propose"
        raise ModelError(f"the writer wrote no criterion in {wrote.requests} requests: {why}",
                         hint="Another --model may; nothing was tried.")  # fmt: skip
    held_out = [
        HeldOut(
            work=by_rollout[one.rollout].work,
            better=one.better,
            left_out=one.task in parts.left_out,
            cluster=one.cluster,
        )
        for one in parts.held_out
    ]
    tried = try_criteria(wrote.criteria, held_out, asker, making.bars, expect)
    hashes = {by_rollout[one.rollout].task_hash for one in (*parts.studied, *parts.held_out)} - {""}
    made = Made(
        writer=writer.spec.name, prompt=prompt_hash(making.bars.may_lack), ledger=making.ledger, seed=making.seed,
        rate=making.rate, fdr=making.bars.fdr, tasks_studied=tuple(sorted({one.task for one in parts.studied})),
        tasks_left_out=tuple(sorted(parts.left_out)),
        task_hashes=tuple(sorted(hashes)),
        rollouts_studied=tuple(one.rollout for one in parts.studied),
        rollouts_held_out=tuple(one.rollout for one in parts.held_out),
        contrasts=dict(sorted(Counter(one.side.by for one in material.found).items())),
        may_lack=making.bars.may_lack, version=__version__,
    )  # fmt: skip
    # Kept ones first, the most telling first.
    tried.sort(key=lambda one: (not one.is_kept, -(one.auc or 0.0), one.criterion.name))
    return MadeCriteria(criteria=TriedCriteria(tried=tuple(tried), judge=_judge(asker), made=made),
                        halves=parts, written=wrote)  # fmt: skip


def _judge(asker: Asker) -> JudgeWords | None:
    if asker.judges is None:
        return None
    spec = asker.judges.model.spec
    return JudgeWords(model=spec.name, base_url=spec.base_url, effort=spec.effort, temperature=spec.temperature,
                      api_key_variable=spec.api_key_variable, votes=asker.votes,
                      price=() if spec.price is None else _prices(spec.price))  # fmt: skip


def _prices(price: Price) -> tuple[float, ...]:
    both = (price.input_usd, price.output_usd)
    return both if price.cached_input_usd is None else (*both, price.cached_input_usd)
