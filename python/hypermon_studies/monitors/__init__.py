# SPDX-License-Identifier: BSD-3-Clause
"""Which monitor suits which machine and program (`hypermon study monitors`, `hypermon study monitors-pages`)."""
