# SPDX-License-Identifier: BSD-3-Clause
"""Any YAML is read, or refused in one line with its place; never with a traceback, and never slowly."""

from __future__ import annotations

import random
import time
from pathlib import Path

import pytest

from hypermon._files import places, yamlfile, yamlreader
from hypermon._files.items import Item
from hypermon._files.yamlreader import MOST_DEEP, MOST_REPEATED
from hypermon.errors import UserError


def plain(item: Item) -> object:
    """The value without files and lines."""
    if isinstance(item.value, dict):
        return {key: plain(inner) for key, inner in item.value.items()}
    return [plain(inner) for inner in item.value] if isinstance(item.value, list) else item.value


def read(path: Path, text: str) -> object:
    path.write_text(text)
    return plain(yamlfile.read(path, "f.yaml"))


BILLION = "a0: &a0 [x]\n" + "".join(f"a{i}: &a{i} [{', '.join([f'*a{i - 1}'] * 9)}]\n" for i in range(1, 10))


@pytest.mark.parametrize(
    ("text", "message"),
    [
        (BILLION, f"its aliases repeat more than {MOST_REPEATED} values (f.yaml, line "),
        ("a: 1\nb: &b\n  c: *b\n", "an alias refers to itself (f.yaml, line 2)"),
        ("a: 1\nb: &b [*b]\n", "an alias refers to itself (f.yaml, line 2)"),
        ("a:\n  " + "[" * 100_000, f"nested more than {MOST_DEEP} deep (f.yaml, line 2)"),
        ("{a: " * 60, f"nested more than {MOST_DEEP} deep (f.yaml, line 1)"),
        ("- " * 100_000, f"nested more than {MOST_DEEP} deep (f.yaml, line 1)"),
        ("a: 1\nb: " + "9" * 5000, "(5000 characters): is not of type int (f.yaml, line 2)"),
        ("a: 0x" + "f" * 5000, "is beyond 1e+300 (f.yaml, line 1)"),
        ("a: !!int five", "five: is not of type int (f.yaml, line 1)"),
        ("a: !!bool five", "five: is not of type bool (f.yaml, line 1)"),
        ("a: !!python/object:os.system x", "could not determine a constructor"),
        ('a: 1\nb: "\\UFFFFFFFF"', "(f.yaml, line 2)"),  # in Python's words, which changed in 3.13
        ("%YAML 1." + "9" * 5000 + "\n---\na: 1", "Exceeds the limit"),
        ('a: 1\nb: "x\\0"', "'x\\x00': must have no control character, such as '\\x00' (f.yaml, line 2)"),
        ('a: "\\ud800"', "'\\ud800': must have no control character, such as '\\ud800' (f.yaml, line 1)"),
        ('"\\0": 1', "'\\x00': must have no control character"),
        ('a: 1\nb: "\\e[31m"', "'\\x1b[31m': must have no control character, such as '\\x1b' (f.yaml, line 2)"),
        ("a: 1\nb: 1\x0025", "must have no control character, such as '\\x00' (f.yaml, line 2)"),
        ("a: 1\nb: 1\x7f", "must have no control character, such as '\\x7f' (f.yaml, line 2)"),
        ('a: 1\nb: "\\x9b"', "must have no control character, such as '\\x9b' (f.yaml, line 2)"),
    ],
    ids=range(20),
)
def test_what_expands_or_breaks_the_parser_is_refused_in_one_line(tmp_path: Path, text: str, message: str) -> None:
    start = time.perf_counter()
    with pytest.raises(UserError) as caught:
        read(tmp_path / "f.yaml", text)
    assert time.perf_counter() - start < 5  # without a limit it would take 1 GB and minutes
    assert str(caught.value).startswith("broken YAML: ")
    assert message in str(caught.value)
    assert len(str(caught.value)) < 500


def test_what_is_as_deep_and_repeats_as_much_as_allowed_is_read(tmp_path: Path) -> None:
    path = tmp_path / "f.yaml"
    deep: object = []
    for _ in range(MOST_DEEP - 1):
        deep = [deep]
    assert read(path, "[" * MOST_DEEP + "]" * MOST_DEEP) == deep
    ten = "a: &a [1, 2, 3, 4, 5, 6, 7, 8, 9]\n"  # also the list itself
    lists = MOST_REPEATED // 10
    read(path, ten + f"b: [{', '.join(['*a'] * lists)}]\n")
    with pytest.raises(UserError, match="aliases repeat"):
        read(path, ten + f"b: [{', '.join(['*a'] * (lists + 1))}]\n")


def test_dates_stay_the_text_that_they_were_also_those_that_there_are_not(tmp_path: Path) -> None:
    assert read(tmp_path / "f.yaml", "a: [2026-11-22, 2026-13-45, 1:30:10]") == {
        "a": ["2026-11-22", "2026-13-45", "1:30:10"]
    }


def test_a_file_of_another_kind_is_not_read_whole(tmp_path: Path) -> None:
    large = tmp_path / "large.yaml"
    with large.open("wb") as file:
        file.truncate(10**12)
    with pytest.raises(UserError, match=r"large.yaml: is larger than 10 MB"):
        yamlfile.read(large)


PIECES = [
    *(
        "a",
        "b",
        ": ",
        "- ",
        "\n",
        "  ",
        "[",
        "]",
        "{",
        "}",
        "&x ",
        "*x",
        "!!int ",
        "!!float ",
        '"',
        "\\",
        "'",
        "|",
        ">",
    ),
    *(
        "#",
        "%YAML 1.1\n",
        "---\n",
        "1",
        ".5",
        "2026-01-01",
        "?",
        "<<",
        ",",
        "\t",
        "~",
        "\\U",
        "\\x",
        "\\ud800",
        "!!set",
    ),
]


def test_any_text_is_read_or_refused_with_its_line(tmp_path: Path) -> None:
    rng = random.Random(12)
    path = tmp_path / "f.yaml"
    found, refused = 0, []
    for _ in range(2000):
        try:
            read(path, "".join(rng.choice(PIECES) for _ in range(rng.randint(1, 15))))
            found += 1
        except UserError as error:
            refused.append(str(error))
    assert found > 100
    assert all("(f.yaml, line " in message for message in refused)


def test_our_own_files_are_the_same_by_libyaml(monkeypatch: pytest.MonkeyPatch) -> None:
    """The lines of all values, which messages name, are the same. PyYAML decides about users' files."""
    files = [file for root in (places.scenarios(), places.machines()) for file in sorted(root.rglob("*.yaml"))]
    assert len(files) > 100
    assert yamlreader._Quick is not None, "PyYAML comes with libyaml"
    for file in files:
        assert places.comes_with_hypermon(file)
    quick = [yamlfile.read(file) for file in files]
    monkeypatch.setattr(yamlreader, "_Quick", None)
    yamlreader._composed.cache_clear()
    assert quick == [yamlfile.read(file) for file in files]


def test_users_files_are_never_read_by_libyaml(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(yamlreader, "_Quick", lambda _: pytest.fail("read by libyaml"))
    monkeypatch.setenv("HYPERMON_SCENARIOS", str(tmp_path))
    assert read(tmp_path / "f.yaml", "a: never read before") == {"a": "never read before"}
    with pytest.raises(UserError, match="cannot start any token"):  # libyaml takes it
        read(tmp_path / "f.yaml", "a:\n  b\tse: 1\n\tc: 2")
