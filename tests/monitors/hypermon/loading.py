# SPDX-License-Identifier: BSD-3-Clause
"""A module of the user's on the PBX."""

FILES = (("pbx.module", {"monitor": "hypermon", "drain.level": "words"}),)
