#!/usr/bin/env bash
# Two instances of the engine play a game through pipes, in the native protocol.
# Usage: examples/self_play.sh [variant] [milliseconds per move]
# The engine is $SOFFIO, or `soffio` on the PATH, or the release build of this repository.
set -euo pipefail

variant=${1:-italian}
movetime=${2:-100}
root=$(cd "$(dirname "$0")/.." && pwd)
engine=${SOFFIO:-$(command -v soffio || echo "$root/target/release/soffio")}
command -v "$engine" >/dev/null || { echo "no engine at $engine, try cargo build --release" >&2; exit 1; }

folder=$(mktemp -d)
trap 'rm -r "$folder"' EXIT
mkfifo "$folder"/{first,second}.{in,out}
"$engine" <"$folder/first.in" >"$folder/first.out" &
exec {to_first}>"$folder/first.in" {from_first}<"$folder/first.out"
"$engine" <"$folder/second.in" >"$folder/second.out" &
exec {to_second}>"$folder/second.in" {from_second}<"$folder/second.out"
to=("$to_first" "$to_second")
from=("$from_first" "$from_second")

# send <engine> <line>
send() { echo "$2" >&"${to[$1]}"; }

# answer <engine> <word>: reads until a line starts with the word, and prints that line
answer() {
    local line
    while read -r line <&"${from[$1]}"; do
        case $line in
            "$2 "*) echo "$line" && return ;;
            "error "*) echo "$line" >&2 && return 1 ;;
        esac
    done
    echo "engine $1 has ended" >&2 && return 1
}

for player in 0 1; do
    send $player "setoption name UCI_Variant value $variant"
done
for ((ply = 0; ; ply++)); do
    send 0 status
    status=$(answer 0 status)
    [[ $status == "status playing"* ]] || break
    send $((ply % 2)) "go movetime $movetime"
    best=$(answer $((ply % 2)) bestmove)
    read -r _ move _ <<<"$best"
    if ((ply % 2)); then echo " $move"; else printf '%d. %s' $((ply / 2 + 1)) "$move"; fi
    send 0 "move $move"
    send 1 "move $move"
done
if ((ply % 2)); then echo; fi
echo "$status"
send 0 quit
send 1 quit
wait
