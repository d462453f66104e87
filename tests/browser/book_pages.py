"""Which pages the site must have, and the notebooks that they were made from."""

import json
from pathlib import Path

import yaml

ROOT = Path(__file__).parents[2]
SITE = ROOT / "_build" / "html"
TOC = yaml.safe_load((ROOT / "_toc.yml").read_text(encoding="utf-8"))
NOTEBOOKS = [chapter["file"] for chapter in TOC["chapters"] if (ROOT / f"{chapter['file']}.ipynb").exists()]
PAGES = [TOC["root"], *(chapter["file"] for chapter in TOC["chapters"])]


def notebook_cells(name: str) -> list[dict]:
    return json.loads((ROOT / f"{name}.ipynb").read_text(encoding="utf-8"))["cells"]
