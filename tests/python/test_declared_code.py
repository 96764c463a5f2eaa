# SPDX-License-Identifier: BSD-3-Clause
"""Parameters that make hypermon build, load or start code are declared as such (Field::that_runs).

The table of docs/how-to/trust.md and `hypermon params code` follow from the declarations. Platform files, presets and
program scripts may not set these parameters.
"""

from __future__ import annotations

import json
import re
import shutil
import subprocess
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest

from hypermon import UserError
from hypermon._files import places
from hypermon._inputs import platforms, scenario
from hypermon._model import worker as workers
from hypermon._model.schema import Parameter
from hypermon.importing import replay
from tests import registered
from tests.conftest import Hypermon

pytestmark = [
    pytest.mark.worker,
    pytest.mark.usefixtures("worker"),
    pytest.mark.skipif(shutil.which("smpicc") is None, reason="smpicc is not installed"),
]

PROGRAM = {"workload": "program", "program.file": "plain.c"}
FILES: dict[str, Mapping[str, Any]] = {
    "machine.xml": {"machine.topology": "xml", "machine.messages": "smpi"},
    "machine.hosts": {
        "machine.topology": "xml",
        "machine.messages": "smpi",
        "machine.xml": str(places.TREE / "examples/trace/cluster.xml"),
    },
    "packets.graph": {"packets.network": "packets", "packets.topology": "graph"},
    "neighbour.file": {"neighbour.count": 1, "neighbour.nodes": 2, "neighbour.workload": "program"},
    "mpiio.files": {"mpiio.file_system": "ideal"},
    "instrumentation.catalogue": {},
    "program.file": {"workload": "program"},
    "program.input": PROGRAM,
    "program.folder": PROGRAM,
    "program.root": PROGRAM,
    "program.calibration": {**PROGRAM, "program.compute": "calibrated"},
    "trace.file": {"workload": "trace"},
    "stream.file": {"workload": "stream"},
    **dict(registered.all_of("loading", "FILES")),
}
"""Parameters that name files or folders, each with the settings under which a run reads it."""
MPI = "#include <mpi.h>\nint main(int c, char** v) { MPI_Init(&c, &v); MPI_Barrier(MPI_COMM_WORLD); return MPI_Finalize(); }\n"
LOADERS = {
    "children.cpp": "processes that the program itself makes",
    "mpi_support.cpp": "tries SMPI's functions in a process of its own",
    "plugins.cpp": "--plugin: monitors of installed packages",
    "private_library.cpp": "the Fortran library that the program was built with",
    "program_object.cpp": "asks whether SimGrid's library is loaded",
    "rank_loader.cpp": "program.file, neighbour.file and workloads that come with hypermon",
}
"""Files of the worker that load or start code, and which code."""


def schema_parameters() -> list[Parameter]:
    return list(workers.schema().parameters.values())


def running() -> list[str]:
    return [one.path for one in schema_parameters() if one.runs]


@pytest.fixture(scope="module")
def objects(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """own.so, a program that makes the file `mark` beside it when it is loaded, and plain.c, which does not."""
    folder = tmp_path_factory.mktemp("objects")
    constructor = (
        f'#include <stdio.h>\n__attribute__((constructor)) static void leave(void) {{ fopen("{folder}/mark", "w"); }}\n'
    )
    (folder / "own.c").write_text(constructor + MPI)
    (folder / "plain.c").write_text(MPI)
    subprocess.run(["smpicc", "own.c", "-o", "own.so"], cwd=folder, check=True)
    (folder / "own").mkdir()
    shutil.copy(folder / "own.so", folder / "own/own.so")
    return folder


def test_every_parameter_that_names_a_file_is_tried_below() -> None:
    named = {one.path for one in schema_parameters() if one.kind in ("file", "folder", "program", "catalogue")}
    assert named - set(FILES) == set()


@pytest.mark.parametrize("path", FILES)
def test_a_run_loads_a_file_only_if_its_parameter_says_so(
    path: str, objects: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, hypermon: Hypermon
) -> None:
    schema = workers.schema()
    if path not in schema.parameters:
        pytest.skip("the part is not there")
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    (objects / "mark").unlink(missing_ok=True)
    file = objects / ("own" if schema.parameters[path].kind == "folder" else "own.so")
    settings = {
        "nodes": 2,
        "monitor": "none",
        "workload": "life",
        "life.generations": 1,
        **FILES[path],
        path: str(file),
    }
    given = objects / "scenario.yaml"
    given.write_text(json.dumps({"question": "q", "set": settings}))
    done = hypermon("run", str(given), "--out", str(tmp_path / "out"))
    assert done.returncode in (0, 2, 3), done.stderr
    assert (objects / "mark").exists() == bool(schema.parameters[path].runs), done.stderr


def test_what_is_compiled_or_built_is_declared() -> None:
    declared = running()
    assert {one.path for one in schema_parameters() if one.kind == "program"} <= set(declared)
    words = re.compile(r"\b(compiler|make|CMake|configure|shared object)\b")
    unsure = {"program.executable", "program.folder"}  # these select a built program, and give it files
    assert {one.path for one in schema_parameters() if words.search(one.description)} - unsure <= {*declared, *_data()}


def _data() -> set[str]:
    """Parameters with such words in their descriptions whose values are numbers or choices."""
    return {one.path for one in schema_parameters() if one.type != "string" or one.choices}


def test_code_is_loaded_where_parameters_say_so_and_nowhere_else() -> None:
    """Every C++ file that loads or starts code belongs to the worker, or to a part that declares such a parameter."""
    calls = re.compile(r"\b(dlm?open|execv\w*|execl\w*|posix_spawnp?|v?fork|system|popen)\(")
    for room in ("base", "hw", "sw", "platforms", "python/bindings"):
        for file in sorted((places.TREE / room).rglob("*.cpp")):
            code = re.sub(r"//.*", "", file.read_text())
            if not [call for call in calls.finditer(code) if code[: call.start()].rstrip()[-1:] not in (".", ">", ":")]:
                continue
            if file.parent == places.TREE / "platforms/worker":
                assert file.name in LOADERS, file
                continue
            within = file.relative_to(places.TREE).parents  # the folder of a monitor, or of its hardware
            parts = [places.TREE / one for one in within if len(one.parts) >= (2 if room == "hw" else 3)]
            headers = [one.read_text() for part in parts for one in part.rglob("*.hpp")]
            assert any("that_runs(" in text for text in headers), file


@pytest.fixture
def place(scenarios: Path, objects: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The folder of scenarios, with the real worker's schema."""
    monkeypatch.delenv("HYPERMON_SIM")
    (scenarios / "presets").mkdir()
    (scenarios / "free.yaml").write_text("question: q\n")
    shutil.copy(objects / "own.so", scenarios / "own.so")
    return scenarios


def test_a_platform_file_may_not_set_what_runs_code(place: Path) -> None:
    file = place / "own.yaml"
    for path in running():
        name = f"{path.partition('.')[0]}[0].{path.partition('.')[2]}" if path.startswith("neighbour.") else path
        file.write_text(f"description: d\nsource: s\nset:\n  nodes: 2\n  {name}: own.so\n")
        with pytest.raises(UserError) as refused:
            scenario.find_one("free", file).resolve(workers.schema())
        message = str(refused.value)
        assert message.startswith(f"{name}: ")
        assert "is not a parameter of the machine" in message or "runs code, which a platform may not set" in message
        assert message.endswith(f"({file}, line 5)")


def test_a_preset_may_not_set_what_runs_code(place: Path) -> None:
    for path in running():
        (place / "presets/own.yaml").write_text(f"description: d\nset:\n  nodes: 2\n  {path}: own.so\n")
        (place / "asks.yaml").write_text("question: q\npresets: [own]\n")
        for name, presets in (("free", ["own"]), ("asks", [])):
            with pytest.raises(UserError) as refused:
                scenario.find_one(name).resolve(workers.schema(), presets=presets)
            message = str(refused.value)
            assert message.startswith(
                f"{path}: runs code, which a preset may not set; set it in a scenario or with --set"
            )
            assert message.endswith("presets/own.yaml, line 4)")


def test_a_scenario_and_its_base_may_set_it(place: Path) -> None:
    (place / "base.yaml").write_text("question: q\nset: {workload: program, program.file: own.so}\n")
    (place / "derived.yaml").write_text("question: q\nbase: base\n")
    for name in ("base", "derived"):
        spec = scenario.find_one(name).resolve(workers.schema(), build=False)
        assert str(spec.values["program.file"]).startswith(str(place / "own.so"))


def test_what_comes_with_hypermon_keeps_to_that() -> None:
    for name in platforms.names():
        scenario.refuse_code(platforms.find(name, "").settings, workers.schema(), "a platform")
    for name in scenario.preset_names():
        scenario.read_preset(places.scenarios(), name, "", workers.schema())


def test_a_program_script_may_not_set_what_runs_code(objects: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The script's machine is the one of the recording. The recorded program does not run again."""
    schema = workers.schema()
    recorded: dict[str, Any] = {"workload": "program", "nodes": 2}

    class Sent:
        metadata: Mapping[str, Any] = {"source": {"spec": recorded}}
        nodes, has_files = 2, False

    monkeypatch.setattr("hypermon.importing.script.Script.open", lambda _file: Sent())
    script = objects / "sent.script"
    script.write_text("")
    for path in running():
        recorded.clear()
        recorded.update({"workload": "program", "nodes": 2, path: f"{objects}/own.so"})
        if path.startswith("program."):
            assert replay.specify(script).values[path] == schema.parameters[path].default
            continue
        with pytest.raises(
            UserError, match=re.escape(f"{path} = {objects}/own.so: runs code, which a program script may")
        ):
            replay.specify(script)


def test_the_command_lists_them_and_each_ones_description_says_it(hypermon: Hypermon) -> None:
    listed = {entry["path"]: entry["runs"] for entry in json.loads(hypermon("params", "code", "--json").stdout)}
    assert list(listed) == running()
    assert len(listed) >= 4
    table = hypermon("params", "code").stdout
    page = (places.TREE / "docs/how-to/trust.md").read_text()
    for path, runs in listed.items():
        assert path in table
        output = hypermon("params", path).stdout
        assert " ".join(runs.split()) in " ".join(output.split())
        assert "Platform files and presets may not set it." in " ".join(output.split())
        assert re.search(rf"^{re.escape(path)} ", page, re.MULTILINE), path
