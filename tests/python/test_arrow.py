# SPDX-License-Identifier: BSD-3-Clause
"""Arrays made from buffers equal those that pyarrow makes, and views of arrays equal pyarrow's."""

from __future__ import annotations

from typing import Any

import numpy as np
import pyarrow as pa
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra import numpy as some

from hypermon._files import arrow

TYPES = st.sampled_from([np.uint8, np.uint16, np.uint32, np.uint64, np.int32, np.int64, np.float64])
INT64 = st.integers(-(2**63), 2**63 - 1)
KINDS = {pa.int64(): INT64, pa.float64(): st.floats(allow_nan=False), pa.bool_(): st.booleans(), pa.string(): st.text()}


@st.composite
def columns(draw: st.DrawFn) -> tuple[Any, list[Any]]:
    kind = draw(st.sampled_from(list(KINDS)))
    return kind, draw(st.lists(st.none() | KINDS[kind], max_size=40))


def same(made: pa.Array, wanted: pa.Array) -> bool:
    made.validate(full=True)
    return bool(made.equals(wanted) and made.type == wanted.type and made.null_count == wanted.null_count)


@settings(deadline=None)  # pyarrow imports pandas once
@given(values=TYPES.flatmap(lambda kind: some.arrays(kind, st.integers(0, 40))), data=st.data())
def test_of_numbers(values: np.ndarray[Any, Any], data: st.DataObject) -> None:
    values = np.nan_to_num(values)
    assert same(arrow.numbers(values), pa.array(values))
    assert same(arrow.numbers(values[::2]), pa.array(values[::2]))  # every second value: not contiguous
    missing = data.draw(some.arrays(bool, len(values)))
    assert same(arrow.numbers(values, missing), pa.array(values, mask=missing))
    first = data.draw(st.integers(0, len(values)))
    part = pa.array(values).slice(first)
    assert np.array_equal(arrow.view(part), part.to_numpy())
    halves = pa.chunked_array([pa.array(values[:first]), pa.array(values[first:])])
    assert np.array_equal(arrow.view(halves), halves.to_numpy())


@settings(deadline=None)
@given(column=columns())
def test_of_pythons_values(column: tuple[Any, list[Any]]) -> None:
    kind, values = column
    assert same(arrow.column(values, kind), pa.array(values, kind))


def test_what_is_missing_is_filled() -> None:
    array = pa.chunked_array([[5, None], [None, 7]], pa.int64())
    assert arrow.filled(array, -1).tolist() == [5, -1, -1, 7]


@pytest.mark.parametrize("values", [[1, None], [True, False], ["a", "b"], [None, None]])
def test_views_of_all_else_are_as_pyarrow_gives_them(values: list[Any]) -> None:
    array = pa.array(values)
    wanted = array.to_numpy(zero_copy_only=False)
    assert np.array_equal(arrow.view(array), wanted, equal_nan=wanted.dtype.kind == "f")
