# SPDX-License-Identifier: BSD-3-Clause
"""Converts the worker's recording of a program (sw/mpi/script_recorder.hpp) into a program script."""

from __future__ import annotations

import shutil
from pathlib import Path

import numpy as np

from hypermon._model.schema import nested
from hypermon._model.spec import Spec
from hypermon.importing import script
from hypermon.importing.script import Lost


def assemble(folder: Path, spec: Spec, out: Path) -> None:
    """Writes the script `out` from the arrays in `folder`, and removes the folder."""
    actions = np.load(folder / "actions.npy", mmap_mode="r")
    blocks = np.load(folder / "blocks.npy").reshape(-1, 2)
    names = (folder / "operations.txt").read_text(encoding="ascii").split()
    ends = np.cumsum(blocks[:, 1])
    of_rank = [
        [actions[end - length : end] for length, end in zip(blocks[mine, 1], ends[mine], strict=True)]
        for mine in (blocks[:, 0] == rank for rank in range(int(blocks[:, 0].max(initial=-1)) + 1))
    ]
    rows = [line.split("\t") for line in (folder / "lost.tsv").read_text(encoding="utf-8").splitlines()]
    lost = [Lost(kind, int(count), first) for kind, count, first in rows]
    source = {
        "kind": "hypermon run",
        "name": spec.scenario,
        "nodes": spec.values["nodes"],
        "spec": nested(spec.values),
    }
    script.assemble(out, of_rank, np.load(folder / "lists.npy"), source, lost, names)
    shutil.rmtree(folder)
