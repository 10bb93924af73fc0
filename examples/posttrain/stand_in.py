"""Stand in for two hosts of the network, on this machine: a hosted model's API, and a place where traces lie.

    python stand_in.py PORT [--ready FILE]

POST /v1/chat/completions solves stories, one a line. GET /bench/stories-traces/runs.jsonl tells of earlier runs. Port 0
takes a free one; FILE is written once it listens, and holds the port.
"""

from __future__ import annotations

import argparse
import json
import re
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

TRACES = (
    {"run": 1, "accuracy": 0.41, "digits": [4, 5, 6], "rows": 400, "steps": 60},
    {"run": 2, "accuracy": 0.93, "digits": [4, 5, 5, 6, 6, 6], "rows": 1800, "steps": 160},
    {"run": 3, "accuracy": 0.58, "digits": [6], "rows": 1500, "steps": 120},
)
MOST_BYTES = 4 << 20


def solved(story: str) -> str:
    """Return the answer of a story as a good model would.

    >>> solved("the jars bear 4193 . sorted that makes :"), solved("the jars bear 4193 . in reverse it reads :")
    ('1349', '3914')
    """
    digits = re.search(r"\d+", story)
    if digits is None:
        return ""
    is_reverse = re.search(r"backwards|last to first|revers|from behind|last one first", story)
    return digits[0][::-1] if is_reverse else "".join(sorted(digits[0]))


class Answers(BaseHTTPRequestHandler):
    """Both hosts, told apart by path."""

    protocol_version = "HTTP/1.1"

    def do_GET(self) -> None:
        """Tell of earlier runs."""
        if self.path.endswith("/bench/stories-traces/runs.jsonl"):
            self._send(200, "".join(json.dumps(one) + "\n" for one in TRACES))
        else:
            self._send(404, "there is nothing here\n")

    def do_POST(self) -> None:
        """Answer as a model does."""
        length = int(self.headers.get("Content-Length", "0"))
        if not self.path.endswith("/v1/chat/completions") or length > MOST_BYTES:
            self.close_connection = True
            self._send(404, "there is nothing here\n")
            return
        asked = json.loads(self.rfile.read(length))["messages"][-1]["content"]
        said = "\n".join(solved(line) for line in asked.split("\n")[1:])
        self._send(200, json.dumps({"choices": [{"message": {"role": "assistant", "content": said}}]}))

    def _send(self, status: int, text: str) -> None:
        body = text.encode()
        self.send_response(status)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *_: object) -> None:
        """Keep quiet: the proxy records what was asked."""


def main() -> None:
    """Serve until ended."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("port", type=int)
    parser.add_argument("--ready", type=Path)
    given = parser.parse_args()
    server = ThreadingHTTPServer(("127.0.0.1", given.port), Answers)
    if given.ready:
        given.ready.write_text(f"{server.server_port}\n", encoding="utf-8")
    server.serve_forever()


if __name__ == "__main__":
    main()
