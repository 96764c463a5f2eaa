# SPDX-License-Identifier: BSD-3-Clause
"""TAU's profiles, whatever program wrote them, are read unchanged, written back identically, and refused with the line
of a fault.
"""

from __future__ import annotations

import string
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hypermon._files import tau
from hypermon._files.tau import profile as profiles
from hypermon.errors import UserError
from tests.python.little_tau import OLD, OTHERS, OURS


def read(folder: Path, text: str) -> tau.Profile:
    path = folder / "profile.0.0.0"
    path.write_text(text, encoding="utf-8")
    return tau.read(path)


def refusal(folder: Path, text: str) -> str:
    with pytest.raises(UserError) as caught:
        read(folder, text)
    return str(caught.value).removeprefix(f"{folder / 'profile.0.0.0'}")


def test_a_profile_is_read_whole_and_written_back_to_the_byte(tmp_path: Path) -> None:
    found = read(tmp_path, OURS)
    assert found.metadata == (("Hostname", "a&b"),)
    assert found.routines[0] == tau.Routine(".TAU application", 1, 2, 1500.0, 2e6, "TAU_DEFAULT")
    assert found.routines[1].exclusive == 1e-6
    tau.write(tmp_path / "again", found)
    assert (tmp_path / "again").read_text() == OURS


def test_profiles_of_other_taus_are_read(tmp_path: Path) -> None:
    old = read(tmp_path, OLD)
    assert old.metric == ""
    assert old.routines == (tau.Routine("main int (int, char **)", 1, 5, 1200.0, 3.4),)
    other = read(tmp_path, OTHERS)
    assert other.metric == "MULTI_GET_TIME_OF_DAY"
    assert other.events == (tau.UserEvent("Message size sent to all nodes", 4, 800.0, 8.0, 404.0, 1.2e6),)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", ", line 1: the number of templated_functions expected: the profile is cut"),
        ("hello\n", ", line 1: hello: the number of templated_functions expected"),
        (OURS.replace("# Name", "# Names"), ", line 2: "),
        (OURS.replace("2 templated", "3 templated"), ', line 5: 0 aggregates: "name" calls'),
        (OURS.replace("2 templated", "1 templated"), ", line 4: "),
        (OURS.replace("123.456789", "nan"), ", line 4: "),
        (OURS.replace("123.456789", "1e999"), ", line 4: 1e999: too large a number"),
        (OLD.replace("3.4 0", "3.4 1"), ", line 3: has profiles of each call"),
        (OLD.replace("3.4 0", "3.4 5 0"), ", line 3: other columns than"),
        (OURS.replace("0 agg", "1 agg"), ", line 5: aggregates"),
        (OTHERS.replace(" 404", ""), ", line 7: "),
        (OTHERS + "more\n", ", line 8: more: behind the profile's end"),
    ],
)
def test_what_is_no_profile_is_refused_with_its_line(tmp_path: Path, text: str, message: str) -> None:
    assert refusal(tmp_path, text).startswith(message)


def test_a_profile_that_is_cut_is_refused(tmp_path: Path) -> None:
    for size in range(len(OURS) - 1):
        if not OURS[:size].endswith('TAU_DISABLE" \n'):  # older profiles of other programs end there
            assert refusal(tmp_path, OURS[:size]).startswith(", line ")


names = st.text(string.ascii_letters + string.digits + ' ()[]<>&:=>"_.äß', min_size=1).map(str.strip).filter(bool)
times = st.floats(-1e12, 1e12).map(lambda x: float(f"{x:.16G}"))
routines = st.builds(tau.Routine, names, st.integers(0, 10**15), st.integers(0, 10**15), times, times, st.just("MPI"))
events = st.builds(tau.UserEvent, names, st.integers(1, 10**9), times, times, times, times)


@given(st.lists(routines, max_size=4), st.lists(events, max_size=3), st.lists(st.tuples(names, names), max_size=3))
def test_any_profile_comes_back(
    tmp_path_factory: pytest.TempPathFactory,
    some: list[tau.Routine],
    also: list[tau.UserEvent],
    metadata: list[tuple[str, str]],
) -> None:
    profile = tau.Profile(tuple(some), tuple(also), tuple(metadata))
    folder = tmp_path_factory.mktemp("tau")
    assert read(folder, profiles.text_of(profile)) == profile


def test_profiles_of_a_folder_are_found_in_the_order_of_their_numbers(tmp_path: Path) -> None:
    for name in ("profile.10.0.0", "profile.2.0.1", "profile.2.0.0", "dump.0.0.0", "profile.1.0"):
        (tmp_path / name).write_text(OURS)
    assert list(tau.find(tmp_path)) == [(2, 0, 0), (2, 0, 1), (10, 0, 0)]
    (tmp_path / "run").mkdir()
    with pytest.raises(UserError, match="has no profile of TAU's"):
        tau.find(tmp_path / "run")
