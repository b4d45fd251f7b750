"""Plain twins of the players of five-card draw: from the cards and the history of a view, rule by rule of Ee's
appendix C, with the decisions that agents/parts/draw_decisions.py states."""

from __future__ import annotations

from pokerlab.cards.strength import HIGH
from pokerlab.cards.strength import strength as class_of
from pokerlab.games.poker.action import Action
from pokerlab.games.poker.state import View

Chances = dict[str, float]  # of "f", "c" and "r"


def own_kinds(view: View) -> list[list[str]]:
    """What the seat has done in the betting of each round, replayed in the rule engine."""
    rules = view.game.betting
    betting, done = rules.start(), [[], []]
    history = view.history.replace("/", "")
    while history:
        kind = history[0]
        digits = history[1:][: len(history[1:]) - len(history[1:].lstrip("0123456789"))]
        history = history[1 + len(digits) :]
        if betting.actor == view.seat and kind != "d":
            done[betting.round].append(kind)
        if kind == "d":
            betting = rules._exchange(betting, int(digits))
        else:
            betting = rules.act(betting, Action(kind, int(digits or 0)))
    assert betting.history == view.history
    return done


def allowed(view: View, wish: str) -> Chances:
    """A wish as what is allowed: nobody folds for free, and who may not raise calls."""
    if wish == "f" and view.to_call == 0:
        wish = "c"
    if wish == "r" and not view.legal.can_raise:
        wish = "c"
    return {wish: 1.0}


def threshold_player(view: View, *, strength: float, potential: float, effective_dealt: float, rules: str) -> Chances:
    """Basic and what is added to it: rules is "", "p", "ps" or "pso" for potential, semi-bluffs, pot odds."""
    first, bets, cost = view.round == 0, view.betting.raises, view.to_call
    value = strength + (1 - strength) * potential if first and "p" in rules else strength
    if value >= 0.85:
        return allowed(view, "r" if bets < 2 else "c")
    if value >= 0.5:
        return allowed(view, "c")
    if "s" in rules and view.legal.can_raise:
        bet_size = view.legal.least - view.game.betting.antes[view.seat] - view.betting.level
        odds = (2 * bet_size) / ((view.pot + 4 * bet_size) + 2 * bet_size)
        if first and bets == 0 and potential >= odds:
            return {"r": 1.0}
        if not first and "r" in own_kinds(view)[0] and effective_dealt < 0.5 and bets < 2:
            return {"r": 1.0}
    if "o" in rules and cost > 0 and (potential if first else strength) >= cost / (view.pot + cost):
        return allowed(view, "c")
    return allowed(view, "f")


# ---- the article ---------------------------------------------------------------------------------------------------

HIGH_FROM, MEDIUM_FROM = "Q", "8"
ORDER = "23456789TJQKA"


def category(cards: tuple[int, ...]) -> str:
    return HIGH().category(class_of(cards))


def groups(cards: tuple[int, ...]) -> list[int]:
    """Ranks by how often they come, then by height."""
    ranks = [card // 4 for card in cards]
    return sorted(ranks, key=lambda rank: (ranks.count(rank), rank), reverse=True)


def at_least(rank: int, name: str) -> bool:
    return rank >= ORDER.index(name)


def four_of_a_suit(cards: tuple[int, ...]) -> set[int]:
    for suit in range(4):
        same = {card for card in cards if card % 4 == suit}
        if len(same) == 4:
            return same
    return set()


def open_ended(cards: tuple[int, ...]) -> list[set[int]]:
    """Every four cards in a row that are open at both ends."""
    found = []
    for left_out in cards:
        rest = sorted(card // 4 for card in cards if card != left_out)
        if rest == list(range(rest[0], rest[0] + 4)) and rest[3] != ORDER.index("A"):
            found.append(set(cards) - {left_out})
    return found


def royal_cards(cards: tuple[int, ...]) -> set[int]:
    for suit in range(4):
        same = {card for card in cards if card % 4 == suit and at_least(card // 4, "T")}
        if len(same) >= 3:
            return same
    return set()


def pair_plan(cards: tuple[int, ...]) -> tuple[str, int]:
    """Rule 5: the plan for a pair, and how many cards it draws."""
    pair = groups(cards)[0]
    others = [card // 4 for card in cards if card // 4 != pair]
    higher = [rank for rank in others if rank > pair]
    ace = ORDER.index("A") in others
    name = ORDER[pair]
    if name in "QKA":
        return "raise", 3
    if name == "J" or (name == "T" and higher) or (name == "9" and (len(higher) >= 2 or ace)):
        return "call", 3
    if name == "8" and len(higher) == 3:
        return "call", 3
    if name == "8" and ace:
        return "call", 3 if len(higher) >= 2 else 2
    if name in "234567" and ace:
        return "call", 2
    return "fold", 3


def dealt_plan(cards: tuple[int, ...]) -> tuple[str, set[int] | None]:
    """What a dealt hand is played as, and the cards that it keeps; None where several ways are possible."""
    kind, ranks = category(cards), groups(cards)
    if kind in ("straight", "flush", "full house", "straight flush"):
        return "pat", set(cards)
    if kind == "four of a kind":
        return "four", {card for card in cards if card // 4 == ranks[0]}
    if kind == "three of a kind":
        if at_least(ranks[0], MEDIUM_FROM):
            return "three", None
        return "low three", set(sorted(cards, key=lambda card: (ranks.count(card // 4), card), reverse=True)[:4])
    if kind == "two pair":
        return "two pair", {card for card in cards if ranks.count(card // 4) == 2}
    pair = ranks[0] if kind == "pair" else -1
    flush, straights, royal = four_of_a_suit(cards), open_ended(cards), royal_cards(cards)
    if flush and flush in straights:
        return "straight flush draw", flush
    if flush and pair <= ORDER.index("T"):
        return "flush draw", flush
    if straights and pair <= ORDER.index("9"):
        return "straight draw", straights[0]
    if kind == "pair":
        plan, drawn = pair_plan(cards)
        if plan == "fold" and royal:
            return "royal draw", royal
        kept = {card for card in cards if card // 4 == pair}
        if drawn == 2:
            kept |= {card for card in cards if card // 4 == ORDER.index("A")}
        return f"pair, {plan}", kept
    if royal:
        return "royal draw", royal
    return "nothing", {max(cards)}


def article_bets(view: View) -> Chances:
    """Rules 1 and 4 to 11, as far as they are about betting."""
    played, _ = dealt_plan(view.dealt)
    bets, mine = view.betting.raises, own_kinds(view)[view.round]
    can_raise = view.legal.can_raise

    def bet_or_call() -> Chances:
        return allowed(view, "r" if bets == 0 else "c")

    def mixed(part: float) -> Chances:
        return {"r": part, "c": 1 - part} if can_raise else {"c": 1.0}

    if view.round == 0:
        if played in ("nothing", "pair, fold"):
            return allowed(view, "f")
        if played in ("pair, raise", "straight flush draw", "pat"):
            return allowed(view, "r")
        if played == "four":
            return bet_or_call()
        if played == "three":
            return mixed(1 / 6) if not mine else allowed(view, "r" if "r" in mine else "c")
        return allowed(view, "c")
    kind, ranks = category(view.cards), groups(view.cards)
    drawn = sum(len(draw.discarded) for draw in view.draws)
    if kind == "four of a kind":
        return bet_or_call() if played == "four" else allowed(view, "r")
    if kind in ("straight", "flush", "full house", "straight flush"):
        return allowed(view, "r")
    if kind == "three of a kind":
        if played != "three" or drawn == 2:
            return bet_or_call()
        if drawn == 0 or bets == 0:
            return allowed(view, "r")
        return mixed(1 / 2)
    if kind == "two pair":
        return bet_or_call() if at_least(ranks[0], HIGH_FROM) else allowed(view, "r")
    if played.endswith("draw"):
        return bet_or_call()
    return allowed(view, "c" if kind == "pair" and at_least(ranks[0], MEDIUM_FROM) else "f")


def article_kept(view: View) -> list[tuple[list[set[int]], float]]:
    """The sets of cards that may be kept, each as likely as told; cards that mean the same are one of several sets."""
    played, kept = dealt_plan(view.dealt)
    cards = view.dealt
    if played == "straight draw":
        return [(open_ended(cards), 1.0)]
    if kept is not None:
        return [([kept], 1.0)]
    three = {card for card in cards if groups(cards).count(card // 4) == 3}
    kicker = max(set(cards) - three)
    one = ([three | {kicker}], 1.0 if "r" in own_kinds(view)[0] else 0.2)
    others = [([three], 0.4), ([set(cards)], 0.4)]
    return [one] if one[1] == 1.0 else [one, *others]
