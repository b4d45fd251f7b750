"""A file dropped into a folder is found by its name; a wrong name is answered with the nearest."""

from __future__ import annotations

import math
import sys
from pathlib import Path

import pytest

from command_line import CommandLine
from pokerlab import own_code, registry, specs
from pokerlab.agents.opening import open_agent
from pokerlab.errors import BadFile, BadSetting, UnknownName
from pokerlab.formats.game_file import check_saved, game_file
from pokerlab.formats.opening import open_game
from pokerlab.games.describe import describe
from pokerlab.lab.solve.solving import solve


@pytest.fixture
def dropped(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    for libraries in registry.LIBRARIES.values():
        for library in libraries:
            (tmp_path / library).mkdir(parents=True)
    monkeypatch.setattr(registry, "_ROOT", tmp_path)
    registry._entries.cache_clear()
    yield tmp_path
    registry._entries.cache_clear()


def test_a_dropped_file_is_found(dropped: Path) -> None:
    (dropped / "games" / "library" / "my_game.py").write_text(
        '"""A game of mine.\n\nMore."""\n\n\ndef game(cards=3):\n    return cards\n'
    )
    (dropped / "games" / "library" / "engine.py").write_text('"""Not a game."""\n\n\ndef games():\n    pass\n')
    (dropped / "games" / "library" / "_hidden.py").write_text("def game():\n    pass\n")
    (dropped / "solvers" / "library" / "cfr_plus.py").write_text('"""CFR+."""\nalgorithm = 3\n')
    (dropped / "games" / "aside.py").write_text("def game():\n    pass\n")  # beside the library
    (dropped / "formats" / "book.py").write_text('"""A game of a book."""\n\n\ndef game():\n    pass\n')
    assert registry.available("games") == [
        registry.Entry("book", "A game of a book.", "pokerlab.formats.book"),
        registry.Entry("my-game", "A game of mine.", "pokerlab.games.library.my_game"),
    ]
    for name in ("my-game", "my_game", "MY-game"):
        assert registry.find("games", name).name == "my-game"
    assert registry.find("algorithms", "cfr+").name == "cfr+"


def test_a_wrong_name_is_answered_with_the_nearest(dropped: Path) -> None:
    for name in ("leduc", "kuhn", "goofspiel"):
        (dropped / "games" / "library" / f"{name}.py").write_text("def game():\n    pass\n")
    with pytest.raises(UnknownName, match="no game called 'ledcu'; did you mean leduc"):
        registry.find("games", "ledcu")
    with pytest.raises(UnknownName, match="available: goofspiel, kuhn, leduc"):
        registry.find("games", "zzzzzz")
    with pytest.raises(UnknownName, match="no kind"):
        registry.available("planets")


@pytest.mark.parametrize(
    ("spec", "expected"),
    [
        ("leduc", ("leduc", {})),
        ("kuhn(players=3)", ("kuhn", {"players": 3})),
        (" kuhn ( players = 3 , tie = False ) ", ("kuhn", {"players": 3, "tie": False})),
        ("spot(board=Ks7h2d, sizes=(1, 2))", ("spot", {"board": "Ks7h2d", "sizes": (1, 2)})),
        ("kuhn()", ("kuhn", {})),
        ("cfr-br(schedule=cfr+, trunk=1)", ("cfr-br", {"schedule": "cfr+", "trunk": 1})),
        ("strategy(file=e.solution, other_games=true)", ("strategy", {"file": "e.solution", "other_games": True})),
        ("a(b=../x/y-z.py:main , c=.5,d=-inf)", ("a", {"b": "../x/y-z.py:main", "c": 0.5, "d": -math.inf})),
        ("a(b='c=d-e, f', g=h)", ("a", {"b": "c=d-e, f", "g": "h"})),
    ],
)
def test_specs(spec: str, expected: tuple[str, dict[str, object]]) -> None:
    assert specs.read(spec) == expected


@pytest.mark.parametrize(
    "spec",
    [
        "kuhn(3)",
        "kuhn(players=",
        "kuhn(players=3",
        "a(b=c(d))",
        "f(**x)",
        "f(a=1-2)",
        "f(a=b c-d)",
        "(((",
        "a(x=__import__('os'))",
    ],
)
def test_bad_specs(spec: str) -> None:
    with pytest.raises(BadSetting, match="cannot read"):
        specs.read(spec)


def test_a_setting_is_given_once() -> None:
    with pytest.raises(BadSetting, match=r"^b is given twice in 'f\(a=1, b=2, b=2\)': give it once"):
        specs.read("f(a=1, b=2, b=2)")


def test_text_with_spaces_is_told_to_have_quotes() -> None:
    with pytest.raises(BadSetting, match=r"text with spaces, commas or brackets in quotes, as in strategy\(file='my"):
        specs.read("strategy(file=my e.solution, other_games=true)")


def test_unknown_settings_are_named_and_the_known_ones_told() -> None:
    with pytest.raises(BadSetting, match=r"^kuhn does not take foo, bar; it takes players$"):
        registry.load("games", "kuhn(foo=1, players=2, bar=x)")
    assert registry.call("any", lambda **settings: settings, {"foo": 1}) == {"foo": 1}
    with pytest.raises(BadSetting, match="one needs needed; it takes needed"):
        registry.call("one", lambda needed: needed, {})


def test_real_listing_imports_nothing_compiled() -> None:
    import subprocess

    program = (
        "import sys, pokerlab\nfrom pokerlab import registry\n"
        "[registry.available(kind) for kind in registry.ENTRY_POINTS]\n"
        "bad = [name for name in ('numba', 'scipy', 'matplotlib', 'duckdb') if name in sys.modules]\n"
        "print(bad)"
    )
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"


# ---- a person's own code -------------------------------------------------------------------------------------------

GAME = '''"""A die is rolled and guessed."""

from dataclasses import dataclass
from typing import Annotated

from pokerlab.games.game import CHANCE, TERMINAL
from pokerlab.settings import Settings, whole


@dataclass(frozen=True)
class Guess(Settings):
    label = "guess"
    sides: Annotated[int, whole(2, 6)] = 3
    players = 1

    def root(self):
        return ()

    def player(self, state):
        return (CHANCE, 0, TERMINAL)[len(state)]

    def actions(self, state):
        return range(self.sides)

    def outcomes(self, state):
        return [(side, 1 / self.sides) for side in range(self.sides)]

    def child(self, state, action):
        return (*state, action)

    def returns(self, state):
        return (float(state[0] == state[1]),)

    def infoset(self, state, player):
        return "guess"

    def view(self, state, player):
        return "guess"


class Titled(Guess):
    @property
    def name(self):
        return "a title of its own"


class Half:
    name, players = "half", 2

    def root(self):
        raise SystemExit("a class that is no game is never made")

    __init__ = root


def maker():
    return Guess()


game = Guess
'''
AGENT = '''"""Calls what is cheap."""

from neighbour import DEAR

from pokerlab.games.poker.betting import CALL, FOLD


class Careful:
    def __init__(self, dear=DEAR):
        self.dear, self.name = dear, "careful"

    def act(self, view, rng):
        return FOLD if view.legal.fold and view.to_call > self.dear else CALL

    def reset(self):
        pass


agent = Careful
'''


@pytest.fixture
def own(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    (tmp_path / "mygame.py").write_text(GAME)
    (tmp_path / "mybot.py").write_text(AGENT)
    (tmp_path / "neighbour.py").write_text("DEAR = 5\n")
    (tmp_path / "two.py").write_text("from mygame import Guess\nclass One(Guess): pass\nclass Other(Guess): pass\n")
    (tmp_path / "half.py").write_text(
        "from typing import NamedTuple\nclass State(NamedTuple):\n    cards: str\nclass Unseen:\n"
        "    root = player = actions = outcomes = child = returns = infoset = print\n"
    )
    (tmp_path / "five.py").write_text("def game(): return 5\n")
    (tmp_path / "nothing.py").write_text("x = 1\n")
    (tmp_path / "bots").mkdir()
    (tmp_path / "bots" / "careful.py").write_text(AGENT.replace("from neighbour import DEAR", "DEAR = 7"))
    monkeypatch.chdir(tmp_path)
    yield tmp_path
    for name in [*sys.modules]:
        if name.partition(".")[0] in ("bots", "neighbour", "mygame", "mybot") or name.startswith(("mygame_", "mybot_")):
            del sys.modules[name]


@pytest.mark.parametrize(
    ("spec", "sides"),
    [
        ("./mygame.py", 3),
        ("mygame.py(sides=5)", 5),
        ("{folder}/mygame.py(sides=4)", 4),
        ("mygame.py:Titled(sides=2)", 2),
        ("mygame:Guess(sides=6)", 6),
    ],
)
def test_a_game_of_ones_own_is_called_as_it_is_opened(own: Path, spec: str, sides: int) -> None:
    spec = spec.format(folder=own)
    game = open_game(spec)
    assert game.name == spec
    assert describe(game).nodes == 1 + sides + sides**2
    again = open_game(game.name)
    assert (again.name, again) == (spec, game)


def test_settings_of_ones_own_game(own: Path) -> None:
    assert open_game("./mygame.py", sides=4).name == "./mygame.py(sides=4)"
    with pytest.raises(BadSetting, match="sides must be a whole number from 2 to 6"):
        open_game("./mygame.py(sides=1)")
    with pytest.raises(BadSetting, match=r"\./mygame.py does not take faces; it takes sides"):
        open_game("./mygame.py(faces=1)")


def test_an_agent_of_ones_own_plays(own: Path) -> None:
    from pokerlab.match.run.match import MatchSettings, play_match

    for spec, dear in (("./mybot.py", 5), ("mybot.py:Careful(dear=1)", 1), ("bots.careful:Careful", 7)):
        agent = open_agent(spec)
        assert (agent.name, agent.dear) == (spec, dear)
        result = play_match(MatchSettings.of("leduc", [spec, "random"], hands=20, seed=1))
        assert result.agents[0] == spec
    (own / "m").write_text(AGENT)
    assert open_agent("mybot:Careful(dear=2)").dear == 2  # no agent is called mybot


RULES = """
from pokerlab.cards.card import Deck
from pokerlab.games.poker.engine import PokerGame
from pokerlab.games.poker.rules import Round, Rules

rules = Rules(players=2, deck=Deck.of("JQK", "c"), rounds=(Round(private=1, raises=1),), limit="fixed", antes=(1, 1))
"""


@pytest.mark.parametrize(
    "made",
    ["game = rules", "game = PokerGame(rules)", "def game(): return rules", "def game(): return PokerGame(rules)"],
)
def test_rules_and_games_that_are_made_already_are_taken(own: Path, made: str) -> None:
    (own / "rules.py").write_text(RULES + made + "\n")
    game = open_game("rules.py")
    assert game.name == "rules.py"
    assert describe(game).nodes == 55
    with pytest.raises(BadSetting, match="rules.py does not take ranks; it takes none"):
        open_game("rules.py(ranks=3)")


def test_the_one_class_of_a_file_is_taken_and_an_object_is_copied(own: Path) -> None:
    (own / "alone.py").write_text("from mygame import Guess\nclass Alone(Guess): pass\nclass _Part(Guess): pass\n")
    assert describe(open_game("alone.py(sides=2)")).nodes == 7
    (own / "object.py").write_text("from mybot import Careful\nagent = Careful(3)\n")
    first, second = open_agent("object.py"), open_agent("object.py")
    assert first.dear == second.dear == 3
    assert first is not second  # two seats share no memory


def test_a_path_is_meant_as_people_write_it(own: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (own / "my bots (old)").mkdir()
    (own / "my bots (old)" / "my bot.py").write_text(AGENT.replace("from neighbour import DEAR", "DEAR = 7"))
    monkeypatch.setenv("HOME", str(own))
    monkeypatch.setenv("USERPROFILE", str(own))
    for spec in ("./my bots (old)/my bot.py", "~/my bots (old)/my bot.py:Careful", r".\my bots (old)\my bot.py"):
        agent = open_agent(spec + "(dear=2)")
        assert (agent.name, agent.dear) == (spec + "(dear=2)", 2)
        assert registry.own_file(spec).is_file()
    assert registry.own_file("~nobody-of-that-name/x.py").name == "x.py"


def test_python_gives_a_game_a_class_or_rules(own: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.syspath_prepend(str(own))
    module = own_code.run_file("mygame.py")
    assert open_game(module.Guess, sides=2).sides == open_game(module.Guess(sides=2)).sides == 2
    with pytest.raises(BadSetting, match="^Half has no `player`"):
        open_game(module.Half)
    with pytest.raises(BadSetting, match="^Guess is a game object already"):
        open_game(module.Guess(), sides=3)
    for wrong in (5, None, [[1, -1]]):
        with pytest.raises(BadSetting, match="is not a game; a game has name, players, root"):
            open_game(wrong)
    (own / "rules.py").write_text(RULES)
    assert describe(open_game(own_code.run_file("rules.py").rules)).nodes == 55


def test_an_edited_file_is_run_again(own: Path) -> None:
    assert open_agent("./mybot.py(dear=3)").dear == 3
    (own / "mybot.py").write_text(AGENT.replace("self.dear, self.name = dear,", "self.dear, self.name = dear + 100,"))
    assert open_agent("./mybot.py(dear=3)").dear == 103


@pytest.mark.parametrize(
    ("spec", "error", "words"),
    [
        ("./missing.py", BadFile, "cannot read './missing.py': No such file"),
        ("./mygame.py:Gues", UnknownName, r"\./mygame.py does not define `Gues`; did you mean Guess"),
        ("./mygame.py:maker", BadSetting, "`maker` of ./mygame.py is not a class"),
        ("./mygame.py:Half", BadSetting, "^Half has no `player`, `actions`, .*`view`; a game has name, players, root"),
        (
            "./mybot.py",
            UnknownName,
            r"\./mybot.py does not define `game`, and none of its classes has the methods root,",
        ),
        ("./mygame.py:Half()", BadSetting, "^Half has no `player`"),
        ("./two.py", UnknownName, r"name one of its classes, as in \./two.py:One or \./two.py:Other"),
        ("./half.py", BadSetting, "^Unseen has no `view`; a game has"),
        ("./five.py", BadSetting, r"^\./five.py makes an int, 5, which is not a game; a game has name"),
        ("./nothing.py", UnknownName, "does not define `game`$"),
        ("./mygam.py", BadFile, "No such file or directory; did you mean mygame.py"),
        ("mygame", UnknownName, r"no game called 'mygame'; to take the file of that name write \./mygame.py"),
        ("nowhere.at.all:Game", UnknownName, "no module called 'nowhere.at.all'"),
        ("subprocess:Popen(args=ls)", BadSetting, "Popen has no `root`"),
        ("os:system(command=ls)", BadSetting, "is not a class"),
        ("neighbour.py:DEAR", BadSetting, "is an int, "),
    ],
)
def test_what_is_no_game_is_named(own: Path, spec: str, error: type[Exception], words: str) -> None:
    with pytest.raises(error, match=words):
        open_game(spec)


@pytest.mark.parametrize(
    ("source", "words"),
    [
        ("import math\n\nx = 1 / 0\n", "ZeroDivisionError: division by zero, in line 3"),
        ("import sys\nsys.exit(0)\n", "SystemExit: 0, in line 2"),
        ("def game(:\n", "SyntaxError: .*, in line 1"),
        ("\nfrom nowhere_to_be_found import x\n", "ModuleNotFoundError: .*nowhere_to_be_found.*, in line 2"),
    ],
)
def test_a_file_that_cannot_be_run_says_where(own: Path, source: str, words: str) -> None:
    (own / "broken.py").write_text(source)
    with pytest.raises(BadFile, match=rf"^\./broken.py cannot be run: {words}$"):
        open_game("./broken.py")
    assert not [name for name in sys.modules if name.startswith("broken_")]


def test_a_class_that_cannot_be_made_says_where(own: Path) -> None:
    (own / "broken.py").write_text(
        "class Bot:\n    def __init__(self):\n        self.x = {}['y']\n    act = reset = __init__\n"
    )
    with pytest.raises(BadFile, match=r"^\./broken.py cannot be made: KeyError: 'y', in line 3$"):
        open_agent("./broken.py")


@pytest.mark.parametrize("kind", ["games", "algorithms", "agents"])
@pytest.mark.parametrize(
    ("line", "error"), [("int('5', speed=3)", "TypeError"), ("raise KeyboardInterrupt", "KeyboardInterrupt")]
)
def test_what_a_factory_raises_is_no_wrong_setting(own: Path, kind: str, line: str, error: str) -> None:
    (own / "broken.py").write_text(f"def {registry.ENTRY_POINTS[kind]}(bluff=1):\n    {line}\n")
    with pytest.raises(BadFile, match=rf"^\./broken.py cannot be made: {error}.*, in line 2$"):
        registry.load(kind, "./broken.py(bluff=2)")
    with pytest.raises(BadSetting, match="does not take speed; it takes bluff"):
        registry.load(kind, "./broken.py(speed=2)")


OWN_PAPER = "def paper(*, full=False, quick=False, seed=0, on_progress=None):\n    "
OWN_ALGORITHM = """
from pokerlab.solvers.core.algorithm import Algorithm
from pokerlab.solvers.core.plan_solver import PlanSolver

class Plans(PlanSolver):
    def step(self):
        pass
    def own_arrays(self):
        return {}
    def result(self):
        return self.game.plan(self.game.uniform())

def algorithm():
    return Algorithm("plans", {}, {}, general=lambda form, seed, resources: Plans(form))
"""
OWN_BOT = """
from pokerlab.games.poker.action import Action

class Bot:
    def act(self, view, rng):
        return Action(None, None)
"""


@pytest.mark.parametrize(
    ("text", "words", "code", "said"),
    [
        (OWN_PAPER + "len(5)\n", "paper ./own.py", 2, "TypeError in line 2 of own.py: object of type"),
        (OWN_PAPER + "raise SystemExit\n", "paper ./own.py", 2, "SystemExit in line 2 of own.py\n"),
        (
            "def paper(*, full=False, seed=0):\n    len(5)\n",
            "paper ./own.py",
            2,
            "not take on_progress; it takes full, seed",
        ),
        ("paper = int\n", "paper ./own.py", 2, "must be a function or a class of your own, not a type, <class 'int'>"),
        ("algorithm = type\n", "solve kuhn --with ./own.py", 2, "must be a function or a class of your own"),
        (OWN_ALGORITHM, "solve kuhn --with ./own.py", 2, "Plans.result must be a profile of 24 numbers"),
        (
            OWN_BOT,
            "match ./own.py rules --hands 2 --workers 1",
            0,
            "Action(kind=None, amount=None, cards=()) is not an",
        ),
    ],
)
def test_faults_of_own_code_are_sentences(
    own: Path, cli: CommandLine, text: str, words: str, code: int, said: str
) -> None:
    (own / "own.py").write_text(text)
    done = cli(words.split(), width=200)
    assert done.code == code
    assert said in done.out + done.error


BOT = "class Bot:\n    def {}:\n        return view.actions[0]\n"
WRONG_CALLS = [  # own.py, what is run, what is said: the own line, and not that settings do not fit
    (
        BOT.format("act(self, view)"),
        "match",
        "Bot.act() takes 2 positional arguments but 3 were given, in line 2 of own.py",
    ),
    (
        BOT.format("act(self, view, rng)") + "\n    def __init__(self):\n        Bot(1)\n",
        "match",
        "own.py cannot be made: TypeError: Bot.__init__() takes 1 positional argument but 2 were given, in line 6",
    ),
    (
        "import functools\n"
        + BOT.format("act(self, view, rng)")
        + "\n    def __init__(self, nerve, extra=0):\n        len(5)\n\nagent = functools.partial(Bot, nerve=1)\n",
        "match",
        "own.py cannot be made: TypeError: object of type 'int' has no len(), in line 7",
    ),
    (
        BOT.format("act(self, view, rng)")
        + "\ndef decorated(kind):\n    def make(*args):\n        return kind(*args)\n    return make\n"
        + "\n@decorated\nclass agent(Bot):\n    def __init__(self, nerve):\n        pass\n",
        "match",
        "missing 1 required positional argument: 'nerve', in line 7",
    ),
    (
        "from helper import strength\n" + BOT.format("act(self, view, rng, part=strength(None))"),
        "match",
        "line 2 of helper.py",
    ),
    (
        "class Bot:\n    def __init__(self, nerve):\n        pass\n    def act(self, view, rng):\n        pass\n",
        "match",
        "needs nerve; it takes nerve",
    ),
    (
        OWN_ALGORITHM.replace("step(self)", "step(self, x)"),
        "solve",
        "TypeError in line 6 of own.py: Plans.step() missing",
    ),
    (OWN_ALGORITHM.replace("pass", "yield"), "solve", "Plans.step must change the solver and return nothing"),
    (
        OWN_ALGORITHM.replace("pass", "len(5)"),
        "solve",
        "TypeError in line 7 of own.py: object of type 'int' has no len()",
    ),
]


@pytest.mark.parametrize(("text", "command", "said"), WRONG_CALLS)
def test_a_type_error_of_own_code_names_its_line(
    own: Path, cli: CommandLine, text: str, command: str, said: str
) -> None:
    (own / "own.py").write_text(text)
    (own / "helper.py").write_text("def strength(view):\n    return len(view)\n")
    words = {"match": "match ./own.py rules --game kuhn --hands 2 --workers 1", "solve": "solve kuhn --with ./own.py"}
    refused = cli(words[command].split(), width=200).refusal
    assert said in refused
    assert "does not take these settings" not in refused


def test_an_algorithm_of_another_class_is_refused(own: Path) -> None:
    (own / "other.py").write_text("class algorithm:\n    engines = {}\n    start = spec = None\n")
    with pytest.raises(BadSetting, match=r"^\./other.py gives an object of algorithm, and must give an Algorithm"):
        solve("kuhn", algorithm="./other.py", iterations=1)


def test_a_solution_of_ones_own_game_is_opened_where_it_lay(own: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    from pokerlab.strategy.files.solution_file import load

    elsewhere = own / "elsewhere"
    elsewhere.mkdir()
    for spec in ("./mygame.py(sides=4)", "./mygame.py:Titled"):
        file = solve(spec, algorithm="cfr", iterations=3).save(elsewhere / "x.solution")
        monkeypatch.chdir(elsewhere)
        kept = load(file)
        assert kept.game == spec.replace("./", f"{own}/")
        assert describe(kept.open_game()).nodes in (21, 13)
        monkeypatch.chdir(own)
    (own / "mygame.py").write_text(GAME + "\n")
    with pytest.raises(BadFile, match="has changed"):
        load(file).open_game()
    (own / "mygame.py").rename(elsewhere / "mygame.py")  # no other file of that name is run
    with pytest.raises(BadFile, match="is gone: put it back$"):
        load(file).open_game()


def test_a_solution_of_an_object_says_why_it_cannot_be_opened(own: Path) -> None:
    from pokerlab.strategy.files.solution_file import load

    kept = solve(own_code.run_file("mygame.py").Guess(sides=2), iterations=2).save(own / "x.solution")
    assert load(kept).strategy["guess"]
    with pytest.raises(BadFile, match="'guess.sides=2.' was given as a Python object"):
        load(kept).open_game()


def test_a_name_in_a_file_runs_no_code_that_is_not_known(own: Path) -> None:
    kept = game_file("./mygame.py")
    assert kept is not None
    check_saved(str(own / "mygame.py"), kept)
    check_saved("kuhn", None)
    for name in ("./mygame.py", "mygame:Guess"):
        with pytest.raises(BadFile, match="user code"):
            check_saved(name, None)
    with pytest.raises(BadFile, match="is gone"):
        check_saved("bots.careful:Careful", kept)
    assert registry.own_file("bots.careful:Careful") == own / "bots" / "careful.py"
    assert registry.own_file("bots.careless:Careful") is None


def test_an_installed_package_brings_its_own(own: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    facts = own / "shop-1.0.dist-info"
    facts.mkdir()
    (facts / "METADATA").write_text("Metadata-Version: 2.1\nName: shop\nVersion: 1.0\n")
    (facts / "entry_points.txt").write_text(
        "[pokerlab.games]\nguess-a-die = mygame:Guess\nkuhn = mygame:Guess\n[pokerlab.agents]\ncareful = bots.careful\n"
    )
    monkeypatch.syspath_prepend(str(own))
    assert registry.Entry("guess-a-die", "Of the package shop.", "mygame", "Guess") in registry.available("games")
    assert [entry.name for entry in registry.available("games")].count("kuhn") == 1
    assert open_game("kuhn").players == 2  # what is ours stays ours
    assert describe(open_game("guess_a_die(sides=2)")).nodes == 7
    assert open_agent("careful:9").dear == "9"
    assert registry.find("agents", "careful").module == "bots.careful"
    with pytest.raises(UnknownName, match="did you mean guess-a-die"):
        open_game("guess-a-dice")


def test_an_error_in_a_persons_code_says_where(own: Path) -> None:
    (own / "late.py").write_text(
        "from mygame import Guess\nclass Late(Guess):\n    def returns(self, state):\n        return 1 / 0\n"
    )
    late = own_code.run_file("late.py").Late()
    with pytest.raises(ZeroDivisionError) as caught:
        describe(late)
    assert own_code.failed_line(caught.value) == "line 4 of late.py"
    with pytest.raises(UnknownName) as caught:
        open_game("nothing-like-it")
    assert own_code.failed_line(caught.value) == ""


def test_algorithms_and_papers_of_ones_own(own: Path) -> None:
    (own / "mine.py").write_text(
        "from pokerlab.solvers.library.cfr_plus import algorithm\n\ndef paper(*, full, seed):\n    return full, seed\n"
    )
    assert registry.load("algorithms", "./mine.py(delay=3)").settings["delay"] == 3
    with pytest.raises(BadSetting, match="./mine.py does not take speed; it takes"):
        registry.load("algorithms", "./mine.py(speed=3)")
    (own / "five.py").write_text("def algorithm(): return 5\n")
    with pytest.raises(BadSetting, match="^./five.py makes an int, 5, not an algorithm$"):
        registry.load("algorithms", "./five.py")
    entry = registry.find("papers", "mine.py")
    assert registry.factory("papers", entry)(full=True, seed=5) == (True, 5)


@pytest.mark.parametrize(("name", "is_file"), [("villain.solution", True), ("bots/mine", True), ("formulla", False)])
def test_a_name_that_looks_like_a_file_is_told_to_be_none(name: str, is_file: bool) -> None:
    with pytest.raises(UnknownName) as told:
        registry.find("agents", name)
    assert ("and no such file" in str(told.value)) == is_file


def test_a_file_that_is_none_of_the_kind_is_not_denied(tmp_path: Path) -> None:
    (tmp_path / "hands.duckdb").write_bytes(b"")
    with pytest.raises(UnknownName) as told:
        registry.find("agents", str(tmp_path / "hands.duckdb"))
    assert "no such file" not in str(told.value)
