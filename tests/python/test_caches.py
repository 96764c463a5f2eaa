# SPDX-License-Identifier: BSD-3-Clause
"""Files kept between processes belong to this user only, because programs are run from there."""

from __future__ import annotations

import os
import stat
from pathlib import Path

import pytest

from hypermon._files import remembered
from hypermon._inputs.programs import cache
from hypermon.errors import UserError


@pytest.fixture
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    monkeypatch.setenv("HOME", str(tmp_path / "home"))
    return tmp_path


def keep_program(key: str = "key") -> Path:
    """Puts a built program into the cache."""
    with cache.work() as work:
        made = work / "made"
        made.mkdir()
        (made / "program.so").write_text("code")
        return cache.keep(key, made, "program.so", {}, {}).object


@pytest.mark.parametrize("mask", [0o000, 0o022, 0o002])
def test_nobody_else_can_look_into_the_cache_or_write_to_it(home: Path, mask: int) -> None:
    before = os.umask(mask)
    try:
        program = keep_program()
        remembered.write(remembered.place("kind"), "text")
    finally:
        os.umask(before)
    for folder in (home / "cache", home / "cache/hypermon", home / "cache/hypermon/programs"):
        assert stat.S_IMODE(folder.stat().st_mode) == 0o700
    for path in (program, program.parent, remembered.place("kind")):
        assert not path.stat().st_mode & (stat.S_IWGRP | stat.S_IWOTH)
    assert cache.kept("key") is not None
    assert remembered.read(remembered.place("kind")) == "text"


@pytest.mark.parametrize("where", ["cache/hypermon", "cache/hypermon/programs"])
def test_a_cache_that_others_can_write_to_runs_nothing(home: Path, where: str) -> None:
    keep_program()
    (home / where).chmod(0o777)
    for ask in (lambda: cache.kept("key"), keep_program):
        with pytest.raises(UserError, match=f"{where}: may be written to by other users; .* set XDG_CACHE_HOME"):
            ask()


@pytest.mark.parametrize("path", ["program.so", ".", "program.json"])
def test_an_entry_that_others_can_write_to_is_not_used(home: Path, path: str) -> None:
    program = keep_program()
    changed = program.parent / path
    changed.chmod(changed.stat().st_mode | stat.S_IWOTH)
    assert cache.kept("key") is None
    assert program.exists()
    assert home.exists()


@pytest.mark.skipif(os.geteuid() != 0, reason="only root gives files away")
@pytest.mark.parametrize("where", ["cache/hypermon", "cache/hypermon/programs"])
def test_a_cache_of_another_user_is_not_used(home: Path, where: str) -> None:
    program = keep_program()
    kept = remembered.place("kind")
    remembered.write(kept, "text")
    os.chown(home / where, 12345, 12345)
    with pytest.raises(UserError, match=f"{where}: belongs to another user;"):
        cache.kept("key")
    if where == "cache/hypermon":
        assert remembered.read(kept) is None
        kept.unlink()
        remembered.write(kept, "text")
        assert not kept.exists()
    os.chown(home / where, 0, 0)
    for path in (program, program.parent):
        os.chown(path, 12345, 12345)
        assert cache.kept("key") is None
        os.chown(path, 0, 0)
    assert cache.kept("key") is not None


@pytest.mark.skipif(os.geteuid() != 0, reason="only root gives files away")
def test_a_text_of_another_user_is_not_believed(home: Path) -> None:
    kept = remembered.place("kind")
    remembered.write(kept, "text")
    os.chown(kept, 12345, 12345)
    assert remembered.read(kept) is None
    assert home.exists()


def test_a_group_of_this_user_alone_may_write(home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Many systems give each user a group of their own, whose members may write to new files."""
    keep_program()
    (home / "cache/hypermon").chmod(0o770)
    monkeypatch.setattr(remembered, "_is_own_group", lambda _: False)
    with pytest.raises(UserError, match="may be written to by other users"):
        cache.kept("key")
    monkeypatch.setattr(remembered, "_is_own_group", lambda _: True)
    assert cache.kept("key") is not None


@pytest.mark.parametrize("given", ["relative/cache", "", "."])
def test_a_relative_cache_counts_for_nothing(home: Path, monkeypatch: pytest.MonkeyPatch, given: str) -> None:
    """The XDG Base Directory Specification demands it: a relative cache would be in a folder from elsewhere."""
    monkeypatch.chdir(home)
    monkeypatch.setenv("XDG_CACHE_HOME", given)
    assert remembered.cache() == home / "home/.cache/hypermon"
    keep_program()
    assert sorted(path.name for path in home.iterdir()) == ["home"]


def test_no_link_is_followed_in_the_cache(home: Path) -> None:
    keep_program()
    outside = home / "outside"
    outside.write_text("theirs")
    (home / "cache/hypermon/programs/.key.lock").symlink_to(outside)
    with pytest.raises(UserError, match="Too many levels of symbolic links"), cache.work_of("key"):
        pass
    assert outside.read_text() == "theirs"
