# `make NAME` runs the command NAME; the README has a table of them.  Each is one
# function in tools/tasks.py or tools/__main__.py, and no list of them is kept here:
# `%` stands for whatever name is given, and FORCE, which never exists as a file,
# makes sure that it runs although there are folders called book/ and tests/.
# On a machine without make, `python -m tools NAME` does the same.
#
# Another Python, another port, more processes, the newest packages instead of
# those pinned, no cells that run on the pages: make book PYTHON=python3.13,
# make serve PORT=9000, make test JOBS=4, make test PINS=off, make book LIVE=off

PYTHON ?= python3
export PORT JOBS PINS LIVE
# what others have set for Python is not for this one
unexport PYTHONHOME PYTHONPATH PYTHONSAFEPATH

.DEFAULT_GOAL := book

%: FORCE
	@$(PYTHON) -m tools $@

# or the rule above would be asked to make these two
FORCE Makefile: ;
