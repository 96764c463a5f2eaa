# SPDX-License-Identifier: BSD-3-Clause
"""Commands of the HYPERMON monitor."""
