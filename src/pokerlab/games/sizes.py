"""How large a game is, exactly, without building it.

Poker is counted as betting histories times cards; Goofspiel, liar's dice and pursuit have formulas; any other game is
walked. A game state is a decision of any player with everything that has happened, hidden cards included; an infoset
is a state as the player to act sees it. Canonical infosets are those up to renaming of suits.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass
from math import comb, perm

from pokerlab.errors import TooLarge
from pokerlab.games.describe import describe
from pokerlab.games.game import Game
from pokerlab.games.library._tictactoe import EMPTY
from pokerlab.games.library.goofspiel import Goofspiel
from pokerlab.games.library.latent_tictactoe import LatentTicTacToe
from pokerlab.games.library.liars_dice import LiarsDice
from pokerlab.games.library.princess_and_monster import PrincessAndMonster
from pokerlab.games.poker.betting_count import BettingCount, count_betting
from pokerlab.games.poker.engine import PokerGame
from pokerlab.games.poker.rules import Rules

MOST_CELLS = 9  # of a board of latent tic-tac-toe that is counted
QUICK_CELLS = 6  # and that is counted at once
QUICK_EFFORT = 0.25  # of the work of counting betting: a few seconds


@dataclass(frozen=True)
class RoundSize:
    """One round of a poker game."""

    betting: int  # decisions, cards apart
    states: int
    infosets: int
    canonical_infosets: int | None  # None where suits cannot be renamed


@dataclass(frozen=True)
class Size:
    """A game in exact numbers; None is what is not known."""

    name: str
    how: str  # "counted" or "walked"
    states: int  # decisions of all players
    infosets: int | None  # of all players
    infoset_actions: int | None  # pairs of an infoset and an action there
    terminals: int | None
    nodes: int | None  # all histories: decisions, chance and terminals
    by_player: tuple[tuple[int, int], ...] = ()  # (infosets, sequences) of each player
    canonical_infosets: int | None = None
    rounds: tuple[RoundSize, ...] = ()

    @property
    def linear_program(self) -> int | None:
        """Rows and columns of the sequence-form linear program of two players: sequences, infosets and one."""
        return self.by_player[0][1] + self.by_player[1][0] + 1 if len(self.by_player) == 2 else None


def size_of(game: Game, *, limit: int = 1_000_000, on_progress: Callable[[int], None] | None = None) -> Size:
    """The size of a game, counted where it can be, else by walking at most `limit` nodes."""
    counted = counted_size(game)
    if counted is not None:
        return counted
    found = describe(game, limit=limit, on_progress=on_progress)
    pairs = sum(own.sequences - 1 for own in found.facts) if found.perfect_recall else None
    return Size(
        name=game.name,
        how="walked",
        states=found.decisions,
        infosets=sum(own.infosets for own in found.facts),
        infoset_actions=pairs,
        terminals=found.terminals,
        nodes=found.nodes,
        by_player=tuple((own.infosets, own.sequences) for own in found.facts),
    )


def quick_size(game: Game) -> Size | None:
    """The size of a game that can be counted in a few seconds; None for others."""
    if isinstance(game, LatentTicTacToe) and len(game.empty) > QUICK_CELLS:
        return None
    try:
        return counted_size(game, effort=QUICK_EFFORT)
    except TooLarge:
        return None


def counted_size(game: Game, *, effort: float = 1.0) -> Size | None:
    """The size of a game that can be counted without walking it; None for others. `effort` as in count_betting."""
    if not is_counted(game):
        return None
    if isinstance(game, PokerGame):
        return poker_size(game, effort=effort)
    if isinstance(game, Goofspiel):
        return goofspiel_size(game)
    if isinstance(game, LiarsDice):
        return liars_dice_size(game)
    if isinstance(game, PrincessAndMonster):
        return princess_size(game)
    assert isinstance(game, LatentTicTacToe)
    return latent_size(game)


def is_counted(game: Game) -> bool:
    """Whether there is a way to count a game without walking it."""
    if type(game) is PokerGame:  # not a spot, whose hands are not all alike and whose bets are those of a menu
        return not any(round_.draw for round_ in game.rules.rounds)
    if isinstance(game, LatentTicTacToe):
        return len(game.empty) <= MOST_CELLS
    if isinstance(game, Goofspiel):
        return game.players == 2
    return isinstance(game, (LiarsDice, PrincessAndMonster))


# ------------------------------------------------------------------------------------------------- poker


def poker_size(game: PokerGame, *, effort: float = 1.0) -> Size:
    """Betting histories times what cards there are when they happen."""
    rules, betting = game.rules, count_betting(game, effort=effort)
    deals, views, canonical = _deals(rules), _views(rules), _canonical_views(rules)
    rounds = []
    for round_ in range(len(rules.rounds)):
        nodes = betting.in_round(round_)
        classes = None if canonical is None else nodes * canonical[round_]
        rounds.append(RoundSize(nodes, nodes * deals[round_], nodes * views[round_], classes))
    states = sum(one.states for one in rounds)
    terminals = sum(count * deals[round_] for round_, count in betting.folds.items()) + betting.showdowns * deals[-1]
    chance = sum(count * (deals[before] if before >= 0 else 1) for (before, _), count in betting.deals.items())
    return Size(
        name=game.name,
        how="counted",
        states=states,
        infosets=sum(one.infosets for one in rounds),
        infoset_actions=sum(count * views[round_] for (round_, _), count in betting.actions.items()),
        terminals=terminals,
        nodes=states + terminals + chance,
        by_player=_by_player(rules.players, betting, views),
        canonical_infosets=None if canonical is None else sum(one.canonical_infosets or 0 for one in rounds),
        rounds=tuple(rounds),
    )


def _by_player(players: int, betting: BettingCount, views: list[int]) -> tuple[tuple[int, int], ...]:
    if any(seat is None for _, seat in betting.decisions):
        return ()
    found = []
    for player in range(players):
        infosets = sum(count * views[round_] for (round_, seat), count in betting.decisions.items() if seat == player)
        pairs = sum(count * views[round_] for (round_, seat), count in betting.actions.items() if seat == player)
        found.append((infosets, pairs + 1))
    return tuple(found)


def _deals(rules: Rules) -> list[int]:
    """By round, in how many ways all cards up to it can be dealt."""
    found, ways, left = [], 1, rules.deck.size
    for round_ in rules.rounds:
        for _ in range(rules.players):
            ways *= comb(left, round_.private)
            left -= 0 if rules.replacement else round_.private
        if rules.replacement:
            left -= round_.private
        ways *= comb(left, round_.public)
        left -= round_.public
        found.append(ways)
    return found


def _views(rules: Rules) -> list[int]:
    """By round, how many hands with boards one player can see."""
    found, ways, left = [], 1, rules.deck.size
    for round_ in rules.rounds:
        ways *= comb(left, round_.private) * comb(left - round_.private, round_.public)
        left -= round_.private + round_.public
        found.append(ways)
    return found


def _canonical_views(rules: Rules) -> list[int] | None:
    """The same up to renaming of suits; None where the deck has one suit or is too large to index."""
    ranks, suits = len(rules.deck.ranks), len(rules.deck.suits)
    groups: list[int] = []
    last_group = []  # by round, the number of groups of cards dealt
    for round_ in rules.rounds:
        groups += [cards for cards in (round_.private, round_.public) if cards]
        last_group.append(len(groups))
    if suits == 1 or ranks * suits > 52 or not all(last_group):
        return None
    from pokerlab.cards.canonical import HandIndexer

    try:
        indexer = HandIndexer(tuple(groups), ranks, suits)
        return [indexer.size(count - 1) for count in last_group]
    except TooLarge:
        return None


# ------------------------------------------------------------------------------------------------- others


def goofspiel_size(game: Goofspiel) -> Size:
    """Two players: hands of distinct cards in order, a turn at a time. Infosets only where bids are seen."""
    cards, last = game.cards, game.cards if game.play_last else game.cards - 1
    played = [perm(cards, turn) for turn in range(cards + 1)]
    # in how many orders the prizes that are on the table may have come
    shown = [perm(cards, turn) if game.points == "random" else 1 for turn in range(cards + 1)]
    whole = [played[turn] ** 2 for turn in range(cards + 1)]
    states = sum(shown[t + 1] * (whole[t] + played[t] * played[t + 1]) for t in range(last))
    terminals = shown[cards] * whole[last]
    chance = sum(shown[turn] * whole[turn] for turn in range(cards - 1)) if game.points == "random" else 0
    infosets = None if game.hidden else 2 * sum(shown[t + 1] * whole[t] for t in range(last))
    pairs = None if game.hidden else 2 * sum(shown[t + 1] * whole[t] * (cards - t) for t in range(last))
    return Size(
        name=game.name,
        how="counted",
        states=states,
        infosets=infosets,
        infoset_actions=pairs,
        terminals=terminals,
        nodes=states + terminals + chance,
        by_player=() if infosets is None or pairs is None else ((infosets // 2, pairs // 2 + 1),) * 2,
    )


def liars_dice_size(game: LiarsDice) -> Size:
    """A history is a set of bids, in rising order, over every roll."""
    bids = game.dice * game.players * game.sides
    rolls = comb(game.sides + game.dice - 1, game.dice)
    together = rolls**game.players
    facts = []
    for player in range(game.players):
        turns = range(player, bids + 1, game.players)  # how many bids have been made when it acts
        infosets = rolls * sum(comb(bids, made) for made in turns)
        # a higher bid makes a history of one bid more, each in one way; after any bid there is calling too
        pairs = rolls * sum(comb(bids, made + 1) + (comb(bids, made) if made else 0) for made in turns)
        facts.append((infosets, pairs + 1))
    states, terminals = together * 2**bids, together * (2**bids - 1)
    chance = sum(rolls**rolled for rolled in range(game.players))
    return Size(
        name=game.name,
        how="counted",
        states=states,
        infosets=sum(infosets for infosets, _ in facts),
        infoset_actions=sum(sequences - 1 for _, sequences in facts),
        terminals=terminals,
        nodes=states + terminals + chance,
        by_player=tuple(facts),
    )


def princess_size(game: PrincessAndMonster) -> Size:
    """Walks of two on a grid until they meet; infosets are walks of one."""
    positions: Counter[tuple[str, str]] = Counter(
        {(a, b): 1 for a in game.neighbours for b in game.neighbours if a != b}
    )
    states = terminals = 0
    for step in range(game.steps):
        states += sum(positions.values())
        after: Counter[tuple[str, str]] = Counter()
        for (princess, monster), ways in positions.items():
            for cell in game.neighbours[princess if step % 2 == 0 else monster]:
                pair = (cell, monster) if step % 2 == 0 else (princess, cell)
                if pair[0] == pair[1]:
                    terminals += ways
                else:
                    after[pair] += ways
        positions = after
    terminals += sum(positions.values())
    facts = tuple(_walks(game, (game.steps + 1 - player) // 2) for player in range(2))
    return Size(
        name=game.name,
        how="counted",
        states=states,
        infosets=sum(infosets for infosets, _ in facts),
        infoset_actions=sum(sequences - 1 for _, sequences in facts),
        terminals=terminals,
        nodes=1 + states + terminals,
        by_player=facts,
    )


def _walks(game: PrincessAndMonster, moves: int) -> tuple[int, int]:
    """Infosets and sequences of a player who makes so many moves: walks, and walks of one step more."""
    ends = Counter(dict.fromkeys(game.neighbours, 1))
    infosets = pairs = 0
    for _ in range(moves):
        infosets += sum(ends.values())
        after: Counter[str] = Counter()
        for cell, ways in ends.items():
            for neighbour in game.neighbours[cell]:
                after[neighbour] += ways
        ends = after
        pairs += sum(ends.values())
    return infosets, pairs + 1


def latent_size(game: LatentTicTacToe) -> Size:
    """Histories forward, those with the same board and the same known and pending moves together.

    The player to act knows all moves but the last, so its infosets are the histories one move shorter.
    """
    board = game
    states = terminals = 0
    infosets, pairs = [1, 0], [len(board.empty), 0]  # of each player, with the first move
    layer: dict[tuple[str, frozenset[int], int], int] = {(board.empty, frozenset(), -1): 1}  # board, known, last move
    mover = 0
    while layer:
        after: Counter[tuple[str, frozenset[int], int]] = Counter()
        for (marks, known, last), ways in layer.items():
            states += ways
            seen = known | {last} if last >= 0 else known
            goes_on = False
            for cell in range(len(board.empty)):
                if cell in known:
                    continue
                marked = board.marked(marks, cell, mover)
                if EMPTY not in marked or board.winner(marked) is not None:
                    terminals += ways
                else:
                    goes_on = True
                    after[marked, seen, cell] += ways
            if goes_on:
                infosets[1 - mover] += ways
                pairs[1 - mover] += ways * (len(board.empty) - len(seen))
        layer, mover = dict(after), 1 - mover
    return Size(
        name=game.name,
        how="counted",
        states=states,
        infosets=sum(infosets),
        infoset_actions=sum(pairs),
        terminals=terminals,
        nodes=states + terminals,
        by_player=((infosets[0], pairs[0] + 1), (infosets[1], pairs[1] + 1)),
    )
