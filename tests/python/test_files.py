# SPDX-License-Identifier: BSD-3-Clause
"""Parameters that name files (hypermon._files.files)."""

from __future__ import annotations

import hashlib
from pathlib import Path

import pytest

from hypermon._files import files, yamlfile
from hypermon._model.schema import Parameter
from hypermon.errors import UserError

FILE = Parameter.from_json({"path": "program.file", "type": "string", "kind": "file", "default": ""})


def digest(text: str) -> str:
    return hashlib.sha256(text.encode()).hexdigest()


@pytest.fixture(autouse=True)
def in_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)


def test_a_file_becomes_its_absolute_path_and_the_digest_of_its_content(tmp_path: Path) -> None:
    Path("a.c").write_text("one")
    value = FILE.parse("a.c", "--set")
    assert value == f"{tmp_path}/a.c@sha256:{digest('one')}"
    assert FILE.parse(Path("a.c"), "hypermon.run") == value
    assert FILE.parse(value, "--set") == value
    assert files.path_of(str(value)) == tmp_path / "a.c"
    Path("a.c").write_text("another")
    assert FILE.parse("a.c", "--set") == f"{tmp_path}/a.c@sha256:{digest('another')}"
    with pytest.raises(UserError, match=r"a.c: its content has changed"):
        FILE.parse(value, "--set")


def test_no_file_is_the_empty_text() -> None:
    assert FILE.parse("", "default") == ""
    assert files.path_of("") is None


def test_a_path_in_a_yaml_file_starts_from_that_file(tmp_path: Path) -> None:
    below = tmp_path / "below"
    below.mkdir()
    (below / "a.c").write_text("one")
    (below / "s.yaml").write_text("set:\n  program.file: a.c\n")
    item = yamlfile.read(Path("below/s.yaml")).mapping("scenario")["set"].leaves("set")["program.file"]
    assert FILE.parse(item.value, item.where) == f"{below}/a.c@sha256:{digest('one')}"


def test_a_missing_file_is_the_users_mistake_with_its_place(tmp_path: Path) -> None:
    Path("s.yaml").write_text("set:\n  program.file: b.c\n")
    item = yamlfile.read(Path("s.yaml")).mapping("scenario")["set"].leaves("set")["program.file"]
    with pytest.raises(UserError) as missing:
        FILE.parse(item.value, item.where)
    assert str(missing.value) == "program.file = b.c: cannot be read: No such file or directory (s.yaml, line 2)"
    with pytest.raises(UserError, match=r"program.file = .*: is a folder, must be a file"):
        FILE.parse(tmp_path, "--set")
    with pytest.raises(UserError, match=r"program.file = 3: must be the path of a file"):
        FILE.parse(3, "--set")
