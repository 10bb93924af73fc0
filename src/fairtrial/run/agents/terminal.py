"""The terminal agent: a language model with one tool, a shell in the box of the attempt.

The loop is plain on purpose: system prompt, instruction, then turns of call and result until the model finishes or a
limit ends it. What the model or its commands do wrong is told to the model or said in `stop`; a server that cannot be
asked, or a sandbox that dies, makes the episode broken, never failed. The key stays in this process: the box is given
no variable. Not covered: several agents, memory between attempts, a context that is cut when it is full.
"""

from __future__ import annotations

import json
import re
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from fairtrial.models import (
    Answered,
    Budget,
    Cache,
    Call,
    Infrastructure,
    LanguageModel,
    Message,
    ModelSpec,
    Outcome,
    OverBudget,
    Patience,
    Refused,
    Reply,
    Request,
    Returned,
    Said,
    Tool,
    Truncated,
    Unparsed,
    Usage,
)
from fairtrial.records import InputError, SandboxError
from fairtrial.run.agents.shell import Shell, shortened
from fairtrial.run.protocol import Action, Episode, Situation
from fairtrial.sandbox import Mount

CALL_AS_TEXT = re.compile(r"<tool_call>|<function=|<\|python_tag\|>|\[TOOL_CALLS\]|<\|tool_call")
"""How common models write a call; seen in a text, the server did not read it as one."""
MOST_SEED = 2**31
"""Some servers keep the seed in 32 bits."""

PROMPT = """\
You carry out a task on a Linux machine through the tool `shell`, on your own: nobody can answer a question.
Each call runs one bash command. Files and the working directory carry over to the next call; variables do not.
There is no terminal to type into, so start nothing interactive. A command may take at most {seconds} seconds.
{background}
You have at most {turns} turns. Look before you change things, and check your work by running it.
When the task is done, call `finish`; if the task asks for an answer, give it there."""

_BACKGROUND_LIVES = "A process that you leave in the background keeps running."
_BACKGROUND_DIES = "A process left in the background is ended when its command returns."

SHELL = Tool(
    name="shell",
    description="Run one bash command on the machine; returns what it printed, and how it ended where it failed.",
    parameters={
        "type": "object",
        "properties": {"command": {"type": "string", "description": "The command, as typed into bash."}},
        "required": ["command"],
    },
)
FINISH = Tool(
    name="finish",
    description="End the task. Nothing can be done after this.",
    parameters={
        "type": "object",
        "properties": {"answer": {"type": "string", "description": "The answer, or a line on what was done."}},
    },
)


@dataclass(frozen=True, slots=True, kw_only=True)
class TerminalAgent:
    """Let a language model act in the box through a shell."""

    spec: ModelSpec
    turns: int = 40
    """Most replies of the model in one step of a task."""
    command_seconds: float = 120.0
    """Longest time of one command."""
    shown_characters: int = 10_000
    """Most of a command's output that the model is shown; the middle is left out."""
    kept_characters: int = 200_000
    """Most of it that the trajectory keeps."""
    most_tokens: int | None = None
    """Budget of one step, prompt tokens of every turn counted."""
    most_usd: float | None = None
    """Budget of one step; needs `spec.price`."""
    strikes: int = 5
    """This many useless replies in a row (empty, cut, malformed calls) end the episode."""
    sends_seed: bool = True
    """Send the attempt's seed, where the spec has none of its own, to servers that honour one."""
    cache: Path | None = None
    """Folder of kept replies. Off: attempts must be sampled anew."""
    patience: Patience = field(default_factory=Patience)
    prompt: str = PROMPT
    """System prompt; `{seconds}`, `{turns}` and `{background}` are filled in."""
    name: str = "terminal"
    needs_isolation: bool = True

    def __post_init__(self) -> None:
        for limit in ("turns", "command_seconds", "shown_characters", "kept_characters", "strikes"):
            if not getattr(self, limit) > 0:
                raise InputError(f"{getattr(self, limit)} is no limit", field=limit)
        if self.most_usd is not None and self.spec.price is None:
            raise InputError(
                "a budget in USD needs the model's prices",
                field="most_usd",
                hint="Give USD per million tokens, in and out.",
            )

    @property
    def model(self) -> str:
        """Return the name of the model."""
        return self.spec.name

    @property
    def effort(self) -> str:
        """Return its reasoning effort."""
        return self.spec.effort

    def settings(self) -> Mapping[str, Any]:
        """Return the model's settings and the limits that shape what it does; not prices, patience or keys."""
        limits = ("turns", "command_seconds", "shown_characters", "most_tokens", "most_usd", "strikes", "sends_seed")
        return self.spec.identity() | {name: getattr(self, name) for name in limits} | {"prompt": self.prompt}

    def mounts(self) -> Sequence[Mount]:
        """Return none."""
        return ()

    def act(self, situation: Situation) -> Episode:
        """Talk with the model until it finishes or a limit ends it. Raise InputError where OpenAI's key is missing."""
        spec = self.spec
        if self.sends_seed and spec.seed is None:
            spec = replace(spec, seed=situation.seed % MOST_SEED)
        budget = Budget(tokens=self.most_tokens, usd=self.most_usd)
        cache = None if self.cache is None else Cache(self.cache)
        with LanguageModel(spec, budget=budget, cache=cache, patience=self.patience) as model:
            return _Conversation(self, situation, model).episode()


class _Conversation:
    """One episode in progress."""

    def __init__(self, agent: TerminalAgent, situation: Situation, model: LanguageModel) -> None:
        self.agent = agent
        self.model = model
        task = situation.task
        world = task.environment
        self.shell = Shell(
            box=situation.box, limits=world.limits, command_seconds=agent.command_seconds, folder=world.workdir
        )
        self.deadline = time.monotonic() + situation.step.agent_seconds
        self.instructions = _filled(agent, is_live=task.live)
        self.messages: list[Message] = [Said(text=situation.step.instruction)]
        self.actions: list[Action] = []
        self.usages: list[Usage] = []
        self.useless = 0
        """Useless replies in a row."""

    def episode(self) -> Episode:
        """Go on turn by turn until something ends it."""
        try:
            for _ in range(self.agent.turns):
                if self._seconds_left() <= 0:
                    return self._ended("agent_timeout")
                request = Request(instructions=self.instructions, messages=tuple(self.messages), tools=(SHELL, FINISH))
                episode = self._after(self.model.ask(request, seconds=self._seconds_left()))
                if episode is not None:
                    return episode
        except SandboxError as error:
            self.actions.append(Action(message=f"the sandbox failed: {error}"))
            return self._ended("", broken="sandbox")
        return self._ended("turn_limit" if self._seconds_left() > 0 else "agent_timeout")

    def _seconds_left(self) -> float:
        """Return what is left of the agent's time; what a failing server took of it is given back."""
        return self.deadline + self.model.lost_seconds - time.monotonic()

    def _after(self, outcome: Outcome) -> Episode | None:
        """Do what the outcome of one turn asks for; return the episode where it ends there."""
        match outcome:
            case Answered():
                # A reply from the cache cost nothing this time.
                usage = replace(outcome.usage, cost_usd=0.0) if outcome.cached else outcome.usage
                return self._answered(outcome.reply, usage)
            case Unparsed():
                return self._useless(outcome.reply, outcome.usage, "Your reply was empty.", "gave_up")
            case Truncated(what="reply"):
                told = "Your reply was cut at the token limit and nothing in it was done. Be shorter."
                return self._useless(outcome.reply, outcome.usage, told, "output_limit")
            case Truncated():
                self.actions.append(Action(message="the conversation no longer fits the model's context"))
                return self._ended("output_limit")
            case Refused():
                self._record(Action(message=outcome.why), outcome.usage)
                return self._ended("refused")
            case OverBudget():
                self.actions.append(Action(message=f"budget: {outcome.why}"))
                return self._ended("budget")
            case Infrastructure(reason="deadline"):
                return self._ended("agent_timeout")
            case Infrastructure():
                tries = f"after {outcome.attempts} tries: {outcome.detail}"
                self.actions.append(Action(message=f"the model could not be asked ({outcome.reason}) {tries}"))
                return self._ended("", broken=f"model_{outcome.reason}")

    def _answered(self, reply: Reply, usage: Usage) -> Episode | None:
        if not reply.calls and CALL_AS_TEXT.search(reply.text):
            return self._unread(reply, usage)
        self.messages.append(reply)
        if not reply.calls:
            self._record(Action(message=reply.text, reasoning=reply.reasoning), usage)
            return self._ended("finished", answer=reply.text)
        useless = True
        for number, call in enumerate(reply.calls):
            arguments = call.parsed()
            if call.name == FINISH.name and arguments is not None:
                answer = str(arguments.get("answer") or "")
                self._record(_action(reply, number, arguments), usage if number == 0 else None)
                return self._ended("finished", answer=answer or reply.text)
            problem = _problem(call, arguments)
            useless = useless and bool(problem)
            action = _action(reply, number, arguments)
            shown, kept = (problem, problem) if problem else self._run(str((arguments or {})["command"]))
            self._record(replace(action, observation=kept), usage if number == 0 else None)
            self.messages.append(Returned(call=call, text=shown))
        self.useless = self.useless + 1 if useless else 0
        return self._ended("agent_error") if self.useless >= self.agent.strikes else None

    def _run(self, command: str) -> tuple[str, str]:
        """Run a command; return its output as the model is shown it, and as the trajectory keeps it."""
        ran = self.shell.run(command, self._seconds_left())
        return ran.shown(self.agent.shown_characters), _kept(ran.output, ran.note, self.agent.kept_characters)

    def _unread(self, reply: Reply, usage: Usage) -> Episode | None:
        """Tell the model that its call came as text. Where no call ever came as one, the server cannot read them."""
        told = "Your reply holds a call written as text, so nothing was done. Use the tool interface."
        episode = self._useless(reply, usage, told, "agent_error")
        if episode is None or any(action.tool for action in self.actions):
            return episode
        self.actions.append(Action(message="the server hands on tool calls as text: set its tool call parser"))
        return self._ended("", broken="model_calls_unread")

    def _useless(self, reply: Reply, usage: Usage, told: str, stop: str) -> Episode | None:
        """Tell the model that its reply was of no use; end the episode where there were too many."""
        self._record(Action(message=reply.text, reasoning=reply.reasoning, observation=told), usage)
        self.useless += 1
        if self.useless >= self.agent.strikes:
            return self._ended(stop)
        # Some chat templates insist that user and model take turns: the useless reply keeps its place, without calls.
        self.messages.append(Reply(text=reply.text or "(nothing)"))
        self.messages.append(Said(text=f"{told} Call `shell`, or `finish` if the task is done."))
        return None

    def _record(self, action: Action, usage: Usage | None) -> None:
        """Keep an action, with what the turn used on the first of its actions."""
        if usage is not None:
            self.usages.append(usage)
            action = replace(
                action,
                input_tokens=usage.input_tokens,
                output_tokens=usage.output_tokens,
                cost_usd=usage.cost_usd,
            )
        self.actions.append(action)

    def _ended(self, stop: str, *, broken: str = "", answer: str | None = None) -> Episode:
        return Episode(
            actions=tuple(self.actions),
            stop=stop,
            broken=broken,
            answer=answer,
            input_tokens=_total([usage.input_tokens for usage in self.usages]),
            output_tokens=_total([usage.output_tokens for usage in self.usages]),
            cost_usd=_total([usage.cost_usd for usage in self.usages]),
        )


def _filled(agent: TerminalAgent, *, is_live: bool) -> str:
    """Return the system prompt; other braces in it stay as they are."""
    background = _BACKGROUND_LIVES if is_live else _BACKGROUND_DIES
    words = {"seconds": f"{agent.command_seconds:g}", "turns": str(agent.turns), "background": background}
    prompt = agent.prompt
    for word, text in words.items():
        prompt = prompt.replace(f"{{{word}}}", text)
    return prompt


def _problem(call: Call, arguments: dict[str, Any] | None) -> str:
    """Return what is wrong with a call, as the model is told it; empty if nothing is."""
    if arguments is None:
        return f"The arguments of `{call.name}` are not a JSON object, so nothing was done. Send the call again."
    if call.name != SHELL.name:
        return f"There is no tool `{call.name}`. There are `shell` and `finish`."
    command = arguments.get("command")
    if not isinstance(command, str) or not command.strip():
        return "`shell` needs the argument `command`, a text that is not empty. Nothing was done."
    return ""


def _action(reply: Reply, number: int, arguments: dict[str, Any] | None) -> Action:
    """Return the action of one call; message and reasoning stand on the first call of a reply."""
    call = reply.calls[number]
    if arguments is None:
        written = {"malformed": call.arguments}
    else:
        written = {key: value if isinstance(value, str) else json.dumps(value) for key, value in arguments.items()}
    return Action(
        message=reply.text if number == 0 else "",
        reasoning=reply.reasoning if number == 0 else "",
        tool=call.name,
        arguments=written,
    )


def _kept(output: str, note: str, most: int) -> str:
    body = shortened(output, most, "not kept")
    return "\n".join(part for part in (body.rstrip("\n"), note) if part)


def _total(values: Sequence[Any]) -> Any:
    """Return the sum; None where one is unknown, since a sum without it would be too small."""
    return None if not values or any(value is None for value in values) else sum(values)
