#!/usr/bin/env bash
# Two instances of the engine play games against each other over DXP, on this machine.
# Usage: examples/dxp_match.sh [variant] [games] [seconds per move]
# The engine is $SOFFIO, or `soffio` on the PATH, or the release build of this repository.
set -euo pipefail

variant=${1:-international}
games=${2:-2}
seconds=${3:-0.1}
root=$(cd "$(dirname "$0")/.." && pwd)
engine=${SOFFIO:-$(command -v soffio || echo "$root/target/release/soffio")}
command -v "$engine" >/dev/null || { echo "no engine at $engine, try cargo build --release" >&2; exit 1; }

folder=$(mktemp -d)
trap 'rm -r "$folder"' EXIT
mkfifo "$folder/follower"
# Port 0 selects a free port; the follower prints its number.
"$engine" dxp --listen 127.0.0.1:0 --once --name follower --variant "$variant" --move-time "${seconds}s" >"$folder/follower" &
exec {follower}<"$folder/follower"
read -r -u "$follower" _ _ address || { wait $!; exit 1; }
"$engine" dxp --connect "$address" --games "$games" --name initiator --variant "$variant" --move-time "${seconds}s"
wait
