# SPDX-License-Identifier: BSD-3-Clause
"""Files: their places, and atomic reading and writing. Independent of the simulator's data."""
