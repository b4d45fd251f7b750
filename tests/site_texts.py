"""Writes hands that were played here as the texts of poker sites and as files of the IRC database."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

import numpy as np

from pokerlab.games.poker.action import actions_of
from pokerlab.games.poker.engine import PokerGame
from pokerlab.games.poker.state import State

STREETS = ("FLOP", "TURN", "RIVER")


class Written(NamedTuple):
    """A finished hand, with what a text adds to it."""

    game: PokerGame
    state: State
    names: tuple[str, ...]
    rake: int = 0
    number: int = 1
    hero: int = 0
    shows_all: bool = True  # else losers muck

    @property
    def big(self) -> int:
        return max(self.game.rules.blinds)

    @property
    def winners(self) -> list[int]:
        """Chips that each seat takes from the pots, rake deducted from the largest."""
        spent = self.game.spent(self.state.betting)
        gross = [int(won + paid) for won, paid in zip(self.game.returns(self.state), spent, strict=True)]
        returned = self.returned
        taken = [chips - back for chips, back in zip(gross, returned, strict=True)]
        taken[int(np.argmax(taken))] -= self.rake
        return taken

    @property
    def returned(self) -> list[int]:
        spent = self.game.spent(self.state.betting)
        second, most = sorted(spent)[-2:]
        return [most - second if paid == most else 0 for paid in spent]


def money(chips: float, *, cents: bool) -> str:
    return f"${chips / 100:,.2f}" if cents else f"{chips:,.0f}"


def stars(hand: Written, *, gg: bool = False, cents: bool = True) -> str:
    """The hand as PokerStars writes it, or GG Poker."""
    game, rules = hand.game, hand.game.rules
    small, big = sorted(rules.blinds)[-2:]

    def chips(amount: float) -> str:
        return money(amount, cents=cents)

    kind = {"no": "No Limit", "pot": "Pot Limit", "fixed": "Limit"}[rules.limit]
    stakes = (rules.rounds[0].bet, rules.rounds[-1].bet) if rules.limit == "fixed" else (small, big)
    site = "Poker Hand #RC" if gg else "PokerStars Hand #"
    event = "" if cents else "Tournament #77, $10+$1 USD "
    level = "" if cents else " - Level IV"
    lines = [
        f"{site}{hand.number}: {event}Hold'em {kind}{level} ({chips(stakes[0])}/{chips(stakes[1])}) - 2020/01/02",
        f"Table 'Some (table) 7' 10-max Seat #{game.players} is the button",
    ]
    stacks = rules.stacks or ()
    lines += [f"Seat {seat + 1}: {name} ({chips(stacks[seat])} in chips)" for seat, name in enumerate(hand.names)]
    lines += ["Seat 99: Away ($5 in chips) is sitting out", "Someone joins the table at seat #9"]
    lines += posts(hand, ": posts the ante {}", ": posts small blind {}", ": posts big blind {}", cents=cents)
    lines += ["*** HOLE CARDS ***", f"Dealt to {hand.names[hand.hero]} [{spaced(hand, hand.hero)}]"]
    betting, street, board = game.betting.start(), (0,) * game.players, spaced_board(hand)
    for action in actions_of(hand.state.betting.history):
        seat, after = betting.actor, game.betting.act(betting, action)
        name, live = hand.names[seat], after.live[seat]
        paid = live - betting.live[seat]
        all_in = " and is all-in" * (live == game.betting.behind[seat] and paid > 0)
        if action.kind == "f":
            lines.append(f"{name}: folds")
        elif action.kind == "c":
            lines.append(f"{name}: calls {chips(paid)}{all_in}" if paid else f"{name}: checks")
        elif betting.level == max(street):
            lines.append(f"{name}: bets {chips(live - street[seat])}{all_in}")
        else:
            more = live - betting.level
            lines.append(f"{name}: raises {chips(more)} to {chips(live - street[seat])}{all_in}")
        lines += ['Someone said, "folds: raises $5 to $9"'] * (action.kind == "f")
        for number in range(betting.round, after.round):
            dealt = " ".join(board[: number + 3])
            before = f"[{' '.join(board[: number + 2])}] " if number else ""
            lines.append(f"*** {STREETS[number]} *** {before}[{board[number + 2] if number else dealt}]")
            street = after.live
        betting = after
    lines += [
        f"Uncalled bet ({chips(back)}) returned to {name}"
        for back, name in zip(hand.returned, hand.names, strict=True)
        if back
    ]
    if not betting.folded_out:
        lines.append("*** SHOWDOWN ***" if gg else "*** SHOW DOWN ***")
    for seat, name in enumerate(hand.names):
        if not betting.folded_out and betting.alive >> seat & 1:
            shown = hand.shows_all or hand.winners[seat] > 0
            lines.append(f"{name}: shows [{spaced(hand, seat)}] (something)" if shown else f"{name}: mucks hand")
    lines += [
        f"{name} collected {chips(won)} from pot" for won, name in zip(hand.winners, hand.names, strict=True) if won
    ]
    lines += [
        "*** SUMMARY ***",
        f"Total pot {chips(game.pot(betting))} | Rake {chips(hand.rake)}",
        f"Board [{' '.join(board)}]",
    ]
    lines += [
        f"Seat {seat + 1}: {name} (button) collected ({chips(won)})"
        for seat, (won, name) in enumerate(zip(hand.winners, hand.names, strict=True))
        if won
    ]
    return "\n".join(lines) + "\n\n\n"


def pacific(hand: Written, *, party: bool = False) -> str:
    """The hand as 888poker writes it, or partypoker, which states all-ins."""
    game, rules = hand.game, hand.game.rules
    small, big = sorted(rules.blinds)[-2:]
    unit, dot = (" USD", ".") if party else ("", "")

    def chips(amount: float) -> str:
        return f"{money(amount, cents=True)}{unit}"

    lines = [f"#Game No : {hand.number}"]
    if party:
        lines += [
            f"***** Hand History for Game {hand.number} *****",
            "$50 USD NL Texas Hold'em - Saturday, July 25, 07:53:52 EDT 2009",
        ]
    else:
        lines += [
            f"***** 888poker Snap Poker Hand History for Game {hand.number} *****",
            f"{chips(small)}/{chips(big)} Blinds No Limit Holdem - *** 02 05 2012 01:37:40",
        ]
    lines += ["Table Bilbao 10 Max (Real Money)", f"Seat {game.players} is the button", "Total number of players : 2"]
    stacks = rules.stacks or ()
    lines += [f"Seat {seat + 1}: {name} ( {chips(stacks[seat])} )" for seat, name in enumerate(hand.names)]
    lines += posts(
        hand, " posts ante [{}]", f" posts small blind [{{}}]{dot}", f" posts big blind [{{}}]{dot}", unit=unit
    )
    lines += ["** Dealing down cards **", f"Dealt to {hand.names[hand.hero]} [ {spaced(hand, hand.hero, ', ')} ]"]
    betting, board = game.betting.start(), spaced_board(hand)
    for action in actions_of(hand.state.betting.history):
        seat, after = betting.actor, game.betting.act(betting, action)
        paid = after.live[seat] - betting.live[seat]
        words = {"f": "folds", "c": "calls" if paid else "checks", "r": "raises" if max(betting.live) else "bets"}
        word = words[action.kind]
        if party and paid and after.live[seat] == game.betting.behind[seat]:
            word = "is all-In "
        lines.append(f"{hand.names[seat]} {word}" + f" [{chips(paid)}]" * (paid > 0))
        for number in range(betting.round, after.round):
            street = STREETS[number].capitalize() if party else STREETS[number].lower()
            dealt = ", ".join(board[:3]) if not number else board[number + 2]
            lines.append(f"** Dealing {street} ** [ {dealt} ]")
        betting = after
    lines += [] if party else ["** Summary **"]
    for seat, name in enumerate(hand.names):
        if not betting.folded_out and betting.alive >> seat & 1:
            lines.append(f"{name} shows [ {spaced(hand, seat, ', ')} ]" + "a hand." * party)
    won = zip(hand.winners, hand.returned, hand.names, strict=True)
    if party:
        lines += [
            f"{name} wins {chips(taken + back)} from the main pot with a hand." for taken, back, name in won if taken
        ]
    else:
        lines += [f"{name} collected [ {chips(taken)} ]" for taken, _, name in won if taken]
    return "\n".join(lines) + "\n\n"


def posts(hand: Written, ante: str, small: str, big: str, *, cents: bool = True, unit: str = "") -> list[str]:
    """What is posted; a short stack posts what it has."""
    rules, lines = hand.game.rules, []
    stacks = rules.stacks or ()
    for seat, name in enumerate(hand.names):
        paid = min(rules.antes[seat], stacks[seat])
        lines += [f"{name}{ante.format(money(paid, cents=cents) + unit)}"] * (paid > 0)
    for seat in sorted(range(hand.game.players), key=lambda seat: rules.blinds[seat]):
        paid = min(rules.blinds[seat], stacks[seat] - min(rules.antes[seat], stacks[seat]))
        if paid:
            text = big if rules.blinds[seat] == hand.big else small
            lines.append(f"{hand.names[seat]}{text.format(money(paid, cents=cents) + unit)}")
    return lines


def spaced(hand: Written, seat: int, gap: str = " ") -> str:
    return gap.join(hand.game.text([card]) for card in hand.game.hand(hand.state, seat))


def spaced_board(hand: Written) -> list[str]:
    return [hand.game.text([card]) for card in hand.game.board(hand.state)]


def irc(folder: Path, hands: Sequence[Written]) -> None:
    """Write hands of limit hold'em, without antes, as files of the IRC database."""
    letters = {"f": "f", "c": "c", "r": "r"}
    summaries, rosters, rows = [], [], dict[str, list[str]]()
    for hand in hands:
        game, state = hand.game, hand.state
        rounds = [["" for _ in range(4)] for _ in hand.names]
        for seat in range(game.players):
            rounds[seat][0] = "B" * (game.rules.blinds[seat] > 0)
        betting, level = game.betting.start(), 0
        for action in actions_of(state.betting.history):
            seat, after = betting.actor, game.betting.act(betting, action)
            paid = after.live[seat] - betting.live[seat]
            letter = letters[action.kind]
            if action.kind == "c" and not paid:
                letter = "k"
            elif paid and after.live[seat] == game.betting.behind[seat]:
                letter = "A"
            elif action.kind == "r" and betting.round and betting.level == level:
                letter = "b"
            rounds[seat][betting.round] += letter
            if after.round > betting.round:
                level = after.level
            betting = after
        stamp = 800_000_000 + hand.number
        board = " ".join(spaced_board(hand))
        summaries.append(f"{stamp} 1 {hand.number:5} {game.players} 0/0 0/0 0/0 0/0 {board}")
        rosters.append(f"{stamp} {game.players} {' '.join(hand.names)}")
        for seat, name in enumerate(hand.names):
            shown = not betting.folded_out and betting.alive >> seat & 1
            stack, spent = (game.rules.stacks or ())[seat], game.spent(betting)[seat]
            won = hand.winners[seat] + hand.returned[seat]
            words = " ".join(actions or "-" for actions in rounds[seat])
            cards = f" {spaced(hand, seat)}" * shown
            rows.setdefault(name, []).append(
                f"{name} {stamp} {game.players} {seat + 1} {words} {stack} {spent} {won}{cards}"
            )
    (folder / "pdb").mkdir(parents=True)
    (folder / "hdb").write_text("\n".join(summaries) + "\n", encoding="utf-8")
    (folder / "hroster").write_text("\n".join(rosters) + "\n", encoding="utf-8")
    for name, lines in rows.items():
        (folder / "pdb" / f"pdb.{name}").write_text("\n".join(lines) + "\n", encoding="utf-8")
