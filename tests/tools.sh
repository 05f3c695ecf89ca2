# Helpers for external tools, for test scripts that source this file. Debian packages are installed if possible.
# shellcheck shell=bash

# Tests do not use the user's folder for solved endgame tables.
export SOFFIO_TABLES=

# missing <what>: reports that something cannot be tested here. With STRICT=1, as for a release, this is an error.
missing() {
    if [[ ${STRICT:-} == 1 ]]; then
        echo "missing: $1" >&2
        exit 1
    fi
    echo "skipped: $1" >&2
}

# skip <what>: reports the same, and ends the script.
skip() {
    missing "$1"
    exit 0
}

# need_packages <command> <package>...: installs Debian packages if the command is missing.
need_packages() {
    local command=$1
    shift
    command -v "$command" >/dev/null && return
    if [[ $(id -u) == 0 ]] && command -v apt-get >/dev/null; then
        apt-get update --quiet && DEBIAN_FRONTEND=noninteractive apt-get install --quiet --yes --no-install-recommends "$@"
    fi >&2
    command -v "$command" >/dev/null || skip "$command is not installed (Debian: $*)"
}

# python_environment <requirements> <folder>: creates a Python environment in the folder unless it is complete. PYTHON
# is the interpreter (default: python3).
python_environment() {
    local requirements=$1 folder=$2
    [[ ! -e $folder/complete ]] || return 0
    rm -rf "$folder"
    "${PYTHON:-python3}" -m venv "$folder"
    "$folder/bin/pip" install --quiet --disable-pip-version-check --no-deps --requirement "$requirements"
    touch "$folder/complete"
}
