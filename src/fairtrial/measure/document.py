"""A Measurement as the JSON document `fairtrial.measure/1` of the command-line contract."""

from __future__ import annotations

from dataclasses import asdict
from typing import Any

from fairtrial.measure.result import Curve, Measurement, ModelFigures
from fairtrial.records import Estimate

SCHEMA = "fairtrial.measure/1"


def document_of(measured: Measurement) -> dict[str, Any]:
    """Return the document: the fields of the contract, and beside them curves, bands, bounds and everything else."""
    rest = asdict(measured)
    bins = rest.pop("bins")
    if bins is not None:
        bins["reversed_cells"] = {"tasks": bins["reversed_tasks"], "checks": bins.pop("reversed_checks")}
        bins["reversed_tasks"] = [row["name"] for row in bins["reversed_tasks"]]
    rest.pop("models")
    return {"schema": SCHEMA, "models": {model.model: _model(model) for model in measured.models}, "bins": bins} | rest


def _model(model: ModelFigures) -> dict[str, Any]:
    whole = asdict(model)
    for name in ("gradient", "model"):
        whole.pop(name)
    low, high = model.ungraded_bounds
    posterior = model.gradient.posterior
    return whole | {
        "pass_rate": _estimate(model.pass_rate),
        "pass_at_k": _by_k(model.pass_at_k),
        "pass_hat_k": _by_k(model.pass_hat_k),
        "curves": {"pass_at_k": asdict(model.pass_at_k), "pass_hat_k": asdict(model.pass_hat_k)},
        "all_fail_tasks": model.band.never,
        "all_pass_tasks": model.band.always,
        "band_share": model.band.share.value,
        "informative_fraction": {
            "group_size": model.gradient.group_size,
            "plug_in": model.gradient.plug_in if model.graded else None,
            "unbiased": model.gradient.unbiased,
            "posterior": posterior.value,
            "low": posterior.low,
            "high": posterior.high,
            "n": posterior.n,
            "ungraded": posterior.ungraded,
            "method": posterior.method,
            "prior": list(model.gradient.prior),
            "by_size": [dict(zip(("group_size", "posterior", "low", "high", "plug_in"), row, strict=True))
                        for row in model.gradient.by_size],
        },
        "ungraded_bounds": {"as_failures": low, "as_passes": high},
    }  # fmt: skip


def _estimate(estimate: Estimate) -> dict[str, Any]:
    return estimate.document()


def _by_k(curve: Curve) -> dict[str, float]:
    return {str(k): value for k, value in zip(curve.k, curve.value, strict=True)}
