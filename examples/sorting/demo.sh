#!/usr/bin/env bash
# Train base, SFT, SFT then RL, RL alone and a control, three seeds each, and say what each gained.
#
#   examples/sorting/demo.sh OUT        with `fairtrial` (extra `train`) and its python on the PATH
#
# OUT then holds the recipes, every run, one ledger and three pages. A second call goes on where the first was stopped.
set -euo pipefail
here="$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)"
out="${1:?name a folder for what is written}"
mkdir -p "$out"
cd "$out"
export OMP_NUM_THREADS=1 OMP_WAIT_POLICY=passive

[[ -d untrained-2 ]] || python "$here/make.py" .
cp "$here"/*.toml .
for arm in base sft sft-rl rl sft-random; do
    echo "== $arm"
    fairtrial train "$arm.toml" --out "runs/$arm" --ledger ledger --at-once 3
done

# Exit 1 says that an arm does not gain beyond noise. Of RL alone that may be so; the claim of the demo is the second.
echo "== what each gained over the base"
fairtrial lift ledger --base base --trained sft --trained sft-rl --trained rl \
    --run runs/sft --run runs/sft-rl --run runs/rl --out over-base || (($? == 1))
code=0
echo "== what RL added to SFT, and what random rewards did"
fairtrial lift ledger --base sft --trained sft-rl --control sft-random \
    --run runs/sft-rl --run runs/sft-random --out over-sft || code=$?
fairtrial report ledger --out report >/dev/null
exit "$code"
