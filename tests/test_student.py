"""A student, from an empty folder to a result worth showing: a game defined, solved, drawn and exported.

Of the other two who come, the bot builder is in tests/test_your_own.py, and the player in tests/cli/test_report.py.
"""

from __future__ import annotations

import csv
from pathlib import Path

import nbformat
import pytest
from nbclient import NotebookClient

from command_line import CommandLine
from pokerlab.lab.solve.solving import solve

PYTHON_GAME = '''
"""Match the coin: one hides a coin by its side, the other guesses; a right guess of heads wins twice as much."""


class Coin:
    name = "coin"
    players = 2

    def root(self):
        return ()

    def player(self, state):
        return len(state) if len(state) < 2 else -2

    def actions(self, state):
        return ["heads", "tails"]

    def outcomes(self, state):
        return []

    def child(self, state, action):
        return (*state, action)

    def returns(self, state):
        guessed = state[0] == state[1]
        won = (2.0 if state[0] == "heads" else 1.0) if guessed else -1.0
        return (-won, won)

    def infoset(self, state, player):
        return "hide" if player == 0 else "guess"

    def view(self, state, player):
        return self.infoset(state, player)
'''
COIN_VALUE = -0.2  # by hand: heads is hidden two times in five, and the guesser wins a fifth either way
TOML_GAME = """
players = 2
limit = "no"
ranks = "JQKA"
suits = "ab"
antes = 1
stacks = [5, 4]
odd_chips = "split"

[[rounds]]
private = 1
bet = 1
menu = "50%,allin"

[[rounds]]
public = 1
bet = 1
menu = "100%"
"""
NOTEBOOK = """
import pokerlab
solution = pokerlab.solve("./coin.py", algorithm="cfr+", target=1e-4)
solution
---
picture = solution.plot()
picture
---
solution.convergence().tail(1)
"""


def test_a_student_defines_solves_draws_and_exports_a_game(cli: CommandLine, folder: Path) -> None:
    Path("coin.py").write_text(PYTHON_GAME, encoding="utf-8")
    found = cli(["solve", "./coin.py", "--with", "lp", "--out", "coin.solution", "--json"]).json
    assert found["value"] == pytest.approx(COIN_VALUE, abs=1e-9)
    assert cli(["verify", "coin.solution"]).code == 0
    curves = cli(
        ["compare", "./coin.py", "--with", "cfr+,dcfr", "--iterations", "200", "--csv", "c.csv", "--json"]
    ).json
    rows = table(Path("c.csv"))
    assert len(rows) == sum(len(run["curve"]) for run in curves["results"].values())
    assert {row["algorithm"] for row in rows} == {"cfr+", "dcfr"}
    assert not list(Path().glob("*.png")), "no picture was asked for"

    cli(["game", "./coin.py", "--write", "coin.efg"])
    assert gambit_value(Path("coin.efg")) == pytest.approx(COIN_VALUE, abs=1e-6)
    assert openspiel_value(Path("coin.efg")) == pytest.approx(uniform_value("./coin.py"), abs=1e-9)


def test_a_student_defines_a_game_of_menus_in_toml(cli: CommandLine, folder: Path) -> None:
    Path("menu.toml").write_text(TOML_GAME, encoding="utf-8")
    by_form = {
        form: cli(["solve", "menu.toml", "--form", form, "--iterations", "3000", "--json"]).json
        for form in ("sequence", "public")
    }
    for found in by_form.values():
        assert found["exploitability_percent"] < 1
    low, high = zip(*(found["bounds"] for found in by_form.values()), strict=True)
    assert max(low) <= min(high), "both forms hold the value of the one game"
    cli(["game", "menu.toml", "--write", "menu.efg"])
    assert openspiel_value(Path("menu.efg")) == pytest.approx(uniform_value("menu.toml"), abs=1e-9)
    assert solve("menu.efg", algorithm="lp").value == pytest.approx(solve("menu.toml", algorithm="lp").value, abs=1e-9)


@pytest.mark.slow
def test_a_student_draws_the_curve_in_a_notebook(folder: Path) -> None:
    Path("coin.py").write_text(PYTHON_GAME, encoding="utf-8")
    cells = [nbformat.v4.new_code_cell(text.strip()) for text in NOTEBOOK.split("---")]
    notebook = nbformat.v4.new_notebook(cells=cells)
    NotebookClient(notebook, timeout=300, resources={"metadata": {"path": str(folder)}}).execute()
    shown, drawn, table = (cell.outputs[-1].data for cell in notebook.cells)
    assert "coin" in shown["text/html"]
    assert "image/png" in drawn
    assert "exploitability" in table["text/html"]


def table(path: Path) -> list[dict[str, str]]:
    with path.open(newline="", encoding="utf-8") as file:
        return list(csv.DictReader(file))


def gambit_value(path: Path) -> float:
    """The value to the first player by Gambit's linear program."""
    import pygambit

    game = pygambit.read_efg(str(path))
    return float(pygambit.nash.lp_solve(game).equilibrium.payoffs["Player 1"])


def openspiel_value(path: Path) -> float:
    """What the first player wins when all play uniformly, by OpenSpiel."""
    import pyspiel
    from open_spiel.python.algorithms.expected_game_score import policy_value
    from open_spiel.python.policy import UniformRandomPolicy

    game = pyspiel.load_game("efg_game", {"filename": str(path)})
    return float(policy_value(game.new_initial_state(), [UniformRandomPolicy(game)] * 2)[0])


def uniform_value(game: str) -> float:
    """The same by us."""
    from pokerlab.formats.opening import open_game
    from pokerlab.tree.history.layout import build
    from pokerlab.tree.sequence import sequence_form

    form = sequence_form(build(open_game(game)))
    return form.measure(form.tree.uniform()).values[0]
