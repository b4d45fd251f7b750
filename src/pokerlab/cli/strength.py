"""`pokerlab strength`: how good a hand is against a hand unseen."""

from __future__ import annotations

from typing import Annotated, Any

import typer

from pokerlab.cli._output import Json, announcing_compilation, console, print_json

_ROWS = (
    ("immediate", "immediate rank", "IHR"),
    ("positive", "positive potential", "PPot"),
    ("negative", "negative potential", "NPot"),
    ("effective", "effective strength", "EHS"),
    ("rollout", "roll-out strength", "7cHS"),
    ("squared", "its mean square", "E[HS²]"),
)
_BAR = 24  # characters


def command(
    hand: Annotated[str, typer.Argument(help='Two cards: "AhKh".')],
    board: Annotated[str, typer.Option(help='Cards on the board, none or three to five: "Td7s2c".')] = "",
    against: Annotated[str, typer.Option(help='The opponent\'s range: "22+,A2s+,KQo:0.5".')] = "random",
    bins: Annotated[int, typer.Option(min=1, max=100, help="Bars of the histogram.")] = 10,
    as_json: Json = False,
) -> None:
    """How good a hand is: what it is, what it beats now, how that may change, and how it stands at the river.

    [dim]pokerlab strength AhKh --board Td7s2c[/dim]
    [dim]pokerlab strength 7h6h --board 8h5c2h --against "TT+,AQ+"[/dim]
    """
    from pokerlab.cards.card import FULL_DECK
    from pokerlab.cards.ranges import Range
    from pokerlab.errors import BadCards, BadSetting

    hole, shown = FULL_DECK.cards(hand), FULL_DECK.cards(board)
    if len(hole) != 2:
        raise BadCards(f"a hand has two cards, and {hand[:40]!r} has {len(hole)}")
    FULL_DECK.check(hole + shown)
    opponent = Range.parse(against)
    if not shown and opponent != Range.random():
        raise BadSetting("before the flop only --against random is measured here; ask: pokerlab equity")
    result: dict[str, Any] = {"hand": FULL_DECK.text(hole), "board": FULL_DECK.text(shown), "against": opponent.text()}
    with announcing_compilation():
        result |= _on_board(hole, shown, opponent, bins) if shown else _before_the_flop(hole, bins)
    if as_json:
        print_json(result)
    else:
        _show(result)


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
    strength = f", class {result['class']:,} of 7,462" if "class" in result else ""
    screen.print(f"\n[bold]{_symbols(result['hand'])}[/bold]{place}: [bold]{result['name']}[/bold]{strength}")
    if "wins" in result:
        met = result["wins"] + result["ties"] + result["losses"]
        counts = f"beats {_count(result['wins'])}, ties {_count(result['ties'])}, loses to {_count(result['losses'])}"
        screen.print(f"[dim]against {result['against']}: {counts} of {_count(met)} hands[/dim]")
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
