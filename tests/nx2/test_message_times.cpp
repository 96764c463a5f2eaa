// SPDX-License-Identifier: BSD-3-Clause
#include "hw/machine/params.hpp"
#include "tests/machine/in_child.hpp"
#include "tests/machine/program.hpp"

#include "tests/catch.hpp"

#include <bit>
#include <cmath>

using namespace hypermon;
using namespace hypermon::test;

namespace {

/// User-to-user time of a message (docs/reference/facts.md, "Network").
double stated_us(const NetworkParams& n, std::int64_t bytes, int hops) {
  const auto b = static_cast<double>(bytes);
  return bytes <= n.short_limit_bytes.number
             ? n.short_base_us.number + b * n.short_us_per_byte + (hops - 1) * n.short_hop_us.number
             : n.long_base_us.number + b / n.bandwidth_mb_per_s + (hops - 1) * n.long_hop_us.number;
}

} // namespace

TEST_CASE("a message between any two nodes takes the stated user-to-user time") {
  const Spec spec = plain_machine(8);
  const std::vector<int> sizes{0, 1, 64, 100, 101, 512, 4096, 65536, 1048576};
  const std::vector<int> peers{1, 2, 3, 5, 7}; // 1, 1, 2, 2, 3 hops from node 0
  const auto child = in_child([&] {
    std::vector<double> times;
    NoMonitor monitor;
    run_program(spec, monitor, [&](int rank) {
      std::vector<char> data(1 << 20);
      for (int peer : peers)
        for (int size : sizes) {
          MPI_Barrier(MPI_COMM_WORLD);
          // The receive is posted long before the message comes, so that its own cost is not on the way.
          if (rank == 0) hypermon_compute(1, 1e7);
          const double begin = now();
          if (rank == 0) {
            MPI_Send(data.data(), size, MPI_CHAR, peer, 1, MPI_COMM_WORLD);
            MPI_Recv(data.data(), size, MPI_CHAR, peer, 2, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
            times.push_back((now() - begin) * 1e6 / 2);
          } else if (rank == peer) {
            MPI_Recv(data.data(), size, MPI_CHAR, 0, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
            MPI_Send(data.data(), size, MPI_CHAR, 0, 2, MPI_COMM_WORLD);
          }
        }
    });
    return times;
  });
  REQUIRE(child.status == 0);
  REQUIRE(child.values.size() == peers.size() * sizes.size());
  std::size_t i = 0;
  for (int peer : peers)
    for (int size : sizes) {
      const double stated = stated_us(spec.get<NetworkParams>(), size, std::popcount(static_cast<unsigned>(peer)));
      INFO("to node " << peer << ", " << size << " B");
      CHECK(std::abs(child.values[i++] - stated) < stated * 0.001);
    }
}

TEST_CASE("a long message waits for its receive, a short one does not") {
  const auto child = in_child([&] {
    std::vector<double> sent(2);
    NoMonitor monitor;
    run_program(plain_machine(2), monitor, [&](int rank) {
      std::vector<char> data(512);
      for (int i = 0; i < 2; ++i) {
        const int size = i == 0 ? 100 : 101;
        MPI_Barrier(MPI_COMM_WORLD);
        const double begin = now();
        if (rank == 0) {
          MPI_Send(data.data(), size, MPI_CHAR, 1, 1, MPI_COMM_WORLD);
          sent[static_cast<std::size_t>(i)] = now() - begin;
        } else {
          hypermon_compute(1, 1e9); // a second
          MPI_Recv(data.data(), size, MPI_CHAR, 0, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        }
      }
    });
    return sent;
  });
  REQUIRE(child.status == 0);
  CHECK(child.values[0] < 0.001);
  CHECK(child.values[1] > 0.999); // the barrier lets the sender go a little later
}

TEST_CASE("global operations give the right answer on every node") {
  for (std::int64_t nodes : {1, 2, 8, 32}) {
    const auto child = in_child([&] {
      std::vector<double> wrong{0};
      NoMonitor monitor;
      run_program(plain_machine(nodes), monitor, [&](int rank) {
        int size = 0;
        MPI_Comm_size(MPI_COMM_WORLD, &size);
        double sum = rank + 1;
        MPI_Allreduce(MPI_IN_PLACE, &sum, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
        int root_value = rank == size - 1 ? 42 : 0;
        MPI_Bcast(&root_value, 1, MPI_INT, size - 1, MPI_COMM_WORLD);
        int least = 100 - rank;
        int reduced = -1;
        MPI_Reduce(&least, &reduced, 1, MPI_INT, MPI_MIN, 0, MPI_COMM_WORLD);
        if (sum != size * (size + 1) / 2.0 || root_value != 42) wrong[0] += 1;
        if (rank == 0 && reduced != 100 - (size - 1)) wrong[0] += 1;
      });
      return wrong;
    });
    REQUIRE(child.status == 0);
    CHECK(child.values[0] == 0);
  }
}
