# SPDX-License-Identifier: BSD-3-Clause
"""The operations on specifications: runs, sweeps, sizing and checks."""
