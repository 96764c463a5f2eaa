"""The monitors, a folder each."""
