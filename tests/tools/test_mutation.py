"""The mutation run itself can fail: what nothing notices is told, and ends it with code 1."""

import pytest

from tools import mutation
from tools.mutation import modules

SOURCE = '''
def half(number):
    """Half of a number."""
    if number < 0:
        raise ValueError(f"got {number + 1}")
    return number / 2
'''
CHECKS = """
from scripts.sums import half

def test_half():
    assert half(6) == 3
"""


@pytest.mark.slow  # starts a process for each change
def test_a_survivor_ends_the_run_with_one(tmp_path, monkeypatch, capsys):
    for name, text in (("scripts/sums.py", SOURCE), ("tests/test_sums.py", CHECKS)):
        (tmp_path / name).parent.mkdir()
        (tmp_path / name).write_text(text, encoding="utf-8")
    plans = [modules.Plan("scripts/sums.py", ["tests/test_sums.py"])]
    monkeypatch.setattr(mutation, "all_tasks", lambda root: modules.tasks(root, plans))
    assert mutation.main(root=tmp_path) == 1
    said = capsys.readouterr().out
    survived = [
        "raise ValueError(f'got {number + 1}') -> pass",
        "number < 0 -> number <= 0",
        "0 -> 1",
        "0 -> -1",
    ]
    assert [change for change in survived if f"half: {change}" in said] == survived
    assert said.count("SURVIVED") == 4 and "5 of     9" in said
    assert mutation.main(only=["no such kind"], root=tmp_path) == 1
