# SPDX-License-Identifier: BSD-3-Clause
"""Plain streams of events straight to the boards: runs without a program."""
