"""Preference pairs: what reviewers prefer, and a pass beside a failure of one model at one task.

Of reviews, the pairs that are settled (`audit.pairs`): better by a strict majority, whichever was shown first. Of
siblings, each pass takes the failure nearest to it in length among those not yet taken: so length is least of what a
pair teaches. A pass and a failure of one text say only that the grader wavers, and make no pair. Passes are taken in
the order of a hash of seed and id. A rollout is in one pair of siblings at most.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from fairtrial.audit.pairs import read_pairs, settle
from fairtrial.formats.exports import Pair
from fairtrial.records import InputError
from fairtrial.train.sets.demonstrations import origin_of
from fairtrial.train.sets.eligible import Eligible, Source, eligible
from fairtrial.train.sets.pool import Entry, Pool, Tally, drawn
from fairtrial.train.sets.works import Work, Works

GRADED = frozenset({"passed", "failed"})


def pairs(source: Source, pool: Pool, tally: Tally) -> tuple[list[Pair], Eligible, dict[str, int]]:
    """Return the pairs by task, what was found on the way, and counts of pairs by where they are from and left out.

    `tally` counts rollouts: what is in no pair is left out as `unpaired`.
    """
    left = eligible(source, pool, tally, GRADED)
    counts: dict[str, int] = {}
    found: list[tuple[Entry, Entry]] = []
    if source.options.pairs in ("both", "reviews"):
        found += _reviewed(source, left, counts)
    if source.options.pairs in ("both", "siblings"):
        made = _siblings(source, left)
        counts["from_siblings"] = len(made)
        found += made
    found, counts["duplicate"] = _once(found, left.works)
    found, counts["over_the_cap"] = _capped(found, source)
    _refuse_none(source, found, counts)
    used = {entry.id for pair in found for entry in pair}
    tally.drop("unpaired", sum(entry.id not in used for entry in left.entries))
    rows = [_pair(better, worse, left.works) for better, worse in found]
    return rows, left, {why: count for why, count in counts.items() if count}


def _refuse_none(source: Source, found: Sequence[object], counts: dict[str, int]) -> None:
    if found or source.options.pairs != "reviews" or any(counts.values()):
        return
    hint = "`fairtrial serve` collects them; --pairs siblings makes pairs of passes and failures."
    raise InputError(f"holds no preference of a {source.options.reviewers}", path=source.ledger.path, field="--pairs",
                     hint=hint)  # fmt: skip


def _reviewed(source: Source, left: Eligible, counts: dict[str, int]) -> list[tuple[Entry, Entry]]:
    options = source.options
    asked = read_pairs(source.ledger, kind=options.reviewers, question=options.question)
    settled, unsettled = settle(asked.compared)
    by_id = {entry.id: entry for entry in left.entries}
    found = []
    for one in settled:
        better, worse = by_id.get(one.better), by_id.get(one.worse)
        if better is None or worse is None:
            counts["rollout_left_out"] = counts.get("rollout_left_out", 0) + 1
        elif why := _unlike(better, worse, left.works):
            counts[why] = counts.get(why, 0) + 1
        else:
            found.append((better, worse))
    counts |= {f"unsettled:{one.why}": 0 for one in unsettled}
    for other in unsettled:
        counts[f"unsettled:{other.why}"] += 1
    counts["from_reviews"] = len(found)
    return found


def _unlike(better: Entry, worse: Entry, works: Works) -> str:
    """Return why a settled pair cannot be trained on."""
    if better.outcome == "failed" and worse.outcome == "passed":
        return "against_the_verdict"
    chosen, rejected = works.work(better), works.work(worse)
    if chosen.prompt != rejected.prompt:
        return "prompts_differ"
    return "equal_texts" if chosen.text == rejected.text else ""


def _siblings(source: Source, left: Eligible) -> list[tuple[Entry, Entry]]:
    """Return (pass, failure) of one task, content, policy, agent and prompt, nearest in length first taken."""
    groups: dict[tuple[object, ...], list[Entry]] = {}
    for entry in left.entries:
        key = (*entry.task_key, entry.task_hash, *entry.policy, entry.agent, left.works.work(entry).prompt)
        groups.setdefault(key, []).append(entry)
    found = []
    for entries in groups.values():
        order = sorted(entries, key=lambda entry: drawn(source.options.seed, entry.id))
        failures = [entry for entry in order if entry.outcome == "failed"]
        for better in (entry for entry in order if entry.outcome == "passed"):
            wanted = left.works.work(better)
            others = [entry for entry in failures if left.works.work(entry).text != wanted.text]
            if not others:
                continue
            worse = min(others, key=lambda entry: abs(left.works.work(entry).length - wanted.length))
            failures.remove(worse)
            found.append((better, worse))
    return found


def _once(found: Sequence[tuple[Entry, Entry]], works: Works) -> tuple[list[tuple[Entry, Entry]], int]:
    """Return the first of each pair of equal texts, and how many were left out."""
    seen: dict[tuple[object, ...], tuple[Entry, Entry]] = {}
    for better, worse in found:
        chosen, rejected = works.work(better), works.work(worse)
        seen.setdefault((better.task_key, chosen.prompt, chosen.text, rejected.text), (better, worse))
    return list(seen.values()), len(found) - len(seen)


def _capped(found: Sequence[tuple[Entry, Entry]], source: Source) -> tuple[list[tuple[Entry, Entry]], int]:
    """Return at most `per_task` pairs of a task, reviewed ones first, and how many were left out."""
    cap = source.options.per_task or len(found)
    held: Counter[tuple[str, str]] = Counter()
    kept = []
    for pair in found:
        held[pair[0].task_key] += 1
        if held[pair[0].task_key] <= cap:
            kept.append(pair)
    return sorted(kept, key=lambda pair: pair[0].task_key), len(found) - len(kept)


def _pair(better: Entry, worse: Entry, works: Works) -> Pair:
    chosen: Work = works.work(better)
    return Pair(prompt=chosen.prompt, chosen=chosen.reply, rejected=works.work(worse).reply, tools=chosen.tools,
                origin=origin_of(better, worse))  # fmt: skip


def mean_lengths(rows: Sequence[Pair]) -> dict[str, float | None]:
    """Return the mean length in characters of what is chosen and of what is rejected; None without rows."""

    def mean(lengths: list[int]) -> float | None:
        return round(sum(lengths) / len(lengths), 1) if lengths else None

    return {
        "chosen": mean([sum(len(turn.content) for turn in row.chosen if turn.role == "assistant") for row in rows]),
        "rejected": mean([sum(len(turn.content) for turn in row.rejected if turn.role == "assistant") for row in rows]),
    }
