# SPDX-License-Identifier: BSD-3-Clause
"""From a design to hardware: the Verilog of its capture board with a test bench (`hypermon rtl`)."""

from hypermon.monitors.hypermon.rtl_project.project import Rtl, rtl

__all__ = ["Rtl", "rtl"]
