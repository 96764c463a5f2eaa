# SPDX-License-Identifier: BSD-3-Clause
"""What all of the command line has in common: the program itself, without its commands."""

from __future__ import annotations

import contextlib
import copy
import sys
from collections.abc import Callable, Iterator
from typing import Annotated, Any

import typer
from typer.core import TyperGroup

from hypermon._printing import escaped, say

MARKUP: Any = "rich" if sys.stdout.isatty() else None


class Commands(TyperGroup):
    """The program: what is said of wrong options and arguments shows control characters in them as escapes."""

    def make_context(self, *args: Any, **kwargs: Any) -> Any:
        with _escaped_errors():
            return super().make_context(*args, **kwargs)

    def invoke(self, ctx: Any) -> Any:
        with _escaped_errors():
            return super().invoke(ctx)


@contextlib.contextmanager
def _escaped_errors() -> Iterator[None]:
    try:
        yield
    except Exception as error:
        if hasattr(error, "format_message"):  # Click's, which Typer has as its own in newer versions
            said: Any = error
            said.message = escaped(str(said.message))
        raise


def made() -> typer.Typer:
    """The program, to which commands are added."""
    app = typer.Typer(
        cls=Commands,
        help="What would a performance monitor lose, and what would it slow down? "
        "Simulates real MPI programs on a parallel machine under observation.",
        epilog="Exit status: 0; 1 an expectation failed; 2 a mistake in the input; 3 the simulation failed; "
        "130 interrupted; 143 terminated.",
        no_args_is_help=True,
        pretty_exceptions_enable=False,
        rich_markup_mode=MARKUP,
        context_settings={"help_option_names": ["-h", "--help"]},
    )
    app.callback()(_options)
    return app


def listed(app: typer.Typer) -> typer.Typer:
    """The same with its commands as `hypermon --help` names them, without their options: these take longer than all
    else of it.
    """
    alone = made()
    alone.registered_commands = [_named(info) for info in app.registered_commands]
    alone.registered_groups = [_without_commands(info) for info in app.registered_groups]
    return alone


def _named(info: Any) -> Any:
    """Of a command."""
    named = copy.copy(info)
    named.callback = _nothing(info.callback)
    return named


def _without_commands(info: Any) -> Any:
    """Of a group of commands."""
    named = copy.copy(info)
    named.typer_instance = copy.copy(info.typer_instance)
    named.typer_instance.registered_commands = []
    named.typer_instance.registered_groups = []
    return named


def _nothing(function: Callable[..., Any]) -> Callable[[], None]:
    """By its name, with its description."""

    def nothing() -> None: ...

    nothing.__name__, nothing.__doc__ = function.__name__, function.__doc__
    return nothing


def _version(wanted: bool) -> None:
    if wanted:
        from hypermon.cli import version

        say(version.text())
        raise typer.Exit()


def _options(
    version: Annotated[
        bool, typer.Option("--version", callback=_version, is_eager=True, help="Print the version.")
    ] = False,
) -> None:
    pass
