"""The fixtures of the simulator's own tests."""

from tests.python.conftest import worker

__all__ = ["worker"]
