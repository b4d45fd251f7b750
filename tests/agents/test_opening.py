"""Agents by name, with settings and with what they play from."""

from __future__ import annotations

import pytest

from pokerlab.agents.library.formula import Formula
from pokerlab.agents.opening import open_agent
from pokerlab.errors import BadSetting, PokerlabError, UnknownName


def test_names_settings_and_objects() -> None:
    assert open_agent("formula(bluff=0.1, mix=0)") == Formula(bluff=0.1, mix=0.0)
    assert open_agent("formula(bluff=0.1)").name == "formula(bluff=0.1)"
    assert open_agent(open_agent("formula(bluff=0.1)").name) == Formula(bluff=0.1)
    assert (
        open_agent("always_raise:0.5".replace("0.5", "half"), pot_fraction=0.5).name == "always-raise(pot_fraction=0.5)"
    )
    agent = Formula()
    assert open_agent(agent) is agent
    with pytest.raises(BadSetting, match="an agent object already"):
        open_agent(agent, bluff=0.5)


@pytest.mark.parametrize("text", ["", "@@@@", "formla", "9" * 400, "♠" * 50, "../../etc/passwd", "-1"])
def test_unknown_names_get_a_sentence(text: str) -> None:
    with pytest.raises(UnknownName, match="there is no agent"):
        open_agent(text)


@pytest.mark.parametrize(
    "text", ["formula(", "formula(1)", "formula(x=1)", "formula:(", "random:x(y=1)", "always-fold:x"]
)
def test_bad_settings_get_a_sentence(text: str) -> None:
    with pytest.raises(PokerlabError):
        open_agent(text)


def test_other_things_are_no_agents() -> None:
    with pytest.raises(BadSetting, match="named by text"):
        open_agent(5)  # type: ignore[arg-type]
