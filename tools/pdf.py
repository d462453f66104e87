"""The whole course as one PDF, printed by Chromium from the built site.

The articles of all pages are put into one document, so that links between
sections lead to pages of paper, and numbers and bookmarks run through.  Each
slider is its one chosen picture; what only a screen can use stays away.
"""

import re
import shutil
import sys
from pathlib import Path

import yaml
from playwright.sync_api import sync_playwright

ROOT = Path(__file__).resolve().parent.parent
CHROMIUM = (
    "chromium", "chromium-browser", "google-chrome", "chrome",
    "/Applications/Google Chrome.app/Contents/MacOS/Google Chrome",
    r"C:\Program Files\Google\Chrome\Application\chrome.exe",
)  # fmt: skip
NO_CHROMIUM = "no Chromium here: get it with `apt-get install chromium`, or install Chrome"
FOOT = (
    '<div style="width:100%;font:8pt serif;color:#566573;text-align:center">'
    '<span class="pageNumber"></span></div>'
)


def page_names():
    """Names of the pages in the order of the book, as `book/index.html`."""
    contents = yaml.safe_load((ROOT / "_toc.yml").read_text(encoding="utf-8"))
    chapters = [chapter["file"] for part in contents["parts"] for chapter in part["chapters"]]
    return [f"{re.sub(r'[.](md|ipynb)$', '', name)}.html" for name in [contents["root"], *chapters]]


def find_chromium():
    """Path of the machine's Chromium, or None."""
    return next(filter(None, map(shutil.which, CHROMIUM)), None)


def print_course(site: Path, target: Path):
    """Print the site whose folder holds ``index.html`` into a PDF; without Chromium, raise `RuntimeError`."""
    path = find_chromium()
    if path is None:
        raise RuntimeError(NO_CHROMIUM)
    names = page_names()
    pages = [{"name": name, "html": (site / name).read_text(encoding="utf-8")} for name in names]
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=path, args=["--no-sandbox", "--disable-gpu"])
        page = browser.new_page(color_scheme="light")
        page.goto((site / names[0]).resolve().as_uri())
        page.add_script_tag(path=Path(__file__).with_suffix(".js"))
        page.evaluate("joinPages", pages)
        page.evaluate("drawHatches")
        page.evaluate("document.fonts.ready")
        target.parent.mkdir(parents=True, exist_ok=True)
        page.pdf(
            path=target,
            prefer_css_page_size=True,
            outline=True,
            tagged=True,
            display_header_footer=True,
            header_template="<span></span>",
            footer_template=FOOT,
        )
        browser.close()


def main():
    """Print _build/html/ into _build/attention-worked-by-hand.pdf, or one folder into another file."""
    built = ROOT / "_build"
    site, target = map(Path, sys.argv[1:] or (built / "html", built / "attention-worked-by-hand.pdf"))
    print_course(site, target)
    print(f"wrote {target}")


if __name__ == "__main__":
    main()
