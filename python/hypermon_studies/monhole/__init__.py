# SPDX-License-Identifier: BSD-3-Clause
"""The buffer of TAU's monhole (`hypermon study monhole`)."""
