# SPDX-License-Identifier: BSD-3-Clause
"""The questions of HYPERMON's section "Lessons learned", answered by scenarios (`hypermon study lessons`)."""
