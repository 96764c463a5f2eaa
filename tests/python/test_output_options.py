# SPDX-License-Identifier: BSD-3-Clause
"""All commands with an option for their output treat each kind of name in the same way.

The options are those that Typer declares (tests/outputs.py): a new command is tested without a line here, and fails if
nothing declares how its output is written.
"""

from __future__ import annotations

import os
import stat
import threading
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.fuzz import made
from tests.outputs import EITHER, FILE, FOLDER, PLAIN_FILE, Declared, Writing, declared, everything, invoke
from tests.python.disks import read_only_folder
from tests.python.writing_commands import COMMANDS
from tests.registered import all_of

INPUTS = {"trace", "baseline", "against", "pages", "recording"}
"""Options that name inputs."""
OTHERS = {"docs": "is for those who work on hypermon; tests/python/test_result_folders.py has its rule"}
"""Commands whose output is not tested here."""
WRITING = (*COMMANDS, *all_of("outputs", "COMMANDS"))
OPTIONS = [one for one in declared() if one.kind]


def name_of(one: object) -> str:
    assert isinstance(one, Declared | Writing)
    return f"{one.command} {one.name if isinstance(one, Declared) else one.option}"


def test_every_path_on_the_command_line_is_an_input_or_an_output() -> None:
    """Options for outputs must be made by hypermon.cli.common.output_file or similar functions."""
    unknown = [one for one in declared() if not one.kind and not one.is_argument and one.name not in INPUTS]
    assert unknown == []


def test_every_command_that_writes_to_files_is_tried() -> None:
    wanted = {name_of(one) for one in OPTIONS if one.kind in (FILE, EITHER) and one.command not in OTHERS}
    wanted -= {name for name in wanted if name.startswith("plot ")} - {
        "plot bursts out"
    }  # all figures are written by the same code
    assert wanted == {name_of(one) for one in WRITING}


# --- names that are refused before any work is done


@pytest.fixture
def place(tmp_path: Path) -> Path:
    """A folder with another user's files."""
    (tmp_path / "folder").mkdir()
    (tmp_path / "folder" / "thesis.tex").write_text("42")
    (tmp_path / "file").write_text("theirs")
    (tmp_path / "link").symlink_to("file")
    (tmp_path / "dangling").symlink_to("nowhere")
    (tmp_path / "to folder").symlink_to("folder")
    os.mkfifo(tmp_path / "pipe")
    return tmp_path


REFUSED = {
    FILE: ("folder", "link", "dangling", "to folder", "no/a.svg", "file/a.svg", "n" * 300, "/dev/fd/987654"),
    PLAIN_FILE: ("folder", "link", "dangling", "to folder", "no/a.vcd", "n" * 300, "pipe", "/dev/null", "-"),
    FOLDER: ("file", "link", "dangling", "to folder", "file/a", "n" * 300, "pipe", "/dev/null", "-", "/dev/stdout"),
}


@pytest.mark.parametrize(
    ("option", "name"),
    [(one, name) for one in OPTIONS for name in REFUSED.get(one.kind, ())],
    ids=lambda one: one[:12] if isinstance(one, str) else name_of(one),
)
def test_a_name_that_cannot_be_written_to_is_refused_and_all_stays(
    place: Path, monkeypatch: pytest.MonkeyPatch, option: Declared, name: str
) -> None:
    monkeypatch.chdir(place)
    before, device = everything(place), Path("/dev/null").stat()
    status, output, error = invoke(*option.words, name)
    assert (status, output) == (2, ""), error
    assert error.startswith("error: ")
    assert error.count("\n") == 1
    assert ("/dev/stdout" if name == "-" else name[:100]) in error
    assert everything(place) == before
    assert stat.S_ISCHR(Path("/dev/null").stat().st_mode)
    assert Path("/dev/null").stat().st_ino == device.st_ino


@pytest.mark.parametrize("option", [one for one in OPTIONS if one.kind in (FILE, PLAIN_FILE)], ids=name_of)
def test_a_read_only_folder_is_named(tmp_path: Path, option: Declared) -> None:
    with read_only_folder(tmp_path / "kept") as folder:
        status, _, error = invoke(*option.words, folder / "a")
    assert (status, error.count("\n")) == (2, 1)
    assert f"error: {folder / 'a'}: cannot be written: the folder {folder}" in error


# --- names that can be written to


@pytest.fixture(scope="module")
def runs(worker: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:  # noqa: ARG001 (makes them)
    """The inputs of the commands, made once."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv(made.FOLDER, str(tmp_path_factory.mktemp("runs")))
        yield


@pytest.fixture
def work(runs: None, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:  # noqa: ARG001 (goes with it)
    monkeypatch.chdir(tmp_path)
    return tmp_path


@pytest.mark.worker
@pytest.mark.parametrize("one", WRITING, ids=name_of)
def test_a_minus_is_standard_output_and_nothing_else_goes_there(
    work: Path, capfd: pytest.CaptureFixture[str], one: Writing
) -> None:
    status, output, error = invoke(*one.words("-"))
    content = capfd.readouterr().out
    assert (status, output) == (0, ""), error
    assert content.startswith(one.begin), content[:100]
    assert [path.name for path in work.iterdir() if path.name not in ("runs", "cache")] == []
    again = invoke(*one.words("/dev/stdout"))
    assert again[0] == 0
    assert capfd.readouterr().out == content or not one.always_same


@pytest.mark.worker
@pytest.mark.parametrize("one", WRITING, ids=name_of)
def test_a_device_and_a_pipe_get_the_content(work: Path, one: Writing) -> None:
    status, _, error = invoke(*one.words("/dev/null"))
    assert status == 0, error
    assert stat.S_ISCHR(Path("/dev/null").lstat().st_mode)
    pipe, got = work / "pipe", []
    os.mkfifo(pipe)
    reader = threading.Thread(target=lambda: got.append(pipe.read_text()))
    reader.start()
    status, _, error = invoke(*one.words(pipe))
    if reader.is_alive() and status:
        pipe.open("w").close()
    reader.join()
    assert status == 0, error
    assert got[0].startswith(one.begin)
    assert stat.S_ISFIFO(pipe.lstat().st_mode)


@pytest.mark.worker
@pytest.mark.parametrize("one", WRITING, ids=name_of)
def test_a_full_disk_is_one_error_with_the_name_and_the_reason(work: Path, one: Writing) -> None:
    status, _, error = invoke(*one.words("/dev/full"))
    assert status == 2
    assert error.splitlines()[-1] == "error: /dev/full: cannot be written: No space left on device"
    assert "Traceback" not in error
    assert [path.name for path in work.iterdir() if path.name not in ("runs", "cache")] == []


@pytest.mark.worker
@pytest.mark.parametrize("one", [one for one in WRITING if one.command in ("timeline", "hdtrace convert")], ids=name_of)
@pytest.mark.parametrize(
    "name", [name for name in REFUSED[FILE] if name != "/dev/fd/987654"], ids=lambda name: name[:12]
)
def test_an_option_for_files_and_folders_refuses_the_same_names(
    runs: None,  # noqa: ARG001 (goes with it)
    place: Path,
    monkeypatch: pytest.MonkeyPatch,
    one: Writing,
    name: str,
) -> None:
    monkeypatch.chdir(place)
    before = everything(place)
    status, output, error = invoke(*one.words(name))
    assert (status, output) == (2, "")
    assert error.startswith("error: ")
    assert name[:100] in error
    assert everything(place) == before


@pytest.mark.worker
def test_only_one_thing_goes_to_standard_output(work: Path) -> None:
    for words, message in (
        (["report", made.run(), "-o", "-", "--open"], "--out and --open: only one of them"),
        (["judge", made.run(), "--plot", "-", "--json"], "--plot and --json: only one of them"),
        (["compare", made.run(), made.run(), "-o", "/dev/fd/1", "--json"], "--out and --json: only one of them"),
    ):
        status, out, error = invoke(*words)
        assert (status, out) == (2, "")
        assert message in error
    assert list(work.iterdir()) == []
