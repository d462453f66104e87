"""What the notebooks store is what their cells gave when the site was built, by nbval's own comparison."""

import nbformat
from book_pages import EVERY_NOTEBOOK, ROOT, SITE
from nbval.plugin import IPyNbFile, coalesce_streams

BUILT = SITE.parent / "jupyter_execute"


@EVERY_NOTEBOOK
def test_stored_outputs_are_those_of_the_build(request, name):
    ran = [cell for cell in nbformat.read(BUILT / f"{name}.ipynb", 4).cells if cell.cell_type == "code"]
    file = IPyNbFile.from_parent(request.session, path=ROOT / f"{name}.ipynb")
    for item, cell in zip(file.collect(), ran, strict=True):
        assert item.cell.source == cell.source, "the site was built from another notebook: run `make book`"
        assert item.cell.execution_count == cell.execution_count, f"{name} {item.name} is stored as never run"
        same = item.compare_outputs(coalesce_streams(cell.outputs), coalesce_streams(item.cell.outputs))
        assert same, "\n".join([f"{name} {item.name}", *item.comparison_traceback])
