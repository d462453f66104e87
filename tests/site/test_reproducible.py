"""What would differ from one build to the next."""

import copy
import json

import pytest


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
