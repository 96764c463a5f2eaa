// SPDX-License-Identifier: BSD-3-Clause
// The I/O node and a second master on one bus, against a model that steps through time, a nanosecond at a time.
#include "hw/hypermon/tlm/pbx_arbiter.hpp"
#include "hw/hypermon/tlm/second_master.hpp"
#include "tests/monitors/hypermon/tlm/chain.hpp"
#include <deque>

using namespace hypermon;
using namespace hypermon::testing;

namespace {

constexpr std::int64_t end_ns = 150'000;
constexpr std::int64_t never_ns = std::numeric_limits<std::int64_t>::max();

struct Shape {
  Hardware hardware;
  SecondMasterParams second;
  std::int64_t phase_ns;
  std::vector<std::int64_t> windows; // windows, each with one strobe of node 0, which makes a frame

  explicit Shape(Random& r) {
    hardware.pbx.word_ns = r.pick({50, 222, 800, r.between(1, 3000)});
    hardware.ecb.frame_fifo_frames = r.pick({1, 2, 3, 8, 1024});
    if (r.one_in(2))
      hardware.reader = {ReaderKind::group, r.pick({0, 400, r.between(1, 3000)}), r.pick({0, 75, r.between(1, 3000)}),
                         0, 0};
    hardware.pbx.burst_start_ns = r.pick({0, 0, r.between(1, 1000)});
    second.words = r.pick({1, 2, 16, r.between(1, 40)});
    const std::int64_t burst = second.words * hardware.pbx.word_ns.number + hardware.pbx.burst_start_ns.number;
    second.period_ns = r.pick({burst + 1, 2 * burst, r.between(burst / 2 + 1, 4 * burst + 1)});
    second.arbitration =
        r.pick({PbxArbitration::round_robin, PbxArbitration::drain_first, PbxArbitration::second_first});
    if (second.arbitration == PbxArbitration::second_first)
      second.period_ns = std::max(second.period_ns.number, burst + 1);
    phase_ns = r.below(second.period_ns.number);
    const std::int64_t most_apart = r.pick({1, 4, 20});
    for (std::int64_t w = r.below(5); w < 100; w += r.between(1, most_apart)) windows.push_back(w);
  }
  bool drain_is_first_bound() const { return second.arbitration != PbxArbitration::second_first; }
};

struct Outcome {
  std::vector<std::pair<std::uint64_t, std::int64_t>> read; // window, end in ns
  std::uint64_t lost = 0;
  std::int64_t drain_waited = 0;
  std::int64_t longest_wait = 0;
  std::uint64_t bursts = 0;
  std::int64_t second_waited = 0;
  bool operator==(const Outcome&) const = default;
};

/// Uses nothing of hypermon but the parameters.
class Naive {
public:
  explicit Naive(const Shape& s) : s_(s) {}
  Outcome run() {
    for (now_ = 0; now_ <= end_ns; ++now_) {
      if (owner_ && free_at_ == now_) transfer_ends();
      if (now_ % 50 == 0) edge();
      ask();
      while (!owner_ && (drain_.asked || second_.asked)) grant();
    }
    return out_;
  }

private:
  struct Master {
    std::optional<std::int64_t> asked;
  };
  static std::int64_t edge_after(std::int64_t t) { return (t + 49) / 50 * 50; }
  std::int64_t word() const { return s_.hardware.pbx.word_ns.number; }
  std::int64_t burst_start() const { return s_.hardware.pbx.burst_start_ns.number; }

  void transfer_ends() {
    if (owner_ == &second_) {
      second_due_ += s_.second.period_ns.number;
    } else {
      accesses_.pop_front();
      if (accesses_.empty()) frame_ends_ = edge_after(now_);
    }
    owner_ = nullptr;
  }
  // All decisions depend on the state before the edge.
  void edge() {
    const auto inside = static_cast<std::int64_t>(fifo_.size());
    const std::int64_t waiting = inside - (reading_ ? 1 : 0);
    const ReaderParams& reader = s_.hardware.reader;
    if (reading_ && frame_ends_ == now_) {
      out_.read.emplace_back(fifo_.front(), now_);
      fifo_.pop_front();
      reading_ = false;
      --left_;
      next_action_ = now_ + edge_after(reader.frame_ns.number);
    }
    if (!reading_ && now_ >= next_action_) {
      if (left_ == 0 && waiting > 0) {
        left_ = waiting;
        accesses_.insert(accesses_.end(), {0, 0}); // status and count take no time
        next_action_ = now_ + edge_after(reader.group_ns.number);
      }
      if (left_ > 0 && now_ >= next_action_) {
        reading_ = true;
        frame_ends_ = never_ns;
        accesses_.insert(accesses_.end(), {burst_start() + word(), word(), word(), word()});
      }
    }
    for (const std::int64_t w : s_.windows)
      if (800 * (w + 1) + 50 + 400 == now_) {
        if (inside >= s_.hardware.ecb.frame_fifo_frames)
          ++out_.lost;
        else
          fifo_.push_back(static_cast<std::uint64_t>(w));
      }
  }
  void ask() {
    if (owner_ != &drain_ && !accesses_.empty() && !drain_.asked) drain_.asked = now_;
    if (owner_ != &second_ && now_ >= second_due_ && !second_.asked) second_.asked = now_;
  }
  void grant() {
    bool drain = drain_.asked.has_value();
    if (drain && second_.asked) {
      const PbxArbitration policy = s_.second.arbitration;
      drain = policy == PbxArbitration::drain_first || (policy == PbxArbitration::round_robin && last_ == &second_);
    }
    Master& who = drain ? drain_ : second_;
    const std::int64_t waited = now_ - *who.asked;
    who.asked.reset();
    last_ = &who;
    if (drain) {
      out_.drain_waited += waited;
      out_.longest_wait = std::max(out_.longest_wait, waited);
    } else {
      out_.second_waited += waited;
      ++out_.bursts;
    }
    const std::int64_t takes = drain ? accesses_.front() : burst_start() + s_.second.words * word();
    if (takes == 0) {
      accesses_.pop_front();
      return ask();
    }
    owner_ = &who;
    free_at_ = now_ + takes;
  }

  const Shape& s_;
  std::int64_t now_ = 0;
  Outcome out_;
  std::deque<std::uint64_t> fifo_;
  bool reading_ = false;
  std::int64_t frame_ends_ = never_ns;
  std::int64_t left_ = 0;
  std::int64_t next_action_ = 0;
  std::deque<std::int64_t> accesses_; // accesses of the drain program, by duration
  Master drain_, second_;
  std::int64_t second_due_ = s_.phase_ns;
  Master* owner_ = nullptr;
  Master* last_ = &second_;
  std::int64_t free_at_ = 0;
};

/// The modules, wired as a machine does it.
struct TwoMastersBench {
  Shape shape;
  Chain chain;
  PbxArbiter arbiter;
  SecondMaster second;
  PbxMemory memory;

  explicit TwoMastersBench(Random& r)
      : shape(r), chain(shape.hardware, DrainedBy::words, 1, {}, IoNode::Accesses::in_time, false),
        arbiter(sc_core::sc_gen_unique_name("arbiter"), shape.second.arbitration == PbxArbitration::round_robin
                                                            ? Arbitration::round_robin
                                                            : Arbitration::priority),
        second(sc_core::sc_gen_unique_name("second"), shape.second, Time::from_ns(shape.phase_ns)),
        memory(sc_core::sc_gen_unique_name("memory"), shape.hardware.pbx) {
    if (!shape.drain_is_first_bound()) second.pbx_initiator.bind(arbiter.pbx_target);
    chain.io_node.pbx_initiator.bind(arbiter.pbx_target);
    if (shape.drain_is_first_bound()) second.pbx_initiator.bind(arbiter.pbx_target);
    arbiter.pbx_initiator.bind(chain.pbx.pbx_target);
    chain.pbx.attach(memory.pbx_target, PbxMemory::addresses);
  }
  void write() {
    const std::uint8_t datum[] = {5};
    for (const std::int64_t w : shape.windows)
      REQUIRE(chain.ports[0]->write(Time::from_ns(800 * w + 400), 1_us, datum) == tlm::TLM_OK_RESPONSE);
  }
  Outcome outcome() const {
    Outcome out;
    for (const DeliveredFrame& f : chain.frames) out.read.emplace_back(f.frame.timestamp, f.read_end.ps() / 1000);
    out.lost = chain.ecb.board().counts().frames_lost;
    out.drain_waited = chain.io_node.waited().ps() / 1000;
    out.longest_wait = chain.io_node.longest_wait().ps() / 1000;
    out.bursts = second.totals().bursts;
    out.second_waited = second.totals().waited.ps() / 1000;
    return out;
  }
};

} // namespace

TEST_CASE("two masters of a bus have it, wait for it and lose frames as a model says that steps through time") {
  const StrictReports strict;
  Random r(11);
  std::vector<std::unique_ptr<TwoMastersBench>> benches;
  for (int i = 0; i < 100; ++i) benches.push_back(std::make_unique<TwoMastersBench>(r));
  sc_core::sc_start(sc_core::SC_ZERO_TIME);
  for (const auto& bench : benches) bench->write();
  sc_core::sc_start(to_sc_time(Time::from_ns(end_ns)));
  while (sc_core::sc_pending_activity_at_current_time()) sc_core::sc_start(sc_core::SC_ZERO_TIME);

  std::size_t lossy = 0;
  std::size_t delayed = 0;
  for (std::size_t i = 0; i < benches.size(); ++i) {
    const Outcome expected = Naive(benches[i]->shape).run();
    const Outcome found = benches[i]->outcome();
    CAPTURE(i, word(benches[i]->shape.second.arbitration), benches[i]->shape.hardware.pbx.word_ns.number);
    CHECK(found.read == expected.read);
    CHECK(found.lost == expected.lost);
    CHECK(found.drain_waited == expected.drain_waited);
    CHECK(found.longest_wait == expected.longest_wait);
    CHECK(found.bursts == expected.bursts);
    CHECK(found.second_waited == expected.second_waited);
    lossy += expected.lost > 0 ? 1 : 0;
    delayed += expected.drain_waited > 0 && expected.second_waited > 0 ? 1 : 0;
  }
  CHECK(lossy > 20); // the compared situations must occur
  CHECK(delayed > 50);
}
