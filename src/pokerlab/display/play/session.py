"""A session at the table: hands as they are played, the prompt, and the standing."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from rich.markup import escape

from pokerlab.display.elements.numbers import game_title
from pokerlab.display.play.poker_table import result_words, said, table
from pokerlab.games.poker.engine import PokerGame, State, View
from pokerlab.games.poker.text import round_name
from pokerlab.games.poker.typed import street_base
from pokerlab.lab.play.playing import TableResult
from pokerlab.match.table.session import Event, HandBegins, HandEnds, PlayerActs


class TableScreen:
    """Draws the events of a session, and asks the player to act."""

    def __init__(self, game: PokerGame, screen: Any) -> None:
        self._game, self._screen = game, screen
        self._names: tuple[str, ...] = ()  # by seat, of the hand in play

    def welcome(self) -> None:
        """Print the game, and how to get help."""
        self._screen.print(f"[bold]{escape(game_title(self._game.name))}[/bold]: ? for help, q to quit")

    def rehearse(self, ends: Sequence[State]) -> None:
        """Compile what showing such ends of hands needs, without showing anything."""
        for state in ends:
            result_words(self._game, state, [""] * self._game.players, [0.0] * self._game.players)

    def show(self, event: Event) -> None:
        """Draw an event."""
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
        """Print a message, such as the reason for a refusal."""
        self._screen.print(f"[yellow]{escape(text)}[/yellow]")

    def ask(self, view: View) -> str:
        """Show the table and return what the player types."""
        self._screen.print(table(view, self._names, title=round_name(view.game, view.round)))
        return str(self._screen.input(f"[bold]{options(view)} > [/bold]"))

    def goodbye(self, result: TableResult, *, wanted: int, seed_given: bool = True) -> None:
        """Print the result, after all hands that were `wanted` or an early end, and the seed unless it was given."""
        if not wanted or result.hands < wanted:
            self._screen.print()
        if not result.hands:
            self._screen.print("no hand was finished")
            return
        where = f"hands are saved in {escape(str(result.log))}" if result.log else "hands were not saved"
        self._screen.print(f"{self._standing(result.hands, result.won)}\n{where}")
        if not seed_given:
            self._screen.print(f"[dim]--seed {result.seed} deals the same cards[/dim]")

    def _standing(self, hands: int, won: float) -> str:
        blind = max(self._game.rules.blinds) or 1
        blinds = "" if self._game.unit != 1 else f" ({won / blind:+.1f} big blinds)"
        return f"[dim]after {hands} hands you are {won:+g}{blinds}[/dim]"


def options(view: View) -> str:
    """What the player may type."""
    game, legal = view.game, view.legal
    if legal.discards >= 0:
        return f"d and up to {legal.discards} cards, or pat"
    words = ["f"] if legal.fold else []
    if legal.call >= 0:
        words.append(f"c (call {game.chips(legal.call)})" if legal.call else "c (check)")
    if legal.menu:
        everything, base = view.spent[view.seat] + view.stacks[view.seat], street_base(view)
        words += ["allin" if total == everything else f"r {game.chips(total - base)}" for total in legal.menu]
    elif legal.can_raise:
        words.append("r" if game.rules.limit == "fixed" else "r AMOUNT, pot, allin")
    return "  ".join(words)
