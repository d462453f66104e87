"""Files from elsewhere, accepted only by their hashes, and kept in a cache outside the project."""

from __future__ import annotations

import base64
import contextlib
import functools
import hashlib
import io
import json
import os
import re
import shutil
import subprocess
import sys
import tarfile
import tempfile
import time
import urllib.request
import zipfile
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path

from tools.environment import pip_environment, reason_of_pip, started
from tools.progress import Progress

from . import pins

SOURCES = Path(__file__).parents[2] / "live"
TIMEOUT = 10  # seconds for the first sign of life
CHUNK = 1 << 18
# The script that moves sliders: its package, and where it lies in that.
SLIDERS = ("@jupyter-widgets/html-manager", "package/dist/embed.js")


class VendoringError(Exception):
    """Something could not be fetched, or was not what it should be."""


NOT_FETCHED = (VendoringError, OSError, subprocess.SubprocessError, zipfile.BadZipFile, tarfile.TarError)


def cache_folder() -> Path:
    """Kept through `make clean`, and shared by all clones."""
    base = os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache"
    return Path(base, "attention-course")


# --------------------------------------------------------------------------
# From npm
# --------------------------------------------------------------------------


def node_program(name: str) -> str:
    """Path of `node` or `npm`: the machine's if it is recent enough, or that of a Python package."""
    beside = str(Path(sys.executable).parent)
    for folder in (None, beside):
        node, program = (shutil.which(one, path=folder) for one in ("node", name))
        if node and program:
            said = subprocess.run([node, "--version"], capture_output=True, text=True, check=False).stdout
            if (found := re.match(r"v(\d+)", said)) and int(found[1]) >= pins.OLDEST_NODE:
                return program
    pip(f"Node.js (60 MB), as the Python package {pins.NODE}", "install", pins.NODE)
    if (program := shutil.which(name, path=beside)) is None:
        raise VendoringError(
            f"{name} of Node.js {pins.OLDEST_NODE} or newer is needed; {pins.NODE} brought none"
        )
    return program


def npm(label: str, *words: str, folder: Path) -> None:
    """Let npm fetch something into a folder, whatever else its settings say."""
    alike = ("--ignore-scripts", "--no-audit", "--no-fund", "--loglevel=error", "--update-notifier=false")
    for_this = ("--global=false", "--dry-run=false", "--package-lock=true")
    patience = ("--fetch-retries=1", "--fetch-retry-mintimeout=1000", "--fetch-retry-maxtimeout=3000")
    reach_npm(patience)
    run(label, [node_program("npm"), *words, *alike, *for_this, *patience], folder)


@functools.cache
def reach_npm(patience: tuple[str, ...]) -> None:
    """Ask npm's registry for a trifle first: for the large ones it waits five minutes."""
    words = ("view", "@lezer/highlight", "version", "--prefer-online", "--fetch-timeout=15000")
    run("the registry of npm", [node_program("npm"), *words, *patience, "--loglevel=error"], SOURCES)


def pinned(name: str) -> dict[str, str]:
    """What site/live/package-lock.json says of a package."""
    lock = json.loads((SOURCES / "package-lock.json").read_text(encoding="utf-8"))
    return lock["packages"][f"node_modules/{name}"]


def kept_package(name: str) -> Path:
    """Where a package of npm is kept, once it has been fetched."""
    return cache_folder() / "npm" / f"{name.replace('/', '-')}-{pinned(name)['version']}.tgz"


def from_npm(name: str, member: str) -> bytes:
    """One file of a package that site/live/package-lock.json pins."""
    kept, pin = kept_package(name), pinned(name)
    if not kept.exists():
        kept.parent.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryDirectory(dir=kept.parent) as scratch:
            # not run there: npm would take the settings of a project in a folder above
            words = ("pack", f"{name}@{pin['version']}", f"--pack-destination={scratch}")
            npm(f"{name}, from npm", *words, folder=SOURCES)
            (fresh,) = Path(scratch).glob("*.tgz")
            fresh.replace(kept)
    content = kept.read_bytes()
    got = f"sha512-{base64.b64encode(hashlib.sha512(content).digest()).decode()}"
    if got != pin["integrity"]:
        kept.unlink()
        raise VendoringError(
            f"{name} is not the package that it should be: {got}, expected {pin['integrity']}"
        )
    with tarfile.open(fileobj=io.BytesIO(content)) as archive:
        return archive.extractfile(member).read()


# --------------------------------------------------------------------------
# Wheels
# --------------------------------------------------------------------------


@dataclass(frozen=True)
class Wheel:
    """A file that is wanted, and the only content that is accepted."""

    file: str
    sha256: str

    @property
    def requirement(self) -> str:
        name, version, *_ = self.file.split("-")
        return f"{name}=={version}"


def digest(path: Path) -> str:
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


def accept(wheel: Wheel, path: Path, folder: Path) -> Path:
    """Move a fetched file among the accepted ones, or stop everything."""
    if (got := digest(path)) != wheel.sha256:
        raise VendoringError(
            f"{wheel.file} is not the file that it should be: its sha256 is {got}, expected {wheel.sha256}"
        )
    folder.mkdir(parents=True, exist_ok=True)
    return Path(shutil.move(path, folder / wheel.file))


def missing(wheels: Iterable[Wheel], folder: Path) -> list[Wheel]:
    """Those that an earlier run has not left behind, whole."""
    return [w for w in wheels if not ((p := folder / w.file).exists() and digest(p) == w.sha256)]


def distribution_wheels(wheels: list[Wheel], folder: Path) -> None:
    """Fetch wheels of Pyodide's distribution."""
    wanted = missing(wheels, folder)
    if not wanted:
        return
    try:
        for count, wheel in enumerate(wanted, start=1):
            with tempfile.TemporaryDirectory() as scratch:
                fresh = Path(scratch, wheel.file)
                download(pins.HOST + wheel.file, fresh, f"{count} of {len(wanted)}: {wheel.file}")
                accept(wheel, fresh, folder)
    except OSError as error:
        say(f"  Pyodide's own host is out of reach ({error})")
        from_carrier(missing(wheels, folder), folder)


def from_carrier(wheels: list[Wheel], folder: Path) -> None:
    """Take the same files out of a package on PyPI that carries them."""
    name, version, inside = pins.CARRIER
    label = f"the same files from the package {name} {version} ({pins.CARRIER_SIZE})"
    with tempfile.TemporaryDirectory() as scratch:
        pip_download(label, [f"{name}=={version}"], Path(scratch))
        (carrier,) = Path(scratch).glob("*.whl")
        with zipfile.ZipFile(carrier) as archive:
            for wheel in wheels:
                fresh = Path(scratch, wheel.file)
                try:
                    fresh.write_bytes(archive.read(inside + wheel.file))
                except KeyError:
                    raise VendoringError(f"{name} {version} does not carry {wheel.file}") from None
                accept(wheel, fresh, folder)


def pure_wheels(wheels: list[Wheel], folder: Path) -> None:
    """Fetch wheels of pure Python from PyPI, all in one go."""
    wanted = missing(wheels, folder)
    if not wanted:
        return
    label = f"{len(wanted)} packages of pure Python (4 MB)"
    with tempfile.TemporaryDirectory() as scratch:
        pip_download(label, [wheel.requirement for wheel in wanted], Path(scratch))
        for wheel in wanted:
            fresh = Path(scratch, wheel.file)
            if not fresh.exists():
                raise VendoringError(f"PyPI has no {wheel.file} for {wheel.requirement}")
            accept(wheel, fresh, folder)


def pip_download(label: str, requirements: list[str], folder: Path) -> None:
    """Fetch wheels; the carrier is only unpacked, whatever Python it is for."""
    any_python = ("--only-binary=:all:", "--python-version=3.14", "--ignore-requires-python")
    pip(label, "download", "--no-deps", *any_python, f"--dest={folder}", *requirements)


def pip(label: str, *words: str, python: str = sys.executable) -> None:
    """Let pip find packages: it knows the machine's index and its proxies."""
    command = [python, "-m", "pip", *words]
    run(label, command, SOURCES, settings=pip_environment(sys.executable), reason=reason_of_pip)


def download(address: str, target: Path, label: str) -> None:
    """Fetch one file, saying how far it is."""
    progress = Progress(label)
    with urllib.request.urlopen(address, timeout=TIMEOUT) as response, target.open("wb") as file:
        total = int(response.headers.get("Content-Length") or 0)
        done = 0
        for chunk in iter(lambda: response.read(CHUNK), b""):
            file.write(chunk)
            done += len(chunk)
            progress.tell(f"{done / 1e6:.1f} of {total / 1e6:.1f} MB")
    progress.end(f"{done / 1e6:.1f} MB")


def wheels_of(packages: dict[str, dict], names: Iterable[str]) -> Iterator[Wheel]:
    """Files and hashes as Pyodide's own list gives them."""
    for name in names:
        yield Wheel(packages[name]["file_name"], packages[name]["sha256"])


# --------------------------------------------------------------------------
# Commands
# --------------------------------------------------------------------------


def run(
    label: str,
    command: list[str],
    folder: Path,
    *,
    settings: dict[str, str] | None = None,
    reason: Callable[[str], str] | None = None,
) -> None:
    """Run a command that takes its time, saying how long; what it says matters only if it fails."""
    progress = Progress(label)
    begun = time.monotonic()
    with tempfile.TemporaryFile("w+", encoding="utf-8", errors="replace") as said:
        with started(command, settings, folder, patience=1, stdout=said, stderr=said) as process:
            while process.poll() is None:
                progress.tell(f"{time.monotonic() - begun:.0f} s")
                with contextlib.suppress(subprocess.TimeoutExpired):
                    process.wait(0.5)
        said.seek(0)
        if process.returncode:
            progress.end("not to be had")
            raise VendoringError(f"{label}: {(reason or reason_of_npm)(said.read())}")
        progress.end(f"{time.monotonic() - begun:.0f} s")


def reason_of_npm(said: str) -> str:
    """Return, in a few words, why npm could not do what it should; of other programs, their last line."""
    if found := re.search(r"npm error .*failed, reason: (.*)", said):
        return found[1]
    lines = [line.removeprefix("npm error ") for line in said.splitlines() if line.strip()]
    told = [line for line in lines if "complete log of this run" not in line and not line.startswith("code ")]
    return (told or lines or ["it ended without a word"])[0 if "npm error" in said else -1]


def say(text: str) -> None:
    print(text, flush=True)
