# SPDX-License-Identifier: BSD-3-Clause
"""What is HDTrace's beside its folders: nothing; its format is read whether the monitor is there or not."""

ALSO: tuple[str, ...] = ()
