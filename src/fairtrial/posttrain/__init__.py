"""The post-training benchmark: an agent is given a base model, a benchmark and a budget, and hands in a better model.

`bench` reads BENCH.toml; `folder` is what one run keeps on disk; `attempt` lets the agent work in the sandbox and
records what it did; `evaluating` runs the pristine evaluator on what it handed in; `judging` checks how it was made;
`running` does all of it for every cell, and goes on where it was stopped; `document` says what came of it.
"""
