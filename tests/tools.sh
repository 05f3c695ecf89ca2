# What scripts of tests need from outside, for those that read this file. Debian's packages are installed where that is allowed.
# shellcheck shell=bash

# missing <what>: says that something cannot be done here. With STRICT=1, as for a release, that is an error.
missing() {
    if [[ ${STRICT:-} == 1 ]]; then
        echo "missing: $1" >&2
        exit 1
    fi
    echo "left out: $1" >&2
}

# leave_out <what>: the same, and ends the script.
leave_out() {
    missing "$1"
    exit 0
}

# need_packages <command> <package>...: installs Debian packages unless the command is there.
need_packages() {
    local command=$1
    shift
    command -v "$command" >/dev/null && return
    if [[ $(id -u) == 0 ]] && command -v apt-get >/dev/null; then
        apt-get update --quiet && DEBIAN_FRONTEND=noninteractive apt-get install --quiet --yes --no-install-recommends "$@"
    fi >&2
    command -v "$command" >/dev/null || leave_out "$command is not installed (Debian: $*)"
}

# python_environment <requirements> <folder>: makes an environment of Python in the folder unless it is complete already; PYTHON is the
# interpreter, python3 without it.
python_environment() {
    local requirements=$1 folder=$2
    [[ ! -e $folder/complete ]] || return 0
    rm -rf "$folder"
    "${PYTHON:-python3}" -m venv "$folder"
    "$folder/bin/pip" install --quiet --disable-pip-version-check --no-deps --requirement "$requirements"
    touch "$folder/complete"
}
