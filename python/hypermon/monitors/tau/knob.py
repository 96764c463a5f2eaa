"""How TAU is turned: by the clock that its timers read. Its profiles come when the program has ended."""

from hypermon._model.setups import Setup

CLOCKS = ("rdtsc", "gettimeofday")
PERIODS_MS = (3000, 1000, 300, 100, 30, 10)

SETUPS = (
    Setup(
        turned={"tau.clock": CLOCKS},
        vary={
            "tau.clock": list(CLOCKS),
            "tau.throttle": [True, False],
            "tau.throttle_calls": (10, 100000, "log"),
            "tau.throttle_us": (1, 10000, "log"),
        },
    ),
)
