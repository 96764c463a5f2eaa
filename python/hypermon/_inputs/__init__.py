# SPDX-License-Identifier: BSD-3-Clause
"""What is asked for: scenarios, platforms, programs; all that ends as a resolved specification."""
