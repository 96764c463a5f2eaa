// SPDX-License-Identifier: BSD-3-Clause
// Counters of messages and queues under machine.messages = smpi: against what programs themselves count, against the
// mailboxes in which SMPI keeps what waits, and against NX/2 where both must agree.
#include "hw/machine/cpu_params.hpp"
#include "hw/machine/machine_params.hpp"
#include "sw/mpi/message_counters.hpp"
#include "sw/os/node_counters.hpp"
#include "tests/catch.hpp"
#include "tests/machine/in_child.hpp"
#include "tests/machine/program.hpp"
#include "tests/random.hpp"
#include "tests/volume.hpp"

#include <simgrid/s4u/Actor.hpp>
#include <simgrid/s4u/Mailbox.hpp>

#include <map>
#include <numeric>
#include <type_traits>

using namespace hypermon;
using namespace hypermon::test;
using hypermon::testing::Random;

namespace {

constexpr int per_node = 2; // ranks, where nodes are shared

struct KeptMessages {
  Counters counters;
  MessageCounters messages{operating_system(), mpi_layer().counts};
  KeptMessages() {
    counters.add(messages);
    for (const CounterInfo& info : messages.counters()) counters.want(std::string(info.name), "test");
  }
  double read(const char* name, int node, std::uint32_t part = 0, std::int64_t size = 0) {
    const CounterId id = counters.want(name, "test");
    const bool by_size = counters.info(id).by == CounterBy::size_class;
    return static_cast<double>(counters.read(NodeId{static_cast<std::uint32_t>(node)},
                                             {part, by_size ? size_class(size) : 0}, id, simgrid_now()));
  }
  /// Sum over nodes and their processes or interfaces, and over sizes.
  double sum(const char* name) {
    const CounterId id = counters.want(name, "test");
    // queried once, because it makes their names
    const std::size_t items = std::max<std::size_t>(counters.items(id).size(), 1);
    double sum = 0;
    for (int n = 0; n < operating_system().kernels.nodes(); ++n) {
      const NodeId node{static_cast<std::uint32_t>(n)};
      for (std::uint32_t p = 0; p < counters.parts(id, node); ++p)
        for (std::uint32_t c = 0; c < items; ++c)
          sum += static_cast<double>(counters.read(node, {p, c}, id, simgrid_now()));
    }
    return sum;
  }
};

Spec smpi_machine(std::int64_t nodes) {
  Spec spec = plain_machine(nodes);
  spec.get<MachineParams>().messages = hypermon::Messages::smpi;
  return spec;
}

/// SimGrid's type for the user of a mailbox: in 3.32 a number (0 a receiver, 1 a sender); in 4.0 an enumeration, in the
/// other order.
template <class R, class Asker, class... More> Asker first_of(R (simgrid::s4u::Mailbox::*)(Asker, More...));
template <class Asker = decltype(first_of(&simgrid::s4u::Mailbox::iprobe))> Asker asker(bool receives) {
  if constexpr (std::is_enum_v<Asker>)
    return receives ? Asker::RECV : Asker::SEND;
  else
    return receives ? 0 : 1;
}

/// Contents of the mailboxes of a rank's process: sends without a posted receive, and receives.
struct MailboxCounts {
  double sends = 0;
  double receives = 0;
};
/// `any`: a request of SMPI's; 4.0 reads its tag whenever a mailbox is inspected.
MailboxCounts in_mailboxes(aid_t pid, MPI_Request any) {
  MailboxCounts found;
  for (const char* prefix : {"SMPI-", "small-"}) {
    auto* mailbox = simgrid::s4u::Mailbox::by_name(prefix + std::to_string(pid));
    const auto count = [&](bool for_receiver, double& into) {
      std::map<const void*, int> seen; // contents of a permanent receiver's mailbox are inspected twice
      mailbox->iprobe(
          asker(for_receiver),
          [&](void*, void*, simgrid::kernel::activity::CommImpl* comm) {
            into += seen[comm]++ == 0 ? 1 : 0;
            return false;
          },
          any);
    };
    count(true, found.sends);
    count(false, found.receives);
  }
  return found;
}

/// Messages that a program's own point-to-point calls send and receive, by rank.
struct Own {
  double sent = 0;
  double received = 0;
  double bytes_sent = 0;
  double bytes_received = 0;
};

/// Messages between random pairs, in an order that both ends know; each end by a call of its own choice.
void random_messages(int rank, int ranks, std::uint64_t seed, std::vector<Own>& own) {
  Random shared(seed);
  Random mine(seed * 1000 + static_cast<std::uint64_t>(rank));
  std::vector<MPI_Request> open;
  std::vector<std::vector<char>> buffers;
  const auto wait = [&] {
    MPI_Waitall(static_cast<int>(open.size()), open.data(), MPI_STATUSES_IGNORE);
    open.clear();
    buffers.clear();
  };
  Own& done = own[static_cast<std::size_t>(rank)];
  for (int step = 0; step < 60; ++step) {
    const auto from = static_cast<int>(shared.below(ranks));
    const auto to = static_cast<int>(shared.below(ranks));
    const auto bytes = static_cast<int>(shared.pick({0, 1, 99, 100, 3000, 70000}));
    const auto kind = shared.below(40);
    const int tag = shared.one_in(2) ? step : 1000; // otherwise in order, if from the same rank
    if (kind == 0) {
      wait();
      MPI_Barrier(MPI_COMM_WORLD);
    } else if (kind == 1) {
      std::vector<char> all(64);
      MPI_Bcast(all.data(), 64, MPI_CHAR, from, MPI_COMM_WORLD);
    }
    if (mine.one_in(3)) hypermon_compute(1, static_cast<double>(mine.below(2'000'000)));
    if (rank == to) {
      done.received += 1, done.bytes_received += bytes;
      auto& room = buffers.emplace_back(70000);
      if (from != to && mine.one_in(3)) {
        wait(); // in the order of the steps: its sender does not wait for a later one
        buffers.emplace_back(70000);
        const int source = tag == step && mine.one_in(2) ? MPI_ANY_SOURCE : from;
        int flag = 0;
        if (mine.one_in(2)) MPI_Iprobe(source, tag, MPI_COMM_WORLD, &flag, MPI_STATUS_IGNORE);
        MPI_Recv(buffers.back().data(), 70000, MPI_CHAR, source, tag, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
      } else {
        MPI_Irecv(room.data(), 70000, MPI_CHAR, from, tag, MPI_COMM_WORLD, &open.emplace_back());
      }
    }
    if (rank == from) {
      done.sent += 1, done.bytes_sent += bytes;
      auto& data = buffers.emplace_back(70000);
      if (mine.one_in(3))
        MPI_Issend(data.data(), bytes, MPI_CHAR, to, tag, MPI_COMM_WORLD, &open.emplace_back());
      else
        MPI_Isend(data.data(), bytes, MPI_CHAR, to, tag, MPI_COMM_WORLD, &open.emplace_back());
    }
    if (mine.one_in(6)) {
      MPI_Request never{};
      char nothing = 0;
      MPI_Irecv(&nothing, 1, MPI_CHAR, MPI_ANY_SOURCE, 9999, MPI_COMM_WORLD, &never);
      if (mine.one_in(2)) hypermon_compute(1, 1e5);
      MPI_Cancel(&never);
      MPI_Request_free(&never);
    }
  }
  wait();
}

} // namespace

TEST_CASE("SMPI's messages and queues show what is there: sent, waiting for a receive, waiting for a message") {
  const auto child = in_child([] {
    NoMonitor monitor;
    std::unique_ptr<KeptMessages> kept;
    std::vector<double> values;
    run_program(
        smpi_machine(2), monitor,
        [&](int rank) {
          std::vector<char> data(200'000);
          const auto look = [&] {
            for (const char* name : {"queue.unexpected", "queue.posted", "memory.message_buffers"})
              values.push_back(kept->read(name, 1));
            values.push_back(kept->read("memory.message_buffers", 0));
          };
          MPI_Barrier(MPI_COMM_WORLD); // and their messages
          hypermon_compute(1, 10e6);
          static std::map<std::string, double> before;
          if (rank == 0)
            for (const char* name : {"messages.bytes_sent", "interface.bytes_sent", "interface.packets_sent"})
              before[name] = kept->read(name, 0);
          if (rank == 0) {
            MPI_Request request{};
            MPI_Send(data.data(), 40, MPI_CHAR, 1, 1, MPI_COMM_WORLD);
            MPI_Send(data.data(), 60, MPI_CHAR, 1, 2, MPI_COMM_WORLD);
            MPI_Isend(data.data(), 200'000, MPI_CHAR, 1, 3, MPI_COMM_WORLD, &request); // waits for its receive
            MPI_Wait(&request, MPI_STATUS_IGNORE);
            return;
          }
          hypermon_compute(1, 100e6);
          look();
          values.push_back(kept->read("messages.sent", 0, 0, 200'000));
          values.push_back(kept->read("messages.received", 1, 0, 200'000));
          values.push_back(kept->read("interface.packets_sent", 0) - before["interface.packets_sent"]);
          MPI_Recv(data.data(), 60, MPI_CHAR, 0, 2, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
          look();
          MPI_Request never{};
          MPI_Irecv(data.data(), 10, MPI_CHAR, 0, 9, MPI_COMM_WORLD, &never);
          look();
          MPI_Cancel(&never);
          MPI_Wait(&never, MPI_STATUS_IGNORE);
          MPI_Recv(data.data(), 200'000, MPI_CHAR, 0, 3, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
          MPI_Recv(data.data(), 40, MPI_CHAR, 0, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
          look();
          for (const std::int64_t size : {40, 200'000})
            values.insert(values.end(),
                          {kept->read("messages.sent", 0, 0, size), kept->read("messages.received", 1, 0, size)});
          for (const auto& [name, first] : before) values.push_back(kept->read(name.c_str(), 0) - first);
        },
        [&](Machine&) { kept = std::make_unique<KeptMessages>(); });
    return values;
  });
  INFO(child.errors);
  REQUIRE(child.status == 0);
  const double header = Machine::smpi_header_bytes;
  CHECK(child.values == std::vector<double>{3,
                                            0,
                                            0,
                                            100, // 40 and 60 wait where they were sent
                                            1,
                                            0,
                                            0, // the long one is sent; nothing is on the wire
                                            2,
                                            0,
                                            0,
                                            40, // 60 were received
                                            2,
                                            1,
                                            0,
                                            40, // a receive that no message fits
                                            0,
                                            0,
                                            0,
                                            0, // all received
                                            2,
                                            2,
                                            1,
                                            1, // 40 and 60 are of a class
                                            200'100 + 3 * header,
                                            3,
                                            200'100});
}

TEST_CASE("a message is sent when its rank has paid for it, begins with its receive, and is there with its last byte") {
  const auto child = in_child([] {
    NoMonitor monitor;
    std::unique_ptr<KeptMessages> kept;
    std::vector<double> values;
    Spec spec = smpi_machine(2);
    auto& smpi = spec.get<SmpiParams>();
    smpi.send_cost = "0:0.001:0";
    smpi.latency_factor = "0:1";
    smpi.bandwidth_factor = "0:1";
    run_program(
        spec, monitor,
        [&](int rank) {
          std::vector<char> data(28000);
          if (rank == 0)
            MPI_Send(data.data(), 28000, MPI_CHAR, 1, 1, MPI_COMM_WORLD); // 1 ms, then 10 ms at 2.8 MB/s
          else
            hypermon_compute(1, 5e6), MPI_Recv(data.data(), 28000, MPI_CHAR, 0, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        },
        [&](Machine& machine) {
          kept = std::make_unique<KeptMessages>();
          simgrid::s4u::Actor::init("reader", machine.node(NodeId{0}))->start([&] {
            for (const double at : {0.0009, 0.0011, 0.0049, 0.0051, 0.0149, 0.0152}) {
              simgrid::s4u::this_actor::sleep_until(at);
              for (const char* name : {"messages.bytes_sent", "interface.bytes_sent"})
                values.push_back(kept->read(name, 0));
              for (const char* name : {"messages.bytes_received", "interface.bytes_received", "queue.unexpected"})
                values.push_back(kept->read(name, 1));
            }
          });
        });
    return values;
  });
  INFO(child.errors);
  REQUIRE(child.status == 0);
  CHECK(child.values == std::vector<double>{0,     0,     0,     0,     0,   //
                                            28000, 0,     0,     0,     1,   // 1 ms
                                            28000, 0,     0,     0,     1,   //
                                            28000, 252,   0,     252,   0,   // 5 ms and 10 us of latency ago
                                            28000, 27692, 0,     27692, 0,   //
                                            28000, 28016, 28000, 28016, 0}); // 15 ms
}

TEST_CASE("random programs: what ranks send is what counters say, queues are SMPI's mailboxes, nothing is lost") {
  const auto seed = GENERATE(range<std::uint64_t>(1, 1 + testing::cases_wanted(8)));
  CAPTURE(seed);
  Random r(seed);
  Spec spec = smpi_machine(4);
  const bool shared_nodes = r.one_in(2);
  if (shared_nodes) spec.get<CpuParams>().ranks_per_node = per_node, spec.get<CpuParams>().processors = per_node;
  auto& smpi = spec.get<SmpiParams>();
  smpi.send_is_detached_thresh = r.pick<const char*>({"", "0", "100"});
  if (smpi.send_is_detached_thresh != "0") smpi.async_small_thresh = r.pick<const char*>({"", "100"});
  smpi.send_cost = r.pick<const char*>({"", "0:0.0005:1e-9"});
  const bool takes_early = !smpi.async_small_thresh.empty();
  const int ranks = static_cast<int>(spec.nodes) * (shared_nodes ? per_node : 1);
  const auto child = in_child([&] {
    NoMonitor monitor;
    std::unique_ptr<KeptMessages> kept;
    std::vector<Own> own(static_cast<std::size_t>(ranks));
    std::vector<aid_t> pids(own.size());
    MPI_Request any = MPI_REQUEST_NULL; // rank 0's, never started
    std::vector<double> wrong;
    double looks = 0;
    double queued = 0;
    const auto check = [&](bool right, double what) {
      if (!right) wrong.push_back(what);
    };
    run_program(
        spec, monitor,
        [&](int rank) {
          pids[static_cast<std::size_t>(rank)] = simgrid::s4u::this_actor::get_pid();
          if (rank == 0) MPI_Recv_init(nullptr, 0, MPI_CHAR, 0, 0, MPI_COMM_WORLD, &any);
          random_messages(rank, ranks, seed, own);
          MPI_Barrier(MPI_COMM_WORLD);
          hypermon_compute(1, 10e6); // the barrier's messages have arrived
          if (rank > 0) return;
          check(kept->sum("messages.sent") == kept->sum("messages.received"), 1);
          check(kept->sum("messages.bytes_sent") == kept->sum("messages.bytes_received"), 2);
          check(kept->sum("interface.bytes_sent") == kept->sum("interface.bytes_received"), 3);
          check(kept->sum("queue.posted") + kept->sum("queue.unexpected") + kept->sum("memory.message_buffers") == 0,
                4);
          // The remaining messages are those of barriers and broadcasts, of 0 and 64 bytes.
          Own all;
          for (const Own& o : own) all.sent += o.sent, all.bytes_sent += o.bytes_sent;
          const double others = kept->sum("messages.bytes_sent") - all.bytes_sent;
          check(others >= 0 && static_cast<std::int64_t>(others) % 64 == 0, 5);
          check(kept->sum("messages.sent") >= all.sent, 6);
        },
        [&](Machine& machine) {
          kept = std::make_unique<KeptMessages>();
          auto reader = simgrid::s4u::Actor::init("reader", machine.node(NodeId{0}));
          reader->daemonize();
          reader->start([&] {
            Random at(seed + 77);
            for (;;) {
              simgrid::s4u::this_actor::sleep_for(static_cast<double>(at.below(700'000'000)) * 1e-12);
              if (any == MPI_REQUEST_NULL) continue; // no rank has begun
              const double sent = kept->sum("messages.sent");
              const double received = kept->sum("messages.received");
              const double unexpected = kept->sum("queue.unexpected");
              check(received <= sent, 10);
              if (!takes_early) check(received + unexpected <= sent, 11);
              std::vector<MailboxCounts> shown;
              for (int rank = 0; rank < ranks; ++rank) {
                const int node = rank * static_cast<int>(spec.nodes) / ranks;
                const auto part = static_cast<std::uint32_t>(shared_nodes ? rank % per_node : 0);
                shown.push_back({kept->read("queue.unexpected", node, part), kept->read("queue.posted", node, part)});
              }
              for (std::size_t rank = 0; rank < pids.size(); ++rank) {
                const MailboxCounts there = in_mailboxes(pids[rank], any);
                queued += there.sends + there.receives;
                if (!takes_early) check(shown[rank].sends == there.sends, 12);
                check(shown[rank].receives == there.receives, 13);
              }
              ++looks;
            }
          });
        });
    wrong.push_back(looks);
    wrong.push_back(queued);
    return wrong;
  });
  INFO(child.errors);
  REQUIRE(child.status == 0);
  CAPTURE(child.values);
  CHECK(child.values.size() == 2); // nothing is wrong
  CHECK(child.values[child.values.size() - 2] > 20);
  CHECK(child.values.back() > 20);
}

TEST_CASE("point-to-point messages are the same under NX/2 and SMPI, by process and size") {
  const auto counts = [](hypermon::Messages carrier) {
    const auto child = in_child([carrier] {
      Spec spec = plain_machine(4);
      spec.get<MachineParams>().messages = carrier;
      NoMonitor monitor;
      std::unique_ptr<KeptMessages> kept;
      std::vector<double> values;
      run_program(
          spec, monitor,
          [&](int rank) {
            std::vector<double> before; // counts of MPI_Init's own messages
            const auto read = [&](int node) {
              std::vector<double> all;
              for (const std::int64_t size : {0, 1, 100, 3000})
                for (const char* name : {"messages.sent", "messages.received"})
                  all.push_back(kept->read(name, node, 0, size));
              for (const char* name : {"messages.bytes_sent", "messages.bytes_received"})
                all.push_back(kept->read(name, node));
              return all;
            };
            hypermon_compute(1, 10e6);
            static std::map<int, std::vector<double>> first;
            first[rank] = read(rank);
            hypermon_compute(1, 10e6);
            std::vector<char> out(3000);
            std::vector<char> in(3000);
            for (int step = 0; step < 8; ++step) { // a ring, its sizes by rank and step
              const auto size = [&](int of_rank) {
                return std::vector<int>{0, 1, 100, 3000}[static_cast<std::size_t>((of_rank + step) % 4)];
              };
              MPI_Request request{};
              MPI_Irecv(in.data(), 3000, MPI_CHAR, (rank + 3) % 4, step, MPI_COMM_WORLD, &request);
              MPI_Send(out.data(), size(rank), MPI_CHAR, (rank + 1) % 4, step, MPI_COMM_WORLD);
              MPI_Wait(&request, MPI_STATUS_IGNORE);
            }
            hypermon_compute(1, 50e6);
            if (rank != 0) return;
            for (int node = 0; node < 4; ++node) {
              const auto now = read(node);
              for (std::size_t i = 0; i < now.size(); ++i) values.push_back(now[i] - first[node][i]);
            }
          },
          [&](Machine&) { kept = std::make_unique<KeptMessages>(); });
      return values;
    });
    INFO(child.errors);
    REQUIRE(child.status == 0);
    return child.values;
  };
  const auto smpi = counts(hypermon::Messages::smpi);
  CHECK(smpi == counts(hypermon::Messages::nx2));
  REQUIRE(smpi.size() == 40);
  // Eight steps: each size twice, sent and received.
  CHECK(std::vector(smpi.begin(), smpi.begin() + 10) == std::vector<double>{2, 2, 2, 2, 2, 2, 2, 2, 6202, 6202});
}

TEST_CASE("a broadcast among n is n - 1 messages of its size, one-sided calls and persistent requests are messages") {
  const auto child = in_child([] {
    NoMonitor monitor;
    std::unique_ptr<KeptMessages> kept;
    std::vector<double> values;
    run_program(
        smpi_machine(8), monitor,
        [&](int rank) {
          std::vector<char> data(1000);
          const auto grown = [&](auto&& call) {
            MPI_Barrier(MPI_COMM_WORLD);
            hypermon_compute(1, 10e6);
            static double sent = 0;
            static double bytes = 0;
            if (rank == 0) sent = kept->sum("messages.sent"), bytes = kept->sum("messages.bytes_sent");
            hypermon_compute(1, 10e6);
            call();
            hypermon_compute(1, rank == 0 ? 30e6 : 50e6); // other ranks have not added to the value that it reads
            if (rank == 0)
              values.insert(values.end(), {kept->sum("messages.sent") - sent, kept->sum("messages.bytes_sent") - bytes,
                                           kept->sum("messages.received") - sent});
          };
          grown([&] { MPI_Bcast(data.data(), 1000, MPI_CHAR, 2, MPI_COMM_WORLD); });
          MPI_Request request{};
          if (rank == 1) MPI_Send_init(data.data(), 10, MPI_CHAR, 3, 5, MPI_COMM_WORLD, &request);
          if (rank == 3) MPI_Recv_init(data.data(), 10, MPI_CHAR, 1, 5, MPI_COMM_WORLD, &request);
          grown([&] {
            for (int time = 0; time < 3 && request != MPI_REQUEST_NULL; ++time) {
              if (rank == 1) hypermon_compute(1, 1e6); // SMPI (3.32) loses one that is started again before its receive
              MPI_Start(&request);
              MPI_Wait(&request, MPI_STATUS_IGNORE);
            }
          });
          if (request != MPI_REQUEST_NULL) MPI_Request_free(&request);
          MPI_Win window{};
          MPI_Win_create(data.data(), 1000, 1, MPI_INFO_NULL, MPI_COMM_WORLD, &window);
          MPI_Win_fence(0, window);
          char value[7] = {};
          static double fences = 0;
          grown([&] { MPI_Win_fence(0, window); });
          if (rank == 0) fences = values[values.size() - 3];
          grown([&] {
            if (rank == 4) MPI_Put(value, 7, MPI_CHAR, 2, 0, 7, MPI_CHAR, window);
            MPI_Win_fence(0, window);
          });
          if (rank == 0) values[values.size() - 3] -= fences, values[values.size() - 1] -= fences;
          MPI_Win_free(&window);
        },
        [&](Machine&) { kept = std::make_unique<KeptMessages>(); });
    return values;
  });
  INFO(child.errors);
  REQUIRE(child.status == 0);
  CAPTURE(child.values);
  REQUIRE(child.values.size() == 12);
  CHECK(std::vector(child.values.begin(), child.values.begin() + 3) == std::vector<double>{7, 7000, 7});
  CHECK(std::vector(child.values.begin() + 3, child.values.begin() + 6) == std::vector<double>{3, 30, 3});
  CHECK(std::vector(child.values.begin() + 9, child.values.end()) == std::vector<double>{1, 7, 1});
}
