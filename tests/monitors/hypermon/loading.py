# SPDX-License-Identifier: BSD-3-Clause
"""A user's module on the PBX, and users' boards in SystemC and in Verilog."""

FILES = (
    ("pbx.module", {"monitor": "hypermon"}),
    ("ecb.module", {"monitor": "hypermon"}),
    ("ecb.rtl", {"monitor": "hypermon"}),
)
