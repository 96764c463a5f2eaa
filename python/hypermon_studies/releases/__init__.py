# SPDX-License-Identifier: BSD-3-Clause
"""What changed in results from one release to the next (`hypermon study releases`)."""
