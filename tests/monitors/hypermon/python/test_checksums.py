# SPDX-License-Identifier: BSD-3-Clause
"""Damage is noticed, inputs are never destroyed, and a path that is no file or does not fit the disk gives one error."""

from __future__ import annotations

import errno
import functools
import json
import os
import resource
import socket
import subprocess
import sys
from pathlib import Path

import pytest
from typer.testing import CliRunner

import hypermon as package
from hypermon._engine import recorder, recording, runner
from hypermon._engine.recording import Recording
from hypermon._files import files, sums
from hypermon._model.result import RESULT, Result
from hypermon.cli.app import app
from hypermon.errors import DamagedError, UserError
from hypermon.monitors.hypermon import replaying
from tests.python.little_place import LITTLE, SCENARIO

pytestmark = pytest.mark.worker


@pytest.fixture(scope="module")
def recorded(worker: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:  # noqa: ARG001 (makes it)
    out = tmp_path_factory.mktemp("recorded") / "run"
    recorder.record(SCENARIO, settings=LITTLE | {"place.attempts": 150, "place.accepted": 20}, out=out)
    return out


KEPT = [f"--set={path}={value}" for path, value in LITTLE.items() if not path.startswith("place.a")]  # 2 MB of frames


def refusal(*arguments: str) -> str:
    """The command's output, which must be exactly one user error."""
    done = CliRunner().invoke(app, arguments)
    assert done.exit_code == 2, (arguments, done.output, done.exception)
    assert done.output.startswith("error: "), (arguments, done.output)
    assert done.output.count("\n") == 1, (arguments, done.output)
    return done.output


def content(folder: Path) -> dict[str, bytes]:
    return {str(path.relative_to(folder)): path.read_bytes() for path in sorted(folder.rglob("*")) if path.is_file()}


def test_a_changed_bit_of_a_recording_is_noticed(recorded: Path, tmp_path: Path) -> None:
    whole = (recorded / recording.FILE).read_bytes()
    wanted = replaying.replay(recorded).text
    damaged = 0
    for place in range(0, 8 * len(whole), 8 * len(whole) // 200):
        changed = bytearray(whole)
        changed[place // 8] ^= 1 << place % 8
        (tmp_path / recording.FILE).write_bytes(changed)
        try:
            assert replaying.replay(tmp_path).text == wanted  # damages a byte whose value nothing uses
        except DamagedError:
            damaged += 1
    assert damaged > 100


def test_every_view_of_a_recording_is_checked(recorded: Path, tmp_path: Path) -> None:
    changed = bytearray((recorded / recording.FILE).read_bytes())
    changed[len(changed) // 2] ^= 1  # damages the only batch
    (tmp_path / recording.FILE).write_bytes(changed)
    opened = Recording(tmp_path)
    for read in (opened.to_arrow, opened.to_pandas, opened.verify, lambda: list(opened.batches())):
        with pytest.raises(DamagedError, match=r"recording\.arrow: is damaged: the checksum of batch 0 is another"):
            read()


def test_a_batch_in_another_s_place_is_noticed(tmp_path: Path) -> None:
    import pyarrow as pa

    path = tmp_path / "long.csv"
    path.write_text("time,node,datum\n" + "\n".join(f"{i * 100000},0,1" for i in range(70000)))
    source = package.record(
        "bandwidth/one_node", settings={"workload": "stream", "stream.file": str(path)}, out=tmp_path / "run"
    )
    reader = pa.ipc.open_file(str(source.path))
    batches = [reader.get_batch_with_custom_metadata(i) for i in range(reader.num_record_batches)]
    assert len(batches) > 1
    for order, message in ((batches[::-1], "batch 0"), (batches[:-1], "not all of its batches")):
        with pa.ipc.new_file(str(tmp_path / recording.FILE), reader.schema) as writer:
            for batch, metadata in order:
                writer.write_batch(batch, custom_metadata=dict(metadata))
        with pytest.raises(DamagedError, match=message):
            Recording(tmp_path).verify()


def test_a_file_that_the_checksums_leave_out_is_damaged(tmp_path: Path) -> None:
    for name in ("listed", "unlisted"):
        (tmp_path / name).write_text(name)
    sums.write(tmp_path, ["listed"])
    assert sums.read(tmp_path, "listed", "again") == b"listed"
    with pytest.raises(DamagedError, match=r"unlisted: is damaged: its checksum is not that in SHA256SUMS; again$"):
        sums.read(tmp_path, "unlisted", "again")


def test_a_result_that_was_changed_is_refused_by_name(recorded: Path, tmp_path: Path) -> None:
    out = replaying.replay(recorded, out=tmp_path / "run").path
    assert subprocess.run(["sha256sum", "-c", "SHA256SUMS"], cwd=out, check=False, capture_output=True).returncode == 0
    changed = json.loads((out / RESULT).read_text()) | {"events": 7}
    (out / RESULT).write_text(json.dumps(changed))
    with pytest.raises(
        DamagedError, match=r"result\.json: is damaged: its checksum is not that in SHA256SUMS; run aga"
    ):
        Result(out).to_dict()
    (out / "SHA256SUMS").unlink()
    assert Result(out)["events"] == 7  # files of hypermon-sim alone, or of another version, are read without checksums


@pytest.mark.parametrize("out", ["run", ".", "run/recording.arrow"])
def test_a_replay_does_not_replace_its_recording(
    recorded: Path, out: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    replaying.replay(recorded, out=tmp_path / "run")  # the folder is one that hypermon may replace
    (tmp_path / "run" / recording.FILE).write_bytes((recorded / recording.FILE).read_bytes())
    (tmp_path / RESULT).write_text("{}")
    monkeypatch.chdir(tmp_path)
    before = content(tmp_path)
    assert refusal("replay", "run", "-o", out).startswith(f"error: {out}: ")
    assert content(tmp_path) == before


def test_no_command_replaces_what_it_reads(recorded: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    runner.simulate(Recording(recorded).spec, Path("run"))
    Path("run/recording.arrow").write_bytes((recorded / recording.FILE).read_bytes())
    Path("run/own.yaml").write_text("question: Own?\nbase: bandwidth/one_node\n")
    Path("run/a.txt").write_text("0 init\n0 compute 1e6\n")
    Path("strobes.npy").write_bytes(b"")
    Path("run/events.csv").write_text("time,node,datum\n1,0,1\n")
    before = content(tmp_path)
    for arguments in (
        ("run", "run/own.yaml", "--out", "run"),
        ("record", "run/own.yaml", "--out", "run"),
        ("run", "table2/place", "--script-out", "run/own.yaml", "--platform", "run/own.yaml"),
        ("report", "run", "-o", "run/result.json"),
        ("timeline", "run", "-o", "run/recording.arrow"),
        ("timeline", "run", "-o", "run/result.json"),
        ("capture", "strobes.npy", "--frames", "strobes.npy"),
        ("import", "ti", "run/a.txt", "-o", "run/a.txt", "--flops-per-s", "1e9"),
        ("import", "stream", "run/events.csv", "-o", "run"),
        ("check", "run/own.yaml", "--junit", "run/own.yaml"),
    ):
        refusal(*arguments)
        assert content(tmp_path) == before, arguments


def test_what_is_no_file_is_refused_before_it_is_opened(tmp_path: Path) -> None:
    for suffix in ("csv", "npy", "parquet", "yaml", "arrow", "hmf", "script"):
        os.mkfifo(tmp_path / f"pipe.{suffix}")
    (tmp_path / "run").mkdir()
    os.mkfifo(tmp_path / "run" / RESULT)
    with socket.socket(socket.AF_UNIX) as bound:
        bound.bind(str(tmp_path / "socket"))
        for arguments in (
            ("import", "stream", "/dev/zero"),
            ("import", "ti", "/dev/zero", "-o", "a", "--flops-per-s", "1"),
            ("replay", "/dev/zero"),
            ("replay", str(tmp_path / "pipe.arrow")),
            ("replay", str(tmp_path / "socket")),
            ("capture", str(tmp_path / "pipe.csv")),
            ("capture", str(tmp_path / "pipe.npy")),
            ("import", "stream", str(tmp_path / "pipe.parquet")),
            ("frames", str(tmp_path / "pipe.hmf")),
            ("frames", str(tmp_path)),
            ("run", "--trace", str(tmp_path / "pipe.script")),
            ("report", str(tmp_path / "run")),
        ):
            refusal(*arguments)


def fill_the_disk(path: Path) -> None:
    with files.writing(path) as partial:
        partial.write_text("half")
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))  # as write() raises it: without a file name


def test_a_full_disk_is_an_error_that_names_the_file(
    recorded: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with pytest.raises(UserError, match=r"a\.html: cannot be written: No space left on device"):
        fill_the_disk(tmp_path / "a.html")
    assert list(tmp_path.iterdir()) == []
    # A limit on the size of files acts like a full disk, in this process and in the worker.
    monkeypatch.chdir(tmp_path)
    code = "import signal, sys; signal.signal(signal.SIGXFSZ, signal.SIG_IGN); from hypermon.cli import main; main()"
    for arguments, size in (
        (["replay", str(recorded), "-o", "out"], 4096),
        (["run", SCENARIO, *KEPT, "--set=drain.keep_frames=true", "--out", "out"], 1 << 20),  # the program fits
        (["timeline", str(recorded), "-o", "a.perfetto"], 4096),
    ):
        done = subprocess.run(
            [sys.executable, "-c", code, *arguments],
            capture_output=True,
            text=True,
            check=False,
            preexec_fn=functools.partial(resource.setrlimit, resource.RLIMIT_FSIZE, (size, size)),
        )
        assert done.returncode in (2, 3), (arguments, done.stderr)
        assert "cannot be written" in done.stderr, (arguments, done.stderr)
        assert str(arguments[-1]) in done.stderr, (arguments, done.stderr)
        assert done.stderr.count("\n") == 1
        assert list(tmp_path.iterdir()) == []
