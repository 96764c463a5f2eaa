# SPDX-License-Identifier: BSD-3-Clause
"""Pictures of the HYPERMON monitor's runs, for papers."""
