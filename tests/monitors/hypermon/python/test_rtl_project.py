# SPDX-License-Identifier: BSD-3-Clause
"""`hypermon rtl`: test benches of random designs pass, and fail if the Verilog has an error; folders and refusals.

HYPERMON_TEST_CASES  number of random designs instead of CI's
HYPERMON_TEST_SEED   seed of the first one
"""

from __future__ import annotations

import json
import os
import random
import shutil
import subprocess
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import hypermon
from hypermon._model import cost
from hypermon.errors import UserError
from hypermon.monitors.hypermon import replaying
from hypermon.monitors.hypermon.capturing import Design
from hypermon.monitors.hypermon.rtl_project import excerpts, project, structure, synthesis
from hypermon.monitors.hypermon.waves import window
from tests.monitors.hypermon.python.test_replay import BASE
from tests.outputs import everything, invoke
from tests.python.little_place import SCENARIO

CASES = int(os.environ.get("HYPERMON_TEST_CASES", "6"))
SEED = int(os.environ.get("HYPERMON_TEST_SEED", "54"))
SMALL = {
    "ecb.inputs": 4,
    "ecb.window_ns": 800,
    "ecb.node_fifo_entries": 2,
    "ecb.vector_fifo_entries": 3,
    "ecb.frame_fifo_frames": 4,
    "ecb.builder_cycles": 30,
}


def needs(program: str) -> pytest.MarkDecorator:
    """Skips the test if the program is missing. In CI, which installs it, the test fails."""
    missing = shutil.which(program) is None and not os.environ.get("HYPERMON_REQUIRE_RTL_TOOLS")
    return pytest.mark.skipif(missing, reason=f"needs {program} (Debian: package {program})")


def written(folder: Path, design: Design, excerpt: excerpts.Excerpt | None = None) -> excerpts.Excerpt:
    """Writes the project of a design without a machine."""
    played = excerpt or excerpts.made(design, 600)
    of = structure.from_values(design)
    project.write(folder, project._texts("a test", 0, design, of, played, played.played(design), None))
    return played


def simulated(folder: Path, *flags: str, target: str = "iverilog") -> tuple[int, str]:
    """Runs the test bench. Returns the exit status and the output."""
    done = subprocess.run(
        ["make", "-s", target, *([f"FLAGS={' '.join(flags)}"] if flags else [])],
        cwd=folder,
        capture_output=True,
        text=True,
        check=False,
    )
    return done.returncode, done.stdout + done.stderr


def random_design(r: random.Random) -> Design:
    width = r.choice([4, 4, 8, 16, 32])
    on_request = r.random() < 0.3
    return hypermon.design(
        "hypermon",
        {
            "port.width_bits": width,
            "ecb.inputs": r.choice([1, 2, 5, 16, 31 if on_request else 32]),
            "ecb.window_ns": r.choice([50, 150, 200, 400, 800]),
            "ecb.node_fifo_entries": r.choice([1, 2, 3, 64]),
            "ecb.vector_fifo_entries": r.choice([1, 2, 5, 64]),
            "ecb.frame_fifo_frames": r.choice([1, 2, 7, 1024]),
            "ecb.builder_cycles": r.choice([1, 3, 8, 40]),
            "ecb.accumulate_bits": r.choice([0, 0, 32]),
            "ecb.timestamp_bits": r.choice([1, 5, 32, 33, 64]),
            "ecb.timestamp_policy": "on_request" if on_request else "every",
            "ecb.node_fifo_full": r.choice(["drop", "drop", "stall"]),
            "ecb.vector_fifo_full": r.choice(["drop", "drop_oldest"]),
            "ecb.frame_fifo_full": r.choice(["drop", "drop_oldest", "stall"]),
            "pbx.word_ns": r.choice([50, 75, 222, 800, 2000]),
            "reader.kind": r.choice(["ideal", "group"]),
            "reader.group_ns": r.choice([0, 1600, 20_010]),
            "reader.frame_ns": r.choice([0, 49, 9000]),
            "reader.stall_ns": r.choice([0, 50_000]),
            "reader.stall_every_frames": r.choice([0, 1, 5]),
        },
    )


def random_excerpt(r: random.Random, design: Design) -> excerpts.Excerpt:
    """Bursts of random lengths, paces and pauses; only one for each input if the design can stall a node's write."""
    bits, inputs = int(design["port.width_bits"]), int(design["ecb.inputs"])
    size = -(-bits // 8)
    bursts = []
    for node in range(inputs):
        free = 0
        for _ in range(1 if design["ecb.node_fifo_full"] == "stall" else r.choice([1, 4])):
            count = r.choice([1, 2, r.randint(3, 60)])
            pace = r.choice([750_000, 800_000, r.randint(50_000, 3_000_000)])
            first = free + r.choice([0, r.randrange(2_000_000), r.randrange(40_000_000)])
            data = np.array([r.randrange(16 if bits == 4 else 256) for _ in range(count * size)], np.uint8)
            bursts.append((node, first, pace, data, r.randrange(2)))
            free = first + pace * (count - 1) + 50_000
    bursts.sort(key=lambda burst: burst[1])
    return excerpts._excerpt(bursts, size, "random")


@needs("iverilog")
@pytest.mark.parametrize("seed", range(SEED, SEED + CASES))
def test_the_bench_of_a_random_design_passes(tmp_path: Path, seed: int) -> None:
    r = random.Random(seed)
    design = random_design(r)
    excerpt = written(tmp_path / "board", design, random_excerpt(r, design))
    status, output = simulated(tmp_path / "board", *(["+every_cycle"] if r.random() < 0.2 else []))
    assert (status, f"PASS: {excerpt.strobes} strobes" in output) == (0, True), (design, output)


PLANTED = {
    "a datum of another input": ("capture_board.v", "data[i*WIDTH+:WIDTH]", "data[(i^1)*WIDTH+:WIDTH]"),
    "a timestamp too late": (
        "capture_board.v",
        "stamps[vector_tail] <= window;",
        "stamps[vector_tail] <= window + 1'b1;",
    ),
    "fields that are not cleared": ("capture_board.v", ": {WORD{1'b0}};", ": {WORD{1'b1}};"),
    "words in the wrong order": ("capture_board.v", "(WORDS-1-word_index)*32", "word_index*32"),
    "a slow builder": ("capture_board.v", "cycles_left <= BUILDER_CYCLES - 1", "cycles_left <= BUILDER_CYCLES"),
    "a short vector FIFO": (
        "capture_board.v",
        "vector_level == VECTOR_ENTRIES;",
        "vector_level == VECTOR_ENTRIES - 1;",
    ),
    "a short frame FIFO": ("capture_board.v", "frames_waiting == FRAMES;", "frames_waiting == FRAMES - 1;"),
    "two words in a window": (
        "capture_board.v",
        "word_complete & ~vector & ~node_full;",
        "word_complete & ~node_full;",
    ),
    "a lost window's words stay": ("node_fifo.v", "2'b01: tail <= previous(tail);", "2'b01: tail <= tail;"),
    "a short node FIFO": ("node_fifo.v", "level == ENTRIES;", "level == ENTRIES - 1;"),
    "an idle board that is busy": ("capture_board.v", "assign idle = ~|vector &&", "assign idle = "),
}


@needs("iverilog")
@pytest.mark.parametrize("bug", PLANTED)
def test_the_bench_finds_an_error_in_the_verilog(tmp_path: Path, bug: str) -> None:
    file, right, wrong = PLANTED[bug]
    design = hypermon.design("hypermon", SMALL)
    counts: Any = written(tmp_path / "board", design).played(design)["counts"]
    assert min(counts[name] for name in excerpts.LOSSES) > 0
    assert simulated(tmp_path / "board")[0] == 0
    path = tmp_path / "board" / file
    text = path.read_text()
    assert text.count(right) == 1
    path.write_text(text.replace(right, wrong))
    status, output = simulated(tmp_path / "board")
    assert (status != 0, "FAIL at edge" in output, "PASS" in output) == (True, True, False), output


@needs("verilator")
def test_verilator_gives_the_same_verdicts(tmp_path: Path) -> None:
    written(tmp_path / "board", hypermon.design("hypermon", SMALL))
    status, output = simulated(tmp_path / "board", target="verilator")
    assert (status, "PASS: 600 strobes" in output) == (0, True), output
    words = (tmp_path / "board" / "words.hex").read_text().splitlines()
    words[5] = f"{int(words[5], 16) ^ 1:08x}"
    (tmp_path / "board" / "words.hex").write_text("\n".join(words) + "\n")
    status, output = simulated(tmp_path / "board", target="verilator")
    assert (status != 0, f"expected {words[5]}" in output, "FAIL at edge" in output) == (True, True, True), output


# --- the command


@pytest.fixture(scope="module")
def recording(tmp_path_factory: pytest.TempPathFactory, worker: Path) -> Path:  # noqa: ARG001 (is needed)
    folder = tmp_path_factory.mktemp("recording") / "run"
    hypermon.record(SCENARIO, settings=BASE | {"ecb.inputs": 2}, out=folder)
    return folder


LOSING = ["--set", "ecb.frame_fifo_frames=2", "--set", "pbx.word_ns=20000"]


@needs("iverilog")
@pytest.mark.worker
def test_the_excerpt_of_a_recording_shows_the_first_loss(recording: Path, tmp_path: Path) -> None:
    source = hypermon.Recording(recording)
    spec = replaying.resolve(source, {"ecb.frame_fifo_frames": 2, "pbx.word_ns": 20_000})
    lost = window.around(source, spec, "first-loss", "0s", "1us")
    assert lost.marker_ps is not None
    for board in (0, 1):
        out = tmp_path / f"board {board}"
        status, output, error = invoke("rtl", recording, "-o", out, *LOSING, "--board", board, "--json")
        assert (status, error) == (0, "")
        made = json.loads(output)
        begin = f"The strobes are those of {recording / 'recording.arrow'} around the first loss, at "
        assert made["excerpt"].startswith(begin)
        at_s = float(made["excerpt"].removeprefix(begin).split()[0])
        assert at_s == pytest.approx(lost.marker_ps * 1e-12, rel=1e-8) or (
            at_s > lost.marker_ps * 1e-12,
            board != lost.board,
        ) == (True, True)
        assert made["expected"]["frames_lost"] > 0
        assert 0 < made["strobes"] < 200
        assert simulated(out)[0] == 0


@needs("iverilog")
@pytest.mark.worker
def test_a_window_of_a_recording_is_played(recording: Path, tmp_path: Path) -> None:
    bursts = hypermon.Recording(recording).to_pandas()
    of_board = bursts[bursts["node"].isin([0, 1])]
    begin, end = (int(of_board["first_ps"].iloc[i]) for i in (10, 20))
    words = ["rtl", recording, "--window", f"{begin}ps..{end}ps", "--json"]
    status, output, _ = invoke(*words, "-o", tmp_path / "all")
    part = of_board[(of_board["first_ps"] >= begin) & (of_board["first_ps"] < end)]
    assert (status, json.loads(output)["strobes"]) == (0, part["data"].map(len).sum())
    assert simulated(tmp_path / "all")[0] == 0
    status, output, _ = invoke(*words, "-o", tmp_path / "some", "--strobes", 40)
    assert (status, 0 < json.loads(output)["strobes"] <= 40) == (0, True)


@needs("iverilog")
@pytest.mark.worker
def test_a_recording_is_played_on_a_board_that_holds_writes(recording: Path, tmp_path: Path) -> None:
    holds = ["--set", "ecb.node_fifo_full=stall", "--set", "ecb.node_fifo_entries=1", "--set", "ecb.builder_cycles=60"]
    status, output, error = invoke("rtl", recording, "-o", tmp_path / "board", *holds, "--strobes", 300)
    assert (status, error) == (0, "")
    assert "one burst" in " ".join(output.split())
    assert simulated(tmp_path / "board")[0] == 0


@pytest.mark.worker
def test_the_answer_of_a_sizing_is_a_design(recording: Path, tmp_path: Path) -> None:
    words = ["size", recording, "--set", "pbx.word_ns=20000", "--json"]
    status, output, _ = invoke(*words)
    assert status == 0
    (tmp_path / "size.json").write_text(output)
    status, answer, error = invoke("rtl", tmp_path / "size.json", "-o", tmp_path / "board", "--json")
    assert (status, error) == (0, "")
    assert json.loads(answer)["parameters"]["FRAMES"] == json.loads(output)["value"]
    assert "`pbx.word_ns` = 20000" not in answer
    assert "with 20000 ns a word" in (tmp_path / "board" / "README.md").read_text()
    same = hypermon.size(hypermon.Recording(recording), settings={"pbx.word_ns": 20_000})
    assert hypermon.rtl(same, tmp_path / "again").parameters == json.loads(answer)["parameters"]


@pytest.mark.worker
def test_an_answer_without_a_design_is_refused(recording: Path, tmp_path: Path) -> None:
    status, output, _ = invoke(
        "size", recording, "--vary", "ecb.frame_fifo_frames=1", "--set", "pbx.word_ns=90000", "--json"
    )
    assert status == 1
    file = tmp_path / "size.json"
    file.write_text(output)
    assert invoke("rtl", file, "-o", tmp_path / "board")[::2] == (
        2, f"error: {file}: has no design, since no value of ecb.frame_fifo_frames meets the targets\n",
    )  # fmt: skip
    file.write_text('{"scenario": "a"}')
    status, _, error = invoke("rtl", file, "-o", tmp_path / "board")
    assert (status, error) == (2, f"error: {file}: is not the answer of hypermon size --json\n")
    assert not (tmp_path / "board").exists()


REFUSED = {
    "monitor=none": "monitor = none: must be hypermon for RTL",
    "ecb.wrap_frames=true": "ecb.wrap_frames = true: must be false for RTL",
    "ecb.reset_skew_ns=100": "ecb.reset_skew_ns = 100: must be 0 for RTL",
    "ecb[0].wrap_frames=true": "ecb[0].wrap_frames = true: must be false for RTL",
    "faults.garbage_frames=3": "faults.garbage_frames = 3: must be 0 for RTL",
    "pbx.word_ns=49": "pbx.word_ns = 49: must be at least 50 for RTL",
}


@pytest.mark.worker
@pytest.mark.parametrize("setting", REFUSED)
def test_what_the_rtl_does_not_cover_is_refused(tmp_path: Path, setting: str) -> None:
    status, output, error = invoke("rtl", "table2/place", "-o", tmp_path / "board", "--set", setting)
    assert (status, output, error.count("\n")) == (2, "", 1)
    assert f"error: {REFUSED[setting]}" in error
    assert everything(tmp_path) == {}


@pytest.mark.worker
def test_arguments_that_do_not_fit_are_refused(recording: Path, tmp_path: Path) -> None:
    def refused(*words: object) -> str:
        status, output, error = invoke("rtl", *words, "-o", tmp_path / "board")
        assert (status, output, error.count("\n")) == (2, "", 1)
        return error

    assert "board 1: must be less than 1, the number of boards" in refused("table2/place", "--board", 1)
    assert "--window 0s..1s: is an interval of a recording" in refused("table2/place", "--window", "0s..1s")
    assert "port.width_bits = 8:" in refused("table2/place", "--recording", recording, "--set", "port.width_bits=8")
    assert "goes with a scenario" in refused(recording, "--platform", "ipsc2")
    assert "--window 90s..91s: no node of board 0" in refused(recording, "--window", "90s..91s")
    assert everything(tmp_path) == {}


@pytest.mark.worker
def test_a_folder_of_somebody_else_is_kept(tmp_path: Path) -> None:
    out = tmp_path / "board"
    assert invoke("rtl", "table2/place", "-o", out)[0] == 0
    before = everything(tmp_path)
    assert invoke("rtl", "table2/place", "-o", out)[0] == 0
    assert everything(tmp_path) == before
    (out / "capture_board_of_mine.v").write_text("// mine")
    status, _, error = invoke("rtl", "table2/place", "-o", out)
    assert (status, "contains more than the RTL of a board: capture_board_of_mine.v" in error) == (2, True)


# --- synthesis


@needs("yosys")
@pytest.mark.worker
def test_each_structure_is_synthesized_once(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    tiny = [
        "--set",
        "ecb.frame_fifo_frames=16",
        "--set",
        "ecb.inputs=2",
        "--set",
        "nodes=2",
        "--set",
        "ecb.node_fifo_entries=2",
    ]
    words = ["rtl", "table2/place", *tiny, "--synthesize", "--json"]
    status, output, error = invoke(*words, "-o", tmp_path / "board")
    assert (status, error) == (0, "")
    found = json.loads(output)["resources"]
    assert found["tool"].startswith("Yosys ")
    assert subprocess.run(["make", "-s", "yosys"], cwd=tmp_path / "board", check=True).returncode == 0
    cells = json.loads((tmp_path / "board" / "build" / "stat.json").read_text())["design"]["num_cells_by_type"]
    assert found["luts"] == cells["SB_LUT4"] > 100
    assert found["flip_flops"] == sum(n for name, n in cells.items() if name.startswith("SB_DFF")) > 100
    assert found["memory_blocks"] == cells.get("SB_RAM40_4K", 0)
    assert f"| flip-flops | {found['flip_flops']} |" in (tmp_path / "board" / "README.md").read_text()

    def again(*_: object) -> None:
        raise AssertionError("synthesized again")

    monkeypatch.setattr(synthesis, "_statistics", again)
    other = [*words, "--set", "pbx.word_ns=500"]  # the bus does not belong to the design's structure
    assert json.loads(invoke(*other, "-o", tmp_path / "other")[1])["resources"] == found
    with pytest.raises(AssertionError, match="synthesized again"):
        synthesis.synthesize(dict(json.loads(output)["parameters"]) | {"FRAMES": 17})


@pytest.mark.worker
def test_without_yosys_its_package_is_named(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))
    synthesis._synthesized.cache_clear()
    status, output, error = invoke("rtl", "table2/place", "-o", tmp_path / "board", "--synthesize")
    assert (status, output) == (2, "")
    assert error == "error: yosys is not installed: synthesis needs it (Debian and Ubuntu: package yosys)\n"
    assert everything(tmp_path) == {}


def test_a_design_too_large_to_synthesize_is_refused() -> None:
    with pytest.raises(
        UserError, match=r"a board with 1048576 frames .* have \d+ bits, must have at most 4194304; list"
    ):
        synthesis.synthesize(structure.from_values(hypermon.design("hypermon", {"ecb.frame_fifo_frames": 1 << 20})))


@pytest.fixture
def counted(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """Replaces Yosys by numbers: as many look-up tables as frames. Returns the designs that are synthesized."""
    synthesized: list[str] = []

    def statistics(_: str, texts: Mapping[str, str]) -> Mapping[str, int]:
        synthesized.append(texts["design.vh"])
        return {"SB_LUT4": int(texts["design.vh"].split(".FRAMES(")[1].split(")")[0]), "SB_DFFE": 2, "SB_RAM40_4K": 3}

    synthesis._synthesized.cache_clear()
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    monkeypatch.setattr(synthesis, "_yosys", lambda: "yosys")
    monkeypatch.setattr(synthesis, "_version", lambda _: "Yosys 0")
    monkeypatch.setattr(synthesis, "_statistics", statistics)
    return synthesized


@pytest.mark.worker
def test_resources_are_costs_of_all_boards(recording: Path, counted: list[str]) -> None:
    source = hypermon.Recording(recording)
    values = source.spec.values
    assert values["nodes"] == 2 * int(values["ecb.inputs"])
    own = {**values, "ecb.frame_fifo_frames": 10, "ecb[1].frame_fifo_frames": 7}
    assert cost.evaluate("cost.luts", own) == 17
    assert cost.evaluate("cost.flip_flops + 100 * cost.memory_blocks", own) == 2 * 2 + 100 * 2 * 3
    assert len(counted) == 2
    assert cost.evaluate("cost.memory_bits", {**own, "ecb.frame_fifo_frames": 11}) > 0
    assert len(counted) == 2  # a cost that needs no synthesis must not synthesize
    with pytest.raises(UserError, match=r"^ecb.wrap_frames = true: must be false for RTL"):
        cost.evaluate("cost.luts", {**values, "ecb.wrap_frames": True})


@pytest.mark.worker
def test_a_design_is_sized_by_its_resources(recording: Path, counted: list[str]) -> None:
    source = hypermon.Recording(recording)
    vary = {"ecb.frame_fifo_frames": [64, 512, 4096], "pbx.word_ns": [500, 800]}
    sized = hypermon.size(source, vary=vary, cost="cost.luts + pbx.word_ns / 1e6")
    assert sized.reached
    assert sized.cost == pytest.approx(float(sized.settings["ecb.frame_fifo_frames"]) * 2, abs=0.01)
    assert len(counted) == len(set(counted)) <= 3
    front = hypermon.tradeoffs.pareto(
        source, {"ecb.frame_fifo_frames": [64, 512]}, {"loss": "minimize", "cost.luts": "minimize"}, trials=2
    )
    assert set(front.all()["cost.luts"]) == {128, 1024}
    with pytest.raises(UserError, match="list smaller values of what varies"):
        hypermon.size(source, cost="cost.luts")


@pytest.mark.parametrize(
    "text",
    ["{", "[]", "3", '{"scenario": "a", "value": 1, "design": {}}', '{"scenario": "a", "value": 1, "design": 7}'],
)
def test_a_damaged_answer_of_a_sizing_is_refused(text: str, tmp_path: Path) -> None:
    (tmp_path / "size.json").write_text(text)
    status, _, error = invoke("rtl", tmp_path / "size.json", "-o", tmp_path / "board", "--json")
    assert (status, error.count("\n")) == (2, 1)
    assert f"{tmp_path / 'size.json'}: " in error
    assert not (tmp_path / "board").exists()
