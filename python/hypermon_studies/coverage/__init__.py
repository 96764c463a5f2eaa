# SPDX-License-Identifier: BSD-3-Clause
"""What a design loses, disturbs and gets wrong under a collection of programs (`hypermon study coverage`)."""
