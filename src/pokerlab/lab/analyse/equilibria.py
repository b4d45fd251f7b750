"""All equilibria of a small game, one of a larger one, dominance, and questions about the equilibria."""

from __future__ import annotations

import itertools
from collections.abc import Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Any

import numpy as np

from pokerlab.errors import BadSetting, TooLarge
from pokerlab.events import CancelToken, OnProgress, Watch
from pokerlab.formats.opening import open_game
from pokerlab.games.game import Game
from pokerlab.games.strategic import StrategicGame
from pokerlab.solvers.equilibria.bimatrix import Bimatrix, Equilibrium, whole_table
from pokerlab.solvers.equilibria.correlated import CorrelatedOptimum, best_correlated
from pokerlab.solvers.equilibria.lemke import lemke
from pokerlab.solvers.equilibria.lemke_howson import Path, accessible, lemke_howson
from pokerlab.solvers.equilibria.program import another, most_welfare, worth_at_least
from pokerlab.solvers.equilibria.pure import Dominance, eliminate, pure_equilibria
from pokerlab.solvers.equilibria.supports import enumerate_supports
from pokerlab.solvers.equilibria.vertices import AllEquilibria, all_equilibria
from pokerlab.tree.form import build_as
from pokerlab.tree.normal import NormalForm, as_strategic
from pokerlab.tree.sequence import SequenceForm

METHODS = ("auto", "vertices", "supports", "lemke-howson", "sequence", "pure")
MOST_VERTEX_STRATEGIES = 16  # of both players: automatically enumerated up to here
MOST_EXACT_STRATEGIES = 60  # of both players: Lemke and Howson's paths are followed in integers up to here
MOST_STRATEGIES = 600  # of both players: the most for paths in floats
MOST_MIXED_STRATEGIES = 24  # of a player: dominance by mixtures is tested up to here
MOST_MIXED_CELLS = 4_000
TOLERANCE = 1e-9  # of the largest payoff: two equilibria in floats are the same


@dataclass(frozen=True)
class Answer:
    """The answer to a question: an equilibrium, or none."""

    question: str
    equilibrium: Equilibrium | None
    by: str  # "enumeration", which is exact, or "program", which has HiGHS's tolerance


@dataclass(frozen=True, eq=False)
class NashAnalysis:
    """What is known of the equilibria of a game."""

    game: str
    method: str
    strategies: tuple[tuple[str, ...], ...]  # names, of each player; of the sequence form: "infoset: action"
    equilibria: tuple[Equilibrium, ...]
    complete: bool  # whether all (extreme) equilibria are listed
    pure: tuple[Equilibrium, ...] = ()
    dominance: Dominance | None = None
    everything: AllEquilibria | None = None  # components and maximal Nash subsets, by vertices
    paths: tuple[Path, ...] = ()  # Lemke and Howson's
    answers: tuple[Answer, ...] = ()
    correlated: dict[str, CorrelatedOptimum] = field(default_factory=dict)  # by what is maximised
    rounded: bool = False  # whether payoffs were rounded to 12 digits

    @property
    def players(self) -> int:
        """How many."""
        return len(self.strategies)

    def mix_of(self, equilibrium: Equilibrium, player: int) -> dict[str, Any]:
        """The strategies that a player uses, with their probabilities."""
        pairs = zip(self.strategies[player], equilibrium.mixes[player], strict=True)
        return {name: share for name, share in pairs if share > 0}

    def as_dict(self) -> dict[str, Any]:
        """The numbers, for JSON."""
        left = self.dominance.left if self.dominance else ()
        return {
            "game": self.game,
            "method": self.method,
            "strategies": [list(names) for names in self.strategies],
            "complete": self.complete,
            "equilibria": [self._plain(one) for one in self.equilibria],
            "pure": [self._plain(one) for one in self.pure],
            "components": [list(one) for one in self.everything.components] if self.everything else None,
            "finite": self.everything.is_finite if self.everything else None,
            "eliminated": [
                {
                    "turn": one.turn,
                    "player": one.player,
                    "strategy": self.strategies[one.player][one.strategy],
                    "by": {self.strategies[one.player][i]: float(share) for i, share in one.by.items()},
                    "strict": one.strict,
                }
                for one in (self.dominance.eliminated if self.dominance else ())
            ],
            "left": [[self.strategies[player][i] for i in own] for player, own in enumerate(left)],
            "paths": [{"label": one.label, "pivots": one.pivots} for one in self.paths],
            "answers": [
                {
                    "question": one.question,
                    "by": one.by,
                    "equilibrium": self._plain(one.equilibrium) if one.equilibrium else None,
                }
                for one in self.answers
            ],
            "correlated": {
                name: {str(player): value for player, value in enumerate(best.payoffs)}
                for name, best in self.correlated.items()
            },
            "rounded": self.rounded,
        }

    def _plain(self, one: Equilibrium) -> dict[str, Any]:
        mixes = {str(player): self.mix_of(one, player) for player in range(self.players)}
        shares = {player: {name: float(share) for name, share in mix.items()} for player, mix in mixes.items()}
        exact = {player: {name: str(share) for name, share in mix.items()} for player, mix in mixes.items()}
        is_exact = isinstance(one.payoffs[0], Fraction)
        return {
            "mixes": shares,
            "mixes_exact": exact if is_exact else None,
            "values": [float(value) for value in one.payoffs],
            "values_exact": [str(value) for value in one.payoffs] if is_exact else None,
        }


@dataclass(frozen=True)
class Questions:
    """What is asked about the equilibria; without any, what enumeration answers is answered."""

    welfare: bool = False
    another: bool = False
    at_least: Fraction | None = None
    player: int = 0  # whose payoff `at_least` is about


def exact_number(text: str) -> Fraction:
    """A number or a fraction as written: "0.5", "1/3"; BadSetting for anything else."""
    try:
        if len(text) <= 40 and "e" not in text.lower():
            return Fraction(text)
    except (ValueError, ZeroDivisionError):
        pass
    raise BadSetting(f"a payoff is written 2, 0.5 or 1/3, not {text[:40]!r}")


def analyse_equilibria(
    game: str | Game,
    *,
    method: str = "auto",
    weak: bool = False,
    questions: Questions | None = None,
    correlated: bool = False,
    starts: int = 1,
    on_progress: OnProgress | None = None,
    cancel: CancelToken | None = None,
) -> NashAnalysis:
    """The equilibria of a game, by the method that fits its size; `starts` are covering vectors of Lemke's method."""
    if method not in METHODS:
        raise BadSetting(f"equilibria are found by {', '.join(METHODS)}, not {method[:40]!r}")
    asked = questions or Questions()
    opened = open_game(game)
    watch = Watch("nash", on_progress, cancel)
    watch.at(f"building {opened.name}", 0, None)
    if not 0 <= asked.player < opened.players:
        raise BadSetting(f"{opened.name} has players 0 to {opened.players - 1}, not {asked.player}")
    normal = None if method == "sequence" else _normal_form(opened, method)
    if normal is None:
        return _by_sequences(build_as(opened, SequenceForm), asked, starts=starts, watch=watch)
    names = strategy_names(opened, normal)
    whole = whole_table(normal.payoff_table)
    few = max(whole.counts) <= MOST_MIXED_STRATEGIES and whole.table[0].size <= MOST_MIXED_CELLS
    dominance = eliminate(whole, weak=weak, mixed=few)
    pure = tuple(pure_equilibria(whole))
    common: dict[str, Any] = {"game": opened.name, "strategies": names, "pure": pure, "dominance": dominance}
    common["rounded"] = whole.rounded
    if correlated:
        common["correlated"] = _correlated(normal.payoff_table)
    if opened.players != 2:
        return _of_several(common, method, asked, pure)
    return _of_two(common, Bimatrix(whole), method, asked, watch)


def _normal_form(game: Game, method: str) -> NormalForm | None:
    """The reduced normal form; None where it is too large and the sequence form can do without."""
    try:
        normal = build_as(game, NormalForm)
    except TooLarge:
        if game.players == 2 and method == "auto":
            return None
        raise
    counts = normal.payoff_table.shape[1:]
    limit = MOST_STRATEGIES if isinstance(game, StrategicGame) else MOST_VERTEX_STRATEGIES
    return None if game.players == 2 and sum(counts) > limit and method == "auto" else normal


def strategy_names(game: Game, normal: NormalForm) -> tuple[tuple[str, ...], ...]:
    """The names of the strategies: of a matrix game its actions, else the choices at infosets."""
    return game.action_names if isinstance(game, StrategicGame) else as_strategic(normal).action_names


def _correlated(table: np.ndarray) -> dict[str, CorrelatedOptimum]:
    """The best correlated and coarse correlated equilibria for welfare and for each player."""
    players = len(table)
    goals = {"welfare": np.ones(players)} | {f"player {i}": np.eye(players)[i] for i in range(players)}
    optima = {f"{name}, correlated": best_correlated(table, weights) for name, weights in goals.items()}
    return optima | {f"{name}, coarse": best_correlated(table, weights, coarse=True) for name, weights in goals.items()}


def _of_several(common: dict[str, Any], method: str, asked: Questions, pure: Sequence[Equilibrium]) -> NashAnalysis:
    """Of one, three or more players: pure equilibria, and questions about these."""
    if method not in ("auto", "pure"):
        raise BadSetting(
            f"{method} is for two players, and {common['game']} has {len(common['strategies'])}: --method pure finds "
            "all pure equilibria, --correlated correlated ones, and solve approximates a mixed one"
        )
    answers = _enumerated(pure, asked, what="pure equilibrium") if pure else ()
    return NashAnalysis(method="pure", equilibria=tuple(pure), complete=False, answers=answers, **common)


def _of_two(common: dict[str, Any], game: Bimatrix, method: str, asked: Questions, watch: Watch) -> NashAnalysis:
    count = sum(game.counts)
    if method == "auto":
        method = "vertices" if count <= MOST_VERTEX_STRATEGIES else "lemke-howson"
    if method == "pure":
        return NashAnalysis(method=method, equilibria=common["pure"], complete=False, **common)
    if method == "vertices":
        everything = all_equilibria(game, watch=watch)
        answers = _enumerated(everything.extreme, asked)
        return NashAnalysis(
            method=method,
            equilibria=everything.extreme,
            complete=True,
            everything=everything,
            answers=answers,
            **common,
        )
    if method == "supports":
        found = tuple(enumerate_supports(game, watch=watch))
        return NashAnalysis(
            method=method, equilibria=found, complete=False, answers=_by_program(game, found, asked), **common
        )
    if count > MOST_STRATEGIES:
        raise TooLarge(
            f"Lemke and Howson's tables have up to {MOST_STRATEGIES} strategies, and {common['game']} has "
            f"{count:,}: --method sequence uses the sequence form"
        )
    exact = count <= MOST_EXACT_STRATEGIES
    paths = tuple(lemke_howson(game, exact=exact, watch=watch))
    reached = accessible(game, watch=watch) if count <= MOST_VERTEX_STRATEGIES else [one.equilibrium for one in paths]
    distinct = _distinct(reached)
    return NashAnalysis(
        method=method,
        equilibria=distinct,
        complete=False,
        paths=paths,
        answers=_by_program(game, distinct, asked),
        **common,
    )


def _by_sequences(form: SequenceForm, asked: Questions, *, starts: int, watch: Watch) -> NashAnalysis:
    """Equilibria in behaviour strategies, by Lemke's method from several covering vectors."""
    if asked.welfare or asked.another or asked.at_least is not None:
        raise BadSetting(
            "questions about equilibria are answered in the normal form: --method lemke-howson where it is small "
            f"enough; in the sequence form of {form.name}, --starts 10 finds some"
        )
    tree = form.tree
    bounds = tree.first_infoset.tolist()
    names = tuple(
        tuple(
            f"{tree.infoset_names[i] or '(start)'} {action}"
            for i in range(low, high)
            for action in tree.action_names[i]
        )
        for low, high in itertools.pairwise(bounds)
    )
    found = []
    for start in range(starts):
        watch.at(f"path {start + 1}", start, starts)
        profile = form.behaviour(lemke(form, start=start, watch=watch).plan)
        measure = form.measure(profile)
        mixes = tuple(tuple(profile[form.treeplexes.slots_of(player)].tolist()) for player in (0, 1))
        if measure.nash_conv > 1e-6 * form.max_abs_payoff:
            raise TooLarge(
                f"rounding leaves a gain of {measure.nash_conv:.2g} in {form.name}; solve approximates an equilibrium"
            )
        found.append(Equilibrium(mixes, measure.values))
    return NashAnalysis(form.name, "sequence", names, _distinct(found), complete=False)


def _distinct(found: Sequence[Equilibrium]) -> tuple[Equilibrium, ...]:
    """Those that differ, by more than rounding."""
    distinct: list[Equilibrium] = []
    for one in found:
        shares = np.array([float(share) for mix in one.mixes for share in mix])
        before = ([float(share) for mix in other.mixes for share in mix] for other in distinct)
        if all(np.abs(shares - other).max(initial=0.0) > TOLERANCE for other in before):
            distinct.append(one)
    return tuple(distinct)


def _enumerated(found: Sequence[Equilibrium], asked: Questions, *, what: str = "equilibrium") -> tuple[Answer, ...]:
    """Answers by all (extreme) equilibria: payoffs are largest at extreme ones."""
    answers = []
    if asked.another:
        answers.append(Answer(f"another {what}", found[1] if len(found) > 1 else None, "enumeration"))
    if asked.welfare or len(found) > 1:
        most = max(found, key=lambda one: one.welfare)
        answers.append(Answer(f"the {what} of largest welfare", most, "enumeration"))
    if asked.at_least is not None:
        best = max(found, key=lambda one: one.payoffs[asked.player])
        enough = best if best.payoffs[asked.player] >= asked.at_least else None
        question = f"{what} worth at least {asked.at_least} to player {asked.player}"
        answers.append(Answer(question, enough, "enumeration"))
    return tuple(answers)


def _by_program(game: Bimatrix, found: Sequence[Equilibrium], asked: Questions) -> tuple[Answer, ...]:
    """Answers by mixed-integer programs, to the questions that were asked."""
    answers = []
    if asked.another:
        answers.append(Answer("another equilibrium", another(game, found[0]).equilibrium, "program"))
    if asked.welfare:
        answers.append(Answer("the equilibrium of largest welfare", most_welfare(game).equilibrium, "program"))
    if asked.at_least is not None:
        question = f"equilibrium worth at least {asked.at_least} to player {asked.player}"
        answers.append(Answer(question, worth_at_least(game, asked.player, asked.at_least).equilibrium, "program"))
    return tuple(answers)
