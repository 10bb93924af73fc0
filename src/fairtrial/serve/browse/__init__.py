"""Browse: overview, tasks, a task with its rollouts, a trajectory, findings, the audit, the report. For the owner."""

from starlette.routing import BaseRoute, Route

from fairtrial.serve.browse.audited import audit_page
from fairtrial.serve.browse.findings import findings_page
from fairtrial.serve.browse.overview import home_page
from fairtrial.serve.browse.reported import report_page
from fairtrial.serve.browse.rollouts import rollouts_page
from fairtrial.serve.browse.tasks import task_page, tasks_page
from fairtrial.serve.browse.trajectory import part_page, picture, steps_part, trajectory_page
from fairtrial.serve.sight import owner_only

ROUTES: tuple[BaseRoute, ...] = (
    Route("/", home_page),
    Route("/tasks", owner_only(tasks_page)),
    Route("/task", owner_only(task_page)),
    Route("/rollouts", owner_only(rollouts_page)),
    Route("/rollouts/{id}", owner_only(trajectory_page)),
    Route("/rollouts/{id}/steps", owner_only(steps_part)),
    Route("/rollouts/{id}/part", owner_only(part_page)),
    Route("/rollouts/{id}/picture/{name}", owner_only(picture)),
    Route("/findings", owner_only(findings_page)),
    Route("/audit", owner_only(audit_page)),
    Route("/report", owner_only(report_page)),
)

__all__ = ["ROUTES"]
