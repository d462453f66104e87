"""The whole notebook in the browser: JupyterLite, on the same Python as the live cells."""

import pytest
from book_pages import NOTEBOOKS
from conftest import SUB_PATH
from playwright.sync_api import expect

pytestmark = pytest.mark.usefixtures("live_site")

# That the cells of all notebooks run on this Python is shown on the pages themselves.
SLIDERS = next(name for name in NOTEBOOKS if "/4-" in name)
QUICK = (SLIDERS, NOTEBOOKS[-1])
NOTEBOOK = """
    const panel = window.jupyterapp?.shell.currentWidget;
    const cells = panel?.content?.model?.cells;
"""


def open_notebook(reader, page_name: str):
    """From the page of a section, as a reader gets there."""
    live = reader.visit(page_name)
    with live.page.context.expect_page() as waiting:
        live.page.get_by_role("link", name="Open in JupyterLite").click(modifiers=["ControlOrMeta"])
    page = waiting.value
    page.wait_for_function(f"() => {{ {NOTEBOOK} return cells?.length > 0; }}")
    page.evaluate(f"""async () => {{ {NOTEBOOK}
        await panel.context.ready;
        await panel.context.sessionContext.ready;
    }}""")
    return page


def run_all(page) -> list[dict]:
    """Run all cells; return the outputs."""
    page.evaluate("""() => {
        window.ran = false;
        window.jupyterapp.commands.execute("notebook:run-all-cells").then(() => (window.ran = true));
    }""")
    page.wait_for_function("window.ran")
    return page.evaluate(f"""() => {{ {NOTEBOOK}
        return Array.from(cells).filter(cell => cell.type === "code")
            .map(cell => ({{count: cell.executionCount, outputs: cell.outputs.toJSON()}}));
    }}""")


def expected(name):
    return name if name in QUICK else pytest.param(name, marks=pytest.mark.thorough)


@pytest.mark.parametrize("name", list(map(expected, NOTEBOOKS)))
def test_all_cells_run(reader, name):
    asked = []
    reader.context.on("request", lambda request: asked.append(request.url))
    page = open_notebook(reader, name)
    cells = run_all(page)
    assert all(cell["count"] for cell in cells)
    outputs = [output for cell in cells for output in cell["outputs"]]
    assert [output for output in outputs if output["output_type"] == "error"] == []
    assert outputs
    # its own host only; one request of JupyterLite's looks for a service at the host's root
    host = reader.address.removesuffix(SUB_PATH)
    assert [url for url in asked if not url.startswith((host, "data:", "blob:"))] == []
    if name == SLIDERS:
        handle = page.locator(".jp-OutputArea .noUi-handle").first
        handle.scroll_into_view_if_needed()
        before = handle.get_attribute("aria-valuenow")
        handle.press("ArrowLeft")
        expect(handle).not_to_have_attribute("aria-valuenow", before)


def test_the_page_says_whose_notebook_jupyterlite_shows(reader):
    page = open_notebook(reader, NOTEBOOKS[-1])
    link = "a.elsewhere[href*='lite/notebooks']"
    section = reader.visit(NOTEBOOKS[-1]).page
    expect(section.locator(link)).to_have_text("Open in JupyterLite")
    page.evaluate(f"""async () => {{ {NOTEBOOK}
        cells.get(0).sharedModel.setSource("# changed by a reader");
        await panel.context.save();
    }}""")
    section.reload()
    expect(section.locator(link)).to_have_text("Open your copy in JupyterLite")
    # a new edition is shown as published, and the copy stays within reach
    edition = section.locator(link).get_attribute("href").split("path=")[1].split("/")[0]
    section.route("**/book/*.html", lambda route: route.fulfill(
        response=(old := route.fetch()), body=old.text().replace(edition, "edition-of-tomorrow")
    ))  # fmt: skip
    section.reload()
    expect(section.locator(link)).to_have_text(["Open in JupyterLite", "Your copy of an earlier edition"])
    assert edition in section.locator(link).last.get_attribute("href")
