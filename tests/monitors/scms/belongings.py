# SPDX-License-Identifier: BSD-3-Clause
"""Files of SCMS/RMS outside its folders: the study of its paper, which is beside those of HYPERMON's."""

ALSO = (
    "python/hypermon_studies/scms.py",
    "python/hypermon_studies/scms_cells.py",
    "python/hypermon_studies/scms_figures.py",
    "python/hypermon_studies/scms_page.py",
    "python/hypermon_studies/scms_runs.py",
    "tests/monitors/hypermon/python/test_scms_study.py",
)
