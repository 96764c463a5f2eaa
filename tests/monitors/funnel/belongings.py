# SPDX-License-Identifier: BSD-3-Clause
"""Files of the trace funnel outside its folders: its hardware."""

ALSO = ("hw/funnel", "python/bindings/funnel", "benchmarks/funnel", "scenarios/presets/funnel", "scenarios/funnel")
