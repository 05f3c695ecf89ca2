"""An engine that supports the protocol but does one thing wrong.

The engine can only start an Italian game, in which its first move is 23-19. The first argument is the fault. The second
argument is optional; it is a file for the ID of the process that the engine leaves behind.
"""

import os
import subprocess
import sys
import time


def send(text):
    sys.stdout.write(text + "\n")
    sys.stdout.flush()


def answer(fault):
    """Answers `go` according to the fault."""
    if fault == "crash":
        os._exit(3)
    elif fault == "kill":
        os.kill(os.getpid(), 9)
    elif fault == "hang":
        time.sleep(1000)
    elif fault == "bad line":
        send("info depth 1 score cp 0 pv 23-19 10-14\ninfo depth 2 score cp 0 pv 23-19 10-14 23-19\nbestmove 23-19")
    elif fault == "late":
        time.sleep(0.4)
        send("bestmove 23-19")
    elif fault == "illegal":
        send("bestmove 23-14")
    elif fault == "no move":
        send("bestmove none")
    elif fault == "nonsense":
        send("bestmove \x00\x1b[2J" + "9" * 200)
    elif fault == "twice":
        send("bestmove 23-19\nbestmove 23-19")
    elif fault == "flood":
        line = "info string " + "x" * 1011 + "\n"
        for _ in range(100):
            sys.stdout.write(line * 1024)
        send("bestmove 23-19")
    elif fault == "flood for ever":
        while True:
            sys.stdout.write("info depth 1 score cp 1 pv 23-19\n" * 1024)
    elif fault == "one long line":
        sys.stdout.write("x" * (20 << 20))
        send("\nbestmove 23-19")
    elif fault == "close":
        os.close(1)
        time.sleep(1000)
    elif fault == "garbage":
        sys.stdout.buffer.write(bytes(range(256)) * 100 + b"\nbestmovee 1-2\n\nbest move\n")
        send("bestmove 23-19")
    else:
        send("bestmove 23-19")


def main():
    fault = sys.argv[1]
    if fault == "no start":
        sys.exit(5)
    if fault in ("fork", "orphan"):
        child = subprocess.Popen([sys.executable, "-c", "import time; time.sleep(1000)"])
        with open(sys.argv[2], "w", encoding="ascii") as file:
            file.write(str(child.pid))
    if fault == "chatter":
        sys.stderr.write("a message of the engine\n" * 10)
    for line in sys.stdin:
        command = line.split()
        if command[:1] == ["uci"]:
            send("id name bad\nuciok")
        elif command[:1] == ["isready"] and fault != "deaf":
            send("readyok")
        elif command[:1] == ["position"] and fault == "refuse":
            send("error position no")
        elif command[:1] == ["go"]:
            answer(fault)
        elif command[:1] == ["quit"] and fault != "ignore quit":
            return
    while fault == "ignore quit":
        time.sleep(1)


main()
