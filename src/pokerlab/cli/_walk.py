"""A walk through a solution at a terminal, by keys or by typed lines: where one is, what is shown, what may be done."""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any

from pokerlab.cli._output import console, error_console, literal

if TYPE_CHECKING:
    from rich.text import Text

    from pokerlab.cli._keys import Keyboard

HELP = """an action, its number, or a card   goes there
up, top                            the place before; the start
grid strategy|ev|equity|reach      what the grid shows; g: the next one
player 0|1                         whose hands it shows; p: the next player's
hand AhKh, hands                   one hand or class; a line for each
csv FILE, json FILE                writes every hand here to a file
quit, q                            ends the walk"""
KEYS = """up and down choose, enter or right goes there, left or backspace comes back,
g shows the next grid, p the other player, q quits; or type, as ? tells"""
WORDS = ("up", "back", "top", "grid", "g", "player", "p", "hand", "hands", "csv", "json", "help", "?")
QUIT = ("quit", "q", "exit")
HOT = "gpq?"  # letters that need no enter, where no move begins with them


@dataclass
class Walk:
    """Where one is, and how it is shown."""

    path: list[Any]
    grid: str = "strategy"
    player: int | None = None  # whose grid; None: of the one to act
    chosen: int = 0  # of the choices here
    screen: Any = field(default_factory=console)

    @property
    def view(self) -> Any:
        """The place where one is."""
        return self.path[-1]

    @property
    def choices(self) -> tuple[str, ...]:
        """What may be done or come here, one move each."""
        view = self.view
        if view.is_deal and not view.actions:
            deck = view.deck
            free = [card for card in range(deck.size - 1, -1, -1) if card not in view.board]
            return tuple(deck.name(card) for card in free) if view.coming == 1 else ()
        return tuple(view.actions)

    @property
    def is_numbered(self) -> bool:
        """Whether choices have numbers to be typed: not cards, and not where moves are numbers themselves."""
        return not self.view.is_deal and not any(choice.isdecimal() for choice in self.choices)

    # ---- what is typed -----------------------------------------------------------------------------------------------

    def obey(self, line: str) -> bool:
        """Do what a line says; whether the walk goes on. A wrong word is told, and nothing changes."""
        from pokerlab.errors import PokerlabError

        words = line.strip()
        if words in QUIT and words not in self.choices:
            return False
        try:
            if not self._did(words):
                self.go(self._move(words))
        except PokerlabError as problem:
            error_console().print(literal(problem), soft_wrap=True)
        return True

    def _move(self, words: str) -> str:
        """The move that a text means: by its name, or by its number."""
        choices = self.choices
        if words not in choices and self.is_numbered and words.isdecimal() and 1 <= int(words[:9]) <= len(choices):
            return choices[int(words[:9]) - 1]
        return words

    def go(self, move: str) -> None:
        """Make a move, and show the place."""
        self.path = [*self.path, self.view.at(move)]
        self.chosen = 0
        self.show()

    def back(self) -> None:
        """Show the place before, the move that led from it chosen; at the start, that again."""
        made = self.view.moves[-1] if self.view.moves else ""
        self.path = self.path[:-1] or self.path
        self.chosen = self.choices.index(made) if made in self.choices else 0
        self.show()

    def show(self) -> None:
        """Print the place where one is."""
        from pokerlab.display.browse.node import show_view

        show_view(self.screen, self.view, grid=self.grid, player=self.player)

    def _did(self, words: str) -> bool:
        """Do what a word asks that is no move here; whether it was such a word."""
        verb, _, rest = words.partition(" ")
        if verb not in WORDS or words in self.choices:
            return False
        if verb in ("up", "back"):
            self.back()
        elif verb == "top":
            self.path, self.chosen = self.path[:1], 0
            self.show()
        elif verb in ("grid", "g"):
            self._turn_to_grid(rest.strip())
        elif verb in ("player", "p"):
            self._turn_to_player(rest.strip())
        else:
            self._tell(verb, rest.strip())
        return True

    def _tell(self, verb: str, rest: str) -> None:
        """Answer a question about the place, which stays as it is."""
        from pokerlab.display.browse.node import hand_table, show_hand
        from pokerlab.display.browse.node_file import write_csv, write_json
        from pokerlab.errors import BadSetting
        from pokerlab.lab.browsing import hand_at, place_dict

        view = self.view
        if verb in ("csv", "json") and not rest:
            raise BadSetting(f"{verb} needs the name of a file, as {verb} hands.{verb}")
        if verb == "hand":
            show_hand(self.screen, view, hand_at(view, rest, player=self.player))
        elif verb == "hands":
            for seat in range(len(view.seats)):
                if self.player in (None, seat) and view.table(seat):
                    self.screen.print(hand_table(view, seat))
        elif verb == "csv":
            self.screen.print(literal(write_csv(view, None, Path(rest))[1]), soft_wrap=True)
        elif verb == "json":
            self.screen.print(literal(write_json(view, place_dict(view), Path(rest))), soft_wrap=True)
        else:
            self.screen.print(literal(HELP), soft_wrap=True)

    def _turn_to_grid(self, name: str) -> None:
        """Show another grid of the same place: the one of this name, or the next."""
        from pokerlab.lab.browsing import check_grid
        from pokerlab.strategy.hand_place import GRIDS

        known = getattr(self.view, "grids", GRIDS)
        now = known.index(self.grid) if self.grid in known else 0
        name = name.lower() or known[(now + 1) % len(known)]
        check_grid(self.view, name)
        self.grid = name
        self.show()

    def _turn_to_player(self, number: str) -> None:
        """Show the grid of a player, by number, or of the one who was not shown."""
        from pokerlab.lab.browsing import check_player

        view = self.view
        now = self.player if self.player is not None else (view.player or 0)
        if number and not (number.isdecimal() and len(number) < 4):
            number = "999"  # no player
        wanted = int(number) if number else (now + 1) % len(view.seats)
        check_player(view, wanted)
        self.player = wanted
        self.show()

    # ---- what is pressed ---------------------------------------------------------------------------------------------

    def prompt(self, typed: str, width: int) -> Text:
        """The line of choices, the chosen one in brackets, and what is typed; as much of it as fits."""
        from rich.text import Text

        names = [f"{number + 1} {choice}" if self.is_numbered else choice for number, choice in enumerate(self.choices)]
        room = max(width - len(typed) - 4, 0)
        first = 0
        while first < self.chosen and sum(len(name) + 2 for name in names[first : self.chosen + 1]) > room:
            first += 1
        line = Text(no_wrap=True, overflow="crop")
        for number, name in list(enumerate(names))[first:]:
            if len(line) + len(name) + 2 > room:
                break
            if number == self.chosen:
                line.append(f"[{name}]", "reverse")
            else:
                line.append(f" {name} ")
        return line.append(f"> {typed}")

    def is_hot(self, letter: str) -> bool:
        """Whether a letter is obeyed at once, since no move here begins with it."""
        return letter in HOT and not any(choice.lower().startswith(letter) for choice in self.choices)


def by_lines(walk: Walk) -> None:
    """Read lines until the end, or an empty one."""
    walk.screen.print(f"[dim]{literal(HELP)}[/dim]", soft_wrap=True)
    while True:
        numbered = [f"{number + 1} {choice}" for number, choice in enumerate(walk.choices)] if walk.is_numbered else []
        if numbered:
            walk.screen.print(literal("   ".join(numbered)), soft_wrap=True)
        try:
            line = input("> ")
        except EOFError:
            walk.screen.print()
            return
        if not line.strip() or not walk.obey(line):
            return


def by_keys(walk: Walk, read: Keyboard) -> None:
    """Read keys until the end. A line that was typed is obeyed at enter; without one, enter takes what is chosen."""
    walk.screen.print(f"[dim]{literal(KEYS)}[/dim]", soft_wrap=True)
    typed, hot = "", ""  # hot: the letter just obeyed, which may have been the first of a word
    while True:
        _draw(walk, _whole(hot, typed))
        key = read()
        if key == "end":
            walk.screen.print()
            return
        if key == "enter" and typed.strip():
            line = hot + typed if (hot + typed).partition(" ")[0] in WORDS else typed
            walk.screen.print()
            if not walk.obey(line):
                return
            typed = hot = ""
        elif key == "enter" and hot == "?":
            hot = ""  # it was pressed as after any word: help is there, and nobody asked to go on
        elif len(key) == 1 and key.isprintable():
            if not typed and walk.is_hot(key):
                hot = key
                walk.screen.print()
                if not walk.obey(key):
                    return
            else:
                typed += key
        else:
            hot = hot if key == "backspace" and typed else ""
            typed = _steered(walk, key, typed)


def _whole(hot: str, typed: str) -> str:
    """What is typed, as it is shown: with the letter that was obeyed already, where both begin a word."""
    first = (hot + typed).partition(" ")[0]
    return hot + typed if typed and any(word.startswith(first) for word in WORDS) else typed


def _steered(walk: Walk, key: str, typed: str) -> str:
    """Do what a key without a letter says; what is typed then."""
    if key == "backspace" and typed:
        return typed[:-1]
    if key in ("clear", "escape"):
        return ""
    count = len(walk.choices)
    if key in ("up", "down") and count:
        walk.chosen = (walk.chosen + (1 if key == "down" else -1)) % count
    elif key in ("enter", "right") and count and not typed:
        walk.screen.print()
        walk.obey(walk.choices[walk.chosen])
    elif key in ("left", "backspace") and not typed and len(walk.path) > 1:
        walk.screen.print()
        walk.back()
    return typed


def _draw(walk: Walk, typed: str) -> None:
    """The line of choices, over what it was."""
    from rich.control import Control
    from rich.segment import ControlType

    screen = walk.screen
    screen.control(Control((ControlType.CURSOR_MOVE_TO_COLUMN, 0), (ControlType.ERASE_IN_LINE, 2)))
    screen.print(walk.prompt(typed, screen.width - 1), end="", soft_wrap=True)
