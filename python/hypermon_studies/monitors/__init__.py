# SPDX-License-Identifier: BSD-3-Clause
"""Recommends monitors for machines and programs (`hypermon study monitors`, `hypermon study monitors-pages`)."""
