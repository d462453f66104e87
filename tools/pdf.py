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

# Runs in the page that is to be printed. Ids of two pages may be the same: each gets
# the number of its page put before it, wherever it is named.
JOIN = """pages => {
    const names = pages.map(page => page.name);
    const joined = pages.map(({name, html}, own) => {
        const article = new DOMParser().parseFromString(html, "text/html").querySelector("article");
        const base = new URL(name, "https://course.invalid/");
        for (const part of article.querySelectorAll("script, .headerlink")) part.remove();
        for (const element of article.querySelectorAll("*")) {
            if (element.id) element.id = `s${own}-${element.id}`;
            for (const attribute of element.attributes) {
                const {value} = attribute;
                if (value.includes("url(#")) attribute.value = value.replaceAll("url(#", `url(#s${own}-`);
            }
            if (element.matches("use")) {
                element.setAttribute("href", `#s${own}-${element.getAttribute("href").slice(1)}`);
            }
            if (element.matches("details")) element.open = true;
            if (element.matches("a[href]")) {
                const to = new URL(element.getAttribute("href"), base);
                const there = names.indexOf(to.pathname.slice(1));
                if (there >= 0) {
                    element.setAttribute("href", `#s${there}${to.hash.replace("#", "-")}`);
                } else if (to.host === base.host) {
                    element.removeAttribute("href");  // a file to download
                }
            }
        }
        article.id = `s${own}`;
        return article;
    });
    document.querySelector("main").replaceChildren(...joined);
    document.documentElement.classList.add("paper");
}"""

# A pattern would be printed as an image of few dots: draw its lines, cut out by the shape.
HATCH = """() => {
    const make = (name, into) =>
        into.appendChild(document.createElementNS("http://www.w3.org/2000/svg", name));
    let count = 0;
    for (const shape of document.querySelectorAll("svg [fill^='url(#']")) {
        const name = shape.getAttribute("fill").slice("url(#".length, -1);
        const pattern = document.getElementById(name);
        const [width, height] = ["width", "height"].map(side => Number(pattern.getAttribute(side)));
        const box = shape.getBBox();
        const group = document.createElementNS("http://www.w3.org/2000/svg", "g");
        const clip = make("clipPath", group);
        clip.id = `hatched-${count++}`;
        const outline = clip.appendChild(shape.cloneNode());
        for (const attribute of ["id", "transform"]) outline.removeAttribute(attribute);
        const lines = make("g", group);
        lines.setAttribute("clip-path", `url(#${clip.id})`);
        const first = [box.x / width, box.y / height].map(Math.floor);
        for (let i = first[0]; i * width < box.x + box.width; i++) {
            for (let j = first[1]; j * height < box.y + box.height; j++) {
                const tile = make("g", lines);
                tile.setAttribute("transform", `translate(${i * width} ${j * height})`);
                for (const line of pattern.querySelectorAll("path")) tile.append(line.cloneNode());
            }
        }
        if (shape.hasAttribute("transform")) {
            group.setAttribute("transform", shape.getAttribute("transform"));
        }
        shape.setAttribute("fill", "none");
        shape.before(group);
    }
}"""


def page_names():
    """Names of the pages in the order of the book, as `book/index.html`."""
    contents = yaml.safe_load((ROOT / "_toc.yml").read_text(encoding="utf-8"))
    chapters = [chapter["file"] for part in contents["parts"] for chapter in part["chapters"]]
    return [f"{re.sub(r'[.](md|ipynb)$', '', name)}.html" for name in [contents["root"], *chapters]]


def find_chromium():
    """Path of the machine's Chromium, or None."""
    return next(filter(None, map(shutil.which, CHROMIUM)), None)


def print_course(site, target):
    """Print the built site.

    Parameters
    ----------
    site : pathlib.Path
        The folder that holds ``index.html``.
    target : pathlib.Path
        The PDF to write.

    Raises
    ------
    RuntimeError
        If there is no Chromium.
    """
    path = find_chromium()
    if path is None:
        raise RuntimeError(NO_CHROMIUM)
    names = page_names()
    pages = [{"name": name, "html": (site / name).read_text(encoding="utf-8")} for name in names]
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=path, args=["--no-sandbox", "--disable-gpu"])
        page = browser.new_page(color_scheme="light")
        page.goto((site / names[0]).resolve().as_uri())
        page.evaluate(JOIN, pages)
        page.evaluate(HATCH)
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
