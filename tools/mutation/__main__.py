"""Change code and prose in thousands of places, one at a time, and see a check go red each time.

``python -m tools.mutation`` does all of it, ``--list`` names what it would do,
``--only WORD`` does what has the word in its name.  What is changed, and what
must tell, stands in ``tools/mutation/__init__.py``.
"""

import argparse
import os
import sys

from tools import mutation


def main(arguments=None):
    """Run it and return an exit code: 1 where a change went unnoticed."""
    parser = argparse.ArgumentParser(prog="python -m tools.mutation", description=__doc__)
    parser.add_argument("--only", action="append", default=[], metavar="WORD", help="may be repeated")
    parser.add_argument("--jobs", type=int, default=int(os.environ.get("JOBS") or os.cpu_count() or 1))
    parser.add_argument("--list", action="store_true", dest="listed")
    options = parser.parse_args(arguments)
    os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")  # the processes are what runs side by side
    return mutation.main(options.only, options.jobs, options.listed)


if __name__ == "__main__":
    sys.exit(main())
