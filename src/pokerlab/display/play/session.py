"""A session at the table: the table as drawn, hands as they are played, the prompt, and the standing."""

from __future__ import annotations

import shlex
from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, Any

from rich.console import Group, RenderableType
from rich.markup import escape
from rich.panel import Panel
from rich.table import Table
from rich.text import Text

from pokerlab.cards.card import FULL_DECK, SUIT_SYMBOLS
from pokerlab.cards.strength import describe
from pokerlab.display.elements.numbers import game_title
from pokerlab.display.play.review import print_short_review
from pokerlab.games.poker.engine import Action, PokerGame, State, View
from pokerlab.games.poker.text import action_words, round_name
from pokerlab.games.poker.typed import street_base
from pokerlab.lab.play.playing import PERSON, TableResult
from pokerlab.lab.play.review import Review
from pokerlab.match.table.session import Event, HandBegins, HandEnds, PlayerActs

if TYPE_CHECKING:
    from pokerlab.cards.card import Deck


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
                self.print_line(f"{event.name}: {event.fault}")
            screen.print(escape(said(self._game, event.state, event.action, event.name)))
        elif isinstance(event, HandEnds):
            for line in result_words(self._game, event.state, event.names, event.returns):
                screen.print(line)
            screen.print(self._standing(event.number, event.won[0]))

    def print_line(self, text: str) -> None:
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

    def review(self, review: Review | None, result: TableResult) -> None:
        """Print a short review of the person's decisions, and the command that shows all of them."""
        if review is not None:
            print_short_review(review, self._screen, agent=PERSON)
        if result.log is not None:
            how = "shows every decision" if review is not None else "reviews these hands, if you have a solution"
            words = ["pokerlab", "review", str(result.log), "--with", review.reviewer if review else "SOLUTION"]
            self._screen.print(f"[dim]{escape(shlex.join(words))} {how}[/dim]")

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


_INKS = {"c": "green", "d": "blue", "h": "red", "s": "black"}


def cards(deck: Deck, held: Iterable[int], *, hidden: int = 0) -> Text:
    """Cards as white tiles in four colours; hidden ones as backs."""
    drawn = Text()
    for card in held:
        name = deck.name(card)
        suit = name[-1] if len(deck.suits) > 1 else ""
        rank = name[: len(name) - len(suit)]
        drawn.append(f" {rank}{SUIT_SYMBOLS.get(suit, suit)} ", style=f"bold {_INKS.get(suit, 'black')} on white")
        drawn.append(" ")
    for _ in range(hidden):
        drawn.append(" ▒▒ ", style="bright_black on blue")
        drawn.append(" ")
    return drawn


def table(view: View, names: Sequence[str], *, title: str = "") -> RenderableType:
    """The table as one seat sees it."""
    game = view.game
    seats = Table.grid(padding=(0, 2))
    unlimited = game.rules.stacks is None
    for seat in range(game.players):
        alive = bool(view.betting.alive >> seat & 1)
        mine = seat == view.seat
        shown = view.shown[seat] if view.shown else ()
        back = 0 if mine or shown or not alive else len(view.cards)
        seats.add_row(
            Text("●" if seat == view.button else " ", style="yellow"),
            Text(names[seat], style="bold" if mine else ("" if alive else "dim strike")),
            cards(game.deck, view.cards if mine else shown, hidden=back) if alive or mine else Text("folded", "dim"),
            Text(f"in {game.chips(view.spent[seat])}", style="cyan"),
            Text("" if unlimited else f"behind {game.chips(view.stacks[seat])}", style="dim"),
        )
    middle = Text.assemble(("pot ", "dim"), (str(game.chips(view.pot)), "bold yellow"), "   ")
    if any(round_.public for round_ in game.rules.rounds):
        middle.append_text(cards(game.deck, view.board) if view.board else Text("no cards yet", "dim"))
    return Panel(Group(seats, Text(), middle), title=title, title_align="left", border_style="green", expand=False)


def said(game: PokerGame, state: State, action: Action, name: str) -> str:
    """An action as spoken at the table: "you raise to 300", "formula checks"."""
    base = street_base(game.view(state, state.betting.actor))
    return f"{name} {action_words(game, state.betting, action, base=base, you=name == 'you')}"


def result_words(game: PokerGame, state: State, names: Sequence[str], returns: Sequence[float]) -> list[Text]:
    """The end of a hand: board and hands at a showdown, then the chips won."""
    lines = []
    view = game.view(state, 0)
    if view.shown and view.board:
        lines.append(Text.assemble("board ", cards(game.deck, view.board)))
    for seat, shown in enumerate(view.shown):
        if shown:
            line = Text.assemble(f"{names[seat]} {_says(names[seat], 'show')} ", cards(game.deck, shown))
            if game.deck == FULL_DECK and game.rules.showdown == "high" and len(shown + view.board) >= 5:
                line.append(describe(shown + view.board), style="dim")
            lines.append(line)
    for seat, won in enumerate(returns):
        if won > 0:
            lines.append(Text(f"{names[seat]} {_says(names[seat], 'win')} {won:g}", style="bold green"))
    if not any(won > 0 for won in returns):
        lines.append(Text("the pot is split", style="bold"))
    return lines


def _says(name: str, verb: str) -> str:
    return verb if name == "you" else verb + "s"
