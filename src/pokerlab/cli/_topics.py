"""Help on concepts, for `pokerlab help TOPIC`: what several commands take, explained once."""

from __future__ import annotations

import shutil
import textwrap

TOPICS = {
    "cards": """\
Cards, hands and boards
A card is a rank and a suit: As, Td, 2c. Ranks are 23456789TJQKA, suits c d h s.
A hand is two cards, AhKh; a class is AA, AKs (suited) or AKo (offsuit).
A board is its cards in any spacing: "Td7s2c" or "Td 7s 2c". Three cards are a
flop, four a turn, five a river.
Infosets of small games are written cards:betting, as in K:r or Kb/Qa:rrc/,
with f fold, c check or call, r bet or raise, r250 raise to a total of 250.

    pokerlab equity AhKh 8c8d --board Td7s2c
    pokerlab range "AKs,QQ+" --board Td7s2c""",
    "ranges": """\
Ranges
Entries separated by commas or spaces; a later entry overrides an earlier one.
    AA  AKs  AKo  AK       a class; AK is both AKs and AKo
    AhKh                   one hand
    QQ+  A2s+  97s+        QQ to AA; A2s to AKs; 97s, 98s: the lower card rises
    T9s+                   adjacent ranks: both rise, to T9s, JTs, QJs, KQs, AKs
    66-99  A2s-A5s         everything in between
    Ax  Kxs  Qxo           a rank with any other rank
    top 20%                the best hands by equity against a random hand
    random                 every hand
    AKs:0.5  AKs:50%       with a weight
PioSOLVER, GTO+, Flopzilla and Equilab notation is read too.

    pokerlab range "22+,A2s+,KTs+,KQo:0.5"
    pokerlab range "top 20%" --as pio""",
    "sizes": """\
Bet sizes and menus
    75%                    of the pot; a raise: of the pot after the call
    2.5x                   raises: this multiple of the bet faced
    40                     chips; a raise: the total on this street
    e, 2e                  the same fraction of the pot on every street left
                           (on two streets), all-in on the last
    allin                  everything
A menu is sizes with commas: "50%,100%,allin"; in `spot` also by street:
--bet "flop 33%; turn 75%,allin"; elsewhere by round: --menu "allin / 50%".

    pokerlab spot --board Ks7h2d5c9s --bet 50%,allin --forecast""",
    "games": """\
Games
A name (leduc), a name with settings ("leduc(ranks=4, suits=4)"), or a file:
.toml and .game (poker rules), .efg and .nfg (Gambit), .csv and .json (payoff
tables), .py (your own class: ./mygame.py, "./mygame.py(stake=3)").
`pokerlab game NAME` describes one. Games of the library:
{games}""",
    "forms": """\
Forms: how a game is represented for solving
All forms of a game have the same equilibria; they differ in speed and memory.
    sequence    any game with perfect recall whose tree fits in memory
    public      two-player poker: betting tree times a vector of hands
    classes     two players who bet only before the board: push or fold, ...
    pushes      push or fold for 2 to 9 players
    stochastic  games with states, such as tournaments
    normal      tiny games, as a table of pure strategies
    bucketed    large poker games with hands in buckets (`train`)
--form auto, the default, picks by size.

    pokerlab solve leduc --form public""",
    "algorithms": """\
Algorithms
A name for --with, with settings in brackets: dcfr, "dcfr(alpha=2, gamma=3)",
or your own: ./mine.py. dcfr and cfr+ are good defaults; lp is exact for small
two-player zero-sum games; external, outcome and pure sample large games.
{algorithms}

    pokerlab compare leduc --with cfr,cfr+,dcfr --iterations 100""",
    "agents": """\
Agents: players for matches
A name (formula), a name with settings ("formula(bluff=0.1)"), a solution
(strategy:FILE), a blueprint by file name, or your own class (./mybot.py).
{agents}

    pokerlab match formula rules --game leduc --hands 200""",
    "files": """\
Files
--out saves a result; the command that reads it depends on the kind:
    .solution, .spot    solve, spot, exploit      browse, show, verify, match
    .blueprint          train                     play, match, browse
    .buckets            abstract                  buckets, train
    .duckdb             match, tournament         hands, review, stats
    .endgame            endgame                   endgame --resume
The ending is up to you. --resume continues a run to the same result, --keep
strategy saves a small file that cannot be resumed, --csv writes a table, --plot
a picture. Computed tables and compiled code, which can be deleted at any time,
are in $POKERLAB_HOME (default: this system's cache folder); hands from `play`
and the page's jobs are in $POKERLAB_DATA (default: its data folder).""",
    "units": """\
Units
    chips               payoffs, pots, bets and EV in games and spots
    big blinds          push or fold, rollout; stacks as 200bb
    mbb/hand            thousandths of a big blind per hand (limit matches)
    bb/100              big blinds per 100 hands (no-limit matches)
    % of the pot        exploitability of spots: --target 0.3%
    % of the prizes     epsilon of push or fold for prizes
    seconds             every time limit
EV counts chips won from the pot as it stands: folding is worth 0.
Exploitability is the average gain of the players' best responses; NashConv is
the sum, epsilon the largest. Shares in JSON are between 0 and 1.""",
    "stopping": """\
When a run stops
At the first of --target (exploitability), --iterations and --seconds, or at a
default target. A target is in the game's units, 0.001, or a percentage of the
pot, 0.1%. Setup time does not count toward --seconds. Ctrl-C stops the run,
saves the result and reports it; --resume continues it.

    pokerlab solve leduc --target 0.001""",
    "cluster": """\
Many machines
report, match, tournament, train, abstract and paper take --cluster:
    auto                   the Ray cluster that this machine belongs to
    10.0.0.1:6379          the cluster of this head
    ray://10.0.0.1:10001   the same, from a machine outside
    local                  this machine alone
    "auto(cores=4)"        four cores for each piece of work
Files may be URLs, such as --out s3://bucket/my.solution. All of this needs
pip install "pokerlab[cluster]"; `ray start --head` starts a cluster.

    pokerlab match formula rules --game leduc --cluster auto""",
    "random": """\
Random numbers
Commands that sample take --seed: the same seed gives the same result, with any
number of --workers. Winnings and sampled equities have 95 % intervals (±).
--duplicate plays every deal from every seat, which cancels most of the luck.

    pokerlab match formula rules --game leduc --hands 200 --duplicate --seed 7""",
    "json": """\
JSON
--json prints one object on standard output and nothing else; progress goes to
standard error. Unknown numbers are null, never NaN. An error is
{{"error": "...", "code": 2}} with exit code 2; Ctrl-C has code 130.

    pokerlab equity AhKh 2c2d --json""",
}
_LISTED = ("games", "algorithms", "agents")


def topic_text(topic: str) -> str:
    """The help on a concept, with the names that it is about."""
    from pokerlab.registry import available

    width = max(60, min(shutil.get_terminal_size().columns, 110))
    lists = {}
    for kind in _LISTED:
        names = ", ".join(entry.name for entry in available(kind)) if kind == topic else ""
        lists[kind] = textwrap.fill(
            names, width, initial_indent="    ", subsequent_indent="    ", break_on_hyphens=False
        )
    return TOPICS[topic].format(**lists)


def topic_titles() -> list[tuple[str, str]]:
    """Every topic with its title."""
    return [(topic, text.partition("\n")[0]) for topic, text in TOPICS.items()]
