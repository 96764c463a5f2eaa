# SPDX-License-Identifier: BSD-3-Clause
"""Every option of the command line that names an output, as Typer declares it, and commands that can write there.

A monitor lists those of its own commands as COMMANDS in `tests/monitors/<name>/outputs.py`.
"""

from __future__ import annotations

import functools
import os
import stat
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any, NamedTuple

from typer import testing
from typer.main import get_command
from typer.utils import get_params_from_function

from hypermon.cli import common
from hypermon.cli.app import app

FILE, PLAIN_FILE, FOLDER, EITHER = "file", "plain file", "folder", "either"
KINDS = {
    common.file_to_write: FILE,
    common.plain_file_to_write: PLAIN_FILE,
    common.folder_to_write: FOLDER,
    common.anything_to_write: EITHER,
}


class Declared(NamedTuple):
    """An option, or an argument, that takes a path."""

    command: str
    name: str
    kind: str
    """Kind of an output; empty for an input."""
    is_argument: bool

    @property
    def words(self) -> list[str]:
        """The words before the name of the output."""
        return [*self.command.split(), *([] if self.is_argument else [f"--{self.name.replace('_', '-')}"])]


@dataclass(frozen=True)
class Writing:
    """A command that writes to an option's output.

    Attributes:
        command: Words of the command.
        arguments: Its other arguments.
        begin: First characters of an output on standard output.
        option: Name of the output's option.
    """

    command: str
    arguments: Callable[[], list[object]]
    begin: str
    option: str = "out"
    always_same: bool = True

    def words(self, out: object) -> list[str]:
        """The command line that writes to `out`."""
        command_words = [*self.command.split(), *self.arguments(), f"--{self.option}", out]
        return [str(word) for word in command_words]


def invoke(*words: object) -> tuple[int, str, str]:
    """Exit status, standard output and standard error of a command that runs in this process. It must end with a
    status.
    """
    before, testing._get_command = testing._get_command, _BUILT  # type: ignore[attr-defined]
    try:
        done = testing.CliRunner().invoke(app, [str(word) for word in words])
    finally:
        testing._get_command = before  # type: ignore[attr-defined]
    assert done.exception is None or isinstance(done.exception, SystemExit), done.exception
    return done.exit_code, done.stdout, done.stderr


_BUILT = functools.cache(get_command)
"""Building the command line takes longer than most commands that are tried."""


def declared() -> list[Declared]:
    """All options and arguments that take a path."""
    return list(_of(app, ()))


def _of(typer: Any, words: tuple[str, ...]) -> Iterator[Declared]:
    for info in typer.registered_commands:
        command = " ".join((*words, info.name or info.callback.__name__.replace("_", "-")))
        for parameter in get_params_from_function(info.callback).values():
            if "Path" in str(parameter.annotation):
                about = parameter.default
                kind = KINDS.get(about.callback, "")
                yield Declared(command, parameter.name, kind, type(about).__name__ == "ArgumentInfo")
    for group in typer.registered_groups:
        name = group.name or group.typer_instance.info.name
        yield from _of(group.typer_instance, (*words, name))


def everything(folder: Path) -> dict[str, tuple[object, ...]]:
    """The content of the folder: kind and content of each name."""
    found: dict[str, tuple[object, ...]] = {}
    for at, inner, names in os.walk(folder):
        for path in (Path(at) / name for name in (*inner, *names)):
            status = path.lstat()
            content: object = path.readlink() if path.is_symlink() else None
            if stat.S_ISREG(status.st_mode):
                content = path.read_bytes()
            found[str(path.relative_to(folder))] = (stat.S_IFMT(status.st_mode), content)
    return found
