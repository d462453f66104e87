"""What a reader must have in every browser: pages, formulas, sliders, cells that run, JupyterLite."""

import statistics

import pytest
from book_pages import PAGES
from conftest import sliders
from playwright.sync_api import sync_playwright

from tools.pdf import NO_CHROMIUM, find_chromium

ADDRESSES = [*(f"{name}.html" for name in PAGES), "search.html?q=softmax", "index.html"]


def open_page(browser, host, address, width=1280):
    browser.open(f"{host.address}/{address}")
    browser.resize(width, 900)
    browser.until("""
        return document.readyState === 'complete' && document.fonts.status === 'loaded'
            && !document.querySelector('meta[http-equiv=refresh]');  // or another page is about to come
    """)


def reach(browser, element, *args):
    """Bring an element into view; return its middle once nothing lies over it."""
    return browser.until(
        f"""
        const element = (function () {{ {element} }})(...arguments);
        if (!element) return null;
        element.scrollIntoView({{block: "center", behavior: "instant"}});
        const box = element.getBoundingClientRect();
        const middle = [box.x + box.width / 2, box.y + box.height / 2];
        return element.contains(document.elementFromPoint(...middle)) ? middle : null;
        """,
        *args,
    )


# ---- pages ------------------------------------------------------------------


@pytest.mark.parametrize("width", [1280, 390])
def test_pages_load_and_fit_without_a_complaint(browser, host, width):
    complaints = []
    for address in ADDRESSES:
        open_page(browser, host, address, width)
        wider = browser.run("return document.documentElement.scrollWidth - innerWidth")
        assert wider <= 0, f"{address} is {wider} px wider than the window"
        assert browser.run("return [...document.images].filter(image => !image.naturalWidth).length") == 0
        complaints += browser.said()
    assert complaints == []
    assert host.in_vain == []


def test_complaints_are_heard(browser, plain):
    """Or the other tests would say nothing."""
    open_page(browser, plain, "book/index.html")
    browser.run("""
        console.error("told");
        setTimeout(() => { throw new Error("thrown"); });
        Promise.reject(new Error("refused"));
        document.body.append(Object.assign(new Image(), {src: "nowhere.png"}));
    """)
    heard = []
    while not all(any(word in line for line in heard) for word in ("told", "thrown", "refused", "nowhere")):
        heard += browser.until("return window.complaints.length") and browser.said()
    assert plain.in_vain == ["404: /book/nowhere.png"]
    plain.in_vain.clear()


# ---- formulas ---------------------------------------------------------------

# Sign by sign: what it is, its left end and its middle in units of the formula's type, and the
# cell of a table it stands in.
PLACES = """
    for (const details of document.querySelectorAll("details")) details.open = true;
    return [...document.querySelectorAll("math")].map(math => {
        const size = parseFloat(getComputedStyle(math).fontSize);
        const cells = [...math.querySelectorAll("mtd")];
        return [...math.querySelectorAll("mi, mn, mo, mtext")].filter(sign => sign.firstChild).map(sign => {
            const range = document.createRange();
            range.selectNodeContents(sign);
            const box = range.getBoundingClientRect();
            const [x, y] = [box.left, box.top + scrollY + box.height / 2].map(place => place / size);
            return {sign: sign.textContent, x, y, cell: cells.indexOf(sign.closest("mtd"))};
        });
    });
"""
# In units of the type.  Browsers differ in the space around a sign, and so in a long line's
# end; where signs stick to their neighbours, the step from one to the next is half a unit off.
STEP, LINE = 0.45, 1.2


@pytest.fixture(scope="session")
def in_chromium():
    """Places of the signs of each page in Chromium, which the other tests look at."""
    path = find_chromium()
    if path is None:
        pytest.skip(NO_CHROMIUM)

    def places(addresses):
        with sync_playwright() as playwright:
            chromium = playwright.chromium.launch(
                executable_path=path, args=["--no-sandbox", "--disable-gpu"]
            )
            page = chromium.new_page(viewport={"width": 1280, "height": 900})
            for address in addresses:
                page.goto(address)
                page.wait_for_function("document.fonts.status === 'loaded'")
                yield page.evaluate(f"() => {{ {PLACES} }}")
            chromium.close()

    return places


def misplaced(there, here):
    """How far the signs of a formula stand from where they are elsewhere: in a step, in the whole."""
    steps = [
        max(abs((b["x"] - a["x"]) - (d["x"] - c["x"])), abs((b["y"] - a["y"]) - (d["y"] - c["y"])))
        for a, b, c, d in zip(there, there[1:], here, here[1:], strict=False)
        if a["cell"] == b["cell"]
    ]
    shifts = [after["x"] - before["x"] for before, after in zip(there, here, strict=True)]
    middle = statistics.median(shifts)
    return max(steps, default=0), max(abs(shift - middle) for shift in shifts)


def test_formulas_look_as_in_chromium(browser, plain, in_chromium):
    addresses = [f"{plain.address}/{name}.html" for name in PAGES]
    seen, wrong = 0, []
    for name, there in zip(PAGES, in_chromium(addresses), strict=True):
        open_page(browser, plain, f"{name}.html")
        here = browser.run(PLACES)
        seen += len(there)
        for before, after in zip(there, here, strict=True):
            step, line = misplaced(before, after)
            if step > STEP or line > LINE:
                wrong.append((name, "".join(sign["sign"] for sign in before), round(step, 2), round(line, 2)))
    assert seen > 100
    assert wrong == []


# ---- sliders ----------------------------------------------------------------

STATE = """
    const box = document.querySelectorAll(".course-slider")[arguments[0]];
    const handle = box?.querySelector(".noUi-handle");
    // what the handle says, and soon after it the value that is read out
    const value = box?.querySelector(".widget-readout")?.textContent.trim();
    if (!value || handle?.getAttribute("aria-valuetext") !== value) return null;
    const said = [...box.querySelectorAll(".said")].find(words => words.offsetParent);
    return {text: handle.getAttribute("aria-valuetext"), said: said.textContent,
            picture: said.previousElementSibling.outerHTML};
"""


def test_slider_moves_by_key_and_drag(browser, host, slider):
    page, place = sliders()[slider]
    open_page(browser, host, f"{page}.html")
    browser.until(STATE, place)
    handle = "return document.querySelectorAll('.course-slider')[arguments[0]].querySelector('.noUi-handle')"

    def after(move):
        before = browser.until(STATE, place)
        move()
        # the picture moves with the handle
        return browser.until(
            f"""
            const now = (function () {{ {STATE} }})(arguments[0]);
            return now && now.text !== arguments[1].text && now.picture !== arguments[1].picture && now;
            """,
            place,
            before,
        )

    reach(browser, handle, place)
    browser.run(f"(function () {{ {handle} }})(arguments[0]).focus()", place)
    browser.press("Home")
    browser.until(
        f"const handle = (function () {{ {handle} }})(arguments[0]);"
        "return handle.getAttribute('aria-valuenow') === handle.getAttribute('aria-valuemin')",
        place,
    )
    first = browser.until(STATE, place)
    last_place = after(lambda: browser.press("End"))
    assert after(lambda: browser.press("Home")) == first
    second = after(lambda: browser.press("ArrowRight"))
    assert first["said"] not in (last_place["said"], second["said"])
    assert after(lambda: browser.press("Home")) == first

    bar = browser.run("const bar = document.querySelectorAll('.course-slider')[arguments[0]]"
                      ".querySelector('.noUi-target').getBoundingClientRect(); return [bar.left, bar.right]", place)  # fmt: skip
    x, y = reach(browser, handle, place)
    last = after(lambda: browser.drag((x, y), ((x + bar[1]) / 2, y), (bar[1] + 30, y + 3)))
    assert last == last_place
    x, y = reach(browser, handle, place)
    assert after(lambda: browser.drag((x, y), ((x + bar[0]) / 2, y), (bar[0] - 30, y - 3))) == first
    assert browser.said() == []
    assert host.in_vain == []


# ---- cells that run ---------------------------------------------------------


class Cells:
    """The cells of a page, counted from one."""

    def __init__(self, browser):
        self.browser = browser

    def find(self, begins):
        """The number of the first cell that begins so."""
        script = """
            const texts = [...document.querySelectorAll("article .cell .cell_input pre")].map(e => e.textContent);
            return texts.findIndex(text => text.includes(arguments[0])) + 1;
        """
        number = self.browser.run(script, begins)
        assert number, begins
        return number

    def press(self, number, what):
        find = (
            "return document.querySelectorAll('article .cell')[arguments[0] - 1].querySelector(arguments[1])"
        )
        self.browser.click(reach(self.browser, find, number, what))

    def until_note(self, number, *beginnings):
        return self.browser.until(
            """
            const note = document.querySelectorAll("article .cell")[arguments[0] - 1]
                .querySelector(".live-note").textContent;
            return arguments[1].some(beginning => note.startsWith(beginning)) && note;
            """,
            number,
            beginnings,
        )

    def output(self, number):
        return self.browser.run(
            "return document.querySelectorAll('article .cell')[arguments[0] - 1]"
            ".querySelector('.cell_output').innerText",
            number,
        )

    def write(self, number, text):
        self.press(number, ".live-edit")
        editor = (
            "return document.querySelectorAll('article .cell')[arguments[0] - 1].querySelector('.cm-content')"
        )
        self.browser.click(reach(self.browser, editor, number))
        self.browser.press("Control", "a")
        self.browser.press("Delete")
        self.browser.type(text)

    def run(self, number):
        self.press(number, ".live-run")
        return self.until_note(number, "Ran", "Ended", "Not run", "Stopped")


def test_cells_run_with_picture_exercise_and_stop(browser, host, live):
    open_page(browser, host, f"{next(name for name in PAGES if '/1-' in name)}.html")
    cells = Cells(browser)
    picture = cells.find("draw.")
    assert cells.run(picture).startswith("Ran")
    width = browser.until(
        "return document.querySelectorAll('article .cell')[arguments[0] - 1]"
        ".querySelector('.live-output svg')?.getBoundingClientRect().width",
        picture,
    )
    assert width > 300

    exercise = cells.find('check("1.1"')
    for answer, said in (("[1, 1]", "not right yet"), ("[2.5, 2.0]", "Exercise 1.1: right.")):
        cells.write(exercise, f'exercises.check("1.1", {answer})')
        assert cells.run(exercise).startswith("Ran")
        assert said in cells.output(exercise)
    assert browser.said() == []
    assert host.in_vain == []

    cells.write(2, "while True: pass")
    cells.press(2, ".live-run")
    cells.until_note(2, "Running")
    browser.click(reach(browser, "return document.querySelector('.live-stop')"))
    browser.until("return document.querySelector('.live-bar').textContent.includes('Stopped')")
    cells.write(2, "print(6 * 7)")
    assert cells.run(2).startswith("Ran")
    assert "42" in cells.output(2)


# ---- JupyterLite ------------------------------------------------------------


def test_jupyterlite_runs_a_notebook_to_its_last_cell(browser, host, live):
    open_page(browser, host, f"{next(name for name in PAGES if '/1-' in name)}.html")
    find = "return [...document.querySelectorAll('a')].find(a => a.textContent.includes('JupyterLite')).href"
    browser.open(browser.run(find))
    browser.until("return window.jupyterapp?.shell.currentWidget?.content?.model?.cells?.length > 0")
    browser.run("""
        const panel = window.jupyterapp.shell.currentWidget;
        panel.context.ready.then(() => panel.context.sessionContext.ready).then(() => (window.ready = true));
    """)
    browser.until("return window.ready")
    browser.run("""
        window.jupyterapp.commands.execute("notebook:run-all-cells").then(() => (window.ran = true));
    """)
    # what never ends has not run: until then the count stands still
    states = """
        const cells = [...window.jupyterapp.shell.currentWidget.content.model.cells]
            .filter(cell => cell.type === "code");
        return {
            ran: Boolean(window.ran),
            waiting: cells.filter(cell => !cell.executionCount).length,
            errors: cells.flatMap(cell => cell.outputs.toJSON())
                .filter(output => output.output_type === "error").map(output => output.evalue),
        };
    """
    browser.until(f"const now = (function () {{ {states} }})(); return now.ran || now.errors.length")
    assert browser.run(states) == {"ran": True, "waiting": 0, "errors": []}
