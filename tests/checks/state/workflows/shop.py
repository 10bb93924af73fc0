"""A tiny shop: orders that can be refunded, over HTML and JSON. FAULT names one thing that it does wrong."""

from __future__ import annotations

import html
import json
import os
import sys
import time
from http.cookies import SimpleCookie
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from urllib.parse import parse_qs, urlsplit

FAULT = os.environ.get("FAULT", "")
ORDERS = {"4711": 1250, "4712": 990}
REFUNDED: dict[str, str] = {}

ORDER = """<!doctype html><html><head><title>Order {number}</title><style>p {{ color: teal }}</style></head><body>
<h1>Order {number}</h1><p>Total: <b>{total}</b> EUR<p>State: {state}
<p hidden>Refunded: secret</p><!-- Refunded: commented -->
<form method="post" action="/orders/{number}/refund">
<label>Why <select name="reason"><option>late<option>broken</select></label>
<label for="n">Note</label><input id="n" name="note"><input type="hidden" name="token" value="{token}">
<label><input type="checkbox" name="notify" value="1"> Tell the customer</label>
<button name="go" value="1" {dead}>Refund</button></form><a href="/orders">All orders</a></body></html>"""

SCRIPTED = """<!doctype html><title>Late</title><body><button id="b">Show</button><p id="p"></p><script>
document.getElementById("b").onclick = () => { if (confirm("Sure?")) setTimeout(() => {
  document.getElementById("p").innerText = "Shown late: 7"; }, 200); };</script></body>"""


class Shop(BaseHTTPRequestHandler):
    def do_GET(self) -> None:
        path = urlsplit(self.path).path
        if path == "/":
            self.answer(303, "", {"Location": "/orders"})
        elif path == "/orders":
            rows = "".join(f"<tr><td>{n}<td><a href='/orders/{n}'>Open</a>" for n in ORDERS)
            self.answer(200, f"<title>Orders</title><table>{rows}</table>", {"Set-Cookie": "user=ann; HttpOnly"})
        elif path.startswith("/orders/"):
            self.order(path.rsplit("/", 1)[-1])
        elif path.startswith("/api/orders/"):
            number = path.rsplit("/", 1)[-1]
            state = "open" if FAULT == "api" else self.state(number)
            self.answer(200, json.dumps({"number": number, "state": state, "lines": [{"cents": ORDERS[number]}]}),
                        {"Content-Type": "application/json"})  # fmt: skip
        else:
            self.odd(path)

    def odd(self, path: str) -> None:
        if path == "/away":
            self.answer(302, "", {"Location": "http://192.0.2.1/"})
        elif path == "/round":
            self.answer(302, "", {"Location": "/round"})
        elif path == "/large":
            self.answer(200, "x" * 6_000_000)
        elif path == "/deep":
            self.answer(200, "<div>" * 200_000 + "deep")
        elif path == "/junk":
            self.wfile.write(b"\x00\xff nonsense\r\n\r\n")
        elif path == "/drip":
            self.send_response(200)
            self.end_headers()
            for _ in range(600):
                self.wfile.write(b"x")
                self.wfile.flush()
                time.sleep(0.1)
        elif path == "/script":
            self.answer(200, SCRIPTED)
        elif path == "/loop":
            self.answer(200, "<title>L</title><body>x<script>setTimeout(() => { for (;;) {} }, 300)</script></body>")
        else:
            self.answer(404, "<title>None</title>not found")

    def do_POST(self) -> None:
        form = parse_qs(self.rfile.read(int(self.headers.get("Content-Length", "0"))).decode(), keep_blank_values=True)
        number = self.path.split("/")[2]
        user = SimpleCookie(self.headers.get("Cookie", "")).get("user")
        if user is None or form.get("token") != [f"t{number}"]:
            self.answer(403, "<title>No</title>who are you?")
            return
        if FAULT != "forgets":
            REFUNDED[number] = form["reason"][0]
        if FAULT == "other" and number == "4711":
            REFUNDED["4712"] = "broken"
        if FAULT == "status":
            self.answer(500, "<title>Oops</title>")
            return
        self.answer(303, "", {"Location": f"/orders/{number}?told={('notify' in form and '1') or '0'}"})

    def order(self, number: str) -> None:
        if number not in ORDERS:
            self.answer(404, "<title>None</title>no such order")
            return
        cents = ORDERS[number] + (100 if FAULT == "total" else 0)
        dead = "disabled" if FAULT == "disabled" else ""
        self.answer(200, ORDER.format(number=html.escape(number), total=f"{cents / 100:.2f}", state=self.state(number),
                                      token=f"t{number}", dead=dead))  # fmt: skip

    def state(self, number: str) -> str:
        return f"refunded ({REFUNDED[number]})" if number in REFUNDED else "open"

    def answer(self, status: int, text: str, headers: dict[str, str] | None = None) -> None:
        data = text.encode()
        self.send_response(status)
        for name, value in {"Content-Type": "text/html; charset=utf-8", **(headers or {})}.items():
            self.send_header(name, value)
        self.send_header("Content-Length", str(len(data)))
        self.end_headers()
        try:
            self.wfile.write(data)
        except OSError:
            return

    def log_message(self, format: str, *args: object) -> None:
        """Say nothing."""


if __name__ == "__main__":
    if FAULT == "dies":
        sys.exit("no database")
    ThreadingHTTPServer(("127.0.0.1", int(os.environ["PORT"])), Shop).serve_forever()
