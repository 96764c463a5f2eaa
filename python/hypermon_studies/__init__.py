# SPDX-License-Identifier: BSD-3-Clause
"""Studies: several runs, one table, one picture. A package beside hypermon that registers its commands there."""
