"""A Hub engine for international draughts that tests the client's side of the Hub protocol.

The engine does not implement any rules. It passes requests to the program in its first argument, in that program's own
protocol, and translates the answers. It follows the Hub protocol strictly: it exits on any line that a client must not
send.
"""

import subprocess
import sys

START = "W" + "b" * 20 + "e" * 10 + "w" * 20


def arguments(line):
    """Returns the arguments of a line by name."""
    values = {}
    for index, part in enumerate(line.split('"')):
        if index % 2 == 1:
            values[name] = part
        else:
            for word in part.split()[0 if index else 1:]:
                name, _, value = word.partition("=")
                values[name] = value
    return values


def main():
    engine = subprocess.Popen([sys.argv[1]], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, bufsize=1)
    engine.stdin.write("setoption name UCI_Variant value international\n")
    position, limits = "", ""
    for line in sys.stdin:
        command = line.split()[:1]
        values = arguments(line)
        if command == ["hub"]:
            print("id name=Relay version=1.0\nparam name=variant value=normal type=enum values=\"normal frisian\"\nwait")
        elif command == ["set-param"]:
            assert values == {"name": "variant", "value": "normal"}, line
        elif command == ["init"]:
            print("ready")
        elif command == ["pos"]:
            assert values["pos"] == START, line
            position = f"position startpos moves {values.get('moves', '')}"
        elif command == ["level"]:
            limits += " nodes " + values["nodes"] if "nodes" in values else ""
        elif command == ["go"]:
            assert line.split() == ["go", "think"], line
            engine.stdin.write(f"{position}\ngo{limits}\n")
            limits = ""
            answer = engine.stdout.readline().split()
            while answer[0] != "bestmove":
                if "cp" in answer:
                    score = int(answer[answer.index("cp") + 1]) / 100
                    print(f"info depth={answer[2]} mean-depth={answer[2]}.0 score={score} nodes=1 time=0.0 nps=0.0 pv=\"\"")
                answer = engine.stdout.readline().split()
            print(f"done move={answer[1]}")
        elif command == ["quit"]:
            break
        sys.stdout.flush()
    engine.stdin.close()
    engine.wait()


main()
