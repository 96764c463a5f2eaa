# SPDX-License-Identifier: BSD-3-Clause
"""SimGrid platform files: reads and checks them, and writes a safe copy for SimGrid."""
