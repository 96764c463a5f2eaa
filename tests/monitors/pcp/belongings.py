# SPDX-License-Identifier: BSD-3-Clause
"""What goes with PCP: the study that compares SCMS/RMS with it."""

ALSO = (
    "python/hypermon_studies/scms.py",
    "python/hypermon_studies/scms_cells.py",
    "python/hypermon_studies/scms_figures.py",
    "python/hypermon_studies/scms_page.py",
    "python/hypermon_studies/scms_runs.py",
    "tests/monitors/hypermon/python/test_scms_study.py",
)
