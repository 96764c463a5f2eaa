# SPDX-License-Identifier: BSD-3-Clause
"""SimGrid's time-independent traces become program scripts."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from hypermon.errors import UserError
from hypermon.importing import ti
from hypermon.importing.script import ANY, NOBODY, OPERATIONS, Script, Writer

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
        ("ibarrier: as the blocking call, at the point where it begins", 1, f"{tmp_path / 'a.trace'}, line 4"),
    ]


@pytest.mark.parametrize(
    ("line", "complaint"),
    [
        ("0", "must be RANK ACTION ARGUMENTS"),
        ("0 send 1", "there are too few arguments"),
        ("0 waitall two", "two must be a number"),
        ("0 compute much", "much must be a number"),
        ("0 compute 1_0", "1_0 must be a number"),
        ("0 compute -1", "-1 must be 0 or more"),
        ("0 compute nan", "nan must be 0 or more"),
        ("0 compute 1e300", "at 2000000000.0 flops/s these are more than"),
        ("0 sleep inf", "inf must be 0 or more"),
        ("0 send 2 0 1 6", "there is no rank 2, but 0 to 1"),
        ("0 send -1 0 1 6", "there is no rank -1"),
        ("0 isend -555 0 1 6", "-555 must be a rank to send to"),
        ("0 send 1 -444 1 6", "-444 must be a tag to send with"),
        ("0 send 1 -7 1 6", "-7 must be a tag"),
        ("0 send 1 0 -1 6", "-1 must be a number of items"),
        ("0 recv 1 0 1.5 6", "1.5 must be a number of items"),
        ("0 recv 1 0 99999999999999999999 6", "99999999999999999999 must be a number of items"),
        ("0 recv 1 18446744073709551617 1 6", "18446744073709551617 must be a whole number of 32 bits"),
        ("0 recv 1 0 1 1e30", "1e30 must be a whole number of 32 bits"),
        ("0 sendRecv 1 2 1 0 6 6", "there is no rank 2"),
        ("0 sendRecv 1 -555 1 0 6 6", "-555 must be a rank to send to"),
        ("0 wait 0 1 1e99", "1e99 must be a whole number of 32 bits"),
        ("0 bcast 10 2 6", "there is no rank 2 to be the root, but 0 to 1"),
        ("0 reduce 10 -5 0 6", "-5 must be 0 or more"),
        ("0 gatherv 1 1 -1 0 6 6", "-1 must be a number of items"),
        ("0 alltoallv 2 2147483647 1 2 1 1 6 6", "its parts are 2147483648 items together"),
        ("0 allgather 1 nan 6 6", "nan must be a number of items"),
        ("7 send 0 0 1 6", "has no actions of ranks 0 to n - 1"),
        ("<?xml?> x", "is not a rank; is this a time-independent trace?"),
        ("99999999999999999999999 x", "is not a rank"),
    ],
)
def test_what_a_line_cannot_mean_is_one_error_with_file_and_line(tmp_path: Path, line: str, complaint: str) -> None:
    with pytest.raises(UserError) as error:
        imported(tmp_path, "0 init", "1 init", line)
    assert complaint in str(error.value)
    assert str(error.value).endswith("a.trace, line 3)") or "ranks 0 to n - 1" in complaint
    assert "a.trace" in str(error.value)
    assert not (tmp_path / "a.script").exists()


def test_the_numbers_that_stand_for_any_and_for_nobody_are_peers(tmp_path: Path) -> None:
    lines = [f"0 recv {peer} -444 1 6" for peer in (-555, -333, -666)]
    _, [calls], _ = imported(tmp_path, "0 init", *lines)
    assert [(call["peer"], call["tag"]) for call in calls] == [(ANY, ANY), (ANY, ANY), (NOBODY, ANY)]


def test_a_waitall_waits_for_all_open_requests_with_and_without_a_count(tmp_path: Path) -> None:
    one = ["0 irecv 1 0 1 6", "0 isend 1 0 1 6"]
    script, [actions, _], lists = imported(
        tmp_path, *one, "0 waitall", *one, "0 waitall 2", *one, "0 waitall 1", "1 init"
    )
    waits = [call for call in actions if call["operation"] == "waitall"]
    assert [sorted(lists[call["list"] + 1 :][: lists[call["list"]]]) for call in waits] == [[0, 1]] * 3
    (lost,) = script.not_represented
    assert lost.kind == "waitall: of some requests, taken for all that are open"


def test_a_persistent_request_is_started_as_the_message_that_it_is(tmp_path: Path) -> None:
    lines = ["0 Start 1 5 400 1", "0 Start 0 5 400 1", "0 wait 1 0 5", "0 wait 0 1 5"]
    script, [[send, receive, *waits], _], _ = imported(tmp_path, *lines, "1 init")
    assert (send["operation"], send["peer"], send["size"]) == ("isend", 1, 400)
    assert (receive["operation"], receive["peer"], receive["tag"]) == ("irecv", ANY, 5)
    assert [wait["request"] for wait in waits] == [receive["request"], send["request"]]
    assert [lost.kind for lost in script.not_represented] == ["Start: from whom it receives, taken for any"]


def test_places_in_the_source_comments_and_blank_lines_are_passed_over(tmp_path: Path) -> None:
    script, [actions], _ = imported(
        tmp_path, "# about it", "0 init", "", "  # more", "0 location a.c 12", " 0\tbarrier "
    )
    assert [call["operation"] for call in actions] == ["barrier"]
    assert script.not_represented == ()


def test_flops_and_sleeps_are_kept_to_the_bit(tmp_path: Path) -> None:
    trace = tmp_path / "a.trace"
    trace.write_text("0 compute 0.1\n0 sleep 3e-7\n0 allreduce 1 12345.6 0\n")
    rows = ti.read(trace, tmp_path / "a.script").arrays()["actions"]
    assert [OPERATIONS[row["operation"]] for row in rows] == ["flops", "sleep", "allreduce", "flops"]
    assert [row["size"].view("<f8") for row in rows[[0, 1, 3]]] == [0.1, 3e-7, 12345.6]


class TestLists:
    """Lists of files: one file for each rank, or one for all."""

    @pytest.fixture(autouse=True)
    def _files(self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        for folder in ("here", "there"):
            (tmp_path / folder).mkdir()
        monkeypatch.chdir(tmp_path)

    def actions(self, listed: str, where: str = "there/list") -> list[int]:
        Path(where).write_text(listed)
        return [int(n) for n in ti.read(where, "a.script", 1e9).arrays()["ranks"]["actions"]]

    def test_names_are_taken_from_the_working_folder_as_smpirun_takes_them(self) -> None:
        Path("here/0.txt").write_text("0 barrier\n")
        Path("there/1.txt").write_text("1 barrier\n1 barrier\n")
        assert self.actions("here/0.txt\n\nthere/1.txt\n") == [1, 2]
        assert self.actions(f"{Path('here/0.txt').absolute()}\nthere/1.txt\n") == [1, 2]

    def test_else_from_the_folder_of_the_list(self) -> None:
        Path("there/0.txt").write_text("0 barrier\n")
        Path("there/1.txt").write_text("1 barrier\n1 barrier\n")
        assert self.actions("0.txt\n1.txt\n") == [1, 2]
        Path("0.txt").write_text("0 barrier\n" * 7)
        assert self.actions("0.txt\n1.txt\n") == [7, 2]

    def test_a_list_of_one_file_shares_it(self) -> None:
        Path("here/all.txt").write_text("1 barrier\n0 barrier\n1 barrier\n")
        assert self.actions("here/all.txt\n") == [1, 2]

    @pytest.mark.parametrize(
        ("listed", "complaint"),
        [
            (
                "here/0.txt\nnowhere.txt\n",
                r"nowhere\.txt: no such file, from here or from there \(there/list, line 2\)",
            ),
            ("here/0.txt\nhere/1.txt more\n", r"must be the name of a file \(there/list, line 2\)"),
            ("here/1.txt\nhere/0.txt\n", r"1 barrier: this is rank 0's file \(here/1\.txt, line 1\)"),
            ("here/0.txt\nhere/0.txt\n", r"0 barrier: this is rank 1's file \(here/0\.txt, line 1\)"),
            ("here/0.txt\nhere/2.txt\n", r"2 barrier: there is no rank 2, but 0 to 1 \(here/2\.txt, line 2\)"),
        ],
    )
    def test_files_that_are_not_there_or_another_ranks_are_refused(self, listed: str, complaint: str) -> None:
        for rank in range(2):
            Path(f"here/{rank}.txt").write_text(f"{rank} barrier\n")
        Path("here/2.txt").write_text("1 barrier\n2 barrier\n")
        with pytest.raises(UserError, match=complaint):
            self.actions(listed)

    def test_a_folder_has_a_file_of_each_rank(self) -> None:
        Path("here/a.txt").write_text("1 barrier\n1 barrier\n")
        Path("here/b.txt").write_text("0 barrier\n")
        assert ti.read("here", "a.script", 1e9).arrays()["ranks"]["actions"].tolist() == [1, 2]
        Path("here/a.txt").write_text("0 barrier\n")
        with pytest.raises(UserError, match=r"here/a\.txt is rank 0's \(here/b\.txt, line 1\)"):
            ti.read("here", "a.script", 1e9)


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


@pytest.mark.parametrize(
    "secret", ["root:x:0:0:root", "TOKEN = abc123", "0: abc123", "0 abc123", "abc123", "7 TOKEN abc123"]
)
def test_a_file_that_is_no_trace_is_not_shown(tmp_path: Path, secret: str) -> None:
    """A list may name any file of the user's: its content must not appear in an error message that the user passes on."""
    (tmp_path / "sent").mkdir()
    (tmp_path / "secret").write_text(f"# mine\n{secret}\n")
    (tmp_path / "sent" / "list").write_text(f"{tmp_path / 'secret'}\n{tmp_path / 'secret'}\n")
    (tmp_path / "sent" / "alone").write_text("../secret\n")
    for name in ("list", "alone"):
        with pytest.raises(UserError) as caught:
            ti.read(tmp_path / "sent" / name, tmp_path / "a.script", FLOPS_PER_S)
        message = str(caught.value)
        assert "abc123" not in message
        assert "root" not in message.replace(str(tmp_path), "")
        assert "secret: is not a time-independent trace: line 2 is not RANK ACTION NUMBERS" in message
