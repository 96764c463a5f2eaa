# SPDX-License-Identifier: BSD-3-Clause
"""SCMS/RMS's plug-ins: their values, the times at which they are loaded, and the effect of crashes."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

import hypermon
from tests.monitors.scms.test_clients import CALLER, run

pytestmark = [pytest.mark.worker, pytest.mark.usefixtures("worker")]
OWN = """
#include <hypermon_cma.h>
#include <stdlib.h>
#include <string.h>
%s
static int64_t read_it(const struct hypermon_cma* cma, void* state, uint32_t function) {
  if (function == 2) return cma->counter(cma, "cpu.kernel");
  if (function == 3) return cma->now_ps(cma) / 1000000;
  return ++*(int64_t*)state; /* how often this node was asked */
}
static int load(const struct hypermon_cma* cma, void** state) {
  *state = calloc(1, sizeof(int64_t));
  return REFUSE;
}
static void unload(const struct hypermon_cma* cma, void* state) { free(state); }
static const struct hypermon_cma_function functions[] = {{1, "asked", 8}, {2, "kernel", 8}, {3, "now_us", 5000}};
static const struct hypermon_cma_plugin own = {
    HYPERMON_CMA_VERSION, ID, NAME, "cpu.kernel", functions, 3, load, unload, read_it};
const struct hypermon_cma_plugin* hypermon_cma_describe(void) { return &own; }
"""
DEFINED = {"REFUSE": "0", "ID": "100", "NAME": '"mine"'}


def source(folder: Path, name: str = "own.c", **defined: str) -> Path:
    file = folder / name
    file.write_text(OWN % "\n".join(f"#define {word} {text}" for word, text in (DEFINED | defined).items()))
    return file


def crashing(folder: Path, crash: str) -> Path:
    """A plug-in in C++ whose only function crashes on node 2."""
    file = folder / "crashing.cpp"
    file.write_text(f"""
#include <hypermon_cma.h>
#include <cstdlib>
#include <stdexcept>
static int deep(int calls) {{
  volatile char room[4096];
  room[0] = static_cast<char>(calls);
  return deep(calls + 1) + room[0];
}}
static int64_t read_it(const hypermon_cma* cma, void*, uint32_t) {{
  static volatile bool never = false;
  if (never) return deep(1);
  if (cma->node == 2) {crash};
  return 7;
}}
static const hypermon_cma_function functions[] = {{{{1, "seven", 8}}}};
static const hypermon_cma_plugin own = {{
    HYPERMON_CMA_VERSION, 200, "crashing", nullptr, functions, 1, nullptr, nullptr, read_it}};
const hypermon_cma_plugin* hypermon_cma_describe(void) {{ return &own; }}
""")
    return file


def plugin(result: Any, name: str) -> Any:
    (found,) = (one for one in result["monitor"]["plugins"] if one["name"] == name)
    return found


def test_a_users_own_plugin_provides_its_functions_and_remembers_by_node(tmp_path: Path) -> None:
    settings = {"scms_plugins.own": source(tmp_path), "scms_client.resources": "mine.asked 100:2 mine.now_us"}
    result = run(tmp_path / "run", **CALLER, **settings)
    (client,) = result["monitor"]["clients"]
    assert client["values"] == 9 * 8 * 3
    assert plugin(result, "mine")["reads"] == 9 * 8 * 3
    assert plugin(result, "mine")["loads"] == 8
    assert result["monitor"]["bytes"]["reply"] > 2 * 9 * 8 * 5000  # its block is sent twice on the way


@pytest.mark.parametrize(
    ("crash", "message"),
    [
        ("*(volatile int*)nullptr = 1", "SIGSEGV"),
        ("std::abort()", "SIGABRT"),
        ("return deep(0)", "SIGSEGV"),
    ],
)
def test_a_signal_in_a_plugin_ends_its_cma_which_begins_anew(tmp_path: Path, crash: str, message: str) -> None:
    settings = {"scms_plugins.own": crashing(tmp_path, crash), "scms_client.resources": "crashing.seven",
                "scms_plugins.restart_s": 2.5, "scms_client.timeout_s": 0.5}  # fmt: skip
    result = run(tmp_path / "run", **CALLER, **settings)
    found = plugin(result, "crashing")
    assert found["error"] == message
    assert found["first_crash_s"] == pytest.approx(1, abs=0.01)
    assert found["crashes"] == 3  # at 1, 4 and 7 s: back at 3.5, 6.5 and 9.5 s
    assert found["loads"] == 8 + 3
    assert result["monitor"]["tree"]["cmas"][2]["incarnations"] == 1 + 3
    (client,) = result["monitor"]["clients"]
    assert client["missing"] == 9
    assert client["values"] == 9 * 7  # the others continue


def test_an_exception_in_a_plugin_ends_the_plugin_alone(tmp_path: Path) -> None:
    own = crashing(tmp_path, 'throw std::runtime_error("no seven today")')
    settings = {"scms_plugins.own": own, "scms_client.resources": "crashing.seven hardware.cpu_busy"}
    result = run(tmp_path / "run", **CALLER, **settings)
    assert plugin(result, "crashing")["error"] == "no seven today"
    assert plugin(result, "crashing")["crashes"] == 1
    assert result["monitor"]["tree"]["cmas"][2]["incarnations"] == 1
    (client,) = result["monitor"]["clients"]
    assert (client["failed"], client["unprovided"], client["missing"]) == (1, 8, 0)
    assert client["values"] == 9 * 8 * 2 - 9


def test_a_plugin_that_cannot_be_loaded_is_reported_and_the_run_goes_on(tmp_path: Path) -> None:
    (tmp_path / "none.so").write_text("no object")
    result = run(tmp_path / "text", **CALLER, **{"scms_plugins.own": tmp_path / "none.so"})
    none = plugin(result, str(tmp_path / "none.so"))
    assert (none["id"], none["refused"]) == (None, 8)
    assert "none.so" in none["error"]
    refuses = source(tmp_path, REFUSE="1")
    asked = {"scms_plugins.own": refuses, "scms_client.resources": "mine.asked"}
    result = run(tmp_path / "refuses", **CALLER, **asked)
    assert (plugin(result, "mine")["loads"], plugin(result, "mine")["refused"]) == (0, 8)
    (client,) = result["monitor"]["clients"]
    assert client["unprovided"] == 9 * 8


def test_a_schedule_loads_and_unloads_plugins_through_rmi(tmp_path: Path) -> None:
    settings = {"scms_plugins.schedule": "2.5 load mpi 0-3; 5.5 unload mpi 2", "scms_client.resources": "mpi.calls"}
    result = run(tmp_path / "run", **CALLER, **settings)
    load, unload = result["monitor"]["plugin_changes"]
    assert (load["done"], load["refused"], load["missing"]) == (4, 0, 0)
    assert unload["done"] == 1
    assert 0 < load["took_s"] < 0.1
    (client,) = result["monitor"]["clients"]
    assert client["values"] == 7 * 4 - 4  # from 3 s on four nodes have it, from 6 s on three
    assert client["unprovided"] == 9 * 8 - client["values"]


REFUSED: list[tuple[dict[str, Any], str]] = [
    ({"scms_plugins.loaded": "hardwear"}, "scms_plugins.loaded = hardwear: no such plug-in; did you mean hardware?"),
    ({"scms_plugins.schedule": "5 lode mpi"}, "scms_plugins.schedule = 5 lode mpi: must be like 30 load mpi 0-3"),
    ({"scms_plugins.schedule": "5 load mpi 8"}, "must be all, or numbers of nodes from 0 to 7"),
    (
        {"scms_plugins.schedule": "5 load nothing"},
        "scms_plugins.schedule = nothing: no such plug-in; there are hardware",
    ),
    ({"scms_plugins.own": "missing.c"}, "scms_plugins.own = missing.c: cannot be read"),
]


@pytest.mark.parametrize(("settings", "message"), REFUSED)
def test_what_cannot_be_is_one_clear_error(tmp_path: Path, settings: dict[str, Any], message: str) -> None:
    with pytest.raises(hypermon.UserError) as caught:
        run(tmp_path / "run", **CALLER, **settings)
    assert message in str(caught.value)
    assert not (tmp_path / "run").exists()


def test_files_that_are_no_code_and_code_that_does_not_compile_are_refused(tmp_path: Path) -> None:
    (tmp_path / "wrong.c").write_text("int x = ;")
    (tmp_path / "text.txt").write_text("text")
    for name, message in (("wrong.c", "does not compile"), ("text.txt", "must be C (.c) or C++ sources")):
        with pytest.raises(hypermon.UserError, match=r"scms_plugins\.own = ") as caught:
            run(tmp_path / "run", **{"scms_plugins.own": tmp_path / name})
        assert message in str(caught.value)


def test_two_plugins_may_not_have_one_id(tmp_path: Path) -> None:
    both = [source(tmp_path), source(tmp_path, "other.c", NAME='"other"')]
    with pytest.raises(hypermon.UserError, match="its id, 100, or name, other, is that of plug-in mine"):
        run(tmp_path / "run", **{"scms_plugins.own": both})
    result = run(
        tmp_path / "run", **{"scms_plugins.own": [both[0], source(tmp_path, "other.c", NAME='"other"', ID="101")]}
    )
    assert {"mine", "other"} <= {one["name"] for one in result["monitor"]["plugins"]}
