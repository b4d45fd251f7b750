"""The paper command: listing and refusing; papers themselves are tested in tests/papers."""

import pytest

from command_line import CommandLine


def test_lists_papers(cli: CommandLine):
    assert "papers" in cli(["paper", "--json"]).json


@pytest.mark.parametrize("name", ["", "-1", "nosuch", "../../etc/passwd", "x" * 5000, "ä♠"])
def test_unknown_paper_is_one_sentence(name, cli: CommandLine):
    assert "there is no paper" in cli(["paper", "--", name]).refusal


def test_a_run_is_quick_or_full(cli: CommandLine):
    assert "leave one of them out" in cli(["paper", "goykhman", "--full", "--quick"]).refusal
