"""Section 8: its picture, and its list of papers against the bibliography file."""

import json
import re
from pathlib import Path

import pytest

from scripts import example
from scripts.draw.reading import IDEAS, TOPICS
from tools.cells import draw_picture

BOOK = Path(__file__).resolve().parents[2] / "book"


def by_gid(picture):
    """Artists by their gid; each gid once."""
    found = [artist for artist in picture.findobj() if artist.get_gid()]
    gids = [artist.get_gid() for artist in found]
    assert len(set(gids)) == len(gids)
    return dict(zip(gids, found, strict=True))


def prose(name):
    """The Markdown of a notebook without its markers."""
    cells = json.loads((BOOK / name).read_text(encoding="utf-8"))["cells"]
    text = "\n\n".join("".join(c["source"]) for c in cells if c["cell_type"] == "markdown")
    return re.sub(r"<!--.*?-->", "", text, flags=re.S)


def entries():
    """The bibliography: one dict of fields an entry, in its order."""
    text = (BOOK / "references.bib").read_text(encoding="utf-8")
    found = re.findall(r"^@\w+\{(\w+),\n(.*?)\n\}", text, re.S | re.M)
    assert len(found) == text.count("\n@")
    return {key: dict(re.findall(r"(\w+)\s*=\s*\{(.*)\},?$", body, re.M)) for key, body in found}


def as_listed(entry):
    """An entry as section 8 prints it: up to four authors by name, else the first."""
    people = entry["author"].split(" and ")
    names = [" ".join(reversed(person.split(", "))) for person in people if person != "others"]
    if len(names) > 4 or "others" in people:
        names = [names[0], "others"]
    who = " and ".join([", ".join(names[:-1]), names[-1]])
    return f"- {who}: [{entry['title']}]({entry['url']}), {entry['year']}"


def test_a_line_of_the_map_for_each_idea_that_a_topic_builds_on():
    picture = draw_picture("reading-map")
    drawn = by_gid(picture)
    wanted = {f"strand:{idea}:{t}" for t, topic in enumerate(TOPICS) for idea in topic[2]}
    assert {gid for gid in drawn if gid.startswith("strand:")} == wanted
    assert {idea for _, _, built_on in TOPICS for idea in built_on} == set(IDEAS)
    for name, adds, built_on in TOPICS:
        words = " and ".join(part for part in IDEAS[built_on[0]][1:] if part)
        assert f"{name} ({adds}) builds on" in picture.alt
        assert words.split(" and ")[0] in picture.alt


def test_the_lines_end_in_the_order_of_the_topics():
    drawn = by_gid(draw_picture("reading-map"))
    ends = [
        (int(gid.split(":")[2]), artist.get_path().vertices[-1][1])
        for gid, artist in drawn.items()
        if gid.startswith("strand:")
    ]
    for topic, y in ends:
        assert all(y < other for later, other in ends if later > topic)


def test_the_signs_are_filled_with_the_weights_of_the_example():
    drawn = by_gid(draw_picture("reading-map"))
    grids = {"weights": example.WEIGHTS, "sources": example.CROSS.weights}
    grids |= {f"heads-{h}": run.weights for h, run in enumerate(example.TWO_HEADS.heads)}
    for name, grid in grids.items():
        for i, row in enumerate(grid):
            for j, weight in enumerate(row):
                cell = drawn[f"cell:{name}:{i}:{j}"]
                assert cell.get_facecolor()[3] == pytest.approx(weight)
    widths = [drawn[f"line:mixture:{i}"].get_linewidth() - 1 for i in range(4)]
    assert [w / sum(widths) for w in widths] == pytest.approx(list(example.WEIGHTS[3]))


def test_section_8_lists_the_bibliography():
    listed = [line for line in prose("8-where-next.ipynb").splitlines() if line.startswith("- ")]
    assert listed == [as_listed(entry) for entry in entries().values()]


def test_every_paper_has_an_identifier_that_its_address_holds():
    for key, entry in entries().items():
        identifier = entry.get("eprint") or entry["doi"].split("/v1/")[-1]
        assert identifier in entry["url"], key
        assert entry["url"].startswith("https://"), key
        assert key.endswith(entry["year"]), key
    assert len({entry["url"] for entry in entries().values()}) == len(entries())


def test_every_link_of_sections_5_and_8_to_a_paper_is_in_the_bibliography():
    known = {entry["url"] for entry in entries().values()}
    body = prose("8-where-next.ipynb").split("## The papers in one list")[0]
    link = re.compile(r"\]\((https?://[^)]+)\)")
    assert set(link.findall(body + prose("5-heads.ipynb"))) <= known
    others = [prose(path.name) for path in BOOK.glob("[1-79]*.ipynb")]
    assert known <= set(link.findall("\n".join([body, *others]))), "a paper that nobody is sent to"


def test_each_of_the_six_directions_names_a_paper():
    parts = prose("8-where-next.ipynb").split("\n## ")[2:-1]
    assert len(parts) == len(TOPICS) == 6
    for part in parts:
        assert 1 <= len(re.findall(r"\]\(https?://", part)) <= 3
