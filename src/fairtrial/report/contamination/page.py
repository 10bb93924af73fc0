"""One scan in, its page out as data: masthead, verdict, sections, pairs and clusters. Renderers take it from there."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from fairtrial.contamination.document import SCHEMA, Scan, Source
from fairtrial.report.contamination.data import Group, Pair, ScanPage
from fairtrial.report.contamination.groups import shown_groups
from fairtrial.report.contamination.pairs import MOST_OF_ONE_ITEM, count_pairs, shown_pairs
from fairtrial.report.contamination.sections import (
    distribution_section,
    items_section,
    provenance_section,
    unread_section,
)
from fairtrial.report.contamination.verdict import verdict_of
from fairtrial.report.data import Block, Fact, Report, Scope, Section
from fairtrial.report.numbers import count, of, percent, rounded
from fairtrial.report.words import plural, visible

__all__ = ["ScanPage", "page_of"]


def page_of(scan: Scan, commands: Sequence[str] = ()) -> ScanPage:
    """Return the page of `scan`; `commands` are shown as what makes it again."""
    pairs = shown_pairs(scan.flagged)
    groups = shown_groups(scan.clusters.shown, scan.flagged)
    sections = (
        _pairs_section(scan, pairs),
        items_section(scan),
        distribution_section(scan),
        _groups_section(scan, groups),
        unread_section(scan),
        provenance_section(scan, commands),
    )
    report = Report(
        title=_names(scan.train) or "training set",
        subtitle=f"against {_names(scan.against) or 'no items'}: what of the evaluation set lies in the training set",
        tool=f"fairtrial {visible(scan.versions.get('fairtrial', ''))}".strip(),
        identity=_identity(scan),
        notices=("Everything flagged here is a lead. A likeness was measured; how it came about was not.",),
        measured=_measured(scan),
        not_measured=tuple(Scope(*_split(why)) for why in scan.abstained) + _unread(scan),
        verdict=verdict_of(scan),
        sections=sections,
        schema=SCHEMA,
    )
    return ScanPage(report=report, pairs=pairs, groups=groups)


def _names(sources: Sequence[Source]) -> str:
    """Return the names of files, the first three."""
    names = [visible(Path(source.path).name) for source in sources]
    more = f" and {len(names) - 3} more" if len(names) > 3 else ""
    return ", ".join(names[:3]) + more


def _identity(scan: Scan) -> tuple[Fact, ...]:
    facts = [
        Fact("Training rows", count(scan.train_rows)),
        Fact("Items", _items(scan)),
        Fact("Control rows", count(scan.n_control) if scan.n_control else "none given"),
        Fact("Decoys", count(scan.n_decoys) if scan.n_decoys else "none given"),
        Fact("False positives asked for", percent(scan.fpr)),
    ]
    if scan.threshold is not None:
        facts.append(Fact("Threshold", rounded(scan.threshold, 3)))
    facts += [Fact("Unreadable rows", count(scan.unreadable_rows)), Fact("Seed", str(scan.seed))]
    return tuple(facts)


def _items(scan: Scan) -> str:
    """Return how many items there are, and how many of them were long enough to be compared."""
    total = count(scan.n_items)
    return total if scan.n_compared == scan.n_items else f"{total}, {count(scan.n_compared)} compared"


def _measured(scan: Scan) -> tuple[Scope, ...]:
    if not scan.measured:
        return ()
    both = f"{plural(scan.train_rows, 'row')} against {plural(scan.n_compared, 'item')}"
    found = [Scope(f"{visible(each.detector)}: {both}") for each in scan.thresholds]
    if scan.distribution is not None:
        found.append(Scope(f"distribution: {plural(scan.n_items, 'item')} against {plural(scan.n_decoys, 'decoy')}"))
    return tuple(found)


def _split(why: str) -> tuple[str, str]:
    """Return what abstained and why, of `distribution: no decoys were given`."""
    what, colon, reason = visible(why).replace("`", "").partition(": ")
    return (what, reason) if colon else ("a check", what)


def _unread(scan: Scan) -> tuple[Scope, ...]:
    if not scan.unreadable_rows or any(why.startswith("rows:") for why in scan.abstained):
        return ()
    return (Scope(plural(scan.unreadable_rows, "training row"), "could not be read, listed below"),)


def _pairs_section(scan: Scan, pairs: Sequence[Pair]) -> Section:
    if not pairs:
        why = "no row reaches a threshold" if scan.measured else "nothing could be compared"
        empty = Scope("Flagged rows would be here beside the items they match", why)
        block = Block(claim="No pair is flagged", empty=empty)
        return Section(key="pairs", title="Flagged pairs", side=(), blocks=(block,))
    total = count_pairs(scan.flagged)
    block = Block(
        claim=f"{plural(total, 'pair')} of a training row and an item {'is' if total == 1 else 'are'} flagged",
        say=f"{of(len(pairs), total)} shown, best first, at most {MOST_OF_ONE_ITEM} of one item; the JSON document "
        "holds all. Words that both sides have are underlined.",
    )
    detectors = sorted({pair.flag.detector for pair in scan.flagged})
    side = [Fact(visible(name), f"{count(sum(pair.flag.detector == name for pair in scan.flagged))} flags")
            for name in detectors]  # fmt: skip
    return Section(key="pairs", title="Flagged pairs", side=(Fact("Severity", "lead"), *side), blocks=(block,))


def _groups_section(scan: Scan, groups: Sequence[Group]) -> Section:
    if not groups:
        empty = Scope("Rows near one item would be here with the template they were made from", "fewer than three such")
        block = Block(claim="No cluster of rows was found", empty=empty)
        return Section(key="clusters", title="Clusters", side=(), blocks=(block,))
    found = scan.clusters.found
    block = Block(
        claim=f"{plural(found, 'cluster')} of rows near one item or near each other",
        say=f"{of(len(groups), found)} shown, largest first. Fixed words of a template stand as they are; a slot "
        "⟨in brackets⟩ shows its most frequent values and how many more there are.",
    )
    side = (Fact("Method", "longest common subsequence of tokens; fixed: in 80% of rows"),)
    return Section(key="clusters", title="Clusters", side=side, blocks=(block,))
