// SPDX-License-Identifier: BSD-3-Clause
// Ping-pong: rank 0 and a partner send a message back and forth, in sizes that double. The other ranks are idle.
//
// The partner adds one to every byte that it returns, so that a lost, duplicated or changed message is detected.
//
// Answer file: a .npy of doubles with a row for each size: bytes, seconds for one way (including a share of the clock
// call), number of wrong bytes returned.
#include "sw/workloads/common/answer.hpp"
#include "sw/workloads/common/arguments.hpp"
#include "sw/workloads/common/measured_section.hpp"
#include "sw/workloads/common/program.hpp"
#include "sw/workloads/pingpong/params.hpp"
#include <algorithm>
#include <vector>

namespace {
using namespace hypermon;
using namespace hypermon::workloads;
using Block = std::vector<std::uint8_t>;

void send(const Block& data, int to) {
  MPI_Send(data.data(), static_cast<int>(data.size()), MPI_BYTE, to, 0, MPI_COMM_WORLD);
}

void receive(Block& data, int from) {
  MPI_Recv(data.data(), static_cast<int>(data.size()), MPI_BYTE, from, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
}

/// Returns the seconds for one way.
double serve(Block& data, int partner, std::int64_t repeats) {
  const double start = MPI_Wtime();
  for (std::int64_t i = 0; i < repeats; ++i) {
    send(data, partner);
    receive(data, partner);
  }
  return (MPI_Wtime() - start) / static_cast<double>(2 * repeats);
}

void answer(Block& data, std::int64_t repeats) {
  for (std::int64_t i = 0; i < repeats; ++i) {
    receive(data, 0);
    for (auto& byte : data) ++byte;
    send(data, 0);
  }
}

int run(const Arguments<PingpongParams>& arguments, Ranks ranks) {
  const auto& p = arguments.params;
  if (ranks.count < 2) return refuse(ranks, "pingpong: needs two ranks");
  if (p.partner >= ranks.count)
    return refuse(ranks, "--partner=" + std::to_string(p.partner) + ": there is no such rank");
  const int partner = p.partner == 0 ? ranks.count - 1 : static_cast<int>(p.partner);
  std::vector<double> rows;
  for (std::int64_t bytes = p.least_bytes.number; bytes <= p.most_bytes.number; bytes *= 2) {
    Block data(static_cast<std::size_t>(bytes));
    if (ranks.mine == partner) answer(data, p.repeats);
    if (ranks.mine != 0) continue;
    const double one_way = serve(data, partner, p.repeats);
    const auto good = std::count(data.begin(), data.end(), static_cast<std::uint8_t>(p.repeats));
    rows.insert(rows.end(), {static_cast<double>(bytes), one_way, static_cast<double>(bytes - good)});
  }
  measure(false); // writing the answer is not part of the measured program
  if (ranks.mine != 0 || arguments.output.empty()) return 0;
  const auto sizes = static_cast<std::int64_t>(rows.size() / 3);
  return write_npy(arguments.output, "<f8", sizeof(double), rows.data(), sizes, 3) ? 0 : cannot_write;
}
} // namespace

int main(int argc, char** argv) { return run_program<PingpongParams>(argc, argv, run); }
