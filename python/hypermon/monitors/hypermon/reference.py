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
        "What `hypermon frontier --json` prints, lists of equal length, an entry a word time; [size.md]"
        "(../how-to/size.md) says how to ask. `hypermon.frontier` has the same as columns.",
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
        "Of a capture board on its I/O node's PBX: what the drain program reads and writes, and what [modules of your"
        " own](../how-to/own-module.md) find there. In C++ `hw/hypermon/core/registers.hpp`, in Python"
        " `hypermon.registers`. An access has four bytes, without byte enables; any other is refused"
        f" ([statuses](../design/tlm.md#response-statuses)). Reading {effects} takes a word's time (`pbx.word_ns`) and"
        " the word; a debug access takes neither.",
        table(("offset", "address", "register", "bits", "access", "after a reset", "description"), rows),
        f"## Fields\n\n{table(('register', 'mask', 'field', 'description'), fields)}",
    )
