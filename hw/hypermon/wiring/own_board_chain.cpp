// SPDX-License-Identifier: BSD-3-Clause
#include "hw/hypermon/wiring/own_board_chain.hpp"
#include "base/limits_params.hpp"
#include "base/user_error.hpp"
#include "hw/hypermon/core/board_words.hpp"
#include "hw/hypermon/tlm/backplane.hpp"
#include "hw/hypermon/tlm/erb.hpp"
#include "hw/hypermon/tlm/own_board.hpp"
#include "hw/hypermon/tlm/performance_port.hpp"
#include "hw/hypermon/tlm/register_program.hpp"
#include "hw/hypermon/tlm/strobe_delivery.hpp"
#include "hw/hypermon/wiring/boards.hpp"
#include "hw/hypermon/wiring/chain_watch.hpp"
#include "hw/hypermon/wiring/lockstep_model.hpp"
#include "hw/hypermon/wiring/pbx_masters.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <stdexcept>
#include <utility>

namespace hypermon {

namespace {

UserObject board_object(const Spec& spec, const ChainWatch* watch) {
  const auto& ecb = spec.get<EcbSection>();
  const bool is_rtl = !ecb.rtl.empty();
  const bool is_other = watch != nullptr && !watch->board_object().empty();
  return {is_other ? watch->board_object()
          : is_rtl ? ecb.rtl
                   : ecb.module,
          {.parameter = parameter_of_own_boards(spec),
           .macro = "HYPERMON_OWN_BOARD",
           .page = is_rtl ? "docs/how-to/own-rtl.md" : "docs/how-to/own-board.md",
           .function = own_board_function,
           .build_name = own_board_build_name,
           .systemc_name = own_board_systemc_name}};
}

/// Adds the values of a board to the report. Throws UserError if a name cannot be used.
class ReportedValues : public BoardValues {
public:
  ReportedValues(CaptureChain::OwnBoardReport& report, std::size_t board, const std::string& object)
      : report_(report), board_(board), object_(object) {}
  void add(const std::string& key, double value, const std::string& unit, const std::string& description) override {
    const bool named = !key.empty() && key.find_first_not_of("abcdefghijklmnopqrstuvwxyz0123456789_") == key.npos;
    const bool again = std::ranges::any_of(
        report_.values, [&](const auto& other) { return other.board == board_ && other.key == key; });
    if (!named || again || !std::isfinite(value))
      throw UserError(object_ + ": board " + std::to_string(board_) + ": value \"" + key + "\": " +
                      (again    ? "reported twice"
                       : !named ? "must have a name of lower case letters, digits and underscores"
                                : "must be finite"));
    report_.values.push_back({board_, key, value, unit, description});
  }

private:
  CaptureChain::OwnBoardReport& report_;
  std::size_t board_;
  const std::string& object_;
};

Time systemc_now() { return to_time(sc_core::sc_time_stamp()); }

} // namespace

/// All modules of one board, and the account of its words.
struct OwnBoardChain::Modules : sc_core::sc_module, BoardReports {
  OwnBoardChain& chain;
  const CaptureChain::Observers& observers;
  ChainWatch* const watch;
  const std::size_t number;
  const NodeId first_node;
  const EcbParams params;
  const FrameFormat format;
  const Time window;
  std::vector<std::unique_ptr<PerformancePort>> ports;
  Backplane backplane{"backplane"};
  Erb erb;
  StrobeDelivery strobes;
  PbxBus pbx{"pbx"};
  RegisterProgram io_node;
  std::unique_ptr<PbxMasters> masters;
  std::unique_ptr<OwnBoard> board;
  StrobeFaults* faults = nullptr;
  std::unique_ptr<DrainProgram> program; // null if no action of the program takes time or can fail
  BoardWords words;
  std::unique_ptr<LockstepModel> lockstep; // null: the board is not compared with the model
  FrameSink* sink = nullptr;
  std::uint64_t words_read = 0;
  std::uint64_t garbage_fields = 0;
  std::uint64_t unmatched_frames = 0;
  std::uint64_t most_waiting = 0;
  std::optional<Time> loss_at; // while a loss is reported
  Time last_frame;             // end of the last frame that was read
  Time last_match;             // time of the last match with data that a node wrote
  Time reader_away;            // last time at which the program did something other than reading
  bool sending = false;        // a message to the host is under way

  Modules(const sc_core::sc_module_name& name, const Spec& spec, OwnBoardChain& owner, std::size_t b,
          std::size_t event_types, const std::string& directory)
      : sc_module(name), chain(owner), observers(owner.observers_), watch(owner.watch_), number(b),
        first_node(chain.first_node(b)), params(ecb_of(spec, b)), format(spec.get<PortParams>(), params),
        window(params.window_ns), erb("erb", spec.get<ErbParams>()),
        strobes("strobes", static_cast<std::size_t>(params.inputs), bytes_per_datum(spec.get<PortParams>().width_bits)),
        io_node("io_node", format, spec.get<PbxParams>(), spec.get<ReaderParams>(), pbx,
                [this](const RegisterProgram::FrameRead& read) { return frame_read(read); }),
        program(drain_program_of(spec, format, chain.nodes_of(b), event_types)), words(spec.get<PortParams>(), params) {
    for (std::size_t slot = 0; slot < chain.nodes_of(b); ++slot) {
      ports.push_back(std::make_unique<PerformancePort>(("port" + std::to_string(slot)).c_str()));
      ports.back()->strobe_initiator.bind(backplane.strobe_target[slot]);
      if (by_strobes(spec)) ports.back()->strobe_by_strobe(bytes_per_datum(spec.get<PortParams>().width_bits));
    }
    backplane.strobe_initiator.bind(erb.strobe_target);
    erb.strobe_initiator.bind(strobes.strobe_target);
    strobes.on_strobe([this](std::uint32_t input, Time at, std::uint32_t datum, bool flagged) {
      if (watch != nullptr) [[unlikely]]
        watch->strobe(number, input, at, datum);
      words.strobe(input, at, datum);
      if (lockstep != nullptr) lockstep->strobe(input, at, datum, flagged);
    });
    words.on_loss([this](std::uint32_t input, std::uint64_t first, std::uint32_t n, std::optional<LossCause> cause) {
      lose(input, first, n, cause);
    });
    faults = erb.inject(spec.get<FaultParams>(), index(first_node), ports.size(), spec.get<PortParams>().width_bits);
    if (faults != nullptr)
      faults->on_fault([this](const Fault& fault) { observers.fault(NodeId{index(first_node) + fault.input}, fault); });
    io_node.reader().stop(spec.get<FaultParams>().reader_stops_at_ms, spec.get<FaultParams>().reader_stops_for_ms);
    io_node.interrupted_by(program.get());
    masters = std::make_unique<PbxMasters>(spec, b, io_node.pbx_initiator, backplane, pbx, chain.pbx_modules_,
                                           directory, watch != nullptr ? &watch->bus(b) : nullptr);
    pbx.inject_errors(spec.get<FaultParams>(), PbxBus::ecb_frame_fifo);
    if (chain.lockstep_mode_ != Lockstep::none) {
      lockstep = std::make_unique<LockstepModel>(spec, b, chain.nodes_of(b), event_types);
      lockstep->comparison().on_difference(
          [this](const BoardDifference& difference) { chain.differs(number, difference); });
      if (watch != nullptr) watch->lockstep(number, *lockstep);
    }
    make_board(spec, directory);
    const bool may_hold = params.node_fifo_full == WhenFull::stall;
    if (chain.stalls_)
      strobes.follow(may_hold ? board.get() : nullptr,
                     [this](std::uint32_t input) { chain.written(NodeId{index(first_node) + input}); });
  }

  // A board that cannot be made throws.
  void make_board(const Spec& spec, const std::string& directory) {
    const BoardPlace place{.board = number,
                           .inputs = static_cast<std::uint32_t>(ports.size()),
                           .port = spec.get<PortParams>(),
                           .ecb = params,
                           .pbx = spec.get<PbxParams>(),
                           .options = params.module_options,
                           .directory = directory,
                           .strobes = strobes.strobe_initiator,
                           .bus = pbx,
                           .reports = *this};
    try {
      board.reset(chain.object_.function<MakeBoard>()(place));
    } catch (const std::exception& error) {
      throw UserError(chain.object_.name() + ": " + error.what());
    }
    if (board == nullptr) throw UserError(chain.object_.name() + ": has made no board");
    io_node.polls_when(board->frame_waits());
    if (watch == nullptr) return;
    watch->reader(number, io_node.reader());
    board->trace(watch->signals(number));
  }

  // BoardReports
  void lost(const BoardLoss& loss) override {
    loss_at = loss.time.value_or(systemc_now());
    const bool stopped = loss.cause == LossCause::frame_lost && io_node.reader().stopped(*loss_at);
    words.lost(loss.input, stopped ? LossCause::reader_stopped : loss.cause, loss.window, *loss_at);
    loss_at.reset();
  }
  void frames_waiting(std::uint64_t frames) override {
    most_waiting = std::max(most_waiting, frames);
    if (watch != nullptr) [[unlikely]]
      watch->frames_waiting(number, frames);
  }

  void lose(std::uint32_t input, std::uint64_t first, std::uint32_t n, std::optional<LossCause> cause) const {
    if (lockstep != nullptr) lockstep->lost(input, first + n - 1, cause, loss_at.value_or(systemc_now()));
    const NodeId node{index(first_node) + input};
    for (std::uint64_t strobe = first; strobe < first + n; ++strobe) {
      const std::uint64_t sequence = faults != nullptr ? faults->written(input, strobe) : strobe;
      if (cause)
        observers.loss(node, {input, sequence, *cause, loss_at.value_or(systemc_now())});
      else
        observers.lost_in_board(node, sequence);
    }
  }

  // The losses of all words that a frame overtakes are reported before the frame reaches the decoder.
  Drain::Outcome frame_read(const RegisterProgram::FrameRead& read) {
    words_read += read.words;
    last_frame = read.end;
    Drain::Outcome outcome;
    if (program != nullptr && !read.failed) outcome = program->frame_read(read.end, read.frame, read.words);
    const bool kept = !read.failed && outcome.kept;
    const auto match = words.frame_read(
        read.frame, kept ? std::nullopt : std::optional(read.failed ? LossCause::bus_error : LossCause::memory_full));
    if (match.inputs != read.frame.vector) ++unmatched_frames;
    if (match.inputs != 0) last_match = read.end;
    if (!kept) return outcome;
    if (lockstep != nullptr) {
      if (watch != nullptr) watch->frame_read(number, read.frame, read.end);
      lockstep->frame_read(read.frame, read.end);
    }
    garbage_fields += static_cast<std::uint64_t>(std::popcount(read.frame.vector & ~match.inputs));
    const Time captured = match.window ? window * static_cast<std::int64_t>(*match.window) : Time::never();
    const DeliveredFrame frame{read.frame, read.end, captured};
    if (sink != nullptr) sink->frames({&frame, 1});
    if (outcome.hold) chain.send_message(number);
    return outcome;
  }

  bool is_over() const { return strobes.empty() && !io_node.busy() && board->empty() && !sending; }
};

OwnBoardChain::OwnBoardChain(const Spec& spec, std::size_t event_types, const std::string& directory, Clock clock,
                             ChainWatch* watch)
    : CaptureChain(spec), watch_(watch), object_(board_object(spec, watch)), pbx_modules_(pbx_object(spec)),
      clock_(clock), is_rtl_(!spec.get<EcbSection>().rtl.empty()), stalls_(stalls(spec)),
      to_host_(spec.get<DrainParams>().destination == Destination::host), writing_(nodes()),
      standstill_(spec.get<LimitsParams>().steps_at_once), lockstep_mode_(spec.get<EcbSection>().lockstep) {
  for (std::size_t b = 0; b < boards(); ++b) {
    auto& own = *boards_.emplace_back(
        std::make_unique<Modules>(("board" + std::to_string(b)).c_str(), spec, *this, b, event_types, directory));
    for (const auto& port : own.ports) ports_.push_back(port.get());
  }
  if (clock_ == Clock::own) sc_core::sc_start(sc_core::SC_ZERO_TIME); // the ports need an elaborated design
}

OwnBoardChain::~OwnBoardChain() = default;

const DrainProgram* OwnBoardChain::drain_program(std::size_t board) const { return boards_[board]->program.get(); }

void OwnBoardChain::deliver_to(std::size_t board, FrameSink* sink) { boards_[board]->sink = sink; }

void OwnBoardChain::write(const Line& line, Time first, Time spacing, std::span<const std::uint8_t> data,
                          bool flag_first) {
  ports_[index(line.node)]->write(first, spacing, data, flag_first);
  if (loop_) follow(line, first);
}

// --- Effects on the machine

void OwnBoardChain::close_loop(ClosedLoop loop) {
  loop_ = std::make_unique<ClosedLoop>(std::move(loop));
  if (to_host_) sends_.emplace(loop_->bridge);
  watch_later();
}

// SimGrid must wait for SystemC at the first strobe. Faults may lose all strobes of a write: then nothing stalls it.
void OwnBoardChain::follow(const Line& line, Time first) {
  if (stalls_) {
    if (outstanding_++ == 0) writes_.emplace(loop_->bridge);
    writing_[index(line.node)] = true;
  }
  loop_->bridge.post(first + line.delay,
                     [this, line] {
                       if (boards_[line.board]->strobes.empty(line.input)) written(line.node);
                     },
                     {"the board waits for the last strobe of what was written by node", index(line.node)});
}

void OwnBoardChain::written(NodeId node) {
  if (!writing_[index(node)]) return;
  writing_[index(node)] = false;
  if (--outstanding_ == 0) writes_.reset();
  const Line to = line(node);
  observers_.written(node, boards_[to.board]->strobes.last(to.input) - to.delay);
}

// The message leaves when the program has prepared it.
void OwnBoardChain::send_message(std::size_t b) {
  Modules& m = *boards_[b];
  m.sending = true;
  loop_->bridge.post(systemc_now() + m.program->send_time(),
                     [this, b, &m] {
                       loop_->send_to_host(b, m.program->message_due(),
                                           [this, b](Time) { loop_->bridge.call([this, b] { message_sent(b); }); });
                     },
                     {"the host waits for the message of board", static_cast<std::int64_t>(b)});
}

void OwnBoardChain::message_sent(std::size_t b) {
  Modules& m = *boards_[b];
  m.sending = false;
  m.program->message_sent();
  m.io_node.resume();
  if (observers_.message_sent) observers_.message_sent(b, systemc_now());
}

// Runs every millisecond. Boards that poll or have a clock never leave SystemC without events, so that SimGrid would
// wait for ever after the program's end. A board that stalls a strobe for ever would also stall the program.
void OwnBoardChain::watch() {
  require_all_well();
  const bool ended = loop_->program_end() < Time::never();
  if (ended && (!to_host_ || std::ranges::all_of(boards_, [](const auto& m) { return m->is_over(); })))
    return sends_.reset();
  for (const auto& m : boards_) {
    if (m->strobes.held() != 0)
      require_progress(*m, "holds the strobe of input " + std::to_string(std::countr_zero(m->strobes.held())));
    else if (ended && !m->is_over())
      require_progress(*m, "is not empty");
  }
  watch_later();
}

void OwnBoardChain::watch_later() {
  loop_->bridge.post(systemc_now() + 1_ms, [this] { watch(); }, {"a check of the boards", -1});
}

void OwnBoardChain::require_progress(Modules& m, const std::string& state) const {
  const Reader::Doing doing = m.io_node.reader().doing(systemc_now());
  if (doing != Reader::Doing::idle && doing != Reader::Doing::reading) m.reader_away = systemc_now();
  if (systemc_now() > std::max({m.strobes.last(), m.last_match, m.reader_away}) + longest_wait)
    fail(m, state, "for one second it has delivered no data of a node");
}

void OwnBoardChain::fail(const Modules& m, const std::string& state, const std::string& why) const {
  throw std::runtime_error(object_.name() + ": board " + std::to_string(m.number) + " " + state + " at " +
                           std::to_string(systemc_now().seconds()) + " s" +
                           (m.strobes.empty() ? ", after the last strobe" : "") + ": " + why +
                           (is_silent(m) ? "; it has never said that a frame waits (" + waiting_signal() + ")" : "") +
                           (first_difference_ ? "; before, " + difference() : ""));
}

std::string OwnBoardChain::waiting_signal() const {
  return is_rtl_ ? "pin frames_waiting, or without it the register frame_count" : "frame_waits()";
}

// A board that has never had a frame read, though it has an event for waiting frames.
bool OwnBoardChain::is_silent(const Modules& m) const {
  return m.words_read == 0 && m.most_waiting == 0 && !m.io_node.busy() && m.board->frame_waits() != nullptr;
}

// A board that is empty and has never said that a frame waits may have lost all data. If its status register says that
// a frame waits, it is wrong.
void OwnBoardChain::require_no_frames_of_silent_boards() const {
  for (const auto& m : boards_) {
    if (!is_silent(*m) || m->strobes.last() == 0_ps) continue;
    m->io_node.poll_again();
    sc_core::sc_start(to_sc_time(m->io_node.poll_time()));
    require_all_well();
    if (!m->io_node.busy() && m->words_read == 0) continue;
    throw std::runtime_error(object_.name() + ": board " + std::to_string(m->number) +
                             " has never said that a frame waits (" + waiting_signal() +
                             "), but its status register says so after the last strobe");
  }
}

void OwnBoardChain::keep_in_memory(std::size_t items) {
  for (const auto& m : boards_) m->words.keep_in_memory(items);
}

// A strobe at the horizon may still be written.
void OwnBoardChain::drain_to(Time horizon) {
  require_all_well();
  while (clock_ == Clock::own && systemc_now() + 1_ps < horizon) {
    const sc_core::sc_time rest = to_sc_time(horizon - 1_ps - systemc_now());
    const bool idle = !sc_core::sc_pending_activity();
    sc_core::sc_start(idle ? rest : std::min(rest, sc_core::sc_time_to_pending_activity()));
    end_instant("");
    require_all_well();
  }
}

// sc_start(d) leaves the delta cycles at the end time pending.
void OwnBoardChain::end_instant(const std::string& doing) {
  while (sc_core::sc_pending_activity_at_current_time()) {
    if (standstill_.step(systemc_now()))
      throw std::runtime_error(object_.name() + ": simulated time stands still at " +
                               std::to_string(systemc_now().seconds()) + " s" + doing +
                               ": SystemC does more steps than limits.steps_at_once allows there");
    sc_core::sc_start(sc_core::SC_ZERO_TIME);
  }
}

void OwnBoardChain::differs(std::size_t board, const BoardDifference& difference) {
  if (watch_ != nullptr) watch_->differs(board, window(board) * static_cast<std::int64_t>(difference.window));
  if (first_difference_) return;
  first_difference_ = {board, difference};
  stops_at_ = systemc_now() + window(board) * windows_after_difference;
}

std::string OwnBoardChain::difference() const {
  const auto& [board, what] = *first_difference_;
  return "board " + std::to_string(board) + " differs from hypermon's model in window " + std::to_string(what.window) +
         (what.input ? ", input " + std::to_string(*what.input) : "") + ": expected " + what.expected + "; got " +
         what.actual;
}

void OwnBoardChain::stop_at_difference() const {
  if (lockstep_mode_ == Lockstep::stop && first_difference_)
    throw std::runtime_error(object_.name() + ": " + difference() + " (ecb.lockstep = stop)");
}

void OwnBoardChain::require_all_well() const {
  if (systemc_now() >= stops_at_) stop_at_difference();
  for (const auto& m : boards_)
    if (!m->io_node.failure().empty())
      throw UserError(object_.name() + ": board " + std::to_string(m->number) + " " + m->io_node.failure());
}

void OwnBoardChain::finish() {
  if (std::ranges::any_of(boards_, [](const auto& m) { return m->sending; }))
    throw std::logic_error("internal: a message to the host is under way after the run");
  for (;;) {
    require_all_well();
    const auto busy = std::ranges::find_if(boards_, [](const auto& m) { return !m->is_over(); });
    if (busy == boards_.end()) break;
    if (!sc_core::sc_pending_activity()) fail(**busy, "is not empty", "nothing more will happen in it");
    require_progress(**busy, "is not empty");
    sc_core::sc_start(sc_core::sc_time_to_pending_activity());
    end_instant(", after the last strobe");
  }
  require_no_frames_of_silent_boards();
  for (const auto& m : boards_) {
    m->words.finish();
    if (m->lockstep != nullptr) m->lockstep->finish(systemc_now());
  }
  stop_at_difference();
}

std::uint64_t OwnBoardChain::bytes_read() const {
  std::uint64_t words = 0;
  for (const auto& m : boards_) words += m->words_read;
  return 4 * words;
}

std::uint64_t OwnBoardChain::garbage_nibbles() const {
  std::uint64_t nibbles = 0;
  for (const auto& m : boards_) nibbles += m->garbage_fields * m->format.data_bits() / 4;
  return nibbles;
}

void OwnBoardChain::for_each_accumulating(const std::function<void(NodeId node, std::uint64_t data)>& f) const {
  for (std::uint32_t n = 0; n < nodes(); ++n) {
    const Line to = line(NodeId{n});
    if (const std::uint64_t data = boards_[to.board]->words.accumulating(to.input); data > 0) f(to.node, data);
  }
}

Counts OwnBoardChain::counts() const {
  Counts sum;
  for (const auto& m : boards_) {
    Counts c = m->words.counts();
    c.end = m->last_frame;
    c.peak_frame_fifo = std::max(m->most_waiting, m->io_node.most_waiting());
    add_counts(sum, c);
  }
  return sum;
}

std::optional<CaptureChain::Contention> OwnBoardChain::contention() const {
  std::optional<Contention> sum;
  for (const auto& m : boards_)
    m->masters->add_to(sum, m->io_node.accesses().waited(), m->io_node.accesses().longest_wait());
  return sum;
}

std::optional<CaptureChain::OwnBoardReport> OwnBoardChain::own_boards() const {
  OwnBoardReport report;
  for (const auto& m : boards_) {
    report.unmatched_frames += m->unmatched_frames;
    report.unmatched_reports += m->words.unmatched_reports();
    ReportedValues values(report, m->number, object_.name());
    m->board->report(values);
    if (m->lockstep == nullptr) continue;
    if (!report.lockstep) report.lockstep.emplace();
    report.lockstep->differences += m->lockstep->comparison().differences();
    report.lockstep->equal_frames += m->lockstep->comparison().equal_frames();
    report.lockstep->first = first_difference_;
  }
  return report;
}

} // namespace hypermon
