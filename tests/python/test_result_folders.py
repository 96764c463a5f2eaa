# SPDX-License-Identifier: BSD-3-Clause
"""Folders of results replace earlier results of their kind, and anything else only on request."""

from __future__ import annotations

import json
import os
import stat
from collections.abc import Callable
from pathlib import Path

import pytest

import hypermon as package
from hypermon._engine import runner, sweeping
from hypermon._files import results
from hypermon.errors import UserError
from tests.conftest import Hypermon
from tests.python.disks import small_disk

KIND = results.Kind("a test", "result", ("old.*",))


def write(out: Path, *names: str, force: bool = False, lost: tuple[str, ...] = ()) -> None:
    with results.whole_folder(out, KIND, force=force, lost=lost) as folder:
        for name in ("result", *names):
            path = folder / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text("new")


def everything(folder: Path) -> dict[str, str]:
    """Contents of files by name."""
    files = (path for path in folder.rglob("*") if path.is_file() and not path.is_symlink())
    return {str(path.relative_to(folder)): path.read_text() for path in files if path.name != results.LIST}


@pytest.fixture
def out(tmp_path: Path) -> Path:
    write(tmp_path / "out", "files/a", "files/deep/b")
    return tmp_path / "out"


def test_an_earlier_result_is_replaced(out: Path) -> None:
    write(out, "c")
    assert everything(out) == {"result": "new", "c": "new"}
    assert [path.name for path in out.parent.iterdir()] == ["out"]


@pytest.mark.parametrize(
    "name", ["notes.txt", "files/deep/notes.txt", "files/mine/notes.txt", "mine/notes.txt", "a\nb"]
)
def test_what_was_not_written_with_it_stays(out: Path, name: str) -> None:
    (out / name).parent.mkdir(exist_ok=True)
    (out / name).write_text("mine")
    before = everything(out)
    shown = name if "/mine/" not in f"/{name}" else f"{name.rpartition('/')[0]}/"
    with pytest.raises(UserError) as refused:
        write(out)
    assert str(refused.value) == (
        f"{out}: contains more than a test: {shown}; choose another path (--out), or replace it (--force)"
    )
    assert everything(out) == before
    assert [path.name for path in out.parent.iterdir()] == ["out"]


def test_what_goes_with_force_is_named(out: Path, caplog: pytest.LogCaptureFixture) -> None:
    for name in ("notes.txt", "files/more"):
        (out / name).write_text("mine")
    (out / "link").symlink_to("/etc")
    write(out, force=True)
    assert caplog.messages == [f"{out}: is replaced; deleted with it: files/more, link, notes.txt"]
    assert everything(out) == {"result": "new"}
    write(out, force=True)
    assert len(caplog.messages) == 1  # no other file was deleted


def test_a_link_in_a_result_is_somebody_elses(out: Path, tmp_path: Path) -> None:
    outside = tmp_path / "outside"
    outside.mkdir()
    (outside / "thesis.tex").write_text("42")
    (out / "files" / "link").symlink_to(outside)
    with pytest.raises(UserError, match=r"contains more than a test: files/link;"):
        write(out)
    write(out, force=True)
    assert (outside / "thesis.tex").read_text() == "42"


def test_many_foreign_things_are_counted(out: Path) -> None:
    for i in range(9):
        (out / f"{i}").write_text("mine")
    with pytest.raises(UserError, match=r"contains more than a test: 0, 1, 2, 3 and 5 more;"):
        write(out)


def test_another_kind_of_result_is_not_replaced(out: Path) -> None:
    other = results.Kind("another", "result")
    with (
        pytest.raises(UserError, match=r"out: holds a test, not another: files/, result;"),
        results.whole_folder(out, other),
    ):
        pass
    assert "result" in everything(out)


def test_what_only_some_results_have_does_not_get_lost(tmp_path: Path) -> None:
    """A recording, for example, is expensive: a run without one does not replace it."""
    write(tmp_path / "out", "recording", "waves.names/a", "waves.vcd")
    lost = ("recording", "waves.*")
    with pytest.raises(UserError, match=r"contains more than a test: recording, waves.names/, waves.vcd;"):
        write(tmp_path / "out", lost=lost)
    write(tmp_path / "out", "recording")
    write(tmp_path / "out", lost=("waves.*",))


def test_a_folder_of_an_earlier_version_is_known_by_its_names(tmp_path: Path) -> None:
    out = tmp_path / "out"
    out.mkdir()
    for name in ("result", "old.csv"):
        (out / name).write_text("old")
    write(out)
    (out / results.LIST).unlink()
    (out / "notes.txt").write_text("mine")
    with pytest.raises(UserError, match=r"contains more than a test: notes.txt;"):
        write(out)
    (out / "result").unlink()
    (out / "old.csv").write_text("mine")
    with pytest.raises(UserError, match=r"exists and is not something that hypermon wrote: notes.txt, old.csv;"):
        write(out)


@pytest.mark.parametrize(
    "content", ["", "{", "[]", '{"kind": "a test"}', '{"kind": "a test", "written": 3}', "\xff", "null"]
)
def test_a_list_that_says_nothing_is_none(out: Path, content: str) -> None:
    (out / results.LIST).write_bytes(content.encode("latin-1"))
    with pytest.raises(UserError, match=r"contains more than a test: files/;"):
        write(out)


def test_an_empty_folder_is_taken(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    write(Path())
    assert everything(tmp_path) == {"result": "new"}


def test_what_comes_while_a_result_is_made_is_kept(out: Path, caplog: pytest.LogCaptureFixture) -> None:
    with results.whole_folder(out, KIND) as folder:
        (folder / "result").write_text("new")
        (out / "notes.txt").write_text("mine")
    assert everything(out) == {"result": "new"}
    (kept,) = (path for path in out.parent.iterdir() if path != out)
    assert (kept / "notes.txt").read_text() == "mine"
    (message,) = caplog.messages
    assert str(kept) in message


def test_a_folder_that_is_worked_in_is_not_replaced_by_force(out: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (out / "notes.txt").write_text("mine")
    monkeypatch.chdir(out / "files")
    for place in (out, Path(".."), Path("../files")):
        if place == Path("../files"):
            Path("mine").write_text("mine")
        with pytest.raises(UserError, match="is the current folder, or holds it"):
            write(place, force=True)
    monkeypatch.chdir("/")
    monkeypatch.setenv("HOME", str(out))
    with pytest.raises(UserError, match="is the home folder, or holds it"):
        write(out, force=True)
    assert (out / "notes.txt").read_text() == "mine"


@pytest.mark.parametrize("kind", ["file", "pipe", "device", "link", "dangling link"])
def test_what_is_no_folder_is_not_replaced_by_one(tmp_path: Path, kind: str) -> None:
    place, theirs = tmp_path / "place", tmp_path / "theirs"
    theirs.mkdir()
    match kind:
        case "file":
            place.write_text("mine")
        case "pipe":
            os.mkfifo(place)
        case "device":
            place = Path("/dev/null")
        case "link":
            place.symlink_to(theirs)
        case "dangling link":
            place.symlink_to(tmp_path / "nowhere")
    before = place.lstat()
    for force in (False, True):
        with pytest.raises(UserError, match=r"it is a file|it is no folder|is a link to"):
            write(place, force=force)
    assert (place.lstat().st_ino, place.lstat().st_mode) == (before.st_ino, before.st_mode)
    assert list(theirs.iterdir()) == []
    assert not (tmp_path / "nowhere").exists()


def test_a_full_disk_leaves_what_was_there_and_names_what_cannot_be_written(tmp_path: Path) -> None:
    with small_disk(tmp_path / "disk", 64 << 10) as disk:
        write(disk / "out")
        with (
            pytest.raises(UserError, match=r"disk/out: cannot be written: No space left on device$"),
            results.whole_folder(disk / "out", KIND) as folder,
        ):
            (folder / "large").write_text("x" * (1 << 20))
        assert everything(disk / "out") == {"result": "new"}
        (disk / "fill").write_bytes(b"x" * (56 << 10))
        assert [path.name for path in disk.iterdir()] in (["fill", "out"], ["out", "fill"])


def test_an_error_names_the_place_and_not_the_temporary_one(tmp_path: Path) -> None:
    with (
        pytest.raises(UserError, match=rf"^{tmp_path}/out/no/a: cannot be written: No such file or directory$"),
        results.whole_folder(tmp_path / "out", KIND) as folder,
    ):
        (folder / "no" / "a").write_text("")
    with pytest.raises(FileNotFoundError), results.whole_folder(tmp_path / "out", KIND):
        (tmp_path / "of somebody").read_text()
    assert list(tmp_path.iterdir()) == []


# --- the command line


@pytest.fixture
def simple(scenarios: Path) -> str:
    # Under the software monitor every point is a co-simulation: the fake worker records nothing.
    (scenarios / "simple.yaml").write_text("question: How much?\nset: {monitor: software, nodes: 2}\n")
    return "simple"


def test_a_run_does_not_delete_notes(simple: str, hypermon: Hypermon) -> None:
    assert hypermon("run", simple, "--out", "there").returncode == 0
    assert hypermon("run", simple, "--out", "there").returncode == 0
    Path("there/notes.txt").write_text("mine")
    refused = hypermon("run", simple, "--out", "there")
    assert refused.returncode == 2
    assert refused.stderr == (
        "error: there: contains more than a run: notes.txt; choose another path (--out), or replace it (--force)\n"
    )
    assert Path("there/notes.txt").read_text() == "mine"
    forced = hypermon("run", simple, "--out", "there", "--force")
    assert (forced.returncode, forced.stderr) == (0, "there: is replaced; deleted with it: notes.txt\n")
    assert not Path("there/notes.txt").exists()


def test_python_has_the_same_rule(simple: str) -> None:
    package.run(simple, out="there")
    Path("there/notes.txt").write_text("mine")
    with pytest.raises(UserError, match=r"notes\.txt"):
        package.run(simple, out="there")
    package.run(simple, out="there", force=True)
    assert not Path("there/notes.txt").exists()


def test_kept_cases_do_not_delete_notes(
    simple: str, scenarios: Path, hypermon: Hypermon, runs: Callable[[], int]
) -> None:
    (scenarios / "simple.yaml").write_text(
        "question: How much?\nset: {monitor: software}\nexpect: [{of: events, is: events, kind: golden}]\n"
    )
    assert hypermon("check", simple, "--keep", "kept").returncode == 0
    assert hypermon("check", simple, "--keep", "kept").returncode == 0
    (case,) = Path("kept/simple").iterdir()
    (case / "notes.txt").write_text("mine")
    Path("kept/notes.txt").write_text("mine")
    before = runs()
    refused = hypermon("check", simple, "--keep", "kept")
    assert (refused.returncode, runs()) == (2, before)
    assert f"{case}: contains more than a run: notes.txt" in refused.stderr
    assert hypermon("check", simple, "--keep", "kept", "--force").returncode == 0
    assert (Path("kept/notes.txt").exists(), (case / "notes.txt").exists()) == (True, False)


def sweep(**options: object) -> sweeping.Sweep:
    return package.sweep("simple", vary={"fake.events": [1]}, metrics=["events"], out="s", **options)  # type: ignore[arg-type]


@pytest.mark.usefixtures("simple")
def test_a_sweep_refuses_a_folder_with_other_things_and_never_deletes_them() -> None:
    sweep()
    sweep()
    Path("s/notes.txt").write_text("mine")
    with pytest.raises(UserError, match=r"^s: contains more than a sweep: notes\.txt;"):
        sweep()
    sweep(force=True)
    assert Path("s/notes.txt").read_text() == "mine"


@pytest.mark.usefixtures("simple")
def test_names_that_a_sweep_needs_are_taken_by_force_alone(caplog: pytest.LogCaptureFixture) -> None:
    """A `manifest.json` is not a sweep's because a folder `store` stands beside it."""
    Path("s/store").mkdir(parents=True)
    Path("s/manifest.json").write_text('{"name": "my web application"}')
    with pytest.raises(UserError, match=r"^s: contains more than a sweep: manifest\.json;"):
        sweep()
    assert Path("s/manifest.json").read_text() == '{"name": "my web application"}'
    sweep(force=True)
    assert caplog.messages == ["s: deleted: manifest.json"]
    assert json.loads(Path("s/manifest.json").read_text())["points"] == 1


@pytest.mark.usefixtures("simple")
def test_a_damaged_sweep_is_made_again() -> None:
    sweep()
    for name in ("manifest.json", "results.parquet"):
        before = (Path("s") / name).read_bytes()
        (Path("s") / name).write_text("damaged")
        sweep()
        assert (Path("s") / name).read_bytes() == before


@pytest.mark.usefixtures("simple")
@pytest.mark.parametrize("link", ["s/store", "s/store/points", "s/store/under_way", "s"])
def test_a_store_behind_a_link_is_refused(tmp_path: Path, link: str) -> None:
    """A store behind a link could delete another user's files."""
    theirs = tmp_path / "theirs"
    (theirs / "under_way" / "stale").mkdir(parents=True)
    (theirs / "under_way" / "stale" / "thesis.tex").write_text("42")
    for path in (theirs / "under_way" / "stale", theirs / "under_way"):
        os.utime(path, (0, 0))
    Path(link).parent.mkdir(parents=True, exist_ok=True)
    Path(link).symlink_to(theirs / "under_way" if link.endswith("under_way") else theirs)
    for force in (False, True):
        with pytest.raises(UserError, match=rf"{link}: is a link"):
            sweep(force=force)
    assert (theirs / "under_way" / "stale" / "thesis.tex").read_text() == "42"


@pytest.mark.usefixtures("simple")
def test_a_folder_for_recordings_must_be_a_store() -> None:
    """Nothing is cleaned up in a user's own folder named `under_way`."""
    stale = Path("mine/under_way/stale")
    stale.mkdir(parents=True)
    (stale / "thesis.tex").write_text("42")
    os.utime(stale, (0, 0))
    from hypermon._inputs import scenario
    from hypermon._model import worker

    spec = scenario.find_one("simple").resolve(worker.schema(), {})
    with pytest.raises(UserError, match=r"^mine: exists and is not a store of a sweep: under_way$"):
        sweeping.evaluate([spec], ["events"], recordings_folder="mine")
    assert (stale / "thesis.tex").read_text() == "42"


def test_what_a_failed_program_wrote_replaces_only_such(tmp_path: Path) -> None:
    out, part = tmp_path / "out", tmp_path / "part"
    for _ in range(2):
        (part / "stdout").mkdir(parents=True)
        (part / "stdout" / "rank0.txt").write_text("said")
        assert "what the ranks wrote: " in runner._keep_output(part, out)
    (tmp_path / "out-failed" / "stdout" / "notes.txt").write_text("mine")
    (part / "stdout").mkdir()
    assert "is not kept: " in runner._keep_output(part, out)
    assert (tmp_path / "out-failed" / "stdout" / "notes.txt").read_text() == "mine"


def test_documents_replace_only_generated_files(tmp_path: Path) -> None:
    page = tmp_path / "parameters.md"
    page.write_text("# My parameters\n")
    with pytest.raises(UserError, match=r"parameters.md: exists and was not generated by hypermon"):
        results.require_generated(page)
    results.require_generated(page, force=True)
    page.write_text("# Parameters\n\nGenerated by `hypermon docs`; do not edit.\n")
    results.require_generated(page)
    results.require_generated(tmp_path / "new.md")
    assert stat.S_ISREG(page.lstat().st_mode)
