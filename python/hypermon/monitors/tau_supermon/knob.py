"""How TAU over Supermon is turned: by how often profiles are written, and asked for."""

from hypermon._model.setups import Setup
from hypermon.monitors.tau.knob import CLOCKS, PERIODS_MS

PERIODS_S = tuple(ms / 1000 for ms in PERIODS_MS)

SETUPS = (
    Setup(
        settings={"tau.dump": "period"},
        turned={
            "tau.period_ms": PERIODS_MS,
            "supermon_client.period_s": PERIODS_S,
            "supermon_client.begin_s": PERIODS_S,
        },
        vary={
            "tau.clock": list(CLOCKS),
            "tau.period_ms": (10, 3000, "log"),
            "supermon_client.period_s": (0.01, 3, "log"),
            "tau.throttle": [True, False],
        },
    ),
)
