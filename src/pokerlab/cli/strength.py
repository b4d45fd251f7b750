"""`pokerlab strength`: how good a hand is against a hand unseen."""

from __future__ import annotations

from typing import Annotated, Any

import typer

from pokerlab.cli._output import Json, announcing_compilation, console, literal, print_json

_ROWS = (
    ("immediate", "immediate rank", "IHR"),
    ("positive", "positive potential", "PPot"),
    ("negative", "negative potential", "NPot"),
    ("effective", "effective strength", "EHS"),
    ("rollout", "roll-out strength", "7cHS"),
    ("squared", "its mean square", "E[HS²]"),
)
_BAR = 24  # characters
ORDERS = ("high", "short-deck", "three-card")


def command(
    hand: Annotated[str, typer.Argument(help='Two cards, "AhKh", or a whole hand of three or five to seven.')],
    board: Annotated[str, typer.Option(help='Cards on the board, none or three to five: "Td7s2c".')] = "",
    against: Annotated[str, typer.Option(help='The opponent\'s range: "22+,A2s+,KQo:0.5".')] = "random",
    order: Annotated[
        str | None,
        typer.Option(
            help="Tell only what a hand is, in this order of hands: high, short-deck or three-card.", show_default=False
        ),
    ] = None,
    bins: Annotated[int, typer.Option(min=1, max=100, help="Bars of the histogram.")] = 10,
    as_json: Json = False,
) -> None:
    """How good a hand is: what it is, what it beats now, how that may change, and how it stands at the river.

    [dim]pokerlab strength AhKh --board Td7s2c[/dim]
    [dim]pokerlab strength 7h6h --board 8h5c2h --against "TT+,AQ+"[/dim]
    [dim]pokerlab strength 9s8s7s6sAh --order short-deck[/dim]
    """
    from pokerlab.cards.card import FULL_DECK
    from pokerlab.cards.ranges import Range
    from pokerlab.errors import BadCards, BadSetting

    hole, shown = FULL_DECK.cards(hand), FULL_DECK.cards(board)
    whole = order is not None or len(hole) != 2
    if len(hole) not in (2, 3, 5, 6, 7):
        raise BadCards(f"a hand is two cards, three, or five to seven, and {hand[:40]!r} has {len(hole)}")
    FULL_DECK.check(hole + shown)
    opponent = Range.parse(against)
    if whole and opponent != Range.random():
        raise BadSetting("a whole hand, or an --order of hands, is told by itself: leave out --against")
    result: dict[str, Any] = {"hand": FULL_DECK.text(hole), "board": FULL_DECK.text(shown), "against": opponent.text()}
    with announcing_compilation():
        if whole:
            result |= _in_order(hole + shown, order or ("three-card" if len(hole + shown) == 3 else "high"))
        elif shown:
            result |= _on_board(hole, shown, opponent, bins)
        elif opponent == Range.random():
            result |= _before_the_flop(hole, bins)
        else:
            result |= _before_the_flop_against(hole, opponent)
    if as_json:
        print_json(result)
    else:
        _show(result)


def _in_order(cards: list[int], order: str) -> dict[str, Any]:
    """What the best hand among some cards is, in an order of hands."""
    from pokerlab.cards.strength import ranking
    from pokerlab.errors import BadSetting

    if order not in ORDERS:
        raise BadSetting(f"the orders of hands are {', '.join(ORDERS[:-1])} or {ORDERS[-1]}, not {order[:40]!r}")
    table = ranking(order.replace("-", "_"))
    strength = table.strength(cards)
    return {
        "order": order,
        "name": table.name(strength),
        "category": table.category(strength),
        "class": strength,
        "classes": table.class_count,
    }


def _before_the_flop_against(hole: list[int], opponent: Any) -> dict[str, Any]:
    """The equity against a range before the flop."""
    from pokerlab.cards.combos import CLASS_NAMES, COMBO_CLASS, combo_index, combo_name
    from pokerlab.cards.equity import equity

    number = combo_index(*hole)
    found = equity([combo_name(number), opponent])
    share = found.players[0]
    return {
        "name": CLASS_NAMES[int(COMBO_CLASS[number])],
        "rollout": share.equity,
        "standard_error": share.standard_error,
        "exact": found.exact,
    }


def _before_the_flop(hole: list[int], bins: int) -> dict[str, Any]:
    from pokerlab.cards.combos import CLASS_NAMES, COMBO_CLASS, combo_index
    from pokerlab.cards.measures import preflop_strength

    number = int(COMBO_CLASS[combo_index(*hole)])
    strength = preflop_strength()
    return {
        "name": CLASS_NAMES[number],
        "rollout": float(strength.rollout[number]),
        "squared": float(strength.squared[number]),
        "histogram": strength.histogram(bins)[number],
    }


def _on_board(hole: list[int], board: list[int], opponent: Any, bins: int) -> dict[str, Any]:
    from pokerlab.cards.measures import hand_measures
    from pokerlab.cards.strength import HIGH

    measured = hand_measures(hole, board, weights=opponent.weights)
    ranking = HIGH()
    strength = ranking.strength([*hole, *board])
    result: dict[str, Any] = {
        "name": ranking.name(strength),
        "category": ranking.category(strength),
        "class": strength,
        "classes": ranking.class_count,
        "wins": measured.wins,
        "ties": measured.ties,
        "losses": measured.losses,
    }
    result |= {name: getattr(measured, name) for name, _, _ in _ROWS}
    if len(board) == 3:
        turn = hand_measures(hole, board, weights=opponent.weights, lookahead=1)
        result["next_card"] = {name: getattr(turn, name) for name in ("positive", "negative", "effective")}
    return result | {"histogram": measured.histogram(bins)}


def _show(result: dict[str, Any]) -> None:
    from rich.table import Table

    screen = console()
    place = f" on {_symbols(result['board'])}" if result["board"] else ""
    strength = f", class {result['class']:,} of {result['classes']:,}" if "class" in result else ""
    screen.print(f"\n[bold]{_symbols(result['hand'])}[/bold]{place}: [bold]{result['name']}[/bold]{strength}")
    if "wins" in result:
        met = result["wins"] + result["ties"] + result["losses"]
        counts = f"beats {_count(result['wins'])}, ties {_count(result['ties'])}, loses to {_count(result['losses'])}"
        screen.print(f"[dim]against {literal(result['against'])}: {counts} of {_count(met)} hands[/dim]")
    elif "exact" in result:
        how = "exactly" if result["exact"] else f"± {result['standard_error']:.4f}"
        screen.print(f"[dim]against {literal(result['against'])}, {how}[/dim]")
    elif "order" in result:
        return
    table = Table(box=None, pad_edge=False, show_header=False)
    for name, words, letters in _ROWS:
        if name in result:
            next_card = result.get("next_card", {}).get(name)
            note = "" if next_card is None else f"next card alone {next_card:.4f}"
            table.add_row(
                words, f"[cyan]{letters}[/cyan]", f"{result[name]:.4f}", _bar(result[name]), f"[dim]{note}[/dim]"
            )
    screen.print()
    screen.print(table)
    if "histogram" not in result:
        return
    screen.print("\n[dim]share of hands beaten at the river: how often[/dim]")
    tallest = max(result["histogram"])
    bins = len(result["histogram"])
    for i, chance in enumerate(result["histogram"]):
        label = f"{100 * i / bins:3.0f}–{100 * (i + 1) / bins:.0f} %"
        screen.print(f"{label:>10}  {100 * chance:5.1f} %  [green]{_bar(chance / tallest)}[/green]")


def _bar(share: float) -> str:
    """A bar for a share of 0 to 1, in eighths of a character."""
    eighths = round(8 * _BAR * share)
    return "█" * (eighths // 8) + " ▏▎▍▌▋▊▉"[eighths % 8].strip()


def _count(weight: float) -> str:
    return f"{weight:,.2f}".rstrip("0").rstrip(".")


def _symbols(cards: str) -> str:
    from pokerlab.cards.card import SUIT_SYMBOLS

    colours = {"c": "green", "d": "blue", "h": "red", "s": "default"}
    pairs = zip(cards[::2], cards[1::2], strict=True)
    return " ".join(f"[{colours[suit]}]{rank}{SUIT_SYMBOLS[suit]}[/]" for rank, suit in pairs)
