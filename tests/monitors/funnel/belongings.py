# SPDX-License-Identifier: BSD-3-Clause
"""What is the trace funnel's beside its folders: its hardware."""

ALSO = ("hw/funnel", "python/bindings/funnel", "benchmarks/funnel", "scenarios/presets/funnel", "scenarios/funnel")
