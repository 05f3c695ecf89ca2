"""Runs the ``soffio`` program, for example as ``soffio hub`` or as ``python -m soffio hub``."""

import signal
import sys

from soffio._native import native


def main() -> None:
    """Runs the program with the command-line arguments, and exits with its status."""
    # The program handles Ctrl-C itself. Python's signal handler would run only after the program has ended.
    signal.signal(signal.SIGINT, signal.SIG_DFL)
    sys.exit(native.run_program(["soffio", *sys.argv[1:]]))


if __name__ == "__main__":
    main()
