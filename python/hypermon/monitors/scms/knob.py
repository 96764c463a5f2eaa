# SPDX-License-Identifier: BSD-3-Clause
"""Setups of SCMS/RMS, which vary the periods of reading, pushing and client calls, also in the manner of LDMS, which
fetches values that samplers overwrite.
"""

from hypermon._model.setups import Setup

PERIODS = (3, 1, 0.3, 0.1, 0.03, 0.01)
BUSY = "hardware.cpu_busy hardware.cpu_kernel"  # the remaining busy time is the program's
PUSHED = f"{BUSY} {{:g}}"  # pushed with this period in s
SET = f"process.table {PUSHED}"  # a set of metrics, and those that are used
_CLIENT = {"scms_client.resources": BUSY, "scms_client.period_s": 1}

SETUPS = (
    Setup(
        settings={"scms.push": PUSHED.format(1), **_CLIENT},
        turned={"scms.push": tuple(map(PUSHED.format, PERIODS)), "scms_client.period_s": PERIODS},
        vary={
            "scms.push": list(map(PUSHED.format, PERIODS)),
            "scms_client.period_s": (0.01, 3, "log"),
            "scms.fanout": [2, 4, 16],
            "scms.inner_smas": ["first_node", "root"],
            "scms.merge_replies": [True, False],
            "scms.spread": (0, 1),
        },
        about="A tree of agents passes on changed values once a second, and a client reads them from the root.",
    ),
    Setup(
        "ldms",
        presets=("ldms/samplers",),
        settings={"scms.push": SET.format(1), **_CLIENT},
        turned={
            "scms.push": tuple(map(SET.format, PERIODS)),
            "scms.pull_offset_ms": (100, 100, 30, 10, 3, 1),
            "scms_client.period_s": PERIODS,
        },
        vary={
            "scms.push": list(map(SET.format, PERIODS)),
            "scms.pull_offset_ms": (0.3, 300, "log"),
            "scms_client.period_s": (0.01, 3, "log"),
            "scms.spread": (0, 1),
        },
        about="A sampler on each node overwrites a set of metrics every second, and an aggregator fetches the set 0.1 s"
        " later, as in LDMS.",
    ),
)
