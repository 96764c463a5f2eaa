# SPDX-License-Identifier: BSD-3-Clause
"""hypermon: what would a performance monitor lose, and how much would it slow a program down?

>>> import hypermon
>>> r = hypermon.run("table2/place", nodes=4, monitor="hypermon")
>>> r.elapsed_s, r["ledger"], r.path
"""

from hypermon._version import __version__ as __version__

# False, but True for type checkers. `typing` takes longer to load than this module, and Jedi skips a block under False.
TYPE_CHECKING = not __name__
if TYPE_CHECKING:
    from typing import Any

    from hypermon import importing as importing
    from hypermon import judging as judging
    from hypermon import monitors as monitors
    from hypermon import parameters as parameters
    from hypermon import pictures as pictures
    from hypermon import report as report
    from hypermon import timelines as timelines
    from hypermon import tradeoffs as tradeoffs
    from hypermon._comparing import Comparison as Comparison
    from hypermon._comparing import compare as compare
    from hypermon._engine import sweeping as sweeping
    from hypermon._engine.calibrating import Calibration as Calibration
    from hypermon._engine.calibrating import calibrate as calibrate
    from hypermon._engine.checking import check as check
    from hypermon._engine.checks import Verdict as Verdict
    from hypermon._engine.recorder import record as record
    from hypermon._engine.recording import Recording as Recording
    from hypermon._engine.replaying import replay as replay
    from hypermon._engine.runner import run as run
    from hypermon._engine.sizing import Size as Size
    from hypermon._engine.sizing import size as size
    from hypermon._engine.streams.api import stream as stream
    from hypermon._engine.sweeping import Sweep as Sweep
    from hypermon._engine.sweeping import sweep as sweep
    from hypermon._engine.sweeping.space import linear_range as linear_range
    from hypermon._engine.sweeping.space import log2_range as log2_range
    from hypermon._engine.sweeping.space import log_range as log_range
    from hypermon._inputs.listed import Counter as Counter
    from hypermon._inputs.listed import ResultKey as ResultKey
    from hypermon._inputs.listed import counters as counters
    from hypermon._inputs.listed import params as params
    from hypermon._inputs.listed import platforms as platforms
    from hypermon._inputs.listed import result_keys as result_keys
    from hypermon._inputs.listed import scenarios as scenarios
    from hypermon._inputs.platforms import Platform as Platform
    from hypermon._inputs.scenario import Scenario as Scenario
    from hypermon._model.listing import Catalogue as Catalogue
    from hypermon._model.result import Result as Result
    from hypermon._model.schema import Parameter as Parameter
    from hypermon._names import *  # noqa: F403
    from hypermon.diagnosis import Diagnosis as Diagnosis
    from hypermon.diagnosis import diagnose as diagnose
    from hypermon.errors import HypermonError as HypermonError
    from hypermon.errors import SimulationError as SimulationError
    from hypermon.errors import UserError as UserError
    from hypermon.judging import Judgement as Judgement
    from hypermon.judging import judge as judge
    from hypermon.timelines.truth import Truth as Truth
    from hypermon.timelines.truth import truth as truth
    from hypermon.tradeoffs.front import Front as Front
    from hypermon.tradeoffs.sensitivity import Sensitivity as Sensitivity

# A name is loaded when it is first used, so that `import hypermon` stays quick.
_WHERE = {
    "Calibration": "_engine.calibrating",
    "Catalogue": "_model.listing",
    "Comparison": "_comparing",
    "Counter": "_inputs.listed",
    "Diagnosis": "diagnosis",
    "Front": "tradeoffs.front",
    "HypermonError": "errors",
    "Judgement": "judging",
    "Parameter": "_model.schema",
    "Platform": "_inputs.platforms",
    "Recording": "_engine.recording",
    "Result": "_model.result",
    "ResultKey": "_inputs.listed",
    "Scenario": "_inputs.scenario",
    "Sensitivity": "tradeoffs.sensitivity",
    "SimulationError": "errors",
    "Size": "_engine.sizing",
    "Sweep": "_engine.sweeping",
    "Truth": "timelines.truth",
    "UserError": "errors",
    "Verdict": "_engine.checks",
    "calibrate": "_engine.calibrating",
    "check": "_engine.checking",
    "compare": "_comparing",
    "counters": "_inputs.listed",
    "diagnose": "diagnosis",
    "judge": "judging",
    "linear_range": "_engine.sweeping.space",
    "log2_range": "_engine.sweeping.space",
    "log_range": "_engine.sweeping.space",
    "params": "_inputs.listed",
    "platforms": "_inputs.listed",
    "record": "_engine.recorder",
    "replay": "_engine.replaying",
    "result_keys": "_inputs.listed",
    "run": "_engine.runner",
    "scenarios": "_inputs.listed",
    "size": "_engine.sizing",
    "stream": "_engine.streams.api",
    "sweep": "_engine.sweeping",
    "truth": "timelines.truth",
}

_MODULES = {
    "importing": "importing",
    "judging": "judging",
    "monitors": "monitors",
    "parameters": "parameters",
    "pictures": "pictures",
    "report": "report",
    "sweeping": "_engine.sweeping",
    "timelines": "timelines",
    "tradeoffs": "tradeoffs",
}

_HERE = ("__version__",)


def __getattr__(name: str) -> "Any":
    import importlib

    if name in _MODULES:
        return importlib.import_module(f"hypermon.{_MODULES[name]}")
    if name in _WHERE:
        return getattr(importlib.import_module(f"hypermon.{_WHERE[name]}"), name)
    if name == "__all__":
        return sorted({*_WHERE, *_MODULES, *_HERE, *_of_monitors()})
    if not name.startswith("_"):
        from hypermon._model import monitors

        for monitor in monitors.registered().values():
            if (found := monitor.names().get(name)) is not None:
                return found()
    raise AttributeError(f"module {__name__} has no {name}")


def _of_monitors() -> list[str]:
    """The names that monitors add to this package. `_names.pyi` declares them for type checkers."""
    from hypermon._model import monitors

    return [name for one in monitors.registered().values() for name in one.names()]


def __dir__() -> list[str]:
    """The public names, for completion: without the package's own modules and constants."""
    return sorted({*__getattr__("__all__"), *(name for name in globals() if name.startswith("__"))})
