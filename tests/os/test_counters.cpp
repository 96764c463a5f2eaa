// SPDX-License-Identifier: BSD-3-Clause
// Counters at any date, against what the run's own traces say: emissions, MPI calls, what the program did.
#include "hw/machine/machine_params.hpp"
#include "sw/mpi/message_counters.hpp"
#include "sw/mpi/program_counters.hpp"
#include "sw/os/node_counters.hpp"
#include "tests/catch.hpp"
#include "tests/machine/in_child.hpp"
#include "tests/machine/program.hpp"
#include "tests/random.hpp"

#include <simgrid/s4u/Actor.hpp>

#include <map>

extern "C" void hypermon_event(unsigned char value);
extern "C" void hypermon_set_counter(const char* name, long long value);
extern "C" void hypermon_add_counter(const char* name, long long value);
extern "C" void hypermon_start_timer(const char* routine);
extern "C" void hypermon_stop_timer(const char* routine);

using namespace hypermon;
using namespace hypermon::test;
using hypermon::testing::Random;

namespace {

constexpr int nodes = 4;
constexpr Time event_cost = 31_us;
double number(Time t) { return static_cast<double>(t.ps()); }

/// Keeps all counters of the run.
struct Kept {
  Counters counters;
  KernelCounters kernels{operating_system()};
  MessageCounters messages{operating_system(), mpi_layer().counts};
  ProgramCounters program{operating_system(), {}};
  Kept() {
    counters.add(kernels);
    counters.add(messages);
    counters.add(program);
    set_program_counters(&program);
  }
  std::int64_t read(const char* name, int node, std::uint32_t item = 0) {
    return counters.read(NodeId{static_cast<std::uint32_t>(node)}, {0, item}, counters.want(name, "test"),
                         simgrid_now());
  }
};

/// Actions of a rank and their times, by its own account.
struct Done {
  enum class Kind { compute, enter, leave, start, stop, add } kind;
  Time at; // compute: its end
  std::int64_t amount = 0;
  std::uint32_t item = 0;
  Time begin{};
};
using Trace = std::array<std::vector<Done>, nodes>;

class Calls : public MpiObserver {
public:
  explicit Calls(Trace& trace) : trace_(trace) {}
  void enter(const RankState& rank, const MpiCall& call) override {
    entries(rank).push_back({Done::Kind::enter, simgrid_now(), call.sent().bytes, function(call)});
  }
  void leave(const RankState& rank, const MpiCall& call) override {
    std::int64_t bytes = 0;
    for (const auto& completed : call.completed()) bytes += completed.status.count;
    entries(rank).push_back({Done::Kind::leave, simgrid_now(), bytes, function(call)});
  }

private:
  static std::uint32_t function(const MpiCall& call) { return static_cast<std::uint32_t>(index(call.function())); }
  std::vector<Done>& entries(const RankState& rank) { return trace_[static_cast<std::size_t>(rank.rank)]; }
  Trace& trace_;
};

/// Computes, marks, counts and sends to its neighbour, by a seed.
void random_program(int rank, std::uint64_t seed, std::vector<Done>& done) {
  Random own(seed * 100 + static_cast<std::uint64_t>(rank));
  Random shared(seed); // both ends of a message use the same random numbers
  char out[3000] = {};
  char in[3000];
  for (int step = 0; step < 12; ++step) {
    const bool brackets = own.below(2) == 0;
    if (brackets) {
      done.push_back({Done::Kind::start, simgrid_now()});
      hypermon_start_timer("step");
    }
    for (std::int64_t events = own.below(4); events > 0; --events) hypermon_event(1);
    const Time begin = simgrid_now();
    const Time work = Time::from_ns(own.below(3'000'000));
    hypermon_compute(1, static_cast<double>(work.ps()) * 1e-3);
    done.push_back(
        {Done::Kind::compute, simgrid_now(), rank_table().self().kernel->clock().stretch(work).ps(), 0, begin});
    hypermon_add_counter("steps", step);
    done.push_back({Done::Kind::add, simgrid_now(), step});
    const auto bytes = static_cast<int>(shared.pick({0, 1, 100, 101, 3000}));
    MPI_Request request{};
    MPI_Irecv(in, 3000, MPI_CHAR, (rank + nodes - 1) % nodes, 7, MPI_COMM_WORLD, &request);
    MPI_Send(out, bytes, MPI_CHAR, (rank + 1) % nodes, 7, MPI_COMM_WORLD);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    if (brackets) {
      hypermon_stop_timer("step");
      done.push_back({Done::Kind::stop, simgrid_now()});
    }
  }
}

/// Values of a node's counters at `now`.
struct Reading {
  Time now;
  int node;
  std::map<std::string, double> values;
};

/// The same values computed from the traces. User CPU time only where nothing is computed; otherwise its bounds.
std::map<std::string, double> recount(const Reading& at, const Trace& trace, const std::vector<Emission>& emissions,
                                      std::uint32_t function) {
  std::map<std::string, double> v{{"cpu.emission", 0},   {"mpi.calls", 0},          {"mpi.time", 0},
                                  {"mpi.bytes_sent", 0}, {"mpi.bytes_received", 0}, {"user", 0},
                                  {"timer.calls", 0},    {"timer.inclusive", 0}};
  for (const Emission& e : emissions)
    if (static_cast<int>(index(e.node)) == at.node && e.start < at.now)
      v["cpu.emission"] += number(std::min(at.now, e.start + event_cost) - e.start);
  double computed = 0;
  constexpr Time not_now = Time::never();
  Time entered = not_now;
  Time started = not_now;
  bool computes = false;
  for (const Done& d : trace[static_cast<std::size_t>(at.node)]) {
    if (d.kind == Done::Kind::compute && d.begin < at.now && at.now < d.at) computes = true;
    if (d.at > at.now) continue;
    switch (d.kind) {
    case Done::Kind::compute:
      computed += static_cast<double>(d.amount);
      break;
    case Done::Kind::add:
      v["user"] += static_cast<double>(d.amount);
      break;
    case Done::Kind::start:
      ++v["timer.calls"], started = d.at;
      break;
    case Done::Kind::stop:
      v["timer.inclusive"] += number(d.at - started), started = not_now;
      break;
    case Done::Kind::enter:
      if (d.item != function) break;
      ++v["mpi.calls"], v["mpi.bytes_sent"] += static_cast<double>(d.amount), entered = d.at;
      break;
    case Done::Kind::leave:
      if (d.item != function) break;
      v["mpi.time"] += number(d.at - entered), v["mpi.bytes_received"] += static_cast<double>(d.amount);
      entered = not_now;
      break;
    }
  }
  if (entered != not_now) v["mpi.time"] += number(at.now - entered);
  if (started != not_now) v["timer.inclusive"] += number(at.now - started);
  if (!computes) v["cpu.user"] = computed;
  return v;
}

/// Runs the program on nodes with drift and ticks. Reads all counters of `function` at random dates unless `readings`
/// is null.
std::vector<RankResult> run_random(hypermon::Messages messages, std::uint64_t seed, std::uint32_t function,
                                   Trace& trace, std::vector<Emission>& emissions, std::vector<Reading>* readings) {
  Spec spec = plain_machine(nodes);
  spec.get<NodeParams>() = Spec().get<NodeParams>();
  spec.get<NodeParams>().tick_ms = 0.9;
  spec.get<MachineParams>().messages = messages;
  RecordingMonitor monitor(event_cost);
  Calls calls(trace);
  std::unique_ptr<Kept> kept;
  const auto program = [&](int rank) { random_program(rank, seed, trace[static_cast<std::size_t>(rank)]); };
  const auto results = run_program(spec, monitor, program, [&](Machine& machine) {
    mpi_layer().observers.add(calls);
    kept = std::make_unique<Kept>();
    if (readings == nullptr) return;
    std::vector<const char*> names{"cpu.user",  "cpu.kernel",  "cpu.emission",   "cpu.busy",
                                   "mpi.calls", "mpi.time",    "mpi.bytes_sent", "mpi.bytes_received",
                                   "user",      "timer.calls", "timer.inclusive"};
    for (const char* name : names) kept->counters.want(name, "test");
    const std::uint32_t step = kept->counters.item(kept->counters.want("timer.calls", "test"), "step", "test");
    const std::uint32_t steps = kept->counters.item(kept->counters.want("user", "test"), "steps", "test");
    auto reader = simgrid::s4u::Actor::init("reader", machine.node(NodeId{0}));
    reader->daemonize();
    reader->start([=, &kept] {
      Random r(seed + 1000);
      for (;;) {
        simgrid::s4u::this_actor::sleep_for(static_cast<double>(r.below(700'000'000)) * 1e-12);
        for (int node = 0; node < nodes; ++node) {
          Reading reading{simgrid_now(), node, {}};
          for (const std::string name : names) {
            const auto item = name.starts_with("mpi.") ? function : name.starts_with("timer.") ? step : steps;
            reading.values[name] = static_cast<double>(kept->read(name.c_str(), node, name[0] == 'c' ? 0 : item));
          }
          readings->push_back(std::move(reading));
        }
      }
    });
  });
  emissions = monitor.events;
  set_program_counters(nullptr);
  return results;
}

} // namespace

TEST_CASE("what counters show at any date is what the run's traces give, and reading them changes nothing") {
  const auto messages = GENERATE(hypermon::Messages::nx2, hypermon::Messages::smpi);
  const auto seed = GENERATE(range<std::uint64_t>(1, 5));
  const auto function = static_cast<std::uint32_t>(index(seed % 2 == 0 ? MpiFunction::Send : MpiFunction::Wait));
  CAPTURE(word(messages), seed);
  const auto run = [&](bool reads) {
    return in_child([&] {
      Trace trace;
      std::vector<Emission> emissions;
      std::vector<Reading> readings;
      const auto ranks = run_random(messages, seed, function, trace, emissions, reads ? &readings : nullptr);
      std::vector<double> values;
      for (const RankResult& rank : ranks)
        values.insert(values.end(), {number(rank.end), static_cast<double>(rank.events)});
      double compared = 0;
      double wrong = 0;
      std::map<int, Reading> before;
      for (const Reading& reading : readings) {
        auto v = reading.values;
        for (const auto& [name, expected] : recount(reading, trace, emissions, function)) {
          ++compared;
          if (v[name] == expected) continue;
          ++wrong;
          std::fprintf(stderr, "%s of node %d at %.0f: %.0f, not %.0f\n", name.c_str(), reading.node,
                       number(reading.now), v[name], expected);
        }
        if (v["cpu.user"] + v["cpu.kernel"] + v["cpu.emission"] != v["cpu.busy"]) ++wrong;
        const auto last = before.find(reading.node);
        const Reading none{{}, 0, {}};
        const Reading& from = last == before.end() ? none : last->second;
        const auto value = [](const Reading& r, const char* name) {
          return r.values.contains(name) ? r.values.at(name) : 0;
        };
        for (const char* name : {"cpu.user", "cpu.kernel", "cpu.emission", "cpu.busy", "mpi.time", "timer.inclusive"}) {
          const double grown = value(reading, name) - value(from, name);
          if (grown >= 0 && grown <= number(reading.now - from.now)) continue;
          ++wrong;
          std::fprintf(stderr, "%s of node %d grew by %.0f in %.0f\n", name, reading.node, grown,
                       number(reading.now - from.now));
        }
        before[reading.node] = reading;
      }
      values.insert(values.end(), {compared, wrong});
      return values;
    });
  };
  const auto observed = run(true);
  const auto unobserved = run(false);
  INFO(observed.errors.substr(0, 2000));
  REQUIRE(observed.status == 0);
  REQUIRE(unobserved.status == 0);
  CHECK(observed.values.back() == 0);
  CHECK(observed.values[observed.values.size() - 2] > 500);
  CHECK(std::vector(observed.values.begin(), observed.values.end() - 2) ==
        std::vector(unobserved.values.begin(), unobserved.values.end() - 2));
}

TEST_CASE("queues and buffers show what is there: messages that nobody waits for, receives that wait") {
  const auto child = in_child([] {
    NoMonitor monitor;
    std::unique_ptr<Kept> kept;
    std::vector<double> values;
    std::int64_t bytes = 0; // the program has not sent anything, but SMPI has
    std::int64_t packets = 0;
    const auto look = [&] {
      for (const char* name : {"queue.unexpected", "queue.posted", "memory.message_buffers"})
        values.push_back(static_cast<double>(kept->read(name, 1)));
    };
    run_program(
        plain_machine(2), monitor,
        [&](int rank) {
          char data[1000] = {};
          if (rank == 0) packets = kept->read("interface.packets_sent", 0);
          if (rank == 1) bytes = kept->read("interface.bytes_received", 1);
          if (rank == 0) {
            MPI_Request request{};
            MPI_Send(data, 40, MPI_CHAR, 1, 1, MPI_COMM_WORLD);
            MPI_Send(data, 60, MPI_CHAR, 1, 2, MPI_COMM_WORLD);
            MPI_Isend(data, 1000, MPI_CHAR, 1, 3, MPI_COMM_WORLD, &request); // long: only its request arrives
            MPI_Wait(&request, MPI_STATUS_IGNORE);
          } else {
            hypermon_compute(1, 100e6); // 100 ms
            look();
            MPI_Recv(data, 60, MPI_CHAR, 0, 2, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
            look();
            MPI_Request never{};
            MPI_Irecv(data, 10, MPI_CHAR, 0, 9, MPI_COMM_WORLD, &never);
            look();
            MPI_Cancel(&never);
            MPI_Wait(&never, MPI_STATUS_IGNORE);
            MPI_Recv(data, 1000, MPI_CHAR, 0, 3, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
            MPI_Recv(data, 40, MPI_CHAR, 0, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
            look();
            const Time now = simgrid_now();
            const auto sizes = [&](const char* name, int node, std::int64_t size) {
              return static_cast<double>(kept->counters.read(
                  NodeId{static_cast<std::uint32_t>(node)}, {0, size_class(size)}, kept->counters.want(name, ""), now));
            };
            for (const std::int64_t size : {40, 60, 1000})
              values.insert(values.end(), {sizes("messages.sent", 0, size), sizes("messages.received", 1, size)});
            values.push_back(static_cast<double>(kept->read("interface.bytes_received", 1) - bytes));
            values.push_back(static_cast<double>(kept->read("interface.packets_sent", 0) - packets));
          }
        },
        [&](Machine&) {
          kept = std::make_unique<Kept>();
          for (const char* name :
               {"queue.unexpected", "messages.sent", "messages.received", "interface.bytes_received"})
            kept->counters.want(name, "test");
        });
    return values;
  });
  INFO(child.errors);
  REQUIRE(child.status == 0);
  const double header = Machine::smpi_header_bytes;
  CHECK(child.values == std::vector<double>{3,
                                            0,
                                            100, // 40 and 60 bytes have arrived
                                            2,
                                            0,
                                            40, // 60 were received
                                            2,
                                            1,
                                            40, // a receive that no message fits
                                            0,
                                            0,
                                            0, // all received
                                            2,
                                            2,
                                            2,
                                            2,
                                            1,
                                            1, // 40 and 60 are of a class: 32 to 63
                                            1100 + 3 * header,
                                            3});
}

TEST_CASE("a routine that stops out of turn ends the run, which says of which rank and what ran") {
  const auto child = in_child([]() -> std::vector<double> {
    NoMonitor monitor;
    std::unique_ptr<Kept> kept;
    run_program(
        plain_machine(2), monitor,
        [&](int rank) {
          if (rank == 0) return;
          hypermon_start_timer("outer");
          hypermon_start_timer("inner");
          hypermon_stop_timer("outer");
        },
        [&](Machine&) { kept = std::make_unique<Kept>(); });
    return {};
  });
  CHECK(child.status == 3);
  CHECK(child.errors.find("rank 1 called hypermon_timer_stop(\"outer\") while \"inner\" was the innermost that ran") !=
        std::string::npos);
}

TEST_CASE("calls of the program's counters and timers take time only if somebody reads what they count") {
  const auto elapsed = [](const char* wanted) {
    const auto child = in_child([wanted] {
      NoMonitor monitor;
      std::unique_ptr<Counters> counters;
      std::unique_ptr<ProgramCounters> program;
      const auto ranks = run_program(
          plain_machine(1), monitor,
          [](int) {
            hypermon_set_counter("a", 5);
            for (int i = 0; i < 10; ++i) hypermon_add_counter("a", 1);
            hypermon_start_timer("r");
            hypermon_stop_timer("r");
          },
          [&](Machine&) {
            counters = std::make_unique<Counters>();
            program =
                std::make_unique<ProgramCounters>(operating_system(), CountersParams{.update_us = 2, .timer_us = 7});
            counters->add(*program);
            set_program_counters(program.get());
            if (*wanted != '\0') counters->want(wanted, "test");
          });
      return std::vector<double>{number(ranks[0].end - ranks[0].begin)};
    });
    REQUIRE(child.status == 0);
    return Time::from_ps(static_cast<std::int64_t>(child.values[0]));
  };
  const Time without = elapsed("");
  CHECK(elapsed("mpi.calls") == without);
  CHECK(elapsed("user") == without + 11 * 2_us);
  CHECK(elapsed("timer.exclusive") == without + 2 * 7_us);
}

TEST_CASE("a counter that nothing keeps is refused with the parameter that names it") {
  const auto child = in_child([]() -> std::vector<double> {
    Spec spec = plain_machine(2);
    spec.get<MachineParams>().messages = hypermon::Messages::smpi;
    NoMonitor monitor;
    std::vector<double> found;
    std::unique_ptr<Kept> kept;
    run_program(
        spec, monitor, [](int) {},
        [&](Machine&) {
          kept = std::make_unique<Kept>();
          const auto refusal = [&](const char* name) -> std::string {
            try {
              kept->counters.want_all(name, "poller.counters");
              return "";
            } catch (const UserError& error) {
              return error.what();
            }
          };
          const auto says = [&](const char* name, const char* text) {
            found.push_back(refusal(name).find(text) != std::string::npos ? 1 : 0);
          };
          says("mpi.time, cpu.users", "poller.counters = cpu.users: no such counter; there are network.bytes_sent, ");
          says("network.bytes_sent",
               "poller.counters = network.bytes_sent: this run has no such counter: nothing in this run keeps it");
          found.push_back(refusal("mpi.time cpu.user").empty() ? 1 : 0);
        });
    return found;
  });
  REQUIRE(child.status == 0);
  CHECK(child.values == std::vector<double>{1, 1, 1});
}
