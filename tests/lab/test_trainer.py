"""The trainer: questions from a solution, and what answers cost."""

from __future__ import annotations

import numpy as np
import pytest

from pokerlab.errors import BadSetting
from pokerlab.lab.play.trainer import SpotTrainer
from pokerlab.lab.solve.solving import solve

SEAT = {"range": "AsAh", "bet": "50%"}
TURN = {"board": "Ks7h2d5h", "pot": 100, "stack": 200, "in_position": SEAT, "out_of_position": {"range": "QQ,KK"}}


def test_questions_are_of_hands_that_can_be_held() -> None:
    """On a river that the only hand of a range cannot see, nothing is asked."""
    trainer, rng = SpotTrainer(solve(TURN, iterations=20), "turn", seat=1), np.random.default_rng(1)
    before = trainer.root.at("check", "check")
    assert trainer._question(before.at("As").at("check"), rng) is None
    asked = trainer._question(before.at("Ad").at("check"), rng)
    assert asked is not None
    assert (asked.street, asked.seat, asked.hand, asked.pot) == ("river", "in position", "AsAh", 100)
    for _ in range(5):
        question = trainer.ask(rng)
        assert (question.hand, question.seat) == ("AsAh", "in position")
        assert sum(question.frequencies) == pytest.approx(1)
        best = question.actions[int(np.argmax(question.values))]
        assert (question.answer(best).cost, question.answer(best).grade) == (0, "best")
        costs = [question.answer(action).cost for action in question.actions]
        assert costs == pytest.approx([max(question.values) - value for value in question.values])
        with pytest.raises(BadSetting, match="the actions here are"):
            question.answer("jump")
