"""Plain twins of the kernels of deals, of the genetic algorithm and of sampled regret matching."""

from pokerlab.cards.combos import CLASS_NAMES, class_of
from pokerlab.cards.strength import HIGH

MASK = 2**64 - 1
STEP = 0x9E3779B97F4A7C15


class Stream:
    """The stream of random words that starts after a counter."""

    def __init__(self, counter):
        self.counter = int(counter)

    def word(self):
        self.counter = (self.counter + STEP) & MASK
        z = self.counter
        z = ((z ^ (z >> 30)) * 0xBF58476D1CE4E5B9) & MASK
        z = ((z ^ (z >> 27)) * 0x94D049BB133111EB) & MASK
        return z ^ (z >> 31)

    def halves(self):
        word = self.word()
        return word >> 32, word & 0xFFFFFFFF


def scaled(half, count):
    return half * count >> 32


def shuffle(order, stream):
    last = len(order) - 1
    while last > 0:
        for half in stream.halves():
            if last > 0:
                chosen = scaled(half, last + 1)
                order[last], order[chosen] = order[chosen], order[last]
                last -= 1


def numbers(stream, count, replacement):
    high, low = stream.halves()
    first = scaled(high, count)
    if replacement:
        return first, scaled(low, count)
    others = [number for number in range(count) if number != first]
    return first, others[scaled(low, count - 1)]


def draw(deck, place, half):
    """Two cards to `place` from one half word: the second from what the first has left of the bits."""
    for offset in (0, 1):
        left = 52 - place - offset
        chosen = place + offset + (half * left >> 32)
        half = half * left & 0xFFFFFFFF
        deck[place + offset], deck[chosen] = deck[chosen], deck[place + offset]


def deal_hands(deck, stream):
    high, low = stream.halves()
    draw(deck, 0, high)
    draw(deck, 2, low)


def deal_board(deck, stream, board_size):
    high, low = stream.halves()
    draw(deck, 4, high)
    if board_size == 3:
        chosen = 6 + scaled(low, 46)
        deck[6], deck[chosen] = deck[chosen], deck[6]
    else:
        draw(deck, 6, low)
        draw(deck, 8, stream.halves()[1])


def showdown(deck, board_size):
    board = deck[4 : 4 + board_size]
    first, second = (HIGH().strength([*hand, *board]) for hand in (deck[0:2], deck[2:4]))
    return 0 if first < second else 1 if first == second else 2


def hand_class(one, two):
    suited = one % 4 == two % 4 and one // 4 != two // 4
    number = class_of(one // 4, two // 4, suited=suited)
    assert 0 <= number < len(CLASS_NAMES)
    return number


def deal(form, stream, deck, needs_board=None):
    """One deal: the two hands and the showdown; the board is dealt only where `needs_board(first, second)` says so."""
    kind = form.deal
    if not hasattr(kind, "board_size"):
        mine, yours = numbers(stream, kind.count, kind.replacement)
        return mine, yours, (0 if mine > yours else 1 if mine == yours else 2)
    deal_hands(deck, stream)
    mine, yours = hand_class(*deck[0:2]), hand_class(*deck[2:4])
    if needs_board is not None and not needs_board(mine, yours):
        return mine, yours, 0
    deal_board(deck, stream, kind.board_size)
    return mine, yours, showdown(deck, kind.board_size)


def play(form, first, second, *, counter, rounds, united):
    """Winnings of each agent in each role, and games played, over one stripe of rounds."""
    agents = len(first)
    order, deck, stream = list(range(agents)), list(range(52)), Stream(counter)
    won = [0.0] * agents, [0.0] * agents
    games = 0
    for _ in range(rounds):
        shuffle(order, stream)
        pairs = zip(order[::2], order[1::2], strict=True) if united else enumerate(order)
        for one, two in pairs:

            def differs(mine, yours, one=one, two=two):
                paid = form.one_decision.payoffs[:, first[one][mine], second[two][yours]]
                return bool(paid.max() > paid.min())

            mine, yours, result = deal(form, stream, deck, differs)
            paid = form.one_decision.payoffs[result, first[one][mine], second[two][yours]]
            won[0][one] += paid
            won[1][two] -= paid
            games += 1
    return won, games


def learn(form, *, counter, rounds):
    """Average strategies of sampled regret matching, straight from equations (24) to (40).

    Where both acts pay the same, what is left of the regret is rounding (1e-16) and counts as none.
    """
    stream, deck = Stream(counter), list(range(52))
    counts = form.chance.shape
    regrets = [[[0.0, 0.0] for _ in range(count)] for count in counts]
    strategies = [[0.5] * count for count in counts]
    sums = [[[0.0, 0.0] for _ in range(count)] for count in counts]
    for _ in range(rounds):
        i, j, result = deal(form, stream, deck)
        pay = form.one_decision.payoffs[result]
        p, q = strategies[0][i], strategies[1][j]
        won = [(1 - q) * pay[act][0] + q * pay[act][1] for act in (0, 1)]
        paid = [-((1 - p) * pay[0][answer] + p * pay[1][answer]) for answer in (0, 1)]
        for role, hand, chance, values in ((0, i, p, won), (1, j, q, paid)):
            mean = (1 - chance) * values[0] + chance * values[1]
            regret = regrets[role][hand]
            for act in (0, 1):
                regret[act] = max(0.0, regret[act] + values[act] - mean)
            strategies[role][hand] = regret[1] / sum(regret) if sum(regret) > 1e-12 else 0.5
        for role, hand in ((0, i), (1, j)):
            sums[role][hand][0] += 1 - strategies[role][hand]
            sums[role][hand][1] += strategies[role][hand]
    return [[pair[1] / sum(pair) if sum(pair) else 0.5 for pair in role] for role in sums]


def breed(parents, weights, children, *, mutation, counter):
    """Children gene by gene, as section 3.1 says."""
    stream = Stream(counter)

    def unit():
        return (stream.word() >> 11) / 2**53

    def parent():
        reached, target = 0.0, unit() * sum(weights)
        for number, weight in enumerate(weights):
            reached += weight
            if target < reached:
                return number
        raise AssertionError

    born = []
    for _ in range(children):
        one = two = parent()
        while two == one:
            two = parent()
        genes = []
        for mine, yours in zip(parents[one], parents[two], strict=True):
            chance = unit()
            if mine == yours:
                genes.append((1 + mine) % 2 if chance < mutation else mine)
            else:
                genes.append(mine if chance < weights[one] / (weights[one] + weights[two]) else yours)
        born.append(genes)
    return born
