# What each target does is in tools/tasks.py; `python -m tools TARGET` does
# the same on a machine without make.
#
#   make book      build the website             -> _build/html/index.html
#   make serve     build it and serve it on 127.0.0.1
#   make pdf       print the built site as one PDF, with Chromium
#   make check     lint, unit tests, prose and pictures against the arithmetic
#   make test      everything: check, every notebook's outputs, the built site
#   make refresh   run the notebooks, store their outputs, write figures/*.svg
#   make lab       open the notebooks in JupyterLab
#   make live      fetch what cells that run in the page need
#   make mutate    change code and prose everywhere, and see a check go red
#   make torch     install PyTorch, for the tests that compare with it
#   make load      three hundred readers at once, of the site served by nginx
#   make links     ask every address that the course names whether it answers
#   make pins      pin the newest packages that fit, and run the tests
#   make audit     ask whether a pinned package has a known weakness
#   make clean     delete what was built (the environment stays)
#
# The environment lives in .venv/ and is made, or brought up to date, by
# whichever target needs it.  Another Python: make book PYTHON=python3.13
# Another port, more processes, the newest packages instead of those pinned:
# make serve PORT=9000, make test JOBS=4, make test PINS=off

PYTHON ?= python3
export PORT JOBS PINS

.PHONY: book serve pdf check test refresh lab live mutate torch load links pins audit clean

book serve pdf check test refresh lab live mutate torch load links pins audit clean:
	@$(PYTHON) -m tools $@
