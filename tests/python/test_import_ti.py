"""SimGrid's time-independent traces, made into program scripts."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from hypermon.errors import UserError
from hypermon.importing import ti
from hypermon.importing.script import ANY, Script, Writer

FLOPS_PER_S = 2e9
DOUBLE, BYTE = 0, 6  # SimGrid's numbers


def imported(tmp_path: Path, *lines: str) -> tuple[Script, list[list[dict[str, Any]]], list[int]]:
    trace = tmp_path / "a.trace"
    trace.write_text("\n".join(lines) + "\n")
    script = ti.read(trace, tmp_path / "a.script", FLOPS_PER_S)
    arrays = script.arrays()
    names = [name.decode() for name in arrays["operations"]]
    fields = [name for name in arrays["actions"].dtype.names or () if name != "operation"]
    by_rank = [
        [
            {"operation": names[row["operation"]], **{name: int(row[name]) for name in fields}}
            for row in arrays["actions"][rank["first"] : rank["first"] + rank["actions"]]
        ]
        for rank in arrays["ranks"]
    ]
    return script, by_rank, arrays["lists"].tolist()


def test_flops_become_time_at_the_speed_that_is_given(tmp_path: Path) -> None:
    _, [[compute]], _ = imported(tmp_path, "0 init", "0 compute 3e6", "0 finalize")
    assert compute["operation"] == "compute"
    assert compute["size"] == 3e6 / FLOPS_PER_S * 1e12  # ps


def test_a_wait_finishes_the_request_of_its_source_destination_and_tag(tmp_path: Path) -> None:
    lines = ["0 init", f"0 irecv 1 7 3 {DOUBLE}", f"0 isend 1 9 5 {BYTE}", "0 wait 0 1 9", "0 wait 1 0 7"]
    _, [[receive, send, *waits], _], _ = imported(tmp_path, *lines, "1 init")
    assert (receive["peer"], receive["tag"], receive["size"]) == (1, 7, 3 * 8)
    assert (send["peer"], send["tag"], send["size"]) == (1, 9, 5)
    assert [wait["request"] for wait in waits] == [send["request"], receive["request"]]


def test_the_last_test_of_a_request_that_nobody_waits_for_found_it_complete(tmp_path: Path) -> None:
    lines = [f"0 irecv -555 -444 1 {BYTE}", *["0 test -555 0 -444"] * 3]
    _, [[receive, *tests], _], _ = imported(tmp_path, *lines, "1 init")
    assert (receive["peer"], receive["tag"]) == (ANY, ANY)
    assert [test["size"] for test in tests] == [0, 0, 1]


def test_parts_of_collectives_are_lists_of_counts(tmp_path: Path) -> None:
    lines = [f"{r} alltoallv 3 1 2 7 3 4 {DOUBLE} {DOUBLE}" for r in (0, 1)]
    script, [[call], _], lists = imported(tmp_path, *lines)
    assert call["element"] == 8
    assert lists[call["list"] :][:5] == [4, 1, 2, 3, 4]
    needed = script.arrays()["ranks"][0]
    assert (needed["send_bytes"], needed["receive_bytes"]) == ((1 + 2) * 8, (3 + 4) * 8)


def test_what_a_trace_does_not_say_is_reported_with_count_and_first_place(tmp_path: Path) -> None:
    script, _, _ = imported(tmp_path, "0 init", "0 put 1 2 3", "0 put 1 2 3", "0 ibarrier", "0 wait -333 -333 -779")
    lost = [(row.kind, row.count, row.first) for row in script.not_represented]
    assert lost == [
        ("put: left out", 2, f"{tmp_path / 'a.trace'}, line 2"),
        ("ibarrier: as the call that blocks, where it begins", 1, f"{tmp_path / 'a.trace'}, line 4"),
    ]


@pytest.mark.parametrize(
    ("line", "complaint"),
    [
        ("0 send 1", "0 send 1: there are too few arguments"),
        ("0 compute much", "0 compute much: must be RANK ACTION and numbers"),
        ("5 init", "has no actions of ranks 0 to n - 1"),
        ("<?xml?> x", "<?xml?>: is no rank; is this a time-independent trace?"),
    ],
)
def test_a_damaged_trace_is_one_error_with_file_and_line(tmp_path: Path, line: str, complaint: str) -> None:
    with pytest.raises(UserError) as error:
        imported(tmp_path, "0 init", line)
    assert complaint in str(error.value)
    assert "a.trace" in str(error.value)
    assert not (tmp_path / "a.script").exists()


def test_a_damaged_script_is_one_error(tmp_path: Path) -> None:
    path = tmp_path / "a.script"
    with Writer(path, 1, {"kind": "test"}) as writer:
        writer.add(0, "compute", size=123456789)
    whole = path.read_bytes()
    Script.open(path)
    for damaged in (whole[:-10], whole.replace((123456789).to_bytes(4, "little"), b"oops"), b"something else"):
        path.write_bytes(damaged)
        with pytest.raises(UserError, match=r"a\.script: (is|cannot be read as a program script)"):
            Script.open(path)
