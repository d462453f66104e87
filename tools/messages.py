"""What is said when a command cannot go on, and what to do about it: a sentence or two each.

Here and nowhere else, so that they sound alike and can be translated.
"""

import errno
import sys


class TaskError(Exception):
    """What the reader is told in place of a traceback."""


OTHER_PYTHON = (
    "Python {oldest} to {newest} is needed, and this is {this}.  "
    "Name another:  make book PYTHON=python{newest}"
)


def other_python(oldest, newest):
    """Say which Pythons will do, and which one this is."""
    versions = {"oldest": oldest, "newest": newest, "this": sys.version_info[:2]}
    return OTHER_PYTHON.format(**{name: "%d.%d" % version for name, version in versions.items()})  # noqa: UP031


NO_VENV = (
    "This Python cannot make environments: its module {module} is missing.  "
    "On Debian and Ubuntu,  apt install python3-venv  (or python{this}-venv) brings it."
)
NO_ENVIRONMENT = "The environment {venv}/ could not be made: {reason}"
MADE_AGAIN = "{venv}/ is made again: it is of another Python, or was left half-made."
NOT_INSTALLED = (
    "The packages could not be fetched or installed: {reason}\n"
    "The first run needs the network.  What was there before is still there."
)
NOT_WHOLE = "{venv}/ does not hold what it should: delete it and try again."
NO_SPACE = "There is not enough room on the disk: {needed} MB are needed in {folder}, and {free} MB are free."
DISK_FULL = "The disk is full: {folder} has no room left."
READ_ONLY = (
    "{folder} cannot be written to, and the commands need to: copy the course into a folder of your own."
)
NOT_CLEARED = "{folder} cannot be deleted to make room for the new one: it belongs to another user, or a program holds it open."
NO_HOME = "Your home folder cannot be written to: what is fetched is kept in {folder}."
FAILED = "{command} ... ended with {code}"
NO_SLIDERS = "Sliders are still pictures in this book: what moves them could not be fetched."
NO_LIVE = "Cells do not run on the pages of this book: what they need could not be fetched."
NOT_FETCHED = (
    "{without}\n({reason})\n`make book` tries again;  LIVE=off make book  builds without cells that run."
)
NO_PORT = "PORT={port} is no port: choose a number from 1024 to 65535, as in  make serve PORT=8001"
PORT_IN_USE = "Port {port} is in use.  Choose another:  make serve PORT={other}"
PORT_NOT_ALLOWED = "Port {port} is not yours to open.  Choose one above 1023:  make serve PORT={other}"


OF_THE_DISK = (errno.ENOSPC, errno.EDQUOT, errno.EROFS, errno.EACCES, errno.EPERM)


def of_the_disk(error):
    """Say what an error of one of these numbers means."""
    full = error.errno in OF_THE_DISK[:2]
    return (DISK_FULL if full else READ_ONLY).format(folder=error.filename or "the course's folder")
