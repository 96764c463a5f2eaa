# SPDX-License-Identifier: BSD-3-Clause
"""`hypermon study releases`: differences between results of two builds are found, where they are, and said."""

from __future__ import annotations

import random
from dataclasses import replace
from pathlib import Path

import pytest

from hypermon.errors import UserError
from hypermon_studies import releases
from hypermon_studies.releases import Build, Difference, Measured

RUN = Measured(
    "spec", "f00", 1.5, {"elapsed_s": 1.5, "ranks[0].mpi_s": 0.25, "ranks[1].mpi_s": 0.5, "monitor.kind": "x"}
)
OLD = Build({"hypermon": "1", "simgrid": "3.32"}, {"a: default": RUN, "b: default": RUN})
NEW = replace(OLD, versions={"hypermon": "1", "simgrid": "4.0"})


def with_values(build: Build, run: str, **values: object) -> Build:
    """With some of a run's values replaced, by the names that the test gives them."""
    paths = {"elapsed": "elapsed_s", "first": "ranks[0].mpi_s", "second": "ranks[1].mpi_s", "kind": "monitor.kind"}
    one = build.runs[run]
    changed = {**one.values, **{paths[name]: value for name, value in values.items()}}
    return replace(build, runs={**build.runs, run: replace(one, values=changed)})


def test_equal_builds_do_not_differ() -> None:
    assert releases.differences(OLD, NEW) == []


def test_a_difference_of_one_bit_is_found_where_it_is() -> None:
    least = 0.5000000000000001
    (one,) = releases.differences(OLD, with_values(NEW, "b: default", second=least))
    assert one == Difference("b: default", "ranks[1].mpi_s", 0.5, least)
    assert one.key == "ranks[].mpi_s"
    assert 0 < one.relative < 3e-16


def test_what_is_no_number_differs_entirely() -> None:
    found = releases.differences(OLD, with_values(NEW, "a: default", kind="y", first=None))
    assert [(one.path, one.relative) for one in found] == [
        ("ranks[0].mpi_s", releases.DIFFERS_ENTIRELY),
        ("monitor.kind", releases.DIFFERS_ENTIRELY),
    ]


def test_a_value_that_one_build_alone_has_is_a_difference() -> None:
    more = replace(RUN, values={**RUN.values, "warnings": "late"})
    (one,) = releases.differences(OLD, replace(NEW, runs={"a: default": more}))
    assert (one.path, one.before, one.after) == ("warnings", None, "late")


def test_of_a_key_the_largest_difference_is_said() -> None:
    changed = with_values(NEW, "a: default", first=0.25 * 1.01, second=0.5 * 1.1)
    of = releases.by_key(releases.differences(OLD, changed))["ranks[].mpi_s",]
    assert (of.runs, of.values, of.worst.path) == (("a: default",), 2, "ranks[1].mpi_s")
    assert of.worst.relative == pytest.approx(1 - 1 / 1.1)


def test_runs_of_other_specifications_are_not_compared() -> None:
    other = replace(NEW, runs={"a: default": replace(RUN, specification="other")})
    with pytest.raises(UserError, match=r"a: default: SimGrid 3\.32 and SimGrid 4\.0 ran other specifications"):
        releases.differences(OLD, other)


def test_what_was_measured_is_read_back(tmp_path: Path) -> None:
    file = tmp_path / "measured.json.gz"
    releases.save(OLD, file)
    assert releases.read(file) == OLD
    first = file.read_bytes()
    releases.save(OLD, file)
    assert file.read_bytes() == first


def test_a_damaged_file_is_one_error(tmp_path: Path) -> None:
    file = tmp_path / "measured.json.gz"
    releases.save(OLD, file)
    whole = file.read_bytes()
    r = random.Random(1)
    for _ in range(200):
        damaged = bytearray(whole[: r.randrange(len(whole))] if r.random() < 0.5 else whole)
        if len(damaged) == len(whole):
            damaged[r.randrange(len(whole))] ^= 1 << r.randrange(8)
        file.write_bytes(bytes(damaged))
        assert said_of(file) in (None, f"{file}: ")  # gzip's header has bits that say nothing


def said_of(file: Path) -> str | None:
    """How the error begins; None if OLD is read."""
    try:
        read = releases.read(file)
    except UserError as error:
        return str(error)[: len(f"{file}: ")]
    assert read == OLD
    return None


def test_the_page_says_what_differs_and_where(tmp_path: Path) -> None:
    found = releases.write(tmp_path, OLD, with_values(NEW, "b: default", elapsed=1.8))
    page = (tmp_path / "releases.md").read_text()
    assert len(found) == 1
    assert "1 of 2 runs are equal to the bit, and the fingerprints of 2; 1 of 8 values differ." in page
    assert "| `elapsed_s` | b: default | 1 | 1 | 1.7e-01 |" in page
    assert "| b: default | same | 4 | 1 | 1.7e-01 |" in page
    rows = (tmp_path / "releases" / releases.DIFFERENCES).read_text().splitlines()
    assert rows[1:] == ["b: default,elapsed_s,1,elapsed_s,1.5,1.8,0.167"]
