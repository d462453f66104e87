"""What cells of a page say and show, without a browser: runner.py in a Python of its own."""

import json
import subprocess
import sys
import textwrap

import pytest

from tools import tasks

PAGE = tasks.ROOT / "site" / "live" / "page"
PROGRAM = """
import json, sys
import runner
said = []
runner.send = lambda kind, text: said.append([kind, json.loads(text)])
runner.fetch_packages = lambda: None
runner.start()
sys.modules["__main__"].__dict__  # from here on that of the cells
results = [runner.run(1, cell) for cell in json.loads(sys.stdin.read())]
sys.__stdout__.write(json.dumps([results, said]))
"""


def run(*cells):
    """Run cells one after the other: how each ended, all text, and the messages."""
    done = subprocess.run(
        [sys.executable, "-c", PROGRAM],
        input=json.dumps([textwrap.dedent(cell) for cell in cells]),
        capture_output=True,
        text=True,
        check=True,
        cwd=PAGE,
    )
    results, said = json.loads(done.stdout)
    text = "".join(
        content.get("text", "") or content.get("data", {}).get("text/plain", "") for _, content in said
    )
    return results, text, said


@pytest.mark.parametrize(
    ("cell", "told"),
    [
        ("%timeit 1 + 1", "Lines that begin with % are commands to Jupyter"),
        ("%%time\nsum(range(3))", "Lines that begin with % are commands to Jupyter"),
        ("x = 1\n!ls", "Lines that begin with ! are commands to a computer's shell"),
        ("print?", "write help(name)"),
        ("?print", "write help(name)"),
        ("import asyncio\nawait asyncio.sleep(0)", "A cell of a page cannot wait"),
        ("import pandas_of_which_there_is_none", "no other package can be added"),
        ("from IPython.display import Video", "IPython.display.Video is not in the cells of a page"),
        ("quit()", "Python goes on, and so can you"),
        ("input()", "write the value into the cell"),
        ("1 +", "SyntaxError: invalid syntax"),
        ("a = 5 ?\nb = 2", "SyntaxError"),
    ],
)
def test_what_does_not_work_is_said_in_a_sentence(cell, told):
    results, text, _ = run(cell)
    assert results == ["failed"] and told in text
    assert "runner.py" not in text and "Unknown" not in text


@pytest.mark.parametrize(
    ("cell", "shown"),
    [
        ("%matplotlib inline\n7", "7"),
        ("from IPython.display import Markdown\nMarkdown('**bold**')", "**bold**"),
        ("from IPython.display import Math\nMath('x^2')", "x^2"),
        ("import pickle\nclass A: pass\ntype(pickle.loads(pickle.dumps(A()))).__name__", "'A'"),
        ("list(range(2000))[-1]", "1999"),
        ("{'Ellipsis': [1, 2]}", "{'Ellipsis': [1, 2]}"),
        ("range(10**9)", "range(0, 1000000000)"),
    ],
)
def test_what_works(cell, shown):
    results, text, _ = run(cell)
    assert results == ["worked"] and text == shown


def test_a_failing_unit_test_fails():
    _, text, _ = run("""
        import unittest
        class Sum(unittest.TestCase):
            def test_sum(self):
                self.assertEqual(1 + 1, 3)
        unittest.main(argv=[''], exit=False)
    """)
    assert "Ran 1 test" in text and "2 != 3" in text


@pytest.mark.parametrize(
    ("cell", "begins", "ends"),
    [
        ("list(range(1_000_000))", "[0,\n 1,", " 999,\n ...]"),
        ("{i: i for i in range(5000)}", "{0: 0,", " ...: ...}"),
        ("[[0] * 5000, 1]", "[[0,", " 1]"),
        ("'x' * 50_000_000", "'xxx", "of 50,000,000 characters are shown)"),
        (
            "type('T', (), {'__repr__': lambda self: 'y' * 300_000})()",
            "yyy",
            "of 300,000 characters are shown)",
        ),
    ],
)
def test_a_long_value_is_cut(cell, begins, ends):
    results, text, _ = run(cell)
    assert results == ["worked"] and len(text) < 210_000
    assert text.startswith(begins) and text.endswith(ends)


@pytest.mark.parametrize("cell", ["print('x' * 1_000_000)", "for i in range(10**6): print(i)"])
def test_a_long_print_is_cut_and_said(cell):
    results, text, _ = run(cell)
    assert results == ["failed"] and "may print 200,000 characters; the rest was left out" in text
    assert 199_000 < len(text) < 201_000


def test_a_builtin_that_was_broken_is_whole_for_the_next_cell():
    results, text, _ = run("import builtins\nbuiltins.print = None", "print('here')")
    assert results == ["worked", "worked"] and text == "here\n"


WIDGETS = (
    "import runner\nrunner.connect_widgets()\nfrom ipywidgets import Button, IntSlider, Output, interact\n"
)
MOVE = """
import json
def move(widget, **state):
    runner.on_comm(json.dumps({"msg_type": "comm_msg", "comm_id": widget.model_id,
                               "data": {"method": "update", "state": state}}))
"""


def test_what_interact_shows_takes_the_place_of_what_stood_there():
    results, text, _ = run(
        WIDGETS + "@interact(n=(1, 5))\ndef f(n=2): print('n is', n)",
        MOVE + "slider, out = f.widget.children\nfor n in (3, 4, 5): move(slider, value=n)",
        "[[one['text'] for one in out.outputs]]",
    )
    assert results == ["worked"] * 3 and text.endswith("[['n is 5\\n']]")


def test_output_that_is_not_cleared_goes_on():
    _, text, _ = run(
        WIDGETS + "out = Output()\nfor k in (1, 2):\n    with out: print(k)",
        "with out:\n    from IPython.display import clear_output\n    print('gone'); clear_output(); print('new')",
        "''.join(one['text'] for one in out.outputs)",
    )
    assert text.endswith("'new\\n'")


@pytest.mark.parametrize(
    "cell",
    [
        "w = Button()\nw.on_click(lambda _: 1 / 0)\nsend = lambda: runner.on_comm(json.dumps({'msg_type': 'comm_msg', "
        "'comm_id': w.model_id, 'data': {'method': 'custom', 'content': {'event': 'click'}}}))",
        "w = IntSlider()\nw.observe(lambda _: 1 / 0, 'value')\nsend = lambda: move(w, value=7)",
    ],
)
def test_an_error_in_a_callback_is_shown(cell):
    results, text, said = run(WIDGETS + MOVE + cell, "send()")
    assert results == ["worked", "worked"]
    assert "ZeroDivisionError" in text and [kind for kind, _ in said].count("error") == 1
    assert "1 / 0" in text


def test_names_can_be_forgotten():
    results, text, _ = run("x = 1\nimport runner\nrunner.begin_again()", "'x' in globals(), __name__")
    assert results == ["worked", "worked"] and text == "(False, '__main__')"
