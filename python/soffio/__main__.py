"""Runs the ``soffio`` program: ``soffio hub``, or ``python -m soffio hub``."""

import signal
import sys

from soffio._native import native


def main() -> None:
    """Runs the program with the command-line arguments, and exits with its status."""
    # The program handles Ctrl-C itself. Python's handler would only run after the program has ended.
    signal.signal(signal.SIGINT, signal.SIG_DFL)
    sys.exit(native.run_program(["soffio", *sys.argv[1:]]))


if __name__ == "__main__":
    main()
