"""A stand-in for a model that adds: it errs at each step with a set chance, so that longer chains are passed less.

    python3 adder.py --slip 0.1 -- fairtrial authoring calibrate ... --model adder --base-url {url}

serves chat completions on loopback while the command runs; `{url}` in it becomes the address. It is a script, no model:
what it answers is drawn from the prompt's own words, so that it answers the same each time it is asked with one `--seed`,
unless `--fresh` makes each reply a new draw.
"""

import argparse
import random
import re
import subprocess
import sys
import threading

from fairtrial.models import ScriptedServer
from fairtrial.models.scripted import say


class Adder:
    """Answers chain sums."""

    def __init__(self, slip, seed, fresh):
        self.slip, self.seed, self.fresh = slip, seed, fresh
        self.asked = {}
        self.lock = threading.Lock()

    def __call__(self, asked):
        """Return the right total, or one that is off by a slip."""
        prompt = asked.last
        with self.lock:
            turn = self.asked[prompt] = self.asked.get(prompt, -1) + 1
        draw = random.Random(f"{self.seed}/{prompt}/{turn if self.fresh else 0}")
        total = 0
        for verb, number in re.findall(r"(Start with|Add|Take away) (\d+)", prompt):
            total += -int(number) if verb == "Take away" else int(number)
            if verb != "Start with" and draw.random() < self.slip:
                total += draw.choice((-10, 10))
        return say(str(total), usage=(40, 2))


if __name__ == "__main__":
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("--slip", type=float, default=0.1)
    options.add_argument("--seed", type=int, default=0)
    options.add_argument("--fresh", action="store_true")
    options.add_argument("command", nargs="+")
    asked = options.parse_args()
    with ScriptedServer(Adder(asked.slip, asked.seed, asked.fresh)) as server:
        command = [word.replace("{url}", server.base_url) for word in asked.command]
        sys.exit(subprocess.run(command).returncode)
