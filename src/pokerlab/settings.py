"""Settings of games, algorithms and agents: declared once, checked once, named once.

A setting is a parameter of a function or a field of a frozen dataclass. Its type carries its check, its default is
beside it, and nothing is repeated:

    @dataclass(frozen=True)
    class Timid(Settings):
        label = "timid"
        courage: Share = 0.1

    @declared("kuhn")
    def game(name: str, *, players: Annotated[int, whole(2, 4)] = 2) -> PokerGame: ...

A check takes the name and value of a setting and returns the value to store, or raises BadSetting. The text
"kuhn(players=3)" lists the settings that differ from their defaults; `specs.read` parses it.
"""

from __future__ import annotations

import inspect
import math
from collections.abc import Callable, Hashable, Mapping
from dataclasses import MISSING, fields
from functools import cache, cached_property, wraps
from typing import Annotated, Any, Concatenate, ParamSpec, TypeVar, get_type_hints

from pokerlab.errors import BadSetting, shortened
from pokerlab.specs import spec_text

Check = Callable[[str, Any], Any]  # (name, value) -> the value to store
P = ParamSpec("P")
R = TypeVar("R")


# ---- checks --------------------------------------------------------------------------------------------------------


def _check(fits: Callable[[Any], bool], expected: str) -> Check:
    """Accept values that fit; the error says what is expected instead."""

    def check(name: str, value: Any) -> Any:
        if not fits(value):
            raise BadSetting(f"{name} must be {expected}; got {_quoted(value)}")
        return value

    return check


def _span(least: float, most: float, above: float | None = None, below: float | None = None) -> str:
    low, high = _bound(least), _bound(most)
    below = None if below == math.inf else below
    if above is not None or below is not None:
        start = f"above {_bound(above)}" if above is not None else f"of at least {low}" if least > -math.inf else ""
        stop = f"at most {high}" if most < math.inf else ""
        stop = f"below {_bound(below)}" if below is not None else stop
        return " " + " and ".join(filter(None, (start, stop)))
    if most < math.inf:
        return f" from {low} to {high}" if least > -math.inf else f" of at most {high}"
    return f" of at least {low}" if least > -math.inf else ""


def _bound(value: float) -> str:
    return str(value) if isinstance(value, int) else f"{value:g}"


def _quoted(value: Any) -> str:
    return repr(shortened(str(value), 43))


def number(
    least: float = -math.inf, most: float = math.inf, *, above: float | None = None, below: float | None = None
) -> Check:
    """A number in an interval; `above` and `below` exclude the end points: below=inf means finite.

    >>> number(0, 1)("bluff", 0.5)
    0.5
    >>> number(above=0)("bet", -1)
    Traceback (most recent call last):
    pokerlab.errors.BadSetting: bet must be a number above 0; got '-1'
    """

    def fits(value: Any) -> bool:
        ok = isinstance(value, (int, float)) and not isinstance(value, bool) and least <= value <= most
        return ok and (above is None or value > above) and (below is None or value < below)

    kind = "finite number" if below == math.inf else "number"
    return _check(fits, f"a {kind}{_span(least, most, above, below)}")


def whole(least: float = -math.inf, most: float = math.inf) -> Check:
    """A whole number in an interval.

    >>> whole(2, 4)("players", 7)
    Traceback (most recent call last):
    pokerlab.errors.BadSetting: players must be a whole number from 2 to 4; got '7'
    """

    def fits(value: Any) -> bool:
        return isinstance(value, int) and not isinstance(value, bool) and least <= value <= most

    return _check(fits, f"a whole number{_span(least, most)}")


def one_of(*known: str) -> Check:
    """One of a few words.

    >>> one_of("any", "least")("sizes", "huge")
    Traceback (most recent call last):
    pokerlab.errors.BadSetting: sizes must be one of any, least; got 'huge'
    """
    return _check(lambda value: isinstance(value, str) and value in known, f"one of {', '.join(known)}")


def letters(known: str) -> Check:
    """A text of at least one distinct letter out of `known`."""

    def fits(value: Any) -> bool:
        return isinstance(value, str) and 0 < len(set(value)) == len(value) and set(value) <= set(known)

    return _check(fits, f"different letters of {known!r}, at least one")


true_or_false = _check(lambda value: isinstance(value, bool), "true or false")
any_text = _check(lambda value: isinstance(value, str), "text")


def whole_numbers(least: float = 0, *, count: int | None = None, each: str = "seat") -> Check:
    """Whole numbers: 20000, [20000, 15000], "20000,15000". With a count, one number stands for all of them.

    Without a count a single number stays single, and `per_seat` expands it once the seats are known.

    >>> whole_numbers(1, count=4, each="round")("bets", "10,10,20,20"), whole_numbers()("stack", 50)
    ((10, 10, 20, 20), 50)
    """

    def check(name: str, value: Any) -> Any:
        if isinstance(value, str):
            try:
                value = [int(word) for word in value.replace(",", " ").split()]
            except ValueError:
                raise BadSetting(f"{name} must be whole numbers; got {_quoted(value)}") from None
            value = value[0] if len(value) == 1 else value
        if not isinstance(value, (int, list, tuple)):
            raise BadSetting(f"{name} must be whole numbers; got {_quoted(value)}")
        if count is not None:
            value = per_seat(name, value, count, each=each)
        if isinstance(value, int):
            return whole(least)(name, value)
        return tuple(whole(least)(f"each of {name}", one) for one in value)

    return check


def one_or_each(check: Check) -> Check:
    """A value that passes the check, or a list of them, one per seat."""

    def check_each(name: str, value: Any) -> Any:
        several = isinstance(value, (list, tuple))
        return tuple(check(f"each of {name}", one) for one in value) if several else check(name, value)

    return check_each


def or_none(check: Check) -> Check:
    """A value that passes the check, or None."""
    return lambda name, value: None if value is None else check(name, value)


def per_seat(name: str, value: Any, count: int, *, each: str = "seat") -> tuple[Any, ...]:
    """Expand a checked setting to one value per seat.

    >>> per_seat("stack", 50, 2), per_seat("stack", (50, 70), 2)
    ((50, 50), (50, 70))
    """
    values = tuple(value) if isinstance(value, (list, tuple)) else (value,)
    if len(values) == 1:
        values *= count
    if len(values) != count:
        raise BadSetting(f"{name} must be one number or {count}, one per {each}; got {len(values)}")
    return values


def named(sentence: str) -> Check:
    """A text that must be given, such as a file; if missing, the sentence says what to write.

    >>> named("name the file")("file", "")
    Traceback (most recent call last):
    pokerlab.errors.BadSetting: name the file
    """

    def check(name: str, value: Any) -> Any:
        if not isinstance(value, str) or not value:
            raise BadSetting(sentence)
        return value

    return check


Share = Annotated[float, number(0, 1)]  # a probability or a fraction
Flag = Annotated[bool, true_or_false]
Text = Annotated[str, any_text]


# ---- declaring -----------------------------------------------------------------------------------------------------


@cache
def _checks(owner: Hashable) -> dict[str, Check]:
    """The checks in the types of a function's parameters or a class's fields."""
    hints = get_type_hints(owner, include_extras=True)
    return {
        name: next(note for note in hint.__metadata__ if callable(note))
        for name, hint in hints.items()
        if hasattr(hint, "__metadata__")
    }


def check_fields(settings: Any, *, of: str = "") -> None:
    """Check the fields of a frozen dataclass by their types; `of` follows each name, as in "bet of round 2"."""
    for name, check in _checks(settings.__class__).items():
        value = getattr(settings, name)
        checked_value = check(name + of, value)
        if checked_value is not value:
            object.__setattr__(settings, name, checked_value)


class Settings:
    """Base of frozen dataclasses of settings: checks the fields and builds the name from them."""

    label = ""  # default: the name of the class
    always_named: tuple[str, ...] = ()  # settings that the name shows even at their defaults

    def __post_init__(self) -> None:
        check_fields(self)

    @cached_property
    def name(self) -> str:
        """The label, with the settings that differ from their defaults."""
        shown = {}
        for field in fields(self):  # type: ignore[arg-type]
            value = getattr(self, field.name)
            if field.default is MISSING or value != field.default or field.name in self.always_named:
                shown[field.name] = value
        return spec_text(self.label or type(self).__name__.lower(), shown)


def checked(function: Callable[P, R]) -> Callable[P, R]:
    """Make a function check its settings by their types before it runs.

    >>> @checked
    ... def algorithm(*, power: Annotated[float, number(0)] = 1.0) -> float:
    ...     return power
    >>> algorithm(power=-1)
    Traceback (most recent call last):
    pokerlab.errors.BadSetting: power must be a number of at least 0; got '-1'
    """
    return _checking(function, inspect.signature(function), lambda bound: bound.args)


def declared(label: str) -> Callable[[Callable[Concatenate[str, P], R]], Callable[P, R]]:
    """Make a function of checked settings from one that takes its own name first.

    >>> @declared("kuhn")
    ... def game(name: str, *, players: Annotated[int, whole(2, 4)] = 2) -> str:
    ...     return name
    >>> game(), game(players=3)
    ('kuhn', 'kuhn(players=3)')
    """

    def declare(function: Callable[Concatenate[str, P], R]) -> Callable[P, R]:
        with_name = inspect.signature(function)
        signature = with_name.replace(parameters=list(with_name.parameters.values())[1:])
        return _checking(
            function, signature, lambda bound: (_settings_text(label, signature, bound.arguments), *bound.args)
        )

    return declare


def _checking(
    function: Callable[..., R], signature: inspect.Signature, positional: Callable[[inspect.BoundArguments], Any]
) -> Callable[P, R]:
    """A function of these settings that fills in defaults and checks them by the types of `function`."""

    @wraps(function)
    def call(*arguments: P.args, **keywords: P.kwargs) -> R:
        bound = signature.bind(*arguments, **keywords)
        bound.apply_defaults()
        for name, check in _checks(function).items():
            bound.arguments[name] = check(name, bound.arguments[name])
        return function(*positional(bound), **bound.kwargs)

    call.__signature__ = signature  # type: ignore[attr-defined]
    return call


def _settings_text(label: str, signature: inspect.Signature, settings: Mapping[str, Any]) -> str:
    """The text of the settings that differ from their defaults; a positional one follows a colon."""
    shown = {name: value for name, value in settings.items() if value != signature.parameters[name].default}
    for name in [*shown]:
        if signature.parameters[name].kind is inspect.Parameter.POSITIONAL_OR_KEYWORD:
            label = f"{label}:{shown.pop(name)}"
    return spec_text(label, shown)
