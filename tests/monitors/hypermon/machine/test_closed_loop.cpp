// SPDX-License-Identifier: BSD-3-Clause
// The hardware feeds back to the machine: a node FIFO that holds its writer, drain messages on the program's links.
// Both exact in time: what the program felt is compared with the core alone, edge by edge, and with times derived by
// hand.
#include "base/recording.hpp"
#include "hw/cosim/bridge.hpp"
#include "hw/hypermon/core/drain_program.hpp"
#include "hw/hypermon/core/params.hpp"
#include "hw/hypermon/wiring/boards.hpp"
#include "hw/hypermon/wiring/drain_link.hpp"
#include "hw/hypermon/wiring/port_pace.hpp"
#include "hw/hypermon/wiring/tlm_chain.hpp"
#include "hw/machine/params.hpp"
#include "sw/monitors/hypermon/hypermon_monitor.hpp"
#include "tests/machine/in_child.hpp"
#include "tests/monitors/hypermon/machine/with_boards.hpp"
#include "tests/volume.hpp"

#include "sw/instrumentation/catalogue_json.hpp"
#include "tests/catch.hpp"

#include <algorithm>

extern "C" void hypermon_event(unsigned char value);

using namespace hypermon;
using namespace hypermon::test;

namespace {

Time pitch_of(const PortParams& p) { return p.nibble_cost_ns + static_cast<double>(p.delay) * p.delay_iteration_ns; }
Time datum_cost(const PortParams& p) { return p.nibble_cost_ns; }
double number(Time t) { return static_cast<double>(t.ps()); }

struct Interval {
  Emission emission;
  Time end;
};

/// Passes everything on and notes when emissions begin and end.
class Watched : public Monitor {
public:
  explicit Watched(Monitor& inner) : inner_(inner) {
    inner_.on_emission_done([this](NodeId node, Time end) {
      last_emission(node).end = end;
      emission_done(node, end);
    });
  }
  std::optional<Time> emit(const Emission& e) override {
    last_[index(e.node)] = emissions.size();
    emissions.push_back({e, {}});
    const auto cost = inner_.emit(e);
    if (cost) last_emission(e.node).end = e.start + *cost;
    return cost;
  }
  void advance(Time now) override { inner_.advance(now); }
  void finish(Time end) override { inner_.finish(end); }
  void report(Results&, Time, Time) const override {}
  std::vector<Interval> emissions;

private:
  Interval& last_emission(NodeId node) { return emissions[last_[index(node)]]; }
  Monitor& inner_;
  std::array<std::size_t, 128> last_{};
};

/// The whole HYPERMON monitor under a program; what it did, all emissions with their ends, and whether messages left.
struct Run {
  std::vector<RankResult> ranks;
  std::vector<Interval> emissions;
  int messages = 0;
  Time systemc_at; // SystemC's date at the end
};
Run run(const Spec& spec, const std::function<void(int rank)>& program) {
  Run result;
  Bridge bridge("bridge");
  auto own_chain = std::make_unique<TlmChain>(spec, catalogue_size(spec));
  TlmChain& chain = *own_chain;
  HypermonMonitor monitor(spec, std::vector<NodeClock>(static_cast<std::size_t>(spec.nodes)), std::move(own_chain), {});
  Watched watched(monitor);
  result.ranks = run_with_boards(spec, watched, program, [&](Machine& machine) {
    if (applies_back_pressure(spec))
      chain.close_loop({bridge,
                        [&](std::size_t board, std::int64_t bytes, std::function<void(Time)> when_sent) {
                          ++result.messages;
                          DrainLink(machine).send(board, bytes, std::move(when_sent));
                        },
                        [] { return program_run().program_end(); }});
    chain.may_lag(1000_ms); // like the request of a monitor that is made later; it has no effect
    sc_core::sc_start(sc_core::SC_ZERO_TIME);
    bridge.attach();
  });
  monitor.finish(end_of(result.ranks));
  result.emissions = watched.emissions;
  result.systemc_at = Bridge::systemc_now();
  return result;
}

/// Numbers that distinguish two runs: those of each rank, and of each node's emissions in order.
std::vector<double> digest(Run run) {
  std::vector<double> numbers;
  std::stable_sort(run.emissions.begin(), run.emissions.end(),
                   [](const Interval& a, const Interval& b) { return a.emission.node < b.emission.node; });
  for (const RankResult& r : run.ranks) {
    for (const Time t : {r.begin, r.end, r.compute_time, r.emission_time}) numbers.push_back(number(t));
    numbers.push_back(static_cast<double>(r.fingerprint >> 32));
    numbers.push_back(static_cast<double>(r.fingerprint & 0xffffffff));
  }
  for (const Interval& i : run.emissions) {
    numbers.push_back(number(i.emission.start));
    numbers.push_back(number(i.end));
  }
  return numbers;
}

/// Computes, sends to its neighbour and emits events, in rounds.
void talking_program(int rank, int nodes, int rounds) {
  std::vector<char> data(400);
  for (int i = 0; i < rounds; ++i) {
    hypermon_compute(1, 2e5 + 4e4 * ((rank * 7 + i * 3) % 11));
    hypermon_event(static_cast<unsigned char>(i));
    if (i % 3 == 0) hypermon_event(static_cast<unsigned char>(rank));
    MPI_Sendrecv(data.data(), i % 2 == 0 ? 40 : 400, MPI_CHAR, (rank + 1) % nodes, 1, data.data(), 400, MPI_CHAR,
                 (rank + nodes - 1) % nodes, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  }
}

/// A machine whose node FIFOs stall their writers soon: the reader takes `frame_time` for a frame, and one frame waits.
Spec stalling(std::int64_t nodes, std::int64_t node_fifo_entries, Time frame_time) {
  Spec spec = plain_machine(nodes);
  spec.get<EcbSection>().node_fifo_full = WhenFull::stall;
  spec.get<EcbSection>().node_fifo_entries = node_fifo_entries;
  spec.get<EcbSection>().frame_fifo_frames = 1;
  spec.get<EcbSection>().frame_fifo_full = WhenFull::stall;
  spec.get<ReaderParams>().kind = ReaderKind::group;
  spec.get<ReaderParams>().frame_ns = frame_time.ps() / 1000;
  return spec;
}

/// The boards alone, in steps of one edge: when each emission of the run would have ended on them.
std::vector<Time> ends_on_the_core_alone(const Spec& spec, const std::vector<Interval>& emissions) {
  const Time pitch = pitch_of(spec.get<PortParams>()); // requested once, not at each edge
  const Time cost = datum_cost(spec.get<PortParams>());
  const auto per_board = static_cast<std::size_t>(spec.get<EcbSection>().inputs);
  std::vector<std::unique_ptr<CaptureBoard>> boards;
  for (std::size_t b = 0; b < boards_of(spec); ++b)
    boards.push_back(std::make_unique<CaptureBoard>(spec.get<PortParams>(), ecb_of(spec, b), spec.get<PbxParams>(),
                                                    spec.get<ReaderParams>()));
  std::vector<std::size_t> order(emissions.size());
  for (std::size_t i = 0; i < order.size(); ++i) order[i] = i;
  std::stable_sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) {
    return emissions[a].emission.start < emissions[b].emission.start;
  });
  std::vector<std::optional<std::size_t>> under_way(static_cast<std::size_t>(spec.nodes));
  std::vector<Time> ends(emissions.size());
  std::size_t next = 0;
  std::size_t open = 0;
  for (Time at; next < order.size() || open > 0;) {
    if (open == 0) at = std::max(at, edge_at_or_before(emissions[order[next]].emission.start + cost));
    for (; next < order.size() && emissions[order[next]].emission.start + cost < at + clock_period; ++next, ++open) {
      const Emission& e = emissions[order[next]].emission;
      const auto n = index(e.node);
      REQUIRE_FALSE(under_way[n]);
      under_way[n] = order[next];
      const HardwareRecord record = encode_hardware(e.event, 0);
      boards[n / per_board]->write(
          {static_cast<std::uint32_t>(n % per_board), e.start + cost, pitch, record.data(), true});
    }
    at += clock_period;
    for (auto& board : boards) board->advance(at);
    for (std::size_t n = 0; n < under_way.size(); ++n) {
      if (!under_way[n]) continue;
      const auto strobe = boards[n / per_board]->strobed(static_cast<std::uint32_t>(n % per_board));
      if (!strobe) continue;
      ends[*under_way[n]] = *strobe + pitch - cost;
      under_way[n].reset();
      --open;
    }
  }
  return ends;
}

} // namespace

TEST_CASE("with back-pressure SimGrid's precision is a picosecond, and otherwise that of smpirun for SMPI's messages") {
  const auto precision = [](const Spec& spec) {
    std::string found;
    for (const std::string& option : engine_options(spec))
      if (option.find("precision") != std::string::npos) found += option.substr(option.find(':') + 1);
    return found;
  };
  Spec stalls = stalling(2, 1, 1_ms);
  Spec sends = plain_machine(2);
  sends.get<DrainParams>().destination = Destination::host;
  Spec plain = plain_machine(2);
  for (Spec* spec : {&stalls, &sends, &plain}) {
    spec->monitor = "hypermon";
    spec->get<MachineParams>().messages = Messages::smpi;
  }
  CHECK(precision(stalls) == "1e-12");
  CHECK(precision(sends) == "1e-12");
  CHECK(precision(plain) == "1e-9");
  plain.get<MachineParams>().messages = Messages::nx2;
  CHECK(precision(plain) == "1e-12");
}

TEST_CASE("a node FIFO that is full delays the program by exactly the time that the reader takes") {
  constexpr Time busy = 1_ms;
  const Spec spec = stalling(1, 1, busy);
  const auto child = in_child([&] {
    const Run r = run(spec, [](int) {
      hypermon_compute(1, 1e9); // all earlier frames have been read long before
      hypermon_event(1);
      hypermon_event(2);
    });
    std::vector<double> result;
    for (const Interval& i : r.emissions)
      if (i.emission.event.type == EventType::user) {
        result.push_back(number(i.emission.start));
        result.push_back(number(i.end));
      }
    return result;
  });
  REQUIRE(child.status == 0);
  REQUIRE(child.values.size() == 4);
  const Time pitch = pitch_of(spec.get<PortParams>());
  const Time cost = datum_cost(spec.get<PortParams>());
  const Time start = Time::from_ps(static_cast<std::int64_t>(child.values[0]));
  // Datum 0 is read at once. Datum 1 waits in the frame FIFO for the program, which is busy for a millisecond. Datum 2
  // is the frame that the builder cannot push, and datum 3 fills the node FIFO. Datum 4 is held until the builder takes
  // datum 3. That happens when it can push: at the edge after the one at which the frame of datum 1 leaves.
  REQUIRE(pitch * 4 < busy);
  const Time window = Time{spec.get<EcbSection>().window_ns};
  const Time window_end = window * ((start + cost) / window + 1);
  const Time frame_time = 4 * spec.get<PbxParams>().word_ns;
  const Time first_read =
      window_end + cycles(1) + cycles(spec.get<EcbSection>().builder_cycles) + cycles(1) + frame_time;
  const auto nth_read = [&](int n) { return first_read + (busy + frame_time) * n; };
  // Data 4 to 7 happen one edge after the frames of data 1 to 4 have left.
  const Time last_strobe = nth_read(4) + cycles(1);
  CHECK(child.values[1] == number(last_strobe + pitch - cost));
  // The next event begins when the loop has continued; its first strobe is held in the same way, and so are the others.
  CHECK(child.values[2] == child.values[1]);
  CHECK(child.values[3] == number(nth_read(4 + 8) + cycles(1) + pitch - cost));
}

TEST_CASE("the instants at which held writes happen are those of the boards alone, edge by edge") {
  const int rounds = testing::sanitized ? 3 : 10;
  // drop_oldest: windows of other nodes make room for a held write, too.
  for (const bool drop_oldest : {false, true}) {
    for (const auto& [depth, inputs] : {std::pair{1, 16}, {3, 16}, {1, 2}}) {
      CAPTURE(drop_oldest, depth, inputs);
      Spec spec = stalling(4, depth, 100_us);
      spec.get<EcbSection>().inputs = inputs;
      if (drop_oldest) {
        spec.get<EcbSection>().vector_fifo_full = WhenFull::drop_oldest;
        spec.get<EcbSection>().vector_fifo_entries = 3;
        spec.get<EcbSection>().builder_cycles = 10'000; // 500 us
      }
      const auto child = in_child([&] {
        const Run r = run(spec, [&](int rank) { talking_program(rank, 4, rounds); });
        const std::vector<Time> expected = ends_on_the_core_alone(spec, r.emissions);
        double different = 0;
        double held = 0;
        for (std::size_t i = 0; i < expected.size(); ++i) {
          const Interval& e = r.emissions[i];
          if (e.end != expected[i]) ++different;
          const auto data = static_cast<std::int64_t>(encode_hardware(e.emission.event, 0).count);
          if (e.end - e.emission.start > pitch_of(spec.get<PortParams>()) * data) ++held;
        }
        return std::vector<double>{static_cast<double>(expected.size()), held, different};
      });
      REQUIRE(child.status == 0);
      CHECK(child.values[0] > 30 * rounds);
      CHECK(child.values[1] > rounds);
      CHECK(child.values[2] == 0);
    }
  }
}

TEST_CASE("SystemC's kernel stays at its first date where nothing feeds back, and follows where something does") {
  const auto systemc_at_end = [](const Spec& spec) {
    const auto child = in_child([&] {
      const Run r = run(spec, [](int rank) { talking_program(rank, 4, 5); });
      return std::vector<double>{number(r.systemc_at), number(end_of(r.ranks)),
                                 static_cast<double>(r.emissions.size())};
    });
    REQUIRE(child.status == 0);
    CHECK(child.values[1] > number(1_ms));
    CHECK(child.values[2] > 20);
    return child.values[0];
  };
  CHECK(systemc_at_end(plain_machine(4)) == 0);
  CHECK(systemc_at_end(stalling(4, 1, 100_us)) > 0);
}

TEST_CASE("if nothing is ever held, stalling node FIFOs change nothing") {
  Spec spec = plain_machine(4);
  spec.get<NodeParams>().tick_ms = 1.3;
  const auto run_with = [&](WhenFull policy) {
    spec.get<EcbSection>().node_fifo_full = policy;
    return in_child([&] { return digest(run(spec, [](int rank) { talking_program(rank, 4, 20); })); });
  };
  const auto drop = run_with(WhenFull::drop_newest);
  const auto stall = run_with(WhenFull::stall);
  REQUIRE(drop.status == 0);
  REQUIRE(stall.status == 0);
  CHECK(drop.values.size() > 1000);
  CHECK((stall.values == drop.values)); // thousands of numbers: not printed
}

namespace {

/// Emissions go to a capture chain that never stalls them; the frames that its board's reader read are kept.
class ChainMonitor : public Monitor, public FrameSink {
public:
  ChainMonitor(const Spec& spec)
      : chain(spec, catalogue_size(spec)), pitch_(pitch_of(spec.get<PortParams>())),
        cost_(datum_cost(spec.get<PortParams>())) {
    chain.observe({[](NodeId, const Loss&) {}, [](NodeId, const Fault&) {}, [](std::size_t, Time) {}, {}, {}});
    chain.deliver_to(0, this);
  }
  std::optional<Time> emit(const Emission& e) override {
    const HardwareRecord record = encode_hardware(e.event, 0);
    chain.write(chain.line(e.node), e.start + cost_, pitch_, record.data(), true);
    return pitch_ * record.count;
  }
  void advance(Time now) override { chain.drain_to(now); }
  void finish(Time end) override {
    chain.program_ends(end);
    chain.finish();
  }
  void report(Results&, Time, Time) const override {}
  void frames(std::span<const DeliveredFrame> f) override { read.insert(read.end(), f.begin(), f.end()); }
  void stretch(const Stretch& s) override { frames(s.frames()); }

  TlmChain chain;
  std::vector<DeliveredFrame> read;

private:
  Time pitch_;
  Time cost_;
};

} // namespace

TEST_CASE("a message to the host leaves one send time after the read end of the frame that fills it") {
  for (const auto& [message_bytes, wraps] : {std::pair{101, false}, {1000, false}, {101, true}}) {
    CAPTURE(message_bytes, wraps);
    Spec spec = plain_machine(4);
    spec.get<DrainParams>().destination = Destination::host;
    spec.get<DrainParams>().host_message_bytes = message_bytes;
    if (wraps) { // frames that no strobe announces
      spec.get<EcbSection>().timestamp_bits = 8;
      spec.get<EcbSection>().wrap_frames = true;
    }
    const Time send_time = spec.get<DrainParams>().host_send_us;
    const auto child = in_child([&, message_bytes = message_bytes, wraps = wraps] {
      Bridge bridge("bridge");
      ChainMonitor monitor(spec);
      std::vector<Time> left;
      std::vector<Time> arrived;
      std::optional<Bridge::Feedback> feedback;
      const auto ranks = run_with_boards(
          spec, monitor, [](int rank) { talking_program(rank, 4, 10); },
          [&](Machine& machine) {
            monitor.chain.close_loop({bridge,
                                      [&, size = message_bytes](std::size_t board, std::int64_t bytes,
                                                                const std::function<void(Time)>& when_sent) {
                                        left.push_back(bytes == size ? Bridge::systemc_now() : 0_ps);
                                        DrainLink(machine).send(board, bytes, [&, when_sent](Time date) {
                                          arrived.push_back(date);
                                          when_sent(date);
                                        });
                                      },
                                      [] { return program_run().program_end(); }});
            feedback.emplace(bridge);
            sc_core::sc_start(sc_core::SC_ZERO_TIME);
            bridge.attach();
          });
      feedback.reset();
      monitor.finish(end_of(ranks));

      double wrong_departures = 0;
      double wrong_resumptions = 0;
      double waited = 0;
      std::size_t message = 0;
      std::int64_t filled = 0;
      const Time window = Time{spec.get<EcbSection>().window_ns};
      const Time frame_time = 4 * spec.get<PbxParams>().word_ns;
      for (std::size_t i = 0; i + 1 < monitor.read.size() && message < arrived.size(); ++i) {
        filled += 4 * 4;
        if (filled < message_bytes) continue;
        filled -= message_bytes;
        if (left[message] != monitor.read[i].read_end + send_time) ++wrong_departures;
        // The next frame is read as soon as the message has arrived and the frame is there.
        ++message;
        if (wraps) continue; // its timestamp does not say when it was built
        const DeliveredFrame& next = monitor.read[i + 1];
        const Time built = window * static_cast<std::int64_t>(next.frame.timestamp + 1) + cycles(1 + 8);
        const Time can_read = edge_at_or_after(arrived[message - 1]);
        if (next.read_end - frame_time != std::max(can_read, built + cycles(1))) ++wrong_resumptions;
        if (built < can_read) ++waited;
      }
      return std::vector<double>{static_cast<double>(message), waited, wrong_departures, wrong_resumptions};
    });
    REQUIRE(child.status == 0);
    CHECK(child.values[0] > 20);
    if (!wraps) CHECK(child.values[1] > 10);
    CHECK(child.values[2] == 0);
    CHECK(child.values[3] == 0);
  }
}

namespace {

/// Rank 16 sends long messages to rank 0 while ranks 17 to 19 send many. With fewer nodes these are 1, and 2 to 3.
void far_messages(int rank, int nodes) {
  const int sender = nodes > 16 ? 16 : 1;
  std::vector<char> data(100000);
  for (int i = 0; i < 5; ++i) {
    if (rank == sender) MPI_Send(data.data(), 100000, MPI_CHAR, 0, 1, MPI_COMM_WORLD);
    if (rank == 0) MPI_Recv(data.data(), 100000, MPI_CHAR, sender, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    if (rank > sender && rank <= sender + 3)
      for (int n = 0; n < 150; ++n) hypermon_event(static_cast<unsigned char>(n));
  }
}

} // namespace

TEST_CASE("what boards send to the host delays the program where they share a link, and only there") {
  for (const int nodes : {4, 32}) {
    CAPTURE(nodes);
    Spec spec = plain_machine(nodes);
    const auto run_with = [&](Destination destination) {
      spec.get<DrainParams>().destination = destination;
      return in_child([&] {
        const Run r = run(spec, [&](int rank) { far_messages(rank, nodes); });
        std::vector<double> result = digest(r);
        result.push_back(number(r.ranks[0].end - r.ranks[0].begin));
        result.push_back(r.messages);
        return result;
      });
    };
    auto discard = run_with(Destination::discard);
    auto host = run_with(Destination::host);
    REQUIRE(discard.status == 0);
    REQUIRE(host.status == 0);
    REQUIRE(host.values.size() > 2);
    CHECK(discard.values.back() == 0);
    CHECK(host.values.back() > 5);
    discard.values.pop_back();
    host.values.pop_back();
    if (nodes == 4) {
      CHECK((host.values == discard.values));
    } else {
      // The link 16 to 0 is the way of the message and of board 1's drains.
      CHECK(host.values.back() > discard.values.back());
    }
    for (const auto local : {Destination::memory, Destination::cfs}) {
      auto values = run_with(local).values;
      values.pop_back();
      CHECK((values == discard.values));
    }
  }
}
