"""hypermon: what would a performance monitor lose, and what would it slow down?

>>> import hypermon
>>> r = hypermon.run("table2/place", nodes=4, monitor="hypermon")
>>> r.elapsed_s, r["ledger"], r.path
"""

import importlib
from typing import TYPE_CHECKING, Any

from hypermon.errors import HypermonError, SimulationError, UserError

if TYPE_CHECKING:
    from hypermon import (
        frames,
        importing,
        parameters,
        pictures,
        registers,
        replaying,
        report,
        sweeping,
        timelines,
        tradeoffs,
        waves,
    )
    from hypermon.calibrating import calibrate
    from hypermon.capturing import Capture, Design, capture, design
    from hypermon.comparing import Comparison, compare
    from hypermon.recording import Recording, record
    from hypermon.replaying import replay
    from hypermon.result import Result
    from hypermon.runner import run
    from hypermon.sizing import size
    from hypermon.sweeping import Sweep, sweep
    from hypermon.sweeping.space import linear_range, log2_range, log_range

__version__ = "0.1.0"

# What needs more than the standard library is loaded when it is first asked for: `import hypermon` stays quick.
_WHERE = {
    "Capture": "capturing",
    "Comparison": "comparing",
    "Design": "capturing",
    "Recording": "recording",
    "Result": "result",
    "calibrate": "calibrating",
    "capture": "capturing",
    "compare": "comparing",
    "design": "capturing",
    "record": "recording",
    "replay": "replaying",
    "run": "runner",
    "linear_range": "sweeping.space",
    "log2_range": "sweeping.space",
    "log_range": "sweeping.space",
    "Sweep": "sweeping",
    "sweep": "sweeping",
    "size": "sizing",
}

_MODULES = (
    "frames",
    "importing",
    "parameters",
    "pictures",
    "registers",
    "replaying",
    "report",
    "sweeping",
    "timelines",
    "tradeoffs",
    "waves",
)

__all__ = [
    "Capture",
    "Comparison",
    "Design",
    "HypermonError",
    "Recording",
    "Result",
    "SimulationError",
    "Sweep",
    "UserError",
    "__version__",
    "calibrate",
    "capture",
    "compare",
    "design",
    "frames",
    "importing",
    "linear_range",
    "log2_range",
    "log_range",
    "parameters",
    "pictures",
    "record",
    "registers",
    "replay",
    "replaying",
    "report",
    "run",
    "size",
    "sweep",
    "sweeping",
    "timelines",
    "tradeoffs",
    "waves",
]


def __getattr__(name: str) -> Any:
    if name in _MODULES:
        return importlib.import_module(f"hypermon.{name}")
    if name in _WHERE:
        return getattr(importlib.import_module(f"hypermon.{_WHERE[name]}"), name)
    raise AttributeError(f"module {__name__} has no {name}")


def __dir__() -> list[str]:
    return [*globals(), *_WHERE, *_MODULES]
