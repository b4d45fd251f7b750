"""`pokerlab icm`: the value of tournament stacks."""

from __future__ import annotations

from typing import Annotated

from pokerlab.cli._options import Csv, Plot, option
from pokerlab.cli._output import announcing_compilation, check_outputs, write_results


def command(
    stacks: Annotated[str, option("Chips of each player: 10,1,289; 1500*9 is nine stacks.")],
    payouts: Annotated[str, option("Prizes, first place first: 60,40.")],
    pool: Annotated[str | None, option("Prize pool, in money; --payouts are then shares of it.")] = None,
    bounties: Annotated[str | None, option("Bounty on each player, in money; one number for all.")] = None,
    pairs: Annotated[bool, option("Bubble factors of all pairs, even with more than 10 players.", "--pairs")] = False,
    csv: Csv = None,
    plot: Plot = None,
) -> None:
    """Value of tournament chips by the independent chip model: equity, places, deals, bubble factors.

    pokerlab icm --stacks 10,1,289 --payouts 60,40
    pokerlab icm --stacks 5000,3000,1500,500 --payouts 50,30,20 --bounties 5
    pokerlab icm --stacks 1500*180 --payouts 30,20,12,9,7,6,5,4,4,3
    """
    from pokerlab.display.tournament.icm import show_chip_values, value_figure
    from pokerlab.lab.tournament.chip_values import chip_values

    check_outputs(csv=csv, picture=plot)
    with announcing_compilation():
        values = chip_values(stacks=stacks, payouts=payouts, pool=pool, bounties=bounties, pairs=pairs or None)
    write_results(
        values.as_dict,
        lambda screen: show_chip_values(screen, values),
        csv=(csv, lambda _: values.columns()),
        plot=(plot, lambda _: value_figure(values)),
    )
