// SPDX-License-Identifier: BSD-3-Clause
#include "hw/machine/machine_params.hpp"
#include "tests/machine/in_child.hpp"
#include "tests/machine/program.hpp"

#include "sw/mpi/observer.hpp"
#include "tests/catch.hpp"

using namespace hypermon;
using namespace hypermon::test;

namespace {

/// Records all notifications for rank 0.
class Listener : public MpiObserver {
public:
  void enter(const RankState& rank, const MpiCall& call) override {
    if (rank.rank != 0) return;
    entered.emplace_back(call.name());
    sites.push_back(call.site());
  }
  void leave(const RankState& rank, const MpiCall& call) override {
    if (rank.rank != 0) return;
    left.emplace_back(call.name());
    bytes.push_back(static_cast<double>(call.bytes()));
    for (const auto& [index, status] : call.completed()) completed.push_back(status);
  }
  std::vector<std::string> entered;
  std::vector<std::string> left;
  std::vector<const void*> sites;
  std::vector<double> bytes;
  std::vector<MPI_Status> completed;
};

/// The receives accept any source, and only the observer requests their status.
void exchange_numbers(int rank) {
  int data[50] = {rank};
  if (rank == 0) {
    const volatile int receives = 2; // volatile: the loop is not unrolled, so that the call stays in one place
    for (int i = 0; i < receives; ++i)
      MPI_Recv(data, 50, MPI_INT, MPI_ANY_SOURCE, MPI_ANY_TAG, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  } else if (rank < 3) {
    MPI_Send(data, 10 * rank, MPI_INT, 0, 70 + rank, MPI_COMM_WORLD);
  }
  MPI_Bcast(data, 50, MPI_INT, 0, MPI_COMM_WORLD);
}

} // namespace

TEST_CASE("an observer is told of the program's MPI calls, and of none that MPI makes itself") {
  for (const auto messages : {hypermon::Messages::nx2, hypermon::Messages::smpi}) {
    Spec spec = plain_machine(4);
    spec.get<MachineParams>().messages = messages;
    const auto child = in_child([&] {
      NoMonitor monitor;
      Listener listener;
      run_program(spec, monitor, exchange_numbers, [&](Machine&) { mpi_layer().observers.add(listener); });
      const std::vector<std::string> calls{"MPI_Init", "MPI_Recv", "MPI_Recv", "MPI_Bcast", "MPI_Finalize"};
      bool good = listener.entered == calls && listener.left == calls;
      good = good && listener.sites[1] == listener.sites[2] && listener.sites[2] != listener.sites[3];
      std::vector<double> values{good ? 1.0 : 0.0, listener.bytes[3]};
      double sources = 0;
      for (const MPI_Status& s : listener.completed) {
        sources += s.MPI_SOURCE;
        if (s.MPI_TAG != 70 + s.MPI_SOURCE || s.count != 40 * s.MPI_SOURCE) values[0] = 0;
      }
      values.push_back(sources);
      return values;
    });
    INFO(word(messages) << child.errors);
    REQUIRE(child.status == 0);
    CHECK(child.values == std::vector<double>{1, 50 * sizeof(int), 1 + 2});
  }
}

TEST_CASE("a receive from any source that a short message takes from a long one leaves the books in order") {
  const Spec spec = plain_machine(4);
  const auto child = in_child([&] {
    RecordingMonitor monitor(Time{});
    run_program(spec, monitor, [](int rank) {
      std::vector<char> data(2000);
      // Rank 1's long send has asked and awaits the grant when rank 2's short one arrives.
      if (rank == 1) MPI_Send(data.data(), 2000, MPI_CHAR, 0, 1, MPI_COMM_WORLD);
      if (rank == 2) hypermon_compute(1, 2e5);
      if (rank == 2) MPI_Send(data.data(), 10, MPI_CHAR, 0, 2, MPI_COMM_WORLD);
      if (rank == 0)
        for (int i = 0; i < 2; ++i)
          MPI_Recv(data.data(), 2000, MPI_CHAR, MPI_ANY_SOURCE, MPI_ANY_TAG, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    });
    // Each message is delivered once, and granted once.
    double grants = 0;
    double arrivals = 0;
    for (const Emission& e : monitor.events) {
      if (e.event.type == EventType::grant_sent) ++grants;
      if (e.side == MessageSide::receive) ++arrivals;
    }
    return std::vector<double>{grants, arrivals};
  });
  REQUIRE(child.status == 0);
  CHECK(child.values == std::vector<double>{1, 2});
}
