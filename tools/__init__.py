"""What a maintainer runs: `python -m tools COMMAND`, or `make COMMAND`.

This file and messages.py can be read by any Python, to say which one is needed.
"""

import os
import subprocess
import sys

OLDEST, NEWEST = (3, 11), (3, 14)

if sys.version_info[:2] < OLDEST:
    from tools.messages import other_python

    root = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
    venv = os.path.join(root, ".venv")
    own = os.path.join(venv, "Scripts/python.exe" if os.name == "nt" else "bin/python")
    if not os.path.exists(own) or os.path.abspath(sys.prefix) == venv:
        sys.exit(other_python(OLDEST, NEWEST))
    # an environment that another Python has made
    sys.exit(subprocess.call([own, "-m", "tools"] + sys.argv[1:]))  # noqa: RUF005
