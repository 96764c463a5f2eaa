# SPDX-License-Identifier: BSD-3-Clause
"""The numbers of the paper about HPVM's monitor beside hypermon's (`hypermon study hpvm`)."""
