"""The program ``soffio``: ``soffio hub``, or ``python -m soffio hub``."""

import signal
import sys

from soffio._native import native


def main() -> None:
    """Runs the program with the words of the command line, and ends with its exit status."""
    # The program hears Ctrl-C itself; what Python would do waits for Python code, which does not run meanwhile.
    signal.signal(signal.SIGINT, signal.SIG_DFL)
    sys.exit(native.run_program(["soffio", *sys.argv[1:]]))


if __name__ == "__main__":
    main()
