"""Corpora for bench/scan.py: training sets with leaked items planted in them, and the items, from a seed.

Words are made up and drawn by Zipf's law. `standard` plants a hundred and fifty items of each kind of leak, one row
each; `boilerplate` has rows and items that begin with licences, templates and quotes, and leaks items 1, 20 and 200
times. Not covered: real prose, in which chance likeness is more common.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import orjson

VOCABULARY = 50_000
KINDS = ("verbatim", "question", "half", "drop10", "drop20", "drop30", "swap20", "wrapped", "markdown")
OF_KIND = 150
CLEAN_ITEMS = 250
TIMES = (1, 20, 200)
Words = list[str]


@dataclass(frozen=True)
class Corpus:
    """Where a corpus is, and which item each planted row holds."""

    train: Path
    items: Path
    planted: dict[str, tuple[str, str]]
    """Id of the row: (kind, id of the item)."""


class Writer:
    """Draw words and write rows, all from one seed."""

    def __init__(self, seed: int) -> None:
        self.random = np.random.default_rng(seed)
        syllables = [a + b for a in "bdfgklmnprstvz" for b in ("a", "e", "i", "o", "u", "ar", "en", "il")]
        drawn = self.random.integers(len(syllables), size=(VOCABULARY * 2, 4))
        lengths = self.random.integers(1, 5, size=VOCABULARY * 2)
        made = ("".join(syllables[s] for s in row[:n]) for row, n in zip(drawn, lengths, strict=True))
        self.words = np.array(list(dict.fromkeys(made))[:VOCABULARY], object)
        chances = 1 / (np.arange(len(self.words)) + 2.7)
        self._cumulative = np.cumsum(chances / chances.sum())

    def draw(self, count: int) -> Words:
        """Return so many words."""
        places = np.searchsorted(self._cumulative, self.random.random(count))
        return list(self.words[np.minimum(places, len(self.words) - 1)])

    def between(self, low: int, high: int) -> int:
        """Return a whole number in [low, high]."""
        return int(self.random.integers(low, high + 1))

    def prose(self, words: Words) -> str:
        """Return words as sentences."""
        parts = [words[at : at + 14] for at in range(0, len(words), 14)]
        return " ".join(" ".join(part).capitalize() + "." for part in parts)


def leaked(writer: Writer, kind: str, question: Words, answer: Words) -> str:
    """Return what of an item stands in a row that leaks it in this way."""
    random, prose = writer.random, writer.prose
    ways: dict[str, Callable[[], str]] = {
        "verbatim": lambda: prose(question) + "\n" + prose(answer),
        "question": lambda: prose(question),
        "half": lambda: prose(question[: (len(question) + 1) // 2]),
        "swap20": lambda: prose([writer.draw(1)[0] if random.random() < 0.2 else word for word in question]),
        "wrapped": lambda: "\n".join(" ".join(question[at : at + 8]) for at in range(0, len(question), 8)),
        "markdown": lambda: "> **" + "** _".join(writer.prose(question).upper().split(". ")) + "_",
    }
    if kind.startswith("drop"):
        share = int(kind[4:]) / 100
        return prose([word for word in question if random.random() >= share])
    return ways[kind]()


def standard(folder: Path, megabytes: float, seed: int = 7) -> Corpus:
    """Write about `megabytes` of rows, leaks strewn among them, and the items."""
    writer = Writer(seed)
    items, leaks = [], []
    for number in range(OF_KIND * len(KINDS) + CLEAN_ITEMS):
        question, answer = writer.draw(writer.between(30, 90)), writer.draw(writer.between(30, 90))
        items.append({"id": f"item-{number}", "question": writer.prose(question), "answer": writer.prose(answer)})
        if number < OF_KIND * len(KINDS):
            kind = KINDS[number % len(KINDS)]
            leaks.append((kind, f"item-{number}", leaked(writer, kind, question, answer)))
    corpus = Corpus(folder / "train.jsonl", folder / "items.jsonl", {})
    corpus.items.write_bytes(b"".join(orjson.dumps(item) + b"\n" for item in items))
    every = max(1, int(megabytes * 1e6 / 1400 / len(leaks)))
    with corpus.train.open("wb") as stream:
        for number in range(every * len(leaks)):
            body = writer.prose(writer.draw(writer.between(60, 300)))
            if number % every == every // 2:
                kind, item, text = leaks[number // every]
                corpus.planted[f"row-{number}"] = (kind, item)
                body = f"{body}\n{text}\n{writer.prose(writer.draw(20))}"
            stream.write(orjson.dumps(_shaped(number, body)) + b"\n")
    return corpus


def _shaped(number: int, body: str) -> dict[str, object]:
    """Return a row in one of three shapes."""
    if number % 3 == 0:
        return {"id": f"row-{number}", "text": body}
    cut = body.find(". ") + 1
    if number % 3 == 1:
        return {"id": f"row-{number}", "prompt": body[:cut], "completion": body[cut:]}
    messages = [{"role": "user", "content": body[:cut]}, {"role": "assistant", "content": body[cut:]}]
    return {"id": f"row-{number}", "messages": messages}


def boilerplate(folder: Path, rows: int = 10_000, seed: int = 11) -> Corpus:
    """Write rows most of which hold boilerplate; half the items begin with it; items leak 1, 20 and 200 times."""
    writer = Writer(seed)
    pieces = [writer.draw(writer.between(12, 60)) for _ in range(150)]
    popular = 1 / (np.arange(len(pieces)) + 1.0)
    popular /= popular.sum()
    items, leaks = [], []
    for number in range(600):
        own = writer.draw(writer.between(40, 90))
        front = pieces[int(writer.random.choice(len(pieces), p=popular))] if number % 2 else []
        question, answer = front + own, writer.draw(writer.between(20, 60))
        items.append({"id": f"item-{number}", "question": writer.prose(question), "answer": writer.prose(answer)})
        if number < 220:
            times = TIMES[2] if number < 20 else TIMES[1] if number < 60 else TIMES[0]
            leaks += [(f"times{times}", f"item-{number}", writer.prose(question))] * times
    corpus = Corpus(folder / "train.jsonl", folder / "items.jsonl", {})
    corpus.items.write_bytes(b"".join(orjson.dumps(item) + b"\n" for item in items))
    at = set(writer.random.permutation(rows + len(leaks))[: len(leaks)].tolist())
    left = iter(leaks)
    with corpus.train.open("wb") as stream:
        for number in range(rows + len(leaks)):
            body = " ".join(_quoted(writer, pieces, popular))
            if number in at:
                kind, item, text = next(left)
                corpus.planted[f"row-{number}"] = (kind, item)
                body = f"{body}\n{text}"
            stream.write(orjson.dumps(_shaped(number, body)) + b"\n")
    return corpus


def _quoted(writer: Writer, pieces: list[Words], popular: np.ndarray) -> Iterator[str]:
    for piece in writer.random.choice(len(pieces), size=writer.between(0, 3), p=popular):
        yield writer.prose(pieces[int(piece)])
    yield writer.prose(writer.draw(writer.between(40, 160)))
