# SPDX-License-Identifier: BSD-3-Clause
"""Common parts of the commands that run programs: `[SCENARIO] [--program FILE...] [--np N] [-- ARGUMENTS]`."""

from __future__ import annotations

import os
import shlex
import stat
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Annotated, Any

import typer
from typer.core import TyperCommand

from hypermon._printing import passing_on, say
from hypermon.cli import complete
from hypermon.cli.common import ParameterOptions

if TYPE_CHECKING:
    from hypermon._inputs.scenario import Scenario
    from hypermon._model.spec import Spec

TargetsArgument = Annotated[
    list[str] | None,
    typer.Argument(
        metavar="[SCENARIO] [-- ARGUMENT...]",
        help="Name of a scenario (see `hypermon scenarios`), or YAML file.",
        autocompletion=complete.scenario,
    ),
]
ProgramOption = Annotated[
    list[str] | None,
    typer.Option(
        "--program",
        metavar="FILE...",
        help="Your own MPI program instead of the scenario's: C, C++ or Fortran sources, a folder that make, CMake or "
        "configure builds, or a shared object built by smpicc. Its arguments come after `--`.",
    ),
]
NpOption = Annotated[
    int | None, typer.Option("--np", "-n", min=1, help="Number of ranks, one per node. Same as --set nodes=N.")
]
CflagsOption = Annotated[
    str | None, typer.Option("--cflags", help="Further compiler options. Same as --set program.cflags=...")
]
MakeOption = Annotated[
    str | None,
    typer.Option(
        "--make",
        metavar="WORDS",
        help="Arguments of a folder's build (targets, NAME=VALUE). Same as --set program.make=...",
    ),
]
RootOption = Annotated[
    str | None,
    typer.Option(
        "--root",
        metavar="DIR",
        help="Folder above the program's folder that its build also needs. Same as --set program.root=...",
    ),
]
_ARGUMENTS = "--program-arguments"
ArgumentsOption = Annotated[str | None, typer.Option(_ARGUMENTS, hidden=True)]


class ProgramCommand(TyperCommand):
    """The words after `--` are the program's arguments; `--show-output` without a value shows all ranks."""

    def parse_args(self, ctx: Any, args: list[str]) -> list[str]:  # Typer's context, or Click's before Typer had one
        rest: list[str] = []
        if "--" in args:
            at = args.index("--")
            args, rest = args[:at], [_ARGUMENTS, shlex.join(args[at + 1 :])]
        words: list[str] = []
        for i, word in enumerate(args):
            of_all = word == "--show-output" and not "".join(args[i + 1 : i + 2]).isdecimal()
            words += [word, "all"] if of_all else [word]
        return super().parse_args(ctx, words + rest)


@dataclass(frozen=True)
class _Program:
    """Options that select a program."""

    targets: TargetsArgument = None
    program: ProgramOption = None
    np: NpOption = None
    cflags: CflagsOption = None
    make: MakeOption = None
    root: RootOption = None
    arguments: ArgumentsOption = None


@dataclass(frozen=True)
class ProgramOptions(ParameterOptions, _Program):
    """Options that select what is run: a scenario or a program, its parameters and its machine."""

    def named(self) -> tuple[str, ...]:
        """Returns the files and folders in the options, which no output may replace."""
        return (*(self.targets or ()), *(self.program or ()), *((self.platform,) if self.platform else ()))

    def words(self, command: str) -> list[str]:
        """Returns the command line with the same choice."""
        from hypermon._inputs import programs

        sources = [word for word in self.targets or () if self.program and programs.is_source(word)]
        words = ["hypermon", command, *(word for word in self.targets or () if word not in sources)]
        for option, values in (("--program", [*(self.program or ()), *sources]), ("--set", self.settings)):
            words += [word for value in values or () for word in (option, value)]
        words += [word for name in self.presets for word in ("--preset", name)]
        single = {"--np": self.np, "--cflags": self.cflags, "--make": self.make, "--root": self.root}
        for option, value in {**single, "--platform": self.platform}.items():
            words += [option, str(value)] if value is not None else []
        return [*words, "--", *shlex.split(self.arguments)] if self.arguments else words

    def scenario(self) -> tuple[Scenario, dict[str, object]]:
        """Like `scenario_or_none`, but raises a UserError if there is nothing to run."""
        from hypermon.errors import UserError

        found, given = self.scenario_or_none()
        if found is None:
            raise UserError("nothing to run: name a SCENARIO (see `hypermon scenarios`), or give a --program")
        return found, given

    def scenario_or_none(self) -> tuple[Scenario | None, dict[str, object]]:
        """Returns the scenario, or an empty one for a program alone, or None; and all settings by path."""
        from hypermon._inputs import programs
        from hypermon._inputs import scenario as scenarios
        from hypermon.errors import UserError

        for file in self.program or ():
            if not os.path.exists(os.path.expanduser(file)):  # noqa: PTH110, PTH111 (Path raises for some names)
                raise UserError(f"{programs.FILE} = {file}: cannot be read: No such file or directory", "--program")
        targets = self.targets or []
        files = [*(self.program or ()), *(word for word in targets if self.program and programs.is_source(word))]
        names = [word for word in targets if word not in files]
        if len(names) > 1:
            raise UserError(f"{names[1]}: one SCENARIO only; a program's arguments come after --")
        given = self.values
        if files:
            given |= {"workload": "program", programs.FILE: files}
        single = {
            programs.ARGUMENTS: self.arguments,
            "nodes": self.np,
            programs.CFLAGS: self.cflags,
            programs.MAKE: self.make,
            programs.ROOT: self.root,
        }
        given |= {path: value for path, value in single.items() if value is not None}
        if names:
            return scenarios.find_one(names[0]), given
        return scenarios.of_program(given[programs.FILE]) if programs.FILE in given else None, given


def output_of_ranks(spec: Spec, quiet: bool, as_json: bool) -> Callable[[str, bytes], None] | None:
    """Returns a function that prints the output of the user's program, like mpirun. None: it is not wanted.

    `as_json`: standard output is reserved for the result, so the output goes to standard error.
    """
    if quiet or spec.values.get("workload") != "program":
        return None
    streams = {"stdout": passing_on(err=as_json), "stderr": passing_on(err=True)}
    return lambda stream, data: streams[stream](data)


def warn_of_input(values: Mapping[str, object]) -> None:
    """Warns that programs do not read the command's standard input, if it has data."""
    if values.get("workload") != "program" or values.get("program.input") or not _waits_on_input():
        return
    say("warning: the program does not read standard input: --set program.input=FILE gives it to rank 0", err=True)


def warn_without_effect(spec: Spec, settings: Iterable[str]) -> None:
    """Warns of parameters of --set that have no effect in this run."""
    from hypermon._model import worker

    for path, because in worker.without_effect(spec, settings):
        say(f"warning: {path} has no effect with {because} (--set)", err=True)


def _waits_on_input() -> bool:
    """Is standard input a file or a pipe with something to read?"""
    try:
        status = os.fstat(0)
        if stat.S_ISREG(status.st_mode):
            return os.lseek(0, 0, os.SEEK_CUR) < status.st_size
        return stat.S_ISFIFO(status.st_mode) and _bytes_in_pipe() > 0
    except (OSError, ValueError):
        return False


def _bytes_in_pipe() -> int:
    import array
    import fcntl
    import termios

    count = array.array("i", [0])
    fcntl.ioctl(0, termios.FIONREAD, count)
    return count[0]
