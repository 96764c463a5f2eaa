# SPDX-License-Identifier: BSD-3-Clause
"""`import hypermon` loads next to nothing: the rest comes when it is first asked for."""

from __future__ import annotations

import subprocess
import sys

HEAVY = ("numpy", "pandas", "pyarrow", "xarray", "matplotlib", "plotly", "rich", "hypermon._core")


def test_import_loads_nothing_heavy() -> None:
    code = f"import sys, hypermon; print([m for m in {HEAVY!r} if m in sys.modules])"
    loaded = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout
    assert loaded.strip() == "[]"


def test_every_public_name_is_there_and_others_are_not() -> None:
    import hypermon

    assert all(getattr(hypermon, name) is not None for name in hypermon.__all__)
    assert set(hypermon.__all__) <= set(dir(hypermon))
    assert not hasattr(hypermon, "no_such_name")
