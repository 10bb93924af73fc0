"""The sums are those of the definitions, whatever the blocks; the fit is numpy's least squares."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from contamination.identity.handed_in import base, own, save, sibling
from fairtrial.contamination.identity import measuring
from fairtrial.contamination.identity.folder import open_model
from fairtrial.contamination.identity.measuring import Sums, measure
from fairtrial.contamination.identity.pairing import paired
from fairtrial.contamination.identity.siblings import mixture, shares


def sums_of(tmp_path: Path) -> list[Sums]:
    models = [open_model(save(tmp_path / name, w)) for name, w in (("s", own()), ("b", base()), ("k", sibling()))]
    return [measure(pair, 1) for pair in paired(models[0], models[1], models[2:]).pairs]


def values(name: str) -> list[np.ndarray]:
    full = name if name.startswith("lm_head") else f"model.{name}"
    return [weights[full].astype(np.float64).ravel() for weights in (own(), base(), sibling())]


@pytest.mark.parametrize("block", [1 << 18, 100])
def test_blocks_add_up_to_the_whole(block: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(measuring, "BLOCK", block)
    for sums in sums_of(tmp_path):
        s, b, k = values(sums.pair.name)
        vectors = [s - b, b, k - b]
        wanted = [[float(one @ two) for two in vectors] for one in vectors]
        assert np.allclose(sums.changes, wanted, rtol=1e-4, atol=1e-5)
        assert sums.own == pytest.approx(s @ s, rel=1e-4)
        assert sums.to_known[0] == pytest.approx((s - k) @ (s - k), rel=1e-4)
        assert sums.with_known[0] == pytest.approx(s @ k, rel=1e-4, abs=1e-4)
        assert sums.equal.tolist() == [np.count_nonzero(s == b), np.count_nonzero(s == k)]


def test_the_fit_is_least_squares(tmp_path: Path) -> None:
    found = sums_of(tmp_path)
    matrices = [sums for sums in found if sums.pair.is_matrix and not sums.pair.is_table]
    rest = total = 0.0
    whole = [np.concatenate(parts) for parts in zip(*(values(sums.pair.name) for sums in matrices), strict=True)]
    for sums in matrices:
        s, b, k = values(sums.pair.name)
        rest += float(np.linalg.lstsq(np.stack([b, k - b], 1), s - b, rcond=None)[1][0])
        total += float(np.linalg.lstsq(b[:, None], s - b, rcond=None)[1][0])  # another scale explains nothing
    overall = np.linalg.lstsq(np.stack([whole[1], whole[2] - whole[1]], 1), whole[0] - whole[1], rcond=None)[0]
    fit = mixture(found, [0])
    assert fit.explained == pytest.approx(1 - rest / total, abs=1e-4)
    assert fit.coefficients[0] == pytest.approx(overall[1], rel=1e-3)


def test_no_chance_of_a_sibling_in_an_unrelated_model(tmp_path: Path) -> None:
    """A model that has nothing of base or sibling lies half way between them in no sense."""
    rng = np.random.default_rng(0)
    strange = {name: rng.normal(size=value.shape).astype(np.float32) for name, value in base().items()}
    models = [open_model(save(tmp_path / name, w)) for name, w in (("s", strange), ("b", base()), ("k", sibling()))]
    found = [measure(pair, 1) for pair in paired(models[0], models[1], models[2:]).pairs]
    (share,) = shares(found, 1)
    assert abs(share.cosine) < 0.1
    assert mixture(found, [0]).coefficients[0] == pytest.approx(0, abs=0.5)


def test_numbers_that_are_none_are_counted_and_do_not_spread(tmp_path: Path) -> None:
    broken = {name: value.copy() for name, value in own().items()}
    broken["lm_head.weight"][0, :3] = [np.nan, np.inf, 1e38]
    models = [open_model(save(tmp_path / name, w)) for name, w in (("s", broken), ("b", base()))]
    found = {pair.name: measure(pair, 0) for pair in paired(models[0], models[1], ()).pairs}
    assert found["lm_head.weight"].not_finite == 2
    assert np.isfinite(found["lm_head.weight"].changes).all()
    assert found["norm.weight"].not_finite == 0
