"""Runs the program through pipes, for the campaigns."""

import subprocess
import sys


def variants(program):
    """Returns the names of all variants that `program` lists."""
    table = subprocess.run([program, "variants"], capture_output=True, text=True, check=True).stdout
    return [line.split()[0] for line in table.splitlines()[1:] if line.strip()]


class Engine:
    """A session in the native protocol."""

    def __init__(self, program, variant):
        try:
            self.process = subprocess.Popen(
                [program], stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, bufsize=1
            )
        except OSError as error:
            sys.exit(f"{program} cannot be started: {error.strerror}")
        self.send(f"setoption name UCI_Variant value {variant}")

    def send(self, *lines):
        self.process.stdin.write("".join(line + "\n" for line in lines))

    def lines(self):
        """Yields the engine's lines as they arrive. It is a fault if the engine exits before the last expected line."""
        for line in self.process.stdout:
            yield line.rstrip()
        sys.exit(f"the engine has ended: {self.process.stderr.read().strip()}")

    def until(self, word):
        """Returns the lines up to the first line that starts with `word`."""
        found = []
        for line in self.lines():
            found.append(line)
            if line.startswith(word):
                return found

    def quit(self):
        self.process.stdin.close()
        return self.process.wait(timeout=60)
