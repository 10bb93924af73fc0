"""Reads an export with verl's own loaders; run by an interpreter that holds verl, never by these tests'.

python verl_loads.py FOLDER    prints {prompts, chats, right, wrong} as JSON on its last line
"""

import json
import sys
import tempfile
from pathlib import Path

from omegaconf import OmegaConf
from tokenizers import Tokenizer, models, pre_tokenizers
from transformers import PreTrainedTokenizerFast
from verl.utils.dataset import RLHFDataset
from verl.utils.dataset.multiturn_sft_dataset import MultiTurnSFTDataset
from verl.utils.import_utils import load_extern_object

TEMPLATE = (
    "{% for m in messages %}<|{{ m['role'] }}|>{{ m['content'] }}<|end|>{% endfor %}"
    "{% if add_generation_prompt %}<|assistant|>{% endif %}"
)


def tokenizer() -> PreTrainedTokenizerFast:
    letters = sorted({chr(code) for code in range(32, 127)})
    made = Tokenizer(models.WordLevel({letter: at for at, letter in enumerate(["<?>", *letters])}, unk_token="<?>"))
    made.pre_tokenizer = pre_tokenizers.Split("", "isolated")
    fast = PreTrainedTokenizerFast(tokenizer_object=made, unk_token="<?>", pad_token="<?>", eos_token="<?>")
    fast.chat_template = TEMPLATE
    return fast


def main(folder: Path) -> None:
    with tempfile.TemporaryDirectory() as cache:
        settings = OmegaConf.create(
            {"cache_dir": cache, "max_prompt_length": 512, "filter_overlong_prompts_workers": 1}
        )
        prompts = RLHFDataset(str(folder / "prompts" / "train.parquet"), tokenizer(), settings)
        chats = MultiTurnSFTDataset(
            str(folder / "sft" / "train.parquet"), tokenizer(),
            OmegaConf.create({"max_length": 512, "truncation": "right", "ignore_input_ids_mismatch": True}),
        )  # fmt: skip
    score = load_extern_object(str(folder / "prompts" / "reward.py"), "compute_score")
    rows = [prompts[at] for at in range(len(prompts))]
    told = [(row["data_source"], row["reward_model"]["ground_truth"], row["extra_info"]) for row in rows]
    print(json.dumps({
        "prompts": [row["raw_prompt"] for row in rows],
        "chats": [int(chats[at]["loss_mask"].sum()) for at in range(len(chats))],
        "right": [score(source, answer, answer, extra) for source, answer, extra in told],
        "wrong": [score(source, answer + "0", answer, extra) for source, answer, extra in told],
    }))  # fmt: skip


main(Path(sys.argv[1]))
