"""hypermon: what would a performance monitor lose, and what would it slow down?

>>> import hypermon
>>> r = hypermon.run("table2/place", nodes=4, monitor="hypermon")
>>> r.elapsed_s, r["ledger"], r.path
"""

from typing import TYPE_CHECKING, Any

from hypermon.errors import HypermonError, SimulationError, UserError

if TYPE_CHECKING:
    from hypermon.result import Result
    from hypermon.runner import run

__version__ = "0.1.0"

__all__ = ["HypermonError", "Result", "SimulationError", "UserError", "__version__", "run"]


def __getattr__(name: str) -> Any:
    """Loads what runs need when it is first asked for: `hypermon --help` does not."""
    if name == "run":
        from hypermon.runner import run

        return run
    if name == "Result":
        from hypermon.result import Result

        return Result
    raise AttributeError(f"module {__name__} has no {name}")
