"""The monitors, a folder each; `Monitor` is what a folder, or a package outside of hypermon, registers."""

from hypermon._model.monitors import Monitor

__all__ = ["Monitor"]
