# SPDX-License-Identifier: BSD-3-Clause
"""Files of the HYPERMON monitor outside its folders: hardware, waves, benchmarks, examples, lessons, a notebook, and
the studies of its paper.
"""

ALSO = (
    "hw/hypermon",
    "python/bindings/hypermon",
    "waves",
    "benchmarks/capture",
    "benchmarks/core",
    "benchmarks/decoder",
    "benchmarks/memory",
    "benchmarks/replay",
    "benchmarks/stream",
    "benchmarks/sweep",
    "benchmarks/waves",
    "benchmarks/levels",
    "examples/own_board",
    "examples/own_module",
    "examples/own_probe",
    "python/hypermon_studies",
    "docs/tutorial/is-1k-frames-enough.ipynb",
    "scenarios/lessons",
    "scenarios/rates",
    "sweeps",
)
