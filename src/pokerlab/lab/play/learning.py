"""Agents that learn from saved hands: decisions are read from a file, and an agent's `learn` makes a model of them."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from pokerlab import registry
from pokerlab.agents.parts import learned
from pokerlab.agents.parts.examples import Example, examples
from pokerlab.errors import BadFile, BadSetting, shortened
from pokerlab.events import CancelToken, OnProgress, Watch
from pokerlab.games.poker.engine import PokerGame
from pokerlab.lab.play.evolution import PLAYERS
from pokerlab.lab.play.hands import open_hands
from pokerlab.match.hands.exchange import PlayedHand
from pokerlab.match.hands.hand_text import NOT_KNOWN, replay


@dataclass
class Learned:
    """What an agent learned from, and what it made of it."""

    agent: str
    game: str
    players: tuple[str, ...]  # whose decisions
    hands: int
    decisions: int = 0
    hidden: int = 0  # decisions of players whose cards were not shown
    arrays: dict[str, Any] = field(default_factory=dict)

    def as_dict(self) -> dict[str, Any]:
        """As plain values, for JSON and the manifest of the file."""
        return {
            "agent": self.agent,
            "game": self.game,
            "players": list(self.players),
            "hands": self.hands,
            "decisions": self.decisions,
            "hidden": self.hidden,
            "numbers": sum(array.size for array in self.arrays.values()),
        }

    def save(self, path: Path | str) -> None:
        """Write the file that the agent plays from."""
        learned.save(str(path), self.agent, self.arrays, learned_from=self.as_dict())


def learners() -> list[str]:
    """The agents of the library that can learn."""
    known = [entry.name for entry in registry.available("agents")]
    return [name for name in known if registry.companion("agents", name, "learn") is not None]


def check_source(agent: str, file: Path | None, *, generations: int | None, members: int | None) -> bool:
    """Whether an agent evolves rather than learns from hands; BadSetting if what is given does not fit that."""
    if agent in PLAYERS:
        if file is not None:
            raise BadSetting(f"{agent} evolves in matches against its like: leave out --from-hands")
        return True
    if generations is not None or members is not None:
        raise BadSetting(f"--generations and --members are for {' and '.join(PLAYERS)}, which evolve")
    _learn_function(agent)
    if file is None:
        raise BadSetting(f"name the hands that {shortened(agent)} learns from, with --from-hands FILE")
    return False


def _learn_function(agent: str) -> Callable[[Iterator[Example]], Mapping[str, Any]]:
    learn: Any = registry.companion("agents", agent, "learn")
    if not callable(learn):
        *others, last = learners()
        known = f"{', '.join(others)} and {last} do, {' and '.join(PLAYERS)} evolve"
        raise BadSetting(f"{shortened(agent)} does not learn from hands; {known}")
    return learn  # type: ignore[no-any-return]


def learn_from(
    agent: str,
    file: Path | str,
    *,
    players: Sequence[str] = (),
    game: str | None = None,
    match: int | None = None,
    on_progress: OnProgress | None = None,
    cancel: CancelToken | None = None,
) -> Learned:
    """Let an agent learn from the hands of a file: of a match, a log or PHH.

    - agent: its name, or that of your own file; it needs a function `learn(examples)`
    - players: whose decisions to learn; all players by default
    - game: the game of a log that does not say it
    - match: which match of a file; the last by default
    """
    learn = _learn_function(agent)
    hands = open_hands(Path(file), game=game, match=match)
    if not hands:
        raise BadFile(f"{file} holds no hands")
    names = sorted({name for hand in hands for name in hand.names})
    unknown = [name for name in players if name not in names]
    if unknown:
        raise BadSetting(f"nobody called {shortened(unknown[0])!r} plays in {file}: {', '.join(names[:6])} do")
    _check_game(hands[0].game, agent)
    result = Learned(agent, hands[0].game.name, tuple(players) or tuple(names), len(hands))
    watch = Watch("learn", on_progress, cancel, "hands")
    result.arrays = dict(learn(_decisions(hands, result, watch)))
    if not result.decisions:
        raise BadFile(f"{file} shows no decision of {', '.join(result.players)} with the cards that they held")
    return result


def _check_game(game: PokerGame, agent: str) -> None:
    if game.dealing.draws or not game.dealing.at_once:
        raise BadSetting(f"{agent} learns from games whose private cards are dealt once, and {game.name} is not one")


def _decisions(hands: Sequence[PlayedHand], result: Learned, watch: Watch) -> Iterator[Example]:
    for number, hand in enumerate(hands):
        watch.at("learning", number, len(hands))
        game = hand.game
        steps, end = replay(game, hand.cards, hand.betting)
        known = [
            name in result.players and NOT_KNOWN not in game.hand(end, seat) for seat, name in enumerate(hand.names)
        ]
        taken = [(game.view(state, actor), action) for state, actor, action in steps if known[actor]]
        result.hidden += sum(hand.names[step.seat] in result.players for step in steps) - len(taken)
        result.decisions += len(taken)
        yield from examples(taken, hand.payoffs)
