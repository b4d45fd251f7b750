"""Texts of poker sites and the IRC database: random hands come back, bad ones are left out with their line."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from pokerlab.errors import BadFile
from pokerlab.formats.phh import phh_text
from pokerlab.games.library._presets import holdem_rounds
from pokerlab.games.poker.action import CALL, FOLD, Action, raise_to
from pokerlab.games.poker.engine import PokerGame
from pokerlab.games.poker.rules import Rules
from pokerlab.games.poker.state import State
from pokerlab.lab.play.hands import take_in
from pokerlab.match.hands.exchange import PlayedHand
from pokerlab.match.hands.hand_text import replay
from pokerlab.match.hands.imports import read_all
from site_texts import Written, irc, pacific, stars

NAMES = ("Al", "B: ob", "Al x", "calls $5", "Zoë", "[F] r.", "g", "h h", "i-i", "J (j)")


def table(players: int, limit: str, rng: np.random.Generator, *, antes: bool = True, deep: bool = False) -> PokerGame:
    """A table with random stacks, some of them too short to post."""
    fixed = limit == "fixed"
    stacks = tuple(int(chips) for chips in rng.integers(900 if deep else 15, 1200, players))
    blinds = [20, 10] if players == 2 else [10, 20, *[0] * (players - 2)]
    rules = Rules(
        players=players,
        rounds=holdem_rounds(
            (20, 20, 40, 40) if fixed else (20,) * 4,
            first=(1 if players == 2 else 2 % players),
            raises=(4 if fixed and players > 2 else None,) * 4,
        ),
        limit=limit,
        antes=(3 if antes else 0,) * players,
        blinds=tuple(blinds),
        stacks=stacks,
    )
    return PokerGame(rules, "table")


def random_hand(game: PokerGame, rng: np.random.Generator) -> State:
    state = game.start(game.deal(rng))
    while (betting := state.betting).actor >= 0:
        legal = game.legal(state)
        actions: list[Action] = [CALL] * 5 if legal.call >= 0 else []
        actions += [FOLD] if legal.fold else []
        if legal.can_raise:
            most = min(legal.most, legal.least + 60) if rng.random() < 0.8 else legal.most
            actions += [
                Action("r", 0) if game.rules.limit == "fixed" else raise_to(int(rng.integers(legal.least, most + 1)))
            ] * 2
        state = game.child(state, actions[rng.integers(len(actions))])
        assert betting is not state.betting
    return state


def written(
    count: int, *, seed: int, limit: str = "no", antes: bool = True, rake: bool = True, most: int = 10
) -> list[Written]:
    rng = np.random.default_rng(seed)
    hands = []
    for number in range(1, count + 1):
        game = table(int(rng.integers(2, most + 1)), limit, rng, antes=antes)
        state = random_hand(game, rng)
        names = tuple(rng.permutation(NAMES)[: game.players].tolist())
        pot = game.pot(state.betting) - max(Written(game, state, names).returned)
        hands.append(
            Written(
                game,
                state,
                names,
                int(rng.random() < 0.5) * int(0.05 * pot) * rake,
                number,
                int(rng.integers(game.players)),
            )
        )
    return hands


def check_same(hands: list[Written], read: list[PlayedHand]) -> None:
    assert [hand.number for hand in read] == [hand.number for hand in hands]
    for hand, again in zip(hands, read, strict=True):
        assert again.names == hand.names
        assert again.betting == hand.state.betting.history
        assert again.payoffs == pytest.approx(hand.game.returns(hand.state), abs=len(hand.names))
        assert sum(again.payoffs) == pytest.approx(0)
        assert again.game.rules.stacks == hand.game.rules.stacks
        assert (again.game.rules.antes, again.game.rules.blinds) == (hand.game.rules.antes, hand.game.rules.blinds)
        assert hand.game.text(hand.game.hand(hand.state, hand.hero)) in again.cards


WRITERS = {
    "pokerstars": stars,
    "gg": lambda hand: stars(hand, gg=True),
    "888": pacific,
    "partypoker": lambda hand: pacific(hand, party=True),
}


@pytest.mark.parametrize("site", WRITERS)
def test_random_hands_come_back(site: str, tmp_path: Path) -> None:
    """Of 2 to 10 players with antes, rake, side pots, short blinds, and names that look like parts of the text."""
    hands = written(60, seed=len(site))
    (tmp_path / "h.txt").write_text("".join(map(WRITERS[site], hands)), encoding="utf-8")
    read, left_out = read_all(tmp_path / "h.txt", site)
    assert not left_out
    check_same(hands, read)


def test_tournaments_limit_and_pot_limit(tmp_path: Path) -> None:
    for limit in ("no", "pot", "fixed"):
        hands = written(25, seed=7, limit=limit, rake=False)
        (tmp_path / limit).write_text("".join(stars(hand, cents=False) for hand in hands), encoding="utf-16")
        read, left_out = read_all(tmp_path / limit, "pokerstars")
        assert not left_out
        check_same(hands, read)


def test_the_irc_database(tmp_path: Path) -> None:
    rng = np.random.default_rng(3)
    hands = []
    for number in range(1, 40):
        game = table(int(rng.integers(2, 9)), "fixed", rng, antes=False, deep=number % 3 > 0)
        names = tuple(f"p{one}" for one in rng.permutation(20)[: game.players])
        hands.append(Written(game, random_hand(game, rng), names, number=number))
    irc(tmp_path / "199504", hands)
    read, left_out = read_all(tmp_path / "199504", "irc")
    assert not left_out
    by_number = {hand.number: hand for hand in hands}
    for again in read:
        hand = by_number[again.number]
        order = [again.names.index(name) for name in hand.names]
        assert [again.payoffs[seat] for seat in order] == pytest.approx(hand.game.returns(hand.state), abs=8)
        assert again.betting == hand.state.betting.history


def test_the_published_hand_of_the_irc_database(tmp_path: Path) -> None:
    """The example of the database's description, in which a player folds without a bet."""
    (tmp_path / "hdb").write_text("766303976   1   455  8  6/600   6/1200  6/1800  3/2400  3s Jc Qd 5c Ah\n")
    names = "Marzon spiney doublebag neoncap maurer andrea zorak justin"
    (tmp_path / "hroster").write_text(f"766303976  8  {names}\n")
    rows = (
        "1 Bc bc kc kf 12653 300 0|2 Bc cc kc f 10237 300 0|3 cc r b bc 7842 500 0 Jh Qh|4 f - - - 7857 0 0|"
        "5 f - - - 12711 0 0|6 cc c c f 7190 300 0|7 r c c cc 4460 500 0 As Kc|8 c c c r 4304 500 2400 Ad Qs"
    )
    for name, row in zip(names.split(), rows.split("|"), strict=True):
        (tmp_path / f"pdb.{name}").write_text(f"{name} 766303976 8 {row}\n")
    [hand], left_out = read_all(tmp_path, "irc")
    assert not left_out
    assert hand.payoffs == (-300, -300, -500, 0, 0, -300, -500, 1900)
    assert hand.game.rules.rounds[0].bet == 50


def test_payoffs_are_those_of_pokerkit(tmp_path: Path) -> None:
    """PokerKit plays the imported hands, too, by its own rules."""
    from pokerkit import HandHistory

    hands = written(25, seed=11, antes=False, rake=False, most=4)
    (tmp_path / "h.txt").write_text("".join(map(stars, hands)), encoding="utf-8")
    for hand in read_all(tmp_path / "h.txt", "pokerstars")[0]:
        rules = hand.game.rules
        if min(rules.stacks or ()) < max(rules.blinds):
            continue  # with a short blind PokerKit's amount to call differs from the rule books'
        known = hand.cards.replace("????", "").strip("|/")
        text = phh_text(hand.game, replay(hand.game, hand.cards, hand.betting)[1])
        *_, last = HandHistory.loads(text)
        if "?" not in known and "?" not in hand.cards:
            assert tuple(map(float, last.payoffs)) == pytest.approx(hand.payoffs, abs=len(hand.names))


SAMPLE = """PokerStars Hand #5: Hold'em No Limit ($0.50/$1.00 USD) - 2020/10/24
Table 'A' 6-max Seat #3 is the button
Seat 1: ann ($100 in chips)
Seat 2: bob ($80 in chips)
Seat 3: cid ($60 in chips)
ann: posts small blind $0.50
bob: posts big blind $1
*** HOLE CARDS ***
Dealt to cid [Ah Kd]
cid: raises $2 to $3
ann: folds
bob: calls $2
*** FLOP *** [2c 7d Ks]
bob: checks
cid: bets $4
bob: folds
Uncalled bet ($4) returned to cid
cid collected $6.20 from pot
*** SUMMARY ***
Total pot $6.50 | Rake $0.30
"""

BROKEN = {
    "straddles": ("*** HOLE", "cid: straddle $2\n*** HOLE", "cid straddles", 8),
    "twice": ("*** FLOP ***", "*** FIRST FLOP ***", "more than once", 13),
    "cashed": ("cid collected", "bob: Chooses to EV Cashout\ncid collected", "cashed out", 18),
    "omaha": ("Hold'em", "Omaha", "not of hold'em", 1),
    "amount": ("bob: calls $2", "bob: calls $3", "states 300 chips, and by the rules it is 200", 12),
    "turn": ("ann: folds\n", "", "bob acts, and it is the turn of ann", 11),
    "cut": ("bob: folds\n", "", "cut off: bob does not act", 1),
    "won": ("$6.20", "$9.20", "states winnings", 1),
    "seat": ("Seat 2: bob", "Seat 2: ann", "two players are called 'ann'", 4),
    "cards": ("[2c 7d Ks]", "[Ah 7d Ks]", "Ah", 1),
    "huge": ("bets $4", "bets $" + "9" * 60, "is not an amount", 15),
    "control": ("bob: checks", "bob: che\x00cks", "not text", 14),
    "long": ("bob: checks", "bob: checks" + " (" * 600, "too long", 14),
    "fine": ("$6.20", "$6.201", "finer than a hundredth", 1),
    "button": ("Seat #3 is the button", "", "where the button is", 1),
}


@pytest.mark.parametrize("what", BROKEN)
def test_what_cannot_be_imported_is_left_out_with_its_line(what: str, tmp_path: Path) -> None:
    old, new, reason, line = BROKEN[what]
    assert old in SAMPLE
    good = SAMPLE.replace("Hand #5", "Hand #6")
    (tmp_path / "h.txt").write_bytes(f"\n{SAMPLE.replace(old, new, 1)}\n\n{good}\nNoël left\n".encode("cp1252"))
    [hand], [problem] = read_all(tmp_path / "h.txt", "pokerstars")
    assert (hand.number, hand.betting, hand.payoffs) == (6, "r300fc/cr700f", (-50.0, -300.0, 350.0))
    assert reason in problem.reason
    assert problem.line == line + 1


def test_who_comes_back_posts_a_dead_small_blind(tmp_path: Path) -> None:
    """Of small and big blind together the big one counts as a bet, and the rest is in the pot."""
    text = SAMPLE.replace("*** HOLE", "cid: posts small & big blinds $1.50\n*** HOLE").replace("$6.20", "$6.70")
    (tmp_path / "h.txt").write_text(text, encoding="utf-8")
    [hand], left_out = read_all(tmp_path / "h.txt", "pokerstars")
    assert not left_out
    assert (hand.game.rules.blinds, hand.game.rules.antes) == ((50, 100, 100), (0, 0, 50))
    assert (hand.betting, hand.payoffs) == ("r350fc/cr750f", (-50.0, -300.0, 350.0))  # all that was put in


def test_files_without_a_hand(tmp_path: Path) -> None:
    patterns = (
        b"*" * 50_000,
        b"Seat 1: " + b"(" * 50_000,
        b"PokerStars Hand #1: " + b"1/" * 50_000,
    )  # take long to match
    for contents in (b"", b"\x00\xff" * 400, b"nothing\n" * 3, SAMPLE.encode()[:300], *patterns):
        (tmp_path / "h.txt").write_bytes(contents)
        with pytest.raises(BadFile, match="nothing can be imported from"):
            read_all(tmp_path / "h.txt", "gg")
    with pytest.raises(BadFile, match="is not a folder of the IRC database"):
        read_all(tmp_path, "irc")
    with pytest.raises(BadFile, match="nothing can be imported from"):
        take_in(tmp_path / "new.duckdb", tmp_path / "h.txt", "gg")
    assert not (tmp_path / "new.duckdb").exists()


def test_any_damage_ends_in_a_reason(tmp_path: Path) -> None:
    """Random bytes changed, lines lost or repeated."""
    rng = np.random.default_rng(0)
    text = (SAMPLE + stars(written(1, seed=2)[0]) + pacific(written(1, seed=3)[0])).encode()
    for _ in range(60):
        rows = text.split(b"\n")
        for _ in range(int(rng.integers(1, 4))):
            at = int(rng.integers(len(rows)))
            kind = rng.integers(3)
            rows[at : at + 1] = (
                [] if kind == 0 else [rows[at]] * 2 if kind == 1 else [bytes(rng.permutation(list(rows[at])).tolist())]
            )
        (tmp_path / "h.txt").write_bytes(b"\n".join(rows))
        try:
            hands, _ = read_all(tmp_path / "h.txt", "pokerstars")
        except BadFile:
            continue
        assert all(abs(sum(hand.payoffs)) < 1e-6 for hand in hands)
