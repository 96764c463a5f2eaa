# SPDX-License-Identifier: BSD-3-Clause
"""What is done with specifications: runs, sweeps, sizing, checks."""
