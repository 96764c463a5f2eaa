# SPDX-License-Identifier: BSD-3-Clause
"""Files of partdiff outside its folders: the study of HDTrace's paper, which is beside those of HYPERMON's."""

ALSO = ("python/hypermon_studies/piosim",)
