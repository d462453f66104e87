"""The course's own package, as a wheel made of the checkout: what a cell of a page imports.

It stays source, so that a traceback can quote it.
"""

from __future__ import annotations

import tomllib
import zipfile
from pathlib import Path

ROOT = Path(__file__).parents[3]
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
NAME, VERSION = PROJECT["name"], PROJECT["version"]
FILE = f"{NAME}-{VERSION}-py3-none-any.whl"
KINDS = {".py", ".json", ".mplstyle"}
EPOCH = (2020, 1, 1, 0, 0, 0)  # the same bytes on every day

NEEDS = ("ipywidgets", "matplotlib", "numpy")
METADATA = f"Metadata-Version: 2.1\nName: {NAME}\nVersion: {VERSION}\n" + "".join(
    f"Requires-Dist: {name}\n" for name in NEEDS
)
WHEEL = "Wheel-Version: 1.0\nGenerator: course_live\nRoot-Is-Purelib: true\nTag: py3-none-any\n"


def write_wheel(folder: Path) -> Path:
    """Pack scripts/ and return the file."""
    info = f"{NAME}-{VERSION}.dist-info"
    members = {
        path.relative_to(ROOT).as_posix(): path.read_bytes()
        for path in sorted((ROOT / NAME).rglob("*"))
        if path.suffix in KINDS and "__pycache__" not in path.parts
    }
    members[f"{info}/METADATA"] = METADATA.encode()
    members[f"{info}/WHEEL"] = WHEEL.encode()
    # nobody uninstalls it, but installers want the list
    members[f"{info}/RECORD"] = "".join(f"{name},,\n" for name in [*members, f"{info}/RECORD"]).encode()
    folder.mkdir(parents=True, exist_ok=True)
    path = folder / FILE
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, content in members.items():
            archive.writestr(zipfile.ZipInfo(name, EPOCH), content, zipfile.ZIP_DEFLATED)
    return path
