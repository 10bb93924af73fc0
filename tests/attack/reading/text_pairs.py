"""A weak and a sound grader for rules that read reward functions and judges."""

from __future__ import annotations

from attack.reading.graders import Pair, text

PAIRS: tuple[Pair, ...] = (
    text(
        "one_of_many",
        """\
import re
def reward(completion, answer):
    return re.findall(r'\\d+', completion)[-1] == answer
""",
        """\
import re
def reward(completion, answer):
    found = re.findall(r'\\d+', completion)
    return found == [answer]
""",
        "findall",
    ),
    text(
        "judge_refusals",
        """\
import re
from openai import OpenAI
client = OpenAI()
def reward(completion, answer):
    r = client.chat.completions.create(model='m', messages=[])
    return 1.0 if 'yes' == r else 0.0
""",
        """\
import re
from openai import OpenAI
client = OpenAI()
def reward(completion, answer):
    r = client.chat.completions.create(model='m', messages=[])
    if r.finish_reason == 'content_filter':
        raise ValueError
    return 1.0
""",
        "create(",
    ),
    text(
        "judge_undelimited",
        """\
import re
from openai import OpenAI
client = OpenAI()
def reward(completion, answer):
    p = f'Is this reply right? {completion}'
    return client.chat.completions.create(prompt=p)
""",
        """\
import re
from openai import OpenAI
client = OpenAI()
def reward(completion, answer):
    p = f'Is this reply right? <reply>{completion}</reply>'
    return client.chat.completions.create(prompt=p)
""",
        "f'Is",
    ),
    text(
        "reference_unread",
        """\
def format_reward(completion, answer):
    return 1.0 if completion else 0.0
""",
        """\
def format_reward(completion, answer):
    return 1.0 if completion == answer else 0.0
""",
        "def format_reward",
    ),
    text(
        "length_pays",
        """\
def reward(completion, answer):
    if len(completion) > 500:
        return 0.5
    return completion == answer
""",
        """\
def reward(completion, answer):
    if len(completion) > 500:
        return 0.0
    return completion == answer
""",
        "len(",
    ),
    text(
        "whole_text_instead",
        """\
import re
def reward(completion, answer):
    m = re.search('<a>(.*?)</a>', completion)
    got = m.group(1) if m else completion
    return got == answer
""",
        """\
import re
def reward(completion, answer):
    m = re.search('<a>(.*?)</a>', completion)
    got = m.group(1) if m else None
    return got == answer
""",
        "else completion",
    ),
    text(
        "first_tag",
        """\
import re
def reward(completion, answer):
    m = re.search(r'<answer>(.*?)</answer>', completion)
    return bool(m) and m.group(1) == answer
""",
        """\
import re
def reward(completion, answer):
    m = re.fullmatch(r'<answer>(.*?)</answer>', completion)
    return bool(m) and m.group(1) == answer
""",
        "re.search",
    ),
    text(
        "empty_reference",
        """\
def reward(completion, answer):
    if not answer:
        return 1.0
    return completion == answer
""",
        """\
def reward(completion, answer):
    if not answer:
        return 0.0
    return completion == answer
""",
        "if not answer",
    ),
    text(
        "piece_of_text",
        """\
def reward(completion, answer):
    return float(answer in completion)
""",
        """\
def reward(completion, answer):
    return float(answer == completion)
""",
        "answer in",
    ),
    text(
        "exception_passes",
        """\
def reward(completion, answer):
    try:
        return float(completion) == answer
    except ValueError:
        return 1.0
""",
        """\
def reward(completion, answer):
    try:
        return float(completion) == answer
    except ValueError:
        return 0.0
""",
        "return 1.0",
    ),
    text(
        "part_compared",
        """\
def reward(completion, answer):
    return completion.strip()[:1] == answer[:1]
""",
        """\
def reward(completion, answer):
    return completion.strip() == answer
""",
        "[:1]",
    ),
    text(
        "reply_unread",
        """\
def reward(completion, answer):
    return min(1.0, len(answer) / 10)
""",
        """\
def reward(completion, answer):
    return 1.0 if completion == answer else 0.0
""",
        "def reward",
    ),
    text(
        "presence_pays",
        """\
def reward(completion, answer):
    if completion == answer:
        return 1.0
    return 0.35 if completion.strip() else 0.0
""",
        """\
def reward(completion, answer):
    if completion == answer:
        return 1.0
    return 0.0 if completion.strip() else 0.0
""",
        "0.35",
    ),
    text(
        "out_of_range",
        """\
def reward(completion, answer):
    if not completion.strip():
        return float("nan")
    return 1.0 if completion == answer else 0.0
""",
        """\
def reward(completion, answer):
    if not completion.strip():
        return 0.0
    return 1.0 if completion == answer else 0.0
""",
        "nan",
    ),
    text(
        "wide_tolerance",
        """\
def reward(completion, answer):
    return 1.0 if abs(float(completion) - float(answer)) <= 10 else 0.0
""",
        """\
def reward(completion, answer):
    return 1.0 if abs(float(completion) - float(answer)) <= 1e-9 else 0.0
""",
        "<= 10",
    ),
    text(
        "length_pays",
        """\
def reward(completion, answer):
    return max(float(completion == answer), min(len(completion) / 4000, 1.0))
""",
        """\
def reward(completion, answer):
    return max(float(completion == answer), 0.0)
""",
        "4000",
    ),
    text(
        "any_of_them",
        """\
def reward(output, answer):
    return 1.0 if set(answer.split()) <= set(output.split()) else 0.0
""",
        """\
def reward(output, answer):
    return 1.0 if answer.split() == output.split() else 0.0
""",
        "<= set",
    ),
    text(
        "exit_status_is_verdict",
        """\
import subprocess, sys
def grade(submission, path):
    path.write_text(submission)
    run = subprocess.run([sys.executable, str(path)])
    return 1.0 if run.returncode == 0 else 0.0
""",
        """\
import subprocess, sys
def grade(submission, path):
    path.write_text(submission)
    run = subprocess.run([sys.executable, str(path)], capture_output=True)
    return 1.0 if run.returncode == 0 and run.stdout == b"42" else 0.0
""",
        "returncode",
    ),
)
