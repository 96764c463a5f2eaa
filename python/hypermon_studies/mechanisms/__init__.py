# SPDX-License-Identifier: BSD-3-Clause
"""Mechanisms that might explain the errors of Table 2 (`hypermon study mechanisms`)."""
