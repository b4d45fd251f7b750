"""The public form: a betting tree times the boards, with one number for each private hand at every node.

Betting does not depend on the cards, so each round is a product: its boards (boards.py) times its betting
(treeplex.py). At a terminal node, the value of a player's hand is a number that depends only on the opponent's
sequence, times an amount: the weight of compatible opposing hands ("compatible"), or the weight of those it beats minus
that of those that beat it ("ahead"). A *lane* is one such opposing sequence; all lanes of a board are evaluated
together, side by side in vectors. Nothing here is specific to hold'em.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cache, cached_property
from typing import TYPE_CHECKING

import numpy as np

from pokerlab.cards.card import FULL_DECK, Deck
from pokerlab.errors import BadSetting, TooLarge
from pokerlab.games.game import ROUNDING
from pokerlab.games.poker.betting_tree import FoldPayoffs, Node, Showdown, walk
from pokerlab.registry import load
from pokerlab.tree.form import Form, FormSize
from pokerlab.tree.measure import BestResponse, Measure
from pokerlab.tree.public import boards as dealing
from pokerlab.tree.public.boards import BLOCK, Cards, HandImages, Hands, Strength
from pokerlab.tree.public.profiles import block_sums, joined, merge_isomorphic, parts, portions, shares
from pokerlab.tree.public.treeplex import NodePosition, Treeplex, compile_betting
from pokerlab.tree.resources import Resources
from pokerlab.tree.treeplex import Treeplexes

if TYPE_CHECKING:
    from pokerlab.tree.public.assessor import Assessor
    from pokerlab.tree.public.plans import PublicPlans
    from pokerlab.tree.smoothing import SmoothedBestResponse

__all__ = ["BLOCK", "Outline", "PublicRound", "PublicTree", "build", "compatible_weight", "slots_of"]

BYTES_A_SLOT = 8  # regret and average in float32
BYTES_A_HAND = 24  # of each player on a board


@dataclass(frozen=True)
class PublicRound:
    """One round: the betting of both players and the boards, with the children of a board adjacent."""

    treeplexes: tuple[Treeplex, Treeplex]
    hands: tuple[Hands, Hands]
    boards: tuple[tuple[int, ...], ...]  # public cards so far, the first board's included
    parent: np.ndarray  # [board] int32
    children: np.ndarray  # [board + 1] int32: where the boards that follow begin in the next round
    image_start: np.ndarray  # [board + 1] int32
    images: tuple[np.ndarray, ...]  # each a permutation of the cards that maps the board onto its image
    group_start: np.ndarray  # [board + 1] int32: where a board's groups begin; used only in the last round
    chance: float  # probability of each board, counting images, given two hands and the board before


@dataclass(frozen=True)
class Outline:
    """A game of public cards before its boards are built.

    `hands` are sets of one or two cards, `deals` the number of public cards dealt in each later round; `symmetries`
    are a group of permutations of the deck, of which those that preserve the board and both ranges are used.
    """

    name: str
    betting: Node
    hands: Sequence[tuple[int, ...]]
    weights: tuple[np.ndarray, np.ndarray]  # [hand] of each player
    deck: Deck
    strength: Strength
    board: tuple[int, ...] = ()
    deals: tuple[int, ...] = ()
    symmetries: Sequence[np.ndarray] = ()
    pot: float = 0.0  # at the start
    only: tuple[int, ...] | None = None  # the only first deal that is built; None: all of them


@dataclass(frozen=True)
class PublicTree(Form):
    """A two-player game of one or two private cards as flat arrays."""

    name: str
    deck: Deck
    pot: float  # at the start: targets in percent refer to it
    betting: Node
    places: dict[Node, NodePosition]
    rounds: tuple[PublicRound, ...]
    hands: Sequence[tuple[int, ...]]
    hand_cards: np.ndarray  # [hand, 2] int16: the same; single cards are paired with one that no other hand holds
    weights: tuple[np.ndarray, np.ndarray]  # [hand] float64 of each player, zero where the first board meets the hand
    pairs: float  # total weight of compatible pairs of hands
    tokens: int  # cards are 0 .. tokens - 1
    resources: Resources = field(default_factory=Resources)

    kind = "public"
    players = 2

    @property
    def file_slots(self) -> int:
        return self.slots

    @cached_property
    def _payoffs(self) -> np.ndarray:
        """The payoffs at terminal nodes.  # [outcome, player]"""
        payoffs: list[tuple[float, float]] = []
        for node in walk(self.betting):
            if isinstance(node, FoldPayoffs):
                payoffs.append(node.returns)
            elif isinstance(node, Showdown):
                payoffs += [(node.win[0], node.lose[1]), (node.lose[0], node.win[1])]
        return np.array(payoffs)

    @property
    def max_abs_payoff(self) -> float:
        return float(np.abs(self._payoffs).max())

    @property
    def is_zero_sum(self) -> bool:
        """True unless the house takes rake."""
        return bool((np.abs(self._payoffs.sum(axis=1)) <= ROUNDING * self.max_abs_payoff).all())

    @property
    def size(self) -> FormSize:
        nodes = sum(len(self.rounds[self.places[node].round].boards) for node in walk(self.betting))
        rows = sum(len(level.boards) * hands.rows for level in self.rounds for hands in level.hands)
        return FormSize(nodes, self.infosets, BYTES_A_SLOT * self.slots + BYTES_A_HAND * rows)

    def small(self) -> PublicTree:
        """A tiny game: one round if this one has one, else two, whose kernels serve any number of rounds."""
        return _small("leduc" if len(self.rounds) > 1 else "kuhn")

    # ---- operations --------------------------------------------------------------------------------------------------

    def on(self, resources: Resources) -> PublicTree:
        return self if resources == self.resources else replace(self, resources=resources)

    @cached_property
    def assessor(self) -> Assessor:
        """The evaluator of profiles, hand by hand."""
        from pokerlab.tree.public.assessor import Assessor

        return Assessor(self, threads=self.resources.threads)

    @cached_property
    def _plans(self) -> PublicPlans:
        from pokerlab.tree.public.plans import PublicPlans

        return PublicPlans(self)

    @property
    def treeplexes(self) -> Treeplexes:
        """Hands on boards as infosets; suit-isomorphic ones share one."""
        return self._plans.treeplexes

    def payoffs(self, player: int, plan: np.ndarray, out: np.ndarray) -> None:
        self._plans.payoffs(player, plan, out)

    def by_sequence(self, numbers: np.ndarray) -> np.ndarray:
        """Without padding, and hands that share an infoset once.  # [A] -> [S - 2]"""
        return self._plans.by_sequence(numbers)

    def in_treeplexes(self, profile: np.ndarray) -> np.ndarray:
        return self.treeplexes.normalize(self.by_sequence(profile))

    def behaviour(self, plan: np.ndarray) -> np.ndarray:
        return self._plans.profile(plan)

    @property
    def nodes_per_pass(self) -> int:
        return round(self.size.nodes)

    def uniform(self) -> np.ndarray:
        return self.normalize(np.zeros(self.slots, np.float32))

    def slots_of(self, player: int) -> slice:
        first = sum(slots_of(level, 0) for level in self.rounds)
        return slice(0, first) if player == 0 else slice(first, self.slots)

    def infoset_sums(self, numbers: np.ndarray) -> np.ndarray:
        sums = np.zeros_like(numbers)
        for part, plex in portions(self):
            sums[part] = np.repeat(block_sums(plex, numbers[part]), plex.node_actions, axis=1).reshape(-1)
        return sums

    def normalize(self, weights: np.ndarray) -> np.ndarray:
        return shares(self, weights)

    def check(self, profile: np.ndarray) -> np.ndarray:
        """The profile with probabilities that sum to one; BadSetting if it does not fit this tree."""
        if profile.shape != (self.slots,) or not (profile >= 0).all():
            raise BadSetting(f"a profile of {self.name} has {self.slots:,} numbers of 0 or more")
        return self.normalize(profile)

    def occupied(self, player: int) -> np.ndarray:
        held = []
        for level in self.rounds:
            hands, slots = level.hands[player], level.treeplexes[player].slots
            rows = (np.arange(hands.rows) < hands.count[:, None]).reshape(-1, 1, BLOCK)
            held.append(np.repeat(rows, slots, axis=1).reshape(-1))
        return np.concatenate(held)

    def pool(self, counts: np.ndarray) -> np.ndarray:
        return merge_isomorphic(self, counts, summed=True)

    def count_infosets(self, counts: np.ndarray) -> tuple[int, int]:
        positive = sum(int((block_sums(plex, counts[part]) > 0).sum()) for part, plex in portions(self))
        return positive, self.infosets

    def measure(self, profile: np.ndarray) -> Measure:
        return self.assessor.measure(parts(self, profile))

    def best_response(self, profile: np.ndarray, player: int) -> BestResponse:
        """One walk; picks one of several actions of equal value, the same one for equivalent hands."""
        choice = np.zeros(self.slots, np.float32)
        sums, own = parts(self, profile), self.slots_of(self.check_player(player))
        _, best = self.assessor.hands(sums, player, [pair[player] for pair in parts(self, choice)])
        played = np.array(profile, np.float32)
        played[own] = merge_isomorphic(self, choice)[own]
        return BestResponse(self.assessor.mean(best), played)

    def regrets(self, profile: np.ndarray) -> np.ndarray:
        """The regret of an infoset for each hand that shares it; 0 in padding.  # [A] float32"""
        return self._plans.spread(np.concatenate([np.zeros(2), super().regrets(profile)]), empty=0.0)

    def smoothed(self, prox: str) -> SmoothedBestResponse:
        from pokerlab.tree.public.smoothing import PublicSmoothing

        return PublicSmoothing(self, prox)

    def packed_name(self, number: int, player: int) -> str:
        """The name of a player's array for a round in files."""
        return f"average_{number}_{player}"

    def pack(self, profile: np.ndarray) -> dict[str, np.ndarray]:
        return {
            self.packed_name(number, player): np.asarray(part, np.float32)
            for number, pair in enumerate(parts(self, profile))
            for player, part in enumerate(pair)
        }

    def unpack(self, arrays: Mapping[str, np.ndarray]) -> np.ndarray:
        numbers = range(len(self.rounds))
        return joined([[arrays[self.packed_name(number, player)] for player in (0, 1)] for number in numbers])

    # ---- cards -------------------------------------------------------------------------------------------------------

    @property
    def has_starting_hands(self) -> bool:
        """Whether hands are two cards of the full deck, which are shown in 169 classes."""
        return self.deck == FULL_DECK and len(self.hands[0]) == 2

    def hand_text(self, hand: int) -> str:
        """A hand as text, its higher card first."""
        return self.deck.text(sorted(self.hands[hand], reverse=True))

    @cached_property
    def hand_names(self) -> tuple[str, ...]:
        """The text of every hand."""
        return tuple(map(self.hand_text, range(len(self.hands))))

    @property
    def infosets(self) -> int:
        """Infosets of both players, symmetric ones counted once."""
        return sum(
            treeplex.nodes * int(hands.count.sum())
            for level in self.rounds
            for treeplex, hands in zip(level.treeplexes, level.hands, strict=True)
        )

    @property
    def slots(self) -> int:
        """The number of stored entries of one kind, including padding: one for each action of each infoset."""
        return sum(slots_of(level, player) for level in self.rounds for player in (0, 1))

    def stored(self, number: int, player: int) -> int:
        """The number of stored entries of one kind for a player in a round, including padding."""
        return slots_of(self.rounds[number], player)

    @cached_property
    def hand_numbers(self) -> dict[frozenset[int], int]:
        """The number of each hand by its cards."""
        return {frozenset(hand): number for number, hand in enumerate(self.hands)}

    @cached_property
    def _images(self) -> HandImages:
        return HandImages(self.hands, self.deck.size)

    def image(self, permutation: np.ndarray) -> np.ndarray:
        """[hand] The hand that a permutation of the cards maps each hand to."""
        return self._images.under(permutation)

    def probabilities(self, player: int) -> np.ndarray:
        """[hand] The probability of each hand of a player, taking opposing hands into account."""
        other = compatible_weight(self.hand_cards, self.weights[1 - player], self.tokens)
        return np.asarray(self.weights[player] * other / self.pairs)

    def with_betting(self, betting: Node) -> PublicTree:
        """The same cards with other betting over as many rounds."""
        plexes, places = compile_betting(betting, len(self.rounds))
        rounds = tuple(replace(level, treeplexes=plex) for level, plex in zip(self.rounds, plexes, strict=True))
        return replace(self, betting=betting, places=places, rounds=rounds)


@cache
def _small(name: str) -> PublicTree:
    from pokerlab.tree.public.poker import public_tree

    return public_tree(load("games", name))


def slots_of(level: PublicRound, player: int) -> int:
    """The number of entries of one kind for a player in a round: boards times rows times slots."""
    return len(level.boards) * level.hands[player].rows * level.treeplexes[player].slots


def compatible_weight(hand_cards: np.ndarray, weights: np.ndarray, tokens: int) -> np.ndarray:
    """[hand] The weight of the hands that share no card with each hand."""
    of_card = np.bincount(hand_cards.reshape(-1), np.repeat(weights, 2), minlength=tokens)
    return np.asarray(weights.sum() - of_card[hand_cards].sum(axis=1) + weights)


def build(outline: Outline) -> PublicTree:
    """The public tree of a betting tree over cards."""
    hand_cards, tokens = two_cards(outline.hands, outline.deck.size)
    live = live_weights(outline, hand_cards)
    pairs = float(live[0] @ compatible_weight(hand_cards, live[1], tokens))
    if pairs <= 1e-12 * live[0].sum() * live[1].sum():
        raise BadSetting("no two hands of these ranges can be dealt together on this board: every pair shares a card")
    plexes, places = compile_betting(outline.betting, len(outline.deals) + 1)
    cards = Cards(outline.hands, live, outline.deck.size, outline.board, outline.deals)
    rounds = _rounds(outline, plexes, cards, hand_cards)
    return PublicTree(
        name=outline.name,
        deck=outline.deck,
        pot=outline.pot,
        betting=outline.betting,
        places=places,
        rounds=rounds,
        hands=outline.hands,
        hand_cards=hand_cards,
        weights=live,
        pairs=pairs,
        tokens=tokens,
    )


def live_weights(outline: Outline, hand_cards: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """[hand] The weights of each player, zero for hands that conflict with the board."""
    meets = np.isin(hand_cards, outline.board).any(axis=1)
    return np.where(meets, 0.0, outline.weights[0]), np.where(meets, 0.0, outline.weights[1])


def two_cards(hands: Sequence[tuple[int, ...]], deck_size: int) -> tuple[np.ndarray, int]:
    """Hands of two cards each; a hand of one card gets a second that no other hand holds."""
    cards = [hand if len(hand) == 2 else (hand[0], deck_size + i) for i, hand in enumerate(hands)]
    if max(map(max, cards), default=0) > np.iinfo(np.int16).max:
        raise TooLarge(f"a deck of {deck_size:,} cards is too large for the public form: choose one of fewer")
    array = np.array(cards, np.int16).reshape(-1, 2)
    return array, max(deck_size, int(array.max()) + 1)


def _rounds(
    outline: Outline, plexes: list[tuple[Treeplex, Treeplex]], cards: Cards, hand_cards: np.ndarray
) -> tuple[PublicRound, ...]:
    chances = cards.chances
    rounds = dealing.enumerate_boards(cards, dealing.preserved_symmetries(outline.symmetries, cards), outline.only)
    placing = dealing.HandPlacing(cards, hand_cards)
    result = []
    for number, boards in enumerate(rounds):
        last = number == len(rounds) - 1
        placed, group_start = placing.place(boards, outline.strength if last else None)
        following = [] if last else [board.parent for board in rounds[number + 1]]
        result.append(
            PublicRound(
                treeplexes=plexes[number],
                hands=placed,
                boards=tuple(board.cards for board in boards),
                parent=np.array([board.parent for board in boards], np.int32),
                children=np.searchsorted(following, np.arange(len(boards) + 1)).astype(np.int32),
                image_start=np.cumsum([0] + [len(board.images) for board in boards], dtype=np.int32),
                images=tuple(image for board in boards for image in board.images),
                group_start=group_start,
                chance=chances[number],
            )
        )
    return tuple(result)
