"""A walk through a solution at a terminal, by keys or by typed lines."""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any

from rich.control import Control
from rich.segment import ControlType
from rich.text import Text

from pokerlab.cli._output import console, error_console, literal
from pokerlab.display.browse.node import show_hand, show_hands, show_view, write_csv, write_json
from pokerlab.errors import BadSetting, PokerlabError
from pokerlab.lab.analyse.browsing import check_grid, check_player, hand_at, place_dict

if TYPE_CHECKING:
    from rich.text import Text

    from pokerlab.cli._keys import Keyboard

HELP = """an action, its number, or a card   go there
up, top                            previous node; root
grid strategy|ev|equity|reach      what the grid shows; g: the next one
player 0|1                         whose hands it shows; p: the next player
hand AhKh, hands                   one hand or class; one line per hand
csv FILE, json FILE                write all hands at this node to a file
quit, q                            quit"""
KEYS = """up and down select, enter or right goes there, left or backspace goes back,
g shows the next grid, p the other player, q quits; or type a command (? for help)"""
WORDS = ("up", "back", "top", "grid", "g", "player", "p", "hand", "hands", "csv", "json", "help", "?")
QUIT = ("quit", "q", "exit")
HOT = "gpq?"  # need no enter, unless a move begins with them


@dataclass
class Walk:
    """The current node, and how it is shown."""

    path: list[Any]
    grid: str = "strategy"
    player: int | None = None  # whose grid; None: the player to act
    chosen: int = 0  # index in choices
    screen: Any = field(default_factory=console)

    @property
    def view(self) -> Any:
        """The current node."""
        return self.path[-1]

    @property
    def choices(self) -> tuple[str, ...]:
        """The actions or cards at this node."""
        view = self.view
        if view.is_deal and not view.actions:
            deck = view.deck
            free = [card for card in range(deck.size - 1, -1, -1) if card not in view.board]
            return tuple(deck.name(card) for card in free) if view.coming == 1 else ()
        return tuple(view.actions)

    @property
    def is_numbered(self) -> bool:
        """Whether choices can be typed by number: not cards, and not moves that are numbers themselves."""
        return not self.view.is_deal and not any(choice.isdecimal() for choice in self.choices)

    # ---- typed lines -------------------------------------------------------------------------------------------------

    def obey(self, line: str) -> bool:
        """Execute a line; return whether the walk continues. An invalid line prints an error and changes nothing."""
        words = line.strip()
        if words in QUIT and words not in self.choices:
            return False
        try:
            if not self._execute(words):
                self.go(self._move(words))
        except PokerlabError as problem:
            error_console().print(literal(problem), soft_wrap=True)
        return True

    def _move(self, words: str) -> str:
        """The move with this name or number."""
        choices = self.choices
        if words not in choices and self.is_numbered and words.isdecimal() and 1 <= int(words[:9]) <= len(choices):
            return choices[int(words[:9]) - 1]
        return words

    def go(self, move: str) -> None:
        """Make a move, and show the node."""
        self.path = [*self.path, self.view.at(move)]
        self.chosen = 0
        self.show()

    def back(self) -> None:
        """Show the previous node with the last move selected; at the root, show the root again."""
        made = self.view.moves[-1] if self.view.moves else ""
        self.path = self.path[:-1] or self.path
        self.chosen = self.choices.index(made) if made in self.choices else 0
        self.show()

    def show(self) -> None:
        """Print the current node."""
        show_view(self.screen, self.view, grid=self.grid, player=self.player)

    def _execute(self, words: str) -> bool:
        """Execute a command that is not a move here; return whether it was one."""
        verb, _, rest = words.partition(" ")
        if verb not in WORDS or words in self.choices:
            return False
        if verb in ("up", "back"):
            self.back()
        elif verb == "top":
            self.path, self.chosen = self.path[:1], 0
            self.show()
        elif verb in ("grid", "g"):
            self._select_grid(rest.strip())
        elif verb in ("player", "p"):
            self._select_player(rest.strip())
        else:
            self._print(verb, rest.strip())
        return True

    def _print(self, verb: str, rest: str) -> None:
        """Show or write something about the current node."""
        view = self.view
        if verb in ("csv", "json") and not rest:
            raise BadSetting(f"{verb} needs a file name, for example {verb} hands.{verb}")
        if verb == "hand":
            show_hand(self.screen, view, hand_at(view, rest, player=self.player))
        elif verb == "hands":
            show_hands(self.screen, view, self.player)
        elif verb == "csv":
            self.screen.print(literal(write_csv(view, None, Path(rest))[1]), soft_wrap=True)
        elif verb == "json":
            self.screen.print(literal(write_json(view, place_dict(view), Path(rest))), soft_wrap=True)
        else:
            self.screen.print(literal(HELP), soft_wrap=True)

    def _select_grid(self, name: str) -> None:
        """Show the grid of this name, or the next one."""
        known = self.view.grids
        now = known.index(self.grid) if self.grid in known else 0
        name = name.lower() or known[(now + 1) % len(known)]
        check_grid(self.view, name)
        self.grid = name
        self.show()

    def _select_player(self, number: str) -> None:
        """Show the grid of a player, by number, or of the next player."""
        view = self.view
        now = self.player if self.player is not None else (view.player or 0)
        if number and not (number.isdecimal() and len(number) < 4):
            number = "999"  # no player
        wanted = int(number) if number else (now + 1) % len(view.seats)
        check_player(view, wanted)
        self.player = wanted
        self.show()

    # ---- keys --------------------------------------------------------------------------------------------------------

    def prompt(self, typed: str, width: int) -> Text:
        """The line of choices, the selected one in brackets, and the typed text; as much as fits."""
        names = [f"{number + 1} {choice}" if self.is_numbered else choice for number, choice in enumerate(self.choices)]
        available = max(width - len(typed) - 4, 0)
        first = 0
        while first < self.chosen and sum(len(name) + 2 for name in names[first : self.chosen + 1]) > available:
            first += 1
        line = Text(no_wrap=True, overflow="crop")
        for number, name in list(enumerate(names))[first:]:
            if len(line) + len(name) + 2 > available:
                break
            if number == self.chosen:
                line.append(f"[{name}]", "reverse")
            else:
                line.append(f" {name} ")
        return line.append(f"> {typed}")

    def is_hot(self, letter: str) -> bool:
        """Whether a letter acts at once, because no move here begins with it."""
        return letter in HOT and not any(choice.lower().startswith(letter) for choice in self.choices)


def by_lines(walk: Walk) -> None:
    """Read lines until the end of the input or an empty line."""
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
    """Read keys until the end. Enter executes the typed line or, without one, takes the selected choice."""
    walk.screen.print(f"[dim]{literal(KEYS)}[/dim]", soft_wrap=True)
    typed, hot = "", ""  # hot: a letter that acted at once, and may turn out to begin a word
    while True:
        _draw(walk, _typed_text(hot, typed))
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
            hot = ""  # enter after ? only ends the word
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
            typed = _handle_key(walk, key, typed)


def _typed_text(hot: str, typed: str) -> str:
    """The typed text as shown: with the letter that acted already, if together they begin a word."""
    first = (hot + typed).partition(" ")[0]
    return hot + typed if typed and any(word.startswith(first) for word in WORDS) else typed


def _handle_key(walk: Walk, key: str, typed: str) -> str:
    """Handle a key that is not a character; return the typed text afterwards."""
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
    """Redraw the line of choices."""
    screen = walk.screen
    screen.control(Control((ControlType.CURSOR_MOVE_TO_COLUMN, 0), (ControlType.ERASE_IN_LINE, 2)))
    screen.print(walk.prompt(typed, screen.width - 1), end="", soft_wrap=True)
