"""How far something is that takes its time: one line that changes on a terminal, a line now and then in a log."""

import sys
import time

OFTEN, SELDOM = 0.2, 10  # seconds


class Progress:
    """Say how far something is.

    Parameters
    ----------
    label
        What it is; stands before every line.
    """

    def __init__(self, label: str) -> None:
        self.label = label
        self.on_terminal = sys.stdout.isatty()
        self._said_at = time.monotonic() if not self.on_terminal else 0.0
        self._width = 0

    def tell(self, how_far: str) -> None:
        """Say it, if the last time is long enough ago."""
        now = time.monotonic()
        if now - self._said_at >= (OFTEN if self.on_terminal else SELDOM):
            self._said_at = now
            self._write(how_far, end="" if self.on_terminal else "\n")

    def end(self, how_far: str) -> None:
        """Say how it ended, in a line that stays."""
        self._write(how_far, end="\n")

    def _write(self, how_far: str, end: str) -> None:
        line = f"  {self.label}: {how_far}"
        start = "\r" if self.on_terminal else ""
        print(f"{start}{line:<{self._width}}", end=end, flush=True)
        self._width = len(line) if self.on_terminal else 0
