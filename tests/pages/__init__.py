# SPDX-License-Identifier: BSD-3-Clause
"""Every command on a page is run as it stands: what a page's steps are, and a reader who takes them."""
