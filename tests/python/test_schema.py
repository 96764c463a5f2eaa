# SPDX-License-Identifier: BSD-3-Clause
"""Values are checked only against the worker's declarations."""

from __future__ import annotations

import re

import pytest

from hypermon._model.schema import Schema, canonical, flat, nested
from hypermon.errors import UserError
from tests.python.fake_worker import describe

SCHEMA = Schema.from_json(describe())


def parse(path: str, raw: object) -> object:
    return SCHEMA.parameter(path, "here").parse(raw, "here")


@pytest.mark.parametrize(
    ("path", "raw", "value"),
    [
        ("ecb.window_ns", "800", 800),
        ("ecb.window_ns", "0.8us", 800),
        ("ecb.window_ns", "0.0008 ms", 800),
        ("ecb.window_ns", 1e3, 1000),
        ("ecb.window_ns", "1e3", 1000),
        ("port.nibble_cost_ns", "8.85 us", 8850.0),
        ("port.delay", "20 iterations", 20),
        ("fake.verbose", "yes", True),
        ("fake.verbose", False, False),
        ("monitor", "none", "none"),
        ("ecb[2].window_ns", "0.4us", 400),
        ("ecb.window_ns", 50, 50),
        ("ecb.window_ns", "1s", 10**9),
    ],
)
def test_a_value_is_read_with_its_unit_and_type(path: str, raw: object, value: object) -> None:
    got = parse(path, raw)
    assert (got, type(got)) == (value, type(value))


@pytest.mark.parametrize(
    ("path", "raw", "message"),
    [
        ("ecb.window_ns", 30, "ecb.window_ns = 30: must be a multiple of 50 from 50 to 1000000000 ns (here)"),
        ("ecb.window_ns", 0, "must be a multiple of 50"),
        ("ecb.window_ns", "800.5", "must be a multiple of 50"),
        ("ecb.window_ns", "0.82 us", "must be a multiple of 50"),
        ("ecb.window_ns", "800 B", "wrong unit B: give ns, or one of ps, ns, us, ms, s"),
        ("port.delay", "20 us", "wrong unit us: it is counted in iterations"),
        ("nodes", "4 ns", "wrong unit ns: it has no unit"),
        ("nodes", 3, "must be a power of two from 1 to 128"),
        ("nodes", 256, "must be a power of two from 1 to 128"),
        ("nodes", True, "nodes = true: must be a power of two"),
        ("nodes", "many", "nodes = many: must be"),
        ("port.nibble_cost_ns", float("nan"), "must be a number from 750"),
        ("monitor", "hypermno", "must be one of none, software, hypermon; did you mean hypermon?"),
        ("fake.verbose", 3, "fake.verbose = 3: must be true or false (here)"),
        ("fake.verbose", "ture", "fake.verbose = ture: must be true or false"),
        ("ecb[2].window_ns", 30, "ecb[2].window_ns = 30: must be a multiple of 50 from 50 to 1000000000 ns (here)"),
    ],
)
def test_a_refused_value_is_named_with_what_is_allowed(path: str, raw: object, message: str) -> None:
    with pytest.raises(UserError, match="^" + re.escape(path)) as caught:
        parse(path, raw)
    assert message in str(caught.value)


@pytest.mark.parametrize(
    ("path", "message"),
    [
        ("ecb.windw_ns", "ecb.windw_ns: no such parameter; did you mean ecb.window_ns?"),
        ("window_ns", "did you mean ecb.window_ns?"),
        ("qqqqq", "qqqqq: no such parameter (here)"),
        ("ecb", "is a group of parameters, set one of ecb.window_ns"),
        ("ecb[2]", "is a group of parameters, set one of ecb[2].window_ns, ecb[2].frame_fifo_frames (here)"),
        ("ecb[2].windw_ns", "ecb[2].windw_ns: no such parameter; did you mean ecb[2].window_ns?"),
        ("ecb[2].inputs", "ecb[2].inputs: is the same of all; set ecb.inputs (here)"),
        ("pbx[2].word_ns", "pbx[2].word_ns: no such parameter; did you mean pbx.word_ns?"),
        ("ecb[02].window_ns", "ecb[02].window_ns: no such parameter; did you mean ecb.window_ns?"),
        ("ecb[-1].window_ns", "ecb[-1].window_ns: no such parameter; did you mean ecb.window_ns?"),
    ],
)
def test_an_unknown_parameter_is_answered_with_the_nearest(path: str, message: str) -> None:
    with pytest.raises(UserError) as caught:
        SCHEMA.parameter(path, "here")
    assert message in str(caught.value)


@pytest.mark.parametrize(
    ("pattern", "paths"),
    [
        ("ecb.window_ns", ["ecb.window_ns"]),
        ("ecb", ["ecb.window_ns", "ecb.inputs", "ecb.frame_fifo_frames"]),
        ("ecb[2].window_ns", ["ecb[2].window_ns"]),
        ("ecb[2]", ["ecb[2].window_ns", "ecb[2].frame_fifo_frames"]),
        ("ecb[12].*_ns", ["ecb[12].window_ns"]),
        ("ec[bx].window_ns", ["ecb.window_ns"]),
        ("*_ns", ["port.nibble_cost_ns", "port.delay_iteration_ns", "ecb.window_ns", "pbx.word_ns"]),
    ],
)
def test_parameters_are_selected_by_path_group_or_glob(pattern: str, paths: list[str]) -> None:
    assert [p.path for p in SCHEMA.select(pattern)] == paths


@pytest.mark.parametrize(
    ("pattern", "message"),
    [
        ("ecb[2].inputs", "ecb[2].inputs: is the same of all; set ecb.inputs"),
        ("ecb[2].windw_ns", "did you mean ecb[2].window_ns?"),
    ],
)
def test_nothing_selected_of_a_board_is_answered_as_in_a_setting(pattern: str, message: str) -> None:
    with pytest.raises(UserError) as caught:
        SCHEMA.select(pattern)
    assert message in str(caught.value)


def test_what_a_board_has_as_all_boards_have_it_is_left_out() -> None:
    values = {"ecb.window_ns": 400, "ecb[1].window_ns": 400, "ecb[2].window_ns": 800}
    assert canonical(values) == {"ecb.window_ns": 400, "ecb[2].window_ns": 800}


def test_nested_and_flat_are_inverse() -> None:
    values = {p.path: p.default for p in SCHEMA.parameters.values()} | {"ecb[2].window_ns": 400}
    assert flat(nested(values)) == values


def test_the_least_and_the_largest_real_number_may_be_written_in_digits() -> None:
    real = SCHEMA.parameter("port.nibble_cost_ns", "")._replace(min=0.1, max=0.7)
    assert [real.parse(raw, "") for raw in ("0.1", 0.1, "0.7", 0.7)] == [0.1, 0.1, 0.7, 0.7]
