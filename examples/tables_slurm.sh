#!/bin/bash
# Builds the missing endgame tables of a variant with Slurm: an array job for each layer, with a task for each slice.
# Usage: [OPTIONS=--wld] examples/tables_slurm.sh VARIANT PIECES DIR [arguments of sbatch, such as --cpus-per-task=8]
# All machines must share DIR. To resume, run the same command again when no jobs are left.
#SBATCH --job-name=tables --requeue --open-mode=append --output=tables-%A.log
set -euo pipefail
read -ra options <<<"${OPTIONS:-}"
if [[ ${SLURM_ARRAY_TASK_ID:-} ]]; then
    # A task of an array job. The arguments are the variant, the folder, and the slices of the layer.
    slice=${*:SLURM_ARRAY_TASK_ID+2:1} status=0
    soffio tables build "${options[@]}" --variant "$1" --dir "$2" --threads "${SLURM_CPUS_PER_TASK:-1}" \
        --slice "$slice" || status=$?
    # A task whose program was killed is requeued, at most three times.
    ((status <= 128 || ${SLURM_RESTART_COUNT:-0} >= 3)) || scontrol requeue "$SLURM_JOB_ID"
    exit $status
fi
variant=$1 pieces=$2 folder=$(realpath --canonicalize-missing "$3") job=
shift 3
list=$(soffio tables build "${options[@]}" --variant "$variant" --pieces "$pieces" --dir "$folder" --list)
list=$(awk '$5 == "missing"' <<<"$list")
for layer in $(cut -d ' ' -f 1 <<<"$list" | uniq); do
    mapfile -t slices < <(awk -v layer="$layer" '$1 == layer { print $2 }' <<<"$list")
    # The memory of the tables, a quarter more for compressed values, and 64 MiB for the program.
    most=$(awk -v layer="$layer" '$1 == layer { print $4 }' <<<"$list" | sort -n | tail -1)
    mib=$((most / 1024 * 5 / 4 / 1024 + 64))
    job=$(sbatch --parsable --array="1-${#slices[@]}" --mem="${mib}M" ${job:+--dependency="afterok:$job"} \
        --kill-on-invalid-dep=yes "$@" "$0" "$variant" "$folder" "${slices[@]}")
    echo "layer $layer: job $job, $mib MiB per slice: ${slices[*]}"
done
