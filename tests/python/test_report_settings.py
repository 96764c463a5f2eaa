# SPDX-License-Identifier: BSD-3-Clause
"""How the page of a run shows the parameters that are not the defaults."""

from __future__ import annotations

import json

import pytest

from hypermon._model.schema import Value
from hypermon.report.repeat import Setting, shortened

CATALOGUE = json.dumps({"name": "mpi", "events": [{"name": f"event{i}"} for i in range(100)]})


@pytest.mark.parametrize(("value", "shown"), [(CATALOGUE, "mpi"), ("nx2", "nx2"), (4, 4), (True, True), (0.5, 0.5)])
def test_a_catalogue_stands_there_by_its_name(value: Value, shown: Value) -> None:
    setting = Setting("instrumentation.catalogue", value, "nx2", "", "")
    assert shortened(setting).value == shown


def test_a_long_text_has_room() -> None:
    text = str(shortened(Setting("hpvm.counters", "mpi.time:MPI_Bcast " * 50, "host", "", "")).value)
    assert len(text) < 120
    assert text.startswith("mpi.time:MPI_Bcast ")
