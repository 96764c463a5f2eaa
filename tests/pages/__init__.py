# SPDX-License-Identifier: BSD-3-Clause
"""Runs every command on a page as it is: the steps of a page, and a reader who follows them."""
