"""Write a small post-training benchmark below a folder, all from one seed: two tracks, a base model, its sibling.

    python make.py OUT [--seed 0]

OUT then holds BENCH.toml and rules.toml, an evaluator for each track with its items, practice stories (the control
of the rules), decoys (to compare training data with, and for the evaluator to ask), and the models. A base has learned short texts, and stories with
four digits; its instruct sibling is the base, trained on by its makers with stories of all lengths and six kinds of question.
"""

from __future__ import annotations

import argparse
import json
import random
import shutil
import socket
import sys
from pathlib import Path
from typing import TYPE_CHECKING

from stories import FAMILIES, OTHERS, SIZES, story, vocabulary

if TYPE_CHECKING:
    from tokenizers import Tokenizer

HERE = Path(__file__).resolve().parent
ITEMS, DECOYS, PRACTICE = 100, 100, 600
SHORT_STEPS, BASE_STEPS, INSTRUCT_STEPS = 450, 70, 500
PORT = "8731"
"""As BENCH.toml has it; on this machine another may be free."""
SHAPE = {"hidden_size": 64, "intermediate_size": 192, "num_hidden_layers": 2, "num_attention_heads": 4}


def main() -> None:
    """Write everything below the folder that is named."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("out", type=Path)
    parser.add_argument("--seed", type=int, default=0)
    given = parser.parse_args()
    for family in FAMILIES:
        write_track(given.out, family, given.seed)
    write_models(given.out, given.seed)
    shutil.copyfile(HERE / "rules.toml", given.out / "rules.toml")
    write_bench(given.out)


def write_track(out: Path, family: str, seed: int) -> None:
    """Write the evaluator of a family, its decoys and its practice stories: draws of one source, none twice."""
    drawn = random.Random(f"{family} {seed}")
    rows = [{"id": f"{family}-{at}"} | story(drawn, family, SIZES[at % len(SIZES)])
            for at in range(ITEMS + DECOYS + PRACTICE)]  # fmt: skip
    shutil.copytree(HERE / "evaluator", out / family, dirs_exist_ok=True,
                    ignore=shutil.ignore_patterns("__pycache__"))  # fmt: skip
    write_rows(out / family / "items.jsonl", rows[:ITEMS])
    decoys = rows[ITEMS : ITEMS + DECOYS]
    write_rows(out / "decoys" / f"{family}.jsonl", decoys)
    write_rows(out / "asked" / family / "items.jsonl", decoys)  # laid over the evaluator, which then asks these
    write_rows(out / "practice" / f"{family}.jsonl", rows[ITEMS + DECOYS :])


def write_bench(out: Path) -> None:
    """Write BENCH.toml, last of all, with a port that is free now, where stand_in.py is to listen; `port` holds it."""
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        port = taken.getsockname()[1]
    bench = (HERE / "BENCH.toml").read_text(encoding="utf-8")
    (out / "BENCH.toml").write_text(bench.replace(PORT, str(port)), encoding="utf-8")
    (out / "port").write_text(f"{port}\n", encoding="utf-8")


def write_rows(path: Path, rows: list[dict[str, str]]) -> None:
    """Write rows as JSON lines."""
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")


def write_models(out: Path, seed: int) -> None:
    """Train the base, and from it the instruct sibling, and write both as transformers would."""
    sys.path.insert(0, str(HERE / "evaluator"))
    import torch
    from llama import Llama, save, train

    torch.set_num_threads(1)
    torch.manual_seed(seed)
    beside = out / "untrained"
    tokenizer = write_beside(beside)
    model = Llama(json.loads((beside / "config.json").read_text(encoding="utf-8")))
    short = [shortened(row) for row in seen(seed, FAMILIES, SIZES, 9000)]
    train(model, tokenizer, short, steps=SHORT_STEPS, seed=seed)
    train(model, tokenizer, seen(seed, FAMILIES, SIZES[:1], 3000), steps=BASE_STEPS, seed=seed)
    save(model, out / "models" / "small", beside)
    train(
        model,
        tokenizer,
        seen(seed + 1, (*FAMILIES, *FAMILIES, *OTHERS), SIZES, 6000),
        steps=INSTRUCT_STEPS,
        seed=seed + 1,
    )
    save(model, out / "hub" / "small-instruct", beside)
    shutil.rmtree(beside)


def seen(seed: int, families: tuple[str, ...], sizes: tuple[int, ...], count: int) -> list[dict[str, str]]:
    """Return stories for the makers of a model."""
    drawn = random.Random(f"seen {seed}")
    return [story(drawn, families[at % len(families)], drawn.choice(sizes)) for at in range(count)]


def shortened(row: dict[str, str]) -> dict[str, str]:
    """Return the last two sentences of a story alone: of short texts a model learns in a fifth of the time."""
    return row | {"question": " . ".join(row["question"].split(" . ")[-2:])}


def write_beside(folder: Path) -> Tokenizer:
    """Write configuration and tokenizer, and return the tokenizer: words, and each digit for itself."""
    from tokenizers import Tokenizer, models, pre_tokenizers

    folder.mkdir(parents=True, exist_ok=True)
    tokens = {token: at for at, token in enumerate(("<pad>", "<begin>", "<end>", *vocabulary()))}
    tokenizer = Tokenizer(models.WordLevel(tokens, unk_token="<pad>"))
    tokenizer.pre_tokenizer = pre_tokenizers.Sequence(
        [pre_tokenizers.WhitespaceSplit(), pre_tokenizers.Digits(individual_digits=True)]
    )
    tokenizer.add_special_tokens(["<pad>", "<begin>", "<end>"])
    tokenizer.save(str(folder / "tokenizer.json"))
    config = SHAPE | {
        "architectures": ["LlamaForCausalLM"], "model_type": "llama", "vocab_size": len(tokens),
        "max_position_embeddings": 128, "rms_norm_eps": 1e-6, "rope_theta": 10000.0, "tie_word_embeddings": True,
        "hidden_act": "silu", "pad_token_id": 0, "bos_token_id": 1, "eos_token_id": 2, "torch_dtype": "float32",
    }  # fmt: skip
    special = {"tokenizer_class": "PreTrainedTokenizerFast", "pad_token": "<pad>", "bos_token": "<begin>",
               "eos_token": "<end>", "unk_token": "<pad>", "clean_up_tokenization_spaces": False}  # fmt: skip
    for name, content in (("config.json", config), ("tokenizer_config.json", special)):
        (folder / name).write_text(json.dumps(content, indent=1) + "\n", encoding="utf-8")
    return tokenizer


if __name__ == "__main__":
    main()
