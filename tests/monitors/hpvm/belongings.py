# SPDX-License-Identifier: BSD-3-Clause
"""Files of HPVM's monitor outside its folders: the study of its paper, which is kept with those of the HYPERMON
monitor.
"""

ALSO = (
    "python/hypermon_studies/hpvm",
    "tests/monitors/hypermon/python/test_hpvm_study.py",
)
