# The recipes for tables in docs/scale.md, for tests/scale/run, which sources this file. Each recipe must write the same
# files as a single process, although a program or a whole worker is killed.
# shellcheck shell=bash

# The slices that take longest. A program that builds one of them is killed.
LONG='tables build.*--slice (0m2k-1m1k|1m2k-|1m1k-1m1k|1m1k-2m0k|2m1k-)'

# Builds the tables of the recipes with a single process.
make_expected_tables() {
    [[ ! -e expected-tables ]] || return 0
    soffio tables build --variant english --pieces 4 --dir expected-tables >one.log 2>&1 || { cat one.log && exit 1; }
}

# same_tables <name> <circumstances>: compares the tables with those from a single process.
same_tables() {
    diff -r tables expected-tables || { echo "$1: the tables differ from those of one process" && exit 1; }
    echo "$1: the $(ls tables | wc -l) files of one process, $2"
}

# state: prints the inode and the time of each file, which change if the file is written again.
state() { stat --format '%n %i %y' tables/*; }

# again <recipe>: runs a recipe again, first with complete tables, which must not change, and then without two of the
# files, of which only these must be written.
again() {
    local name=$1 before missing='tables/english-(1m1k-0m1k|1m1k-2m0k)[.]table'
    before=$(state)
    bash -euo pipefail -c "$(recipe "$name")" >"$name.log" 2>&1
    finish "$name"
    [[ $(state) == "$before" ]] || { echo "$name: a second run changes complete tables" && exit 1; }
    state | grep -E "$missing" | cut -d ' ' -f 1 | xargs rm
    bash -euo pipefail -c "$(recipe "$name")" >"$name.log" 2>&1
    finish "$name"
    [[ $(state | grep -vE "$missing") == "$(grep -vE "$missing" <<<"$before")" ]] ||
        { echo "$name: a run that resumes changes complete tables" && exit 1; }
    same_tables "$name" "after a second run, and a run in which two files were missing"
}

# finish <recipe>: waits for the jobs of a recipe, which may only have been submitted.
finish() { [[ $1 != tables-slurm ]] || wait_for 1800 bash -c '[[ -z $(squeue --noheader) ]]'; }

tables_parallel() {
    local pid
    rm -rf tables
    # The recipe is killed with all its processes, and run again.
    setsid bash -euo pipefail -c "$(recipe tables-parallel)" >killed.log 2>&1 &
    pid=$!
    undo+=("kill -KILL -- -$pid")
    wait_for 600 building
    kill -KILL -- "-$pid"
    { wait "$pid" || true; } 2>/dev/null
    [[ $(find tables -name '*.table' | wc -l) -lt $(find expected-tables -name '*.table' | wc -l) ]]
    with_a_kill "$LONG" tables-parallel 0.1
    same_tables tables-parallel "after kills of the whole recipe and of one program"
    again tables-parallel
}

building() { [[ $(programs "$LONG") ]]; }

tables_ssh() {
    start_ssh
    rm -rf tables
    with_a_kill "$LONG" tables-ssh 0.1
    same_tables tables-ssh "after a kill of one program"
    again tables-ssh
}

tables_slurm() {
    start_slurm
    rm -rf tables
    with_a_kill "$LONG" tables-slurm 0.1
    kill_second
    finish tables-slurm
    same_tables tables-slurm "after kills of one program and of one machine"
    again tables-slurm
}

tables_spark() {
    start_spark
    rm -rf tables
    with_two_deaths "$LONG" 0.1 tables-spark 0.1
    same_tables tables-spark "after kills of one program and of one executor"
    again tables-spark
}
