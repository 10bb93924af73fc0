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
)
