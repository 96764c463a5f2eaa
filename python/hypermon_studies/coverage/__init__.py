# SPDX-License-Identifier: BSD-3-Clause
"""Losses, disturbance and errors of a design under a collection of programs (`hypermon study coverage`)."""
