# SPDX-License-Identifier: BSD-3-Clause
"""Commands that write into folders with any content must change only their own files.

Here the bytes of a fuzz input are not read as a file: they choose the content of the folder, the command and the name
of its output.
"""

from __future__ import annotations

import os
import random
import shutil
import socket
import stat
import subprocess
import threading
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack, chdir, contextmanager
from pathlib import Path
from typing import TypeVar

from hypermon._engine import runner
from hypermon._files import results
from hypermon.errors import UserError
from tests.fuzz import made
from tests.outputs import everything, invoke
from tests.python.writing_commands import COMMANDS, SET, project
from tests.registered import all_of

T = TypeVar("T")
NAMES = ("a", "b.svg", "b.html", "c.csv", "d")
OUTPUTS = (
    *NAMES,
    "-",
    "/dev/null",
    "/dev/stdout",
    "/dev/full",
    "no/a.svg",
    "b.svg/a",
    "",
    ".",
    "..",
    "n" * 300,
    "d/x.svg",
)
EARLIER = ("run", "run with notes", "sweep", "sweep with notes")
THINGS = (
    "nothing", "nothing", "file", "folder", "empty folder", "link to file", "link to folder", "dangling link", "pipe",
    "device", "socket", "write-protected file", *EARLIER,
)  # fmt: skip
SLOW = {"calibrate", "check", "judge", "tradeoffs"}
"""Commands that are too slow to be tried with files."""


class Choices:
    """Choices made by the bytes of a file. After its last byte the first choice is taken each time."""

    def __init__(self, content: bytes) -> None:
        self._left = iter(content)

    def pick(self, choices: Sequence[T]) -> T:
        return choices[next(self._left, 0) % len(choices)]


def choices(_: Path) -> list[bytes]:
    """The same random choices each time."""
    r = random.Random(1)
    return [bytes(r.randrange(256) for _ in range(24)) for _ in range(8)]


def files(file: Path) -> str:
    """A command with an option for a file."""
    chosen = Choices(file.read_bytes())
    commands = [one for one in (*COMMANDS, *all_of("outputs", "COMMANDS")) if one.command not in SLOW]
    one = chosen.pick(commands)
    name = chosen.pick(OUTPUTS)
    return _tried(chosen, lambda: one.words(name), name, force=False, adds=False)


def folders(file: Path) -> str:
    """Runs a command that writes a folder, with or without `--force`."""
    chosen = Choices(file.read_bytes())
    kind, force, name = chosen.pick(("run", "sweep", "otf2")), chosen.pick((False, True)), chosen.pick(OUTPUTS)
    words: dict[str, Callable[[], list[object]]] = {
        "run": lambda: ["run", made.SCENARIO, *SET],
        "sweep": lambda: ["sweep", made.SCENARIO, *SET, "--vary", "node.tick_ms=8", "--metric", "elapsed_s", "-j", 1],
        "otf2": lambda: ["timeline", project(), "--format", "otf2"],
    }
    tried = lambda: [*words[kind](), "--out", name, *(["--force"] if force else [])]  # noqa: E731
    return _tried(chosen, tried, name, force, adds=kind == "sweep")


def _tried(chosen: Choices, words: Callable[[], list[object]], name: str, force: bool, adds: bool) -> str:
    """Outcome of a command. With `adds`, the command must never delete anything in a folder."""
    command = words()  # also makes the command's inputs
    with made.scratch() as work, ExitStack() as living:
        place = work / "place"
        things = _furnish(work, chosen, living)
        before = everything(work)
        with chdir(place):
            status, _, error = invoke(*command)
        after = everything(work)
        thing = things.get(name, "")
        out = "" if name in ("", ".", "..", "-") or name[0] == "/" else _within(work, place / name)
        _judge(before, after, out, thing, status, force=force, adds=adds)
    if status:
        lines = [line for line in error.splitlines() if line.startswith("error: ")]
        assert (status, len(lines)) == (2, 1), error
        raise UserError(lines[0].replace(str(work), "") or "refused")
    return f"{command[0]} {name} {thing}"


def _within(work: Path, path: Path) -> str:
    """The path relative to `work`. A link above the output is followed, because the user named it."""
    return str((path.parent.resolve() / path.name).relative_to(work.resolve()))


def _furnish(work: Path, chosen: Choices, living: ExitStack) -> dict[str, str]:
    """Puts another user's files into the folder `place` and beside it. Returns what is there, by name."""
    place, outside = work / "place", work / "outside"
    for folder in (place, outside, outside / "folder"):
        folder.mkdir()
        (folder / "thesis.tex").write_text("42")
    things = {name: chosen.pick(THINGS) for name in NAMES}
    for name, thing in things.items():
        _put(place / name, thing, outside, living)
        match chosen.pick(("nothing", "link", "of the dead", "of the living", "link of the dead")):
            case "link":
                (place / f".{name}.partial").symlink_to(outside / "thesis.tex")
            case "of the dead":
                (place / f".{name}.partial-{_dead()}-0123abcd").write_text("half")
            case "of the living":
                (place / f".{name}.partial-1-0123abcd").write_text("half")
            case "link of the dead":
                (place / f".{name}.partial-{_dead()}-0123abcd").symlink_to(outside)
    return things


def _put(path: Path, thing: str, outside: Path, living: ExitStack) -> None:
    match thing:
        case "file" | "write-protected file":
            path.write_text("theirs")
            path.chmod(0o444 if thing != "file" else 0o644)
        case "folder" | "empty folder":
            path.mkdir()
            if thing == "folder":
                (path / "thesis.tex").write_text("42")
        case "link to file":
            path.symlink_to(outside / "thesis.tex")
        case "link to folder":
            path.symlink_to(outside / "folder")
        case "dangling link":
            path.symlink_to(outside / "new")
        case "pipe":
            os.mkfifo(path)
            living.enter_context(_drained(path))
        case "device":
            if os.geteuid() == 0:
                os.mknod(path, 0o666 | stat.S_IFCHR, os.makedev(1, 3))
        case "socket":
            with chdir(path.parent):
                living.enter_context(socket.socket(socket.AF_UNIX)).bind(path.name)
    if thing in EARLIER:
        shutil.copytree(made.run() if thing.startswith("run") else made.swept(), path)
        if thing.endswith("notes"):
            (path / "notes.txt").write_text("mine")


@contextmanager
def _drained(pipe: Path) -> Iterator[None]:
    """Somebody reads whatever is written to the pipe."""
    opened = os.open(pipe, os.O_RDWR)
    done = threading.Event()

    def read() -> None:
        while not done.is_set():
            os.read(opened, 1 << 16)

    reader = threading.Thread(target=read, daemon=True)
    reader.start()
    try:
        yield
    finally:
        done.set()
        os.write(opened, b"end")
        reader.join()
        os.close(opened)


def _dead() -> int:
    """The number of a process that has ended."""
    with subprocess.Popen(["true"]) as process:
        process.wait()
    return process.pid


def _judge(
    before: dict[str, tuple[object, ...]],
    after: dict[str, tuple[object, ...]],
    out: str,
    thing: str,
    status: int,
    *,
    force: bool,
    adds: bool,
) -> None:
    """Fails if the command changed anything but its own output."""
    assert status in (0, 2), status
    theirs = ("file", "empty folder", "run", "sweep", *(("write-protected file",) if os.geteuid() == 0 else ()))
    may_go = thing in theirs or (force and not adds)
    for path, was in before.items():
        is_output = bool(out) and (path == out or path.startswith(f"{out}/"))
        if is_output and status == 0 and may_go:
            continue
        is_left = Path(path).name.endswith("-0123abcd") and ".partial-1-" not in path and was[0] == stat.S_IFREG
        same = after.get(path) == was or (is_left and path not in after)
        if is_output and thing in ("pipe", "device", "socket"):
            same = after.get(path, (None,))[0] == was[0]
        if is_output and adds and thing.startswith("sweep") and not path.endswith("notes.txt"):
            continue
        assert same, f"{path} is not what it was"
    for path in after.keys() - before.keys():
        is_above = out.startswith(f"{path}/")
        beside = f"{out.rpartition('.')[0]}-timeline."
        is_output = bool(out) and (path == out or path.startswith((f"{out}/", beside)) or is_above)
        assert is_output, f"{path} was left there"
        assert status == 0, f"{path} was left there by a command that failed"


def list_(file: Path) -> str:
    """Reads a folder's list of results; any content of the list must give an answer."""
    with made.scratch() as work:
        (work / "notes.txt").write_text("mine")
        (work / "result.json").write_text("{}")
        (work / results.LIST).write_bytes(file.read_bytes())
        return repr(results.foreign(work, runner.RUN, ("recording.arrow",)))


def lists(_: Path) -> list[bytes]:
    return [(made.run() / results.LIST).read_bytes()]
