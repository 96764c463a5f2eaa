"""How TAU over a shared file system is turned: by how often profiles are written, and looked for."""

from hypermon._model.setups import Setup
from hypermon.monitors.tau.knob import CLOCKS, PERIODS_MS

SETUPS = (
    Setup(
        settings={"tau.dump": "period"},
        turned={"tau.period_ms": PERIODS_MS, "tau_files.period_ms": PERIODS_MS},
        vary={
            "tau.clock": list(CLOCKS),
            "tau.period_ms": (10, 3000, "log"),
            "tau_files.period_ms": (10, 3000, "log"),
            "tau.throttle": [True, False],
        },
    ),
)
