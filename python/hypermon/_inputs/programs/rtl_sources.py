# SPDX-License-Identifier: BSD-3-Clause
"""C++ sources around a model made by Verilator, and readers of Verilator's messages and dependency files."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Sequence
from pathlib import Path

from hypermon._files import files
from hypermon._inputs.programs.board_pins import ONLY_WITH, Pins

BUILD_HEADER = "hypermon_modules_build.hpp"
HEADERS = ("base", "hw/core", "hw/hypermon/core", "hw/hypermon/tlm")  # folders of the headers of users' modules
DIFFERS, TOO_LONG = 4, 5  # exit statuses of the check if outputs differ, and if it takes too much CPU time
_ABSENT = re.compile(r"Parameters from the command line were not found in the design: (.*)")

_FAILS = """
void vl_fatal(const char* file, int line, const char*, const char* message) {
  throw std::runtime_error(std::string(file) + ":" + std::to_string(line) + ": " + message);
}
void vl_finish(const char*, int, const char*) { Verilated::threadContextp()->gotFinish(true); }
"""

_BOARD = """// A capture board in Verilog as a shared object (hw/hypermon/rtl_board/rtl_board.hpp).
#include "{prefix}.h"
#include "hw/hypermon/rtl_board/rtl_board.hpp"
#include <stdexcept>
#include <string>
{fails}
{reads}
HYPERMON_OWN_BOARD(hypermon::make_rtl_board<{prefix}>)
"""

# Files of $readmemh and $readmemb are found beside the source, in every folder in which hypermon runs.
_MODEL = """#include "verilated.h"
#include <string>
namespace hypermon_rtl {
std::string beside_source(const std::string& file);
}
#define VL_READMEM_N(hex, bits, depth, lsb, file, ...) \\
  VL_READMEM_N(hex, bits, depth, lsb, hypermon_rtl::beside_source(file), __VA_ARGS__)
"""
_READS = """
namespace hypermon_rtl {{
std::string beside_source(const std::string& file);
std::string beside_source(const std::string& file) {{
  const std::string path = file.empty() || file.front() == '/' ? file : "{folder}/" + file;
{lists}  return path;
}}
}}
"""
_LISTS = """  if (std::FILE* list = std::fopen("{file}", "a")) {{
    std::fprintf(list, "%s\\n", path.c_str());
    std::fclose(list);
  }}
"""
READ = "read.txt"  # the check writes the names of the files that the board reads

_CHECK = """// Two models whose registers have different values at power-on must have the same outputs after a reset,
// with equal random strobes and reads. In the first pair every bit differs. The random pairs also differ in the
// relations between bits.
#include "{prefix}.h"
#include "hw/hypermon/rtl_board/pins.hpp"
#include <csignal>
#include <cstdio>
#include <cstring>
#include <memory>
#include <random>
#include <stdexcept>
#include <string>
#include <sys/resource.h>
#include <type_traits>
#include <unistd.h>
{fails}{reads}
using hypermon::rtl::low_bits;
// The pins of a board that have the same values on both models. A held strobe stays.
struct Driver {{
  std::mt19937_64 random{{54}};
  int word_left = 0;  // clock cycles until the word on the bus ends
  bool chance(unsigned percent) {{ return random() % 100 < percent; }}
  template <class Pins> void raise(Pins& a, Pins& b, std::size_t bit) {{
    hypermon::rtl::set(a, bit, 1);
    hypermon::rtl::set(b, bit, 1);
  }}
  template <class Board> void drive(Board& a, Board& b) {{
    std::uint64_t held = 0;
    if constexpr (requires {{ a.hold; }}) held = low_bits(a.hold) & low_bits(a.strobe);
    if (held == 0) {{
      hypermon::rtl::clear(a.data);
      hypermon::rtl::clear(b.data);
    }}
    const std::uint64_t strobed = held;
    hypermon::rtl::clear(a.strobe);
    hypermon::rtl::clear(b.strobe);
    for (std::size_t i = 0; i < {inputs}; ++i) {{
      const bool again = (strobed >> i & 1) != 0;
      if (!again && !chance(4)) continue;
      raise(a.strobe, b.strobe, i);
      if (held == 0 && chance(50)) raise(a.data, b.data, i * {width});
    }}
    if constexpr (requires {{ a.flag; }}) {{
      hypermon::rtl::clear(a.flag);
      hypermon::rtl::clear(b.flag);
      if (chance(50)) a.flag = b.flag = a.strobe;
    }}
    a.bus_begin = a.bus_end = 0;
    if (word_left > 0)
      a.bus_end = --word_left == 0;
    else if (chance(50)) {{
      a.bus_begin = 1;
      word_left = 1 + random() % 16;
    }}
    a.bus_address = word_left > 0 || a.bus_begin || a.bus_end ? 12 : random() % 4 * 4;
    b.bus_begin = a.bus_begin;
    b.bus_end = a.bus_end;
    b.bus_address = a.bus_address;
  }}
}};
struct Board {{
  VerilatedContext context;
  std::unique_ptr<{prefix}> pins;
  Board(int power_on, int seed) {{
    context.randReset(power_on);
    context.randSeed(seed);
    pins = std::make_unique<{prefix}>(&context, "board");
{clears}    pins->reset = 1;
    clock();
    pins->reset = 0;
    eval();
  }}
  void eval() {{
    Verilated::threadContextp(&context);
    pins->eval();
  }}
  void clock() {{
    eval();
    pins->clock = 1;
    eval();
    pins->clock = 0;
    eval();
    if (context.gotFinish()) throw std::runtime_error("board ends the simulation ($finish or $stop)");
  }}
}};
bool differs[{count}] = {{}};
void compare(int power_on_a, int power_on_b, int seed = 1) {{
  Board a(power_on_a, seed), b(power_on_b, seed + 1);
  Driver driver;
  for (int cycle = 0; cycle < {cycles}; ++cycle) {{
    driver.drive(*a.pins, *b.pins);
    a.eval();
    b.eval();
{compares}    a.clock();
    b.clock();
  }}
}}
// CPU time, because the time that passes depends on other programs of the machine.
void limit_cpu_time() {{
  std::signal(SIGXCPU, [](int) {{ _exit({too_long}); }});
  const rlimit limit{{{cpu_s}, {cpu_s} + 1}};
  setrlimit(RLIMIT_CPU, &limit);
}}
int main() try {{
  limit_cpu_time();
  enum {{ zeros, ones, values }}; // VerilatedContext::randReset
  compare(zeros, ones);
  for (int seed = 1; seed < 4; ++seed) compare(values, values, seed);
  const char* const names[] = {{{names}}};
  bool any = false;
  for (int i = 0; i < {count}; ++i)
    if (differs[i]) {{
      any = true;
      std::puts(names[i]);
    }}
  return any ? {differs} : 0;
}} catch (const std::exception& error) {{
  std::fputs(error.what(), stderr);
  return 1;
}}
"""


def build_header(tree: Path, version: str) -> str:
    """Returns the header with the text by which hypermon-sim recognises objects built with its own headers.

    cmake/build_id.cmake writes the same text when hypermon-sim is built.
    """
    found = sorted(path.relative_to(tree).as_posix() for folder in HEADERS for path in (tree / folder).glob("*.hpp"))
    listed = "".join(f"{path} {files.sha256(tree / path)}\n" for path in found)
    number = re.match(r"\d+\.\d+\.\d+", version)
    digest = hashlib.sha256(listed.encode()).hexdigest()[:12]
    text = f"{number[0] if number else version} (headers {digest}, C++ ABI "
    return (
        "#pragma once\n#define HYPERMON_TEXT_OF(value) #value\n#define HYPERMON_TEXT(value) HYPERMON_TEXT_OF(value)\n"
        f'#define HYPERMON_MODULES_BUILD "{text}" HYPERMON_TEXT(__GXX_ABI_VERSION) ")"\n'
    )


def absent(output: str) -> set[str]:
    """Returns the parameters of the command line that the top module lacks.

    `output`: Verilator's messages.
    """
    return {name for names in _ABSENT.findall(output) for name in names.split()}


def prerequisites(rule: str) -> list[str]:
    """Returns the prerequisites of the first rule of a file that Verilator wrote for make."""
    first = rule.replace("\\\n", " ").partition("\n")[0]
    return first.partition(" : ")[2].split()


def top(header: str, source: str) -> str:
    """Returns the name of the top module, or "" if it is unknown.

    The name begins those of the module's signals in the model's header. A module without signals is known if it is the
    only one in the source.
    """
    if found := re.search(r"\b([A-Za-z]\w*?)__DOT__", header):
        return found[1]
    modules = set(re.findall(r"^\s*module\s+([A-Za-z_]\w*)", source, re.MULTILINE))
    return modules.pop() if len(modules) == 1 else ""


def model(units: Sequence[str], reads: bool) -> str:
    """Returns a unit that includes all of the model's units. `reads`: the model reads files."""
    return (_MODEL if reads else "") + "".join(f'#include "{unit}"\n' for unit in units)


def data(digests: Sequence[str]) -> str:
    """Returns a source whose object changes with the files that the board reads."""
    digests_text = " ".join(digests)
    return (
        f'extern "C" {{ extern const char hypermon_rtl_data[]; const char hypermon_rtl_data[] = "{digests_text}"; }}\n'
    )


def board(prefix: str, folder: str) -> str:
    """Returns the source of a shared object with a board. `folder`: that of the files that it reads, or ""."""
    reads = _READS.format(folder=_escaped(folder), lists="") if folder else ""
    return _BOARD.format(prefix=prefix, fails=_FAILS, reads=reads)


def check(prefix: str, pins: Pins, folder: str, cycles: int, cpu_s: int) -> str:
    """Returns the source of a program that compares the outputs of two models after a reset.

    Args:
        prefix: Name of the model's class.
        pins: The model's pins.
        folder: Folder of the files that the board reads, or "".
        cycles: Number of clock cycles.
        cpu_s: CPU time after which the program gives up, seconds.
    """
    lists = _LISTS.format(file=READ)
    inputs = int(str(pins["strobe"][1]))
    outputs = [name for name, pin in pins.items() if pin[0] == "out"]
    return _CHECK.format(
        prefix=prefix,
        fails=_FAILS,
        reads=_READS.format(folder=_escaped(folder), lists=lists) if folder else "",
        cycles=cycles,
        cpu_s=cpu_s,
        too_long=TOO_LONG,
        inputs=inputs,
        width=int(str(pins["data"][1])) // inputs,
        differs=DIFFERS,
        count=max(len(outputs), 1),
        names=", ".join(f'"{name}"' for name in outputs) or '""',
        clears="".join(f"    hypermon::rtl::clear(pins->{name});\n" for name, pin in pins.items() if pin[0] == "in"),
        compares="".join(
            f"    differs[{i}] |= {_matters(name, pins)}std::memcmp(&a.pins->{name}, &b.pins->{name}, "
            f"sizeof a.pins->{name}) != 0;\n"
            for i, name in enumerate(outputs)
        ),
    )


def _escaped(text: str) -> str:
    """Returns the text as the content of a literal in C++."""
    return text.replace("\\", "\\\\").replace('"', '\\"')


def _matters(name: str, pins: Pins) -> str:
    by = ONLY_WITH.get(name)
    return f"(a.pins->{by} || b.pins->{by}) && " if by in pins else ""
