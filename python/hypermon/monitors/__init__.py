# SPDX-License-Identifier: BSD-3-Clause
"""The monitors, a folder each; `Monitor` is what a folder, or a package outside of hypermon, registers.

`Setup` is how one of them is set up when monitors are compared.
"""

from hypermon._model.monitors import Monitor
from hypermon._model.setups import Setup

__all__ = ["Monitor", "Setup"]
