# SPDX-License-Identifier: BSD-3-Clause
"""General code does not contain monitor-specific names: neither parameters and results nor units of data."""

from __future__ import annotations

import json
import re
import subprocess
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

import pytest

import hypermon
from tests.registered import observers

PACKAGE = Path(hypermon.__file__).parent
GENERATED = {"parameters.py", "_names.pyi", "_model/result_types.py"}
BOARD = (
    "accumulate_bits", "builder_cycles", "ecb", "frame_fifo_frames", "node_fifo_entries", "port", "rtl_parameters",
    "rtl_top", "timestamp_policy", "vector_fifo_entries", "window_ns",
)  # fmt: skip
OTHERS = {
    *((f"diagnosis/{module}.py", "interval_s") for module in ("__init__", "activity", "rules")),  # interval of samples
    # The build of the HYPERMON monitor's boards shares its cache with that of other objects, so that it is beside them.
    *(("_inputs/programs/board_pins.py", word) for word in ("ecb", "port", "window_lost")),
    *(("_inputs/programs/rtl.py", word) for word in BOARD),
    ("_inputs/programs/own_verilog.py", "ecb"),
    # A TCP port.
    *(
        (place, "port")
        for place in ("_engine/recording.py", "cli/explore.py", "explorer/__init__.py", "explorer/serving.py")
    ),
}
PLAIN = {"reader"}  # the word is also used for files and pipes
Described = Mapping[str, Any]


@pytest.fixture
def described(worker: Path) -> Described:
    """Names that the worker's parts have registered."""
    done = subprocess.run([worker, "--describe"], capture_output=True, text=True, check=True)
    found: Described = json.loads(done.stdout)
    return found


def parts(paths: Iterable[str]) -> set[str]:
    return {part for path in paths for part in re.split(r"[.\[\]]+", path) if part}


def own_words(described: Described, monitor: str) -> set[str]:
    """Names that belong to this monitor alone: its sections, its units, and names of several words, which are not plain
    English.
    """
    words: dict[str, set[str]] = {}
    of_parts = [*described["monitors"], *described["workloads"]]
    sections = {section: one["name"] for one in of_parts for section in one["sections"]}
    results = {path: one["name"] for one in of_parts for path in one["results"]}
    for parameter in described["parameters"]:
        section, _, name = parameter["path"].rpartition(".")
        words.setdefault(sections.get(section, ""), set()).update({section, name})
    units: dict[str, set[str]] = {}
    for result in described["results"]:
        owner = results.get(result["path"], "")
        words.setdefault(owner, set()).update(parts([result["path"]]))
        units.setdefault(owner, set()).add(result["unit"])
    for one in described["monitors"]:
        ledger = one["ledger"]
        words.setdefault(one["name"], set()).update(*ledger["lost"])
        units.setdefault(one["name"], set()).add(ledger["unit"])
    own = {section for section, owner in sections.items() if owner == monitor}
    plain = {word for word in words[monitor] if "_" not in word and word not in own}
    generally = set().union(*(found for owner, found in [*words.items(), *units.items()] if owner != monitor))
    return {word for word in (words[monitor] - plain) | units[monitor] if len(word) > 2} - generally - {monitor} - PLAIN


@pytest.mark.parametrize("monitor", observers())
def test_the_general_parts_have_no_word_of_a_monitors_own(described: Described, monitor: str) -> None:
    words = own_words(described, monitor)
    found = [
        f"{place}: {word}"
        for file in sorted(PACKAGE.rglob("*"))
        if file.suffix in {".py", ".html", ".js", ".yaml"}
        and (place := file.relative_to(PACKAGE).as_posix()) not in GENERATED
        and not place.startswith("monitors/")
        for word in sorted(words & set(re.findall(r"[A-Za-z_]\w*", file.read_text())))
        if (place, word) not in OTHERS
    ]
    assert found == []
