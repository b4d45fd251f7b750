"""Observed hands: how often a player took each action at each infoset.

An infoset is known only if the observed player's cards are. `all`: every hand, as in the player's own logs or on a
server that shows all cards. `showdowns`: only hands that were shown, as an opponent sees them; this underrepresents
lines that lead to folds and never includes the folds themselves.
"""

from __future__ import annotations

import warnings
from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from pokerlab.agents.agent import Agent
from pokerlab.errors import BadFile, BadSetting, Notice, shortened
from pokerlab.games.poker.engine import PokerGame
from pokerlab.games.poker.state import State
from pokerlab.match.hands.hand_text import NOT_KNOWN, HandStep, betting_text, cards_text, replay
from pokerlab.match.hands.history import OWN
from pokerlab.match.hands.journal import one_line
from pokerlab.match.hands.query import HandsFile, MatchRow
from pokerlab.match.run.held_out import HeldOutHands
from pokerlab.match.run.tables import played_tree, running_sums
from pokerlab.match.table.referee import play_hand, show_end
from pokerlab.strategy.forms.kinds import kind_of
from pokerlab.tree.form import Form
from pokerlab.tree.sequence import SequenceForm

ALL, SHOWDOWNS = "all", "showdowns"
SEEN = (ALL, SHOWDOWNS)
_DEALS = 1_000_000  # at a time
_FOLD = "f"


@dataclass(frozen=True, eq=False)
class Observations:
    """What was observed of a player."""

    counts: np.ndarray  # [A] int64: how often each action was taken, by slot of the form
    hands: int  # observed, without those held out
    cards_known: int  # hands after which the player's cards were known
    held_out: int = 0  # hands not counted, by which winnings are predicted

    @property
    def decisions(self) -> int:
        """The number of decisions observed."""
        return int(self.counts.sum())


def check_seen(seen: str) -> str:
    """Return `seen` if it is a valid name; raise an error otherwise."""
    if seen not in SEEN:
        raise BadSetting(f"the hands seen must be {' or '.join(SEEN)}; got {seen[:40]!r}")
    return seen


def watch_policies(
    form: SequenceForm, watched: np.ndarray, against: np.ndarray, *, hands: int, seed: int = 0, seen: str = ALL
) -> Observations:
    """Play hands between two profiles of a two-player game, observing the first in each seat in turn; compiled."""
    from pokerlab.match.run._kernels import watch_tables

    tree = form.tree
    cards_known = np.ones(tree.nodes, bool)
    if check_seen(seen) == SHOWDOWNS:
        folds = np.array([name == _FOLD for name in tree.edge_names], bool)
        cards_known = (tree.edge < 0) | ~folds[np.maximum(tree.edge, 0)]
    sums = np.stack([running_sums(profile, tree.start) for profile in (watched, against)])
    place = np.random.SeedSequence(seed).generate_state(1, np.uint64)[0]
    counts, path = np.zeros(tree.slots, np.int64), np.empty(tree.slots, np.int64)
    played, shown = played_tree(tree, sums), 0
    for first in range(0, hands, _DEALS):
        shown += int(watch_tables(played, place, (first, min(_DEALS, hands - first)), cards_known, path, counts))
    return Observations(counts, hands, shown)


def watch_agents(
    game: PokerGame,
    form: Form,
    watched: Agent,
    against: Agent,
    *,
    hands: int,
    seed: int = 0,
    seen: str = ALL,
    held_out: HeldOutHands | None = None,
) -> Observations:
    """The same between agents at a table; the observed agent need not provide its action probabilities.

    With `held_out`, half of the hands go there, and are not counted.
    """
    tally = _Tally(form, check_seen(seen))
    for number, (seat, steps, end) in enumerate(_played(game, watched, against, hands=hands, seed=seed)):
        if held_out is not None and is_held_out(number):
            held_out.add(steps, end, opponent=seat)
        else:
            tally.add(game, steps, end, seats=(seat,))
    return tally.result(held_out)


def hold_out(game: PokerGame, watched: Agent, against: Agent, held_out: HeldOutHands, *, hands: int, seed: int) -> None:
    """Play hands of which all are held out: nothing need be learned about the watched agent."""
    for seat, steps, end in _played(game, watched, against, hands=hands, seed=seed):
        held_out.add(steps, end, opponent=seat)


def is_held_out(number: int) -> bool:
    """Whether a hand is held out: every second pair, so that both seats are in both halves."""
    return number // 2 % 2 == 1


def _played(
    game: PokerGame, watched: Agent, against: Agent, *, hands: int, seed: int
) -> Iterator[tuple[int, list[HandStep], State]]:
    """Hands between agents: the seat of the watched one, which changes every hand, the steps and the final state."""
    sources = np.random.SeedSequence(seed).spawn(3)
    dealing, *chance = (np.random.Generator(np.random.PCG64(source)) for source in sources)
    agents, faults = (watched, against), Counter[str]()
    for agent in agents:
        agent.reset()
    for number, cards in enumerate(game.deals(dealing, hands)):
        seats = agents if number % 2 == 0 else agents[::-1]
        played = play_hand(game, cards, seats, chance if number % 2 == 0 else chance[::-1])
        faults.update(one_line(fault.reason) for fault in played.faults if fault.seat == number % 2)
        show_end(game, played.state, seats)
        yield number % 2, *replay(game, cards_text(game, played.state), betting_text(game, played.state))
    if faults:
        reason, count = faults.most_common(1)[0]
        replaced = (
            f"{faults.total():,} actions of the observed player were illegal, and their replacements were counted"
        )
        warnings.warn(f"{replaced}: {count:,} times {shortened(reason, 120)}", Notice, stacklevel=3)


def played_here(file: Path | str, game: PokerGame, *, player: str) -> bool:
    """Whether all hands of this player and game in a saved file come from matches played here, none imported."""
    with HandsFile(file) as saved:
        matches = [match for match in _of(saved, game) if player in match.agents]
    return bool(matches) and all(match.source == OWN for match in matches)


def watch_kept(
    file: Path | str,
    form: Form,
    game: PokerGame,
    *,
    player: str,
    seen: str = ALL,
    held_out: HeldOutHands | None = None,
) -> Observations:
    """The hands of a player in a saved file, restricted to this game; half of them go to `held_out`, if given."""
    tally, number = _Tally(form, check_seen(seen)), 0
    with HandsFile(file) as saved:
        matches = _of(saved, game)
        if not matches:
            raise BadFile(f"{file} holds no hands of {game.name}")
        names = {name for match in matches for name in match.agents}
        if player not in names:
            raise BadSetting(f"nobody called {shortened(player)!r} played {game.name} in {file}: {_some(names)} did")
        for match in matches:
            if player in match.agents:
                for hand in saved.hands(match):
                    seats = [seat for seat, name in enumerate(hand.names(match)) if name == player]
                    steps, end = hand.steps(match)
                    if held_out is not None and is_held_out(number):
                        held_out.add(steps, end, opponent=seats[0])
                    else:
                        tally.add(game, steps, end, seats=seats)
                    number += 1
    return tally.result(held_out)


def others_kept(file: Path | str, game: PokerGame, *, player: str) -> set[str]:
    """The names of those who played this game against a player in a saved file; its own if it played itself."""
    with HandsFile(file) as saved:
        matches = [match.agents for match in _of(saved, game) if player in match.agents]
    return {name for names in matches for name in (*names[: names.index(player)], *names[names.index(player) + 1 :])}


def _of(saved: HandsFile, game: PokerGame) -> list[MatchRow]:
    """The matches of a game; not those in which stacks are carried over, whose hands are of other games."""
    return [match for match in saved.matches() if match.game.rules == game.rules and not match.contest]


def _some(names: set[str]) -> str:
    ordered = sorted(names)
    return ", ".join(shortened(name) for name in ordered[:5]) + (" and others" if len(ordered) > 5 else "")


class _Tally:
    """Counts by slot, accumulated hand by hand."""

    def __init__(self, form: Form, seen: str) -> None:
        finder = kind_of(form.kind).slot_finder
        if finder is None:
            raise BadSetting(f"hands cannot be counted in the {form.kind} form; the sequence and the public form can")
        self._seen, self._slot = seen, finder(form)
        self._counts = np.zeros(len(form.uniform()), np.int64)
        self._hands = self._cards_known = 0

    def add(self, game: PokerGame, steps: Iterable[HandStep], end: State, *, seats: Iterable[int]) -> None:
        """Count the actions of these seats in a hand, if their cards are known."""
        for seat in seats:
            self._hands += 1
            hidden = NOT_KNOWN in game.hand(end, seat) or NOT_KNOWN in game.board(end)
            if hidden or (self._seen == SHOWDOWNS and end.betting.folded_out):
                continue
            self._cards_known += 1
            for state, actor, action in steps:
                if actor == seat:
                    word = game.action_text(action)
                    slot = self._slot(game, state, seat, word)
                    if slot is None:
                        raise BadFile(
                            f"{word!r} at {shortened(game.infoset(state, seat))!r} is not a decision of this game: "
                            "the hands are of another one"
                        )
                    self._counts[slot] += 1

    def result(self, held_out: HeldOutHands | None = None) -> Observations:
        """Everything observed so far."""
        hands = 0 if held_out is None else len(held_out.hands)
        return Observations(self._counts, self._hands, self._cards_known, hands)
