# SPDX-License-Identifier: BSD-3-Clause
"""Programs and events that were recorded elsewhere, made into what a run takes.

>>> from hypermon.importing import ti
>>> script = ti.read("lu.trace", "lu.script", flops_per_s=1e9)
>>> print(script.not_represented)
>>> hypermon.run(trace=script.path)
"""

__all__ = ["hdtrace", "otf2", "ti"]
