# SPDX-License-Identifier: BSD-3-Clause
"""Results on this release of Debian equal those in docs/studies/releases, and differences between builds are found.

HYPERMON_TEST_CASES  number of kept runs to repeat, evenly spread over all of them, instead of that of CI
"""

from __future__ import annotations

import csv
import gzip
import os
import random
import re
from dataclasses import replace
from pathlib import Path

import pytest

from hypermon._inputs import scenario
from hypermon._model import worker
from hypermon.errors import UserError
from hypermon_studies.releases import page as releases_page
from hypermon_studies.releases import study as releases
from hypermon_studies.releases.study import Build, Difference, Measured

KEPT = Path(__file__).resolve().parents[2] / "docs" / "studies" / "releases" / releases.RUNS
CASES = int(os.environ.get("HYPERMON_TEST_CASES", "12"))
RUN = Measured(
    "spec", "f00", 1.5, {"elapsed_s": 1.5, "ranks[0].mpi_s": 0.25, "ranks[1].mpi_s": 0.5, "monitor.kind": "x"}
)
OLD = Build({"hypermon": "1", "simgrid": "3.32"}, {"a: default": RUN, "b: default": RUN})
NEW = replace(OLD, versions={"hypermon": "1", "simgrid": "4.0"})


def with_values(build: Build, run: str, **values: object) -> Build:
    """The build with some values of a run replaced. Short names stand for their paths."""
    paths = {"elapsed": "elapsed_s", "first": "ranks[0].mpi_s", "second": "ranks[1].mpi_s", "kind": "monitor.kind"}
    one = build.runs[run]
    changed = {**one.values, **{paths[name]: value for name, value in values.items()}}
    return replace(build, runs={**build.runs, run: replace(one, values=changed)})


def kept() -> list[dict[str, str]]:
    with KEPT.open(encoding="utf-8", newline="") as file:
        return [row for row in csv.DictReader(file) if row["run"].partition(": ")[0] in scenario.names()]


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
        assert error_begin(file) in (None, f"{file}: ")  # some bits of gzip's header have no meaning


@pytest.mark.parametrize("seed", range(4))
def test_a_file_of_anything_is_one_error_or_has_a_page(seed: int, tmp_path: Path) -> None:
    """The compressed content is damaged, so that no checksum detects it."""
    file = tmp_path / "measured.json.gz"
    releases.save(OLD, file)
    whole = gzip.decompress(file.read_bytes()).decode()
    r = random.Random(seed)
    refused = 0
    for _ in range(100):
        begin = r.randrange(len(whole))
        put = r.choice(["", "null", "[]", "{}", '"x"', "-1e999", "7", ":", "}", "[1]", '{"a": [2]}', "\\ud800", "\0"])
        text = whole[:begin] + put + whole[begin + r.choice([0, 1, len(put), 30]) :]
        file.write_bytes(gzip.compress(text.encode()))
        read = build_or_error(file)
        if isinstance(read, str):
            assert read.startswith(f"{file}: ")
            refused += 1
        else:
            releases_page.write(tmp_path, read, read)
    assert 50 <= refused < 100
    values = whole.index('"values": ') + len('"values": ')
    file.write_bytes(gzip.compress((whole[:values] + '["x"]' + whole[whole.index("}", values) + 1 :]).encode()))
    with pytest.raises(UserError, match=re.escape(f"{file}: is not what")):
        releases.read(file)


def build_or_error(file: Path) -> Build | str:
    """The file's content, or its error."""
    try:
        return releases.read(file)
    except UserError as error:
        return str(error)


def error_begin(file: Path) -> str | None:
    """First words of the error; None if OLD is read."""
    read = build_or_error(file)
    if isinstance(read, str):
        return read[: len(f"{file}: ")]
    assert read == OLD
    return None


def test_the_page_says_what_differs_and_where(tmp_path: Path) -> None:
    found = releases_page.write(tmp_path, OLD, with_values(NEW, "b: default", elapsed=1.8))
    page = (tmp_path / "releases.md").read_text()
    assert len(found) == 1
    assert "1 of 2 runs have identical results, and the fingerprints of 2 runs are equal. 1 of 8 values differ." in page
    assert "| `elapsed_s` | b: default | 1 | 1 | 1.7e-01 |" in page
    assert "| b: default | same | 4 | 1 | 1.7e-01 |" in page
    rows = (tmp_path / "releases" / releases.DIFFERENCES).read_text().splitlines()
    assert rows[1:] == ["b: default,elapsed_s,1,elapsed_s,1.5,1.8,0.167"]


@pytest.mark.worker
@pytest.mark.usefixtures("worker")
def test_what_is_kept_can_be_run() -> None:
    """A new scenario need not be measured on Debian 13 at once; a renamed or changed one must be measured again."""
    assert {row["run"] for row in kept()} <= set(releases.plan(worker.schema()))


@pytest.mark.worker
@pytest.mark.usefixtures("worker")
def test_runs_have_the_fingerprints_that_are_kept() -> None:
    rows = kept()
    some = rows[:: max(1, len(rows) // CASES)]
    names = {row["run"].partition(": ")[0] for row in some}
    planned = releases.plan(worker.schema(), sorted(names))
    build = releases.measure({row["run"]: planned[row["run"]] for row in some}, jobs=2)
    if f"fingerprint ({build.name})" not in rows[0]:
        pytest.skip(f"nothing is kept of {build.name}")
    for row in some:
        run = build.runs[row["run"]]
        expected = row[f"fingerprint ({build.name})"], float(row[f"elapsed_s ({build.name})"])
        assert (run.fingerprint, run.elapsed_s) == expected, row["run"]
