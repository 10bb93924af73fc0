"""A language model small enough to be truly trained in a test: Llama's parts and names, in numpy, gradients by hand.

Embedding, two blocks (RMSNorm, causal attention of two heads, RMSNorm, SwiGLU), norm, head of its own. Trained by Adam
on sequences of a Markov chain; another seed of the chain is another language. `test_tiny.py` holds the gradients to
finite differences.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

Array = NDArray[Any]
Weights = dict[str, Array]

VOCABULARY, WIDTH, HEADS, INNER, LAYERS, LENGTH, BATCH = 64, 32, 2, 64, 2, 16, 8
_EPSILON = 1e-6


class World:
    """Which languages there are, and which first weights: another number, others."""

    number = 0


def new_model(seed: int) -> Weights:
    """Return the weights of a model that has learned nothing."""
    rng = np.random.default_rng((seed, World.number))

    def drawn(rows: int, columns: int) -> Array:
        return rng.normal(0, columns**-0.5, (rows, columns)).astype(np.float32)

    weights = {"model.embed_tokens.weight": drawn(VOCABULARY, WIDTH) * 3, "lm_head.weight": drawn(VOCABULARY, WIDTH),
               "model.norm.weight": np.ones(WIDTH, np.float32)}  # fmt: skip
    for layer in range(LAYERS):
        at = f"model.layers.{layer}."
        weights |= {f"{at}self_attn.{name}_proj.weight": drawn(WIDTH, WIDTH) for name in "qkvo"}
        weights |= {f"{at}mlp.{name}_proj.weight": drawn(INNER, WIDTH) for name in ("gate", "up")}
        weights[f"{at}mlp.down_proj.weight"] = drawn(WIDTH, INNER)
        weights |= {f"{at}{name}_layernorm.weight": np.ones(WIDTH, np.float32) for name in ("input", "post_attention")}
    return weights


def batch(language: int, step: int) -> Array:
    """Return token ids of shape (batch, length + 1) of a chain in which four tokens may follow each."""
    rng = np.random.default_rng((language, World.number))
    follows = rng.integers(0, VOCABULARY, (VOCABULARY, 4))
    steps = np.random.default_rng((language, World.number, step))
    tokens = np.empty((BATCH, LENGTH + 1), np.int64)
    tokens[:, 0] = steps.integers(0, VOCABULARY, BATCH)
    picks = steps.choice(4, (BATCH, LENGTH), p=[0.6, 0.2, 0.1, 0.1])
    for at in range(LENGTH):
        tokens[:, at + 1] = follows[tokens[:, at], picks[:, at]]
    return tokens


def _normed(x: Array, scale: Array) -> tuple[Array, Callable[[Array], tuple[Array, Array]]]:
    inverse = 1 / np.sqrt(np.mean(x * x, -1, keepdims=True) + _EPSILON)
    unit = x * inverse

    def back(grad: Array) -> tuple[Array, Array]:
        inner = grad * scale
        return inverse * (inner - unit * np.mean(inner * unit, -1, keepdims=True)), np.sum(grad * unit, (0, 1))

    return unit * scale, back


def _split(x: Array) -> Array:
    return x.reshape(*x.shape[:2], HEADS, WIDTH // HEADS).transpose(0, 2, 1, 3)


def _joined(x: Array) -> Array:
    return x.transpose(0, 2, 1, 3).reshape(x.shape[0], x.shape[2], WIDTH)


def _onto(grad: Array, x: Array) -> Array:
    return grad.reshape(-1, grad.shape[-1]).T @ x.reshape(-1, x.shape[-1])


def _attended(x: Array, w: Mapping[str, Array], at: str) -> tuple[Array, Callable[[Array, Weights], Array]]:
    q, k, v = (_split(x @ w[f"{at}{name}_proj.weight"].T) for name in "qkv")
    scale = (WIDTH // HEADS) ** -0.5
    scores = q @ k.transpose(0, 1, 3, 2) * scale + np.triu(np.full((x.shape[1],) * 2, -1e9, x.dtype), 1)
    share = np.exp(scores - scores.max(-1, keepdims=True))
    share /= share.sum(-1, keepdims=True)
    mixed = _joined(share @ v)

    def back(grad: Array, grads: Weights) -> Array:
        grads[f"{at}o_proj.weight"] = _onto(grad, mixed)
        grad = _split(grad @ w[f"{at}o_proj.weight"])
        to_share = grad @ v.transpose(0, 1, 3, 2)
        to_scores = share * (to_share - np.sum(to_share * share, -1, keepdims=True)) * scale
        parts = {"q": to_scores @ k, "k": to_scores.transpose(0, 1, 3, 2) @ q, "v": share.transpose(0, 1, 3, 2) @ grad}
        result = np.zeros_like(x)
        for name, part in parts.items():
            joined = _joined(part)
            grads[f"{at}{name}_proj.weight"] = _onto(joined, x)
            result += joined @ w[f"{at}{name}_proj.weight"]
        return result

    return mixed @ w[f"{at}o_proj.weight"].T, back


def _fed(x: Array, w: Mapping[str, Array], at: str) -> tuple[Array, Callable[[Array, Weights], Array]]:
    gate, up = x @ w[f"{at}gate_proj.weight"].T, x @ w[f"{at}up_proj.weight"].T
    sigmoid = 1 / (1 + np.exp(-gate))
    inner = gate * sigmoid * up

    def back(grad: Array, grads: Weights) -> Array:
        grads[f"{at}down_proj.weight"] = _onto(grad, inner)
        grad = grad @ w[f"{at}down_proj.weight"]
        to_gate, to_up = grad * up * sigmoid * (1 + gate * (1 - sigmoid)), grad * gate * sigmoid
        grads[f"{at}gate_proj.weight"], grads[f"{at}up_proj.weight"] = _onto(to_gate, x), _onto(to_up, x)
        return to_gate @ w[f"{at}gate_proj.weight"] + to_up @ w[f"{at}up_proj.weight"]

    return inner @ w[f"{at}down_proj.weight"].T, back


def loss(w: Mapping[str, Array], tokens: Array) -> tuple[float, Weights]:
    """Return the mean cross-entropy of the next token, in nats, and its gradient."""
    given, wanted = tokens[:, :-1], tokens[:, 1:]
    x = w["model.embed_tokens.weight"][given]
    backs: list[tuple[str, Any, Any]] = []
    for layer in range(LAYERS):
        for norm, part, run in (("input", "self_attn.", _attended), ("post_attention", "mlp.", _fed)):
            name = f"model.layers.{layer}.{norm}_layernorm.weight"
            normed, norm_back = _normed(x, w[name])
            added, back = run(normed, w, f"model.layers.{layer}.{part}")
            x = x + added
            backs.append((name, norm_back, back))
    last, last_back = _normed(x, w["model.norm.weight"])
    logits = last @ w["lm_head.weight"].T
    share = np.exp(logits - logits.max(-1, keepdims=True))
    share /= share.sum(-1, keepdims=True)
    picked = np.take_along_axis(share, wanted[..., None], -1)
    grad = share.copy()
    np.put_along_axis(grad, wanted[..., None], picked - 1, -1)
    grad /= wanted.size
    grads: Weights = {"lm_head.weight": _onto(grad, last)}
    grad, grads["model.norm.weight"] = last_back(grad @ w["lm_head.weight"])
    for name, norm_back, back in reversed(backs):
        through, grads[name] = norm_back(back(grad, grads))
        grad = grad + through
    table = np.zeros_like(w["model.embed_tokens.weight"])
    np.add.at(table, given.ravel(), grad.reshape(-1, WIDTH))
    grads["model.embed_tokens.weight"] = table
    return -float(np.mean(np.log(picked))), grads


@dataclass(frozen=True, slots=True, kw_only=True)
class Training:
    """How a model is trained."""

    language: int
    steps: int
    rate: float = 3e-3
    first: int = 0
    """Number of the first batch; another is other data of the same language."""
    only: Sequence[str] = ()
    """Parts of names; with any, other tensors stay as they are."""


class Adam:
    """Kingma and Ba 2015, without decay."""

    def __init__(self, rate: float) -> None:
        self.rate, self.step = rate, 0
        self.first: Weights = {}
        self.second: Weights = {}

    def change(self, grads: Mapping[str, Array]) -> Weights:
        """Return what is to be added for these gradients."""
        self.step += 1
        changes = {}
        for name, grad in grads.items():
            self.first[name] = 0.9 * self.first.get(name, 0) + 0.1 * grad
            self.second[name] = 0.99 * self.second.get(name, 0) + 0.01 * grad * grad
            mean, square = self.first[name] / (1 - 0.9**self.step), self.second[name] / (1 - 0.99**self.step)
            changes[name] = (-self.rate * mean / (np.sqrt(square) + 1e-8)).astype(np.float32)
        return changes


def trained(weights: Mapping[str, Array], how: Training) -> Weights:
    """Return `weights` after training, all of them."""
    result, adam = {name: value.copy() for name, value in weights.items()}, Adam(how.rate)
    for step in range(how.steps):
        _, grads = loss(result, batch(how.language, how.first + step))
        for name, change in adam.change(grads).items():
            if not how.only or any(part in name for part in how.only):
                result[name] += change
    return result


def lora(weights: Mapping[str, Array], how: Training, rank: int = 4) -> dict[str, tuple[Array, Array]]:
    """Return the factors (A, B) of an adapter trained on all matrices of the blocks, weights unchanged; scale 1."""
    rng, adam = np.random.default_rng(how.language), Adam(how.rate)
    names = [name for name, value in weights.items() if "_proj" in name and value.ndim == 2]
    factors = {}
    for name in names:
        a = rng.normal(0, weights[name].shape[1] ** -0.5, (rank, weights[name].shape[1])).astype(np.float32)
        factors[f"{name}/A"], factors[f"{name}/B"] = a, np.zeros((weights[name].shape[0], rank), np.float32)
    for step in range(how.steps):
        now = dict(weights) | {name: weights[name] + factors[f"{name}/B"] @ factors[f"{name}/A"] for name in names}
        _, full = loss(now, batch(how.language, how.first + step))
        grads = {f"{n}/A": factors[f"{n}/B"].T @ full[n] for n in names}
        grads |= {f"{n}/B": full[n] @ factors[f"{n}/A"].T for n in names}
        for name, change in adam.change(grads).items():
            factors[name] += change
    return {name: (factors[f"{name}/A"], factors[f"{name}/B"]) for name in names}
