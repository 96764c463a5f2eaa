# SPDX-License-Identifier: BSD-3-Clause
"""The data model: parameters and results as the worker declares them, values with units, events."""
