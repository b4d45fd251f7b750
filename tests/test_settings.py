"""Settings: checks refuse with a sentence, and a name with settings reads back as it was written."""

from __future__ import annotations

import inspect
import math
from dataclasses import FrozenInstanceError, dataclass
from typing import Annotated, Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pokerlab.errors import BadSetting
from pokerlab.settings import (
    Check,
    Flag,
    Settings,
    Share,
    check_fields,
    declared,
    letters,
    number,
    one_of,
    one_or_each,
    or_none,
    per_seat,
    true_or_false,
    whole,
    whole_numbers,
)
from pokerlab.specs import read, spec_text

names = st.from_regex(r"[a-z][a-z0-9_]{0,8}", fullmatch=True).filter(lambda word: not hasattr(__builtins__, word))
plain = st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text(max_size=12)
plain |= st.sampled_from(["true", "false", "inf", "nan", "None", "True", "lambda", "word"])
values = plain | st.lists(plain, max_size=3) | st.tuples(plain, plain)


@given(st.from_regex(r"[a-z][a-z+-]{0,9}", fullmatch=True), st.dictionaries(names, values, max_size=4))
def test_what_is_told_reads_back(name: str, settings: dict[str, Any]) -> None:
    import keyword

    settings = {key: value for key, value in settings.items() if not keyword.iskeyword(key)}
    found = [value for value in settings.values() if isinstance(value, (list, tuple))]
    if any(isinstance(one, float) and math.isinf(one) for several in found for one in several):
        return  # only a number of its own may be infinite
    assert read(spec_text(name, settings)) == (name, settings)


@pytest.mark.parametrize(
    ("check", "good", "bad", "words"),
    [
        (number(0, 1), [0, 1, 0.5], [-1e-9, 1.1, math.nan, math.inf, True, "x", None, []], "a number from 0 to 1; got"),
        (number(above=0), [1e-9, math.inf], [0, -1, math.nan, "1"], "a number above 0; got"),
        (number(0, below=1), [0, 0.5], [1, -0.1, math.nan], "a number of at least 0 and below 1; got"),
        (number(0, below=math.inf), [0, 1e300], [math.inf, -1], "a finite number of at least 0; got"),
        (number(below=math.inf), [-1e300], [math.inf], "a finite number; got"),
        (number(above=0, most=1), [1], [0, 1.5], "a number above 0 and at most 1; got"),
        (number(3), [3, math.inf], [2.9], "a number of at least 3; got"),
        (number(most=3), [3, -math.inf], [3.1], "a number of at most 3; got"),
        (number(), [-math.inf, 3], [math.nan, "x", False], "must be a number; got"),
        (whole(2, 4), [2, 4], [1, 5, 2.0, True, "3", None], "a whole number from 2 to 4; got"),
        (whole(0), [0, 10**30], [-1, 0.5], "a whole number of at least 0; got"),
        (one_of("a", "b"), ["a", "b"], ["c", "", None, 1, ["a"]], "one of a, b; got"),
        (letters("abc"), ["a", "cab"], ["", "aa", "d", None, ("a",)], "different letters of 'abc', at least one; got"),
        (true_or_false, [True, False], [0, 1, "true", None], "true or false; got"),
        (or_none(whole(1)), [None, 1], [0], "of at least 1; got"),
        (one_or_each(whole(1)), [1], [0, (1, 0), [None]], "of at least 1; got"),
        (whole_numbers(1), [1], [0, (1, 0), "0", "x", "1,x", None, {}, True], "must be|must"),
    ],
)
def test_checks_take_the_span_and_refuse_the_rest(check: Check, good: list[Any], bad: list[Any], words: str) -> None:
    for value in good:
        assert check("it", value) is value
    for value in bad:
        with pytest.raises(BadSetting, match=words) as problem:
            check("it", value)
        assert str(problem.value).startswith(("it must be", "each of it must be"))


@pytest.mark.parametrize(
    ("given", "kept"),
    [(7, (7, 7, 7)), ([7], (7, 7, 7)), ("7", (7, 7, 7)), ("1,2 3", (1, 2, 3)), ((1, 2, 3), (1, 2, 3))],
)
def test_one_number_stands_for_all(given: Any, kept: tuple[int, ...]) -> None:
    assert whole_numbers(1, count=3)("bets", given) == kept
    assert per_seat("bets", whole_numbers(1)("bets", given), 3) == kept
    with pytest.raises(BadSetting, match="bets must be one number or 2, one per round; got 3"):
        whole_numbers(count=2, each="round")("bets", kept)


def test_bounds_are_told_to_the_last_digit() -> None:
    with pytest.raises(BadSetting, match="from 1 to 1000000000000; got"):
        whole(1, 10**12)("hands", 0)


def test_a_long_value_is_quoted_in_part() -> None:
    with pytest.raises(BadSetting) as problem:
        whole()("it", "9" * 5000)
    assert len(str(problem.value)) < 100


@dataclass(frozen=True)
class Timid(Settings):
    label = "timid"
    always_named = ("stack",)
    courage: Share = 0.1
    stack: Annotated[Any, whole_numbers(1)] = 20
    loud: Flag = False


@dataclass(frozen=True)
class Nameless(Settings):
    pass


def test_a_dataclass_is_checked_and_named_by_its_fields() -> None:
    assert Timid().name == "timid(stack=20)"
    assert Timid(stack="5,6", loud=True).name == "timid(stack=(5, 6), loud=True)"  # kept as the check gives it
    assert read(Timid(courage=0.5).name) == ("timid", {"courage": 0.5, "stack": 20})
    with pytest.raises(BadSetting, match="courage must be a number from 0 to 1; got '2'"):
        Timid(courage=2)
    with pytest.raises(BadSetting, match="courage of seat 3 must"):
        check_fields(_spoilt(), of=" of seat 3")
    assert Nameless().name == "nameless"
    with pytest.raises(FrozenInstanceError):
        Timid().courage = 0.3  # type: ignore[misc]


def _spoilt() -> Timid:
    made = Timid()
    object.__setattr__(made, "courage", "x")
    return made


@declared("thing")
def thing(name: str, target: str = "", *, size: Annotated[int, whole(0, 9)] = 3, loud: Flag = False) -> Any:
    """A thing."""
    return name, target, size, loud


def test_a_function_is_given_its_name_and_checked_settings() -> None:
    assert thing() == ("thing", "", 3, False)
    assert thing("here", size=4) == ("thing:here(size=4)", "here", 4, False)
    assert thing(loud=True, size=3) == ("thing(loud=True)", "", 3, True)
    assert list(inspect.signature(thing).parameters) == ["target", "size", "loud"]
    assert thing.__doc__ == "A thing."
    with pytest.raises(BadSetting, match="size must be a whole number from 0 to 9"):
        thing(size=10)
    with pytest.raises(TypeError, match="argument"):
        thing(colour=1)  # type: ignore[call-arg]
