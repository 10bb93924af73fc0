"""A task for Inspect that uses every call of the sandbox; run by Inspect's own interpreter, never by these tests'."""

from inspect_ai import Task, task
from inspect_ai.dataset import Sample
from inspect_ai.scorer import CORRECT, Score, accuracy, scorer
from inspect_ai.solver import solver
from inspect_ai.util import sandbox


async def refuses(call, error) -> None:
    try:
        await call
    except error:
        return
    raise AssertionError(f"{error.__name__} was expected")


@solver
def act():
    async def run(state, generate):
        del generate
        box = sandbox()
        await box.write_file("sub/x.txt", "hällo\r\n")
        assert await box.read_file("sub/x.txt") == "hällo\r\n"
        ended = await box.exec(["sh", "-c", "cat sub/x.txt; echo oh >&2; id -u; cat"], input="in")
        assert (ended.stdout, ended.stderr, ended.success) == ("hällo\r\n0\nin", "oh\n", True), ended
        assert (await box.exec(["no-such-program"])).returncode == 127
        await refuses(box.read_file("nothing"), FileNotFoundError)
        await refuses(box.read_file("sub"), IsADirectoryError)
        await refuses(box.write_file("sub", "x"), IsADirectoryError)
        await refuses(box.exec(["sleep", "30"], timeout=1), TimeoutError)
        return state

    return run


@scorer(metrics=[accuracy()])
def done():
    async def score(state, target):
        del state, target
        return Score(value=CORRECT)

    return score


@task
def acted():
    return Task(dataset=[Sample(input="x", target="y")], solver=act(), scorer=done(), sandbox="fairtrial")
