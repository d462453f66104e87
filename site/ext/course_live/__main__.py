"""`python -m course_live`: fetch what a site needs and is not in the checkout.

What could not be fetched is said on the error output, in a few sentences: the
book is built without it.
"""

from __future__ import annotations

import sys

from tools import messages
from tools.environment import listen_to_signals

from . import bundle, fetch


def main() -> int:
    reason = ""
    without = []
    try:
        fetch.from_npm(*fetch.SLIDERS)
    except fetch.NOT_FETCHED as error:
        reason = str(error)
        without.append(messages.NO_SLIDERS)
    if bundle.wanted() and not bundle.kit_folder().exists():
        try:
            # what could not fetch the one file will not fetch eighty
            if reason:
                raise fetch.VendoringError(reason)
            bundle.make_kit()
        except fetch.NOT_FETCHED as error:
            reason = str(error)
            without.append(messages.NO_LIVE)
    if without:
        told = messages.NOT_FETCHED.format(without="  ".join(without), reason=reason)
        print(told, file=sys.stderr)
    return 0


if __name__ == "__main__":
    listen_to_signals()
    try:
        status = main()
    except KeyboardInterrupt:
        status = 130
    sys.exit(status)
