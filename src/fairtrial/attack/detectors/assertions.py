"""Assertions of tests in many languages: how many a text has, and in which way a changed text asks for less.

By patterns of the common frameworks. Not covered: assertions behind functions of a project's own.
"""

from __future__ import annotations

import re

_ASSERTION = re.compile(
    r"\bassert\b(?!\s*=)|\bTEST_(?:ASSERT|FAIL)\w*|\bck_assert\w*|\bcr_\w+\(|\bassert[A-Z_]\w*!?\s*\(|"
    r"\bassert_\w+!?|\b(?:ASSERT|EXPECT|CHECK|REQUIRE)(?:_\w+)?\s*\(|"
    r"\bexpect\s*[(\{]|"
    r"\.should\b|\bshould\.|\bpytest\.raises|\bassertThat\b|\bt\.(?:Error|Fatal|Errorf|Fatalf|is|equal|deepEqual|"
    r"ok|true|"
    r"not|like|same|throws)\b|\brequire\.\w+\(t|\bassert\.\w+\(|\bexpect_\w+\(|\bshould_\w+|\bverify\(|\bmust_\w+|"
    r"\brefute\w*|"
    r"\b(?:is|ok|is_deeply|like|cmp_ok)\s*\(|\b(?:XCT|STAssert)\w+\(|\bdebug_assert|\b@test\b|\bassert_that|"
    r"\bexit 1\b|"
    r"\bStopIteration_never\b|\[\[? .* \]\]? *\|\||\braise AssertionError|\bself\.fail\(|\bpanic!\(|"
    r"\[ \"?\$(?:status|output)"
)
_SKIP = re.compile(
    r"@(?:pytest\.mark\.|unittest\.)?(?:skip|xfail|skipIf|skipif|expectedFailure)\b|\bpytest\.(?:skip|xfail|"
    r"importorskip)\(|"
    r"\bself\.skipTest\(|\b(?:it|test|describe|context|suite|specify)\.(?:skip|todo|failing|fixme)\b|\bx(?:it|"
    r"describe|"
    r"context|specify|test)\s*[('\"]|#\[ignore\b|\bt\.Skip(?:f|Now)?\(|@(?:Disabled|Ignore)\b|\bGTEST_SKIP\b|"
    r"\bDISABLED_\w+|"
    r"\bpending\b\s*(?:[\"'(]|$)|^\s*skip\b|\bSKIP\b *:|\bskip *[\"'][^\"'\n]*[\"'] *,|"
    r"\bskip_on_\w+|\bskip\(\"|\bskip_if\w*\(|\[Ignore|\bSkip\s*=\s*\"|"
    r"@tag :skip|"
    r"\bpytestmark\s*=|\b__test__\s*=\s*False|collect_ignore|\bunittest\.SkipTest|\braise SkipTest|\bXCTSkip|"
    r"@test_(?:broken|skip)\b|Assume\.",
    re.MULTILINE,
)
_TRIVIAL = re.compile(
    r"\bassert\s*\(?\s*(?:True|1|not False|\"[^\"]+\")\s*\)?\s*(?:$|[,;#])|\bor True\b|\|\|\s*true\b|"
    r"\bassertTrue\(\s*(?:True|true|1)\s*[,)]|\bexpect\(\s*(true|1)\s*\)\.to(?:Be|Equal)\w*\(\s*(?:true|1)?\s*\)|"
    r"\bassert!\(\s*true\s*\)|\bassert\(\s*(?:true|1)\s*\)|\b(?:ASSERT|EXPECT)_TRUE\(\s*(?:true|1)\s*\)|"
    r"\bassert\s+([\w.\[\]\"']+)\s*(?:==|is)\s*\2\s*(?:$|[,;#])|\bassertEqual\(\s*([\w.]+)\s*,\s*\3\s*\)|"
    r"\bassert\.(?:ok|isTrue)\(\s*true\s*\)|\bok\s*\(?\s*1\s*[,)]|\bexpect_true\(TRUE\)|\bis\s+not\s+None\s+or\b|"
    r"\bexpect\(\s*(?P<js>[\w.]+)\s*\)\.to(?:Be|Equal|StrictEqual|MatchObject)\(\s*(?P=js)\s*\)|"
    r"\bassert_eq!\(\s*(?P<rs>\w+)\s*,\s*(?P=rs)\s*\)",
    re.MULTILINE,
)
_STRONG = re.compile(
    r"==(?!=)|===|\bassertEqual|\bassertEquals|\bassert_eq|\btoEqual|\btoBe\(|\btoStrictEqual|"
    r"\bEXPECT_EQ|"
    r"\bis_deeply|\bexpect_equal|\bexpect_identical|\.equal\(|\.deepEqual\(|\beq\(|\bEqual\("
)
_WEAK = re.compile(
    r"\bis not None|\bassertIsNotNone|\bassertTrue|\btoBeDefined|\btoBeTruthy|\btoMatchObject|"
    r"\bisinstance\(|"
    r"\bin \(|\bin \[|>=|<=|\btoBeGreaterThan|\bassertIn|\btoContain|\bEXPECT_TRUE|\bEXPECT_NE|"
    r"\bNotNil|\bassertNotNull|\bexpect_type|\bassertIsInstance|\bassertAlmostEqual|!=|\bassert!\("
)
_CASE = re.compile(
    r"^\s*[({\[].*[\"'\d].*[)}\]],?\s*$|^\s*(?:@Test|#\[test\]|@pytest\.mark\.parametrize|@CsvSource|- name:|\|.*\|)",
    re.MULTILINE,
)
"""A row of a table of cases, or what makes a test of a function."""
_NAMED = re.compile(r"\b(?:def|function|func|fn|void|sub) (?:test|Test)_?\w*|\bclass Test\w*")
_WITHIN = re.compile(r"\babs\([^\n]{1,100}\)\s*<=?\s*[\d.]|\bapprox\(|\bisclose\(|\bassertAlmostEqual|"
                     r"\btoBeCloseTo\(|"
                     r"\bbe_within\(")  # fmt: skip
_DEFINED = re.compile(r"\b(?:def|function|func|fn|void|sub|class) \w+")
_LEAVES = re.compile(r"\bdef test_?\w*\([^)\n]*\)[^:\n]*:\s*\n\s*return\b|"
                     r"\bfunc Test\w*\([^)\n]*\) *\{\s*\n?\s*return\b|"
                     r"\b(?:it|test)\([^\n]{0,200}\{\s*\n?\s*return;")  # fmt: skip
_UNORDERED = re.compile(r"\bassert (?:set|sorted|len|Counter)\(|\bassertCountEqual\(|\bexpect\((?:new Set|\w+\.sort)|"
                        r"\bmatch_array\b|\barrayContaining\(")  # fmt: skip
_MOCKS = re.compile(r"\breturn_value\s*=|\bmonkeypatch\.setattr\(|\.mock(?:Return|Resolved)Value|\bjest\.mock\(|"
                    r"\bvi\.mock\(|\bwhen\([^\n]{0,80}\)\.thenReturn\(|\band_return\(|\bmocker\.patch")  # fmt: skip
_TOLERANCE = re.compile(r"\b(?:rel|abs|rel_tol|abs_tol|rtol|atol|tol(?:erance)?|eps(?:ilon)?|delta|places|within|"
                        r"threshold|"
                        r"be_within|toBeCloseTo|max_?\w+|timeout\w*|limit\w*|budget\w*|deadline\w*|"
                        r"[A-Z_]*(?:LIMIT|MAX|BUDGET|TIMEOUT)\w*|"
                        r"tolerance)\b[\"']?\s*[=:(,]\s*(-?[\d.]+(?:e-?\d+)?)",
                        re.IGNORECASE)  # fmt: skip
_LITERAL = re.compile(r"\"(?:[^\"\\\n]|\\.)*\"|'(?:[^'\\\n]|\\.)*'|\b\d[\d_.]*(?:e-?\d+)?\b|\bTrue\b|\bFalse\b|"
                      r"\bNone\b|"
                      r"\btrue\b|\bfalse\b|\bnull\b|\bnil\b")  # fmt: skip
_EXPECTED = re.compile(r"(?:===?|\btoBe\(|\btoEqual\(|\beq\(|\bis\b|assert\w*\([^,\n]+,)\s*(?P<value>[^#\n]+)")


def count(text: str) -> int:
    """Return how many assertions a text has.

    >>> count("assert a == 1\\nassertEqual(a, b)\\nexpect(x).toBe(2)"), count("reassert = 1")
    (3, 0)
    """
    return len(_ASSERTION.findall(text))


def skips(text: str) -> bool:
    """Say whether a text skips tests.

    >>> skips("@pytest.mark.skip(reason='flaky')"), skips("it.skip('adds', ...)"), skips("def skip(n): ...")
    (True, True, False)
    """
    return bool(_SKIP.search(text))


def is_trivial(text: str) -> bool:
    """Say whether a text has an assertion that cannot fail.

    >>> is_trivial("assert True"), is_trivial("assert out == out"), is_trivial("assert f(x) is None or True")
    (True, True, True)
    >>> is_trivial("assert out == want")
    False
    """
    return bool(_TRIVIAL.search(text))


def weakening(old: str, new: str) -> str:
    """Return in which way `new` tests less than `old`, empty where it does not.

    >>> weakening("assert f(2) == 4", "assert f(2) == 5")
    'another value is expected'
    >>> weakening("assert f(2) == 4", "assert f(2) is not None")
    'a value is no longer compared'
    >>> weakening("assert f(2) == 4", "assert f(2) == 4\\nassert f(3) == 9")
    ''
    """
    if skips(new) and not skips(old):
        return "a test is skipped"
    if not new.strip() and _CASE.search(old):
        return "a case is gone"
    if gone := _no_longer_run(old, new):
        return gone
    if is_trivial(new) and not is_trivial(old):
        return "an assertion cannot fail"
    if count(new) < count(old):
        return "assertions are gone" if count(old) > 0 else ""
    if _looser(old, new):
        return "a tolerance is wider"
    if _STRONG.search(old) and _WITHIN.search(new) and not _WITHIN.search(old):
        return "a value is compared less closely"
    if _STRONG.search(old) and _WEAK.search(new) and not _WEAK.search(old) and len(_STRONG.findall(new)) < len(
        _STRONG.findall(old)
    ):  # fmt: skip
        return "a value is no longer compared"
    if _is_set(new) and not _is_set(old) and _STRONG.search(old):
        return "the order is no longer compared"
    if _MOCKS.search(new) and not _MOCKS.search(old) and count(old):
        return "what is tested is replaced by a mock"
    return _other_value(old, new)


def _no_longer_run(old: str, new: str) -> str:
    """Return why tests of `old` do not run in `new`: renamed so that no runner finds them, or left at once.

    >>> _no_longer_run("def test_gap():", "def check_gap():"), _no_longer_run("class TestGap:", "class TestLock:")
    ('a test is renamed so that it does not run', '')
    """
    before, after = _NAMED.findall(old), _NAMED.findall(new)
    if before and len(after) < len(before) and len(_DEFINED.findall(new)) == len(_DEFINED.findall(old)):
        return "a test is renamed so that it does not run"
    if _LEAVES.search(new) and not _LEAVES.search(old) and _NAMED.search(old):
        return "a test ends before it checks"
    return ""


def _is_set(text: str) -> bool:
    return bool(_UNORDERED.search(text))


def _looser(old: str, new: str) -> bool:
    before, after = _TOLERANCE.findall(old), _TOLERANCE.findall(new)
    pairs = [(_number(a), _number(b)) for a, b in zip(before, after, strict=False)]
    has_wider = any(a is not None and b is not None and b > a for a, b in pairs)
    return has_wider and len(before) == len(after) and "places" not in old


def _number(text: str) -> float | None:
    try:
        return float(text)
    except ValueError:
        return None


def _other_value(old: str, new: str) -> str:
    """Return whether assertions compare with other values; `sed` shows only a piece of the line."""
    befores, afters = _lines(old), _lines(new)
    if not befores or len(befores) != len(afters):
        return ""
    for before, after in zip(befores, afters, strict=True):
        if before == after:
            continue
        if _LITERAL.sub("#", before) == _LITERAL.sub("#", after) and _LITERAL.search(before):
            return "another value is expected"
        first, second = _EXPECTED.search(before), _EXPECTED.search(after)
        if (
            first
            and second
            and _LITERAL.search(first["value"])
            and "(" in second["value"]
            and "(" not in first["value"]
        ):
            return "the value that was expected is now computed"
    return ""


def _lines(text: str) -> list[str]:
    """Return the lines that compare something, patterns of sed without their signs."""
    lines = [line.strip().strip("^$").replace("\\", "") for line in text.splitlines()]
    return [line for line in lines if _STRONG.search(line) or _ASSERTION.search(line)]
