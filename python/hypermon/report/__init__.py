# SPDX-License-Identifier: BSD-3-Clause
"""`hypermon report`: a run or a sweep as one page that needs no network."""

from hypermon.report.page import html, write

__all__ = ["html", "write"]
