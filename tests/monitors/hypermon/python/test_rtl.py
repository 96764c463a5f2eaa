# SPDX-License-Identifier: BSD-3-Clause
"""Capture boards in Verilog: the build, its cache, and refused designs."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
from pathlib import Path

import pytest

from hypermon import UserError
from hypermon._files import files, places
from hypermon._inputs.programs import cache, objects, rtl
from hypermon._model.schema import Value
from tests.conftest import Hypermon

# In CI Verilator must be installed.
MISSING = shutil.which("verilator") is None and not os.environ.get("HYPERMON_REQUIRE_RTL_TOOLS")
pytestmark = pytest.mark.skipif(MISSING, reason="verilator is not installed (Debian: verilator)")

PROTOTYPE: dict[str, Value] = {
    "port.width_bits": 4,
    "ecb.inputs": 16,
    "ecb.window_ns": 800,
    "ecb.node_fifo_entries": 64,
    "ecb.vector_fifo_entries": 64,
    "ecb.frame_fifo_frames": 1024,
    "ecb.builder_cycles": 8,
    "ecb.accumulate_bits": 0,
    "ecb.timestamp_policy": "every",
    "ecb.timestamp_bits": 32,
    "ecb.node_fifo_full": "drop",
    "ecb.vector_fifo_full": "drop",
    "ecb.frame_fifo_full": "drop",
}
HARDWARE = places.TREE / "hw" / "hypermon" / "rtl" / "capture_board.v"
DIRECT = places.TREE / "examples" / "own_rtl" / "direct_board.v"
TESTS = places.TREE / "build" / "release" / "tests" / "monitors" / "hypermon" / "rtl" / "test_rtl"
# A board with all required pins that never has a frame. `{}` is the rest of the module.
LEAST = """module least #(parameter INPUTS = 16, parameter WIDTH = 4) (input wire clock, input wire reset,
  input wire [INPUTS-1:0] strobe, input wire [INPUTS*WIDTH-1:0] data, input wire bus_begin, input wire bus_end,
  input wire bus_write, input wire [3:0] bus_address, input wire [31:0] bus_written, output wire [31:0] bus_read);
{}
endmodule
"""


def built(file: Path, **settings: Value) -> Path:
    return rtl.build_board(
        {**PROTOTYPE, **{path.replace("__", "."): value for path, value in settings.items()}}, file, ""
    )


def refused(file: Path, **settings: Value) -> str:
    with pytest.raises(UserError) as error:
        built(file, **settings)
    assert not list(cache.folder().glob("*/*.so"))
    return str(error.value)


@pytest.fixture(autouse=True)
def own_cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))


def run_in_systemc(board: Path, tag: str) -> None:
    if not TESTS.exists():
        pytest.skip("the tests of the RTL are not built")
    environment = {**os.environ, "HYPERMON_TEST_BOARD": str(board), "SC_COPYRIGHT_MESSAGE": "DISABLE"}
    done = subprocess.run([TESTS, tag], env=environment, capture_output=True, encoding="utf-8", check=False)
    assert done.returncode == 0, done.stdout
    assert "All tests passed" in done.stdout


def test_the_prototypes_board_gives_the_functional_models_results_as_a_shared_object() -> None:
    run_in_systemc(built(HARDWARE), "[.object]")


def test_a_board_of_ones_own_is_built_once_and_again_when_a_file_that_it_includes_changes(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    module = DIRECT.read_text(encoding="utf-8")
    (tmp_path / "parts").mkdir()
    (tmp_path / "parts" / "body.v").write_text(module, encoding="utf-8")
    (tmp_path / "board.v").write_text('`include "body.v"\n', encoding="utf-8")
    (listed := tmp_path / "board.f").write_text("+incdir+parts\nboard.v\n", encoding="utf-8")
    board = built(listed, ecb__frame_fifo_frames=32, ecb__rtl_parameters="FRAMES=1024")
    run_in_systemc(board, "[.frames]")

    def fail(*_: object) -> None:
        raise AssertionError("it is built again")

    monkeypatch.setattr(rtl._Board, "make", fail)
    assert built(listed, ecb__rtl_parameters="FRAMES=1024", ecb__frame_fifo_frames=16) == board
    assert built(listed, ecb__rtl_parameters="FRAMES=1024", ecb__builder_cycles=3) == board  # it has no such parameter
    named = files.resolve(rtl.FILE, listed, "")
    values = {**PROTOTYPE, rtl.FILE: named, rtl.PARAMETERS: "FRAMES=1024"}
    digest = files.sha256(board)
    assert objects.with_built_objects(values, [rtl.FILE], lambda _: "")[rtl.FILE] == files.path_with_digest(
        board, digest
    )
    assert objects.with_known_objects(values, [rtl.FILE])[rtl.FILE] == files.path_with_digest(board, digest)
    with pytest.raises(AssertionError, match="built again"):
        built(listed, ecb__rtl_parameters="FRAMES=512")
    (tmp_path / "parts" / "body.v").write_text(f"{module}// changed\n", encoding="utf-8")
    assert objects.with_known_objects(values, [rtl.FILE])[rtl.FILE] == named
    with pytest.raises(AssertionError, match="built again"):
        built(listed, ecb__rtl_parameters="FRAMES=1024")


def test_a_parameter_of_the_run_reaches_a_module_that_has_it() -> None:
    assert rtl.parameters_of_run({**PROTOTYPE, "ecb.accumulate_bits": 32, "ecb.frame_fifo_full": "stall"}) == {
        "INPUTS": 16, "WIDTH": 4, "DATA_PER_WORD": 8, "WINDOW_CYCLES": 16, "NODE_ENTRIES": 64, "VECTOR_ENTRIES": 64,
        "FRAMES": 1024, "BUILDER_CYCLES": 8, "TIMESTAMP_BITS": 32, "STAMP_ON_REQUEST": 0, "NODE_STALLS": 0,
        "VECTOR_DROPS_OLDEST": 0, "FRAME_DROPS_OLDEST": 0, "FRAME_STALLS": 1,
    }  # fmt: skip


def test_all_wrong_pins_are_listed_in_one_error(tmp_path: Path) -> None:
    (file := tmp_path / "mine.v").write_text(
        "module mine(input wire clock, input wire [7:0] strobe, input wire extra, input wire skip, inout wire both,\n"
        "  output wire reset, output wire [31:0] bus_read, output wire frame_lost, output wire [7:0] frame_lost_at,\n"
        "  output wire [39:0] window_lost_at);\n"
        "  assign bus_read = {31'b0, extra};\n  assign reset = clock;\n  assign frame_lost = 0;\n"
        "  assign frame_lost_at = 0;\n  assign window_lost_at = 0;\nendmodule\n",
        encoding="utf-8",
    )
    assert refused(file).splitlines() == [
        f"ecb.rtl = {file}: pins differ from docs/reference/board-pins.md:",
        "  reset: is an output of 1 bit, must be an input of 1 bit",
        "  strobe: is an input of 8 bits, must be an input of 16 bits (ecb.inputs)",
        "  data: is missing, must be an input of 64 bits (ecb.inputs * port.width_bits)",
        "  bus_begin: is missing, must be an input of 1 bit",
        "  bus_end: is missing, must be an input of 1 bit",
        "  bus_write: is missing, must be an input of 1 bit",
        "  bus_address: is missing, must be an input of 4 bits",
        "  bus_written: is missing, must be an input of 32 bits",
        "  frame_lost_at: is an output of 8 bits, must be an output of 32 to 64 bits (ecb.timestamp_bits)",
        "  skip: needs idle, skip_cycle, skip_window beside it",
        "  window_lost_at: needs window_lost beside it",
        "  extra: is an input of 1 bit that nothing drives",
        "  both: is an inout of 1 bit that nothing drives",
    ]


def test_what_verilator_refuses_is_said_with_its_file_and_line(tmp_path: Path) -> None:
    (file := tmp_path / "mine.v").write_text(LEAST.format("  assign bus_read = ;"), encoding="utf-8")
    message = refused(file)
    assert message.startswith(f"ecb.rtl = {file}: verilator does not compile it:\n%Error: {file}:4:")
    (loop := tmp_path / "loop.v").write_text(
        LEAST.format("  wire a = ~b | bus_end;\n  wire b = a & bus_begin;\n  assign bus_read = {32{b}};"),
        encoding="utf-8",
    )
    assert f"{loop}:4:" in refused(loop)
    assert "Circular combinational logic" in refused(loop)
    file.write_text(LEAST.format("  assign bus_read = 0;"), encoding="utf-8")
    assert refused(file, ecb__rtl_parameters="DEPTH=4 INPUTS=16") == (
        "ecb.rtl_parameters: DEPTH: the top module has no such parameter"
    )
    assert "'other' was not found" in refused(file, ecb__rtl_top="other")


def test_several_top_modules_are_named(tmp_path: Path) -> None:
    text = LEAST.format("  assign bus_read = 32'b0;")
    (file := tmp_path / "mine.v").write_text(text + text.replace("module least", "module other"), encoding="utf-8")
    assert refused(file) == f"ecb.rtl = {file}: has several top modules: least, other; choose one (ecb.rtl_top)"
    assert built(file, ecb__rtl_top="other")


@pytest.mark.parametrize("top_bit", [31, 0])  # two random values of a single bit are often equal
def test_outputs_that_depend_on_power_on_are_named(tmp_path: Path, top_bit: int) -> None:
    (file := tmp_path / "mine.v").write_text(
        LEAST.format(f"  reg [{top_bit}:0] kept;\n  always @(posedge clock) kept <= kept;\n  assign bus_read = kept;"),
        encoding="utf-8",
    )
    assert refused(file) == (
        f"ecb.rtl = {file}: outputs after the reset depend on what registers contain at power-on: bus_read"
    )


def test_bits_that_depend_on_each_other_at_power_on_are_named(tmp_path: Path) -> None:
    """With all bits 0 and with all bits 1 the output is the same."""
    (file := tmp_path / "mine.v").write_text(
        LEAST.format("  reg [31:0] a;\n  always @(posedge clock) a <= a;\n  assign bus_read = a ^ {a[0], a[31:1]};"),
        encoding="utf-8",
    )
    assert refused(file) == (
        f"ecb.rtl = {file}: outputs after the reset depend on what registers contain at power-on: bus_read"
    )


def test_outputs_that_depend_on_power_on_after_a_strobe_are_named(tmp_path: Path) -> None:
    (file := tmp_path / "mine.v").write_text(
        LEAST.format(
            "  reg [31:0] kept;\n  reg seen;\n  always @(posedge clock) seen <= !reset && (seen || strobe[3]);\n"
            "  assign bus_read = seen && bus_address == 4'hC ? kept : 32'b0;"
        ),
        encoding="utf-8",
    )
    assert refused(file) == (
        f"ecb.rtl = {file}: outputs after the reset depend on what registers contain at power-on: bus_read"
    )


def test_the_check_after_a_reset_is_bounded_in_cpu_time_and_not_in_time_that_passes(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(rtl, "RESETS_WITHIN_S", 1)
    (waits := tmp_path / "waits.v").write_text(
        LEAST.format('  initial $system("sleep 0.3");\n  assign bus_read = 0;'),
        encoding="utf-8",  # 8 boards: 2.4 s
    )
    (computes := tmp_path / "computes.v").write_text(
        LEAST.format(
            "  integer i;\n  reg [31:0] kept;\n  initial begin\n    kept = 1;\n"
            "    for (i = 0; i < 2000000000; i = i + 1) kept = kept * 1664525 + i;\n  end\n  assign bus_read = kept;"
        ),
        encoding="utf-8",
    )
    assert refused(computes) == (
        f"ecb.rtl = {computes}: the check of 2000 clock cycles after a reset takes more than 1 s of CPU time"
    )
    assert built(waits)


def test_a_file_that_the_board_reads_is_beside_the_source_and_part_of_the_build(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (file := tmp_path / "mine.v").write_text(
        LEAST.format(
            '  parameter ROM = "rom.hex";\n  reg [31:0] rom[0:3];\n  initial $readmemh(ROM, rom);\n'
            "  assign bus_read = rom[bus_address[3:2]];"
        ),
        encoding="utf-8",
    )
    (elsewhere := tmp_path / "elsewhere").mkdir()
    monkeypatch.chdir(elsewhere)
    assert "rom.hex" in refused(file)
    (rom := tmp_path / "rom.hex").write_text("1 2 3 4\n", encoding="utf-8")
    first = built(file)
    digest = files.sha256(first)
    assert built(file) == first
    rom.write_text("1 2 3 5\n", encoding="utf-8")
    assert files.sha256(built(file)) != digest


def test_options_in_a_file_do_not_override_those_of_hypermon(tmp_path: Path) -> None:
    (tmp_path / "mine.v").write_text(LEAST.format("  assign bus_read = 0;"), encoding="utf-8")
    (listed := tmp_path / "mine.f").write_text(
        f"--sc --prefix Other --Mdir {tmp_path / 'other'} --threads 4 --trace --coverage --exe --timing -Wall\n"
        "-GINPUTS=3\nmine.v\n",
        encoding="utf-8",
    )
    assert built(listed).name == "mine.so"
    assert not (tmp_path / "other").exists()


def test_another_search_path_of_the_compiler_gives_another_build(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (file := tmp_path / "mine.v").write_text(LEAST.format("  assign bus_read = 0;"), encoding="utf-8")
    keys = set()
    for path in ("", str(tmp_path)):
        monkeypatch.setenv("CPATH", path)
        keys.add(rtl._Board(PROTOTYPE, file, "").key_of_names())
    (wrapper := tmp_path / "bin").mkdir()
    (wrapper / "g++").symlink_to(str(shutil.which("g++")))
    monkeypatch.setenv("PATH", f"{wrapper}:{os.environ['PATH']}")
    keys.add(rtl._Board(PROTOTYPE, file, "").key_of_names())
    assert len(keys) == 3


def test_a_tool_that_is_not_installed_is_named_with_its_package(monkeypatch: pytest.MonkeyPatch) -> None:
    rtl._tools.cache_clear()
    monkeypatch.setenv("PATH", "")
    try:
        assert refused(HARDWARE) == "ecb.rtl: verilator is not installed (Debian: verilator)"
    finally:
        rtl._tools.cache_clear()


@pytest.mark.parametrize("named", ["board.vhd", "board.v other.v"])
def test_other_files_are_refused(named: str, tmp_path: Path) -> None:
    for name in named.split():
        (tmp_path / name).write_text("", encoding="utf-8")
    value = files.resolve_all(rtl.FILE, [str(tmp_path / name) for name in named.split()], "")
    with pytest.raises(UserError, match=r"^ecb\.rtl = .*: must be one file \(\.f, \.sv, \.v, \.vc\)$"):
        objects.with_built_objects({**PROTOTYPE, rtl.FILE: value}, [rtl.FILE], lambda _: "")


@pytest.mark.worker
@pytest.mark.usefixtures("worker")
@pytest.mark.parametrize(
    "command", [("rtl", "sent.yaml", "-o", "made"), ("sweep", "sent.yaml", "--vary", "pbx.word_ns=222,500", "--plan")]
)
@pytest.mark.parametrize("parameter", [rtl.FILE, "ecb.module", "pbx.module"])
def test_what_only_reads_a_scenario_runs_no_code_of_its_hardware(
    command: tuple[str, ...], parameter: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, hypermon: Hypermon
) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    monkeypatch.chdir(tmp_path)
    if parameter == rtl.FILE:  # Verilator may start a program that a file with its options names
        source, tools = Path("board.f"), tmp_path / "tools"
        source.write_text("board.v", encoding="utf-8")
        tools.mkdir()
        (tools / "verilator").write_text(
            f'#!/bin/sh\ncase "$*" in *--cc*) : >{tmp_path}/mark;; esac\n', encoding="utf-8"
        )
        (tools / "verilator").chmod(0o755)
        monkeypatch.setenv("PATH", f"{tools}:{os.environ['PATH']}")
    else:
        source = Path("module.so")
        constructor = f'__attribute__((constructor)) static void leave(void) {{ fopen("{tmp_path}/mark", "w"); }}\n'
        Path("module.c").write_text(f"#include <stdio.h>\n{constructor}", encoding="utf-8")
        subprocess.run(["gcc", "-shared", "-fPIC", "module.c", "-o", source], check=True)
    given = {"workload": "generator", "nodes": 8, "monitor": "hypermon", parameter: str(source)}
    Path("sent.yaml").write_text(json.dumps({"question": "May I?", "set": given}), encoding="utf-8")
    hypermon(*command)
    assert not Path("mark").exists()
    hypermon("run", "sent.yaml")
    assert Path("mark").exists()
