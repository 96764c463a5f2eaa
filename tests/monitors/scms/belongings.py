# SPDX-License-Identifier: BSD-3-Clause
"""Files of SCMS/RMS outside its folders: the study of its paper, which is kept with those of the HYPERMON monitor."""

ALSO = (
    "python/hypermon_studies/scms",
    "tests/monitors/hypermon/python/test_scms_study.py",
)
