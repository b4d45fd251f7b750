"""A node of a solution as HTML: breadcrumbs, actions, the hands of a cell, and the next cards. All text is escaped."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Any

import numpy as np
from markupsafe import Markup

from pokerlab.app.widgets.hand_grid import ink_on, luminance
from pokerlab.cards.card import SUIT_SYMBOLS
from pokerlab.display.browse.node import action_colours, chips, percent_text
from pokerlab.display.elements.grid import Scale
from pokerlab.display.elements.palette import VALUES, css

_NUMERIC = re.compile(r"[-+–±∞\d.,\s%()?]*|[-+\d.]+e[-+]?\d+")  # what a column of numbers consists of
CLICKED = """(event) => {
  const found = event.target.closest('[data-go]');
  if (found) emit(found.dataset.go);
}"""  # sends the value of the clicked element


INKS = ("plain-ink", "", "pale", "halo")  # classes of a text, by ink_on


def join(parts: Sequence[Any]) -> Markup:
    """Pieces one after the other."""
    return Markup("").join(parts)


def swatch(colour: str) -> Markup:
    """A small square of a colour."""
    return Markup('<span class="swatch" style="background:{}" aria-hidden="true"></span>').format(colour)


def hand_html(hand: str) -> Markup:
    """A hand with the colours of its suits."""
    parts = [
        Markup('<span class="suit-{}">{}{}</span>').format(hand[i + 1], hand[i], SUIT_SYMBOLS[hand[i + 1]])
        for i in range(0, len(hand), 2)
    ]
    return join(parts)


def crumbs(nodes: Sequence[Any], moves: Sequence[str]) -> Markup:
    """The way to a node: every decision with its actions, every card; each can be clicked.

    The value of a button is the number of moves to keep and the move to make, "2:call".
    """
    boxes = []
    for depth, node in enumerate(nodes):
        now = depth == len(nodes) - 1
        kind = " now" if now else ""
        taken = moves[depth] if depth < len(moves) else ""
        if node.player is not None:
            choices = _choices(depth, node.actions, taken, numbered=now)
            who = f"{node.seats[node.player]} · pot {node.pot:g}"
            boxes.append(_crumb(kind, who, choices))
        elif node.is_deal:
            card = _go(f"{depth}:", f"{taken}" if taken else "a card", taken=bool(taken), label="Choose another card")
            boxes.append(_crumb(kind, f"card · pot {node.pot:g}", card))
        else:
            boxes.append(_crumb(kind, "the hand is over", Markup("pot {}").format(f"{node.pot:g}")))
    return Markup('<div class="crumbs">{}</div>').format(join(boxes))


def _crumb(kind: str, who: str, inside: Markup) -> Markup:
    return Markup('<div class="crumb{}"><span class="who">{}</span><span class="choices">{}</span></div>').format(
        kind, who, inside
    )


def _choices(depth: int, actions: Sequence[str], taken: str, *, numbered: bool) -> Markup:
    colours = [css(colour) for colour in action_colours(actions)]
    return join(
        [
            _go(
                f"{depth}:{action}",
                action,
                taken=action == taken,
                colour=colours[number],
                key=str(number + 1) if numbered and number < 9 else "",
            )
            for number, action in enumerate(actions)
        ]
    )


def _go(value: str, words: str, *, taken: bool = False, colour: str = "", key: str = "", label: str = "") -> Markup:
    return Markup('<button type="button" data-go="{}" class="{}"{}{}>{}{}</button>').format(
        value,
        "taken" if taken else "",
        Markup(' data-key="{}" title="key {}"').format(key, key) if key else "",
        Markup(' aria-label="{}"').format(label) if label else "",
        swatch(colour) if colour else "",
        words,
    )


def action_list(rows: Sequence[dict[str, Any]], money: str) -> Markup:
    """The actions of the player to act: frequency, combos, EV and equity, with a bar of the shares."""
    colours = [css(colour) for colour in action_colours([row["action"] for row in rows])]
    bar = join(
        [
            Markup('<span style="width:{}%;background:{}"></span>').format(f"{100 * row['frequency']:.2f}", colour)
            for row, colour in zip(rows, colours, strict=True)
        ]
    )
    lines = [
        Markup("<tr><td>{}{}</td><td>{}</td><td>{}</td><td>{}</td><td>{}</td></tr>").format(
            swatch(colour),
            row["action"],
            percent_text(row["frequency"]),
            chips(row["combos"], 1),
            chips(row.get("ev")),
            percent_text(row.get("equity")),
        )
        for row, colour in zip(rows, colours, strict=True)
    ]
    heads = Markup("<th>action</th><th>share</th><th>combos</th><th>EV{}</th><th>equity</th>").format(
        f", {money}" if money else ""
    )
    return Markup('<div class="mixbar" aria-hidden="true">{}</div>{}').format(bar, table(heads, lines))


def table(heads: Markup, lines: Sequence[Markup], *, kind: str = "") -> Markup:
    """A table that scrolls on narrow screens."""
    return Markup(
        '<div class="table-scroll"><table class="data {}"><thead><tr>{}</tr></thead><tbody>{}</tbody></table></div>'
    ).format(kind, heads, join(lines))


def plain_table(headings: Sequence[str], rows: Sequence[Sequence[Any]]) -> Markup:
    """A table of texts and numbers; columns of texts are aligned to the left."""
    kinds = [
        "words" if any(not _NUMERIC.fullmatch(str(row[number])) for row in rows) else ""
        for number in range(len(headings))
    ]
    heads = join(
        [Markup('<th class="{}">{}</th>').format(kind, word) for word, kind in zip(headings, kinds, strict=True)]
    )
    lines = [
        Markup("<tr>{}</tr>").format(
            join([Markup('<td class="{}">{}</td>').format(kind, cell) for cell, kind in zip(row, kinds, strict=True)])
        )
        for row in rows
    ]
    return table(heads, lines)


def combo_table(rows: Sequence[dict[str, Any]], actions: Sequence[str]) -> Markup:
    """The hands of a cell with their suits."""
    if not rows:
        return Markup('<p class="dim">No hand of this class is here.</p>')
    acts = bool(rows[0]["strategy"])
    colours = [css(colour) for colour in action_colours(actions)]
    names = zip(actions, colours, strict=True) if acts else ()
    heads = join(
        [
            Markup("<th>hand</th><th>reach</th>"),
            *(Markup("<th>{}{}</th>").format(swatch(colour), action) for action, colour in names),
            Markup("<th>EV</th><th>equity</th>"),
        ]
    )
    lines = []
    for row in rows:
        shares = [Markup("<td>{}</td>").format(percent_text(share)) for share in row["strategy"]]
        lines.append(
            Markup("<tr><td>{}</td><td>{}</td>{}<td>{}</td><td>{}</td></tr>").format(
                hand_html(row["hand"]),
                percent_text(row["reach"]),
                join(shares),
                chips(row["ev"]),
                percent_text(row["equity"]),
            )
        )
    return table(heads, lines, kind="close")


def card_choice(rows: Sequence[dict[str, Any]], depth: int, seats: Sequence[str], *, by_ev: bool = False) -> Markup:
    """The next cards, coloured by what the next player does or by the EV out of position; each can be clicked."""
    by_card = {row["card"]: row for row in rows}
    evs = [row["ev"] for row in rows if row["ev"] is not None]
    scale = Scale(min(evs), max(evs), VALUES) if evs else None
    buttons = []
    for suit in "shdc":
        for rank in "AKQJT98765432":
            row = by_card.get(rank + suit)
            buttons.append(_card_button(rank + suit, row, depth, scale, by_ev=by_ev))
    acting = next((seats[row["player"]] for row in rows if row["player"] is not None), "")
    if by_ev:
        what = "Colours and numbers: the EV out of position"
        return Markup('<p class="dim small">{}</p><div class="deck">{}</div>').format(what, join(buttons))
    actions: list[str] = next((row["actions"] for row in rows if row["actions"]), [])
    legend = join(
        [
            Markup('<span style="margin-right:1em">{}{}</span>').format(swatch(css(colour)), action)
            for action, colour in zip(actions, action_colours(actions), strict=True)
        ]
    )
    what = f"What the player {acting} does next; numbers are the EV out of position" if acting else "EV out of position"
    return Markup('<p class="dim small">{}</p><p class="small">{}</p><div class="deck">{}</div>').format(
        what, legend, join(buttons)
    )


def _card_button(
    card: str, row: dict[str, Any] | None, depth: int, scale: Scale | None, *, by_ev: bool = False
) -> Markup:
    face = f"{card[0]}{SUIT_SYMBOLS[card[1]]}"
    if row is None:
        return Markup('<button type="button" class="card none" disabled aria-label="{} is dealt">{}</button>').format(
            card, face
        )
    fill, words, grounds = "var(--raised)", [], []
    if row["strategy"]:
        start, stops = 0.0, []
        for colour, share, action in zip(action_colours(row["actions"]), row["strategy"], row["actions"], strict=True):
            grounds += [luminance(colour)] if share > 0.1 else []
            stops.append(f"{css(colour)} {100 * start:.1f}% {100 * (start + share):.1f}%")
            words.append(f"{action} {100 * share:.0f} %")
            start += share
        fill = f"linear-gradient(0deg, {', '.join(stops)})"
    if scale is not None and row["ev"] is not None and (by_ev or not row["strategy"]):
        colour = scale.colour(row["ev"])
        fill, grounds = css(colour), [luminance(colour)]
    ink = INKS[ink_on(np.array(grounds))] if grounds else "plain-ink"
    number = "" if row["ev"] is None else f"{row['ev']:.1f}"
    said = f"{card}: {', '.join([*words, f'EV {number}' if number else ''])}".rstrip(", ")
    return Markup(
        '<button type="button" class="card values {}" data-go="{}:{}" title="{}" aria-label="{}" '
        'style="background:{}">{}<i>{}</i></button>'
    ).format(ink, depth, card, said, said, fill, face, number)
