# SPDX-License-Identifier: BSD-3-Clause
"""Names for outputs: regular files are replaced as a whole, streams get the content at the end, and everything else is
refused.
"""

from __future__ import annotations

import os
import socket
import stat
import subprocess
import sys
import threading
from collections.abc import Iterator
from pathlib import Path

import pytest

from hypermon._files import files, outputs
from hypermon.errors import UserError
from tests.python.disks import read_only_folder, small_disk


def write(path: Path, text: str = "new") -> None:
    with files.writing(path) as part:
        part.write_text(text)


def names(folder: Path) -> list[str]:
    return sorted(path.name for path in folder.iterdir())


def test_a_regular_file_is_replaced_with_its_permissions(tmp_path: Path) -> None:
    file = tmp_path / "a.html"
    write(file, "old")
    file.chmod(0o640)
    write(file)
    assert (file.read_text(), stat.S_IMODE(file.stat().st_mode), names(tmp_path)) == ("new", 0o640, ["a.html"])


def test_a_new_file_has_the_permissions_of_any_new_file(tmp_path: Path) -> None:
    write(tmp_path / "ours")
    (tmp_path / "theirs").touch()
    assert (tmp_path / "ours").stat().st_mode == (tmp_path / "theirs").stat().st_mode


def test_a_device_stays_a_device(tmp_path: Path) -> None:
    before = Path("/dev/null").stat()
    write(Path("/dev/null"))
    assert Path("/dev/null").stat().st_rdev == before.st_rdev
    with pytest.raises(UserError, match=r"^/dev/full: cannot be written: No space left on device$"):
        write(Path("/dev/full"))
    if os.geteuid() == 0:
        own = tmp_path / "null"
        os.mknod(own, 0o600 | stat.S_IFCHR, os.makedev(1, 3))
        write(own)
        assert stat.S_ISCHR(own.lstat().st_mode)
    assert names(tmp_path) in ([], ["null"])


def test_a_pipe_gets_the_content(tmp_path: Path) -> None:
    pipe, got = tmp_path / "pipe", []
    os.mkfifo(pipe)
    reader = threading.Thread(target=lambda: got.append(pipe.read_text()))
    reader.start()
    write(pipe, "x" * 100_000)
    reader.join()
    assert (got, stat.S_ISFIFO(pipe.lstat().st_mode), names(tmp_path)) == (["x" * 100_000], True, ["pipe"])


def test_a_pipe_that_nobody_reads_yet_is_waited_for(tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    writer = threading.Thread(target=write, args=(pipe,))
    writer.start()
    while "waits for a reader of the pipe" not in capfd.readouterr().err:
        assert writer.is_alive()
    assert pipe.read_text() == "new"
    writer.join()


@pytest.mark.parametrize("name", ["/dev/stdout", "/dev/fd/1", "/proc/self/fd/1"])
def test_standard_output_is_written_at_its_end_whatever_it_is(tmp_path: Path, name: str) -> None:
    """A file that the shell has opened is neither replaced by renaming nor truncated."""
    program = f"""
import sys
from pathlib import Path
from hypermon._files import files
print("before")
with files.writing(Path({name!r})) as part:
    part.write_text("content\\n")
print("after")
"""
    with (tmp_path / "file").open("w") as file:
        subprocess.run([sys.executable, "-c", program], stdout=file, check=True)
    assert (tmp_path / "file").read_text() == "before\ncontent\nafter\n"
    piped = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    assert piped.stdout == "before\ncontent\nafter\n"


def test_an_open_file_of_this_process_is_written_to(tmp_path: Path) -> None:
    """The file is named as a shell's `>(command)` does."""
    read, written = os.pipe()
    write(Path(f"/dev/fd/{written}"))
    os.close(written)
    with os.fdopen(read) as got:
        assert got.read() == "new"
    with pytest.raises(UserError, match=r"^/dev/fd/987654: cannot be written: Bad file descriptor$"):
        write(Path("/dev/fd/987654"))
    assert names(tmp_path) == []


def test_links_are_refused_and_what_they_lead_to_stays(tmp_path: Path) -> None:
    target = tmp_path / "target"
    target.write_text("theirs")
    for name, leads_to in (("file", target), ("dangling", tmp_path / "nowhere"), ("folder", tmp_path)):
        link = tmp_path / name
        link.symlink_to(leads_to)
        with pytest.raises(UserError, match=rf"{name}: is a link to .*{leads_to.name}; name a file itself"):
            write(link)
        assert link.is_symlink()
    assert (target.read_text(), (tmp_path / "nowhere").exists()) == ("theirs", False)


def refusals(folder: Path) -> Iterator[tuple[Path, str]]:
    """Names that cannot be written to, with the reason."""
    (folder / "folder").mkdir()
    yield folder / "folder", "is a folder; name a file"
    yield folder, "is a folder; name a file"
    (folder / "file").write_text("theirs")
    yield folder / "file" / "a", "cannot be written: Not a directory"
    yield folder / "no" / "a", f"cannot be written: there is no folder {folder / 'no'}"
    yield folder / ("n" * 256), "cannot be written: File name too long"
    yield folder / "nul\0l", "cannot be written: "
    with socket.socket(socket.AF_UNIX) as made:
        made.bind(os.path.relpath(folder / "socket"))
    yield folder / "socket", "is a socket; name a file"
    if os.geteuid() == 0:
        os.mknod(folder / "disk", 0o600 | stat.S_IFBLK, os.makedev(7, 200))
        yield folder / "disk", "is a disk; name a file"
    else:
        (folder / "file").chmod(0o400)
        yield folder / "file", "cannot be written: it is write-protected"


def test_what_is_no_file_is_refused_before_and_while_it_is_written(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    for path, why in refusals(tmp_path):
        before = names(tmp_path)
        for attempt in (outputs.require, write):
            with pytest.raises(UserError) as refused:
                attempt(path)
            assert why in str(refused.value)
            assert path.name.partition("\0")[0][:100] in str(refused.value)
        assert names(tmp_path) == before
    assert (tmp_path / "file").read_text() == "theirs"


def test_a_folder_that_is_read_only_is_named(tmp_path: Path) -> None:
    with read_only_folder(tmp_path / "kept") as folder:
        for attempt in (outputs.require, write):
            with pytest.raises(
                UserError, match=r"kept/a: cannot be written: the folder .*kept (is read-only|refuses it)"
            ):
                attempt(folder / "a")


def test_names_of_any_length_can_be_written(tmp_path: Path) -> None:
    """Temporary names are short enough for the system whenever the name itself is."""
    for name in ("n" * 255, "ü" * 127, "a\nb"):
        write(tmp_path / name)
        assert names(tmp_path) == [name]
        (tmp_path / name).unlink()


def test_a_full_disk_leaves_what_was_there(tmp_path: Path) -> None:
    with small_disk(tmp_path / "disk", 64 << 10) as disk:
        write(disk / "a", "old")
        with pytest.raises(UserError, match=r"disk/a: cannot be written: No space left on device$"):
            write(disk / "a", "x" * (1 << 20))
        assert ((disk / "a").read_text(), names(disk)) == ("old", ["a"])


def test_a_full_temporary_folder_is_named_where_a_stream_needs_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    import tempfile

    with small_disk(tmp_path / "disk", 16 << 10) as disk:
        monkeypatch.setattr(tempfile, "tempdir", str(disk))
        with pytest.raises(UserError, match=r"disk: cannot be written: No space left on device$"):
            write(Path("/dev/null"), "x" * (1 << 20))
        assert names(disk) == []


def test_a_temporary_name_is_taken_by_nobody_else(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Even if the temporary name were known, an existing file must not be opened, and no link followed."""
    monkeypatch.setattr(os, "urandom", lambda count: bytes(count))
    outside = tmp_path / "outside"
    outside.write_text("theirs")
    place = tmp_path / "place"
    place.mkdir()
    planted = place / f".a.partial-{os.getpid()}-00000000"
    planted.symlink_to(outside)
    with pytest.raises(UserError, match="cannot be written: File exists"):
        write(place / "a")
    assert (outside.read_text(), names(place)) == ("theirs", [planted.name])


def test_nothing_is_renamed_over_what_came_meanwhile(tmp_path: Path) -> None:
    """A link that appears while the file is written is neither replaced nor followed."""
    outside = tmp_path / "outside"
    outside.write_text("theirs")

    def race() -> None:
        with files.writing(tmp_path / "a") as part:
            part.write_text("new")
            (tmp_path / "a").symlink_to(outside)

    with pytest.raises(UserError, match="a: is a link to"):
        race()
    assert (outside.read_text(), (tmp_path / "a").is_symlink()) == ("theirs", True)
