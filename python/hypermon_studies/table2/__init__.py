# SPDX-License-Identifier: BSD-3-Clause
"""HYPERMON's Table 2 and Figures 8 to 14 (`hypermon study table2`)."""
