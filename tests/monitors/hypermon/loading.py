# SPDX-License-Identifier: BSD-3-Clause
"""A module of the user's on the PBX, and boards of the user's in SystemC and in Verilog."""

FILES = (
    ("pbx.module", {"monitor": "hypermon"}),
    ("ecb.module", {"monitor": "hypermon"}),
    ("ecb.rtl", {"monitor": "hypermon"}),
)
