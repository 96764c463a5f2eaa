# SPDX-License-Identifier: BSD-3-Clause
"""Names in a stranger's recording are plain text on pages, in tables, in views and in files of other formats."""

from __future__ import annotations

import csv
import json
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pyarrow as pa
import pytest

from hypermon._engine import recording
from tests.conftest import Hypermon
from tests.python.test_hostile_pages import EVIL as HTML
from tests.python.test_hostile_pages import HIT, kinds
from tests.python.test_printing import FORBIDDEN, IN_YAML, OF_RICH

pytestmark = [pytest.mark.worker, pytest.mark.usefixtures("worker")]
NAMES = f"{HTML} {IN_YAML}\n^>1 evil"
CODES = "=a-1"  # letters, digits and a few others only


@pytest.fixture(scope="module")
def recorded(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A recorded run of a scenario with attacks in all texts."""
    folder = tmp_path_factory.mktemp("sent")
    scenario = folder / "a<img src=x onerror=1>.yaml"
    content = {
        "question": NAMES.replace("\n", " "),
        "base": "collection/ring",
        "set": {"nodes": 2, "network.name": HTML, "program.arguments": NAMES.replace("\x00", "")},
    }
    scenario.write_text(json.dumps(content))
    command = [sys.executable, "-c", "from hypermon.cli import main; main()", "record", str(scenario), "--out"]
    done = subprocess.run([*command, str(folder / "run")], capture_output=True, text=True, check=False)
    if done.returncode:  # a text that may not be set is refused; the others remain
        content["set"] = {"nodes": 2}
        scenario.write_text(json.dumps(content))
        subprocess.run([*command, str(folder / "run")], capture_output=True, check=True)
    return folder / "run"


def test_what_is_made_of_a_strangers_recording_holds_no_attack(
    recorded: Path, tmp_path: Path, hypermon: Hypermon
) -> None:
    work = tmp_path / "work"
    shutil.copytree(recorded, work / "run")
    os.chdir(work)
    output = ""
    for command in (
        ["replay", "run"],
        ["replay", "run", "--json"],
        ["report", "run", "-o", "run.html"],
        ["truth", "run"],
        ["truth", "run", "--table", "events", "--csv"],
        ["timeline", "run", "-o", "line.html"],
        ["timeline", "run", "--format", "csv", "-o", "line.csv"],
        ["timeline", "run", "--format", "perfetto", "-o", "line.json"],
        ["waves", "run", "--window", "0s..1ms", "-o", "waves.vcd"],
        ["plot", "occupancy", "run", "-o", "picture.svg"],
        ["compare", "run", "run", "-o", "compare.html"],
    ):
        done = hypermon(*command)
        assert done.returncode in (0, 2), (command, done.stderr)
        assert "Traceback" not in done.stderr
        output += done.stdout + done.stderr
    assert FORBIDDEN.findall(OF_RICH.sub("", output).replace("\r", "")) == []
    usual = {"script", "style", "svg", "g", "path", "rect"}
    for page in ("run.html", "line.html"):
        text = Path(page).read_text(encoding="utf-8")
        assert f"<script>{HIT}" not in text
        assert not {tag for tag, _ in kinds(text)} & {"img", "iframe", "object", "embed"}, usual
    assert "evil" not in Path("waves.gtkw").read_text()
    with Path("line.csv").open(newline="", encoding="utf-8") as file:
        cells = {cell for row in csv.reader(file) for cell in row}
    assert not [cell for cell in cells if re.match(r"[=+@\t\r]|-\D", cell)]


def test_a_recording_of_another_version_is_refused_by_name(tmp_path: Path, hypermon: Hypermon) -> None:
    """The recording comes from a version with fewer parameters. Its checksums are right."""
    run = tmp_path / "run"
    assert hypermon("record", "collection/ring", "--set", "nodes=2", "--out", str(run)).returncode == 0
    file = run / recording.FILE
    with pa.ipc.open_file(file) as reader:
        schema, batches = reader.schema, [reader.get_batch_with_custom_metadata(0)]
    metadata = {key: value for key, value in schema.metadata.items() if key != recording.CRC.encode()}
    result = json.loads(metadata[b"result"])
    del result["spec"]["erb"]["seed"]
    result["versions"]["hypermon"] = "0.1.0"
    metadata[b"result"] = json.dumps(result).encode()
    metadata[recording.CRC.encode()] = b"%08x" % recording._crc_of_metadata(metadata)
    with pa.ipc.new_file(file, schema.with_metadata(metadata)) as writer:
        for batch, checksum in batches:
            writer.write_batch(batch, checksum)
    for command in ("replay", "size", "waves", "timeline", "frontier"):
        done = hypermon(command, str(run))
        assert (done.returncode, done.stdout) == (2, "")
        assert "was recorded with hypermon 0.1.0" in done.stderr
        assert "(differing: erb.seed): record again" in done.stderr
