"""Each fault of the app is caught by the facts that speak of it and by no other; a hostile app never hangs a walk."""

from __future__ import annotations

import json
import socket
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fairtrial.checks import CheckError, Report, in_box, read_checks
from fairtrial.checks.kit import kit
from fairtrial.checks.reading import WorkError
from fairtrial.checks.state.workflows import Step, Walks, read_workflows, workflow
from fairtrial.checks.state.workflows.app import App
from fairtrial.checks.state.workflows.http_visit import HttpVisitor
from fairtrial.checks.state.workflows.page import Page, _parsed, read_page
from fairtrial.checks.state.workflows.web import Web
from fairtrial.records import FormatError, InputError

SHOP = Path(__file__).with_name("shop.py")
FACTS = ("lands", "total", "not yet", "ok", "told", "refunded", "api", "other")
STEPS = """
[[workflow]]
name = "refund"
step = [
  { open = "/" },
  { expect = "lands", url = "/orders", title = "Orders" },
  { click = "Open", within = "4711" },
  { expect = "total", after = "Total:", equals = "12.5 EUR", kind = "money" },
  { expect = "not yet", lacks = ["refunded", "secret", "commented"], fields = { reason = "late" } },
  { fill = { Why = "broken", Note = "x", "Tell the customer" = true } },
  { click = "Refund" },
  { expect = "ok", status = 200 },
  { expect = "told", url = "/orders/4711?told=1" },
  { expect = "refunded", text = "State: refunded (broken)", regex = 'refunded \\(\\w+\\)' },
  { keep = { number = 'Order (\\d+)' } },
  { request = { path = "/api/orders/{number}" } },
  { expect = "api", json = "$.state", equals = "refunded (broken)" },
  { open = "/orders/4712" },
  { expect = "other", text = "State: open" },
]
"""


def free_port() -> int:
    with socket.socket() as held:
        held.bind(("127.0.0.1", 0))
        return int(held.getsockname()[1])


def laid(folder: Path, steps: str = STEPS, fault: str = "") -> Path:
    """Write workflows.toml, and a checks.toml with one check a fact."""
    start = f"FAULT={fault} {sys.executable} {SHOP}"
    head = f'base_url = "http://127.0.0.1:{free_port()}"\nstart = "{start}"\nfolder = "{folder}"\n'
    (folder / "workflows.toml").write_text(head + steps)
    checks = [
        f'[[check]]\nname = "{name}"\nuse = "workflow"\nfile = "workflows.toml"\nwalk = "refund"\nexpect = "{name}"\n'
        for name in FACTS
    ]
    (folder / "checks.toml").write_text("".join(checks))
    return folder / "checks.toml"


def walked(folder: Path, fault: str = "") -> Report:
    return in_box(read_checks(laid(folder, fault=fault)))


def test_a_sound_app_passes_every_fact_on_one_walk(tmp_path: Path) -> None:
    report = walked(tmp_path)
    assert report.broken == {}
    assert {name: result.why for name, result in report.results.items() if not result.passed} == {}
    trails = [result.evidence["trail"] for result in report.results.values()]
    assert len(trails) == len(FACTS)
    assert all(trail == trails[0] for trail in trails)


@pytest.mark.extra
@pytest.mark.parametrize(
    ("fault", "failed"),
    [
        ("total", {"total"}),
        ("forgets", {"refunded", "api"}),
        ("api", {"api"}),
        ("other", {"other"}),
        ("status", {"ok", "told", "refunded", "api", "other"}),
        ("disabled", {"ok", "told", "refunded", "api", "other"}),
        ("dies", set(FACTS)),
    ],
)
def test_each_fault_is_caught_by_the_facts_that_speak_of_it(tmp_path: Path, fault: str, failed: set[str]) -> None:
    report = walked(tmp_path, fault)
    assert report.broken == {}
    assert {name for name, result in report.results.items() if not result.passed} == failed
    if fault == "dies":
        assert "no database" in report.results["lands"].why
    if fault == "disabled":
        assert "not reached: step 7 (click 'Refund')" in report.results["ok"].why


def test_the_app_is_ended_when_the_checks_are_done(tmp_path: Path) -> None:
    walked(tmp_path)
    base = read_workflows(tmp_path / "workflows.toml").base_url
    with pytest.raises(WorkError, match="gives no answer"):
        Web(base).ask("GET", "/")


def test_it_walks_in_the_kit_with_the_standard_library_alone(tmp_path: Path) -> None:
    (tmp_path / "tests").mkdir()
    laid(tmp_path / "tests", fault="total")
    (tmp_path / "tests" / "fairtrial.pyz").write_bytes(kit())
    command = [sys.executable, "-I", "-S", tmp_path / "tests" / "fairtrial.pyz", tmp_path / "tests", tmp_path / "logs"]
    ended = subprocess.run(command, capture_output=True, text=True, check=False, cwd="/")
    assert ended.returncode == 0, ended.stderr + ended.stdout
    rows = json.loads((tmp_path / "logs" / "ctrf.json").read_text())["results"]["tests"]
    assert {row["name"] for row in rows if row["status"] == "failed"} == {"total"}


def test_a_workflow_as_one_check_names_the_fact_that_fails(tmp_path: Path) -> None:
    laid(tmp_path, fault="total")
    walks = Walks()
    try:
        found = workflow(walks, str(tmp_path / "workflows.toml"), "refund")
    finally:
        walks.close()
    assert not found.passed
    assert found.why.startswith("1 of 8 facts do not hold; total: it is '13.50 EUR'")
    assert found.evidence["facts"]["lands"]["passed"]


def test_unknown_workflows_and_facts_are_the_authors_fault(tmp_path: Path) -> None:
    laid(tmp_path)
    for walk, expect in (("refunds", ""), ("refund", "totl")):
        with pytest.raises(InputError):
            workflow(Walks(), str(tmp_path / "workflows.toml"), walk, expect)


def test_a_port_that_is_taken_is_not_the_app(tmp_path: Path) -> None:
    laid(tmp_path)
    file = read_workflows(tmp_path / "workflows.toml")
    app = App.started(file)
    try:
        with pytest.raises(WorkError, match="before the app is started"):
            App.started(file)
    finally:
        app.close()


def test_a_fact_in_words_needs_a_judge(tmp_path: Path) -> None:
    steps = (
        '[[workflow]]\nname = "refund"\nstep = [{ open = "/orders/4711" }, '
        '{ expect = "total", read = "the total", equals = "12.50 EUR", kind = "money" }, '
        '{ expect = "ok", status = 200 }]\n'
    )
    laid(tmp_path, steps)
    walks = Walks()
    try:
        assert workflow(walks, str(tmp_path / "workflows.toml"), "refund", "ok").passed
        with pytest.raises(CheckError, match="judged_workflow"):
            workflow(walks, str(tmp_path / "workflows.toml"), "refund", "total")
    finally:
        walks.close()


@pytest.fixture(scope="module")
def shop(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    folder = tmp_path_factory.mktemp("shop")
    laid(folder)
    file = read_workflows(folder / "workflows.toml")
    app = App.started(file)
    yield file.base_url
    app.close()


@pytest.mark.extra
@pytest.mark.timeout(30)  # the dripping answer takes a minute to its end
@pytest.mark.parametrize(
    ("path", "why"),
    [
        ("/away", "leads away from the app"),
        ("http://192.0.2.1/", "leads away from the app"),
        ("//192.0.2.1/x", "leads away from the app"),
        ("file:///etc/passwd", "leads away from the app"),
        ("http://[", "leads"),
        ("/round", "redirects more than 10 times"),
        ("/large", "more than 5000000 bytes"),
        ("/junk", "gives no answer"),
        ("/drip", "takes more than 0.5 s"),
    ],
)
def test_a_hostile_answer_is_a_failed_step(shop: str, path: str, why: str) -> None:
    visitor = HttpVisitor(shop)
    visitor._web.seconds = 0.5
    with pytest.raises(WorkError, match=why):
        visitor.act(Step(1, "open", path))


@pytest.mark.extra
def test_a_page_that_is_nested_without_end_is_read(shop: str) -> None:
    visitor = HttpVisitor(shop)
    visitor.act(Step(1, "open", "/deep"))
    assert visitor.seen().text == "deep"


@pytest.mark.parametrize(
    ("step", "why"),
    [
        (Step(1, "click", "Delete"), "no link or button 'Delete'"),
        (Step(1, "click", "Open"), "2 links or buttons 'Open'"),
        (Step(1, "click", "Open", "9999"), "no link or button 'Open' within '9999'"),
        (Step(1, "fill", {"amount": "1"}), "no field 'amount'"),
        (Step(1, "submit", ""), "0 forms"),
    ],
)
def test_what_a_user_could_not_do_is_a_failed_step(shop: str, step: Step, why: str) -> None:
    visitor = HttpVisitor(shop)
    visitor.act(Step(1, "open", "/orders"))
    with pytest.raises(WorkError, match=why):
        visitor.act(step)


@pytest.mark.parametrize(
    ("fields", "why"),
    [({"token": "x"}, "hidden, disabled"), ({"reason": "bored"}, "no choice 'bored'"), ({"notify": "yes"}, "is a box")],
)
def test_what_a_user_could_not_fill_in_is_a_failed_step(shop: str, fields: dict[str, str], why: str) -> None:
    visitor = HttpVisitor(shop)
    visitor.act(Step(1, "open", "/orders/4711"))
    with pytest.raises(WorkError, match=why):
        visitor.act(Step(2, "fill", fields))


@pytest.mark.parametrize(
    ("html", "text"),
    [
        ("<p>a<p hidden>b<p>c", "a\nc"),
        ("<ul><li>a<li style='display: none'>b<li>c</ul>", "a\nc"),
        ("<head><title>t</title><p>a", "a"),
        ("a<script>var x = '<p>b</p>'</script><style>c</style><template>d</template>", "a"),
        ("<table><tr><td>1<td>2<tr><td>3</table>", "1\n2\n3"),
        ("a&nbsp;&lt;b&gt; &amp;", "a <b> &"),
        ("<select><option>a<option selected>b</select>c", "c"),
        ("a<!-- b --><b>c</b> <br> d", "ac\nd"),
        ("<div></span></b>a</div>", "a"),
        ("", ""),
        ("<", "<"),
    ],
)
def test_the_text_of_a_page_is_what_a_reader_sees(html: str, text: str) -> None:
    assert read_page(html).text == text


@given(st.text(alphabet="<>/=\"ab -!&;p'", max_size=200))
def test_no_text_breaks_the_reading_of_a_page(html: str) -> None:
    assert isinstance(_parsed(html), Page)


TAGS = st.sampled_from(
    ["p", "li", "tr", "td", "form", "select", "option", "label", "textarea", "button", "head", "title", "a", "script"]
)


@given(st.lists(st.tuples(TAGS, st.booleans()), max_size=30))
def test_no_order_of_tags_breaks_the_reading_of_a_page(tags: list[tuple[str, bool]]) -> None:
    html = "".join(f"</{tag}>" if ends else f"<{tag} name=n href=h>x" for tag, ends in tags)
    assert isinstance(_parsed(html), Page)


def test_fields_are_known_by_name_label_and_choice() -> None:
    page = read_page(
        "<form id=f method=POST><label for=a>Name <b>first</b></label><input id=a name=n value=1>"
        "<label>Size<select name=s><option value=1>small<option value=2 selected>large</select></label>"
        "<textarea name=t>\nlong\ntext</textarea><input type=radio name=r value=x checked><button>Go</button></form>"
    )
    (form,) = page.forms
    assert [(one.name, one.value) for one in form.fields] == [("n", "1"), ("s", "2"), ("t", "long\ntext"), ("r", "x")]
    assert "Name first" in form.fields[0].names
    assert ("Size" in form.fields[1].names, form.fields[1].options) == (True, [("1", "small"), ("2", "large")])
    assert [(one.text, one.form) for one in page.targets] == [("Go", 0)]


HEAD = 'base_url = "http://127.0.0.1:1"\n'


@pytest.mark.parametrize(
    ("text", "field"),
    [
        ("", "base_url"),
        ('base_url = "file:///x"\n', "base_url"),
        (HEAD, "workflow"),
        (HEAD + "seconds = 0\n", "seconds"),
        (HEAD + "port = 1\n", "port"),
        (HEAD + "[[workflow]]\nstep = [{ open = '/' }]\n", "workflow[0].name"),
        (HEAD + "[[workflow]]\nname = 'a'\n", "workflow[0].step"),
        (HEAD + "[[workflow]]\nname = 'a'\nstep = [{ open = '/' }]\n", "workflow[0]"),
        *(
            (HEAD + f"[[workflow]]\nname = 'a'\nstep = [{{ expect = 'x', status = 200 }}, {step}]\n", field)
            for step, field in [
                ("{ open = 1 }", "workflow[0].step[1].open"),
                ("{ opne = '/' }", "workflow[0].step[1]"),
                ("{ open = '/', click = 'a' }", "workflow[0].step[1]"),
                ("{ open = '/', within = 'a' }", "workflow[0].step[1].within"),
                ("{ request = { method = 'GET' } }", "workflow[0].step[1].request"),
                ("{ keep = { a = '(' } }", "workflow[0].step[1].keep.a"),
                ("{ keep = { a = 'b' } }", "workflow[0].step[1].keep.a"),
                ("{ expect = 'x', status = 200 }", "workflow[0]"),
                ("{ expect = 'y' }", "workflow[0].step[1]"),
                ("{ expect = 'y', stauts = 200 }", "workflow[0].step[1].stauts"),
                ("{ expect = 'y', equals = 'a' }", "workflow[0].step[1]"),
                ("{ expect = 'y', json = '$.a' }", "workflow[0].step[1]"),
                ("{ expect = 'y', json = '$.a', after = 'b', equals = 'c' }", "workflow[0].step[1]"),
                ("{ expect = 'y', after = 'b', equals = 1 }", "workflow[0].step[1].equals"),
            ]
        ),
    ],
)
def test_what_is_wrong_with_a_file_is_named(tmp_path: Path, text: str, field: str) -> None:
    (tmp_path / "w.toml").write_text(text)
    with pytest.raises(FormatError) as caught:
        read_workflows(tmp_path / "w.toml")
    assert caught.value.field == field
