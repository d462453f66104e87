"""`python -m course_live`: fetch and prepare what live cells need, once."""

from __future__ import annotations

import subprocess
import sys

from .bundle import kit_folder, make_kit
from .fetch import VendoringError, cache_folder

ADVICE = """
Live cells could not be prepared: {error}

Nothing was kept that could not be verified.  The course builds all the same,
without Run buttons, and says so on its pages.  To try again: make live
"""


def main() -> int:
    if kit_folder().exists():
        print(f"Live cells are ready, in {kit_folder()}")
        return 0
    print(f"Preparing live cells; what is fetched is kept in {cache_folder()}")
    try:
        print(f"Ready, in {make_kit()}")
    except (VendoringError, OSError, subprocess.SubprocessError) as error:
        print(ADVICE.format(error=error), file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
