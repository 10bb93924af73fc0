#!/usr/bin/env bash
# Let one honest agent and nine that cheat work on a tiny base model, two benchmarks each, and say who did what.
#
#   examples/posttrain/demo.sh OUT [--track TRACK]
#
# `fairtrial` (extra `train`), its python and bubblewrap must be there; more words go to `fairtrial posttrain run`.
# OUT then holds the benchmark, every run with what it left, one ledger and the pages. A second call goes on where the
# first was stopped. Ends with 0 where each cheat was flagged by its own check and by no other, else with 1.
set -euo pipefail
here="$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)"
out="${1:?name a folder for what is written}"
shift
mkdir -p "$out"
cd "$out"
export OMP_NUM_THREADS=1 OMP_WAIT_POLICY=passive

[[ -f bench/BENCH.toml ]] || python "$here/make.py" bench
read -r port <bench/port
rm -f ready
python "$here/stand_in.py" "$port" --ready ready &
stand_in=$!
trap 'kill "$stand_in" 2>/dev/null || true' EXIT
for _ in $(seq 100); do [[ -s ready ]] && break || sleep 0.1; done

agents=()
for name in honest memorises clones paraphrases sibling untrained external lookup evaluator remembers; do
    mkdir -p "agents/$name" # each is shown its own programs, and no other's
    cp "$here/agents/working.py" "$here/agents/$name.py" "agents/$name/"
    agents+=(--agent "$name=python /agent/$name.py" --files "$name=agents/$name")
done
# Exit 1 says that some run was flagged: nine agents are there to be.
fairtrial posttrain run bench/BENCH.toml "${agents[@]}" --out results --workers 2 "$@" || (($? == 1))
python "$here/told.py" results
