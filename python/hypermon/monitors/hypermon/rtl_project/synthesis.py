# SPDX-License-Identifier: BSD-3-Clause
"""Synthesis of a board by Yosys for an iCE40. Its numbers are kept in hypermon's cache, by structure."""

from __future__ import annotations

import functools
import hashlib
import json
import shutil
import subprocess
import tempfile
from collections.abc import Mapping
from dataclasses import asdict, dataclass
from pathlib import Path

from hypermon._files import places, remembered
from hypermon._printing import say, terminal
from hypermon.errors import SimulationError, UserError
from hypermon.monitors.hypermon.rtl_project import files
from hypermon.monitors.hypermon.rtl_project.structure import Structure, memory_bits

MOST_BITS = 1 << 22  # (chosen) largest memory that is synthesized: 1024 block RAMs, 32 times as many as an iCE40 has
SOURCES = ("project/board.v", "capture_board.v", "node_fifo.v")


@dataclass(frozen=True)
class Resources:
    """Resources of an iCE40 that the board needs.

    Attributes:
        luts: Look-up tables with four inputs.
        flip_flops: Flip-flops.
        memory_blocks: Block RAMs of 4096 bits.
        tool: The program that counted them.
    """

    luts: int
    flip_flops: int
    memory_blocks: int
    tool: str

    def to_dict(self) -> dict[str, int | str]:
        return asdict(self)


def synthesize(structure: Structure) -> Resources:
    """Returns the resources of a structure. Each structure is synthesized once by each version of Yosys.

    Raises:
        UserError: Yosys is not installed, or the design has more than MOST_BITS bits of memory.
        SimulationError: Yosys failed.
    """
    return _synthesized(tuple(structure.items()))


@functools.cache
def _synthesized(parameters: tuple[tuple[str, int], ...]) -> Resources:
    structure = dict(parameters)
    bits = memory_bits(structure)
    if bits > MOST_BITS:
        raise UserError(
            f"synthesis: the FIFOs of a board with {structure['FRAMES']} frames (ecb.frame_fifo_frames) have {bits}"
            f" bits, must have at most {MOST_BITS}; list smaller values of what varies (--vary PATH=VALUES)"
        )
    yosys = _yosys()
    version = _version(yosys)
    texts = {Path(name).name: (places.rtl() / name).read_text(encoding="ascii") for name in SOURCES}
    texts[files.DESIGN] = files.design(structure)
    digest = hashlib.sha256(json.dumps(texts, sort_keys=True).encode()).hexdigest()
    place = remembered.place("synthesis", version, digest)
    known = remembered.read(place)
    if known is not None:
        return Resources(**json.loads(known))
    if terminal(stderr=True) is not None:
        say(f"synthesis of a board with {structure['FRAMES']} frames, {bits} bits of FIFOs", err=True)
    found = _resources(_statistics(yosys, texts), version)
    remembered.write(place, json.dumps(found.to_dict()))
    return found


def _yosys() -> str:
    found = shutil.which("yosys")
    if found is None:
        raise UserError("yosys is not installed: synthesis needs it (Debian and Ubuntu: package yosys)")
    return found


@functools.cache
def _version(yosys: str) -> str:
    output = subprocess.run([yosys, "-V"], capture_output=True, encoding="utf-8", errors="replace", check=False).stdout
    return " ".join(output.split()[:2])


def _statistics(yosys: str, texts: Mapping[str, str]) -> Mapping[str, int]:
    """Returns the number of cells of each type."""
    with tempfile.TemporaryDirectory() as folder:
        for name, text in texts.items():
            (Path(folder) / name).write_text(text, encoding="ascii")
        sources = " ".join(Path(name).name for name in SOURCES)
        script = f"read_verilog {sources}; synth_ice40 -top board; tee -q -o stat.json stat -json"
        done = subprocess.run(
            [yosys, "-q", "-p", script],
            cwd=folder,
            capture_output=True,
            encoding="utf-8",
            errors="replace",
            check=False,
        )
        if done.returncode != 0:
            reason = (done.stderr.strip() or done.stdout.strip() or f"status {done.returncode}").splitlines()[-1]
            raise SimulationError(f"yosys: {reason}")
        found: dict[str, int] = json.loads((Path(folder) / "stat.json").read_text())["design"]["num_cells_by_type"]
        return found


def _resources(cells: Mapping[str, int], version: str) -> Resources:
    def total(prefix: str) -> int:
        return sum(number for name, number in cells.items() if name.startswith(prefix))

    return Resources(total("SB_LUT4"), total("SB_DFF"), total("SB_RAM40"), version)
