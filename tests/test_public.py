"""What other people's code may import: the names that each package exports, as a list to be changed on purpose.

Not covered: what the names do. A package without `__all__` exports nothing.
"""

from __future__ import annotations

import importlib
import inspect
import pkgutil

import pytest

import fairtrial

EXPORTED = {
    "fairtrial": """
        CheckResult Estimate FairtrialError Finding InputError Proof Review Rollout Verdict __version__
    """,
    "fairtrial.attack.detectors": """
        Act Clause Detected Detector GROUPS Hit SUSPECTED Seen Terms detect detectors judged see summed
    """,
    "fairtrial.attack.reading": """
        Hit RULES Rule Sources confirmed_by read_grader read_source read_sources source_of
        sources_of unread_files
    """,
    "fairtrial.attack.reading.binding": "Bound read_bindings",
    "fairtrial.attack.text": """
        Completion Messages PROBES TextCase TextProbe TextSubmission text_of
    """,
    "fairtrial.audit.sampling": """
        BY Bought Design Drawn Frame Population Read Unit bought correlation counts_for design_of
        document_of draw frame_of frame_of_sample grow kept_properties ordered_frame read_units sample_named sizes
    """,
    "fairtrial.audit.agreement": """
        Agreed Compared JudgeCompared QUESTIONS Question QuestionAgreement Rated Table Together agreement
        document_of rated
    """,
    "fairtrial.audit.hacks": """
        AT_LEAST Hacks JUDGES LINE Member Said Share Window document_of hacks said_by_judge said_by_people
        windows
    """,
    "fairtrial.audit.estimating": """
        Agreement Bounds Counts ErrorRates FailureShares HackBound JudgeQuality Looked Material Options Rates
        ShapeRow Shapes Sources StratumCount document_of estimate read_material
    """,
    "fairtrial.audit.judging": """
        Bench Broken Case Held Judge JudgeSettings Judged Keys SCHEMA Spoken Work cases_of document_of
        held_by judge_all read_keys reviewer_name
    """,
    "fairtrial.audit.checklist": """
        Answered Checklist Decided Filled Item Population TaskRef blank_form decide drawn find_checklist
        inspections_of read_checklist read_form standing_answers tasks_of_ledger tasks_of_suite
    """,
    "fairtrial.audit.pairs": """
        Compared Consistency Pairs Ranking Settled Unsettled consistency rank_pairs read_pairs settle
    """,
    "fairtrial.audit.tasks": """
        Answer Design QUESTIONS SECOND_DESIGN TriedDesign blank_form document finding_of read_design read_form
        signoff_of try_design
    """,
    "fairtrial.board": "Board Changes Options Records SCHEMA changes document_of make_board read_records",
    "fairtrial.checks": """
        Check CheckError CheckRule ChecksFile Declared Given Inside Report Result Rules Score
        aggregate catalogue find in_box outside read_checks
    """,
    "fairtrial.checks.aggregation": """
        Axis CheckRule Measure OWN_MEASURES Role Row Rules Score Scorer aggregate aggregate_group
        dependency_order ranks shares
    """,
    "fairtrial.checks.code": "CHECKS mapping_for",
    "fairtrial.checks.code.adapting": "Mapped Match Naming Propose",
    "fairtrial.checks.code.drivers": "source",
    "fairtrial.checks.cost": "CHECKS",
    "fairtrial.checks.judged": """
        CHECKS Judgement Judges Preference Question Source Vote artifacts_of judge prefer preferring
        steps_of text_source warnings_in warnings_of
    """,
    "fairtrial.checks.judged.driver": "judged_workflow reader",
    "fairtrial.checks.state.workflows": """
        App Asks BrowserVisitor Fact HttpVisitor Seen Step Visitor Walk Walks Workflow Workflows answers
        read_workflows told walk workflow workflow_of
    """,
    "fairtrial.checks.process": "CHECKS Trajectory",
    "fairtrial.checks.rewardkit": "Translation read_rewardkit",
    "fairtrial.checks.state": "CHECKS",
    "fairtrial.compare": "KINDS Equivalence Stated equivalent",
    "fairtrial.formats": """
        Batch Imported Options READERS Reader Skipped also_there recognised store
    """,
    "fairtrial.formats.exports": """
        Demonstration Exporter File Kind Origin Pair Prompt Question Row Turn Written conversation find
        has_pictures trajectory_of
    """,
    "fairtrial.grade": """
        CheckRule Grader Grading HarborGrader PASS_AT Reward Rules Score aggregate deliverable_paths proposals_of
        read_items read_reward read_rules
    """,
    "fairtrial.attack": """
        Card Change EVERY_RUNNER OURS Probe Submission Target cards catalogue_version find survey
        workspace_probes
    """,
    "fairtrial.attack.hacker": """
        PROBES
    """,
    "fairtrial.attack.judges": """
        JudgeCase JudgeCases JudgeProbe JudgeSubmission PROBES read_cases
    """,
    "fairtrial.grade.groupwise": """
        Chosen Criteria Criterion Group Passing Prefer Ranked Ranking groups_of is_confirmed_hack
        is_disputed_hack rank_group ranks read_criteria shares work_of
    """,
    "fairtrial.grade.judges": """
        Judge Judged Shown ask_judge read_judge read_verdict rendered
    """,
    "fairtrial.prove.judges": """
        Brought JudgeOptions ProvenJudge prove_judge questions_wanted refuse_unknown
    """,
    "fairtrial.ledger": """
        Appended Appender IdSet Ledger Record TABLES VERSION Writer connect damage rows_of
    """,
    "fairtrial.measure": """
        Band Bins Comparison Consistency Curve FrontPoint Gradient Measurement ModelFigures Options Outage
        Reversed Spend StopCount Suspect measure
    """,
    "fairtrial.measure.correction": """
        Corrected Population TwoPhase prediction_powered rogan_gladen
    """,
    "fairtrial.measure.intervals": """
        ClusteredMean Difference Share Strata Weighted Z_95 clustered_mean clustered_ratio difference
        effective_wilson finite_share stratified stratified_zero_bound upper_bound weighted_share wilson
        zero_bound
    """,
    "fairtrial.measure.suspects": """
        can_be_suspected suspects_of
    """,
    "fairtrial.contamination.near_copies": "Chain Cut NearCopies find_vectors near_copies",
    "fairtrial.contamination.identity": "Evidence Identity SCHEMA Verdict compare_models",
    "fairtrial.models": """
        Answered Budget Cache Call Image Infrastructure LanguageModel Message ModelSpec Outcome OverBudget Parsed
        Patience Price Refused Reply Request Returned Said ScriptedServer Spent Tool Truncated Unparsed
        Usage preflight request structured
    """,
    "fairtrial.prove": """
        Known ProbeOutcome ProveOptions ProvenTask case_of held is_known_label keep known_candidates
        probes_wanted prove trials_wanted
    """,
    "fairtrial.prove.certificate": """
        Accepted Baseline Certificate CertifiedSignoff Circumstances ReadCertificate Reckoned Rerun Verification
        VerifiedTask VoidSignoff baseline_of certificate certificate_document circumstances junit plan read_baseline
        read_certificate reckon sarif verify
    """,
    "fairtrial.prove.text": """
        Box Brought Framework GraderCase GraderTarget Harness Interpreter Place Plain ProvenText TextOptions
        cases_of_grader drawn look_at own_environment prove_text read_cases read_target
    """,
    "fairtrial.records": """
        CheckResult CheckStatus Checkpoint Citation Degenerate Draw Environment Estimate FairtrialError Finding
        FormatError GraderError InputError Inspection Instruction Label LedgerError Limits ModelError Origin Outcome
        Preference Proof Review Rollout Rule Ruled Ruling Runner Sample SandboxError Screening ScreeningKind Severity
        Signoff Stage Status Stratum Submission TaskPart Verdict Withdrawal canonical_json digest record_id storable
    """,
    "fairtrial.report": """
        Context Report SCHEMA Source build json_bytes write
    """,
    "fairtrial.report.board": "Limits write_pages",
    "fairtrial.report.contamination": "ScanPage html markdown page_of write",
    "fairtrial.report.charts": """
        Drawing draw_figure
    """,
    "fairtrial.rules": "BenchmarkRules Standing Track read_rules standing",
    "fairtrial.rules.checking": "Checked Finding SCHEMA check_submission document_of exit_status keep",
    "fairtrial.rules.judging": """
        Evidence Judging Run SCHEMA document_of evidence_of exit_status judge_all
    """,
    "fairtrial.run": """
        Action Agent Assignment Attempt Done Engine Episode FilesAgent InlineEngine LocalEngine Lost
        NullAgent OpenEngine Plan ScriptedAgent Situation SubmissionAgent Tally Trial Tried attempt_seed
        find_engine held_attempts run_plan
    """,
    "fairtrial.contamination.distribution": """
        CALLED Concentration DOMINANT Decoys Distribution Effects Enrichment FEWEST Twin compare_decoys concentration
        distribution dominant effects enrichment
    """,
    "fairtrial.contamination.variants": """
        Found Near Prepared Threshold default_threshold passages prepare threshold_from threshold_of
        threshold_of_scores
    """,
    "fairtrial.contamination.lookup": """
        BenchmarkNames CERTAINTIES Lead Lookups UnreadFile lookups_of
    """,
    "fairtrial.contamination.usage": """
        CERTAINTIES DEFAULT ExternalHosts KNOWN_HOSTS Lead UnreadFile Usage usage_of
    """,
    "fairtrial.train.sets": "Chosen Options Source choose export",
    "fairtrial.sandbox": """
        BASE_VARIABLES Box Bubblewrap Capability Command Completed Container FakeSandbox Killed Local
        Mount Prepared Sandbox Taken credential_names credentials_beside default find host_state
        kept_folder passed_variables scratch_folder
    """,
    "fairtrial.tasks": """
        Candidate CandidateKind Freedom Key Step StepKey Suite Task environment_of_dockerfile
        find_tasks load_suite load_task
    """,
    "fairtrial.attack.artifacts.reading": """
        Database MOST_BYTES Spliced is_code read
    """,
    "fairtrial.train.criteria": """
        KINDS SCHEMA Answer Answers Asker Attempt ScriptedAnswers Bars Criterion HeldOut JudgeWords Kind Made
        MadeCriteria Making Material Probed Scored Selection Side Tried TriedCriteria Work asker_of document_of is_tried
        judge_spec make_criteria read_instructions read_material read_tried score score_all sides split text_work
        try_criteria write_tried
    """,
    "fairtrial.serve": "Reader Role Site application readers_named",
    "fairtrial.serve.browse": "ROUTES",
    "fairtrial.serve.pairs": "ROUTES",
    "fairtrial.serve.review": "ROUTES",
    "fairtrial.serve.steps": """
        Block Needle Shelf StepView Window cited searched shown view_of window
    """,
    "fairtrial.train.credit": """
        Band Counted Drawer advantages_of advantages_with_gaps dealt_by_rank in_band ranked wrong_groups
    """,
    "fairtrial.train.lift": "Curves FamilyGain Lift Lifted Options Reading SeedGain lift pairs",
    "fairtrial.train.price": """
        Arm Credit Priced Taught Worth arms_of credit_by_family logs_of price taught_by_arms taught_by_credit
        tokens_ratio worth
    """,
    "fairtrial.report.lift": "LiftSubject html markdown page_of write",
    "fairtrial.train.recipe": "SCHEMA Credit Evaluation Recipe Sampling Stage Tasks Watch",
    "fairtrial.report.watch": "html page_of write",
    "fairtrial.train.watch": """
        Alarm AlarmKind Attempted Known LiveWatch SCHEMA Shape Watched WatchedStep Watcher is_log of_runs
        watch_ledger watch_log
    """,
    "fairtrial.train.log": "Counts GROUPS GroupLine LogWriter STEPS StepLine counts_of read_groups read_steps",
    "fairtrial.audit.shown": "Meant SCHEMA export_view gathered",
    "fairtrial.authoring.calibrate": """
        AgentTaker BAND_HIGH BAND_LOW Bench Calibration CallableFamily Family ModelTaker Options SCHEMA Taker
        calibrate held_attempts named_family program_family suite_of write_all
    """,
    "fairtrial.authoring.synthetic": "Item Material Means Options PARTS SCHEMA Synthetic examine read_real read_suite",
    "fairtrial.formats.inspect": "looks_like read",
    "fairtrial.formats.scout": "looks_like read",
    "fairtrial.formats.swebench": "looks_like read",
    "fairtrial.formats.verifiers": "looks_like read",
    "fairtrial.formats.viewers": "Shown Told VIEWERS Viewer WrittenFile",
    "fairtrial.posttrain.attempt": "attempt check_sandbox mounts_of variables_of",
    "fairtrial.posttrain.attempt.proxy": "Allowing Proxy",
    "fairtrial.posttrain.attempt.recorder": "Recorder",
    "fairtrial.posttrain.document": "CellResult SCHEMA Told document_of exit_status read_told",
    "fairtrial.posttrain.evaluating": "Evaluated Evaluation Terms evaluate evaluate_decoys read_decoys read_evaluated "
    "record terms_of",
    "fairtrial.posttrain.judging": "check_needs judge nothing_handed_in rules_of",
    "fairtrial.posttrain.running": "Attempter Ran Results Wanted Work references_of run_all",
    "fairtrial.report.posttrain": "html write",
    "fairtrial.report.synthetic": "page_of",
}


def packages() -> dict[str, list[str]]:
    names = ["fairtrial", *(m.name for m in pkgutil.walk_packages(fairtrial.__path__, "fairtrial.") if m.ispkg)]
    found = {name: list(getattr(importlib.import_module(name), "__all__", [])) for name in names}
    return {name: exported for name, exported in found.items() if exported}


def test_packages_export_what_the_list_says() -> None:
    assert {name: sorted(names) for name, names in packages().items()} == {
        name: sorted(names.split()) for name, names in EXPORTED.items()
    }


@pytest.mark.parametrize("package", EXPORTED)
def test_every_exported_name_is_there_and_explained(package: str) -> None:
    module = importlib.import_module(package)
    for name in EXPORTED[package].split():
        exported = getattr(module, name)
        if inspect.isclass(exported) or inspect.isfunction(exported):
            assert inspect.getdoc(exported), name


def test_exported_lists_hold_no_name_twice() -> None:
    assert [name for name, names in packages().items() if len(set(names)) != len(names)] == []
