"""The check `workflow`: does the app show what it should when a user walks through it?"""

from __future__ import annotations

from fairtrial.checks.protocol import Inside, Result
from fairtrial.checks.reading import WorkError
from fairtrial.checks.state.workflows.browser import BrowserVisitor
from fairtrial.checks.state.workflows.http_visit import HttpVisitor
from fairtrial.checks.state.workflows.visitor import Visitor
from fairtrial.checks.state.workflows.walks import Walks, told, workflow_of


def workflow(
    walks: Walks, file: Inside, walk: str, expect: str = "", browser: bool = False, screenshots: str = ""
) -> Result:
    """Walk through an app and check the fact `expect` of the workflow `walk` in a workflows.toml, or all its facts.

    Checks of one workflow share one walk. With `browser`, in Chromium, whose screenshots go to the folder of that name;
    else over HTTP, without scripts. Raise CheckError where there is no browser, or a fact needs a judge.
    """
    read = walks.file(file)
    wanted = workflow_of(read, walk, expect)

    def opened() -> Visitor:
        return BrowserVisitor(read.base_url, screenshots) if browser else HttpVisitor(read.base_url)

    try:
        walks.started(file)
        found = walks.walked((file, walk, str(browser), screenshots), wanted, opened)
    except WorkError as fault:
        return Result(False, str(fault))
    return told(found, wanted, expect)
