# SPDX-License-Identifier: BSD-3-Clause
"""What all of hypermon speaks of: parameters and results as the worker declares them, values with units, events."""
