"""Watch a run while it goes on: one call a step, cheap where nothing is wrong.

    watcher = Watcher(recipe.watch, known)
    alarm = watcher.observe(step, groups)
    if alarm is not None and alarm.pauses: ...  # stop; `watcher.watched()` says why and which steps are left out

Not covered: writing (`live`), and runs of others (`from_ledger`).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from fairtrial.audit.hacks import Member
from fairtrial.train.log import GroupLine, StepLine
from fairtrial.train.recipe import Watch
from fairtrial.train.watch.hacking import Hacking, against, hack_share, members_of
from fairtrial.train.watch.health import GraderHealth
from fairtrial.train.watch.known import Known
from fairtrial.train.watch.result import Alarm, Watched, WatchedStep
from fairtrial.train.watch.seen import Seen, seen
from fairtrial.train.watch.silence import Silence
from fairtrial.train.watch.teaching import Teaching
from fairtrial.train.watch.trends import Length, PassRate


class Watcher:
    """Watch one run of one seed. Steps come in order; a step is seen once."""

    def __init__(self, settings: Watch, known: Known | None = None, *, continue_past: int = 0) -> None:
        """Begin. Steps up to `continue_past` were looked at by somebody who said to go on: they never pause again."""
        self._settings = settings
        self._continue_past, self._is_past = continue_past, continue_past <= 0
        self._silence = Silence(settings, known or Known())
        self._health = GraderHealth(settings)
        self._hacking = Hacking(settings)
        self._pass_rate = PassRate(settings)
        self._length = Length()
        self._teaching = Teaching(settings)
        self._steps: list[WatchedStep] = []
        self._alarms: list[Alarm] = []
        self._lacking: list[int] = []
        """Steps with some of their groups in the log."""
        self.raised: tuple[Alarm, ...] = ()
        """Alarms of the last step, as they are kept."""

    def observe(
        self, step: StepLine, groups: Sequence[GroupLine], members: Sequence[Member] | None = None
    ) -> Alarm | None:
        """Return the alarm that this step raised, the one that pauses first; None where there is none.

        `members`: what is said of hacks, where that is not in the groups.
        """
        if step.step > self._continue_past and not self._is_past:
            self._is_past = True
            for part in (self._silence, self._health, self._hacking):
                part.begin_anew()
        one = seen(step, groups)
        drawn = members is not None and not any(group.hacks for group in groups)  # else texts met again
        members = members_of(one) if members is None else members
        self._steps.append(_watched_step(one, members))
        if 0 < len(groups) < step.groups:
            self._lacking.append(step.step)
        self.raised = tuple(self._kept(alarm) for alarm in self._raised(one, members, drawn))
        return next((alarm for alarm in self.raised if alarm.pauses), self.raised[0] if self.raised else None)

    def _raised(self, one: Seen, members: Sequence[Member], drawn: bool) -> list[Alarm]:
        """Return the alarms of this step; a silence that the health of the grader explains is told once."""
        health = self._health.see(one)
        silence = self._silence.see(one, self._pass_rate.fallen)
        hacks = self._hacking.see(members, one.step, drawn=drawn)
        collapse, length, dull = self._pass_rate.see(one), self._length.see(one), self._teaching.see(one)
        if health and silence and silence.kind == "grader":
            health = silence if silence.pauses or not health.pauses else health
            silence = None
        if silence and silence.kind == "collapse":
            collapse = None
        elif any(alarm is not None and alarm.marks for alarm in (silence, health)):
            self._pass_rate.forget(min(alarm.first_step for alarm in (silence, health) if alarm and alarm.marks))
            collapse = None
        return [alarm for alarm in (silence, health, hacks, collapse, dull, length) if alarm is not None]

    def _kept(self, alarm: Alarm) -> Alarm:
        """Return the alarm as it is kept: one that goes on replaces its shorter self, one looked at never pauses.

        One that marks leaves a longer one that only told as it was: its steps count.
        """
        if alarm.last_step <= self._continue_past:
            alarm = replace(alarm, pauses=False)
        for i in range(len(self._alarms) - 1, -1, -1):
            before = self._alarms[i]
            if before.kind != alarm.kind or before.last_step < alarm.first_step:
                continue
            if before.marks == alarm.marks or (alarm.marks and before.first_step >= alarm.first_step):
                self._alarms[i] = replace(alarm, first_step=min(before.first_step, alarm.first_step))
                return self._alarms[i]
        self._alarms.append(alarm)
        return alarm

    @property
    def said(self) -> tuple[str, ...]:
        """Return what was said of the last step, for `StepLine.notes`."""
        return tuple(alarm.why for alarm in self.raised)

    @property
    def last_step(self) -> WatchedStep:
        """Return the last step as it stands."""
        return self._steps[-1]

    def watched(self) -> Watched:
        """Return the run so far."""
        left_out = self._left_out()
        share = hack_share(self._hacking.all)
        line = self._settings.hack_line
        return Watched(
            steps=tuple(replace(step, marked=True) if step.step in left_out else step for step in self._steps),
            alarms=tuple(self._alarms), paused=next((a.why for a in reversed(self._alarms) if a.pauses), ""),
            left_out_steps=tuple(sorted(left_out)), not_measured=self._not_measured(share is None),
            hack_line=line, hack_share=share, against_line=against(share, line),
        )  # fmt: skip

    def _left_out(self) -> set[int]:
        sampled = {step.step for step in self._steps if step.attempts}
        return {step for alarm in self._alarms if alarm.marks
                for step in range(alarm.first_step, alarm.last_step + 1)} & sampled  # fmt: skip

    def _not_measured(self, nobody_looked: bool) -> tuple[str, ...]:
        sampled = [step for step in self._steps if step.attempts]
        if not sampled:
            return ("Nothing was sampled in these steps, so there is nothing to watch but the loss.",)
        return tuple(words for is_missing, words in (
            (bool(self._lacking), _lacking_words(self._lacking)),
            (nobody_looked, "Hacks: no attempt was reviewed. `fairtrial audit sample` draws some, `serve` shows them."),
            (all(step.references is None for step in sampled),
             "Health of the grader: no known right answer was graded beside the attempts."),
            (all(step.entropy is None for step in sampled), "Entropy: the trainer did not log it."),
            (all(step.mean_tokens is None for step in sampled), "Length: the trainer did not log tokens."),
        ) if is_missing)  # fmt: skip


def _lacking_words(steps: Sequence[int]) -> str:
    named = ", ".join(map(str, steps[:5])) + (" …" if len(steps) > 5 else "")
    return f"Whole steps: the log lacks groups of {len(steps)} of them ({named}); their figures are of those it holds."


def _watched_step(one: Seen, members: Sequence[Member]) -> WatchedStep:
    line = one.line
    passing = [c.passed > 0 for c in one.counts]
    failing = [c.failed > 0 for c in one.counts]
    kept = bool(one.groups)
    all_pass = sum(p and not f for p, f in zip(passing, failing, strict=True)) if kept else line.all_pass
    all_fail = sum(f and not p for p, f in zip(passing, failing, strict=True)) if kept else line.all_fail
    both = sum(p and f for p, f in zip(passing, failing, strict=True)) if kept else line.groups - all_pass - all_fail
    suspected = sum(member.suspected for member in members)
    return WatchedStep(
        step=one.step, stage=line.stage, attempts=one.attempts, passed=one.passed, failed=one.failed,
        ungraded=one.ungraded, pass_rate=one.pass_rate(), hack_share=hack_share(members), suspected=suspected or None,
        groups=len(one.groups) or line.groups, all_pass=all_pass, all_fail=all_fail, informative=max(0, both),
        mean_tokens=line.mean_tokens, cut_off=line.cut_off, entropy=line.entropy, marked=False,
        references_passed=line.references_passed, references=line.references,
    )  # fmt: skip
