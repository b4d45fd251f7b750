"""Compiled matches of draw poker: bucketed strategies, with or without Ee's fallback, and rule-based agents.

`play_draw_match` has the seating, the statistics and the result of `play_match`; only the random numbers differ, so
single hands differ and means agree. Hands are played on the betting tree of the blueprints, or of minimum raises if
there are none. A table that allows every bet is the same game if nobody leaves that tree: rule-based agents make
minimum raises, so the blueprints' menus must be "min" against them.

The fallback of B. Ee, "Approximating optimal strategies for five-card draw poker" (2024), section 4.2: an infoset that
training visited fewer than 1,000 times is played by hand strength (as draw-basic does), and nobody folds when checking
is free. The sum of an infoset's averages approximates its visits. Linear weights discount early visits: an infoset
visited evenly over training sums to half its visits.
"""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Sequence
from dataclasses import replace
from typing import cast

import numpy as np

from pokerlab import parallel
from pokerlab.abstraction.exchange_buckets import exchange_buckets
from pokerlab.agents.agent import Agent
from pokerlab.agents.library.always_call import AlwaysCall
from pokerlab.agents.library.always_raise import AlwaysRaise
from pokerlab.agents.library.blueprint import FELL_BACK, BlueprintAgent
from pokerlab.agents.library.random import Random
from pokerlab.agents.parts.draw_decisions import decisions
from pokerlab.agents.parts.draw_player import DrawPlayer
from pokerlab.errors import BadSetting
from pokerlab.events import SILENT, Watch
from pokerlab.games.poker.engine import PokerGame
from pokerlab.games.poker.menu import menus_from
from pokerlab.games.poker.rules import Rules
from pokerlab.match.categories import categories_of, category_names
from pokerlab.match.run.block import BlockResult
from pokerlab.match.run.match import MatchSettings
from pokerlab.match.run.result import MatchResult, Tally
from pokerlab.solvers.bucketed.draw_hands import DrawContestant, Outcomes, play_draw_hands
from pokerlab.strategy.forms.exchange import ExchangeStrategy
from pokerlab.tree.bucketed.exchange import ExchangeForm, exchange_form
from pokerlab.tree.bucketed.form import BucketedForm

BASIC = "draw-basic"
DEALS = 20_000  # at a time: an even number, so that each block begins with the same seat
LEAST = menus_from("min")
NEARLY_NOTHING = 1e-30  # the weight of an untrained infoset whose strategy is thinned: below any fallback


def strategy_player(form: ExchangeForm, numbers: np.ndarray, *, fallback: float = 0.0) -> DrawContestant:
    """A strategy, played by hand strength where its averages sum to less than `fallback`."""
    return DrawContestant(form, numbers, decisions(BASIC) if fallback else None, fallback)


def play(
    one: DrawContestant | str, other: DrawContestant | str, form: ExchangeForm, *, hands: int, seed: int = 0
) -> Outcomes:
    """Play deals of a form's game, each with `one` in both seats. Rule-based agents are given by name: "draw-basic"."""
    pair = [DrawContestant(form, rule=decisions(who)) if isinstance(who, str) else who for who in (one, other)]
    for who in pair:
        if who.form.game.rules != form.game.rules:
            raise BadSetting(f"{who.form.name} and {form.name} are different games: let them meet in a match")
    return play_draw_hands(*pair, hands=hands, seed=seed)


# ---- matches of agents -----------------------------------------------------------------------------------------------


def play_draw_match(
    settings: MatchSettings, agents: Sequence[Agent], *, workers: int | None = None, watch: Watch = SILENT
) -> MatchResult:
    """Play blueprints and rule-based agents of a draw game for two against each other, compiled."""
    game = settings.game
    if game.players != 2:
        raise BadSetting(f"--compiled plays draw games of two players, and {game.name} has {game.players}")
    form = _form(game, agents)
    one, other = (_contestant(agent, form, game) for agent in agents)
    passes, began = settings.passes, time.perf_counter()
    numbers = range(-(-settings.deals // DEALS))

    def played(number: int) -> BlockResult:
        deals = min(DEALS, settings.deals - number * DEALS)
        seed = int(np.random.SeedSequence(settings.seed, spawn_key=(number,)).generate_state(1, np.uint64)[0] >> 1)
        outcomes = play_draw_hands(one, other, hands=deals, seed=seed, every_seat=settings.duplicate)
        seats = np.arange(deals) % 2  # of the first agent in the first pass
        columns = [(seats + passed) % 2 if settings.duplicate else np.zeros(deals, int) for passed in range(passes)]
        won = np.stack([outcomes.won[np.arange(deals), column] for column in columns])  # [pass, deal]
        remarks = Counter({(agent, FELL_BACK): count for agent, count in enumerate(outcomes.fell) if count})
        categories = None
        if category_names(game):
            by_seat = categories_of(form.buckets.cards.strength[outcomes.held])
            taken = (seats[:, None] + np.arange(2)) % 2  # [deal, agent] the seat in the first pass
            categories = np.stack([np.take_along_axis(by_seat, (taken + passed) % 2, 1) for passed in range(passes)])
        return BlockResult(number, np.stack([won, -won], axis=2), None, Counter(), remarks, categories)

    tally = Tally(game.players, passes)
    with watch.interruptible() as watch:
        for result in parallel.run(played, numbers, workers=workers, cancel=watch.cancel):
            tally.add(result, first=result.number * DEALS)
            watch.at("", tally.hands, settings.deals * passes)
    return tally.result(settings.names, game, seconds=time.perf_counter() - began)


def _form(game: PokerGame, agents: Sequence[Agent]) -> ExchangeForm:
    """The betting tree and the cards of a match; BadSetting if the agents may leave the tree."""
    forms = [_strategy(agent, game).form for agent in agents if isinstance(agent, BlueprintAgent)]
    if forms:
        form = forms[0]
    else:
        rules = game.rules if game.rules.has_menus else _with_menu(game.rules, LEAST)
        own = PokerGame(rules, game.name)
        form = exchange_form(own, exchange_buckets("no-suits", own))
    rules = form.game.rules
    has_least = all(round_.menu == LEAST for round_ in rules.rounds)
    same = rules == game.rules or (rules == _like(game.rules, rules) and (len(forms) == len(agents) or has_least))
    if not same or any(other.game.rules != rules for other in forms):
        names = " and ".join(dict.fromkeys(f'--game "{other.game.name}"' for other in forms))
        raise BadSetting(
            f"--compiled plays blueprints in their own game, {names}: bets at {game.name} may be others than theirs, "
            "and are read by the plain match, without --compiled"
        )
    return form


def _with_menu(rules: Rules, menu: object) -> Rules:
    return replace(rules, rounds=tuple(replace(round_, menu=menu) for round_ in rules.rounds))


def _like(rules: Rules, other: Rules) -> Rules:
    """Rules that allow every bet with the menus of others; rules with menus stay as they are."""
    if rules.has_menus or len(rules.rounds) != len(other.rounds):
        return rules
    menus = tuple(replace(own, menu=theirs.menu) for own, theirs in zip(rules.rounds, other.rounds, strict=True))
    return replace(rules, rounds=menus)


def _strategy(agent: BlueprintAgent, game: PokerGame) -> ExchangeStrategy:
    return cast(ExchangeStrategy, agent.playing(game).strategy)


def _contestant(agent: Agent, form: ExchangeForm, game: PokerGame) -> DrawContestant:
    """An agent as compiled matches play it; BadSetting if they cannot."""
    if isinstance(agent, BlueprintAgent):
        strategy = _strategy(agent, game)
        numbers = thinned_numbers(strategy, purify=agent.purify, threshold=agent.threshold)
        return strategy_player(strategy.form, numbers, fallback=agent.fallback)
    raises = (sum(name.startswith("r") for name in names) for names in form.betting.actions)
    one_size = game.rules == form.game.rules and max(raises) == 1  # whatever size an agent prefers
    by_rule = (
        (isinstance(agent, DrawPlayer) and (one_size or not agent.pot_fraction))
        or isinstance(agent, AlwaysCall)
        or (isinstance(agent, AlwaysRaise) and (one_size or not agent.pot_fraction))
        or (isinstance(agent, Random) and agent.discards == "made" and (one_size or agent.sizes == "least"))
    )
    if not by_rule:
        raise BadSetting(
            f"{agent.name} is not compiled: --compiled plays blueprints and, with minimum raises, draw-basic, "
            "draw-potential, draw-semi-bluff, draw-pot-odds, draw-article, always-call, always-raise(pot_fraction=0) "
            "and random(discards=made, sizes=least)"
        )
    return DrawContestant(form, rule=decisions(agent.label))  # type: ignore[attr-defined]


def thinned_numbers(strategy: ExchangeStrategy, *, purify: bool = False, threshold: float = 0.0) -> np.ndarray:
    """The numbers of a strategy in the layout of its form, thinned as the agent does it.  # [number] float32

    Each infoset has its former sum, so that it falls back where it did.
    """
    numbers = np.asarray(strategy.padded(), np.float32)
    if purify or threshold:
        thin(strategy.form, numbers, purify=purify, threshold=threshold)
    return numbers


def thin(form: BucketedForm, numbers: np.ndarray, *, purify: bool = False, threshold: float = 0.0) -> None:
    """Thin the numbers [number] of a form in place: keep the likeliest action, or those of at least a probability."""
    arrays = form.betting.arrays
    nodes = np.flatnonzero(arrays.actor >= 0)
    for node in nodes[
        np.unique(np.stack([arrays.round, arrays.slot])[:, nodes], axis=1, return_index=True)[1]
    ].tolist():
        stage, first = int(arrays.round[node]), int(arrays.slot[node])  # several nodes may share a slot
        level = numbers[form.base[stage] : form.base[stage + 1]].reshape(form.buckets.counts[stage], -1)
        rows = level[:, first : first + len(form.betting.actions[node])]  # a view
        totals = rows.sum(axis=1, keepdims=True)
        shares = np.where(totals > 0, rows / np.where(totals > 0, totals, 1), 1 / rows.shape[1])
        best = shares.argmax(axis=1)[:, None] == np.arange(rows.shape[1])
        shares = np.where(best if purify else best | (shares >= threshold), shares, 0)
        rows[:] = shares / shares.sum(axis=1, keepdims=True) * np.maximum(totals, NEARLY_NOTHING)
