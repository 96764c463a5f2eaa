# SPDX-License-Identifier: BSD-3-Clause
"""No command overwrites recordings or waves of another, and a folder from elsewhere leads to no other place."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest

import hypermon as package
from hypermon.errors import UserError
from tests.conftest import Hypermon
from tests.fuzz import made
from tests.monitors.hypermon.fuzzing.made import run as recorded_run
from tests.outputs import everything, invoke
from tests.python.disks import small_disk
from tests.python.writing_commands import SET

pytestmark = pytest.mark.worker
RECORD = ["table2/place", *SET, "--set", "monitor=hypermon"]


@pytest.fixture(scope="module")
def kept(worker: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:  # noqa: ARG001 (records)
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv(made.FOLDER, str(tmp_path_factory.mktemp("runs")))
        yield recorded_run()


@pytest.fixture
def sent(kept: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A recording in a folder from elsewhere."""
    shutil.copytree(kept, tmp_path / "sent")
    (tmp_path / "mine").mkdir()
    (tmp_path / "mine" / "thesis.tex").write_text("42")
    monkeypatch.chdir(tmp_path)
    return tmp_path / "sent"


PLANTED = {
    ".waves.gtkw.partial": "../mine/thesis.tex",
    ".waves.vcd.partial": "../mine/thesis.tex",
    "waves.gtkw": "../mine/thesis.tex",
    "waves.vcd": "../mine/new",
    "waves.names": "../mine",
}


@pytest.mark.parametrize("name", PLANTED)
@pytest.mark.parametrize("force", [False, True])
def test_waves_follow_no_link(sent: Path, hypermon: Hypermon, name: str, force: bool) -> None:
    (sent / name).symlink_to(PLANTED[name])
    done = hypermon("waves", "sent", "--window", "0s..1ms", *(["--force"] if force else []))
    assert everything(Path("mine")) == {"thesis.tex": everything(Path("mine"))["thesis.tex"]}
    assert Path("mine/thesis.tex").read_text() == "42"
    assert (sent / name).is_symlink()
    if name.endswith(".partial"):
        assert done.returncode == 0
    else:
        assert (done.returncode, done.stderr.count("\n")) == (2, 1)
        assert name in done.stderr


def test_files_of_names_are_not_replaced_unless_asked(sent: Path, hypermon: Hypermon) -> None:
    (sent / "waves.names").mkdir()
    (sent / "waves.names" / "status.txt").write_text("mine")
    (sent / "waves.names" / "notes.txt").write_text("mine")
    refused = hypermon("waves", "sent", "--window", "0s..1ms")
    assert (refused.returncode, refused.stderr.count("\n")) == (2, 1)
    assert "waves.names: exists" in refused.stderr
    assert (sent / "waves.names" / "status.txt").read_text() == "mine"
    assert hypermon("waves", "sent", "--window", "0s..1ms", "--force").returncode == 0
    assert (sent / "waves.names" / "notes.txt").read_text() == "mine"


def test_a_run_does_not_delete_a_recording_or_waves(sent: Path, hypermon: Hypermon) -> None:
    assert hypermon("run", *RECORD, "--out", "sent").stderr.startswith("error: sent: contains more than a run: ")
    assert hypermon("record", *RECORD, "--out", "own").returncode == 0
    assert hypermon("record", *RECORD, "--out", "own").returncode == 0
    refused = hypermon("run", *RECORD, "--out", "own")
    assert (refused.returncode, (Path("own") / "recording.arrow").is_file()) == (2, True)
    assert "contains more than a run: recording.arrow;" in refused.stderr
    assert hypermon("waves", "own", "--window", "0s..1ms").returncode == 0
    for command in ("record", "run"):
        refused = hypermon(command, *RECORD, "--out", "own")
        assert refused.returncode == 2
        assert "waves.gtkw" in refused.stderr
        assert "waves.vcd" in refused.stderr
    replayed = hypermon("replay", "sent", "--out", "own")
    assert replayed.returncode == 2
    forced = hypermon("run", *RECORD, "--out", "own", "--force")
    assert forced.returncode == 0
    assert "own: is replaced; deleted with it: recording.arrow, waves.gtkw, waves.names/, waves.vcd" in forced.stderr
    assert sent.is_dir()


def test_a_recording_replaces_a_run(sent: Path, hypermon: Hypermon) -> None:
    assert hypermon("run", *RECORD, "--out", "own").returncode == 0
    assert hypermon("record", *RECORD, "--out", "own").returncode == 0
    assert sent.is_dir()


def test_a_run_with_waves_replaces_itself(sent: Path, hypermon: Hypermon) -> None:
    waves = (*RECORD, "--wave-window", "0s..1ms", "--out", "own")
    for _ in range(2):
        done = hypermon("run", *waves)
        assert done.returncode == 0, done.stderr
        assert {"waves.vcd", "waves.gtkw"} <= {path.name for path in Path("own").iterdir()}
    refused = hypermon("run", *RECORD, "--out", "own")
    assert refused.returncode == 2
    assert "contains more than a run: waves.gtkw, waves.names/, waves.vcd;" in refused.stderr
    assert sent.is_dir()


def test_python_functions_have_force(sent: Path) -> None:
    for write in (
        lambda force: package.replay("sent", out="own", force=force),
        lambda force: package.record("table2/place", settings=made.SETTINGS, out="own", force=force),
    ):
        write(False)
        (Path("own") / "notes.txt").write_text("mine")
        with pytest.raises(UserError, match=r"own: contains more than a run: notes\.txt"):
            write(False)
        write(True)
    assert sent.is_dir()


@pytest.mark.parametrize("room", [4, 12, 40, 100])
def test_a_full_disk_is_named_and_nothing_is_half_written(sent: Path, tmp_path: Path, room: int) -> None:
    """With each of these amounts of free space (KB), the commands fail at different points."""
    with small_disk(tmp_path / "disk", room << 10) as disk:
        for command in (
            ["waves", "sent", "--window", "0s..", "-o", "disk/w.vcd"],
            ["waves", "sent", "--window", "0s..", "-o", "disk/w.fst"],
            ["timeline", "sent", "--format", "otf2", "-o", "disk/t"],
            ["timeline", "sent", "-o", "disk/t.html"],
            ["record", *RECORD, "--set", "drain.keep_frames=true", "--out", "disk/r"],
            ["replay", "sent", "--set", "drain.keep_frames=true", "--out", "disk/r"],
            ["run", *RECORD, "--set", "drain.keep_frames=true", "--wave-window", "0s..1s", "--out", "disk/r"],
            ["run", *RECORD, "--out", "own", "--force", "--script-out", "disk/s.script"],
            ["plot", "occupancy", "sent", "-o", "disk/p.pdf"],
        ):
            if command[0] == "waves" and command[-1].endswith("fst") and shutil.which("vcd2fst") is None:
                continue
            status, _, error = invoke(*command)
            if status == 0:  # there was enough room
                for path in disk.iterdir():
                    shutil.rmtree(path) if path.is_dir() else path.unlink()
                continue
            lines = error.splitlines()
            assert status in (2, 3), error
            assert lines[-1].startswith("error: "), error
            assert "disk/" in lines[-1], lines
            assert "No space left on device" in lines[-1], lines
            assert ".partial-" not in error
            assert list(disk.iterdir()) == [], command
    assert sent.is_dir()
