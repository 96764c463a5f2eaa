# SPDX-License-Identifier: BSD-3-Clause
"""Files of TAU outside its folders: the other two monitors of its measurement, and the study of TAU over Supermon's
paper. Its file format is read even if the monitor is removed.
"""

ALSO: tuple[str, ...] = (
    "python/hypermon/monitors/tau_nfs",
    "python/hypermon/monitors/tau_supermon",
    "tests/monitors/tau_nfs",
    "tests/monitors/tau_supermon",
    "scenarios/presets/tau",
    "python/hypermon_studies/tau",
)
