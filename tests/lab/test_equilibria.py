"""The equilibria of a game as the command has them: methods by size, questions, refusals, learners."""

from __future__ import annotations

from fractions import Fraction

import numpy as np
import pytest

from pokerlab.errors import BadSetting, TooLarge
from pokerlab.figure import Figure
from pokerlab.formats.opening import open_game
from pokerlab.lab.analyse.equilibria import Questions, analyse_equilibria, exact_number
from pokerlab.lab.solve.repeated_play import dynamics_figure, play_repeatedly

THREE = "matrix(payoffs=[[[[1,1,1],[0,0,0]],[[0,0,0],[2,0,1]]],[[[0,0,0],[0,3,1]],[[3,1,0],[2,2,2]]]])"
LARGE = f"matrix(payoffs={[[(7 * i * i + 3 * i * j + 11 * j * j) % 23 for j in range(9)] for i in range(8)]})"


def test_the_method_follows_from_the_size() -> None:
    assert analyse_equilibria("battle-of-the-sexes").method == "vertices"
    assert analyse_equilibria(LARGE).method == "lemke-howson"
    assert analyse_equilibria("kuhn").method == "sequence"
    assert analyse_equilibria(THREE).method == "pure"


def test_programs_and_the_list_answer_alike() -> None:
    asked = Questions(welfare=True, another=True, at_least=Fraction(11, 10), player=1)
    listed = analyse_equilibria("battle-of-the-sexes", questions=asked)
    programmed = analyse_equilibria("battle-of-the-sexes", method="lemke-howson", questions=asked)
    by_list, by_program = (
        {one.question.split()[-1]: one.equilibrium for one in found.answers} for found in (listed, programmed)
    )
    assert by_list["welfare"] == by_program["welfare"]
    assert by_program["equilibrium"] in listed.equilibria
    assert by_program["equilibrium"] != programmed.equilibria[0]
    assert by_list["1"] == by_program["1"]
    assert by_list["1"].payoffs == (-8, 10)


def test_equilibria_of_a_larger_zero_sum_game_are_worth_its_value() -> None:
    found = analyse_equilibria(LARGE)
    values = {one.payoffs for one in found.equilibria}
    assert len(values) == 1
    table = np.array(eval(LARGE.removeprefix("matrix(payoffs=").removesuffix(")")), float)
    for one in found.equilibria:
        mixes = [np.array([float(share) for share in mix]) for mix in one.mixes]
        assert (mixes[0] @ table).min() == pytest.approx(float(one.payoffs[0]))
        assert (table @ mixes[1]).max() == pytest.approx(float(one.payoffs[0]))


def test_what_cannot_be_done_is_refused() -> None:
    with pytest.raises(BadSetting, match="is for two players"):
        analyse_equilibria(THREE, method="vertices")
    with pytest.raises(BadSetting, match="answered in the normal form"):
        analyse_equilibria("kuhn", questions=Questions(another=True))
    with pytest.raises(BadSetting, match="players 0 to 1, not 2"):
        analyse_equilibria("shapley", questions=Questions(player=2))
    with pytest.raises(TooLarge, match="10,000 are the most"):
        analyse_equilibria("leduc(ranks=7)")
    for text in ("1/0", "x", "1e9", "nan", "0x1"):
        with pytest.raises(BadSetting, match="a payoff is written"):
            exact_number(text)


def test_learners_of_an_extensive_game_and_of_mixed_rules() -> None:
    run = play_repeatedly("one-card(cards=2)", ["regret-matching", "fictitious-play"], iterations=200)
    assert run.measured[-1].iterations == 200
    assert run.measured[-1].to_coarse <= run.measured[-1].to_correlated + 1e-9
    assert isinstance(dynamics_figure(run), Figure)
    with pytest.raises(BadSetting, match="one learner for all players"):
        play_repeatedly("shapley", ["internal"] * 3)
    with pytest.raises(BadSetting, match="learners are"):
        play_repeatedly(open_game("shapley"), ["cfr"])
