#!/usr/bin/env bash
# Builds the missing endgame tables of a variant with GNU parallel, one slice per process and the largest slices first.
# Usage: [THREADS=1] [OPTIONS=--wld] examples/tables_parallel.sh VARIANT PIECES DIR [arguments of parallel]
# A process that was killed is started again, at most twice. To resume, run the same command again.
set -euo pipefail
variant=$1 pieces=$2 folder=$(realpath --canonicalize-missing "$3")
shift 3
read -ra options <<<"${OPTIONS:-}"
slices=$(soffio tables build "${options[@]}" --variant "$variant" --pieces "$pieces" --dir "$folder" --list)
for layer in $(awk '$5 == "missing" { print $1 }' <<<"$slices" | uniq); do
    awk -v layer="$layer" '$1 == layer && $5 == "missing" { print $3, $2 }' <<<"$slices" | sort -nr | cut -d ' ' -f 2 |
        parallel --retries 3 "$@" --quote \
            soffio tables build "${options[@]}" --variant "$variant" --dir "$folder" --threads "${THREADS:-1}" --slice
done
