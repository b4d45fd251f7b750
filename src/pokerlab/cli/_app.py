"""The Typer application: it imports a command's file when the command is asked for."""

from __future__ import annotations

import importlib
from typing import Any

import typer
from typer.core import TyperGroup

from pokerlab.cli import command_names
from pokerlab.version import __version__


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
        from pokerlab.errors import shortened
        from pokerlab.registry import nearest

        if args and args[0] not in command_names():
            word = shortened(args[0])
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
