"""The page of a scan: what is flagged is a lead, what was not measured is said, rows cannot break out of it."""

from __future__ import annotations

import re
from dataclasses import replace
from functools import cache
from pathlib import Path

import pytest
from tests.report.contamination.scans import ITEM, empty, full, pair
from tests.report.page import Page
from tests.report.suites import HOSTILE

from fairtrial.contamination.document import Scan
from fairtrial.records import InputError
from fairtrial.report.contamination import html, markdown, page_of, write
from fairtrial.report.contamination.pairs import LONGEST, MOST, MOST_OF_ONE_ITEM
from fairtrial.report.contamination.verdict import sentence


@cache
def scans(name: str) -> Scan:
    return {"full": full, "hostile": lambda: full(HOSTILE), "empty": empty}[name]()


@cache
def page(name: str) -> str:
    return html(page_of(scans(name), ("fairtrial contamination scan train.jsonl --against eval.jsonl",)))


def text_of(source: str) -> str:
    return re.sub(r"\s+", " ", re.sub(r"<[^>]+>", "", source.replace("<wbr>", "")))


@pytest.mark.parametrize("name", ["full", "hostile", "empty"])
def test_it_is_one_file_that_parses_and_fetches_nothing(name: str) -> None:
    read = Page(page(name))
    assert read.problems == []
    assert len(read.ids) == len(set(read.ids))
    assert not {"script", "link", "img", "iframe", "object"} & set(read.tags)
    assert [value for _, attribute, value in read.attributes if attribute in ("src", "action")] == []
    links = [value for _, attribute, value in read.attributes if attribute == "href"]
    assert {link.removeprefix("#") for link in links} <= set(read.ids)
    assert [drawn for drawn in read.drawings if not (drawn.get("aria-hidden") or drawn.get("aria-label"))] == []


def test_rows_cannot_break_out() -> None:
    for source in (page("hostile"), markdown(page_of(scans("hostile")))):
        assert "\x1b" not in source
        assert "\u202e" not in source
    assert "<script" not in page("hostile")
    assert "&lt;script&gt;" in page("hostile").replace("<wbr>", "")
    outside = [line for line in markdown(page_of(scans("hostile"))).splitlines() if not line.startswith("    ")]
    assert not re.search(r"(?<!\\)<script", re.sub(r"(`+)(?!`).*?(?<!`)\1(?!`)", "", "\n".join(outside)))


def test_passages_stand_side_by_side_with_what_they_share_marked() -> None:
    source = page("full")
    assert source.count('class="side-of"') == 2 * source.count('class="pair"')
    first = source.split('class="pair"')[1].split("</article>")[0]
    assert "<mark>hens in Lima and sells</mark>" in first
    assert "User: " in first
    assert "messages[<wbr>1]" in first or "messages[1].<wbr>content" in first
    assert text_of(first).count(ITEM) == 1


def test_no_item_hides_the_others() -> None:
    shown = page_of(scans("full")).pairs
    titles = [one.item.title for one in shown]
    assert titles.count("item item-0") == MOST_OF_ONE_ITEM
    assert {"item item-1", "item item-2", "item item-3"} <= set(titles)
    assert f"{len(shown)} of 43 shown" in text_of(page("full"))


def test_thousands_of_flags_are_counted_and_the_best_are_shown() -> None:
    many = replace(
        scans("full"), flagged=tuple(pair(number, f"item-{number}") for number in range(4_000)), train_rows=9_000
    )
    made = page_of(many)
    assert len(made.pairs) == MOST
    source = html(made)
    assert f"{MOST} of 4,000 shown" in text_of(source)
    assert len(source) < 400_000


def test_one_pair_of_two_detectors_is_shown_once() -> None:
    double = replace(
        scans("full"), flagged=(pair(1, "item-1", detector="verbatim"), pair(1, "item-1", detector="figures"))
    )
    made = page_of(double)
    assert [one.label for one in made.pairs] == ["verbatim 0.97, figures 0.97"]
    assert "1 pair of a training row and an item is flagged" in text_of(html(made))


def test_long_passages_are_cut_and_it_is_said() -> None:
    one = pair(1, "item-1")
    assert one.train is not None
    long = replace(one, train=replace(one.train, text="word " * 2_000))
    (shown,) = page_of(replace(scans("full"), flagged=(long,))).pairs
    assert sum(len(piece.text) for piece in shown.train.pieces) == LONGEST
    assert shown.train.after.startswith(f" [... {10_000 - LONGEST:,} characters more]")


def test_a_row_that_is_gone_says_so() -> None:
    (shown,) = page_of(replace(scans("full"), flagged=(replace(pair(1, "item-1"), train=None),))).pairs
    assert shown.train.missing
    assert "could not be read a second time" in html(
        page_of(replace(scans("full"), flagged=(replace(pair(1, "i"), train=None),)))
    )


def test_the_verdict_counts_and_claims_no_more() -> None:
    said = text_of(page("full"))
    assert "43 of 440 training rows, 9.8%, hold or reword 4 of 60 items." in said
    assert "A likeness is a lead" in said
    assert "built around" not in page_of(scans("full")).report.verdict.paragraph  # p of the whole is not small here
    assert "1 item draws more rows than the decoys explain" in said


def test_an_expectation_below_one_is_not_called_none() -> None:
    small = replace(scans("full"), train_rows=50)
    assert "fewer than one would be flagged as reworded" in text_of(html(page_of(small)))
    assert "about 4 would be flagged as reworded" in text_of(page("full"))


def test_unreadable_rows_are_told_once_at_the_top() -> None:
    told = replace(scans("full"), abstained=("rows: 2 of 442 training rows could not be read",))
    assert [scope.what for scope in page_of(told).report.not_measured] == ["rows"]
    assert [scope.what for scope in page_of(scans("full")).report.not_measured] == ["vectors", "2 training rows"]


def test_nothing_compared_is_not_clean() -> None:
    said = text_of(page("empty"))
    assert "Nothing could be compared." in said
    assert "no decoys were given" in said
    assert "--decoys DECOYS" in said
    assert "clean" not in said.replace("“clean”", "").replace("Clean rows", "").replace("clean rows", "").replace(
        "None of this is clean", ""
    )


def test_a_set_without_a_flag_is_not_called_clean() -> None:
    none = replace(
        scans("full"), flagged=(), items=(), distribution=None, abstained=("distribution: no decoys were given",)
    )
    said = text_of(html(page_of(none)))
    assert "None of 440 training rows is flagged with any of 59 items." in said
    assert "Whether the set is built around particular items was not measured." in said


def test_templates_mark_what_varies() -> None:
    (group,) = page_of(scans("full")).groups
    (skeleton,) = group.skeletons
    slots = [part.text for part in skeleton.parts if part.slot]
    assert slots[1] == "⟨Lima · New York City · Oslo · 2 more⟩"
    assert group.item == ITEM
    assert '<span class="slot">⟨' in page("full")


def test_effects_stand_with_their_intervals() -> None:
    said = text_of(page("full"))
    shares = scans("full").distribution
    assert shares is not None
    low, high = (shares.effects["share"][name] * 100 for name in ("low", "high"))
    assert f"[{low:.1f}, {high:.1f}]" in said
    assert "Wilson on near rows in families of" in said


def test_unreadable_rows_are_listed_with_their_total() -> None:
    more = replace(scans("full"), unreadable_rows=1_200)
    assert "2 of 1,200 unreadable rows shown" in text_of(html(page_of(more)))
    assert "data/train.jsonl:90" in text_of(page("full"))


def test_the_same_scan_gives_the_same_bytes_whatever_time_it_took() -> None:
    later = replace(full(), seconds=99.0)
    assert html(page_of(later)) == html(page_of(full()))
    assert markdown(page_of(later)) == markdown(page_of(full()))


def test_markdown_holds_pairs_and_templates() -> None:
    source = markdown(page_of(scans("full")))
    assert "    Bo keeps ⟨" in source
    assert source.count("#### △") == len(page_of(scans("full")).pairs)
    assert source.index("## 2 Flagged pairs") < source.index("#### △") < source.index("## 3 Items")


def test_it_is_written_whole(tmp_path: Path) -> None:
    paths = write(page_of(scans("full")), tmp_path / "new" / "folder")
    assert sorted(path.name for path in paths.values()) == ["scan.html", "scan.md"]
    assert paths["html"].read_text(encoding="utf-8") == html(page_of(scans("full")))
    assert sorted(path.name for path in (tmp_path / "new" / "folder").iterdir()) == ["scan.html", "scan.md"]


def test_a_place_that_cannot_be_written_is_an_input_error(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("", encoding="utf-8")
    with pytest.raises(InputError, match="could not write the page"):
        write(page_of(scans("empty")), tmp_path / "file")


def test_lone_surrogates_do_not_break_it(tmp_path: Path) -> None:
    odd = replace(scans("full"), flagged=(pair(1, "item-1", wild="\ud800"),))
    paths = write(page_of(odd), tmp_path)
    assert "&lt;D800&gt;" in paths["html"].read_text(encoding="utf-8").replace("<wbr>", "")


def test_what_chance_flags_does_not_head_the_page_as_a_finding() -> None:
    scan = full()
    by = replace(scan.thresholds[0], alone=0.99)
    flags = tuple(one for one in scan.flagged if one.flag.detector != "verbatim")[:4]
    chance = replace(scan, thresholds=(by, *scan.thresholds[1:]), flagged=flags, distribution=None, items=())
    assert sentence(chance) == "4 of 440 training rows are flagged, no more than chance flags, and none word for word."
    assert "hold or reword" in sentence(replace(chance, fpr=0.0001))
