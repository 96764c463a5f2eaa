# SPDX-License-Identifier: BSD-3-Clause
"""Files that are removed with Supermon: TAU's profiles in monholes, and the study of these."""

ALSO = (
    "python/bindings/supermon",
    "python/hypermon/monitors/tau_supermon",
    "python/hypermon_studies/monhole",
    "sw/monitors/tau/monhole_control.cpp",
    "sw/monitors/tau/monhole_control.hpp",
    "sw/monitors/tau/monhole_dumps.cpp",
    "sw/monitors/tau/monhole_dumps.hpp",
    "sw/monitors/tau/monhole_transport.cpp",
    "sw/monitors/tau/tau_supermon_part.cpp",
    "tests/monitors/tau_supermon",
)
