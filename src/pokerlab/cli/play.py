"""`pokerlab play`: a person plays in the terminal."""

from __future__ import annotations

from typing import Annotated, Any

import typer

from pokerlab.cli._output import Json, Seed, literal


def command(
    game: Annotated[str, typer.Argument(help="A poker game: holdem-nolimit, holdem-limit, leduc, five-card-draw ...")],
    against: Annotated[
        list[str] | None, typer.Option("--against", help="An agent for each other seat; one serves for all.")
    ] = None,
    hands: Annotated[
        int, typer.Option("--hands", min=0, help="Stop after so many hands; 0 plays until you leave.")
    ] = 0,
    seed: Seed = 0,
    log: Annotated[
        str, typer.Option("--log", help="Where to keep the hand history; a default is chosen and told.")
    ] = "",
    json: Json = False,
) -> None:
    """Play poker against programs: [bold]pokerlab play holdem-nolimit --against formula[/bold].

    Type f, c, r 300, 3bb, pot, half, 75%, allin; ? helps and q leaves. Every finished hand is kept, and taken in by
    hands --import acpc. The same --seed deals the same cards; without it they are different each time.
    """
    from pokerlab.agents.agent import Choosy
    from pokerlab.agents.opening import open_agent
    from pokerlab.cli._output import announcing_compilation, console, error_console, print_json
    from pokerlab.errors import BadSetting
    from pokerlab.formats.opening import open_game
    from pokerlab.games.poker.engine import PokerGame

    chosen = open_game(game)
    if not isinstance(chosen, PokerGame):
        raise BadSetting(f"{game[:40]} is not a poker game with a table; try holdem-nolimit, holdem-limit or leduc")
    specs = against or ["formula" if chosen.deck.size == 52 and chosen.rules.rounds[0].private == 2 else "random"]
    if len(specs) == 1:
        specs = specs * (chosen.players - 1)
    if len(specs) != chosen.players - 1:
        raise BadSetting(f"{chosen.name} has {chosen.players - 1} other seats, and --against names {len(specs)} agents")
    with announcing_compilation():
        opponents = [open_agent(spec) for spec in specs]
        for agent in opponents:
            if isinstance(agent, Choosy):
                agent.check_game(chosen)
        screen = error_console() if json else console()
        session = _Session(chosen, opponents, specs, seed=seed, log=log, screen=screen)
        session.run(hands)
    if json:
        kept = str(session.log) if session.kept else None
        print_json({"game": chosen.name, "hands": session.played, "won": session.total[0], "log": kept})


class _Session:
    """A person and agents at one table, hand after hand; the button moves each hand.

    The deal and every seat have a source of chance of their own, so that what is done does not change the cards.
    """

    def __init__(self, game: Any, opponents: list[Any], specs: list[str], *, seed: int, log: str, screen: Any) -> None:
        import time
        from pathlib import Path

        import numpy as np

        from pokerlab.agents.library.human import Human
        from pokerlab.store import home

        self.game, self.screen = game, screen
        self.dealing, *self.rngs = map(
            np.random.default_rng, np.random.SeedSequence(seed or None).spawn(1 + game.players)
        )
        self.human = Human(ask=self._ask, tell=lambda text: screen.print(f"[yellow]{literal(text)}[/yellow]"))
        names = [spec.split(":")[0] for spec in specs]
        self.names = ["you", *(f"{name} {i}" if names.count(name) > 1 else name for i, name in enumerate(names, 1))]
        self.agents = [self.human, *opponents]
        stamp = time.strftime("%Y%m%d-%H%M%S")
        self.named = bool(log)  # by the person, who wants to know at once where it cannot be written
        self.log = Path(log) if log else home() / "played" / f"{game.name.split('(')[0]}-{stamp}.log"
        self.kept = True
        self.total = [0.0] * game.players
        self.played = 0

    def run(self, hands: int) -> None:
        from pokerlab.agents.library.human import Leaves

        self.screen.print(f"[bold]{literal(self.game.name)}[/bold]: ? for help, q to leave")
        for agent in self.agents:
            agent.reset()
        while not hands or self.played < hands:
            try:
                self._hand()
            except (Leaves, KeyboardInterrupt):
                self.screen.print()
                break
        if self.played:
            where = f"hands are kept in {literal(self.log)}" if self.kept else "hands were not kept"
            self.screen.print(f"{self._standing()}\n{where}")
        else:
            self.screen.print("no hand was finished")

    def _hand(self) -> None:
        from pokerlab.match.hands.hand_text import log_line
        from pokerlab.match.table.referee import show_end
        from pokerlab.report.poker_table import result_words, said

        game, count = self.game, self.game.players
        order = [(position + self.played) % count for position in range(count)]  # who sits at each position
        names = [self.names[seat] for seat in order]
        self._names = names
        state = game.start(game.deal(self.dealing))
        self.screen.rule(f"hand {self.played + 1}", align="left", style="dim")
        while (position := game.player(state)) >= 0:
            action = self._action(state, order[position])
            self.screen.print(literal(said(game, state, action, names[position])))
            state = game.child(state, action)
        returns = game.returns(state)
        for line in result_words(game, state, names, returns):
            self.screen.print(line)
        for position, won in enumerate(returns):
            self.total[order[position]] += won
        told = [name.replace(" ", "") for name in names]
        self._keep(log_line(game, state, self.played, returns=returns, names=told))
        show_end(game, state, [self.agents[seat] for seat in order])
        self.played += 1
        self.screen.print(self._standing())

    def _action(self, state: Any, seat: int) -> Any:
        """What a seat does; an agent's action that is not allowed becomes one that is, as in a match."""
        from rich.markup import escape

        from pokerlab.match.table.referee import decide

        if seat == 0:
            return self.human.act(self.game.view(state, state.betting.actor), self.rngs[0])
        action, fault = decide(self.game, state, self.agents[seat], self.rngs[seat])
        if fault:
            self.screen.print(f"[yellow]{escape(self.names[seat])}: {escape(fault)}[/yellow]")
        return action

    def _standing(self) -> str:
        blind = max(self.game.rules.blinds) or 1
        return (
            f"[dim]after {self.played} hands you are {self.total[0]:+g} ({self.total[0] / blind:+.1f} big blinds)[/dim]"
        )

    def _keep(self, line: str) -> None:
        from pokerlab.errors import BadFile
        from pokerlab.store import tell
        from pokerlab.writing import reason

        try:
            self.log.parent.mkdir(parents=True, exist_ok=True)
            with self.log.open("a", encoding="utf-8") as file:
                file.write(line + "\n")
        except OSError as problem:
            if self.named:
                raise BadFile(f"cannot keep the hand in {self.log}: {reason(problem)}") from problem
            self.kept = False
            tell(f"hands are not kept: {self.log} cannot be written ({reason(problem)}); name a file with --log")

    def _ask(self, view: Any) -> str:
        from pokerlab.games.poker.text import round_name
        from pokerlab.report.poker_table import table

        self.screen.print(table(view, self._names, title=round_name(view.game, view.round)))
        return str(self.screen.input(f"[bold]{_options(view)} > [/bold]"))


def _options(view: Any) -> str:
    legal = view.legal
    if legal.discards >= 0:
        return f"d and up to {legal.discards} cards, or pat"
    options = ["f"] if legal.fold else []
    if legal.call >= 0:
        options.append(f"c (call {legal.call})" if legal.call else "c (check)")
    if legal.can_raise:
        options.append("r" if view.game.rules.limit == "fixed" else "r AMOUNT, pot, allin")
    return "  ".join(options)
