"""Makes the kit: everything that live cells need and that is not ours, ready to be copied into a site.

It is made once and kept in a cache outside the project, under a name that
depends on all it was made from.  A site is built with it if it is there, and
without live cells if it is not.
"""

from __future__ import annotations

import hashlib
import json
import os
import re
import shutil
import sys
import tempfile
import time
import zipfile
from email.parser import Parser
from pathlib import Path

from . import fetch, pins
from .fetch import SOURCES, Wheel, cache_folder, node_program, run, say

# What the kit is made from: change a file of site/live/ itself, or one of these two, and it is made anew.
INGREDIENTS = sorted(path for path in SOURCES.iterdir() if path.is_file())
RECIPES = (Path(__file__).with_name("pins.py"), Path(__file__))
CORE = ("pyodide.mjs", "pyodide.asm.mjs", "pyodide.asm.wasm")
STANDARD_LIBRARY = "python_stdlib.zip"
LOCK = "pyodide-lock.json"
AN_HOUR = 60 * 60  # no kit takes that long


def kit_folder() -> Path:
    """Where the kit is, or will be."""
    recipe = hashlib.sha256()
    for path in (*RECIPES, *INGREDIENTS):
        recipe.update(path.read_bytes())
    return cache_folder() / "live" / recipe.hexdigest()[:16]


def wanted() -> bool:
    """Whether the site shall have cells that run: `LIVE=off` builds without."""
    return os.environ.get("LIVE", "").lower() not in {"off", "no", "0", "false"}


def find_kit() -> Path | None:
    """The kit, if it has been made and is wanted."""
    folder = kit_folder()
    return folder if wanted() and folder.exists() else None


def make_kit() -> Path:
    """Return the kit, making it the first time."""
    folder = kit_folder()
    if folder.exists():
        return folder
    say(f"What cells need that run on the pages: 100 to 200 MB, fetched once, kept in {cache_folder()}")
    wheels = cache_folder() / "wheels"
    folder.parent.mkdir(parents=True, exist_ok=True)
    for left in folder.parent.glob(".making-*"):  # by a machine that went off, say
        if time.time() - left.stat().st_mtime > AN_HOUR:
            shutil.rmtree(left, ignore_errors=True)
    # Beside its final place, so that it appears there at once and whole.
    with tempfile.TemporaryDirectory(dir=folder.parent, prefix=".making-") as name:
        work = Path(name)
        # npm fetches exactly what the lock file says, and checks the hashes
        for path in INGREDIENTS:
            shutil.copy(path, work)
        fetch.npm("packages from npm (70 MB)", "ci", "--omit=dev", "--include=optional", folder=work)
        modules = work / "node_modules"
        lock = json.loads((modules / "pyodide" / LOCK).read_text(encoding="utf-8"))
        distribution = list(fetch.wheels_of(lock["packages"], pins.DISTRIBUTION))
        pure = [Wheel(file, sha256) for file, sha256 in pins.PURE.items()]
        fetch.distribution_wheels(distribution, wheels)
        fetch.pure_wheels(pure, wheels)

        raw = work / "raw"
        raw.mkdir()
        for wheel in (*distribution, *pure):
            shutil.copy(wheels / wheel.file, raw)
        shutil.copy(modules / "pyodide" / STANDARD_LIBRARY, raw)
        made = work / "kit"
        node = node_program("node")
        run("bytecode (half a minute)", [node, "compile.mjs", str(raw), str(made / "pyodide")], work)
        for file in CORE:
            shutil.copy(modules / "pyodide" / file, made / "pyodide")
        write_lock(lock, made / "pyodide", [wheel.file for wheel in pure])
        bundle(node, work, made)
        build_lite(work, made / "lite")
        try:
            made.rename(folder)
        except OSError:
            if not folder.exists():  # or else another build was faster
                raise
    return folder


def write_lock(lock: dict, folder: Path, pure: list[str]) -> None:
    """Keep of Pyodide's list what is here, add what is ours, and give the new hashes."""
    known = lock["packages"]
    packages = {name: known[name] for name in pins.DISTRIBUTION}
    for file in pure:
        entry = describe(folder / file)
        packages[normal(entry["name"])] = entry
    for entry in packages.values():
        entry["sha256"] = fetch.digest(folder / entry["file_name"])
        entry["depends"] = [name for name in map(normal, entry["depends"]) if name in packages]
    lock["packages"] = dict(sorted(packages.items()))
    (folder / LOCK).write_text(json.dumps(lock, indent=1), encoding="utf-8")


def describe(wheel: Path) -> dict:
    """An entry of Pyodide's list for one more wheel."""
    with zipfile.ZipFile(wheel) as archive:
        names = archive.namelist()
        (metadata,) = (name for name in names if name.endswith(".dist-info/METADATA"))
        about = Parser().parsestr(archive.read(metadata).decode("utf-8"))
    required = (line for line in about.get_all("Requires-Dist") or () if "extra ==" not in line)
    tops = {name.split("/")[0].removesuffix(".pyc").removesuffix(".py") for name in names if ".py" in name}
    return {
        "name": about["Name"],
        "version": about["Version"],
        "file_name": wheel.name,
        "install_dir": "site",
        "package_type": "package",
        "imports": sorted(top for top in tops if top.isidentifier()),
        "depends": [re.split(r"[^\w.-]", line, maxsplit=1)[0] for line in required],
        "unvendored_tests": False,
    }


def normal(name: str) -> str:
    return re.sub(r"[-_.]+", "-", name).lower()


def bundle(node: str, work: Path, made: Path) -> None:
    """Make one file each of the editor and the widget manager."""
    command = [
        node, "node_modules/esbuild/bin/esbuild", "editor.mjs", "widgets.mjs",
        "--bundle", "--minify", "--format=esm", f"--outdir={made / 'bundles'}", "--out-extension:.js=.mjs",
        "--legal-comments=linked", "--log-level=error",
        # icons of controls that the course does not use
        *(f"--loader:.{kind}=empty" for kind in ("svg", "woff", "woff2", "ttf", "eot", "png", "gif")),
        '--define:process.env.NODE_ENV="production"', "--define:global=globalThis",
        '--banner:js=var __webpack_public_path__="";',
    ]  # fmt: skip
    run("editor and widget manager", command, work)


# Settings of JupyterLite.  The address is seen from one of its apps, such as lite/notebooks/.
LITE_BUILD = {"LiteBuildConfig": {"apps": ["notebooks", "lab"], "no_sourcemaps": True}}
LITE_SITE = {
    "jupyter-lite-schema-version": 0,
    "jupyter-config-data": {
        "appName": "Attention, worked by hand",
        # the list of notebooks, in api/contents/
        "contentsAllJsonFile": "all.json",
        # where the browser may store nothing, what is changed lasts as long as the page
        "enableMemoryStorage": True,
        # lets a page's script, such as a test's, run its commands
        "exposeAppInBrowser": True,
        "litePluginSettings": {
            "@jupyterlite/pyodide-kernel-extension:kernel": {
                "pyodideUrl": "../../live/pyodide/pyodide.mjs",
                # what is not in the site is not there: no other host is asked
                "disablePyPIFallback": True,
            }
        },
    },
}


def build_lite(work: Path, made: Path) -> None:
    """Let JupyterLite's own command lay out its files, without notebooks: those come with each site."""
    environment = work / "lite-environment"
    source = work / "lite-source"
    source.mkdir()
    (source / "jupyter_lite_config.json").write_text(json.dumps(LITE_BUILD), encoding="utf-8")
    (source / "jupyter-lite.json").write_text(json.dumps(LITE_SITE), encoding="utf-8")
    run("an environment for JupyterLite", [sys.executable, "-m", "venv", str(environment)], work)
    programs = environment / ("Scripts" if os.name == "nt" else "bin")
    fetch.pip(
        "JupyterLite (16 MB)", "install", "--require-hashes", "--only-binary=:all:",
        "-r", str(SOURCES / "requirements-lite.txt"), python=programs / "python",
    )  # fmt: skip
    build = [str(programs / "jupyter-lite"), "build", "--output-dir", str(made)]
    run("its files", build, source)
    shutil.rmtree(made / "doc", ignore_errors=True)
    for path in made.glob("rspack.config*"):
        path.unlink()
    # It asks for icons that it does not bring.
    icons = made / "static" / "favicons"
    icons.mkdir(parents=True, exist_ok=True)
    for name in ("busy-1", "busy-2", "busy-3", "file", "notebook"):
        shutil.copy(made / "lab" / "favicon.ico", icons / f"favicon-{name}.ico")
