# SPDX-License-Identifier: BSD-3-Clause
"""Files that are removed with PCP: the study that compares SCMS/RMS with it."""

ALSO = (
    "python/hypermon_studies/scms",
    "tests/monitors/hypermon/python/test_scms_study.py",
)
