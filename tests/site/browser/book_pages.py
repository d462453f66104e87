"""Which pages the site must have, and the notebooks that they were made from."""

import json
import os
import re
from pathlib import Path

import pytest
import yaml

ROOT = Path(__file__).parents[3]
SITE = Path(os.environ.get("COURSE_SITE", ROOT / "_build" / "html"))
TOC = yaml.safe_load((ROOT / "_toc.yml").read_text(encoding="utf-8"))
CONFIG = yaml.safe_load((ROOT / "_config.yml").read_text(encoding="utf-8"))
LANGUAGE = CONFIG["sphinx"]["config"]["language"]
CHAPTERS = [chapter["file"] for part in TOC["parts"] for chapter in part["chapters"]]
NOTEBOOKS = [name for name in CHAPTERS if (ROOT / f"{name}.ipynb").exists()]
PAGES = [TOC["root"], *CHAPTERS]
# The content security policy that site/nginx.conf gives every page.
(POLICY,) = re.findall(
    r'default "(default-src [^"]+)";', (ROOT / "site" / "nginx.conf").read_text(encoding="utf-8")
)


EVERY_PAGE = pytest.mark.parametrize("name", [*PAGES, "search"])
EVERY_NOTEBOOK = pytest.mark.parametrize("name", NOTEBOOKS)


def notebook_cells(name: str) -> list[dict]:
    return json.loads((ROOT / f"{name}.ipynb").read_text(encoding="utf-8"))["cells"]


def code_cells(name: str) -> list[dict]:
    return [cell for cell in notebook_cells(name) if cell["cell_type"] == "code"]
