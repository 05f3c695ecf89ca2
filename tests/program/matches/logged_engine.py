"""Runs another engine, and logs its input and its CPU affinity.

The first argument is a folder, in which every process creates its own file. The other arguments are the engine's
command.
"""

import os
import subprocess
import sys
import threading


def main():
    folder, command = sys.argv[1], sys.argv[2:]
    engine = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, bufsize=1)

    def pass_on():
        for line in engine.stdout:
            sys.stdout.write(line)
            sys.stdout.flush()

    threading.Thread(target=pass_on, daemon=True).start()
    with open(os.path.join(folder, f"{os.getpid()}.txt"), "w", encoding="utf-8", buffering=1) as log:
        cores = sorted(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else []
        log.write("cores " + " ".join(map(str, cores)) + "\n")
        for line in sys.stdin:
            log.write(line)
            engine.stdin.write(line)
    engine.stdin.close()
    engine.wait()


main()
