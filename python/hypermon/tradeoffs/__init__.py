# SPDX-License-Identifier: BSD-3-Clause
"""Trade-offs between loss, perturbation, latency and cost: Pareto fronts (Optuna) and sensitivities (SALib).

Both packages are an optional extra: `pip install hypermon[tradeoffs]`.
"""

from hypermon.tradeoffs.front import Front, pareto
from hypermon.tradeoffs.sensitivity import Sensitivity, morris, sobol

__all__ = ["Front", "Sensitivity", "morris", "pareto", "sobol"]
