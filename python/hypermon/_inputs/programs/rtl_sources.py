# SPDX-License-Identifier: BSD-3-Clause
"""C++ sources around a model made by Verilator, and readers of Verilator's messages and dependency files."""

from __future__ import annotations

import re

from hypermon._inputs.programs.board_pins import ONLY_WITH, Pins

DIFFERS = 4  # exit status of the check if outputs differ
_ABSENT = re.compile(r"Parameters from the command line were not found in the design: (.*)")

_FAILS = """
void vl_fatal(const char* file, int line, const char*, const char* said) {
  throw std::runtime_error(std::string(file) + ":" + std::to_string(line) + ": " + said);
}
void vl_finish(const char*, int, const char*) { Verilated::threadContextp()->gotFinish(true); }
"""

_BOARD = """// A capture board in Verilog as a shared object (hw/hypermon/rtl_board/rtl_board.hpp).
#include "{prefix}.h"
#include "hw/hypermon/rtl_board/rtl_board.hpp"
#include <stdexcept>
#include <string>
{fails}
HYPERMON_OWN_BOARD(hypermon::make_rtl_board<{prefix}>)
"""

_CHECK = """// Two models whose registers have different values at power-on must have the same outputs after a reset.
#include "{prefix}.h"
#include "hw/hypermon/rtl_board/pins.hpp"
#include <cstdio>
#include <cstring>
#include <memory>
#include <stdexcept>
#include <string>
{fails}
struct Board {{
  VerilatedContext context;
  std::unique_ptr<{prefix}> pins;
  explicit Board(int seed) {{
    context.randReset(2);
    context.randSeed(seed);
    pins = std::make_unique<{prefix}>(&context, "board");
{clears}    pins->reset = 1;
    clock();
    pins->reset = 0;
    pins->eval();
  }}
  void clock() {{
    pins->eval();
    pins->clock = 1;
    pins->eval();
    pins->clock = 0;
    pins->eval();
  }}
}};
int main() try {{
  Board a(1), b(2);
  bool differs[{count}] = {{}};
  for (int cycle = 0; cycle < 200; ++cycle) {{
    for (Board* board : {{&a, &b}}) {{
      board->pins->bus_address = cycle % 4 * 4;
      board->pins->eval();
    }}
{compares}    a.clock();
    b.clock();
  }}
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


def absent(said: str) -> set[str]:
    """Returns the parameters of the command line that the top module lacks.

    `said`: Verilator's messages.
    """
    return {name for names in _ABSENT.findall(said) for name in names.split()}


def prerequisites(rule: str) -> list[str]:
    """Returns the prerequisites of the first rule of a file that Verilator wrote for make."""
    first = rule.replace("\\\n", " ").partition("\n")[0]
    return first.partition(" : ")[2].split()


def board(prefix: str) -> str:
    """Returns the source of a shared object with a board."""
    return _BOARD.format(prefix=prefix, fails=_FAILS)


def check(prefix: str, pins: Pins) -> str:
    """Returns the source of a program that compares the outputs of two models after a reset."""
    outputs = [name for name, pin in pins.items() if pin[0] == "out"]
    return _CHECK.format(
        prefix=prefix,
        fails=_FAILS,
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


def _matters(name: str, pins: Pins) -> str:
    by = ONLY_WITH.get(name)
    return f"(a.pins->{by} || b.pins->{by}) && " if by in pins else ""
