# SPDX-License-Identifier: BSD-3-Clause
"""Studies: several runs, one table, one chart. This package registers its commands in hypermon."""
