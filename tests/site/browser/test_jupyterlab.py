"""The notebooks in a JupyterLab that is installed: all of them run, sliders move, and a save leaves no trace."""

import os
import shutil
import socket
import subprocess
import sys
import time
import urllib.request
from contextlib import suppress

import pytest
from book_pages import ROOT
from playwright.sync_api import expect
from test_jupyterlite import NOTEBOOK, run_all

from tools import environment, notebooks

pytestmark = pytest.mark.thorough
NAMES = [path.name for path in notebooks.paths()]
LEFT_OUT = shutil.ignore_patterns(".git", ".venv*", ".*_cache", "_build", "__pycache__", "node_modules")


@pytest.fixture(scope="module")
def lab(tmp_path_factory):
    """A server on a copy of the checkout, and where it answers."""
    home = tmp_path_factory.mktemp("lab")
    copy = home / "copy"
    shutil.copytree(ROOT, copy, ignore=LEFT_OUT)
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    options = {
        "ServerApp.ip": "127.0.0.1",
        "ServerApp.port": str(port),
        "ServerApp.open_browser": "False",
        "ServerApp.allow_root": "True",
        "IdentityProvider.token": "",
        "LabApp.expose_app_in_browser": "True",
        "LabApp.news_url": "None",
        "LabApp.check_for_updates_class": "jupyterlab.NeverCheckForUpdate",
    }
    server = subprocess.Popen(
        [
            environment.python("-lab"),
            "-m",
            "jupyterlab",
            *(f"--{name}={value}" for name, value in options.items()),
        ],
        cwd=copy,
        env={**os.environ, "HOME": str(home), "JUPYTER_PREFER_ENV_PATH": "1"},
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    )
    try:
        address = f"http://127.0.0.1:{port}/"
        _wait(server, address)
        yield address, copy
    finally:
        server.terminate()
        server.wait(30)


def _wait(server, address):
    """Return once the server answers; fail if it has ended, or lets a minute and a half pass."""
    until = time.monotonic() + 90
    while server.poll() is None and time.monotonic() < until:
        with suppress(OSError):
            urllib.request.urlopen(f"{address}api", timeout=10).close()
            return
        time.sleep(0.2)
    pytest.fail(f"JupyterLab does not answer (it ended with {server.poll()})")


@pytest.mark.parametrize("name", NAMES)
def test_all_cells_run_and_a_save_leaves_no_trace(browser, lab, name):
    address, copy = lab
    page = browser.new_page()
    page.set_default_timeout(120_000)
    page.goto(f"{address}lab/tree/book/{name}?reset")
    page.wait_for_function(f"() => {{ {NOTEBOOK} return cells?.length > 0; }}")
    page.evaluate(f"""async () => {{ {NOTEBOOK}
        await panel.context.ready;
        await panel.context.sessionContext.ready;
    }}""")
    cells = run_all(page)
    assert all(cell["count"] for cell in cells)
    errors = [output for cell in cells for output in cell["outputs"] if output["output_type"] == "error"]
    assert errors == []
    handle = page.locator(".jp-OutputArea .noUi-handle").first
    if any("slider" in cell["metadata"] for cell in notebooks.cells(ROOT / "book" / name)):
        handle.scroll_into_view_if_needed()
        before = handle.get_attribute("aria-valuenow")
        handle.press("ArrowLeft" if float(before) else "ArrowRight")
        expect(handle).not_to_have_attribute("aria-valuenow", before)
    page.evaluate(f"async () => {{ {NOTEBOOK} await panel.context.save(); }}")
    page.close()
    saved = copy / "book" / name
    assert saved.read_bytes() != (ROOT / "book" / name).read_bytes(), "it was saved"
    done = subprocess.run(
        [sys.executable, "-m", "tools", "refresh", saved.stem],
        cwd=copy,
        check=False,
        capture_output=True,
        text=True,
    )
    assert done.returncode == 0, done.stdout + done.stderr
    assert saved.read_bytes() == (ROOT / "book" / name).read_bytes()
