# SPDX-License-Identifier: BSD-3-Clause
"""Capture boards in Verilog (`ecb.rtl`). Verilator and the compiler make them shared objects that the worker loads.

Objects are kept in the cache of programs. They are found by the contents of all files that Verilator and the board have
read, the module's parameters, paths and versions of Verilator and of the compiler, the variables by which these find
other files, and hypermon's headers.
"""

from __future__ import annotations

import functools
import json
import os
import re
import shlex
import shutil
import subprocess
from collections.abc import Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from hypermon._files import files, places
from hypermon._inputs.programs import board_pins, cache, own_verilog, rtl_sources
from hypermon._model.schema import Value
from hypermon._printing import passing
from hypermon._version import __version__
from hypermon.errors import HypermonError, UserError

FILE, TOP, PARAMETERS = "ecb.rtl", "ecb.rtl_top", "ecb.rtl_parameters"
SUFFIXES = {".v", ".sv", ".f", ".vc"}
FORMAT = 4  # version of the cache's format
RESETS_WITHIN_S = 20  # (chosen) CPU time
WAITS_AT_MOST_S = 600  # (chosen) a check that sleeps takes no CPU time
CYCLES = 2000  # (chosen) clock cycles of each comparison of two contents at power-on
TOOLS = ("verilator", "g++")
PREFIX = "Vboard"  # class that Verilator makes
OF_TOP = "__02E"  # in a pin's name, between the top module and the pin, if there are several top modules
# VerilatedContext::randReset selects the values of registers at power-on and of `x` in the source.
TRANSLATES = (
    "--cc", "-O3", "--x-assign", "unique", "--x-initial", "unique", "--no-timing", "-Wno-lint", "-Wno-style",
    "-Wno-TIMESCALEMOD", "-Wno-MULTITOP", "-Wno-DECLFILENAME", "--prefix", PREFIX, "--threads", "1", "--no-trace",
    "--no-coverage", "--no-savable", "--no-exe", "--no-main",
)  # fmt: skip
# Variables by which the tools find other files.
VARIABLES = (
    "CPATH", "C_INCLUDE_PATH", "CPLUS_INCLUDE_PATH", "LIBRARY_PATH", "COMPILER_PATH", "GCC_EXEC_PREFIX",
    "VERILATOR_ROOT", "VERILATOR_BIN",
)  # fmt: skip
TRACES = ("--trace", "--trace-structs")
MODULE = ("-std=c++20", "-fPIC", "-DSC_CPLUSPLUS=201703L")  # options for a module that hypermon-sim loads
COMPILES = (*MODULE, "-w", "-DVL_USER_FATAL", "-DVL_USER_FINISH")


def build_board(values: Mapping[str, Value], file: Path, where: str, traces: bool = False) -> Path:
    """Builds the board unless it was built before.

    Args:
        traces: Whether the board can show the waves of its signals, which makes it slower.
        values: Values of the parameters, by path.
        file: The source, or a file with Verilator's options that names the sources.
        where: The place where `ecb.rtl` was given.

    Raises:
        UserError: A tool is not installed, the source does not compile, or its pins are not those of a board.
    """
    board = _Board(values, file, where, traces)
    key = board.key()
    made = cache.kept(key)
    if made is None:
        with cache.work_of(key) as work, passing(f"building {file} ..."):
            made = cache.kept(key) or board.make(key, work)
    board.check_pins(made.about["pins"])
    return made.object


def find_build(values: Mapping[str, Value], file: Path) -> Path | None:
    """Returns the board if it was built before, else None."""
    board = _Board(values, file, "")
    taken = cache.kept(board.key_of_names())
    made = cache.kept(board.key(json.loads(taken.object.read_text("utf-8")))) if taken else None
    return made.object if made else None


def traced(values: Mapping[str, Value]) -> str:
    """Returns a board with waves of its signals, as a value of `ecb.rtl`, from the source of the run's board.

    Raises:
        UserError: The board's source has changed since the board was built.
    """
    made = files.paths(str(values[FILE]))[0]
    source = Path(str(cache.about(made)["source"]))
    if build_board(values, source, "") != made:
        raise UserError(f"{FILE} = {source}: has changed since the board was built")
    return files.resolve(FILE, build_board(values, source, "", traces=True), "")


def is_bundled_board(values: Mapping[str, Value]) -> bool:
    """Is the board in Verilog hypermon's own, with the run's parameters?"""
    made = files.path_of(str(values[FILE]))
    if made is None or values[TOP] or values[PARAMETERS]:
        return False
    try:
        return Path(str(cache.about(made)["source"])) == own_verilog.SOURCE
    except UserError:  # a shared object from elsewhere
        return False


def with_source_named(error: HypermonError, values: Mapping[str, Value]) -> HypermonError:
    """Returns an error of the worker with the board's source, top module and other files instead of the object."""
    made = files.path_of(str(values.get(FILE, "")))
    message = re.sub(rf"{re.escape(FILE)}(?: = (\S+\.so))?(?=: )", lambda at: _source(at, made), str(error))
    return error if message == str(error) else type(error)(message)


def _source(found: re.Match[str], made: Path | None) -> str:
    """`made`: the object of the run. A run with waves has another one, which its errors name."""
    made = Path(found[1]) if found[1] else made
    try:
        about = cache.about(made) if made is not None else {}
        folder, top = Path(about["source"]).parent, about["top"]
        others = [os.path.relpath(path, folder) for path in about["files"]]
    except (UserError, KeyError):
        return found[0]
    parts = [f"top module {top}"] if top else []
    parts += [f"with {', '.join(others)}"] if others else []
    return f"{FILE} = {about['source']}" + (f" ({', '.join(parts)})" if parts else "")


def parameters_of_run(values: Mapping[str, Value]) -> dict[str, int]:
    """Returns the values of the parameters of hypermon's capture_board.v for this run."""

    def number(path: str) -> int:
        return int(values[path])

    full = {name: str(values[f"ecb.{name}_fifo_full"]) for name in ("node", "vector", "frame")}
    width = number("port.width_bits")
    return {
        "INPUTS": number("ecb.inputs"),
        "WIDTH": width,
        "DATA_PER_WORD": max(width, number("ecb.accumulate_bits")) // width,
        "WINDOW_CYCLES": number("ecb.window_ns") // 50,
        "NODE_ENTRIES": number("ecb.node_fifo_entries"),
        "VECTOR_ENTRIES": number("ecb.vector_fifo_entries"),
        "FRAMES": number("ecb.frame_fifo_frames"),
        "BUILDER_CYCLES": number("ecb.builder_cycles"),
        "TIMESTAMP_BITS": number("ecb.timestamp_bits"),
        "STAMP_ON_REQUEST": int(values["ecb.timestamp_policy"] == "on_request"),
        "NODE_STALLS": int(full["node"] == "stall"),
        "VECTOR_DROPS_OLDEST": int(full["vector"] == "drop_oldest"),
        "FRAME_DROPS_OLDEST": int(full["frame"] == "drop_oldest"),
        "FRAME_STALLS": int(full["frame"] == "stall"),
    }


class _Board:
    """One build: the source with the parameters of its top module."""

    def __init__(self, values: Mapping[str, Value], file: Path, where: str, traces: bool = False) -> None:
        self.file, self.where = file, where
        self.translates = (*TRANSLATES, *TRACES) if traces else TRANSLATES
        self.compiles = (*COMPILES, "-DVM_TRACE=1") if traces else COMPILES
        self.runtime = ("verilated", "verilated_threads", *(("verilated_vcd_c",) if traces else ()))
        self.top = str(values.get(TOP, ""))
        self.of_run = parameters_of_run(values)
        self.own = _assigned(str(values.get(PARAMETERS, "")))
        self.about = f"{FILE} = {file}"
        if self.top and not re.fullmatch(r"[A-Za-z_]\w*", self.top):
            raise UserError(f"{TOP} = {self.top}: must be the name of a module", where)
        if any(blank in str(file) for blank in " \t"):
            raise UserError(
                f"{self.about}: its path must have no blanks, at which Verilator's lists of files end a name", where
            )

    def key_of_names(self) -> str:
        """Returns the key of the list of the run's parameters that the top module has."""
        around = [_tools(), *(shutil.which(tool) for tool in TOOLS), *(os.environ.get(name) for name in VARIABLES)]
        what = [str(self.file), files.sha256(self.file), self.top, sorted(self.own.items()), around, FORMAT]
        return cache.key(["rtl", *what, *self.translates, *self.compiles])

    def key(self, names: Sequence[str] | None = None) -> str:
        taken = self._names() if names is None else names
        return cache.key([self.key_of_names(), *((name, self.of_run[name]) for name in taken)])

    def _names(self) -> list[str]:
        key = self.key_of_names()
        kept = cache.kept(key)
        if kept is None:
            _require(self.where)
            with cache.work_of(key) as work:
                kept = cache.kept(key) or self._list_names(key, work)
        found: list[str] = json.loads(kept.object.read_text(encoding="utf-8"))
        return found

    def _list_names(self, key: str, work: Path) -> cache.Made:
        """Stores the names of the run's parameters that the top module has in the cache."""
        (made := work / "names").mkdir()
        names = [name for name in self.of_run if name not in self.own]
        absent = rtl_sources.absent(self._translate(work, names, check=False))
        if unknown := [name for name in self.own if name in absent]:
            top = f"module {self.top}" if self.top else "top module"
            raise UserError(f"{PARAMETERS}: {', '.join(unknown)}: the {top} has no such parameter", self.where)
        names = [name for name in names if name not in absent]
        self._translate(work, names)
        (made / "names.json").write_text(json.dumps(names), encoding="utf-8")
        return cache.keep(key, made, "names.json", self._read(work), {"source": str(self.file)})

    def make(self, key: str, work: Path) -> cache.Made:
        """Builds the board in an empty folder."""
        self._translate(work, self._names())
        read = self._read(work)
        pins = board_pins.read((work / "model" / f"{PREFIX}.h").read_text(encoding="utf-8"))
        self.check_pins(pins)
        (made := work / "made").mkdir()
        board = self.file.stem + ".so"
        model, runtime = self._compile(work)
        self._run(["g++", *model, *runtime, str(work / "check.o"), "-o", str(work / "check")], work)
        self._check_reset(work)
        data = self._data(work)
        made_of = [*model, *runtime, str(work / "board.o")]
        if data:  # their digests make the object change with them
            (work / "data.cpp").write_text(rtl_sources.data(sorted(data.values())), encoding="utf-8")
            made_of.append(str(work / "data.cpp"))
        self._run(["g++", "-shared", "-fPIC", *made_of, "-o", str(made / board)], work)
        root = (work / "model" / f"{PREFIX}___024root.h").read_text(encoding="utf-8")
        source = self.file.read_text(encoding="utf-8", errors="replace")
        about = {
            "source": str(self.file),
            "top": self.top or rtl_sources.top(root, source),
            "files": sorted(read),
            "parameters": {**self._parameters(self._names())},
            "pins": pins,
        }
        if self._read(work) != read or self.key() != key:
            raise UserError(f"{self.about}: a source has changed while it was built; try again", self.where)
        return cache.keep(key, made, board, {**read, **data}, about)

    def check_pins(self, pins: Mapping[str, Sequence[object]]) -> None:
        """Raises a UserError that lists all missing and wrong pins."""
        if tops := sorted({name.partition(OF_TOP)[0] for name in pins if OF_TOP in name}):
            raise UserError(f"{self.about}: has several top modules: {', '.join(tops)}; choose one ({TOP})", self.where)
        wrong = board_pins.find_mismatches(
            pins, self.of_run["INPUTS"], self.of_run["WIDTH"], self.of_run["TIMESTAMP_BITS"]
        )
        if wrong:
            messages = "".join(f"\n  {line}" for line in wrong)
            raise UserError(f"{self.about}: pins differ from docs/reference/board-pins.md:{messages}", self.where)

    def _parameters(self, names: Sequence[str]) -> dict[str, object]:
        return {**{name: self.of_run[name] for name in names}, **self.own}

    def _translate(self, work: Path, names: Sequence[str], check: bool = True) -> str:
        """Runs Verilator and returns its messages. `check`: an error of Verilator raises a UserError."""
        sources = ["-F", str(self.file)] if self.file.suffix in (".f", ".vc") else [str(self.file)]
        given = [f"-G{name}={value}" for name, value in self._parameters(names).items()]
        top = ["--top-module", self.top] if self.top else []
        model = work / "model"
        shutil.rmtree(model, ignore_errors=True)
        library = ["-y", str(self.file.parent)]
        # hypermon's options come last, because of two contradicting options Verilator takes the last one.
        return self._run(
            ["verilator", *library, *sources, *self.translates, *top, *given, "--Mdir", str(model)], work, check
        )

    def _read(self, work: Path) -> dict[str, str]:
        """Returns the digests of all files that Verilator has read, except the board's own file."""
        rule = (work / "model" / f"{PREFIX}__ver.d").read_text(encoding="utf-8")
        tools = verilator_root()
        read = {work / path for path in rtl_sources.prerequisites(rule) if not path.endswith("verilator_bin")}
        own = sorted(path for path in read - {self.file} if not path.is_relative_to(tools))
        return {str(path): files.sha256(path) for path in own if path.is_file()}

    def _data(self, work: Path) -> dict[str, str]:
        """Returns the digests of the files that the check has read by $readmemh or $readmemb."""
        listed = work / rtl_sources.READ
        names = listed.read_text(encoding="utf-8").splitlines() if listed.is_file() else []
        return {name: files.sha256(Path(name)) for name in sorted(set(names)) if Path(name).is_file()}

    def _compile(self, work: Path) -> tuple[list[str], list[str]]:
        """Compiles all translation units, and returns the objects of the model and of Verilator's runtime."""
        root = verilator_root() / "include"
        model = sorted(path.name for path in (work / "model").glob("*.cpp"))
        reads = any("VL_READMEM_N" in (work / "model" / name).read_text(encoding="utf-8") for name in model)
        folder = str(self.file.parent) if reads else ""
        (work / "model.cpp").write_text(rtl_sources.model(model, reads), encoding="utf-8")
        pins = board_pins.read((work / "model" / f"{PREFIX}.h").read_text(encoding="utf-8"))
        (work / "board.cpp").write_text(rtl_sources.board(PREFIX, folder), encoding="utf-8")
        (work / "check.cpp").write_text(
            rtl_sources.check(PREFIX, pins, folder, CYCLES, RESETS_WITHIN_S), encoding="utf-8"
        )
        if not (places.hardware() / rtl_sources.BUILD_HEADER).is_file():  # in a source tree
            build = rtl_sources.build_header(places.hardware(), __version__)
            (work / rtl_sources.BUILD_HEADER).write_text(build, encoding="utf-8")
        runtime = [path for name in self.runtime if (path := root / f"{name}.cpp").is_file()]
        units = [*runtime, *(work / f"{name}.cpp" for name in ("board", "model", "check"))]
        headers = [
            f"-I{work / 'model'}",
            f"-I{work}",
            f"-I{places.hardware()}",
            f"-isystem{root}",
            f"-isystem{root / 'vltstd'}",
        ]
        headers += [f"-ffile-prefix-map={work}=.", f"-ffile-prefix-map={self.file.parent}=."]

        def compile_one(unit: Path) -> None:
            out, effort = work / f"{unit.stem}.o", "-O2" if unit.stem in ("model", "board") else "-O1"
            self._run(["g++", effort, *self.compiles, *headers, "-c", str(unit), "-o", str(out)], work)

        with ThreadPoolExecutor() as pool:
            list(pool.map(compile_one, units))
        return [str(work / "model.o")], [str(work / f"{unit.stem}.o") for unit in runtime]

    def _check_reset(self, work: Path) -> None:
        """Raises a UserError if an output after the reset depends on the registers' values at power-on."""
        try:
            done = subprocess.run(
                [work / "check"],
                cwd=work,
                stdin=subprocess.DEVNULL,
                capture_output=True,
                encoding="utf-8",
                errors="backslashreplace",
                timeout=WAITS_AT_MOST_S,
                check=False,
            )
        except subprocess.TimeoutExpired:
            raise UserError(
                f"{self.about}: the check of {CYCLES} clock cycles after a reset waits for something", self.where
            ) from None
        if done.returncode == rtl_sources.TOO_LONG:
            raise UserError(
                f"{self.about}: the check of {CYCLES} clock cycles after a reset takes more than {RESETS_WITHIN_S} s"
                " of CPU time",
                self.where,
            )
        if done.returncode == rtl_sources.DIFFERS:
            raise UserError(
                f"{self.about}: outputs after the reset depend on what registers contain at power-on: "
                f"{', '.join(done.stdout.split())}",
                self.where,
            )
        if done.returncode:
            raise UserError(f"{self.about}: {(done.stderr or done.stdout).strip()}", self.where)

    def _run(self, command: Sequence[str], work: Path, check: bool = True) -> str:
        done = subprocess.run(
            command, cwd=work, capture_output=True, encoding="utf-8", errors="backslashreplace", check=False
        )
        if check and done.returncode:
            stderr = done.stderr.replace(f"{work}/", "").rstrip()
            raise UserError(f"{self.about}: {command[0]} does not compile it:\n{stderr}", self.where)
        return done.stderr


def _assigned(text: str) -> dict[str, str]:
    words = (word.partition("=") for word in shlex.split(text))
    return {name: value for name, _, value in words}


def _require(where: str) -> None:
    for tool in TOOLS:
        if shutil.which(tool) is None:
            raise UserError(f"{FILE}: {tool} is not installed (Debian: {tool})", where)
    if not (places.hardware() / "hw" / "hypermon" / "rtl_board" / "rtl_board.hpp").is_file():
        raise UserError(f"{FILE}: hypermon's headers are not installed in {places.hardware()}", where)


@functools.cache
def verilator_root() -> Path:
    """Returns the folder of Verilator's runtime."""
    return Path(_output("verilator", "--getenv", "VERILATOR_ROOT").strip())


@functools.cache
def _tools() -> tuple[str, ...]:
    """Returns the versions of the tools and of SystemC, and the digests of hypermon's headers."""
    headers = places.hardware() / "hw" / "hypermon"
    folders = (*(headers / name for name in ("rtl_board", "tlm", "core")), places.hardware() / "base")
    own = sorted(path for folder in folders for path in folder.glob("*.hpp"))
    versions = (*(_output(tool, "--version") for tool in TOOLS), systemc_of_compiler())
    return (*versions, *(files.sha256(path) for path in own))


def systemc_of_compiler() -> str:
    """Returns the version of the SystemC whose headers g++ finds, such as "2.3.4". The empty text: it finds none."""
    macros = _output("g++", "-x", "c++", "-E", "-dM", "-include", "sysc/kernel/sc_ver.h", "/dev/null")
    numbers = (re.search(rf"#define SC_VERSION_{part} +(\d+)", macros) for part in ("MAJOR", "MINOR", "PATCH"))
    return ".".join(number[1] for number in numbers if number)


def _output(*command: str) -> str:
    if shutil.which(command[0]) is None:
        return ""
    return subprocess.run(command, capture_output=True, encoding="utf-8", errors="backslashreplace", check=False).stdout
