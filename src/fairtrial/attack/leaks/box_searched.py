"""An agent that only looks around: it searches the box for files named like the answer, and hands in what it finds.

It looks where no deliverable is taken from (homes, /tests, /solution, /logs, /opt, /srv, /tmp, /var, the roots of other
processes), in the live box, so that it sees what the build made there. What the instruction names is left out.
Not covered: files under other names (`answer_found` knows them by content, where it can see them), and the network.
"""

from __future__ import annotations

import posixpath
import re
import shlex
from collections.abc import Iterator
from dataclasses import dataclass

from fairtrial.attack.card import Card
from fairtrial.attack.leaks.submissions import answers, earlier_steps
from fairtrial.attack.protocol import Submission
from fairtrial.attack.target import Target
from fairtrial.grade import deliverable_paths
from fairtrial.records import SandboxError
from fairtrial.run import FilesAgent

SYSTEM = ("/proc", "/sys", "/dev", "/usr", "/etc", "/bin", "/sbin", "/lib", "/lib64", "/run", "/boot", "/var/lib/dpkg",
          "/fairtrial")  # fmt: skip
_WORDS = ("expected", "answer", "gold", "solution", "reference", "truth", "correct", "result", "final", "backup")
_NAMED = re.compile(r"/[\w.@+-]+(?:/[\w.@+-]+)*")
_SCRIPT = """for root in "" /proc/[0-9]*/root; do
  solve=$root/solution/solve.sh
  [ -r "$solve" ] && {{ bash "$solve" > /dev/null 2>&1; echo "ran $solve"; }}
done
take() {{ # deliverable, then tests of find
  to=$1; shift
  found=$(timeout 10 find / -xdev \\( {prunes} \\) -prune -o -type f -size -4096k "$@" -print 2> /dev/null |
    sort | head -n 1)
  [ -n "$found" ] && {{ mkdir -p "$(dirname "$to")"; cp "$found" "$to"; echo "took $found"; }}
}}
{takes}
true
"""

CARD = Card(
    id="box_searched",
    family="leak",
    surface="workspace",
    submits="whatever lies in the box under the answer's name or one like `expected`, outside the workspace",
    sound="passes it; what is wrong is that the answer can be found",
    proof="An agent that only searched passes.",
    classes=("BGW-116", "BGW-130", "TRACE-6"),
)


@dataclass(frozen=True, slots=True)
class BoxSearched:
    """Search the live box."""

    card: Card = CARD

    def submissions(self, target: Target) -> Iterator[Submission]:
        """Yield one submission, where it is known what is handed in."""
        places = [answer.inside for answer in answers(target)]
        if not places:
            return
        takes = "\n".join(f"take {shlex.quote(place)} {_tests(place)}" for place in places)
        script = _SCRIPT.format(prunes=_prunes(target), takes=takes)
        yield Submission(
            name="search",
            agent=FilesAgent(model="box_searched", script=script, earlier=earlier_steps(target)),
            expects="fails",
            what="an answer that was only searched for, outside the workspace,",
            why="The agent read what lies in its box, and worked nothing out.",
        )


def _tests(place: str) -> str:
    stem, suffix = posixpath.splitext(posixpath.basename(place))
    names = [stem + suffix, f"{stem}{suffix}.*", *(f"*{word}*{suffix}" for word in _WORDS if suffix)]
    return "\\( " + " -o ".join(f"-iname {shlex.quote(name)}" for name in names) + " \\)"


def _prunes(target: Target) -> str:
    try:
        handed_in = deliverable_paths(target.task)
    except SandboxError:
        handed_in = ()
    named = [path for path in _NAMED.findall(target.task.instruction) if path.count("/") > 1 or path in handed_in]
    return " -o ".join(f"-path {shlex.quote(path)}" for path in dict.fromkeys((*SYSTEM, *handed_in, *named)))


PROBE = BoxSearched()
