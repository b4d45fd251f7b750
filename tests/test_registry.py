"""A file dropped into a folder is found by its name; a wrong name is answered with the nearest."""

from __future__ import annotations

from pathlib import Path

import pytest

from pokerlab import registry, settings
from pokerlab.errors import BadSetting, UnknownName


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
    ],
)
def test_specs(spec: str, expected: tuple[str, dict[str, object]]) -> None:
    assert settings.read(spec) == expected


@pytest.mark.parametrize(
    "spec", ["kuhn(3)", "kuhn(players=", "kuhn(players=3", "a(b=c(d))", "f(**x)", "(((", "a(x=__import__('os'))"]
)
def test_bad_specs(spec: str) -> None:
    with pytest.raises(BadSetting, match="cannot read"):
        settings.read(spec)


def test_unknown_settings_are_named_and_the_known_ones_told() -> None:
    with pytest.raises(BadSetting, match=r"^kuhn does not take foo, bar; it takes players$"):
        registry.load("games", "kuhn(foo=1, players=2, bar=x)")
    assert registry.call("any", lambda **settings: settings, {"foo": 1}) == {"foo": 1}
    with pytest.raises(BadSetting, match="one does not take these settings .*; it takes needed"):
        registry.call("one", lambda needed: needed, {})


def test_real_listing_imports_nothing_compiled() -> None:
    import subprocess
    import sys

    program = (
        "import sys, pokerlab\nfrom pokerlab import registry\n"
        "[registry.available(kind) for kind in registry.ENTRY_POINTS]\n"
        "bad = [name for name in ('numba', 'scipy', 'matplotlib', 'duckdb') if name in sys.modules]\n"
        "print(bad)"
    )
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"
