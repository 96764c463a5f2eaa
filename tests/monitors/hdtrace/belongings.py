# SPDX-License-Identifier: BSD-3-Clause
"""HDTrace has no files outside its folders. Its file format is read even if the monitor is removed."""

ALSO: tuple[str, ...] = ()
