# SPDX-License-Identifier: BSD-3-Clause
"""The numbers of the paper about SCMS/RMS beside hypermon's (`hypermon study scms`)."""
