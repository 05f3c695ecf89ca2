"""The program behind its pipes, as the campaigns talk to it."""

import subprocess
import sys


class Engine:
    """A conversation in the native protocol."""

    def __init__(self, program, variant):
        try:
            self.process = subprocess.Popen(
                [program], stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, bufsize=1
            )
        except OSError as error:
            sys.exit(f"{program} cannot be started: {error.strerror}")
        self.tell(f"setoption name UCI_Variant value {variant}")

    def tell(self, *lines):
        self.process.stdin.write("".join(line + "\n" for line in lines))

    def lines(self):
        """Its lines, as they come. It must not end before the last one is wanted."""
        for line in self.process.stdout:
            yield line.rstrip()
        sys.exit(f"the engine has ended: {self.process.stderr.read().strip()}")

    def until(self, word):
        """Its lines up to the first that begins with `word`."""
        found = []
        for line in self.lines():
            found.append(line)
            if line.startswith(word):
                return found

    def quit(self):
        self.process.stdin.close()
        return self.process.wait(timeout=60)
