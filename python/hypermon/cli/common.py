# SPDX-License-Identifier: BSD-3-Clause
"""Common parts of all commands: option types, and the report of errors as one line and an exit status."""

from __future__ import annotations

import contextlib
import dataclasses
import functools
import inspect
import os
import re
import sys
from collections.abc import Callable, Iterable, Iterator, Mapping
from pathlib import Path
from typing import Annotated, Any, ParamSpec, TypeVar, get_type_hints

import typer

from hypermon import _interrupts
from hypermon._printing import say
from hypermon.cli import complete

# Commands import their modules when they are called, so that `hypermon --help` stays fast.

P = ParamSpec("P")
R = TypeVar("R")

ScenarioArgument = Annotated[
    str,
    typer.Argument(
        help="Name of a scenario (see `hypermon scenarios`), or YAML file.", autocompletion=complete.scenario
    ),
]
SetOption = Annotated[
    list[str] | None,
    typer.Option(
        "--set",
        "-s",
        metavar="PATH=VALUE",
        help="Set a parameter, with an optional unit (0.8us). Repeatable.",
        autocompletion=complete.setting,
    ),
]
PresetOption = Annotated[
    list[str] | None,
    typer.Option(
        "--preset", metavar="NAME", help="Set a named group of parameters. Repeatable.", autocompletion=complete.preset
    ),
]
PlatformOption = Annotated[
    str | None,
    typer.Option(
        "--platform",
        metavar="NAME|FILE",
        help="Machine to simulate: a name (see `hypermon platforms`), a .yaml or a .xml file.",
        autocompletion=complete.platform,
    ),
]
NamedMetricOption = Annotated[
    list[str] | None,
    typer.Option(
        "--metric",
        metavar="NAME=EXPR",
        help="Name for a quantity, for use in other options: rate='events / elapsed_s'. Repeatable.",
    ),
]
_NAMED_METRIC = re.compile(r"\s*([A-Za-z_]\w*)\s*=(?!=)\s*(.*)", re.DOTALL)

RecordingArgument = Annotated[
    Path,
    typer.Argument(
        help="Run directory made by `hypermon record`, or its recording.", autocompletion=complete.recording
    ),
]
ResultJsonOption = Annotated[bool, typer.Option("--json", help="Print the result as JSON and nothing else.")]


def output_file(*names: str, **about: Any) -> Any:
    """Makes an option for an output file. `-` is standard output; a device or a pipe is allowed, too."""
    return typer.Option(*names, callback=file_to_write, **about)


def output_plain_file(*names: str, **about: Any) -> Any:
    """Makes an option for an output file that is read back, or has files beside it, so it may not be a stream."""
    return typer.Option(*names, callback=plain_file_to_write, **about)


def output_folder(*names: str, **about: Any) -> Any:
    """Makes an option for an output folder."""
    return typer.Option(*names, callback=folder_to_write, **about)


def output_any(*names: str, **about: Any) -> Any:
    """Makes an option for an output file or folder. The command checks which of them it needs."""
    return typer.Option(*names, callback=anything_to_write, **about)


def out_option(what: str, default: str) -> Any:
    """Makes the option `--out` of a study: a folder for `what`."""
    return output_folder("--out", "-o", help=f"Folder for {what} [default: {default}].", show_default=False)


def file_to_write(ctx: typer.Context, value: Path | None) -> Path | None:
    """Returns the name if the file can be written."""
    from hypermon._files import outputs

    return _to_write(ctx, value, outputs.require)


def plain_file_to_write(ctx: typer.Context, value: Path | None) -> Path | None:
    """Returns the name if the file can be written and read back."""
    from hypermon._files import outputs

    return _to_write(ctx, value, functools.partial(outputs.require, streams=False))


def folder_to_write(ctx: typer.Context, value: Path | None) -> Path | None:
    """Returns the name if it is that of a folder or does not exist."""
    from hypermon._files import outputs

    return _to_write(ctx, value, outputs.require_folder)


def anything_to_write(ctx: typer.Context, value: Path | None) -> Path | None:
    """Returns the name. `-` becomes that of standard output."""
    return _to_write(ctx, value, lambda _: None)


def _to_write(ctx: typer.Context, value: Path | None, check: Callable[[Path], object]) -> Path | None:
    from hypermon._files import outputs
    from hypermon.errors import HypermonError

    if value is None or ctx.resilient_parsing:
        return value
    value = outputs.STANDARD if value == Path("-") else value
    try:
        check(value)
    except HypermonError as error:
        say(f"error: {error}", err=True)
        raise typer.Exit(error.exit_status) from None
    return value


AllOption = Annotated[bool, typer.Option("--all", help="Print all numbers of the run.")]
QuietOption = Annotated[
    bool, typer.Option("--quiet", "-q", help="Do not print what the ranks of your own program write.")
]
ForceOption = Annotated[
    bool, typer.Option("--force", help="Replace the folder, whatever it contains. The deleted files are listed.")
]
JobsOption = Annotated[
    int | None, typer.Option("--jobs", "-j", min=1, help="Number of runs at the same time [default: all CPUs].")
]


@dataclasses.dataclass(frozen=True)
class HardwareOptions:
    """The options that change the hardware of a recording."""

    settings: SetOption = None
    preset: PresetOption = None

    @property
    def values(self) -> dict[str, object]:
        """The values of --set, by path."""
        return settings_of(self.settings)

    @property
    def presets(self) -> list[str]:
        return self.preset or []


@dataclasses.dataclass(frozen=True)
class ParameterOptions(HardwareOptions):
    """The options that choose a scenario's parameters and its machine."""

    platform: PlatformOption = None


def command(function: Callable[P, R]) -> Callable[P, R]:
    """Reports errors as one line on stderr and an exit status.

    A parameter whose type is a dataclass becomes one option for each of its fields.
    """
    function = _with_single_options(function)

    @functools.wraps(function)
    def wrapped(*args: P.args, **kwargs: P.kwargs) -> R:
        from hypermon.errors import HypermonError

        try:
            with _interrupts.Interruptible():
                try:
                    with _standard_output_for(kwargs):
                        result = function(*args, **kwargs)
                    sys.stdout.flush()  # flushed here, where errors are handled
                    return result
                except HypermonError as error:
                    say(f"error: {error}", err=True)
                    raise typer.Exit(error.exit_status) from None
                except BrokenPipeError:  # the reader of the pipe has ended
                    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
                    raise typer.Exit(0) from None
                except OSError as error:
                    say(f"error: {error.filename or 'output'}: {error.strerror or error}", err=True)
                    raise typer.Exit(2) from None
                except (UnicodeEncodeError, UnicodeDecodeError) as error:  # an argument or a file name is not UTF-8
                    what = repr(error.object[max(0, error.start - 40) : error.end + 40])
                    say(f"error: {what}: cannot be written as text: {error}", err=True)
                    raise typer.Exit(2) from None
                except MemoryError as error:
                    reason = f": {error}" if str(error) else ""
                    say(f"error: not enough memory on this machine{reason}", err=True)
                    raise typer.Exit(3) from None
        except KeyboardInterrupt:
            say("interrupted", err=True)
            raise typer.Exit(_interrupts.STATUS) from None

    return wrapped


def _with_single_options(function: Callable[..., R]) -> Callable[..., R]:
    """Replaces the dataclasses among a function's parameters by single options."""
    named = {name: function.__globals__.get(str(of)) for name, of in function.__annotations__.items()}
    groups = {name: of for name, of in named.items() if isinstance(of, type) and dataclasses.is_dataclass(of)}
    if not groups:
        return function
    members = {name: [field.name for field in dataclasses.fields(of)] for name, of in groups.items()}

    @functools.wraps(function)
    def wrapped(**given: Any) -> R:
        made = {name: groups[name](**{each: given.pop(each) for each in members[name]}) for name in groups}
        return function(**made, **given)

    signature = inspect.signature(function, eval_str=True)
    single: list[inspect.Parameter] = []
    for name, one in signature.parameters.items():
        if name in groups:
            hints = get_type_hints(groups[name], include_extras=True)
            for field in dataclasses.fields(groups[name]):
                default = inspect.Parameter.empty if field.default is dataclasses.MISSING else field.default
                single.append(
                    inspect.Parameter(
                        field.name, inspect.Parameter.KEYWORD_ONLY, default=default, annotation=hints[field.name]
                    )
                )
        elif one.kind is inspect.Parameter.VAR_KEYWORD:
            single.append(one)
        else:
            single.append(one.replace(kind=inspect.Parameter.KEYWORD_ONLY))
    wrapped.__annotations__ = {one.name: one.annotation for one in single}
    vars(wrapped)["__signature__"] = signature.replace(parameters=single)
    return wrapped


@contextlib.contextmanager
def _standard_output_for(options: Mapping[str, object]) -> Iterator[None]:
    """Sends a command's messages to standard error, if one of its output files is standard output."""
    from hypermon._files import outputs
    from hypermon.errors import UserError

    taken = [name for name, value in options.items() if isinstance(value, Path) and outputs.is_standard(value)]
    if not taken:
        yield
        return
    taken += [flag for flag in ("as_json", "as_csv", "show") if options.get(flag)]
    if len(taken) > 1:
        named = [f"--{name.removeprefix('as_').replace('_', '-')}" for name in taken]
        named = ["--open" if name == "--show" else name for name in named]
        raise UserError(f"{' and '.join(named)}: only one of them when a file goes to standard output")
    with contextlib.redirect_stdout(sys.stderr):
        yield


def echo_rows(rows: Iterable[Mapping[Any, Any]]) -> None:
    """Prints rows one by one, with the same text as `json.dumps(rows, indent=1)`."""
    import json

    begin = "[\n"
    for row in rows:
        lines = json.dumps(row, indent=1).replace("\n", "\n ")  # only between tokens: JSON escapes line breaks in texts
        say(f"{begin} {lines}", end="", flush=False)
        begin = ",\n"
    say("[]" if begin == "[\n" else "\n]")


def with_options(
    function: Callable[..., R], options: Mapping[str, Any], instead: Mapping[str, Any] | None = None
) -> Callable[..., R]:
    """Replaces `**` of a command by further options, given by name with their annotations. Their default is None.

    `instead`: annotations for existing parameters that depend on the monitors.
    """

    @functools.wraps(function)
    def wrapped(*args: Any, **kwargs: Any) -> R:
        return function(*args, **kwargs)

    signature = inspect.signature(function, eval_str=True)
    known = [one for one in signature.parameters.values() if one.kind is not inspect.Parameter.VAR_KEYWORD]
    own = [one.replace(annotation=(instead or {}).get(one.name, one.annotation)) for one in known]
    further = [
        inspect.Parameter(name, inspect.Parameter.KEYWORD_ONLY, default=None, annotation=of)
        for name, of in options.items()
    ]
    wrapped.__annotations__ = {one.name: one.annotation for one in (*own, *further)}
    vars(wrapped)["__signature__"] = signature.replace(parameters=[*own, *further])
    return wrapped


def settings_of(pairs: list[str] | None) -> dict[str, object]:
    from hypermon.errors import UserError

    chosen: dict[str, object] = {}
    for pair in pairs or ():
        path, equals, value = pair.partition("=")
        if not equals or not path.strip() or not value.strip():
            raise UserError(f"--set {pair}: must be PATH=VALUE")
        chosen[path.strip()] = value.strip()
    return chosen


def named_metrics(given: list[str] | None) -> dict[str, str]:
    """Reads the values of NamedMetricOption: expressions by name."""
    from hypermon.errors import UserError

    found: dict[str, str] = {}
    for text in given or ():
        match = _NAMED_METRIC.fullmatch(text)
        if match is None or not match[2].strip():
            raise UserError(f"--metric {text}: must be NAME=EXPR, such as rate='events / elapsed_s'")
        if match[1] in found:
            raise UserError(f"--metric {text}: {match[1]} is given twice")
        found[match[1]] = match[2].strip()
    return found


def metrics_of(given: list[str] | None) -> list[str]:
    """Reads metrics of which some have a name: NAME=EXPR or EXPR."""
    from hypermon._model.metrics import Named

    matches = [(text, _NAMED_METRIC.fullmatch(text)) for text in given or ()]
    named = named_metrics([text for text, match in matches if match])
    return [Named(match[1], named[match[1]]) if match else text for text, match in matches]


def jobs_of(jobs: int | None) -> int:
    return jobs or os.cpu_count() or 1
