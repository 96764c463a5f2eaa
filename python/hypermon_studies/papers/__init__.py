# SPDX-License-Identifier: BSD-3-Clause
"""Every number of the five papers beside hypermon's (`hypermon study papers`)."""
