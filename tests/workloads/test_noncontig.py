# SPDX-License-Identifier: BSD-3-Clause
"""Noncontig reads back the data that it wrote, and notices differences."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from tests.workloads.conftest import Launch, Simulate, run_worker

QUIET = {"monitor": "none", "machine": {"topology": "star"}}
OWN: dict[str, Any] = {"blocks": 5, "block_bytes": 100, "calls": 3}


@pytest.mark.worker
@pytest.mark.parametrize("access", ["independent", "collective"])
@pytest.mark.parametrize("ranks", [1, 3])
def test_the_blocks_of_all_ranks_alternate_in_the_file(simulate: Simulate, access: str, ranks: int) -> None:
    spec = QUIET | {"mpiio": {"file_system": "ideal", "keep": True}}
    result, answer = simulate("noncontig", ranks, OWN | {"access": access}, spec)
    written = np.fromfile(answer.parent / "files" / "noncontig.dat", np.uint8)
    np.testing.assert_array_equal(written, np.arange(3 * 5 * 100 * ranks) % 251)
    assert result["mpiio"]["files"][0]["read_bytes"] == len(written)


@pytest.mark.worker
def test_bytes_that_are_not_kept_are_missed(tmp_path: Any) -> None:
    spec = QUIET | {"mpiio": {"file_system": "ideal", "contents": "sizes"}}
    with pytest.raises(AssertionError, match="noncontig: rank 0 reads other bytes than it wrote"):
        run_worker(tmp_path, "noncontig", 1, OWN, spec)
    run_worker(tmp_path, "noncontig", 1, OWN | {"read_back": False}, spec)


@pytest.mark.parametrize(
    ("arguments", "complaint"),
    [
        (["--blocks=3", "--block_bytes=1073741824"], "--blocks=3: more than 2 GiB of a rank in a call"),
        (["--read_back=yes"], "--read_back=yes: must be true or false"),
        (["--access=all"], "--access=all: must be string, one of none, independent, collective"),
    ],
)
def test_what_it_cannot_do_is_refused(launch: Launch, arguments: list[str], complaint: str) -> None:
    result = launch("noncontig", 2, arguments)
    assert result.returncode == 2
    assert complaint in result.stderr
