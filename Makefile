# Thin on purpose: each target is one or two commands that can be run by hand.
#
#   make book      build the website             -> _build/html/index.html
#   make serve     build it and serve it on 127.0.0.1
#   make check     lint, unit tests, prose and pictures against the arithmetic
#   make test      everything: check, every notebook's outputs, the built site
#   make refresh   run the notebooks again and store their outputs
#   make figures   draw figures/*.svg again
#   make lab       open the notebooks in JupyterLab
#   make clean     delete what was built (the environment stays)
#
# The environment lives in .venv/ and is made, or brought up to date, by
# whichever target needs it.  Another Python: make book PYTHON=python3.13

PYTHON ?= python3
PORT ?= 8000
JOBS ?= 2

BIN := .venv/bin
RUN := $(BIN)/python
PIP := $(RUN) -m pip install --quiet --disable-pip-version-check

# Notebooks start kernels by name: let them find this environment's first, and
# nobody's configuration.
export JUPYTER_PREFER_ENV_PATH = 1
export PATH := $(CURDIR)/$(BIN):$(PATH)
export MPLBACKEND = agg
unexport PYTHONPATH

.PHONY: book serve check test refresh figures lab clean
.DELETE_ON_ERROR:

book: .venv/.book
	rm -rf _build/html _build/.doctrees _build/jupyter_execute
	$(BIN)/jupyter-book build . --all -W -n --keep-going -q

serve: book
	$(RUN) -m http.server $(PORT) --bind 127.0.0.1 --directory _build/html

check: .venv/.test
	$(BIN)/ruff check .
	$(RUN) -m scripts check
	$(RUN) -m pytest tests/unit -q -m "not slow"

# Notebooks are compared in their own run: nbval's plug-in collects nothing
# else, and a kernel that hangs fails after two minutes, not half an hour.
test: .venv/.test
	$(BIN)/ruff check .
	$(RUN) -m scripts check
	$(RUN) -m pytest tests/unit
	$(RUN) -m pytest --nbval --nbval-cell-timeout=120 -n $(JOBS) --dist loadfile book
	$(MAKE) book
	$(RUN) -m pytest tests/browser

refresh: .venv/.book
	$(RUN) -m scripts refresh

figures: .venv/.book
	$(RUN) -m scripts figures

lab: .venv/.lab
	$(BIN)/jupyter lab book

clean:
	rm -rf _build .pytest_cache .ruff_cache

# The environment.  A stamp a set of requirements, so that reading the book
# installs neither the tests' tools nor JupyterLab.

# Kernels take their settings from here, not from the reader's own profile.
export IPYTHONDIR = $(CURDIR)/.venv/ipython

.venv/bin/python:
	$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11) and "Python 3.11 or newer is needed: make $(MAKECMDGOALS) PYTHON=python3.12")'
	$(PYTHON) -m venv .venv
	mkdir -p .venv/etc/ipython
	echo 'c.IPKernelApp.log_level = "ERROR"' > .venv/etc/ipython/ipython_kernel_config.py

.venv/.book: requirements.txt pyproject.toml | .venv/bin/python
	$(PIP) -r requirements.txt -e .
	touch $@

.venv/.test: requirements-test.txt .venv/.book
	$(PIP) -r requirements-test.txt
	touch $@

.venv/.lab: requirements-lab.txt .venv/.book
	$(PIP) -r requirements-lab.txt
	touch $@
