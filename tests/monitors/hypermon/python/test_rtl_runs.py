# SPDX-License-Identifier: BSD-3-Clause
"""A capture board in Verilog (ecb.rtl), in runs and replays: hypermon's own Verilog must agree with its functional
board.
"""

from __future__ import annotations

import json
import os
import shutil
from pathlib import Path
from typing import Any

import pytest

import hypermon
from hypermon._files import places
from hypermon._inputs.programs import rtl
from hypermon._model import worker
from hypermon._model.schema import Value
from hypermon.errors import HypermonError, SimulationError, UserError
from hypermon.monitors.hypermon.verdict import verdict

pytestmark = [
    pytest.mark.worker,
    pytest.mark.usefixtures("worker"),
    pytest.mark.skipif(
        shutil.which("verilator") is None
        and not os.environ.get("HYPERMON_REQUIRE_RTL_TOOLS"),  # in CI it must be installed
        reason="verilator is not installed (Debian: verilator)",
    ),
]

Settings = dict[str, Value]
OWN = places.TREE / "hw" / "hypermon" / "rtl" / "capture_board.v"
EXAMPLE = places.TREE / "examples" / "own_rtl" / "scenario.yaml"
FRAMES: Settings = {"nodes": 4, "drain.keep_frames": True}
PROGRAMS: dict[str, Settings] = {
    "simplex": {"simplex.constraints": 12, "simplex.variables": 12},
    "life": {"life.generations": 6},
    "matmul": {"matmul.size": 24},
    "place": {"place.attempts": 200},
}
LOSING: Settings = {
    "ecb.frame_fifo_frames": 5,
    "ecb.frame_fifo_full": "drop_oldest",
    "ecb.vector_fifo_entries": 2,
    "ecb.node_fifo_entries": 2,
    "ecb.builder_cycles": 40,
    "pbx.word_ns": 2222,
    "reader.kind": "group",
    "reader.group_ns": 3010,
    "port.delay": 0,
}


@pytest.fixture(autouse=True, scope="module")
def cache(tmp_path_factory: pytest.TempPathFactory) -> Any:
    """A cache for boards, which are built once for all tests here."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("XDG_CACHE_HOME", str(tmp_path_factory.mktemp("cache")))
        yield


def copy_of_own(folder: Path) -> Path:
    """A board of a user's that is a copy of hypermon's."""
    for file in OWN.parent.glob("*.v"):
        shutil.copy(file, folder)
    return folder / OWN.name


def outcome(run: Path) -> tuple[Any, dict[str, bytes]]:
    """The frame files, and the result without the keys that only a user's board has."""
    result = json.loads((run / "result.json").read_text())
    for section, key in (("ecb", "level"), ("ecb", "rtl"), ("backplane", "level"), ("pbx", "level")):
        del result["spec"][section][key]
    result["monitor"].pop("board", None)
    frames = {file.name: file.read_bytes() for file in sorted(run.iterdir()) if file.suffix == ".hmf"}
    assert frames
    return result, frames


@pytest.mark.parametrize("hardware", [{}, LOSING], ids=["prototype", "losing"])
@pytest.mark.parametrize("program", PROGRAMS)
def test_hypermons_verilog_gives_the_results_of_the_other_levels(
    program: str, hardware: Settings, tmp_path: Path
) -> None:
    settings = FRAMES | PROGRAMS[program] | hardware
    levels = worker.schema().parameters["ecb.level"].choices
    found = {
        level: hypermon.run(f"table2/{program}", settings=settings | {"ecb.level": level}, out=tmp_path / level)
        for level in levels
    }
    for level in levels:
        assert outcome(tmp_path / level) == outcome(tmp_path / "functional"), level
    assert (found["functional"]["ledger"]["lost_total"]["nibbles"] > 0) == bool(hardware)
    board = found["rtl"]["monitor"]["board"]
    assert (board["unmatched_frames"], board["unmatched_reports"]) == (0, 0)
    assert [value["key"] for value in board["values"]] == ["cycles_clocked"]


def test_a_board_whose_pin_never_says_that_a_frame_waits_ends_the_run(tmp_path: Path) -> None:
    own = copy_of_own(tmp_path)
    text = own.read_text(encoding="utf-8")
    port = "output wire [31:0] frames_waiting"
    inside = text.replace("frames_waiting", "frames_inside").replace(port.replace("waiting", "inside"), port)
    end = inside.rindex("endmodule")
    silent = inside[:end] + "  assign frames_waiting = 0;\nendmodule\n"
    own.write_text(silent.replace(");\n", ");\n  wire [31:0] frames_inside;\n", 1), encoding="utf-8")
    with pytest.raises(SimulationError, match=r"board 0 has never said that a frame waits \(pin frames_waiting, or"):
        hypermon.run("table2/matmul", settings={"nodes": 4, **PROGRAMS["matmul"], "ecb.rtl": str(own)})


def test_the_verdict_has_the_depth_of_hypermons_own_verilog(tmp_path: Path) -> None:
    settings: Settings = {"nodes": 4, **PROGRAMS["matmul"], "ecb.frame_fifo_frames": 2, "pbx.word_ns": 3000}
    own = copy_of_own(tmp_path)
    functional, bundled, users = (
        verdict(hypermon.run("table2/matmul", settings=settings | board).to_dict())[0]
        for board in ({}, {"ecb.level": "rtl"}, {"ecb.rtl": str(own)})
    )
    assert "frame FIFO of 2 frames" in functional
    assert bundled == functional
    assert "board's frame FIFO" in users


@pytest.mark.parametrize("inputs", [16, 2])
@pytest.mark.parametrize("program", ["matmul", "place"])
def test_a_full_node_fifo_stalls_the_nodes_as_the_functional_board_does(
    program: str, inputs: int, tmp_path: Path
) -> None:
    stalls: Settings = {"ecb.inputs": inputs, "ecb.node_fifo_full": "stall", "ecb.frame_fifo_full": "stall"}
    slow: Settings = {"pbx.word_ns": 2222 * 16 // inputs}  # fewer nodes strobe less
    settings = FRAMES | PROGRAMS[program] | LOSING | stalls | slow
    functional = hypermon.run(f"table2/{program}", settings=settings, out=tmp_path / "functional")
    hypermon.run(f"table2/{program}", settings=settings | {"ecb.rtl": str(OWN)}, out=tmp_path / "rtl")
    assert functional["monitor"]["held_s"] > 0
    assert outcome(tmp_path / "rtl") == outcome(tmp_path / "functional")


def test_messages_to_the_host_delay_the_program_as_with_the_functional_board(tmp_path: Path) -> None:
    settings = FRAMES | PROGRAMS["matmul"] | {"drain.destination": "host", "drain.host_message_bytes": 400}
    functional = hypermon.run("table2/matmul", settings=settings, out=tmp_path / "functional")
    hypermon.run("table2/matmul", settings=settings | {"ecb.rtl": str(OWN)}, out=tmp_path / "rtl")
    discarding = hypermon.run("table2/matmul", settings=settings | {"drain.destination": "discard"})
    assert functional["elapsed_s"] != discarding["elapsed_s"]
    assert outcome(tmp_path / "rtl") == outcome(tmp_path / "functional")


@pytest.mark.parametrize("board", [{"ecb.rtl": str(OWN)}, {"ecb.level": "rtl"}], ids=["named", "hypermon's"])
def test_a_replay_gives_the_results_of_the_run(board: Settings, tmp_path: Path) -> None:
    program: Settings = {"nodes": 4, **PROGRAMS["matmul"]}
    source = hypermon.record("table2/matmul", settings=program, out=tmp_path / "recorded")
    board = {"drain.keep_frames": True, **board, **LOSING}
    del board["port.delay"]  # it is in front of the ports
    hypermon.replay(source, board, out=tmp_path / "replay")
    hypermon.run("table2/matmul", settings=program | board, out=tmp_path / "run")
    assert outcome(tmp_path / "replay") == outcome(tmp_path / "run")


def test_a_replay_loads_no_board_that_a_recording_names(tmp_path: Path) -> None:
    board: Settings = {"ecb.rtl": str(OWN)}
    source = hypermon.record(
        "table2/matmul", settings={"nodes": 4, **PROGRAMS["matmul"], **board}, out=tmp_path / "run"
    )
    for act in (hypermon.replay, hypermon.size):
        with pytest.raises(UserError, match=r"ecb\.rtl = .*: is named only by the recording"):
            act(source)
    with pytest.raises(UserError, match=r"ecb\.rtl = .*: is named only by the recording"):
        hypermon.waves.write(source, out=tmp_path / "waves.vcd")
    assert hypermon.replay(source, {"ecb.rtl": ""}).fingerprint == source.result["fingerprint"]


@pytest.mark.parametrize("board", [{"ecb.rtl": str(OWN)}, {"ecb.level": "rtl"}], ids=["named", "hypermon's"])
def test_a_sweep_builds_a_board_for_each_depth(board: Settings, tmp_path: Path) -> None:
    swept = hypermon.sweep(
        "table2/matmul",
        vary={"ecb.frame_fifo_frames": [2, 512]},
        settings=FRAMES | PROGRAMS["matmul"] | board | {"pbx.word_ns": 20000},
        out=tmp_path / "sweep",
    )
    few, many = swept.to_pandas().sort_values("ecb.frame_fifo_frames")["monitor.frames.lost"]
    assert few > many


def test_a_sweep_over_levels_has_equal_points(tmp_path: Path) -> None:
    swept = hypermon.sweep(
        "table2/matmul",
        vary={"ecb.level": list(worker.schema().parameters["ecb.level"].choices)},
        settings=FRAMES | PROGRAMS["matmul"] | LOSING,
        metrics=["monitor.frames.lost", "latency_us.max"],
        out=tmp_path / "sweep",
    ).to_pandas()
    assert len(swept) == 3
    assert swept["monitor.frames.lost"].nunique() == swept["latency_us.max"].nunique() == 1
    assert swept["monitor.frames.lost"][0] > 0


def test_the_verilog_of_a_design_at_rtl_can_be_written(tmp_path: Path) -> None:
    made = hypermon.rtl("table2/matmul", tmp_path / "board", settings={"ecb.level": "rtl"})
    assert made.parameters == hypermon.rtl("table2/matmul", tmp_path / "other").parameters
    with pytest.raises(UserError, match=r"ecb\.rtl = .*: must be empty for RTL"):
        hypermon.rtl(
            "table2/matmul", tmp_path / "board", settings={"ecb.rtl": str(EXAMPLE.with_name("direct_board.v"))}
        )


def test_several_boards_run_at_once(tmp_path: Path) -> None:
    settings: Settings = FRAMES | {"ecb.inputs": 2} | PROGRAMS["matmul"]
    hypermon.run("table2/matmul", settings=settings, out=tmp_path / "functional")
    result = hypermon.run("table2/matmul", settings=settings | {"ecb.rtl": str(OWN)}, out=tmp_path / "rtl")
    assert outcome(tmp_path / "rtl") == outcome(tmp_path / "functional")
    assert [value["board"] for value in result["monitor"]["board"]["values"]] == [0, 1]


def test_the_example_runs(tmp_path: Path) -> None:
    def lost(result: Any) -> dict[tuple[str, str], int]:
        return {(loss["stage"], loss["cause"]): loss["nibbles"] for loss in result["ledger"]["lost"] if loss["nibbles"]}

    little: Settings = {"generator.events": 50}
    deep = hypermon.run(EXAMPLE, settings=little | {"ecb.frame_fifo_frames": 8192}, out=tmp_path / "deep")
    assert lost(deep) == {}
    assert deep["ledger"]["delivered"] == deep["ledger"]["generated"]
    assert deep["ledger"]["generated"]["events"] >= 8 * 50
    assert deep["monitor"]["frames"]["peak_occupancy"] > 2
    shallow = hypermon.run(EXAMPLE, settings=little | {"ecb.frame_fifo_frames": 2}, out=tmp_path / "shallow")
    assert lost(shallow).keys() == {("frame_fifo", "overrun")}
    assert shallow["monitor"]["frames"]["peak_occupancy"] == 2
    assert shallow["ledger"]["delivered"]["nibbles"] > 0
    for result in (deep, shallow):
        assert (result["monitor"]["board"]["unmatched_frames"], result["monitor"]["board"]["unmatched_reports"]) == (
            0,
            0,
        )


def test_a_board_that_never_rests_is_named(tmp_path: Path) -> None:
    board = tmp_path / "restless.v"
    board.write_text("""module restless #(parameter INPUTS = 16, parameter WIDTH = 4) (input wire clock, input wire reset,
  input wire [INPUTS-1:0] strobe, input wire [INPUTS*WIDTH-1:0] data, input wire bus_begin, input wire bus_end,
  input wire bus_write, input wire [3:0] bus_address, input wire [31:0] bus_written, output wire [31:0] bus_read,
  output wire idle);
  assign bus_read = 0;
  assign idle = 0;
endmodule
""")
    message = (
        rf"^ecb\.rtl = {board} \(top module restless\): board 0 is not empty at 1\.\d+ s, after the last strobe: for one "
        "second it has "
    )
    with pytest.raises(HypermonError, match=message):
        hypermon.run(
            "table2/matmul", settings=FRAMES | PROGRAMS["matmul"] | {"ecb.rtl": str(board)}, out=tmp_path / "run"
        )
    assert not (tmp_path / "run" / "result.json").exists()


def test_the_board_that_ends_the_simulation_is_named(tmp_path: Path) -> None:
    board = tmp_path / "ends.v"
    board.write_text("""module ends #(parameter INPUTS = 16, parameter WIDTH = 4) (input wire clock, input wire reset,
  input wire [INPUTS-1:0] strobe, input wire [INPUTS*WIDTH-1:0] data, input wire bus_begin, input wire bus_end,
  input wire bus_write, input wire [3:0] bus_address, input wire [31:0] bus_written, output wire [31:0] bus_read);
  reg [31:0] strobes;  // the check before a run has fewer
  assign bus_read = 0;
  always @(posedge clock) begin
    strobes <= reset ? 0 : strobes + |strobe;
    if (strobes == 200) $finish;
  end
endmodule
""")
    settings: Settings = {"nodes": 2, "ecb.inputs": 1, "generator.events": 40}
    message = rf"^ecb\.rtl = {board} \(top module ends\): board 0 ends the simulation \(\$finish or \$stop\)"
    with pytest.raises(HypermonError, match=message):  # node 1 strobes less
        hypermon.run("bandwidth/one_node", settings=settings | {"ecb.rtl": str(board)}, out=tmp_path / "run")


def test_a_board_that_stops_a_replay_is_named_by_its_files(tmp_path: Path) -> None:
    for name in ("capture_board.v", "node_fifo.v"):
        text = (
            (OWN.parent / name)
            .read_text()
            .replace("vectors[vector_tail] <= vector_now", "vectors[vector_tail] <= vector")
        )
        (tmp_path / name).write_text(text)
    (tmp_path / "files.f").write_text("capture_board.v node_fifo.v\n")
    source = hypermon.record("table2/matmul", settings={"nodes": 4, **PROGRAMS["matmul"]}, out=tmp_path / "recorded")
    wrong: Settings = {"ecb.rtl": str(tmp_path / "files.f"), "ecb.lockstep": "stop"}
    message = rf"^ecb\.rtl = {tmp_path}/files\.f \(top module capture_board, with capture_board\.v, node_fifo\.v\): board 0 differs"
    with pytest.raises(HypermonError, match=message):
        hypermon.replay(source, wrong, out=tmp_path / "replay")


def test_a_setting_that_does_not_fit_is_refused_before_the_build(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(*_: object) -> None:
        raise AssertionError("the board is built")

    monkeypatch.setattr(rtl, "build_board", fail)
    settings: Settings = {"ecb.rtl": str(OWN), "ecb.level": "transactions"}
    with pytest.raises(UserError, match=r"ecb\.level = transactions: must be rtl with an ecb\.rtl"):
        hypermon.run("table2/matmul", settings=settings, out=tmp_path / "run")
    with pytest.raises(AssertionError, match="the board is built"):
        hypermon.run("table2/matmul", settings=settings | {"ecb.level": "rtl"}, out=tmp_path / "run")


def test_what_a_board_in_verilog_cannot_have_is_refused(tmp_path: Path) -> None:
    def refused(settings: Settings) -> str:
        with pytest.raises(UserError) as error:
            hypermon.run("table2/matmul", settings=FRAMES | {"ecb.rtl": str(OWN)} | settings, out=tmp_path / "run")
        return str(error.value)

    assert "ecb.level = functional: must be rtl with an ecb.rtl" in refused({"ecb.level": "functional"})
    assert "ecb.wrap_frames = true: must be false with ecb.level = rtl" in refused({"ecb.wrap_frames": True})
    differing: Settings = {"nodes": 32, "ecb[1].frame_fifo_frames": 64}
    assert "ecb[1]: all boards must be alike with ecb.level = rtl" in refused(differing)
    assert "ecb.rtl_top = --debug: must be the name of a module" in refused({"ecb.rtl_top": "--debug"})
    with pytest.raises(
        UserError, match=r"ecb\.wrap_frames = true: must be false with ecb\.level = rtl"
    ):  # hypermon's own
        hypermon.run("table2/matmul", settings=FRAMES | {"ecb.level": "rtl", "ecb.wrap_frames": True})
    with pytest.raises(UserError, match=r"ecb\.rtl_top = board: must be empty without an ecb\.rtl"):
        hypermon.run("table2/matmul", settings=FRAMES | {"ecb.rtl_top": "board"}, out=tmp_path / "run")
