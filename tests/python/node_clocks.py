# SPDX-License-Identifier: BSD-3-Clause
"""Runs with wrong node clocks. The times of their samples show by which clocks daemons wait."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    import pandas as pd
    from numpy.typing import NDArray

RIGHT = {"node.clock_drift_ppm": 0, "node.clock_offset_us": 0, "node.start_spread_us": 0, "node.tick_ms": 1e6}
AHEAD = RIGHT | {"node.clock_offset_us": 100_000}
"""Clocks are up to 100 ms wrong, each otherwise."""
FAST_OR_SLOW = RIGHT | {"node.clock_drift_ppm": 1000}
"""Clocks drift by up to 500 ppm, each at its own rate."""


def of_node(result: Any, node: int) -> pd.DataFrame:
    """The node's samples by their time. Several samples of one time count as one."""
    frame: pd.DataFrame = result.samples.to_pandas()
    own: pd.DataFrame = frame[frame["node"] == node].drop_duplicates("true_ps").sort_values("true_ps")
    return own.reset_index(drop=True)


def intervals_s(frame: pd.DataFrame, column: str) -> NDArray[Any]:
    """Intervals by the node's clock (`stamped_ps`) or in true time (`true_ps`)."""
    import numpy as np

    return np.diff(frame[column].to_numpy()) * 1e-12


def drift(frame: pd.DataFrame) -> float:
    """Relative difference between a second of the node's clock and a second of true time."""
    first, last = frame.iloc[0], frame.iloc[-1]
    return float((last["true_ps"] - first["true_ps"]) / (last["stamped_ps"] - first["stamped_ps"]) - 1)
