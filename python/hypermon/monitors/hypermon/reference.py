# SPDX-License-Identifier: BSD-3-Clause
"""The HYPERMON monitor's own pages under docs/reference."""

from __future__ import annotations

from hypermon._reference.markdown import page, table
from hypermon.monitors.hypermon import registers
from hypermon.monitors.hypermon.frontiers import FRONTIER


def pages() -> dict[str, str]:
    return {"registers.md": _registers(), "frontier.md": _frontier()}


def _frontier() -> str:
    rows = ((f"`{key.path}`", key.unit, key.description) for key in FRONTIER)
    return page(
        "Frontiers",
        "`hypermon frontier --json` prints lists of equal length, with one entry for each time of a word. [Size]"
        "(../how-to/size.md#buffer-against-bandwidth) explains the command. The table of `hypermon.frontier` has the"
        " same columns.",
        table(("key", "unit", "description"), rows),
    )


def _registers() -> str:
    found = registers.table()
    rows = [
        (f"0x{r.offset:X}", f"0x{r.address:X}", f"`{r.name}`", r.bits, r.access, f"0x{r.reset:X}", r.description)
        for r in found
    ]
    fields = [(f"`{r.name}`", f"0x{f.mask:X}", f"`{f.name}`", f.description) for r in found for f in r.fields]
    effects = " and ".join(f"`{r.name}`" for r in found if r.side_effects)
    return page(
        "Registers",
        "A capture board has these registers on the PBX bus of its I/O node. The drain program and [modules of your"
        " own](../how-to/own-module.md) access them. `ro`: read only; `wo`: write only. In C++ they are in"
        " `hw/hypermon/core/registers.hpp`, in Python in `hypermon.registers`. An access has four bytes and no byte"
        " enables; any other access is refused ([statuses](../design/tlm.md#response-statuses)). Reading"
        f" {effects} takes the time of a word (`pbx.word_ns`, and `pbx.burst_start_ns` for the first word of a frame)"
        " and removes the word. Other reads take `pbx.register_read_ns`, and writes `pbx.register_write_ns`. A debug"
        " access takes no time and removes nothing.",
        table(("offset", "address", "register", "bits", "access", "after a reset", "description"), rows),
        f"## Fields\n\n{table(('register', 'mask', 'field', 'description'), fields)}",
    )
