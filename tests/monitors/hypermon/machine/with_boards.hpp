// SPDX-License-Identifier: BSD-3-Clause
// Runs a function as the MPI program of a machine with the boards' I/O nodes on its links.
#pragma once
#include "hw/hypermon/wiring/boards.hpp"
#include "tests/machine/program.hpp"

namespace hypermon::test {

/// Like run_program, with one more argument.
inline std::vector<RankResult> run_with_boards(
    const Spec& spec, Monitor& monitor, const std::function<void(int rank)>& program,
    const std::function<void(Machine&)>& before = [](Machine&) {}, const std::function<void()>& after = [] {}) {
  return run_program(spec, monitor, program, before, after, io_nodes(spec));
}

} // namespace hypermon::test
