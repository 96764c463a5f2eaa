# SPDX-License-Identifier: BSD-3-Clause
"""The numbers of the paper about TAU over Supermon beside hypermon's (`hypermon study tau`)."""
