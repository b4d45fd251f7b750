"""Pictures of trees: well-formed SVG in which every node, action, payoff and shared infoset is drawn, apart."""

from __future__ import annotations

import re
from collections import Counter
from itertools import combinations
from xml.etree import ElementTree

import pytest

from pokerlab.display.games.tree_drawing import draw_tree
from pokerlab.errors import TooLarge
from pokerlab.formats.opening import open_game
from pokerlab.games.describe import describe
from pokerlab.games.strategic import StrategicGame

SVG = "{http://www.w3.org/2000/svg}"
GAMES = [
    "ace-king",
    "kuhn",
    "goofspiel(cards=3)",
    "rps-lizard-spock",
    "liars-dice(sides=2)",
    "princess-and-monster(rows=1, columns=2, steps=2)",
]


def texts(picture, kind):
    return [
        element
        for element in picture.iter(f"{SVG}text")
        if element.get("class") == kind and element.get("fill") != "none"
    ]


@pytest.mark.parametrize("name", GAMES)
def test_everything_is_drawn_once(name):
    game = open_game(name)
    picture, found = ElementTree.fromstring(draw_tree(game)), describe(game)
    discs = [circle for circle in picture.iter(f"{SVG}circle") if circle.get("r") == "11.0"]
    assert len(discs) == found.decisions
    assert len(list(picture.iter(f"{SVG}polygon"))) == found.chance_nodes
    assert len(list(picture.iter(f"{SVG}line"))) == found.nodes - 1
    assert len(texts(picture, "action")) == found.nodes - 1
    assert len(texts(picture, "payoff")) == found.terminals * found.players


@pytest.mark.parametrize("name", GAMES)
def test_shared_infosets_are_marked_once_each(name):
    game = open_game(name)
    members = Counter()

    def walk(state):
        player = game.player(state)
        if player >= 0:
            members[player, game.infoset(state, player)] += 1
        actions = [a for a, _ in game.outcomes(state)] if player == -1 else game.actions(state) if player >= 0 else []
        for action in actions:
            walk(game.child(state, action))

    walk(game.root())
    picture = ElementTree.fromstring(draw_tree(game))
    groups = [group for group in picture.iter(f"{SVG}g") if group.get("class") == "infoset"]
    shared = {key: count for key, count in members.items() if count > 1}
    assert len(groups) == len(shared)
    stems = [len(re.findall("M", group.findall(f"{SVG}path")[1].get("d"))) for group in groups]
    assert sorted(stems) == sorted(shared.values())
    assert Counter(group.find(f"{SVG}title").text for group in groups) == Counter(text for _, text in shared)


@pytest.mark.parametrize("name", GAMES)
def test_nothing_overlaps_and_all_is_on_the_page(name):
    picture = ElementTree.fromstring(draw_tree(open_game(name)))
    width, height = float(picture.get("width")), float(picture.get("height"))
    discs = [(float(c.get("cx")), float(c.get("cy"))) for c in picture.iter(f"{SVG}circle") if c.get("r") == "11.0"]
    assert all(abs(ax - bx) > 22 or abs(ay - by) > 22 for (ax, ay), (bx, by) in combinations(discs, 2))
    for element in picture.iter(f"{SVG}text"):
        assert 0 <= float(element.get("x")) <= width
        assert 0 <= float(element.get("y")) <= height
    payoffs = [(float(t.get("x")), float(t.get("y")), len(t.text)) for t in texts(picture, "payoff")]
    for (ax, ay, a), (bx, by, b) in combinations(payoffs, 2):
        assert ay != by or abs(ax - bx) >= 6.3 * (a + b) / 2


def test_lanes_of_one_level_do_not_run_over_each_other():
    picture = ElementTree.fromstring(draw_tree(open_game("kuhn")))
    lanes = []
    for group in picture.iter(f"{SVG}g"):
        if group.get("class") == "infoset":
            x1, y, x2 = map(float, re.findall(r"[\d.]+", group.find(f"{SVG}path").get("d")))
            lanes.append((y, x1, x2))
    for (ay, a1, a2), (by, b1, b2) in combinations(lanes, 2):
        assert ay != by or a2 < b1 or b2 < a1


def test_texts_are_escaped():
    game = open_game("matrix(payoffs=[[1, 2], [3, 4]])")
    odd = type(game)("<&>", (("<a>", "b&"), ("c", "d")), {(r, c): (0.5, 1 / 3) for r in ("<a>", "b&") for c in "cd"})
    drawn = draw_tree(odd)
    words = {element.text for element in ElementTree.fromstring(drawn).iter(f"{SVG}text")}
    assert {"<a>", "b&", "0.5", "1/3"} <= words


def test_names_that_no_xml_can_hold():
    names = ("\x1b[31m\x07", "\x00\ufffe")
    odd = StrategicGame("\x1b]0;", (names, ("c", "d")), {(r, c): (1, -1) for r in names for c in "cd"}, "\x02")
    words = {element.text for element in ElementTree.fromstring(draw_tree(odd)).iter(f"{SVG}text")}
    assert {"\\x1b[31m\\x07", "\\x00\\ufffe"} <= words


def test_too_large():
    with pytest.raises(TooLarge, match="more than 400 nodes"):
        draw_tree(open_game("leduc"))
