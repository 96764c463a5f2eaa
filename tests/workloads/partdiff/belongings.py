# SPDX-License-Identifier: BSD-3-Clause
"""Files of partdiff outside its folders: the study of HDTrace's paper, which is kept with those of the HYPERMON
monitor.
"""

ALSO = ("python/hypermon_studies/piosim",)
