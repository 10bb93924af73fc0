"""Compare a submitted model with the base it is said to come from, and with known models: verdict, evidence, layers.

Reads safetensors and JSON alone; runs nothing of what was submitted. Every tensor is read whole, in blocks; parts of 24
matrices are looked at as matrices. The same folders give the same document, byte for byte.
"""

from __future__ import annotations

from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from fairtrial.contamination.identity import deciding, grids, material, siblings, structure
from fairtrial.contamination.identity.adapter import DoesNotFitError, laid_on
from fairtrial.contamination.identity.deciding import decided
from fairtrial.contamination.identity.described import described, layers, not_measured
from fairtrial.contamination.identity.evidence import Evidence, Verdict, shortened
from fairtrial.contamination.identity.folder import Model, content_hash, open_model
from fairtrial.contamination.identity.material import material_of
from fairtrial.contamination.identity.measuring import Tell
from fairtrial.records import InputError

SCHEMA = "fairtrial.identity/1"
THRESHOLDS = {
    "far_cosine": material.FAR, "near_cosine": material.NEAR, "learned_deviations": structure.LEARNED,
    "noise_deviations": structure.NOISE, "mixture_least": siblings.LEAST, "mixture_explained": siblings.EXPLAINED,
    "mixture_cosine": siblings.POINTS_THERE, "doubtful_cosine": siblings.DOUBTFUL, "mixture_spread": siblings.SPREAD,
    "mixture_errors": siblings.ERRORS, "few_values": grids.FEW, "scaled_share": grids.SCALED,
    "few_changed": deciding.FEW_CHANGED, "extracted": deciding.EXTRACTED, "seed": 0,
}  # fmt: skip
"""What the verdict rests on, recorded with it."""

IMITATED = "a change made to look learned (a random product of two thin matrices) is not told from a learned one"


@dataclass(frozen=True, slots=True, kw_only=True)
class Identity:
    """What a submitted model is."""

    verdict: Verdict
    why: str
    """The claim that decided, one sentence."""
    evidence: tuple[Evidence, ...]
    """The one that decided first."""
    layers: tuple[dict[str, Any], ...]
    """From embedding to head: equal share, distance to the base, distance and coefficient to each known model."""
    not_measured: tuple[str, ...]
    submitted: dict[str, Any]
    """Name, path, hash, kind, parameters, tensors, number formats."""
    base: dict[str, Any]
    known: tuple[dict[str, Any], ...]

    @property
    def holds(self) -> bool | None:
        """Say whether it is the base, trained; None where that could not be told."""
        return None if self.verdict == "unknown" else self.verdict == "base_derived"

    def document(self) -> dict[str, Any]:
        """Return the JSON document of the command."""
        return {
            "schema": SCHEMA,
            "verdict": self.verdict,
            "why": self.why,
            "evidence": [evidence.document() for evidence in self.evidence],
            "layers": shortened(self.layers),
            "not_measured": list(self.not_measured),
            "submitted": self.submitted,
            "base": self.base,
            "known": list(self.known),
            "thresholds": THRESHOLDS,
        }


def untold(_phase: str, _done: int, _total: int) -> None:
    """Tell nobody how far the work is."""


def compare_models(submitted: Path, base: Path, known: Sequence[Path] = (), tell: Tell = untold) -> Identity:
    """Say whether `submitted` is `base`, trained: a folder each, or a safetensors file; `known` as well.

    Raise InputError or FormatError where a model cannot be read.
    """
    own, origin, others = open_model(submitted), open_model(base), _labelled([open_model(path) for path in known])
    if origin.adapter is not None:
        raise InputError("is an adapter, which is no base", path=base, hint="Name the folder of the whole base model.")
    models = (own, origin, *others)
    with ThreadPoolExecutor(1) as pool:  # hashing lets go of the interpreter
        hashes = pool.map(content_hash, models)
        fit, trouble = _laid_known(others, origin)
        try:
            laid = laid_on(own, origin) if own.adapter is not None else None
        except DoesNotFitError as error:
            claim = f"the adapter does not fit the base: it {error.what}"
            decisive, told, rows = Evidence("adapter", claim, {}, "different_model"), [], []
        else:
            found = material_of(laid.model if laid else own, origin, fit, laid, tell)
            decisive, told, rows = decided(found), described(found), layers(found)
            told = [each for each in told if (decisive.kind, each.kind) != ("structure", "spectrum")]
            trouble = not_measured(found) + trouble
        named = [_model(model, content) for model, content in zip(models, hashes, strict=True)]
    assert decisive.speaks_for  # what decides speaks for a verdict
    return Identity(
        verdict=decisive.speaks_for, why=decisive.claim, evidence=(decisive, *told), layers=tuple(rows),
        not_measured=(*trouble, *own.unread, IMITATED), submitted=named[0], base=named[1], known=tuple(named[2:]),
    )  # fmt: skip


def _labelled(known: Sequence[Model]) -> list[Model]:
    """Return the known models under labels of their own: two folders of one name get their paths."""
    names = [model.label for model in known]
    return [replace(m, label=str(m.path)) if names.count(m.label) > 1 else m for m in known]


def _laid_known(known: Sequence[Model], base: Model) -> tuple[list[Model], list[str]]:
    """Return the known models, adapters laid on the base; and those that do not fit it, in words."""
    fit, trouble = [], []
    for model in known:
        try:
            fit.append(laid_on(model, base).model if model.adapter is not None else model)
        except DoesNotFitError as error:
            trouble.append(f"the known adapter {model.label} was not compared: it {error.what}")
    return fit, trouble


def _model(model: Model, content: str) -> dict[str, Any]:
    formats: dict[str, int] = {}
    for view in model.tensors.values():
        formats[view.dtype] = formats.get(view.dtype, 0) + 1
    return {
        "name": model.label,
        "path": str(model.path),
        "hash": content,
        "kind": "model" if model.adapter is None else "adapter",
        "parameters": model.parameters,
        "tensors": len(model.tensors),
        "formats": formats,
    }
