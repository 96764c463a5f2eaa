# SPDX-License-Identifier: BSD-3-Clause
"""Pictures of HYPERMON's runs, for papers."""
