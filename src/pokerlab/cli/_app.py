"""The Typer application, which imports the file of a command when it is called."""

from __future__ import annotations

import importlib
import inspect
from functools import wraps
from typing import Annotated, Any

import typer
from typer.core import TyperCommand, TyperGroup

from pokerlab.cli import command_names, overview, summaries
from pokerlab.cli._completion import help_words
from pokerlab.cli._options import Json, with_new_names
from pokerlab.version import __version__


class _Commands(TyperGroup):
    """A group that imports the file of a command when it is called."""

    def list_commands(self, ctx: Any) -> list[str]:
        return command_names()

    def get_command(self, ctx: Any, name: str) -> Any:
        if name == "help":
            return _single(name, _help)
        if name not in command_names():
            return None
        return _single(name, command_function(name))

    def shell_complete(self, ctx: Any, incomplete: str) -> Any:
        """The names of commands, without importing them."""
        names = _CommandNames(params=self.params)
        return names.shell_complete(type(ctx)(names, resilient_parsing=True), incomplete)

    def resolve_command(self, ctx: Any, args: list[str]) -> Any:
        from pokerlab.errors import shortened
        from pokerlab.registry import nearest

        if args and args[0] not in (*command_names(), "help"):
            word = shortened(args[0])
            ctx.fail(f"there is no command {word!r}; {nearest(args[0], command_names())}")
        return super().resolve_command(ctx, args)


class _Command(TyperCommand):
    """A command that also takes earlier spellings of its options."""

    def parse_args(self, ctx: Any, args: list[str]) -> list[str]:
        parsed: list[str] = super().parse_args(ctx, with_new_names(str(self.name), args))
        return parsed

    def format_help(self, ctx: Any, formatter: Any) -> None:
        """Write the help of the command's function."""
        from pokerlab.cli._help import help_for_terminal

        name = str(self.name)
        formatter.write(help_for_terminal(name, _help if name == "help" else command_function(name)))


class _CommandNames(TyperGroup):
    """Names and summaries of the commands, for shell completion."""

    def list_commands(self, ctx: Any) -> list[str]:
        return [*command_names(), "help"]

    def get_command(self, ctx: Any, name: str) -> Any:
        return TyperCommand(name, help=dict(summaries()).get(name, "Show the help of a command or topic."))


def command_function(name: str) -> Any:
    """The function of a command, with the option --json, which every command has."""
    command = importlib.import_module(f"pokerlab.cli.{name}").command

    @wraps(command)
    def with_json(*, as_json: bool, **options: Any) -> None:  # the option itself redirects standard output
        try:
            command(**options)
        except KeyboardInterrupt as problem:
            from pokerlab.errors import PokerlabError
            from pokerlab.own_code import error_with_line, is_ctrl_c

            if is_ctrl_c(problem):
                raise
            raise PokerlabError(f"stopped by {error_with_line(problem)}") from problem

    signature = inspect.signature(command, eval_str=True)
    json_option = inspect.Parameter("as_json", inspect.Parameter.KEYWORD_ONLY, default=False, annotation=Json)
    with_json.__annotations__ = command.__annotations__ | {"as_json": Json}
    with_json.__signature__ = signature.replace(parameters=[*signature.parameters.values(), json_option])  # type: ignore[attr-defined]
    return with_json


def _single(name: str, function: Any) -> Any:
    single = typer.Typer(add_completion=False, rich_markup_mode="rich")
    single.command(name, cls=_Command)(function)
    return typer.main.get_command(single)


def _help(
    name: Annotated[
        str | None, typer.Argument(metavar="COMMAND|TOPIC", autocompletion=help_words, show_default=False)
    ] = None,
) -> None:
    """Show the help of a command or a topic; without a name, list both."""
    from pokerlab.cli._topics import TOPICS, topic_text
    from pokerlab.errors import BadSetting, shortened
    from pokerlab.registry import nearest

    if name in (None, "help"):
        print(overview())
    elif name in TOPICS:
        print(topic_text(str(name)))
    elif name in command_names():
        app([str(name), "--help"], prog_name="pokerlab", standalone_mode=False)
    else:
        hint = nearest(str(name), [*command_names(), *TOPICS])
        raise BadSetting(f"there is no help on {shortened(str(name))!r}; {hint}")


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
        False, "--version", callback=_show_version, is_eager=True, help="Show the version and exit."
    ),
) -> None:
    """A laboratory for computer poker: solve games to a measured distance from equilibrium, and play them."""
