# SPDX-License-Identifier: BSD-3-Clause
"""The program `hypermon` without its commands."""

from __future__ import annotations

import contextlib
import copy
import sys
from collections.abc import Callable, Iterable, Iterator
from typing import Annotated, Any

import typer
from typer.core import TyperGroup

from hypermon._printing import say

MARKUP: Any = "rich" if sys.stdout.isatty() else None
GROUPS = {
    "Run": {
        "run": "Run a scenario or your own MPI program.",
        "check": "Compare results of scenarios with their expectations.",
        "record": "Run, and record the nodes' events for replays.",
        "replay": "Send a recorded run through other hardware.",
        "calibrate": "Measure the time of your program's code on this host.",
    },
    "Explore designs": {
        "explore": "Change a recording's hardware with sliders on a page.",
        "sweep": "Run over ranges of parameters.",
        "size": "Find the smallest buffer that meets your targets.",
        "tradeoffs": "Find the designs that no other design beats.",
        "compare": "Compare runs, or designs over several programs.",
    },
    "Examine results": {
        "report": "Write a page about a run or a sweep.",
        "plot": "Draw a figure for a paper.",
        "timeline": "Show a run's states and events on one time axis.",
        "truth": "Compare a monitor's timestamps with the true times.",
        "judge": "Compare what a monitor showed with what happened.",
        "diagnose": "Find out why a run is slow.",
    },
    "Monitors": {},
    "Data": {
        "scenarios": "List the scenarios and their questions.",
        "platforms": "List the machines.",
        "params": "Describe parameters, result keys and events.",
        "counters": "List the counters that monitors may read.",
        "events": "Show an event catalogue.",
        "import": "Convert a trace that was recorded elsewhere.",
    },
}
"""The groups of commands in `hypermon --help`, with descriptions. Commands of monitors are added to their group."""
OTHERS = "Further commands"


class Commands(TyperGroup):
    """The program: its commands in groups, and one style for all errors."""

    def make_context(self, *args: Any, **kwargs: Any) -> Any:
        with _errors_in_our_style():
            return super().make_context(*args, **kwargs)

    def invoke(self, ctx: Any) -> Any:
        with _errors_in_our_style():
            return super().invoke(ctx)

    def list_commands(self, ctx: Any) -> list[str]:
        """The names of all commands, group by group."""
        order = [name for commands in GROUPS.values() for name in commands]
        groups = [*GROUPS, OTHERS]

        def place(name: str) -> tuple[int, int]:
            return groups.index(_group_of(self.commands[name])), order.index(name) if name in order else len(order)

        return sorted(super().list_commands(ctx), key=place)

    def format_commands(self, ctx: Any, formatter: Any) -> None:
        """Writes the commands without Rich."""
        shown = [(name, self.commands[name]) for name in self.list_commands(ctx)]
        shown = [(name, one) for name, one in shown if not one.hidden]
        limit = formatter.width - 6 - max(len(name) for name, _ in shown)
        for group in (*GROUPS, OTHERS):
            rows = [(name, one.get_short_help_str(limit)) for name, one in shown if _group_of(one) == group]
            if rows:
                with formatter.section(group):
                    formatter.write_dl(rows)


def _group_of(command: Any) -> str:
    group = getattr(command, "rich_help_panel", None)
    return group if group in GROUPS else OTHERS


def group(app: typer.Typer, of_monitors: Iterable[str]) -> None:
    """Puts the commands of the whole program into their groups."""
    known = {name: (title, description) for title, commands in GROUPS.items() for name, description in commands.items()}
    known |= dict.fromkeys(of_monitors, ("Monitors", ""))
    infos: list[Any] = [*app.registered_commands, *app.registered_groups]
    for info in infos:
        title, description = known.get(_name(info), (OTHERS, ""))
        info.rich_help_panel = title
        info.short_help = description or info.short_help


def _name(info: Any) -> str:
    return str(info.name or info.callback.__name__.replace("_", "-"))


@contextlib.contextmanager
def _errors_in_our_style() -> Iterator[None]:
    """Prints Click's errors about options and arguments as one line, like all other errors."""
    try:
        yield
    except Exception as error:
        found: Any = error  # a class of Click, or of newer versions of Typer
        if not hasattr(error, "format_message") or type(error).__name__ == "NoArgsIsHelpError":
            raise
        message = str(found.format_message()).rstrip(".")
        of = getattr(found, "ctx", None)
        see = f"; see {of.command_path} --help" if of is not None else ""
        say(f"error: {message[:1].lower()}{message[1:]}{see}", err=True)
        raise typer.Exit(found.exit_code) from None


def make_app() -> typer.Typer:
    """Makes the program, to which commands are added."""
    app = typer.Typer(
        cls=Commands,
        help="What would a performance monitor lose, and how much would it slow a program down? "
        "Simulates real MPI programs on a parallel machine under observation.",
        epilog="Exit status: 0 success; 1 an expectation failed; 2 a mistake in the input; 3 the simulation failed; "
        "130 interrupted; 143 terminated.",
        no_args_is_help=True,
        pretty_exceptions_enable=False,
        rich_markup_mode=MARKUP,
        context_settings={"help_option_names": ["-h", "--help"]},
    )
    app.callback()(_options)
    return app


def listed(app: typer.Typer) -> typer.Typer:
    """Returns the program for `hypermon --help`, whose commands have no options, since making these is slow."""
    alone = make_app()
    alone.registered_commands = [_named(info) for info in app.registered_commands]
    alone.registered_groups = [_without_commands(info) for info in app.registered_groups]
    return alone


def _named(info: Any) -> Any:
    """Returns a command without its options."""
    named = copy.copy(info)
    named.callback = _nothing(info.callback)
    return named


def _without_commands(info: Any) -> Any:
    """Returns a group without its commands."""
    named = copy.copy(info)
    named.typer_instance = copy.copy(info.typer_instance)
    named.typer_instance.registered_commands = []
    named.typer_instance.registered_groups = []
    return named


def _nothing(function: Callable[..., Any]) -> Callable[[], None]:
    """Returns an empty function with the same name and description."""

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
