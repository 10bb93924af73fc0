"""A Llama in plain PyTorch: reads and writes folders as transformers does (safetensors, config.json, tokenizer.json).

transformers takes five seconds to import, this takes two; the numbers are the same. Multi-head attention and tied
embeddings only; no cache of keys and values, since answers are a few tokens.
"""

from __future__ import annotations

import json
import shutil
from collections.abc import Sequence
from pathlib import Path

import torch
from safetensors.torch import load_file, save_file
from tokenizers import Tokenizer
from torch import Tensor, nn
from torch.nn.functional import cross_entropy, linear, scaled_dot_product_attention, silu

PAD, BEGIN, END = 0, 1, 2
BESIDE = ("config.json", "tokenizer.json", "tokenizer_config.json", "generation_config.json")


class Norm(nn.Module):
    """Root mean square norm."""

    def __init__(self, size: int) -> None:
        super().__init__()
        self.weight = nn.Parameter(torch.ones(size))

    def forward(self, x: Tensor) -> Tensor:
        return self.weight * x * torch.rsqrt(x.pow(2).mean(-1, keepdim=True) + 1e-6)


class Attention(nn.Module):
    """Causal attention with rotary positions."""

    def __init__(self, size: int, heads: int) -> None:
        super().__init__()
        self.heads = heads
        for name in ("q_proj", "k_proj", "v_proj", "o_proj"):
            self.add_module(name, nn.Linear(size, size, bias=False))

    def forward(self, x: Tensor, turn: tuple[Tensor, Tensor]) -> Tensor:
        rows, length, size = x.shape
        q, k, v = (linear(x, one.weight).view(rows, length, self.heads, -1).transpose(1, 2)
                   for one in (self.q_proj, self.k_proj, self.v_proj))  # fmt: skip
        mixed = scaled_dot_product_attention(turned(q, turn), turned(k, turn), v, is_causal=True)
        return self.o_proj(mixed.transpose(1, 2).reshape(rows, length, size))


class Gated(nn.Module):
    """Gated feed-forward part."""

    def __init__(self, size: int, inner: int) -> None:
        super().__init__()
        self.gate_proj, self.up_proj = (nn.Linear(size, inner, bias=False) for _ in range(2))
        self.down_proj = nn.Linear(inner, size, bias=False)

    def forward(self, x: Tensor) -> Tensor:
        return self.down_proj(silu(self.gate_proj(x)) * self.up_proj(x))


class Layer(nn.Module):
    """One layer of the decoder."""

    def __init__(self, size: int, inner: int, heads: int) -> None:
        super().__init__()
        self.self_attn, self.mlp = Attention(size, heads), Gated(size, inner)
        self.input_layernorm, self.post_attention_layernorm = Norm(size), Norm(size)

    def forward(self, x: Tensor, turn: tuple[Tensor, Tensor]) -> Tensor:
        x = x + self.self_attn(self.input_layernorm(x), turn)
        return x + self.mlp(self.post_attention_layernorm(x))


class Body(nn.Module):
    """Embeddings, layers, last norm: what transformers calls `model`."""

    def __init__(self, config: dict[str, int]) -> None:
        super().__init__()
        size = config["hidden_size"]
        self.embed_tokens = nn.Embedding(config["vocab_size"], size)
        self.layers = nn.ModuleList(Layer(size, config["intermediate_size"], config["num_attention_heads"])
                                    for _ in range(config["num_hidden_layers"]))  # fmt: skip
        self.norm = Norm(size)
        self.width = size // config["num_attention_heads"]

    def forward(self, tokens: Tensor) -> Tensor:
        turn, x = turning(tokens.shape[1], self.width), self.embed_tokens(tokens)
        for layer in self.layers:
            x = layer(x, turn)
        return self.norm(x)


class Llama(nn.Module):
    """A causal language model whose head is its embedding."""

    def __init__(self, config: dict[str, int]) -> None:
        super().__init__()
        self.model = Body(config)
        for weight in self.parameters():
            if weight.dim() > 1:
                nn.init.normal_(weight, std=0.02)

    def forward(self, tokens: Tensor, where: Tensor | None = None) -> Tensor:
        """Return scores of the next token, of all places or of those where `where` is true."""
        hidden = self.model(tokens)
        return linear(hidden if where is None else hidden[where], self.model.embed_tokens.weight)


def turning(length: int, width: int) -> tuple[Tensor, Tensor]:
    """Return cosines and sines of the rotary positions."""
    angles = torch.outer(torch.arange(length), 10_000.0 ** -(torch.arange(0, width, 2) / width)).repeat(1, 2)
    return angles.cos(), angles.sin()


def turned(x: Tensor, turn: tuple[Tensor, Tensor]) -> Tensor:
    """Return heads turned by their positions."""
    one, two = x.chunk(2, -1)
    return x * turn[0] + torch.cat((-two, one), -1) * turn[1]


def load(folder: Path) -> tuple[Llama, Tokenizer]:
    """Read a model and its tokenizer."""
    model = Llama(json.loads((folder / "config.json").read_text(encoding="utf-8")))
    model.load_state_dict(load_file(folder / "model.safetensors"))
    return model, Tokenizer.from_file(str(folder / "tokenizer.json"))


def save(model: Llama, folder: Path, like: Path) -> None:
    """Write a model, with configuration and tokenizer of the one that it was made from."""
    folder.mkdir(parents=True, exist_ok=True)
    save_file(model.state_dict(), folder / "model.safetensors", metadata={"format": "pt"})
    for name in BESIDE:
        if (like / name).is_file():
            shutil.copyfile(like / name, folder / name)


def train(model: Llama, tokenizer: Tokenizer, rows: Sequence[dict[str, str]], *, steps: int, seed: int,
          rate: float = 3e-3, batch: int = 32) -> float:  # fmt: skip
    """Train on rows of question and answer, on the answer's tokens alone; return the mean loss of the last 20 steps."""
    texts = [(tokenizer.encode(row["question"]).ids, tokenizer.encode(row["answer"]).ids) for row in rows]
    drawn = torch.Generator().manual_seed(seed)
    mover = torch.optim.AdamW(model.parameters(), lr=rate, weight_decay=0.01)
    losses = []
    for step in range(steps):
        for group in mover.param_groups:
            group["lr"] = rate * min(1.0, (step + 1) / 20, (steps - step) / (0.3 * steps))
        picked = torch.randint(len(texts), (batch,), generator=drawn).tolist()
        tokens, targets = padded([texts[at] for at in picked])
        said = targets[:, 1:] >= 0
        loss = cross_entropy(model(tokens[:, :-1], said), targets[:, 1:][said])
        mover.zero_grad()
        loss.backward()
        nn.utils.clip_grad_norm_(model.parameters(), 1.0)
        mover.step()
        losses.append(loss.item())
    return sum(losses[-20:]) / len(losses[-20:])


def padded(texts: Sequence[tuple[list[int], list[int]]]) -> tuple[Tensor, Tensor]:
    """Return tokens, padded on the right, and targets: -100 where nothing is to be learned."""
    rows = [([BEGIN, *asked, *said, END], [-100] * (1 + len(asked)) + [*said, END]) for asked, said in texts]
    length = max(len(tokens) for tokens, _ in rows)
    return (torch.tensor([tokens + [PAD] * (length - len(tokens)) for tokens, _ in rows]),
            torch.tensor([targets + [-100] * (length - len(targets)) for _, targets in rows]))  # fmt: skip


@torch.no_grad()
def answers(model: Llama, tokenizer: Tokenizer, questions: Sequence[str], *, seed: int, temperature: float = 0.7,
            most: int = 8) -> list[str]:  # fmt: skip
    """Return a sampled answer to each question. Padding stands on the right, so no row sees another's."""
    drawn = torch.Generator().manual_seed(seed)
    asked = [[BEGIN, *tokenizer.encode(question).ids] for question in questions]
    said: list[list[int]] = [[] for _ in asked]
    going = list(range(len(asked)))
    for _ in range(most):
        rows = [asked[at] + said[at] for at in going]
        length = max(map(len, rows), default=0)
        tokens = torch.tensor([row + [PAD] * (length - len(row)) for row in rows])
        last = model(tokens)[torch.arange(len(rows)), torch.tensor([len(row) - 1 for row in rows])]
        picked = torch.multinomial((last / temperature).softmax(-1), 1, generator=drawn)[:, 0].tolist()
        for at, token in zip(going, picked, strict=True):
            said[at].append(token)
        going = [at for at in going if said[at][-1] != END]
        if not going:
            break
    return [tokenizer.decode(tokens).replace(" ", "") for tokens in said]
