# SPDX-License-Identifier: BSD-3-Clause
"""SimGrid platform files: read, checked, and written anew for SimGrid."""
