"""Attacks the page of a lift: no claim beyond its interval, controls and refusals told, no name breaks it."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from tests.report.page import Page
from tests.train.price.lifts import a_lift, checkpoint, estimate

from fairtrial.measure.result import Curve
from fairtrial.records import InputError
from fairtrial.report import Report
from fairtrial.report.charts import draw_figure
from fairtrial.report.data import Block
from fairtrial.report.figures import Forest, Lines
from fairtrial.report.lift import LiftSubject, html, markdown, page_of, write
from fairtrial.train.lift import Curves, FamilyGain, Lift, Lifted
from fairtrial.train.price import Priced, Taught, Worth, price
from fairtrial.train.watch import Alarm, Watched, WatchedStep

HOSTILE = "m<script>alert(1)</script>|x`y`\x1b[31m"


def lifted(*comparisons: Lift, **changed: object) -> Lifted:
    controls = [one for one in comparisons if one.control]
    holds = all(one.reading != "gain" for one in controls) if controls else None
    board = Lifted(locked={"suite": "letters@1f2e", "settings": "s"}, comparisons=comparisons, refused=(),
                   controls_hold=holds, abstained=("sorter: gain by family: no family is recorded",))  # fmt: skip
    return replace(board, **changed)  # type: ignore[arg-type]


def page(*comparisons: Lift, **changed: object) -> Report:
    return page_of(LiftSubject(lifted=lifted(*comparisons, **changed)))


def curves() -> Curves:
    def curve(*values: float) -> Curve:
        return Curve(k=(1, 2, 4), value=values, low=tuple(v - 0.1 for v in values),
                     high=tuple(v + 0.1 for v in values), tasks=(60, 60, 58), method="stated by hand")  # fmt: skip

    return Curves(base=curve(0.2, 0.4, 0.8), trained=curve(0.6, 0.7, 0.75), difference=curve(0.4, 0.3, -0.05),
                  crosses_at=4, reading="sharpening")  # fmt: skip


def full(name: str = "sorter") -> LiftSubject:
    families = (FamilyGain(family="sort", base=0.2, trained=0.7, gain=estimate(0.5, 0.3, 0.7)),
                FamilyGain(family="rev", base=0.2, trained=0.1, gain=estimate(-0.1, -0.2, -0.02)))  # fmt: skip
    one = a_lift(trained=name, curves=curves(), by_family=families, seeds_beyond=(2, 0), strict=estimate(0.3, 0.1, 0.5),
                 as_trained=estimate(0.4, 0.3, 0.5), tasks_fixed=("t1", name), noise_fixes=0.05, detectable=0.11,
                 exploratory=True, notes=("one note",), left_out=(("t9", "no graded attempt"),),
                 ungraded_bounds=(0.1, 0.5), step=200)  # fmt: skip
    control = a_lift(trained="control", control=True, degenerate="random", reading="within_noise",
                     gain=estimate(0.01, -0.05, 0.07),
                     control_bound=replace(estimate(0.01, None, 0.06), one_sided=True))  # fmt: skip
    made = [checkpoint(seed, model=name, step=200, versions='{"trl":"1.16.0"}') for seed in (0, 1)]
    from_arms: dict[str, Any] = {"method": "left_out", "tasks": 6, "reading": "taught", "q": 0.01, "trained": name}
    effects = {"effect": estimate(0.2, 0.1, 0.3), "own": estimate(0.5, 0.3, 0.7)}
    taught = [Taught(family=family, arm=f"no-{family}", **from_arms, **effects) for family in ("sort", "rev")]
    by_credit = Taught(family="sort", method="group_credit", effect=estimate(None), tasks=6, reading="no_credit",
                       trained=name, credit=estimate(0.0, 0.0, 0.1), groups=4, informative=0)  # fmt: skip
    return LiftSubject(
        lifted=lifted(one, control, refused=((name + "2", "another suite"),)),
        worth=Worth(priced=(price(one, made),), taught=(*taught, by_credit), untold=("x: y: z",)),
        checkpoints=tuple(made),
        watched=(watched(name),),
        commands=("fairtrial lift ledger",),
    )


def watched(model: str) -> Watched:
    steps = tuple(
        WatchedStep(step=n, stage=0, attempts=8, ungraded=0, pass_rate=None, hack_share=None, all_pass=0, all_fail=0,
                    groups=1, mean_tokens=4.0, entropy=None, marked=n in (4, 5), passed=n % 8, failed=8 - n % 8)
        for n in range(1, 121)
    )  # fmt: skip
    alarm = Alarm(kind="outage", first_step=4, last_step=5, pauses=True, why="every attempt failed", marks=True)
    return Watched(steps=steps, alarms=(alarm,), paused="outage at step 5", left_out_steps=(4, 5), not_measured=(),
                   model=model, seed=0)  # fmt: skip


def blocks(report: Report, key: str) -> tuple[Block, ...]:
    return next(section for section in report.sections if section.key == key).blocks


def test_the_sentence_says_gain_loss_and_noise_and_no_more() -> None:
    assert page(a_lift()).verdict.sentence == (
        "sorter passes 60.0% of 60 held-out tasks, base 20.0%: +40.0 points [+20.0, +60.0] over 2 training seeds."
    )
    noise = a_lift(reading="within_noise", gain=estimate(0.02, -0.1, 0.14))
    assert page(noise).verdict.sentence.endswith("over 2 training seeds, within noise.")
    loss = a_lift(reading="loss", gain=estimate(-0.2, -0.3, -0.1), seeds=1)
    said = page(loss).verdict
    assert "a loss, −20.0 points [−30.0, −10.0] over one training seed" in said.sentence
    assert "One training seed" in said.paragraph
    unmeasured = a_lift(reading="not_measured", gain=estimate(None))
    assert "was not measured" in page(unmeasured).verdict.sentence


def test_a_control_that_gains_is_said_in_sentence_paragraph_and_notice() -> None:
    control = a_lift(trained="random", control=True, degenerate="random", reading="gain")
    report = page(a_lift(), control)
    assert report.verdict.sentence.endswith("; a control gained too, so this is in doubt.")
    assert "in doubt" in report.verdict.paragraph
    assert "in doubt" in report.notices[0]
    assert ("refuted", "control gains") in report.verdict.rows[-1].states


def test_without_a_control_it_is_said_that_none_stood_against_the_gain() -> None:
    report = page(a_lift())
    assert "no control arm" in report.verdict.paragraph
    (block,) = blocks(report, "controls")
    assert block.empty is not None


def test_nothing_compared_is_said_and_every_section_tells_what_would_be_there() -> None:
    report = page(refused=(("sorter", "another suite"),))
    assert report.verdict.sentence == "No model could be compared with its base on equal terms."
    assert report.verdict.rows == ()
    assert any("another suite" in scope.why for scope in report.not_measured)
    assert "sorter" in " ".join(report.notices)
    assert not Page(html(report)).problems


def test_what_was_not_measured_is_never_a_number() -> None:
    priced = Priced(trained="sorter", gain_per_usd=None, gain_per_million_tokens=None, gain_per_task=None, usd=None,
                    tokens=None, tasks=None, tokens_per_success_before=None, tokens_per_success_after=None,
                    not_measured=("dollars: not recorded",))  # fmt: skip
    report = page_of(LiftSubject(lifted=lifted(a_lift()), worth=Worth(priced=(priced,))))
    assert blocks(report, "price")[0].empty is not None
    for key in ("families", "curves", "taught", "training"):
        assert blocks(report, key)[0].empty is not None
    assert any("dollars" in scope.why for scope in report.not_measured)


def test_marked_steps_are_shaded_and_counted() -> None:
    (block,) = blocks(page_of(full()), "training")
    assert block.claim == "2 of 120 steps of 1 run are left out of the claim"
    (figure,) = block.figures
    assert figure.kind == "lines"
    assert figure.panels[0].marked == ((4, 5),)
    assert len(figure.panels[0].series[0].points) <= 60


def test_a_run_that_learned_from_demonstrations_has_no_curve_and_is_named() -> None:
    """Its steps have no attempts. Two runs of one model that are not named side by side are one figure."""
    silent = replace(watched("sft"), steps=tuple(replace(step, passed=0, failed=0, attempts=0)
                                                 for step in watched("sft").steps))  # fmt: skip
    runs = (watched("rl"), silent, replace(watched("rl"), seed=1))
    (block,) = blocks(page_of(LiftSubject(lifted=lifted(a_lift()), watched=runs)), "training")
    assert [figure.key for figure in block.figures] == ["training-rl"]
    assert "No attempt of sft had a verdict" in block.say
    (block,) = blocks(page_of(LiftSubject(lifted=lifted(a_lift()), watched=(silent,))), "training")
    assert block.figures == ()
    many = tuple(replace(watched("rl"), seed=seed) for seed in range(6))
    (block,) = blocks(page_of(LiftSubject(lifted=lifted(a_lift()), watched=many)), "training")
    assert "the first 4 runs are drawn" in block.say


def test_a_control_that_lost_rules_out_any_gain_and_is_no_measure_of_one() -> None:
    bound = replace(estimate(-0.3, None, -0.19), one_sided=True)
    control = a_lift(trained="random", base="sft", control=True, degenerate="random", reading="loss",
                     gain=estimate(-0.3, -0.5, -0.1), control_bound=bound)  # fmt: skip
    report = page(a_lift(base="sft"), control)
    assert "any gain is ruled out, one-sided" in report.verdict.paragraph
    assert report.verdict.rows[-1].states == (("holds", "control loses, no gain"),)
    (block,) = blocks(report, "controls")
    assert block.tables[0].rows[0].cells[3].text == "any gain"
    assert "random fell below the base" in block.say
    silent = replace(control, reading="not_measured", gain=estimate(None), control_bound=None)
    assert "not measured" in page(a_lift(base="sft"), silent).verdict.paragraph


def test_a_control_that_began_elsewhere_is_told_from_one_that_began_with_the_base() -> None:
    control = a_lift(trained="random", control=True, degenerate="random", reading="within_noise")
    board = lifted(a_lift(), control)

    def said(begun: str) -> str:
        made = (checkpoint(model="random", base=begun),)
        return blocks(page_of(LiftSubject(lifted=board, checkpoints=made)), "controls")[0].say

    assert "random was trained from sft" in said("sft")
    assert "was trained from" not in said("base")


def test_a_price_says_beyond_what_and_what_is_not_told_is_said_once_for_all_models() -> None:
    sft = checkpoint(model="sft", weights_hash="sha256:sft", input_tokens=400_000, cost_usd=None)
    ones = [price(a_lift(base="sft", trained=name), [replace(checkpoint(), model=name), sft]) for name in ("a", "b")]
    report = page_of(LiftSubject(lifted=lifted(a_lift(base="sft", trained="a")), worth=Worth(priced=tuple(ones))))
    (block,) = blocks(report, "price")
    assert block.claim.endswith("one training took 600,000 tokens beyond sft")
    assert "(a and b)" in block.say
    assert [scope.what for scope in report.not_measured].count("price of a and b") == len(ones[0].not_measured)
    told = price(a_lift(base="sft"), [checkpoint(), replace(sft, output_tokens=0, cost_usd=0.5)])
    report = page_of(LiftSubject(lifted=lifted(a_lift(base="sft")), worth=Worth(priced=(told,))))
    assert blocks(report, "price")[0].claim.endswith("one training cost $1.50 beyond sft")


def test_by_credit_the_page_says_gained_and_never_taught() -> None:
    taught = Taught(family="sort", method="group_credit", effect=estimate(0.2, 0.1, 0.3), tasks=6, reading="gained",
                    trained="sorter", q=0.01, groups=4, informative=3)  # fmt: skip
    (block,) = blocks(page_of(LiftSubject(lifted=lifted(a_lift()), worth=Worth(taught=(taught,)))), "taught")
    assert block.claim == "sorter: 1 of 1 families gained or lost beyond noise, beside those without credit"
    assert "lead" in [cell.state for cell in block.tables[0].rows[0].cells]


def test_of_many_families_those_that_changed_most_are_drawn_losses_too_and_it_is_said() -> None:
    families = tuple(FamilyGain(family=f"f{i}", base=0.2, trained=0.2, gain=estimate(gain, gain - 0.1, gain + 0.1))
                     for i, gain in enumerate([0.3, -0.4] + [0.01] * 60))  # fmt: skip
    taught = tuple(Taught(family=f"f{i}", method="left_out", effect=each.gain, tasks=3, reading="within_noise",
                          trained="sorter") for i, each in enumerate(families))  # fmt: skip
    report = page_of(LiftSubject(lifted=lifted(a_lift(by_family=families)), worth=Worth(taught=taught)))
    for key in ("families", "taught"):
        (block,) = blocks(report, key)
        (figure,) = block.figures
        assert isinstance(figure, Forest)
        assert len(figure.rows) == 24
        assert {"f0", "f1"} <= {row.label for row in figure.rows}
        assert "the 24 of 62 that changed most" in block.say
        assert len(block.tables[0].rows) == 62


def test_a_difference_stands_in_points_with_its_sign_in_page_and_markdown() -> None:
    report = page_of(LiftSubject(lifted=lifted(a_lift(curves=curves()))))
    assert "| difference | ahead by | 1 | +40.0 points [+30.0, +50.0] |" in markdown(report).replace("\\", "")
    (block,) = blocks(report, "curves")
    assert ">+30.0<" in "".join(drawing.svg for drawing in draw_figure(_until_two(block.figures[0])))


def _until_two(figure: object) -> Lines:
    """Return the difference alone, up to k = 2, where it is still above zero."""
    assert isinstance(figure, Lines)
    panel = figure.panels[1]
    series = tuple(replace(each, points=each.points[:2]) for each in panel.series)
    return replace(figure, panels=(replace(panel, series=series),))


def test_one_arm_is_claimed_with_its_reading_and_one_run_in_the_singular() -> None:
    noise = a_lift(reading="within_noise", gain=estimate(1.0, -1.0, 1.0), held_out_tasks=1, runs_per_task=(1, 1))
    report = page(noise)
    (block,) = blocks(report, "arms")
    assert block.claim == "sorter: +100.0 points [−100.0, +100.0], within noise"
    assert "Hollow" not in block.say
    assert "1 task, 1 run each" in [fact.text for fact in report.identity]
    (block,) = blocks(page(a_lift(reading="loss", gain=estimate(-0.2, -0.3, -0.1))), "arms")
    assert block.claim.endswith(", a loss")


LONG = "a-very-long-name-of-a-recipe/with_parts.of@many" * 4


@pytest.mark.parametrize("name", [HOSTILE, pytest.param(LONG, marks=pytest.mark.extra)])
def test_names_break_neither_page_nor_text(name: str) -> None:
    report = page_of(full(name))
    seen = Page(html(report))
    assert seen.problems == []
    assert len(seen.ids) == len(set(seen.ids))
    assert "script" not in seen.tags
    assert "\x1b" not in markdown(report)
    assert "<script>" not in markdown(report).replace("\\<", "")


def test_the_same_number_is_the_same_text_in_page_and_markdown() -> None:
    report = page(a_lift())
    for text in (html(report), markdown(report).replace("\\", "")):
        assert "+40.0 points" in text
        assert "[+20.0, +60.0]" in text


def test_the_files_are_written_whole_and_a_bad_folder_is_named(tmp_path: Path) -> None:
    report = page(a_lift())
    paths = write(report, {"schema": "fairtrial.lift/1"}, tmp_path / "page")
    assert sorted(path.name for path in (tmp_path / "page").iterdir()) == ["lift.html", "lift.json", "lift.md"]
    assert '"schema": "fairtrial.lift/1"' in paths["json"].read_text()
    (tmp_path / "file").write_text("x")
    with pytest.raises(InputError, match="could not write the page of the lift"):
        write(report, {}, tmp_path / "file")
