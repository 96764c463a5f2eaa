# SPDX-License-Identifier: BSD-3-Clause
"""The global clock: converts times of the nodes' clocks to the monitor's time, and gives its error bound."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from hypermon.errors import UserError

if TYPE_CHECKING:
    import numpy as np
    import pandas as pd
    from numpy.typing import NDArray

    from hypermon._model.result import Result

COLUMN = "global_ps"


def global_times(result: Result) -> pd.DataFrame:
    """Returns the samples of a run under `hpvm`, with their time on the global clock.

    The error of a node's clock is assumed to be linear: through its best probe before the run and its best one after
    it. With `cristian.when = before`, the clock is assumed to run parallel to the monitor's clock from its one probe
    on.

    Args:
        result: The result of a run with a run directory.

    Returns:
        The samples (docs/reference/samples.md) and `global_ps`, the monitor's time in ps, rounded.

    Raises:
        UserError: The run has another monitor or no samples.

    Example:
        >>> frame = global_times(hypermon.run("hpvm/monitor", out="run"))  # doctest: +SKIP
    """
    if result["spec"]["monitor"] != "hpvm":
        raise UserError(f"the run's monitor is {result['spec']['monitor']}: only hpvm has a global clock")
    frame = result.samples.to_pandas()
    frame[COLUMN] = of_samples(result, frame)
    frame.attrs["units"][COLUMN] = "ps"
    return frame


def of_samples(result: Result, frame: pd.DataFrame) -> NDArray[np.int64]:
    """Returns the global time, ps, of samples of the run."""
    import numpy as np

    half = 1000 * result["spec"]["node"]["clock_resolution_ns"] // 2  # readings are rounded down
    local = frame["stamped_ps"].to_numpy() + half
    of = frame["node"].to_numpy()
    times = np.zeros(len(frame), np.int64)
    for node in result["monitor"]["clock"]["nodes"]:
        own = of == node["node"]
        times[own] = _line(node, local[own])
    return times


def _line(node: Mapping[str, Any], local: Any) -> Any:
    import numpy as np

    since = local - node["before_local_ps"]
    drift = 0.0
    if node["after_local_ps"] is not None:
        between = node["after_local_ps"] - node["before_local_ps"]
        drift = (node["after_monitor_ps"] - node["before_monitor_ps"] - between) / between
    # The drift is small: whole picoseconds of it are exact where those of the time are no doubles.
    return node["before_monitor_ps"] + since + np.rint(since * drift).astype(np.int64)
