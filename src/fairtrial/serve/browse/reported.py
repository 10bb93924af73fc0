"""The report, alive: the same sections as the frozen file, made of what the ledger holds now."""

from __future__ import annotations

import shlex

from starlette.requests import Request
from starlette.responses import Response

from fairtrial.ledger import TABLES, Ledger
from fairtrial.ledger.queries import Selection, observe
from fairtrial.measure import Options, measure
from fairtrial.report import Report, build
from fairtrial.report.audited import read_audited
from fairtrial.report.charts import Drawing, draw_figure
from fairtrial.report.gather import has_rollouts, nothing_measured, read_context, read_findings, read_proofs
from fairtrial.report.trained import read_trained
from fairtrial.serve.browse.kept import kept_of
from fairtrial.serve.pages import by_attribute, page, site_of


def report_page(request: Request) -> Response:
    """Show the report; it is made again where the ledger has grown."""
    ledger = site_of(request).ledger
    report, drawings = kept_of(request).fresh("report", tuple(TABLES), lambda: _made(ledger))
    return page(request, "live_report.html.j2", report=report, drawings=drawings)


def _made(ledger: Ledger) -> tuple[Report, dict[str, tuple[Drawing, ...]]]:
    options = Options()
    measured = (
        measure(observe(ledger, Selection()), options) if has_rollouts(ledger)
        else nothing_measured(options.group_size, options.seed)
    )  # fmt: skip
    proofs = read_proofs(ledger)
    command = shlex.join(["fairtrial", "report", str(ledger.path), "--out", "report"])
    report = build(measured, proofs, read_findings(ledger, proofs),
                   read_context(ledger, proofs, commands=[command]), read_audited(ledger, proofs),
                   read_trained(ledger, options.seed))  # fmt: skip
    figures = [figure for section in report.sections for block in section.blocks for figure in block.figures]
    return report, {figure.key: tuple(map(by_attribute, draw_figure(figure))) for figure in figures}
