#!/usr/bin/env bash
# Prints requests for `soffio batch`: positions from the first 40 plies of self-play games in several variants.
# Usage: tests/scale/requests.sh REQUESTS
# The program is $SOFFIO, or `soffio` on the PATH if SOFFIO is not set.
set -euo pipefail
soffio=${SOFFIO:-soffio}
folder=$(mktemp -d)
trap 'rm -r "$folder"' EXIT
variants=(english international russian italian frisian turkish)
each=$((($1 + ${#variants[@]} - 1) / ${#variants[@]}))
for variant in "${variants[@]}"; do
    "$soffio" selfplay --variant "$variant" --games $((each / 15 + 2)) --nodes 50 --out "$folder/$variant" >/dev/null 2>&1
    "$soffio" data --text "$folder/$variant" | awk -F ';' -v variant="$variant" -v most="$each" '
        $4 <= 40 && ++count <= most { printf "{\"id\":\"%s %d\",\"variant\":\"%s\",\"fen\":\"%s\"}\n", variant, count, variant, $1 }'
done >"$folder/all"
head -n "$1" "$folder/all"
