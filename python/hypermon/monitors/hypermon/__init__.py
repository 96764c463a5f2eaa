"""HYPERMON, the hardware monitor."""
