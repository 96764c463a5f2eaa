"""hypermon: what would a performance monitor lose, and what would it slow down?

>>> import hypermon
>>> r = hypermon.run("table2/place", nodes=4, monitor="hypermon")
>>> r.elapsed_s, r["ledger"], r.path
"""

import importlib
from typing import TYPE_CHECKING, Any

from hypermon._version import __version__
from hypermon.errors import HypermonError, SimulationError, UserError

if TYPE_CHECKING:
    from hypermon import importing, monitors, parameters, pictures, report, timelines, tradeoffs
    from hypermon._comparing import Comparison, compare
    from hypermon._engine import sweeping
    from hypermon._engine.calibrating import calibrate
    from hypermon._engine.checking import check
    from hypermon._engine.runner import run
    from hypermon._engine.sizing import size
    from hypermon._engine.sweeping import Sweep, sweep
    from hypermon._engine.sweeping.space import linear_range, log2_range, log_range
    from hypermon._inputs.listed import platforms, scenarios
    from hypermon._model.result import Result
    from hypermon.monitors.hypermon import frames, replaying, waves
    from hypermon.monitors.hypermon.capturing import Capture, Design, capture, design
    from hypermon.monitors.hypermon.frontiers import frontier
    from hypermon.monitors.hypermon.recorder import record
    from hypermon.monitors.hypermon.recording import Recording
    from hypermon.monitors.hypermon.replaying import replay
    from hypermon.timelines.truth import truth

# What needs more than the standard library is loaded when it is first asked for: `import hypermon` stays quick.
_WHERE = {
    "Comparison": "_comparing",
    "Result": "_model.result",
    "calibrate": "_engine.calibrating",
    "check": "_engine.checking",
    "compare": "_comparing",
    "platforms": "_inputs.listed",
    "run": "_engine.runner",
    "scenarios": "_inputs.listed",
    "linear_range": "_engine.sweeping.space",
    "log2_range": "_engine.sweeping.space",
    "log_range": "_engine.sweeping.space",
    "Sweep": "_engine.sweeping",
    "sweep": "_engine.sweeping",
    "size": "_engine.sizing",
    "truth": "timelines.truth",
}

_MODULES = {
    "importing": "importing",
    "monitors": "monitors",
    "parameters": "parameters",
    "pictures": "pictures",
    "report": "report",
    "sweeping": "_engine.sweeping",
    "timelines": "timelines",
    "tradeoffs": "tradeoffs",
}

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
    "check",
    "compare",
    "design",
    "frames",
    "frontier",
    "importing",
    "linear_range",
    "log2_range",
    "log_range",
    "monitors",
    "parameters",
    "pictures",
    "platforms",
    "record",
    "replay",
    "replaying",
    "report",
    "run",
    "scenarios",
    "size",
    "sweep",
    "sweeping",
    "timelines",
    "tradeoffs",
    "truth",
    "waves",
]


def __getattr__(name: str) -> Any:
    if name in _MODULES:
        return importlib.import_module(f"hypermon.{_MODULES[name]}")
    if name in _WHERE:
        return getattr(importlib.import_module(f"hypermon.{_WHERE[name]}"), name)
    if not name.startswith("_"):
        from hypermon._model import monitors

        for monitor in monitors.registered().values():
            if name in monitor.names:
                module, _, attribute = monitor.names[name].partition(":")
                found = importlib.import_module(module)
                return getattr(found, attribute) if attribute else found
    raise AttributeError(f"module {__name__} has no {name}")


def __dir__() -> list[str]:
    from hypermon._model import monitors

    return [*globals(), *_WHERE, *_MODULES, *(name for one in monitors.registered().values() for name in one.names)]
