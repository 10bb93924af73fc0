#!/usr/bin/env bash
# Make .venv with all that the tests need, and bubblewrap, from a bare Debian or Ubuntu with Python 3.11 or later.
#
#   scripts/setup.sh            the package with its tests, and bubblewrap
#   scripts/setup.sh train      the same, and what training takes (torch, trl)
#   scripts/setup.sh extras     the same, and what the extra tests need (training, ray; playwright, chromium; gcc, valgrind)
#
# Runs again only when pyproject.toml, constraints.txt, the Python or the folder changed. What needs root is done through
# apt where this user is root or `sudo -n` works; otherwise the command to run is printed, and what works without it.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

readonly VENV=.venv
readonly EXTRA="${1:-}"
readonly STAMP="$VENV/.setup${EXTRA:+-$EXTRA}"

say() { printf 'setup: %s\n' "$*" >&2; }
die() { say "$*"; exit 2; }

# Without a home, pip would leave its cache in the current folder.
if [[ -z "${HOME:-}" || ! -d "${HOME:-}" ]]; then
    HOME="$(mktemp -d)"
    export HOME
    trap 'rm -rf "$HOME"' EXIT
fi

# Echo the first Python of 3.11 or later; PYTHON=... overrules.
find_python() {
    local name
    for name in ${PYTHON:+"$PYTHON"} python3.11 python3 python3.12 python3.13 python3.14; do
        if "$name" -c 'import sys; sys.exit(sys.version_info < (3, 11))' 2>/dev/null; then
            command -v "$name"
            return 0
        fi
    done
    return 1
}

# Run as root: directly, or through sudo if it asks nothing. 1 if neither is possible.
as_root() {
    if [[ "$(id -u)" == 0 ]]; then
        "$@"
    elif command -v sudo >/dev/null && sudo -n true 2>/dev/null; then
        sudo -n "$@"
    else
        return 1
    fi
}

# Install Debian packages, quietly; 1 if that is not possible here.
apt_install() {
    command -v apt-get >/dev/null || return 1
    as_root true || return 1
    say "apt-get install $*"
    as_root env DEBIAN_FRONTEND=noninteractive apt-get install -y -qq "$@" >/dev/null 2>&1 && return 0
    as_root apt-get update -qq >/dev/null 2>&1 || true
    as_root env DEBIAN_FRONTEND=noninteractive apt-get install -y -qq "$@" >/dev/null 2>&1
}

# What the installed environment rests on, as one hash.
fingerprint() {
    { cat pyproject.toml constraints.txt; "$1" -VV; pwd; } | sha256sum | cut -d' ' -f1
}

can_make_venv() { "$1" -c 'import ensurepip, venv; ensurepip.version()' 2>/dev/null; }

make_venv() {
    local python="$1" version package
    # Scripts in a virtual environment name its folder: one that was copied or moved is made anew.
    if grep -qsE "^command = .* $PWD/$VENV\$" "$VENV/pyvenv.cfg" && "$VENV/bin/python" -c '' 2>/dev/null; then
        return 0
    fi
    version="$("$python" -c 'import sys; print("%d.%d" % sys.version_info[:2])')"
    package="python$version-venv"
    can_make_venv "$python" || apt_install "$package" || true
    can_make_venv "$python" || die "$python cannot make virtual environments. Run: apt-get install $package"
    say "making $VENV with Python $version"
    rm -rf "$VENV"
    "$python" -m venv "$PWD/$VENV"
}

install_package() {
    local extras=test pip=("$VENV/bin/python" -m pip install --quiet --disable-pip-version-check --no-input -c constraints.txt)
    say "installing fairtrial and its test tools (pinned in constraints.txt)"
    "${pip[@]}" setuptools
    case "$EXTRA" in
        train) extras=test,train ;;
        extras) extras=test,browser,ray,train ;;
    esac
    "${pip[@]}" --no-build-isolation -e ".[$extras]"
}

# The first scan on a machine compiles its kernels, which takes seconds, and keeps them: here, not in a test's time.
compile_kernels() {
    local folder
    folder="$(mktemp -d)"
    echo '{"id": "a", "text": "As told: a kite of paper flies over the quiet harbour at noon today"}' >"$folder/rows.jsonl"
    echo '{"id": "b", "text": "a kite of paper flies over the quiet harbour at noon today"}' >"$folder/items.jsonl"
    say "compiling the kernels of contamination scan"
    "$VENV/bin/fairtrial" contamination scan "$folder/rows.jsonl" --against "$folder/items.jsonl" --json >/dev/null 2>&1 ||
        (($? == 1)) || say "the kernels were not compiled; the first scan does it"
    rm -rf "$folder"
}

ensure_bubblewrap() {
    command -v bwrap >/dev/null || apt_install bubblewrap || true
    if ! command -v bwrap >/dev/null; then
        say "bubblewrap is missing and could not be installed. Run as root: apt-get install bubblewrap"
        say "Until then fairtrial runs tasks with --sandbox local, which does not isolate; the demo and the tests still run."
    elif ! bwrap --unshare-all --ro-bind / / true 2>/dev/null; then
        say "bubblewrap is here, but this machine does not permit its namespaces (as in many containers)."
        say "fairtrial runs tasks with --sandbox local, which does not isolate; the demo and the tests still run."
    fi
}

ensure_chromium() {
    command -v chromium >/dev/null || command -v chromium-browser >/dev/null || apt_install chromium || true
    command -v chromium >/dev/null || command -v chromium-browser >/dev/null ||
        say "chromium is missing; browser tests skip by name. Run as root: apt-get install chromium"
}

# For the tests of counted instructions and of C; nothing else needs them.
ensure_counting() {
    { command -v gcc && command -v valgrind; } >/dev/null || apt_install gcc libc6-dev valgrind || true
    { command -v gcc && command -v valgrind; } >/dev/null ||
        say "gcc or valgrind is missing; tests that count instructions skip by name. Run as root: apt-get install gcc libc6-dev valgrind"
}

main() {
    local python wanted
    [[ "$EXTRA" =~ ^(|train|extras)$ ]] || die "no extra \`$EXTRA\`; there are: train, extras"
    python="$(find_python)" || die "needs Python 3.11 or later. Run: apt-get install python3 python3-venv (or set PYTHON=...)"
    wanted="$(fingerprint "$python")"
    if [[ ! -f "$STAMP" || "$(cat "$STAMP")" != "$wanted" ]]; then
        make_venv "$python"
        install_package
        compile_kernels
        echo "$wanted" >"$STAMP"
    fi
    ensure_bubblewrap
    if [[ "$EXTRA" == extras ]]; then
        ensure_chromium
        ensure_counting
    fi
}

main
