# `make NAME` runs the command NAME; the README has a table of them.  Each is one
# function in tools/tasks.py or tools/__main__.py, and no list of them is kept here:
# `%` stands for whatever name is given, and FORCE, which never exists as a file,
# makes sure that it runs although there are folders called book/ and tests/.
# On a machine without make, `python -m tools NAME` does the same.
#
# Another Python, another port, more processes, the newest packages instead of
# those pinned: make book PYTHON=python3.13, make serve PORT=9000,
# make test JOBS=4, make test PINS=off

PYTHON ?= python3
export PORT JOBS PINS

.DEFAULT_GOAL := book

%: FORCE
	@$(PYTHON) -m tools $@

# or the rule above would be asked to make these two
FORCE Makefile: ;
