"""The command line: one file a command in cli/, found by name; each imports what it needs only when it runs.

A command file `cli/equity.py` defines a function `command` whose signature is its options and whose docstring is its
help. Errors a user can cause become one sentence on standard error and exit code 2.
"""

from __future__ import annotations

import importlib
import sys
from pathlib import Path
from typing import Any

import typer
from typer.core import TyperGroup

from pokerlab import __version__

_FOLDER = Path(__file__).parent
_ORDER = """demo equity range preflop strength solve compare show verify game size spot browse report
    pushfold vonneumann play match tournament hands replay dealer client paper table""".split()


def command_names() -> list[str]:
    """Every command, in the order people meet them; files not in the order come last."""
    names = [path.stem for path in _FOLDER.glob("*.py") if not path.stem.startswith("_")]
    return sorted(names, key=lambda name: (_ORDER.index(name) if name in _ORDER else len(_ORDER), name))


class _Commands(TyperGroup):
    """A group that imports a command's file when the command is asked for."""

    def list_commands(self, ctx: Any) -> list[str]:
        return command_names()

    def get_command(self, ctx: Any, name: str) -> Any:
        if name not in command_names():
            return None
        module = importlib.import_module(f"pokerlab.cli.{name}")
        single = typer.Typer(add_completion=False, rich_markup_mode="rich")
        single.command(name)(module.command)
        return typer.main.get_command(single)

    def resolve_command(self, ctx: Any, args: list[str]) -> Any:
        from pokerlab.registry import nearest

        if args and args[0] not in command_names():
            word = args[0] if len(args[0]) <= 60 else args[0][:57] + "..."
            ctx.fail(f"there is no command {word!r}; {nearest(args[0], command_names())}")
        return super().resolve_command(ctx, args)


app = typer.Typer(
    cls=_Commands,
    add_completion=False,
    no_args_is_help=True,
    rich_markup_mode="rich",
    pretty_exceptions_enable=False,
    context_settings={"help_option_names": ["-h", "--help"]},
)


def _show_version(wanted: bool) -> None:
    if wanted:
        print(f"pokerlab {__version__}")
        raise typer.Exit


@app.callback()
def _root(
    version: bool = typer.Option(
        False, "--version", callback=_show_version, is_eager=True, help="Show the version and leave."
    ),
) -> None:
    """A laboratory for computer poker: solve games to a measured distance from equilibrium, and play them."""


def main() -> None:
    """Run the command line; every error a user can cause is one sentence and exit code 2."""
    from pokerlab.errors import PokerlabError

    try:
        code = app(standalone_mode=False)
    except PokerlabError as problem:
        _leave(str(problem), 2)
    except typer.Abort:
        _leave("interrupted", 130)
    except KeyboardInterrupt:
        _leave("interrupted", 130)
    except BrokenPipeError:
        sys.stderr.close()
        sys.exit(0)
    except Exception as problem:
        if not hasattr(problem, "format_message"):  # not a mistake in how the command was typed
            raise
        if type(problem).__name__ == "NoArgsIsHelpError":
            print(problem.format_message())
            sys.exit(0)
        context = getattr(problem, "ctx", None)
        where = context.command_path if context else "pokerlab"
        sentence = problem.format_message().rstrip(".")
        _leave(f"{sentence[:1].lower()}{sentence[1:]}; {where} --help tells more", 2)
    sys.exit(code if isinstance(code, int) else 0)


def _leave(sentence: str, code: int) -> None:
    print(f"pokerlab: {sentence}", file=sys.stderr)
    sys.exit(code)
