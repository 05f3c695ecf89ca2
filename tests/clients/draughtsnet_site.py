"""Acts as a site that distributes work in the same way as lidraughts.org, and checks the results of draughtsnet.py.

The client under test is examples/draughtsnet.py.

Usage: draughtsnet_site.py ENGINE
"""

import json
import subprocess
import sys
import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

START = "W" + "b" * 20 + "e" * 10 + "w" * 20
WORK = [
    {"work": {"type": "analysis", "id": "whole"}, "position": START, "variant": "standard", "moves": "32-28 19-23 28x19x23 14x23x19", "nodes": 2000, "skipPositions": [1]},
    {"work": {"type": "analysis", "id": "frisian"}, "position": START, "variant": "frisian", "moves": "32-28", "nodes": 500},
    # A king captures three men and turns twice.
    {"work": {"type": "analysis", "id": "capture"}, "position": "W" + "".join({22: "b", 33: "b", 44: "b", 50: "W"}.get(s, "e") for s in range(1, 51)), "variant": "fromPosition", "moves": "", "nodes": 500},
    {"work": {"type": "analysis", "id": "over"}, "position": "B" + "e" * 49 + "W", "variant": "standard", "moves": "", "nodes": 500},
    {"work": {"type": "move", "id": "played", "level": 3}, "position": START, "variant": "antidraughts", "moves": ""},
    {"work": {"type": "analysis", "id": "impossible"}, "position": START, "variant": "standard", "moves": "32-27 1-2", "nodes": 500},
    {"work": {"type": "analysis", "id": "small"}, "position": START[:33], "variant": "russian", "moves": "", "nodes": 500},
]


class Site(BaseHTTPRequestHandler):
    work, calls, is_first = list(WORK), [], True

    def do_POST(self):
        cls = type(self)
        body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        assert body["draughtsnet"]["apikey"] == "secret", body
        cls.calls.append((self.path, body))
        if cls.is_first:
            # The first call fails with an error that a client must handle.
            cls.is_first = False
            self.send_response(502)
            self.end_headers()
        elif cls.work and "/abort/" not in self.path:
            self.send_response(202)
            self.end_headers()
            self.wfile.write(json.dumps(cls.work.pop(0)).encode())
        else:
            self.send_response(204)
            self.end_headers()

    def log_message(self, *_):
        pass


def main():
    site = ThreadingHTTPServer(("127.0.0.1", 0), Site)
    threading.Thread(target=site.serve_forever, daemon=True).start()
    script = Path(__file__).resolve().parents[2] / "examples/draughtsnet.py"
    words = ["--endpoint", f"http://127.0.0.1:{site.server_port}/draughtsnet/", "--key", "secret", "--program", sys.argv[1]]
    done = subprocess.run([sys.executable, script, *words, "--hash", "4", "--jobs", str(len(WORK))], capture_output=True, text=True, timeout=120)
    assert done.returncode == 0, done.stderr
    calls = {path.removeprefix("/draughtsnet/"): body for path, body in Site.calls}
    # The first call failed, and after each result the client requests more work.
    assert len(Site.calls) == 2 + len(WORK) + 1, [path for path, _ in Site.calls]

    whole = calls["analysis/whole"]["analysis"]
    assert len(whole) == 5 and whole[1] == {"skipped": True}, whole
    for ply in (0, 2, 3, 4):
        entry = whole[ply]
        assert entry["pv"] and entry["nodes"] <= 2000 and entry["depth"] > 0 and abs(float(entry["score"])) < 5, entry
    # Both sides must recapture here.
    assert (whole[2]["bestmove"], whole[2]["taken"]) == ("2819", "23"), whole[2]
    assert whole[3]["taken"] == "19" and whole[3]["bestmove"] in ("1423", "1324"), whole[3]
    assert len(calls["analysis/frisian"]["analysis"]) == 2
    [capture] = calls["analysis/capture"]["analysis"]
    assert (capture["bestmove"][:2], capture["taken"], float(capture["score"])) == ("50", "443322", 99.98), capture
    [over] = calls["analysis/over"]["analysis"]
    assert (over["bestmove"], over["taken"]) == ("gameover", "") and float(over["score"]) == -100, over
    move = calls["move/played"]["move"]
    assert move["taken"] == "" and 31 <= int(move["bestmove"][:2]) <= 35, move
    assert "abort/impossible" in calls and "abort/small" in calls, list(calls)
    print("examples/draughtsnet.py completed all work from the site")


if __name__ == "__main__":
    main()
