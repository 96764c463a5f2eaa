# SPDX-License-Identifier: BSD-3-Clause
"""Files of HPVM's monitor outside its folders: the study of its paper, which is beside those of HYPERMON's."""

ALSO = (
    "python/hypermon_studies/hpvm.py",
    "python/hypermon_studies/hpvm_cells.py",
    "python/hypermon_studies/hpvm_figures.py",
    "python/hypermon_studies/hpvm_page.py",
    "python/hypermon_studies/hpvm_runs.py",
    "python/hypermon_studies/hpvm_samples.py",
    "tests/monitors/hypermon/python/test_hpvm_study.py",
)
