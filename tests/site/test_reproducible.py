"""What would differ from one build to the next, and what is left when the example is another."""

import copy
import json

import pytest

from scripts import example
from tools import notebooks, prose


@pytest.fixture(scope="module")
def reproducible():
    """The build's own part: with it comes Sphinx, which takes its time."""
    from course_site import reproducible

    return reproducible


@pytest.mark.slow
def test_models_are_named_by_their_place(reproducible):
    first, second, other = "ab" * 16, "0c" * 16, "9" * 32
    state = json.dumps({"state": {
        first: {"model_name": "Box", "state": {"children": [f"IPY_MODEL_{second}"], "note": other}},
        second: {"model_name": "HTML"},
    }})  # fmt: skip
    renamed, body = reproducible.name_models(state, f'{{"model_id": "{first}"}}')
    assert json.loads(renamed)["state"] == {
        "model-1": {"model_name": "Box", "state": {"children": ["IPY_MODEL_model-2"], "note": other}},
        "model-2": {"model_name": "HTML"},
    }
    assert body == '{"model_id": "model-1"}'


@pytest.mark.slow
def test_what_is_printed_is_joined_as_it_came(reproducible):
    def stream(text, name="stdout"):
        return {"output_type": "stream", "name": name, "text": text}

    picture = {"output_type": "display_data", "data": {}}
    pieces = [stream("one"), stream("\ntwo"), stream("!", "stderr"), picture, stream("\n")]
    before = copy.deepcopy(pieces)
    assert reproducible.join_streams(pieces) == [stream("one\ntwo\n"), stream("!", "stderr"), picture]
    assert pieces == before, "what ran is stored as it ran"
    assert reproducible.join_streams([]) == []


def test_words_that_are_gone_are_listed(monkeypatch):
    monkeypatch.setitem(prose.WRITTEN_FOR, "ORDER", ("pick", "up", "the", "cube"))
    text = (
        'The order is "pick up the cube". In it, "up" and “the” are short. '
        'Here "cube" takes from "pick", and "pick" from "cube". Of cubes there are two. Now pick one. '
        'One says "put it up the wall". It has `cube`.\n\n| pick | up | other |\n|---|---|---|\n'
    )
    assert prose.check_words(text, order=("pick", "up", "the", "cube")) == []
    found = prose.check_words(text, order=("open", "the", "red", "box"))
    assert [problem.message.partition(": ")[2] for problem in found] == [
        "pick, up, cube", "up", "cube, pick", "cube", "pick, up",
    ]  # fmt: skip
    found = prose.check_words(text, order=("pick", "up", "the", "box"))
    assert [problem.message.partition(": ")[2] for problem in found] == ["cube"] * 3


def test_another_example_is_told_until_the_text_is_written_for_it(monkeypatch):
    monkeypatch.setattr(prose, "WRITTEN_FOR", {"ORDER": example.ORDER, "SEED": example.SEED})
    assert prose.written_for() == []
    monkeypatch.setattr(example, "SEED", -7)
    (told,) = prose.written_for()
    assert "WRITTEN_FOR" not in told and "'SEED': -7" in told


def test_the_program_alone_is_given_the_example(monkeypatch, tmp_path):
    for name in ("attention_by_hand.py", "9-in-python.ipynb"):
        (tmp_path / name).write_bytes((notebooks.BOOK / name).read_bytes())
    monkeypatch.setattr(notebooks, "BOOK", tmp_path)
    monkeypatch.setattr(example, "ORDER", ("pick", "up", "the", "cube"))
    monkeypatch.setattr(example, "SEED", 28)
    notebooks.copy_example()
    program = tmp_path / "attention_by_hand.py"
    before = program.read_text(encoding="utf-8")
    monkeypatch.setattr(example, "ORDER", ("open", "the", "red", "box"))
    monkeypatch.setattr(example, "SEED", 7)
    notebooks.copy_example()
    wanted = before.replace('["pick", "up", "the", "cube"]', '["open", "the", "red", "box"]')
    wanted = wanted.replace("default_rng(28)", "default_rng(7)")
    assert program.read_text(encoding="utf-8") == wanted != before
    cells = json.loads((tmp_path / "9-in-python.ipynb").read_text(encoding="utf-8"))["cells"]
    (cell,) = ["".join(c["source"]) for c in cells if "\nORDER = [" in "".join(c["source"])]
    assert '["open", "the", "red", "box"]' in cell and "default_rng(7)" in cell
