"""An engine that knows the protocol, and does one thing wrong.

It can only begin an Italian game: its first move is 23-19. The first argument says what it does wrong, the second, if
there is one, is a file for the number of the process that it leaves behind.
"""

import os
import subprocess
import sys
import time


def say(text):
    sys.stdout.write(text + "\n")
    sys.stdout.flush()


def answer(fault):
    """Answers to `go`."""
    if fault == "crash":
        os._exit(3)
    elif fault == "kill":
        os.kill(os.getpid(), 9)
    elif fault == "hang":
        time.sleep(1000)
    elif fault == "bad line":
        say("info depth 1 score cp 0 pv 23-19 10-14\ninfo depth 2 score cp 0 pv 23-19 10-14 23-19\nbestmove 23-19")
    elif fault == "late":
        time.sleep(0.4)
        say("bestmove 23-19")
    elif fault == "illegal":
        say("bestmove 23-14")
    elif fault == "no move":
        say("bestmove none")
    elif fault == "nonsense":
        say("bestmove \x00\x1b[2J" + "9" * 200)
    elif fault == "twice":
        say("bestmove 23-19\nbestmove 23-19")
    elif fault == "flood":
        line = "info string " + "x" * 1011 + "\n"
        for _ in range(100):
            sys.stdout.write(line * 1024)
        say("bestmove 23-19")
    elif fault == "flood for ever":
        while True:
            sys.stdout.write("info depth 1 score cp 1 pv 23-19\n" * 1024)
    elif fault == "one long line":
        sys.stdout.write("x" * (20 << 20))
        say("\nbestmove 23-19")
    elif fault == "close":
        os.close(1)
        time.sleep(1000)
    elif fault == "garbage":
        sys.stdout.buffer.write(bytes(range(256)) * 100 + b"\nbestmovee 1-2\n\nbest move\n")
        say("bestmove 23-19")
    else:
        say("bestmove 23-19")


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
            say("id name bad\nuciok")
        elif command[:1] == ["isready"] and fault != "deaf":
            say("readyok")
        elif command[:1] == ["position"] and fault == "refuse":
            say("error position no")
        elif command[:1] == ["go"]:
            answer(fault)
        elif command[:1] == ["quit"] and fault != "ignore quit":
            return
    while fault == "ignore quit":
        time.sleep(1)


main()
