"""What goes with Supermon: TAU's profiles in monholes, and the study of these."""

ALSO = (
    "python/hypermon/monitors/tau_supermon",
    "sw/monitors/tau/monhole_dumps.cpp",
    "sw/monitors/tau/monhole_dumps.hpp",
    "sw/monitors/tau/monhole_transport.cpp",
    "sw/monitors/tau/monhole_transport.hpp",
    "sw/monitors/tau/tau_supermon_part.cpp",
    "tests/monitors/tau_supermon",
)
