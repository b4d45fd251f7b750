"""Actions as people type them: "c", "fold", "r 300", "3bb", "2.5x", "pot", "half", "75%", "allin", "d 5h4c".

An amount is the player's total bet on this street, "raise to 300", as said at the table. A fraction of the pot is of
the pot after the call: facing a bet of 50 into 100, "pot" raises to 50 + 200 = 250. strategy/spot_actions.py uses the
same words for kinds of action.
"""

from __future__ import annotations

import re

from pokerlab.errors import IllegalAction, shortened
from pokerlab.games.poker.engine import CALL, FOLD, RAISE, Action, View

HELP = """\
f  fold              c  call or check (also k, x)
r  raise (fixed limit), or with an amount on this street:
   r 300 or b 300    to 300 chips           r 3bb     to three big blinds
   r 2.5x            to 2.5 times the bet   min       the least raise
   pot, half, 75%, 1/3   part of the pot after the call
   allin             everything
d 5h4c               discard these cards    d or pat  discard none
?  this help         q  leave the table"""

WORDS = {  # what people type for a kind of action
    **dict.fromkeys(("f", "fold"), "fold"),
    **dict.fromkeys(("c", "call"), "call"),
    **dict.fromkeys(("k", "x", "check"), "check"),
    **dict.fromkeys(("b", "bet"), "bet"),
    **dict.fromkeys(("r", "raise"), "raise"),
    **dict.fromkeys(("a", "allin", "all-in", "all in", "shove", "jam", "push"), "all-in"),
    **dict.fromkeys(("min", "minraise", "min-raise"), "min"),
    **dict.fromkeys(("pat", "stand", "stand pat"), "pat"),
}
_PARTS = {"pot": 1.0, "p": 1.0, "half": 0.5, "half pot": 0.5, "third": 1 / 3, "quarter": 0.25}
_RAISE = re.compile(r"(?:bet|b|raise|r)?\s*(?:to)?\s*(.*)")


def read_typed(text: str, view: View) -> Action:
    """Parse an action of the player to act; raises IllegalAction with the reason."""
    words = " ".join(text.lower().split())
    legal = view.legal
    meaning = "all-in" if re.fullmatch(r"all-?in [\d.]+", words) else WORDS.get(words)
    if legal.discards >= 0:
        action = _discard(words, meaning, view)
    elif meaning == "fold":
        action = FOLD
    elif meaning in ("call", "check"):
        action = CALL
    elif meaning in ("bet", "raise") and view.game.rules.limit == "fixed":
        action = RAISE
    else:
        action = _raise(words, meaning, view)
    view.game.betting.verify(view.betting, action)
    return action


def _discard(words: str, meaning: str | None, view: View) -> Action:
    if meaning == "pat" or words in ("d", "d0"):
        return Action("d")
    match = re.fullmatch(r"(?:discard|draw|d)\s*(.+)", words)
    if not match:
        raise IllegalAction(f"{shortened(words, 40)!r}: this is a draw; type d and the cards to exchange, or pat")
    cards = tuple(view.game.deck.cards(match.group(1)))
    for card in cards:
        if card not in view.cards:
            raise IllegalAction(f"{view.game.deck.name(card)} is not in your hand")
    return Action("d", 0, cards)


def _raise(words: str, meaning: str | None, view: View) -> Action:
    legal = view.legal
    if not legal.can_raise:  # the rules give the reason
        return Action("r", legal.most + 1)
    if meaning == "all-in":
        everything = view.spent[view.seat] + view.stacks[view.seat]
        if legal.menu and everything not in legal.menu:
            raise IllegalAction(_off_menu(words, view))
        if legal.most < everything:
            raise IllegalAction(f"all-in is more than the limit allows; the most is {_on_street(legal.most, view)}")
        return Action("r", legal.most)
    if meaning == "min":
        return Action("r", legal.least)
    match = _RAISE.fullmatch(words)
    amount = match.group(1).strip() if match else words
    total = _total(amount, view)
    if total is None:
        raise IllegalAction(f"{shortened(words, 40)!r} is not an action here; type ? for help")
    if view.game.rules.limit == "fixed" and total != legal.least:
        raise IllegalAction(f"the limit is fixed: type r to raise to {view.game.said_total(view.betting, legal.least)}")
    if legal.menu and total not in legal.menu:
        raise IllegalAction(_off_menu(words, view))
    if total < legal.least:
        raise IllegalAction(f"the least raise is to {_on_street(legal.least, view)}")
    if total > legal.most:
        raise IllegalAction(f"the most is {_on_street(legal.most, view)}; type allin for all of it")
    return Action("r", total)


def _total(amount: str, view: View) -> int | None:
    """The chips over the whole hand that an amount means, or None if it is not an amount."""
    base = street_base(view)
    level = view.spent[view.seat] + view.to_call  # the total after a call
    part = _PARTS.get(amount)
    if part is None and (match := re.fullmatch(r"(\d+(?:\.\d+)?)\s*%(?:\s*pot)?", amount)):
        part = float(match.group(1)) / 100
    if part is None and (match := re.fullmatch(r"(\d+)\s*/\s*(\d+)(?:\s*pot)?", amount)) and int(match.group(2)):
        part = int(match.group(1)) / int(match.group(2))
    if part is not None:
        return _on_menu(round(level + part * (view.pot + view.to_call)), view)
    if match := re.fullmatch(r"(\d+(?:\.\d+)?)\s*(bb|sb|x)?", amount[:20]):
        number, unit = float(match.group(1)), match.group(2)
        chip = 1 / view.game.unit
        blinds: list[float] = sorted(blind for blind in view.game.rules.blinds if blind) or [chip]
        scale = {"bb": blinds[-1], "sb": blinds[0], "x": level - base, None: chip}[unit]
        return _on_menu(base + round(number * scale), view) if unit == "x" else base + round(number * scale)
    return None


def _off_menu(words: str, view: View) -> str:
    base = street_base(view)
    amounts = [f"{view.game.chips(total - base)}" for total in view.legal.menu]
    menu = " or ".join([", ".join(amounts[:-1]), amounts[-1]] if len(amounts) > 1 else amounts)
    return f"{shortened(words, 40)!r} is not on the menu here, which is {menu} on this street"


def _on_menu(total: int, view: View) -> int:
    """A computed total rounded to the menu, whose sizes are whole chips."""
    legal = view.legal
    near = legal.nearest(total) if legal.menu else total
    return near if abs(near - total) * view.game.unit <= 1 else total


def street_base(view: View) -> int:
    """The player's chips in the pot, over the hand, at the start of this street; on the first street only the ante."""
    rules = view.game.betting
    return min(rules.level_before(view.history) + rules.antes[view.seat], view.spent[view.seat])


def _on_street(total: int, view: View) -> str:
    return f"{view.game.chips(total - street_base(view))} on this street"
