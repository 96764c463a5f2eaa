# SPDX-License-Identifier: BSD-3-Clause
"""The files of a folder that count, and the digest of all of them (hypermon._files.folders)."""

from __future__ import annotations

import os
import subprocess
from pathlib import Path

import pytest

from hypermon._files import folders
from hypermon._model import schema
from hypermon.errors import UserError


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    made = tmp_path / "app"
    (made / "src").mkdir(parents=True)
    (made / "src" / "main.c").write_text("int main(void) { return 0; }\n")
    (made / "input.txt").write_text("1\n")
    (made / "last").symlink_to("input.txt")
    return made


def names(folder: Path, sources: bool = False) -> list[str]:
    return [entry.name for entry in folders.entries(folder, sources)]


def test_a_folders_digest_is_of_names_contents_links_and_permissions_to_execute(folder: Path) -> None:
    seen = {folders.digest(folder)}
    os.utime(folder / "input.txt", (0, 0))
    assert folders.digest(folder) in seen  # not of times
    for change in (
        "echo 2 > input.txt",
        "mv input.txt other.txt",
        "chmod +x other.txt",
        "ln -sf other.txt last",
    ):
        subprocess.run(change, shell=True, cwd=folder, check=True)
        assert folders.digest(folder) not in seen
        seen.add(folders.digest(folder))


def test_version_control_and_what_hypermon_wrote_do_not_count(folder: Path) -> None:
    before = folders.digest(folder)
    written = {
        ".git/config": "x",
        "runs/app-0/result.json": "{}",
        "runs/app-0/spec.json": "{}",
        "runs/app-0-failed/stdout/rank0.txt": "x",
        "runs/.app-1.partial-12/spec.json": "{}",
        "runs/sweep-app/manifest.json": "{}",
        "runs/sweep-app/SHA256SUMS": "",
    }
    for name, text in written.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(text)
    assert folders.digest(folder) == before
    (folder / "runs" / "input.txt").write_text("x")  # the user's own files beside them
    assert "runs/input.txt" in names(folder)


def test_of_what_is_built_an_earlier_build_does_not_count_but_libraries_do(folder: Path) -> None:
    elf = b"\x7fELF" + bytes(60)
    made = {"main.o": elf, "app": elf, "libmain.a": b"!<arch>\n", "m.mod": b"x", "CMakeCache.txt": b"x"}
    made |= {"CMakeFiles/x": b"x", "build/Makefile": b"# CMAKE generated file: DO NOT EDIT!\n", "config.status": b"x"}
    kept = {"libblas.so.3": elf, "Makefile": b"all:\n", "Makefile.am": b""}
    for name, content in (made | kept).items():
        (folder / name).parent.mkdir(exist_ok=True)
        (folder / name).write_bytes(content)
    assert set(names(folder)) - set(names(folder, sources=True)) == set(made)
    (folder / "Makefile.in").write_text("")  # together with config.status it shows that configure made the Makefile
    assert "Makefile" not in names(folder, sources=True)


def test_a_copy_is_the_same_folder_with_its_times_and_may_lie_over_another(folder: Path, tmp_path: Path) -> None:
    os.utime(folder / "input.txt", (1000, 1000))
    copy = tmp_path / "copy"
    copy.mkdir()
    (copy / "input.txt").write_text("other")
    (copy / "more.txt").write_text("stays")
    folders.copy(folder, copy)
    assert (copy / "input.txt").stat().st_mtime == 1000
    assert (copy / "last").readlink() == Path("input.txt")
    (copy / "more.txt").unlink()
    assert folders.digest(copy) == folders.digest(folder)


def test_a_link_out_of_a_folder_is_what_it_leads_to_and_no_other_folder(folder: Path, tmp_path: Path) -> None:
    (tmp_path / "outside.txt").write_text("before")
    (folder / "out").symlink_to("../outside.txt")
    before = folders.digest(folder)
    (tmp_path / "outside.txt").write_text("after!")
    assert folders.digest(folder) != before
    (folder / "up").symlink_to("..")
    with pytest.raises(UserError, match=r"app/up: leads out of .*app to another folder, must be in it"):
        folders.digest(folder)


def test_a_folder_that_cannot_be_meant_is_refused(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(folders, "MOST_FILES", 2)
    with pytest.raises(
        UserError, match=r"program.folder = .*app: has more than 2 files .* is it the folder .*\(here\)"
    ):
        folders.resolve("program.folder", folder, "here")
    with pytest.raises(UserError, match=r"program.folder = .*main.c: must be a folder"):
        folders.resolve("program.folder", folder / "src/main.c", "here")
    with pytest.raises(UserError, match=r"program.folder = .*nowhere: cannot be read: No such file"):
        folders.resolve("program.folder", folder / "nowhere", "here")


def test_variables_are_given_whole_or_one_by_one_and_one_holds_over_the_whole() -> None:
    from hypermon._model import assignments

    whole = assignments.whole("program.environment", "B='two words' A=1 B=3", "")
    assert whole == "A=1 B=3"
    single: dict[str, int | float | str] = {"program.environment.B": "four 4", "program.environment.C": "", "nodes": 4}
    assert assignments.folded({"program.environment": whole, **single}) == {
        "program.environment": "A=1 'B=four 4' C=",
        "nodes": 4,
    }
    assert schema.common_path("program.environment.B") == "program.environment"
    for wrong, message in (("A", "A must be NAME=value"), ("1A=2", "1A= must be"), ("A='", "No closing quotation")):
        with pytest.raises(UserError, match=rf"program.environment = .*{message}.*\(here\)"):
            assignments.whole("program.environment", wrong, "here")
