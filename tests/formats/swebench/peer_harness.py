"""Run by swebench's own interpreter: its grading of logs, its reports and its summary of a run.

    python peer_harness.py FOLDER

Writes what the harness writes after its containers have ended, and prints what its summary counts.
"""

from __future__ import annotations

import contextlib
import json
import os
import sys
from pathlib import Path

from swebench.harness.grading import get_eval_report
from swebench.harness.reporting import make_run_report
from swebench.types import TestSpec

RUN, MODEL = "first.run", "org/model-4.5"
LOGS = {
    "a__right-1": "PASSED t::fix\nPASSED t::keep\n",
    "a__wrong-2": "FAILED t::fix - no\nPASSED t::keep\n",
    "a__broke-3": "PASSED t::fix\nFAILED t::keep - no\n",
    "a__silent-4": "",
    "a__skipped-5": "SKIPPED t::fix\nPASSED t::keep\n",
}
"""What the tests printed; a silent log holds no result at all."""
STOPPED = {"a__apply-6": ">>>>> Patch Apply Failed:\n", "a__docker-7": "Error creating container\n"}
"""The harness stops before a report."""


def main() -> None:
    """Write the run."""
    os.chdir(sys.argv[1])
    logs = Path("logs/run_evaluation") / RUN / MODEL.replace("/", "__")
    predictions = {}
    for name in (*LOGS, *STOPPED, "a__empty-8"):
        predictions[name] = {"instance_id": name, "model_name_or_path": MODEL, "model_patch": f"diff of {name}"}
    predictions["a__empty-8"]["model_patch"] = ""
    for name, printed in LOGS.items():
        folder = logs / name
        folder.mkdir(parents=True)
        (folder / "patch.diff").write_text(predictions[name]["model_patch"])
        log = folder / "test_output.txt"
        log.write_text(f">>>>> Applied Patch\n>>>>> Start Test Output\n{printed}\n>>>>> End Test Output\n")
        spec = TestSpec(instance_id=name, image="", eval_script_list=[], repo="a/b", version="1",
                        FAIL_TO_PASS=["t::fix"], PASS_TO_PASS=["t::keep"], log_parser="parse_log_pytest",
                        eval_type="pass_and_fail")  # fmt: skip
        report = get_eval_report(spec, predictions[name], str(log), include_tests_status=True)
        (folder / "report.json").write_text(json.dumps(report, indent=4))
    for name, said in STOPPED.items():
        (logs / name).mkdir(parents=True)
        (logs / name / "run_instance.log").write_text(said)
    dataset = [{"instance_id": name} for name in (*predictions, "a__never-9")]
    with contextlib.redirect_stdout(sys.stderr):
        summary = make_run_report(predictions, dataset, RUN)
    print(json.dumps({"summary": str(summary), **json.loads(summary.read_text())}))


if __name__ == "__main__":
    main()
