"""What of a text a classifier may go by: seven kinds of features, each a matrix of its own, one row a text.

`words` and `characters` are presences weighed by rarity, figures masked; the others are a few numbers each, which say
how a text is built, how long it is, how its figures, times and file names look. Values are scaled over all texts
without their labels. Not covered: meaning, pictures, what only a reader would notice.
"""

from __future__ import annotations

import itertools
import math
import re
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TypeVar

import numpy as np
from numpy.typing import NDArray
from scipy import sparse

from fairtrial.authoring.near_copies import masked
from fairtrial.authoring.synthetic.clock import dates_in, times_in
from fairtrial.authoring.synthetic.material import Item

Floats = NDArray[np.float64]
Thing = TypeVar("Thing")
LEAST_TEXTS = 2
"""Texts that a word or run must stand in to be looked at."""
MOST_TOKENS = 30_000
"""Commonest words and runs that are kept."""
_CLIP = 3.0
_FILE = "a file *."
_WORD = re.compile(r"[^\W_]+(?:'[a-z]+)?|#")
_NUMBER = re.compile(r"(?<![\w.])\d{1,3}(?:,\d{3})+(?:\.\d+)?|(?<![\w.])\d+(?:\.\d+)?")


@dataclass(frozen=True, slots=True, kw_only=True)
class Kind:
    """One kind of features: their names, and a matrix with a row a text."""

    name: str
    features: tuple[str, ...]
    values: sparse.csr_matrix
    present: sparse.csr_matrix | None
    """Presence of each, where they are words or runs; None where they are numbers."""
    raw: Floats | None = None
    """Values before scaling, where they are numbers."""


def kinds_of(items: Sequence[Item]) -> tuple[Kind, ...]:
    """Return the kinds of features of `items`, those that are alike in all of them left out."""
    made = [
        _presences("words", [_words(item.text) for item in items]),
        _presences("characters", [_characters(item.text) for item in items]),
        *(_numbers(name, [tell(item) for item in items]) for name, tell in _NUMERIC.items()),
    ]
    return tuple(kind for kind in made if kind is not None)


def _words(text: str) -> set[str]:
    words = _WORD.findall(masked(text))
    return {*words, *(f"{one} {other}" for one, other in itertools.pairwise(words))}


def _characters(text: str) -> set[str]:
    plain = masked(text)
    return {plain[at : at + 4] for at in range(len(plain) - 3)}


def _presences(name: str, sets: Sequence[set[str]]) -> Kind | None:
    counts = Counter(token for each in sets for token in each)
    total = len(sets)
    known = [token for token, count in counts.items() if LEAST_TEXTS <= count < total]
    known = sorted(sorted(known), key=lambda token: -counts[token])[:MOST_TOKENS]
    if not known:
        return None
    place = {token: at for at, token in enumerate(known)}
    rows, columns = [], []
    for at, each in enumerate(sets):
        mine = [place[token] for token in each if token in place]
        rows += [at] * len(mine)
        columns += mine
    present = sparse.csr_matrix((np.ones(len(rows)), (rows, columns)), shape=(total, len(known)))
    rarity = np.log((total + 1) / (np.array([counts[token] for token in known]) + 0.5))
    weighed = present.multiply(rarity).tocsr()
    lengths = np.sqrt(np.asarray(weighed.multiply(weighed).sum(axis=1)).ravel())
    scaled = sparse.diags(1 / np.where(lengths > 0, lengths, 1.0)) @ weighed
    return Kind(name=name, features=tuple(known), values=scaled.tocsr(), present=present)


def _numbers(name: str, told: Sequence[dict[str, float]]) -> Kind | None:
    """Return features that are numbers, scaled over all texts. One that a text lacks is there at the mean."""
    names = sorted({key for each in told for key in each})
    raw = np.array([[each.get(key, 0.0 if key.startswith(_FILE) else math.nan) for key in names] for each in told],
                   dtype=np.float64).reshape(len(told), len(names))  # fmt: skip
    kept = [at for at in range(len(names)) if len(np.unique(raw[~np.isnan(raw[:, at]), at])) > 1]
    if not kept:
        return None
    raw = raw[:, kept]
    center, spread = np.nanmean(raw, axis=0), np.nanstd(raw, axis=0)
    scaled = np.nan_to_num(np.clip((raw - center) / np.where(spread > 0, spread, 1.0), -_CLIP, _CLIP))
    return Kind(name=name, features=tuple(names[at] for at in kept), values=sparse.csr_matrix(scaled), present=None,
                raw=raw)  # fmt: skip


def _structure(item: Item) -> dict[str, float]:
    lines = item.text.splitlines() or [""]
    words = _WORD.findall(item.text)
    sentences = [part for part in re.split(r"[.!?]+(?:\s|$)", item.text) if part.strip()]
    signs = {"commas": ",", "semicolons": ";", "colons": ":", "dashes": "—–", "brackets": "(", "quotes": "\"“'‘",
             "backticks": "`", "stars": "*", "exclamation marks": "!", "question marks": "?"}  # fmt: skip
    found = {f"{name} a word": sum(item.text.count(sign) for sign in each) / max(1, len(words))
             for name, each in signs.items()}  # fmt: skip
    found["share of lines that are bullets"] = _share(lines, lambda line: bool(re.match(r"\s*[-*•]\s", line)))
    found["share of lines that are numbered"] = _share(lines, lambda line: bool(re.match(r"\s*\d+[.)]\s", line)))
    found["share of lines that are headings"] = _share(lines, lambda line: line.startswith("#"))
    found["share of lines that are empty"] = _share(lines, lambda line: not line.strip())
    found["share of words in capitals"] = _share(words, lambda word: word.isupper() and len(word) > 1)
    found["words a sentence"] = math.log1p(len(words) / max(1, len(sentences)))
    found["share of words that are different"] = len({word.lower() for word in words}) / max(1, len(words))
    lengths = [len(part.split()) for part in sentences]
    found["spread of sentence lengths"] = float(np.std(lengths)) / max(1.0, float(np.mean(lengths or [1])))
    return found


def _lengths(item: Item) -> dict[str, float]:
    return {
        "characters (log)": math.log1p(len(item.text)),
        "words (log)": math.log1p(len(item.text.split())),
        "lines (log)": math.log1p(item.text.count("\n") + 1),
        "files (log)": math.log1p(len(item.files)),
        "characters of files (log)": math.log1p(sum(len(content) for _, content in item.files)),
    }


def _figures(item: Item) -> dict[str, float]:
    figures = [text.replace(",", "") for text in _NUMBER.findall(item.whole)]
    found = {"figures (log)": math.log1p(len(figures))}
    if not figures:
        return found
    long = [text for text in figures if len(text.split(".")[0]) > 1]
    if long:
        whole = [text.split(".")[0] for text in long]
        found["share of figures that end in 0"] = _share(whole, lambda text: text.endswith("0"))
        found["share of figures that end in 00"] = _share(whole, lambda text: text.endswith("00"))
        found["share of figures that end in 5"] = _share(whole, lambda text: text.endswith("5"))
    leading = [text.lstrip("0.")[:1] for text in figures if text.lstrip("0.")]
    if leading:
        for digit in "125":
            found[f"share of figures that begin with {digit}"] = leading.count(digit) / len(leading)
    found["share of figures with a fraction"] = _share(figures, lambda text: "." in text)
    found["share of figures that occur again"] = 1 - len(set(figures)) / len(figures)
    return found


def _times(item: Item) -> dict[str, float]:
    whole = item.whole
    dates, times = dates_in(whole), times_in(whole)
    found = {"dates (log)": math.log1p(len(dates)), "times of day (log)": math.log1p(len(times))}
    if dates:
        found["share of dates on the first of a month"] = _share(dates, lambda day: day.day == 1)
        found["share of dates in January"] = _share(dates, lambda day: day.month == 1)
        found["share of dates on the 15th"] = _share(dates, lambda day: day.day == 15)
        found["share of dates at the weekend"] = _share(dates, lambda day: day.weekday() >= 5)
    if times:
        found["share of times at the full hour"] = _share(times, lambda at: at[1] == 0 and at[2] == 0)
        found["share of times at five minutes"] = _share(times, lambda at: at[1] % 5 == 0)
        found["share of times between 9 and 17"] = _share(times, lambda at: 9 <= at[0] < 17)
    return found


def _names(item: Item) -> dict[str, float]:
    names = [name for name, _ in item.files]
    if not names:
        return {}
    found = {f"{_FILE}{name.rpartition('.')[2].lower()}": 1.0 for name in names if "." in name.rsplit("/", 1)[-1]}
    found["folders deep"] = float(np.mean([name.count("/") for name in names]))
    found["share of names with a digit"] = _share(names, lambda name: any(letter.isdigit() for letter in name))
    found["characters a name"] = float(np.mean([len(name.rsplit("/", 1)[-1]) for name in names]))
    return found


def _share(things: Sequence[Thing], holds: Callable[[Thing], bool]) -> float:
    return sum(map(holds, things)) / len(things) if things else 0.0


_NUMERIC: dict[str, Callable[[Item], dict[str, float]]] = {
    "structure": _structure, "lengths": _lengths, "figures": _figures, "times": _times, "file names": _names,
}  # fmt: skip


def snippet(text: str, token: str, around: int = 24) -> str:
    """Return the words around the first place of a masked word or run in `text`; empty where it is not there."""
    plain = masked(text)
    at = plain.find(token)
    if at < 0:
        return ""
    left, right = max(0, at - around), min(len(plain), at + len(token) + around)
    return f"{'…' if left else ''}{plain[left:right]}{'…' if right < len(plain) else ''}"
