"""`pokerlab browse`: walk through a solution."""

from __future__ import annotations

import sys
from typing import Annotated, Any

from pokerlab.cli._completion import GRIDS
from pokerlab.cli._options import Category, Csv, Player, Solution, argument, option, player_number
from pokerlab.cli._output import announcing_compilation, console, literal, note, print_json, wants_json


def command(
    file: Solution,
    moves: Annotated[list[str] | None, argument('Moves to the node: check "bet 50" call Td.')] = None,
    grid: Annotated[str, option("What the grid shows: strategy, ev, equity or reach.", complete=GRIDS)] = "strategy",
    hand: Annotated[str | None, option("Only this hand or class: AhKh, AKs.")] = None,
    by_hand: Annotated[bool, option("One line per hand: reach, EV, equity, actions.", "--by-hand")] = False,
    category: Category = None,
    csv_file: Csv = None,
    player: Player = None,
    exploit: Annotated[
        str | None,
        option("Replace the strategy of oop or ip (in a game: 0, 1) by a best response.", complete=("oop", "ip")),
    ] = None,
) -> None:
    """Show a node of a solution; at a terminal, continue with arrow keys, or type actions, their numbers and cards.

    pokerlab browse turn.spot
    pokerlab browse leduc.solution r c Ka
    pokerlab browse turn.spot check "bet 50" call Td --hand AhKh
    pokerlab browse leduc.blueprint r c Ka --hand Qb
    pokerlab browse draw-blueprint call check --hand AsAdKh7c2d
    pokerlab browse turn.spot check --grid ev --player 0
    pokerlab browse turn.spot check --category all
    pokerlab browse turn.spot check --csv after_check.csv
    pokerlab browse turn.spot --exploit ip
    """
    from pokerlab.display.browse.node import show_categories, show_hand, show_hands, show_view, write_csv
    from pokerlab.lab.analyse.browsing import check_grid, check_player, hand_at, place_dict
    from pokerlab.lab.analyse.browsing import exploit as exploited
    from pokerlab.strategy.files.shipped import path_of
    from pokerlab.strategy.files.solution_file import load

    exploits = None if exploit is None else player_number(exploit)  # fails before the work
    with announcing_compilation():
        solution = load(path_of(file))
        more: dict[str, Any] = {}
        if exploits is not None:
            solution, gain = exploited(solution, exploits)
            more = {"exploits": exploits, "gain": gain}
            note(f"{exploit} plays a best response and gains {gain:.3f} {solution.root.money or 'chips'}")
        view = solution.at(*(moves or []))
        check_player(view, player)
        check_grid(view, grid)
        if csv_file is not None:
            rows, text = write_csv(view, player, csv_file)
            more |= {"csv": str(csv_file), "csv_rows": rows}
            if not wants_json():
                console().print(literal(text), soft_wrap=True)
        if wants_json():
            print_json(place_dict(view, player=player, hand=hand) | more | _categories(view, player, category))
        elif category is not None:
            show_categories(console(), view, _categories(view, player, category)["categories"])
        elif hand is not None:
            show_hand(console(), view, hand_at(view, hand, player=player))
        else:
            show_view(console(), view, grid=grid, player=player)
            if by_hand:
                show_hands(console(), view, player)
            elif sys.stdin.isatty() and moves is None and csv_file is None:
                _walk(view, grid, player)


def _categories(view: Any, player: int | None, category: str | None) -> dict[str, Any]:
    """How each category of hands plays here, if that was asked for."""
    from pokerlab.lab.analyse.browsing import by_category

    if category is None:
        return {}
    return {"categories": by_category(view, view.acting if player is None else player, category)}


def _walk(view: Any, grid: str, player: int | None) -> None:
    """Walk on, by keys if the terminal can read them. Ctrl-C ends the walk, at the prompt or while drawing."""
    from pokerlab.cli._keys import are_there, keyboard
    from pokerlab.cli._walk import Walk, by_keys, by_lines

    walk = Walk([view], grid, player)
    try:
        if not are_there():
            by_lines(walk)
            return
        with keyboard() as read:
            by_keys(walk, read)
    except KeyboardInterrupt:
        walk.screen.print()
