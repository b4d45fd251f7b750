"""Menus of bets in games of rules: the trees of spots with the same menus, one value in every form, counted, played."""

from __future__ import annotations

import pickle

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pokerlab.cards.card import Deck
from pokerlab.cards.ranges import Range
from pokerlab.errors import BadSetting, IllegalAction, TooLarge
from pokerlab.formats.gamedef import acpc_text, rules_from, toml_rules
from pokerlab.formats.opening import open_game
from pokerlab.games.describe import describe
from pokerlab.games.poker.betting import CALL, raise_to
from pokerlab.games.poker.betting_tree import Node, betting_tree, walk
from pokerlab.games.poker.engine import PokerGame
from pokerlab.games.poker.menu import Menu, menus_from, menus_value, read_menu
from pokerlab.games.poker.menu_betting import MenuBetting
from pokerlab.games.poker.rules import Round, Rules
from pokerlab.games.poker.typed import read_typed
from pokerlab.games.sizes import size_of
from pokerlab.games.spot.spot import STREETS, Menus, Spot
from pokerlab.lab.solve.solving import solve

SIZES = ("33%", "50%", "75%", "150%", "7", "40", "e", "2e", "allin")
RAISES = (*SIZES, "2x", "3.5x")
BOARD = (0, 5, 10, 15, 20)


def menus(sizes: tuple[str, ...]) -> st.SearchStrategy[str]:
    return st.lists(st.sampled_from(sizes), min_size=0, max_size=2).map(",".join)


def named_tree(game: PokerGame) -> Node:
    betting = game.betting
    assert isinstance(betting, MenuBetting)
    return betting_tree(betting, lambda state, _: betting.choices(state), game.payoffs)


def told(node: Node) -> list[tuple[object, ...]]:
    """Every node with its labels and the chips that are in."""
    return [
        (
            type(one).__name__,
            getattr(one, "actions", ()),
            len(getattr(one, "children", ())) + hasattr(one, "child"),
            tuple(round(chips, 6) for chips in one.put),
        )
        for one in walk(node)
    ]


@settings(max_examples=50, deadline=None)
@given(
    cards=st.sampled_from([3, 4, 5]),
    half_pot=st.integers(10, 60),
    stack=st.integers(0, 150),
    texts=st.lists(st.tuples(menus(SIZES), menus(RAISES)), min_size=6, max_size=6),
    cap=st.sampled_from([None, 1, 2, 3]),
    all_in_from=st.sampled_from([1.0, 0.9, 0.5]),
    merge=st.sampled_from([0.0, 0.1, 0.5]),
)
def test_the_tree_of_a_game_is_that_of_a_spot_with_the_same_menus(
    cards: int,
    half_pot: int,
    stack: int,
    texts: list[tuple[str, str]],
    cap: int | None,
    all_in_from: float,
    merge: float,
) -> None:
    streets = STREETS[cards - 3 :]
    of_seats = [dict(zip(streets, texts[seat * 3 :], strict=False)) for seat in (0, 1)]
    spot = Spot(
        board=BOARD[:cards],
        pot=2.0 * half_pot,
        stack=float(stack),
        ranges=(Range.random(), Range.random()),
        menus=tuple(
            Menus(
                bet={street: read_menu(bet) for street, (bet, _) in own.items()},
                raises={street: read_menu(raised, raises=True) for street, (_, raised) in own.items()},
            )
            for own in of_seats
        ),
        raise_cap=cap,
        all_in_from=all_in_from,
        merge=merge,
        chip=1.0,
    )
    rounds = [
        Round(
            private=2 * (number == 0),
            public=cards if number == 0 else 1,
            raises=cap,
            menu=[{"bet": own[street][0], "raise": own[street][1]} for own in of_seats],
        )
        for number, street in enumerate(streets)
    ]
    rules = Rules(
        players=2,
        rounds=tuple(rounds),
        antes=(half_pot, half_pot),
        stacks=(half_pot + stack,) * 2,
        all_in_from=all_in_from,
        merge=merge,
        odd_chips="split",
    )
    try:
        tree = spot.betting
    except TooLarge:
        return
    assert told(named_tree(PokerGame(rules))) == told(tree)


GAMES = [
    "leduc-nolimit(stack=8, menu='50%,100%,allin')",
    "leduc-nolimit(stack=(9, 30), ante=2, menu=('2e,allin', [{'bet': '60%', 'raise': '3x'}, 'allin']))",
    "leduc-nolimit(stack=40, suits=1, ranks=4, menu=({'bet': '4', 'raise': '2x,allin'}, '100%'))",
    "leduc-nolimit(stack=12, raises=2, menu='none')",
]


@pytest.mark.parametrize("name", GAMES)
def test_every_form_of_a_menu_game_has_its_value(name: str) -> None:
    exact = solve(name, algorithm="lp", form="sequence").value
    for form in ("sequence", "public"):
        low, high = solve(name, form=form, target=0.02).bounds
        assert low - 1e-9 <= exact <= high + 1e-9


@pytest.mark.parametrize("name", [*GAMES, "leduc-nolimit(players=3, stack=8, suits=2, ranks=2, menu='50%,allin')"])
def test_what_is_counted_is_what_is_walked(name: str) -> None:
    size, walked = size_of(open_game(name)), describe(open_game(name))
    assert (size.nodes, size.terminals) == (walked.nodes, walked.terminals)
    assert size.infosets == sum(own.infosets for own in walked.facts)


def test_blinds_and_a_menu_of_raises_before_the_flop() -> None:
    game = open_game("holdem-nolimit(stack=1000, menu=('2.5x,allin', '50%', '50%', {'bet': '75%'}))")
    state = game.start(game.deck.cards("AsAh KsKh 2c3d4h 5c 6d"))
    assert isinstance(game.betting, MenuBetting)
    assert [label for label, _ in game.betting.choices(state.betting)] == ["fold", "call", "raise 250", "all-in 1000"]
    state = game.child(state, CALL)
    assert [label for label, _ in game.betting.choices(state.betting)] == ["check", "raise 250", "all-in 1000"]
    state = game.child(game.child(state, raise_to(250)), CALL)
    assert game.view(state, 0).legal.menu == (500,)  # half of a pot of 500, over the hand
    with pytest.raises(IllegalAction, match="'r700' is not allowed: the choices of this game here are check, bet 250"):
        game.child(state, raise_to(700))
    view = game.view(state, 0)
    assert read_typed("half", view) == read_typed("bet 250", view) == raise_to(500)
    with pytest.raises(IllegalAction, match="not on the menu here, which is 250 on this street"):
        read_typed("bet 300", view)


def test_the_menu_of_a_pot_limit_game_ends_at_the_pot() -> None:
    game = open_game("holdem-nolimit(stack=1000, limit=pot, menu='50%,allin')")
    assert isinstance(game.betting, MenuBetting)
    assert [label for label, _ in game.betting.choices(game.betting.start())] == [
        "fold",
        "call",
        "raise 200",
        "raise 300",
    ]


def test_a_strategy_of_a_menu_game_plays_in_it(tmp_path: object) -> None:
    from pathlib import Path

    from pokerlab.match.run.match import MatchSettings, play_match

    assert isinstance(tmp_path, Path)
    kept = solve(GAMES[0], target=0.05, form="public", save=tmp_path / "l.solution")
    assert kept.game == open_game(kept.game).name
    match = MatchSettings.of(GAMES[0], [f"strategy:{tmp_path / 'l.solution'}", "random"], hands=400, seed=3)
    result = play_match(match)
    assert not any(result.faults)
    rng = np.random.default_rng(5)
    game = pickle.loads(pickle.dumps(open_game(GAMES[0])))
    for _ in range(50):  # whatever is legal is listed, and listed is legal
        state = game.start(game.deal(rng))
        while state.betting.actor >= 0:
            actions = game.actions(state)
            assert {action.amount for action in actions if action.kind == "r"} == set(game.legal(state).menu)
            state = game.child(state, actions[int(rng.integers(len(actions)))])


TOML = """
players = 2
limit = "no"
antes = 1
stacks = 7
ranks = "JQK"
suits = "ab"
odd_chips = "split"
menu = "50%,100%,allin"

[[rounds]]
private = 1

[[rounds]]
public = 1
menu = [{ bet = "75%" }, { bet = "75%", raise = "3x,allin" }]
"""


def test_menus_in_toml_and_back() -> None:
    rules = toml_rules(TOML)
    assert rules.rounds[0].menu == (Menu(read_menu("50%,100%,allin"), read_menu("50%,100%,allin")),)
    assert rules.rounds[1].menu == menus_from([{"bet": "75%"}, {"bet": "75%", "raise": "3x,allin"}])
    assert rules_from(rules.as_dict()) == rules
    assert menus_from(menus_value(rules.rounds[1].menu)) == rules.rounds[1].menu
    one = PokerGame(toml_rules(TOML.replace('menu = [{ bet = "75%" }, { bet = "75%", raise = "3x,allin" }]', "")))
    assert describe(one).nodes == describe(open_game("leduc-nolimit(stack=7, menu='50%,100%,allin')")).nodes
    assert hash(one)
    with pytest.raises(BadSetting, match="cannot express bet menus"):
        acpc_text(open_game("holdem-nolimit(menu='50%')").rules)


@pytest.mark.parametrize(
    ("edit", "words"),
    [
        (('limit = "no"', 'limit = "fixed"'), "round 1 has a menu, but the limit 'fixed' leaves no choice of sizes"),
        (('"50%,100%,allin"', "50"), 'menu of round 1 is a text such as "50%,allin"'),
        (('"50%,100%,allin"', '{ bets = "50%" }'), 'a menu of round 1 has "bet" and "raise", not \'bets\''),
        (('"50%,100%,allin"', '["50%", "50%", "50%"]'), "one for all seats, or one for each of 2"),
        (('"50%,100%,allin"', '[["50%"], ["50%"]]'), "menu of round 1 is a text"),
        (('"50%,100%,allin"', '"half"'), "'half' in the bet menu 'half' is not a size"),
        (('"50%,100%,allin"', '{ bet = "3x" }'), "belongs in a menu of raises"),
        (("antes = 1", "antes = 1\nmerge = 2"), "merge must be a number from 0 to 1"),
        (("antes = 1", "antes = 1\nall_in_from = 0"), "all_in_from must be a number above 0"),
    ],
)
def test_menus_that_are_none_get_a_sentence(edit: tuple[str, str], words: str) -> None:
    with pytest.raises(BadSetting, match=words):
        toml_rules(TOML.replace(*edit))


def test_raising_that_goes_on_and_on_is_refused() -> None:
    deck = Deck.of("JQK", "a")
    rules = Rules(players=2, deck=deck, rounds=(Round(private=1, menu="1"),), antes=(1, 1), stacks=(5000, 5000))
    with pytest.raises(TooLarge, match="more than 400 raises are possible on the round 1 of this game"):
        PokerGame(rules)


@pytest.mark.parametrize("text", ["2.5x", "3x, 4x"])
def test_a_menu_in_which_nobody_could_bet_is_told(text: str) -> None:
    with pytest.raises(BadSetting, match="only raise sizes"):
        menus_from(text)
    with pytest.raises(BadSetting, match="only raise sizes"):
        open_game(f"leduc-nolimit(menu='{text}')")
    assert menus_from({"bet": "none", "raise": text})[0].bet == ()
    assert menus_from("none")[0] == Menu((), ())
    assert len(menus_from(f"75%,{text}")[0].bet) == 1
