"""The command show: every form, a CSV of all infosets, and lines that fit."""

from __future__ import annotations

import csv
import json
from collections import Counter
from pathlib import Path

import pytest

from blueprints import as_solution, few_buckets, made_up, made_up_exchange
from command_line import CommandLine
from pokerlab.abstraction import bucket_file
from pokerlab.lab.analyse.browsing import list_infosets
from pokerlab.lab.solve.solving import solve
from pokerlab.strategy.files.solution_file import load

EXAMPLES = Path(__file__).parents[2] / "examples"
TURN = {
    "board": "Ks 7h 2d 5c",
    "pot": 20,
    "stack": 55,
    "out_of_position": {"range": "AA,76s,QhJh:0.4", "bet": "75%,allin", "raise": "allin"},
    "in_position": {"range": "QQ+,T9s", "bet": "50%", "raise": "allin"},
}
FORMS = {
    "sequence": {"problem": "kuhn(players=3)", "iterations": 20},
    "public": {"problem": "leduc", "form": "public", "iterations": 20},
    "spot": {"problem": TURN, "iterations": 3},
    "push or fold": {"problem": "push-fold(stack=7)"},
    "classes": {"problem": "preflop-limit(raises=1)"},
    "normal": {"problem": "kuhn", "algorithm": "normal-lp"},
}


def test_a_blueprint_that_comes_with_the_package_is_called_by_its_name(cli: CommandLine) -> None:
    for words in (["show", "draw-blueprint"], ["browse", "draw-blueprint", "call", "check"]):
        out = cli(words, width=80).printed
        assert max(map(len, out.splitlines())) <= 80
        assert "blueprints" not in out  # the folder where it lies
        assert words[0] == "browse" or "pokerlab browse draw-blueprint shows more" in " ".join(out.split())


def test_discard_options_are_rows_and_untrained_infosets_are_marked(cli: CommandLine, folder: Path) -> None:
    strategy = made_up_exchange("five-card-draw(menu='min', stack=4)", "no-suits", seed=6)
    names, node = strategy.form.buckets.names(0), strategy.form.betting.node_of("cc/")
    level, first = strategy.numbers[1], int(strategy.slot[node])
    level[names.index("3579K"), first : first + 32] = 0
    level[names.index("2579K"), first : first + 32] = [0.6, *([0] * 14), 0.4, *([0] * 16)]  # pat, or discard 9 and K
    solution = as_solution(strategy, measured=False)
    out = cli(["show", solution.save(folder / "draw.blueprint").name, "--containing", "579K:cc/"], width=80).printed
    assert "…" not in out
    assert max(map(len, out.splitlines())) <= 80
    rows = [line.split() for line in out.splitlines()]
    assert ["2579K", "d0", "nothing", "60.0%"] in rows
    assert ["d15", "9K", "40.0%"] in rows
    assert ["30", "others", "0.0%"] in rows
    assert ["3579K", "32", "options", "untrained", "100.0%"] in rows
    assert out.count("untrained") == 2  # and a line that says what it means
    pat, never, *_ = list_infosets(solution, match="579K:cc/").as_dict()["strategy"]
    assert (pat["trained"], pat["discards"]["d15"], pat["discards"]["d0"]) == (True, "9K", "")
    assert (never["trained"], never["discards"]["d15"]) == (False, "9K")


@pytest.fixture(params=FORMS)
def kept(request: pytest.FixtureRequest, folder: Path) -> Path:
    solve(**FORMS[request.param], save=folder / "a.solution")
    return folder / "a.solution"


def read(path: Path) -> list[dict[str, str]]:
    with path.open(newline="", encoding="utf-8") as file:
        return list(csv.DictReader(file))


def test_all_infosets_are_written_whatever_is_printed(kept: Path, cli: CommandLine) -> None:
    solution = load(kept)
    assert "invalid value for '--rows'" in cli(["show", str(kept), "--rows", str(2**63)]).refusal
    answer = cli(["show", str(kept), "--rows", "2", "--csv", "a.csv"])
    rows = read(Path("a.csv"))
    assert (answer.code, f"wrote {len(rows):,} rows to a.csv" in answer.error) == (0, True)
    sums: Counter[tuple[str, str]] = Counter()
    for row in rows:
        sums[row["player"], row["infoset"]] += float(row["probability"])
        assert -1e-9 <= float(row["reach"]) <= 1 + 1e-9
    assert len(sums) == len(solution.strategy)
    assert list(sums.values()) == pytest.approx([1.0] * len(sums))
    whole = solution.to_pandas()
    assert list(whole.columns) == list(rows[0])
    assert whole["probability"].tolist() == [float(row["probability"]) for row in rows]
    assert whole["infoset"].tolist() == [row["infoset"] for row in rows]


def test_what_is_asked_for_is_written(kept: Path, cli: CommandLine) -> None:
    solution = load(kept)
    match = next(line.infoset for line in solution.strategy.lines() if line.player == 1)[:2]
    found = cli(
        ["show", str(kept), "--player", "1", "--containing", match, "--rows", "1", "--csv", "a.csv", "--json"]
    ).json
    rows = read(Path("a.csv"))
    assert (found["csv"], found["csv_rows"]) == ("a.csv", len(rows))
    assert {row["player"] for row in rows} == {"1"}
    assert len({row["infoset"] for row in rows}) == found["matching"]
    assert all(match in row["infoset"] for row in rows)


@pytest.mark.parametrize("width", [80, 120])
def test_lines_fit(kept: Path, width: int, cli: CommandLine) -> None:
    lines = cli(["show", str(kept), "--rows", "60"], width=width).printed.splitlines()
    assert max(map(len, lines)) <= width
    shown = [line for line in lines if line.rstrip().endswith(("%", "█"))]
    assert len(shown) == min(60, len(load(kept).strategy))  # each on one line, with all its shares


@pytest.mark.parametrize("problem", ["leduc", "leduc(ranks=3, suits=3)", "kuhn"])
def test_reach_is_the_same_in_the_public_form(problem: str) -> None:
    """By own choices alone: the same policy in the sequence form has the same reach, from code of its own."""
    from pokerlab.formats.opening import open_game
    from pokerlab.strategy.forms.sequence import named
    from pokerlab.strategy.profile import profile_of
    from pokerlab.tree.form import build_form

    game = open_game(problem)
    public, form = solve(game, form="public", iterations=7).strategy, build_form(game, "sequence")
    strategy = named(form, profile_of(public, game, form))
    reach = {(line.player, line.infoset): line.reach for line in strategy.lines()}
    played = {(line.player, line.infoset): line.actions for line in strategy.lines()}
    compared = 0
    for line in public.lines():
        board = f"/{line.board}" if line.board else ""
        key = line.player, f"{line.hand}{board}:{line.moves}"
        assert reach[key] == pytest.approx(line.reach, abs=1e-9)
        assert played[key] == pytest.approx(dict(line.actions), abs=1e-9)
        compared += 1
    assert compared == len(public)
    assert len({round(one, 3) for one in reach.values()}) > 2


def test_reach_of_a_spot_is_that_of_its_ranges_at_every_place() -> None:
    """A place of the browser holds weight × reach of each hand, computed by walking there."""
    solution = solve(TURN, iterations=5)
    rows = solution.to_pandas()
    chosen = rows[rows.board.str.len() == 10].groupby(["board", "moves", "player"]).first().sample(12, random_state=3)
    weights = [solution.strategy.form.weights[player] for player in (0, 1)]
    numbers = solution.strategy.form.hand_numbers
    deck = solution.strategy.form.deck
    for board, moves, player in chosen.index:
        first, _, second = moves.partition("/")
        walked = [*filter(None, first.split(", ")), board[8:], *filter(None, second.split(", "))]
        view = solution.at(*walked)
        assert view.player == player
        here = rows[(rows.board == board) & (rows.moves == moves)].drop_duplicates("hand").set_index("hand")
        for row in view.table(player):
            weight = weights[player][numbers[frozenset(deck.cards(row["hand"]))]]
            assert row["reach"] == pytest.approx(weight * here.loc[row["hand"], "reach"], abs=1e-9)


def test_a_table_takes_the_place_of_no_solution(cli: CommandLine, folder: Path) -> None:
    kept = folder / "kuhn.solution"
    solve("kuhn", iterations=20, save=kept)
    before = kept.read_bytes()
    quickly = ["kuhn", "--iterations", "20"]
    for words in (["show", str(kept)], ["solve", *quickly], ["compare", *quickly, "--with", "cfr"]):
        assert "would be lost" in cli([*words, "--csv", str(kept)]).refusal
    assert kept.read_bytes() == before
    assert "name two files" in cli(["solve", *quickly, "--out", "new", "--csv", str(folder / "new")]).refusal
    Path("old.csv").write_text("a table of yesterday\n")
    cli(["show", str(kept), "--csv", "old.csv"])
    assert len(read(Path("old.csv"))) == 24


# ---- solutions over buckets ------------------------------------------------------------------------------------------


@pytest.fixture
def measured(folder: Path) -> Path:
    buckets = few_buckets("kuhn(players=3)", (3,), seed=6)
    kept = bucket_file.save(buckets, folder / "few.buckets")
    return as_solution(made_up("kuhn(players=3)", kept)).save(folder / "three.blueprint")


def test_a_blueprint_is_told(measured: Path, cli: CommandLine) -> None:
    told = cli(["show", str(measured)]).printed
    assert "3 by random:3, in " in told
    assert "epsilon" in told
    assert "in the real game" in told
    assert f"{measured.stat().st_size / 1000:.3g} kB" in told
    assert "player 0 to act" in told
    assert told.count("25.0 %") == 4  # hands, and not buckets


def test_infosets_of_a_blueprint_are_listed_and_written(measured: Path, cli: CommandLine) -> None:
    solution = load(measured)
    told = cli(["show", str(measured), "--containing", "bucket 1:", "--player", "2", "--rows", "3"]).printed
    assert told.count("bucket 1 ") == 3
    assert "reach" not in told
    run = cli(["show", str(measured), "--csv", "a.csv", "--player", "1"])
    rows = read(Path("a.csv"))
    assert f"writing {len(rows):,} rows to" in run.error
    assert (run.code, f"wrote {len(rows):,} rows" in run.error) == (0, True)
    assert {row["player"] for row in rows} == {"1"}
    assert {row["reach"] for row in rows} == {""}
    cli(["show", str(measured), "--csv", "a.csv"])
    assert len({row["infoset"] for row in read(Path("a.csv"))}) == len(solution.strategy)


def test_what_was_not_measured_is_told_as_such(folder: Path, cli: CommandLine) -> None:
    solution = as_solution(made_up("leduc"), measured=False)
    path = solution.save(folder / "a.blueprint")
    told = cli(["show", str(path)]).printed
    assert "not measured" in told
    assert "nan" not in told
    found = json.loads(cli(["show", str(path), "--json", "--rows", "1"]).printed)
    assert found["exploitability"] is None
    assert found["values"] is None
    assert found["bucket_counts"] == [3, 15]
    assert found["strategy"][0]["reach"] is None
