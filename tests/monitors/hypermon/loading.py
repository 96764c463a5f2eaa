# SPDX-License-Identifier: BSD-3-Clause
"""A module of the user's on the PBX, and a board of the user's in Verilog."""

FILES = (
    ("pbx.module", {"monitor": "hypermon", "drain.level": "words"}),
    ("ecb.rtl", {"monitor": "hypermon", "drain.level": "words"}),
)
