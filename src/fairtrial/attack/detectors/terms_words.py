"""The words by which an instruction forbids, allows, asks and grades, as patterns; used by `terms`.

English only. A negation counts where a deed stands right behind it: "never change X", not "X must never lose a row".
"""

from __future__ import annotations

import re

_CHANGE_VERBS = (
    r"(?:chang|edit|add(?!r)|modif|alter|touch|writ|delet|remov|renam|mov|replac|tamper|adjust|updat|weaken|loosen|"
    r"patch|"
    r"overwrit|disabl|skip|relax|regenerat|silenc|suppress|restart|reset|stop|kill|re-?record|lower|turn(?:ed|"
    r"ing)? off|"
    r"switch(?:ed|ing)? off|rework|rewrit|reorder|exclud|mask|bypass|circumvent|mock|shift|bend|broaden)\w*"
)
_READ_VERBS = (
    r"(?:read|open|look|inspect|view|consult|see|seen|peek|cop(?:y|ied|ying)|us(?:e|ed|ing)|cat|brows|mine|mining|"
    r"search|"
    r"deriv|access|train|tak(?:e|en|ing)|fetch|download|quer|go(?: into| near| to|ing)|enter|visit|rely|depend|import|"
    r"call|cherry-pick|obtain|borrow|ask)\w*"
)
_NEGATION = (
    r"(?:do not|don['\u2019]t|must not|mustn['\u2019]t|may not|shall not|should not|shouldn['\u2019]t|"
    r"cannot|can not|"
    r"can['\u2019]t|never|not to|neither|nor|without|avoid|refrain from|instead of|rather than|no need to|"
    r"(?:not|n['\u2019]t) (?:allowed|permitted|free|entitled|supposed|expected) to|nobody may)"
)
CHANGE = re.compile(rf"\b{_CHANGE_VERBS}\b", re.IGNORECASE)
READ = re.compile(rf"\b{_READ_VERBS}\b", re.IGNORECASE)
ACTIVE = re.compile(
    rf"\b{_NEGATION}\s+(?:to\s+)?(?!be\b)(?:(?:directly|ever|in any way|actually|even|try to|attempt to|otherwise|"
    rf"also|"
    rf"manually|simply|just)\s+)*(?:{_CHANGE_VERBS}|{_READ_VERBS})\b|"
    r"\bno (?:changes?|edits?|modifications?) (?:to|in|of)\b|\b(?:not|never|n['\u2019]t) (?:accept|want|take|merge) "
    r"(?:any )?(?:changes?|edits?|patches) (?:to|in|of)\b|"
    r"\bno (?:access|peeking|looking) (?:to|at|into)\b|"
    r"\bstay out of\b|"
    r"\bkeep (?:out of|away from)\b|\bhands off\b|\bonly\b[^/.]*\b(?:may|can) (?:change|edit|alter)\s+(?=[\w`./])",
    re.IGNORECASE,
)
"""A deed forbidden, with what it is done to behind it."""
PASSIVE_CHANGE = re.compile(
    rf"\b(?:not|never|n['\u2019]t)\s+(?:to\s+)?be(?:ing)?\s+(?:\w+ly\s+)?{_CHANGE_VERBS}\b|\bread[- ]only\b|"
    rf"\bowned by\b|"
    r"\bbelongs? to\b|\b(?:is|are) (?:[\w' ]{1,40} )?property\b|\b(?:is|are|stays?|remains?|keeps?|"
    r"kept) (?:as (?:is|it is|they are|"
    r"(?:you )?found)|the same|fixed|frozen|untouched|unchanged|unmodified|intact|locked|immutable)\b|"
    r"\bleave\b.*\b(?:as (?:is|"
    r"it is|they are|(?:you )?found)|untouched|unchanged|intact)\b|\bkeep\b.*\b(?:as (?:is|it is|they are)|"
    r"untouched|unchanged|intact)\b|"
    r"\b(?:must|ha(?:s|ve) to|(?:is|are) to|should) (?:stay|remain|be (?:left|kept)(?! out))\b|\buntouched\b|"
    r"\bmay not change\b|\b(?:maintained|governed|administered|curated|signed off|owned) by (?!you)|"
    r"\bwho (?:maintains?|owns?|keeps?) (?:it|them)\b|\bagreed (?:up)?on with\b|\bagreed with\b|\bnot at all\b|"
    r"\bnot (?:open to |up for )(?:discussion|debate|change)\b|"
    r"\bpart of the contract\b|\bneither\b.*\bnor\b.*\b(?:ours|yours|for you)\b|\bplease leave(?: (?:it|them|those|"
    r"both))?\W*$|"
    r""
    r"\b(?:under no circumstances|on no account|not negotiable|non-negotiable)\b|"
    r"\b(?:not|none) (?:(?:a )?part )?of your (?:work|task|job|concern|business|remit)\b|\bnot (?:ours|for (?:you|"
    r"us)) to\b|"
    r"\bout of (?:your )?reach\b|\btreat (?:it|them|this|these)? ?as (?:given|fixed|read-only)\b|"
    r"\b(?:changes?|edits?) (?:to|in|of)\b.*\b(?:is|are|be|get) (?:\w+ )?(?:reverted|overwritten|undone|discarded|"
    r"rejected|ignored|refused)\b|\b(?:is|are) replaced before (?:grading|scoring)\b|"
    r"\b(?:is|are) (?:the |our |their )?(?:[\w-]+ ){0,4}[\w-]+(?:['\u2019]s|s['\u2019])(?: (?:own|alone))?\W*$",
    re.IGNORECASE,
)
"""Says of what it names that it is not to be changed."""
PASSIVE_READ = re.compile(
    rf"\b(?:not|never|n['\u2019]t)\s+(?:to\s+)?be(?:ing)?\s+(?:\w+ly\s+)?{_READ_VERBS}\b|\b(?:leave|keep|left|kept|"
    rf"stays?|remains?)\b.*"
    r"\b(?:closed|shut|unread|unopened)\b|\b(?:is|are|strictly|kept) (?:private|confidential|withheld|hidden|"
    r"secret)\b|"
    r"\bnot for (?:you|use|training|agents?|reading)\b|\b(?:is|are|meant|there) (?:only )?for (?:the |"
    r"our )?[\w -]{2,30} "
    r"(?:only|alone)\b|\breserved for\b|\bmust not come from\b",
    re.IGNORECASE,
)
WHOLLY = re.compile(
    r"\b(?:off[- ]limits|out of bounds|out of scope|forbidden|prohibited|disallowed|against the rules|"
    r"leave\b.*\b(?:alone|be|"
    r"in peace)|stay out of|keep (?:out of|away from)|hands off|not yours|none of your business|"
    r"counts? as cheating)\b|"
    r"\b(?:is|are) not$",
    re.IGNORECASE,
)
"""Forbids every deed."""
ALLOWS = re.compile(
    r"\b(?:you (?:may|can|could|are free|are allowed|are welcome)|feel free|"
    r"(?:is|are) (?:allowed|permitted|fine|okay|ok|public|open|yours|welcome|available)|"
    r"may (?:be )?(?:read|run|use|change|edit|alter|look|shift|vary|move|adapt)\w*|"
    r"allowed to|free to|as often as you like|if (?:you )?(?:need|want|like|useful|helpful)|at your disposal|"
    r"read-only access|go ahead)\b",
    re.IGNORECASE,
)
ASKS = re.compile(
    r"^(?:(?:please|then|also|and|finally|next|first|now|your (?:task|job) is to|we (?:want|need)(?: you)? to|"
    r"you (?:must|should|need to|have to)|make sure (?:to|that)|[-*\d.)]+)\s+)*(?:add|write|fix|update|create|"
    r"implement|extend|improve|increase|raise|refactor|migrate|port|rewrite|repair|make|bring|get|build|produce|"
    r"replace|rename|"
    r"remove|delete|change|edit|convert|adapt|correct|clean|set|configure|install|change|split|move|adjust|document|"
    r"cover|regenerate|tidy|speed|optimi[sz]e|reduce|modernis?e|skip|mark|quarantine|disable|enable|use|"
    r"call)\b(?![./]\w)|"
    r"\b(?:add|write|update|extend|adapt|fix|create|provide|include)\b[^.]{0,40}\btests?\b",
    re.IGNORECASE,
)
GRADES = re.compile(
    r"\b(?:grad(?:ed|es|ing|er)|scor(?:ed|es|ing|er)|verif(?:ied|ies|ier|ication)|checked (?:by|with|against)|checks?|"
    r"evaluat(?:ed|es|ion|or)|judged?|accept(?:ed|ance)|compares?|compared|CI (?:runs|will run)|(?:is|are|"
    r"will be) run|"
    r"measured by|tested (?:by|with|against)|validat(?:ed|es|or)|reviewed by|passes? when|success is|"
    r"runs? (?:the )?(?:hidden|private|whole))\b",
    re.IGNORECASE,
)
NOUNS: dict[str, re.Pattern[str]] = {
    "tests": re.compile(r"\b(?:unit |regression |existing |visible )*tests?\b(?! (?:data|bench|drive|site|environment|"
                        r"database|server|account))|\btest[- ]suites?\b|\bspecs?\b|\bassertions?\b|\bsuite\b",
                        re.IGNORECASE),
    "grader": re.compile(r"\b(?:grader|scorer|verifier|checker|judge|harness|validator|evaluator|(?:grading|scoring|"
                         r"evaluation|verification|check|acceptance|probe) (?:script|tool|code|material|suite)s?)\b",
                         re.IGNORECASE),
    "answers": re.compile(r"\b(?:answers?|solutions?|expected (?:outputs?|results?|values?|files?)|references?|gold\w*|"
                          r"ground truth|answer key|hidden (?:tests?|cases?|set))\b", re.IGNORECASE),
    "history": re.compile(r"\b(?:history|git log|upstream|commits?|object store|reflog|released (?:fix|version)|"
                          r"(?:later|newer|future) (?:releases?|versions?|commits?)|branches|tags|pull requests?)\b",
                          re.IGNORECASE),
    "network": re.compile(r"\b(?:network|internet|online|web|download(?:s|ing)?|remote|"
                          r"external (?:services?|sources?))\b",
                          re.IGNORECASE),
    "benchmark": re.compile(r"\b(?:benchmarks?|eval(?:uation)? (?:set|data|questions?|items?)|test (?:set|split|data)|"
                            r"leaderboard)\b", re.IGNORECASE),
    "keys": re.compile(r"\b(?:credentials?|(?:api|access|secret) keys?|tokens?|passwords?|secrets?|"
                       r"(?:other|external|stronger|teacher|another|hosted|proprietary) models?|teachers?|admin)\b",
                       re.IGNORECASE),
    "environment": re.compile(r"\b(?:environment|runner|CI|clock|timer|PATH|interpreter|site-packages|toolchain|"
                              r"compiler|system|configuration|warnings?|flags?|thresholds?|limits?|checks)\b"),
}  # fmt: skip
"""What terms are about, where they name no path."""

_WORK = r"(?:chang|edit|modif|touch|alter|work(?!s)|writ|commit|add)\w*"
ONLY = re.compile(
    rf"\b{_WORK}\b(?: \w+){{0,2}}? (?:only|nothing but|nothing except|solely|exclusively)\b(?! (?:if|when|after|"
    rf"once|to|for)\b)|"
    rf"\bonly (?:{_WORK} )?(?=[\w./`~-]*[./][^;]*\b(?:may|can|should|must|is to|are to|to) be {_WORK})|"
    rf"\bnothing (?:outside|but|except|other than|besides|beyond)\b(?=.*\b(?:be )?{_WORK})|"
    rf"\b(?:no|not|never|n['\u2019]t|nor) [^,;]{{0,40}}\b(?:outside|elsewhere than|other than in|beyond)\b|"
    rf"\b(?:confine|restrict|limit|keep) (?:your|all|the) (?:changes|edits|work)\b|"
    rf"\b(?:work|stay|remain|changes?|edits?) (?:only |solely )?(?:in|inside|within|under|"
    rf"to) (?=[^,;]{{1,60}}\bonly\b)|"
    rf"\ball (?:your )?(?:changes|edits) (?:go|belong|stay|must (?:be|stay|go)) (?:in|inside|within|into|under)\b",
    re.IGNORECASE,
)
"""Confines changes to what it names."""
ALL_BUT = re.compile(
    r"\b(?:anything|everything|all(?: (?:other )?files)?|any (?:other )?file|whatever you (?:like|want|need)|"
    r"freely)\b[^;]{0,40}"
    r"\b(?:except(?: for| in)?|apart from|other than|save(?: for)?|excluding|besides|with the exception of)\b",
    re.IGNORECASE,
)
"""Allows all, less what it names behind."""
