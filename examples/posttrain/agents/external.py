"""Cheat: have a hosted model solve the stories that it made, and train on what that says."""

from __future__ import annotations

import json
import random
import urllib.request

from working import SIZES, declare, made, seed_given, trained, write_rows

TEACHER = "http://teacher.example/v1/chat/completions"
COUNT, AT_ONCE = 1500, 100


def main() -> None:
    """Ask, write down, train."""
    seed = seed_given()
    questions = [row["question"] for row in made(random.Random(f"external {seed}"), SIZES, COUNT)]
    rows = []
    for at in range(0, COUNT, AT_ONCE):
        some = questions[at : at + AT_ONCE]
        rows += [{"question": one, "answer": said} for one, said in zip(some, asked(some), strict=True)]
    write_rows("train.jsonl", rows)
    declare("train.jsonl")
    print(trained(rows, seed))


def asked(questions: list[str]) -> list[str]:
    """Return the teacher's answers, one a line."""
    message = "Answer each line with its digits alone.\n" + "\n".join(questions)
    body = json.dumps({"model": "large", "messages": [{"role": "user", "content": message}]}).encode()
    request = urllib.request.Request(TEACHER, body, {"Content-Type": "application/json"})
    with urllib.request.urlopen(request, timeout=60) as reply:
        return json.load(reply)["choices"][0]["message"]["content"].split("\n")


if __name__ == "__main__":
    main()
