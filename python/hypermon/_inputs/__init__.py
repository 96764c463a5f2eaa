# SPDX-License-Identifier: BSD-3-Clause
"""Inputs of runs: scenarios, platforms and programs, which are resolved to specifications."""
