"""What is HYPERMON's beside its folders: its hardware, waves of it, benchmarks and examples of it, studies of its paper."""

ALSO = (
    "hw/hypermon",
    "waves",
    "benchmarks/capture",
    "benchmarks/core",
    "benchmarks/decoder",
    "benchmarks/replay",
    "benchmarks/stream",
    "benchmarks/sweep",
    "benchmarks/waves",
    "benchmarks/words",
    "examples/own_module",
    "examples/own_probe",
    "python/hypermon_studies",
    "sweeps",
)
