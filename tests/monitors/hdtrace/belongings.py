# SPDX-License-Identifier: BSD-3-Clause
"""Files of HDTrace outside its folders: none; its format is read whether the monitor is there or not."""

ALSO: tuple[str, ...] = ()
