"""A table session drawn for a person: hands as they go, what may be typed, and how one stands."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from rich.markup import escape

from pokerlab.display.elements.numbers import game_title
from pokerlab.display.play.poker_table import result_words, said, table
from pokerlab.games.poker.engine import PokerGame, State, View
from pokerlab.games.poker.text import round_name
from pokerlab.games.poker.typed import street_base
from pokerlab.lab.playing import TableResult
from pokerlab.match.table.session import Event, HandBegins, HandEnds, PlayerActs


class TableScreen:
    """Draws the events of a session, and asks the person what to do."""

    def __init__(self, game: PokerGame, screen: Any) -> None:
        self._game, self._screen = game, screen
        self._names: tuple[str, ...] = ()  # by seat, of the hand in play

    def welcome(self) -> None:
        """What is played, and how to get help."""
        self._screen.print(f"[bold]{escape(game_title(self._game.name))}[/bold]: ? for help, q to leave")

    def rehearse(self, ends: Sequence[State]) -> None:
        """Do all that showing such ends of hands takes, and show nothing."""
        for state in ends:
            result_words(self._game, state, [""] * self._game.players, [0.0] * self._game.players)

    def show(self, event: Event) -> None:
        """Draw what has happened."""
        screen = self._screen
        if isinstance(event, HandBegins):
            self._names = event.names
            screen.rule(f"hand {event.number}", align="left", style="dim")
        elif isinstance(event, PlayerActs):
            if event.fault:
                self.tell(f"{event.name}: {event.fault}")
            screen.print(escape(said(self._game, event.state, event.action, event.name)))
        elif isinstance(event, HandEnds):
            for line in result_words(self._game, event.state, event.names, event.returns):
                screen.print(line)
            screen.print(self._standing(event.number, event.won[0]))

    def tell(self, text: str) -> None:
        """A word to the person, as on what cannot be."""
        self._screen.print(f"[yellow]{escape(text)}[/yellow]")

    def ask(self, view: View) -> str:
        """What the person types, having seen the table."""
        self._screen.print(table(view, self._names, title=round_name(view.game, view.round)))
        return str(self._screen.input(f"[bold]{options(view)} > [/bold]"))

    def goodbye(self, result: TableResult, *, wanted: int, told_seed: bool = True) -> None:
        """How the session ended: all that was `wanted`, or somebody left; the seed where it was not told before."""
        if not wanted or result.hands < wanted:
            self._screen.print()
        if not result.hands:
            self._screen.print("no hand was finished")
            return
        where = f"hands are kept in {escape(str(result.log))}" if result.log else "hands were not kept"
        self._screen.print(f"{self._standing(result.hands, result.won)}\n{where}")
        if not told_seed:
            self._screen.print(f"[dim]the cards were those of --seed {result.seed}[/dim]")

    def _standing(self, hands: int, won: float) -> str:
        blind = max(self._game.rules.blinds) or 1
        blinds = "" if self._game.unit != 1 else f" ({won / blind:+.1f} big blinds)"
        return f"[dim]after {hands} hands you are {won:+g}{blinds}[/dim]"


def options(view: View) -> str:
    """What the player to act may type."""
    game, legal = view.game, view.legal
    if legal.discards >= 0:
        return f"d and up to {legal.discards} cards, or pat"
    found = ["f"] if legal.fold else []
    if legal.call >= 0:
        found.append(f"c (call {game.chips(legal.call)})" if legal.call else "c (check)")
    if legal.menu:
        everything, base = view.spent[view.seat] + view.stacks[view.seat], street_base(view)
        found += ["allin" if total == everything else f"r {game.chips(total - base)}" for total in legal.menu]
    elif legal.can_raise:
        found.append("r" if game.rules.limit == "fixed" else "r AMOUNT, pot, allin")
    return "  ".join(found)
