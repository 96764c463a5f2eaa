"""What is the trace funnel's beside its folders: its hardware."""

ALSO = ("hw/funnel", "scenarios/presets/funnel", "scenarios/funnel")
