// SPDX-License-Identifier: BSD-3-Clause
#include "sw/monitors/hypermon/run/module_waves.hpp"
#include "base/clock.hpp"
#include "base/user_error.hpp"
#include "hw/hypermon/tlm/sc_times.hpp"
#include "hw/hypermon/wiring/boards.hpp"
#include "hw/hypermon/wiring/lockstep_model.hpp"
#include "sw/instrumentation/catalogue_json.hpp"
#include "sw/instrumentation/params.hpp"
#include "sw/instrumentation/record.hpp"

#include <algorithm>
#include <cstring>
#include <map>

namespace hypermon {

namespace {

constexpr Time settles_every = 10_us;

Time systemc_now() { return to_time(sc_core::sc_time_stamp()); }

constexpr std::array<const char*, 4> kinds{"event", "value", "level", "state"};

} // namespace

/// Observer of one board's modules. Its signals begin at `base` among the modules' values.
class ModuleWaves::Board : public BusWatch, public TracedSignals {
public:
  Board(ModuleWaves& waves, const BoardShape& shape, const Spec& spec) : waves_(waves), signals_(shape, spec) {}

  const ModuleSignals& signals() const { return signals_; }
  const std::vector<Signal>& own() const { return own_; }
  void begin_at(std::uint32_t base) { base_ = base; }
  std::uint32_t base() const { return base_; }
  void put(Time time, std::uint32_t signal, std::uint64_t value) { waves_.put(*this, time, signal, value); }

  /// Begins at time 0, before anything has happened.
  void begin(bool is_own_board) {
    for (const std::uint32_t signal : {signals_.master, signals_.bus_register, signals_.io_node_bus})
      put(0_ps, signal, 0);
    if (signals_.has_second_master) put(0_ps, signals_.second_master_bus, 0);
    if (!is_own_board) return;
    put(0_ps, signals_.frames, 0);
    put(0_ps, signals_.data_lost, 0);
  }
  void follow(const Reader& reader) { reader_ = &reader; }
  /// Reads the values that no module reports.
  void read(Time now) {
    if (reader_ != nullptr) {
      sample(now, signals_.reader, static_cast<std::uint64_t>(reader_->doing(now)), doing_);
      sample(now, signals_.reader_group, reader_->left(), left_);
    }
    for (Read& r : reads_) sample(now, r.signal, r.read(), r.last);
  }
  std::uint64_t data_lost = 0;
  std::unique_ptr<BoardWaves> waves; ///< waves of hypermon's board
  LockstepModel* model = nullptr;
  std::unique_ptr<BoardWaves> model_waves;

  // BusWatch
  void requests(Master master, const tlm::tlm_generic_payload& payload) override {
    masters_[&payload] = master;
    show(systemc_now(), master, 1);
  }
  void begins(const tlm::tlm_generic_payload& payload) override {
    const auto found = masters_.find(&payload);
    const Master master = found != masters_.end() ? found->second : Master::module;
    current_ = master;
    const Time now = begin_ = systemc_now();
    show(now, master, 2);
    put(now, signals_.master, static_cast<std::uint64_t>(master));
    put(now, signals_.address, payload.get_address() & 0xffffffffU);
    const RegisterInfo* which = register_of(payload);
    put(now, signals_.bus_register,
        which != nullptr ? static_cast<std::uint64_t>(which - pbx_registers.data()) + 1
                         : ModuleSignals::other_register);
  }
  void ends(const tlm::tlm_generic_payload& payload, sc_core::sc_time end) override {
    const Time at = to_time(end);
    const RegisterInfo* which = register_of(payload);
    std::uint32_t word = 0;
    std::memcpy(&word, payload.get_data_ptr(), std::min<std::size_t>(sizeof word, payload.get_data_length()));
    // A reset ends the word that is on the bus.
    const bool writes = payload.is_write() && payload.is_response_ok();
    if (writes && which != nullptr && which->offset == PbxRegister::control && (word & control_bits::reset) != 0)
      waves_.forget_after(*this, at);
    show(at, current_, 0);
    put(at, signals_.master, 0);
    put(at, signals_.bus_register, 0);
    masters_.erase(&payload);
    if (payload.is_response_error()) put(at, signals_.error, 1);
    if (payload.get_data_length() != sizeof(std::uint32_t)) return;
    // A read that takes no time would hide the word that ends at the same time.
    if (at != begin_) put(at, signals_.word, word);
    if (which == nullptr) return;
    switch (which->offset) {
    case PbxRegister::control:
      return put(at, signals_.control_written, 1);
    case PbxRegister::status:
      return put(at, signals_.status_read, 1);
    case PbxRegister::frame_count:
      return put(at, signals_.count_read, 1);
    case PbxRegister::frame_fifo:
      return put(at, signals_.word_end, 1);
    }
  }

  // TracedSignals
  void add(const std::string& name, unsigned bits, std::function<std::uint64_t()> read) override {
    reads_.push_back({static_cast<std::uint32_t>(declare(name, bits)), std::move(read), {}});
  }
  std::size_t declare(const std::string& name, unsigned bits) override {
    if (bits < 1 || bits > 64 || name.empty() || !std::ranges::all_of(name, [](char c) { return c > ' ' && c < 127; }))
      throw UserError("waves: signal \"" + name + "\" of the board: must have a name without blanks and 1 to 64 bits");
    own_.push_back({name, Signal::Kind::value, bits, {}});
    return signals_.all().size() + own_.size() - 1;
  }
  void change(std::size_t signal, Time time, std::uint64_t value) override {
    put(time, static_cast<std::uint32_t>(signal), value);
  }

private:
  struct Read {
    std::uint32_t signal;
    std::function<std::uint64_t()> read;
    std::optional<std::uint64_t> last;
  };
  static const RegisterInfo* register_of(const tlm::tlm_generic_payload& payload) {
    return PbxBus::ecb_registers.contains(payload.get_address())
               ? find_register(payload.get_address() - PbxBus::ecb_registers.base)
               : nullptr;
  }
  void sample(Time now, std::uint32_t signal, std::uint64_t value, std::optional<std::uint64_t>& last) {
    if (last != value) put(now, signal, value);
    last = value;
  }
  void show(Time time, Master master, std::uint64_t state) {
    if (master == Master::io_node) put(time, signals_.io_node_bus, state);
    if (master == Master::second_master && signals_.has_second_master) put(time, signals_.second_master_bus, state);
  }

  ModuleWaves& waves_;
  ModuleSignals signals_;
  std::uint32_t base_ = 0;
  std::vector<Signal> own_;
  std::vector<Read> reads_;
  const Reader* reader_ = nullptr;
  std::optional<std::uint64_t> doing_, left_;
  std::map<const tlm::tlm_generic_payload*, Master> masters_;
  Master current_ = Master::none;
  Time begin_; // of the transaction that has the bus
};

ModuleWaves::ModuleWaves(const Spec& spec, const Json& request, std::string path)
    : spec_(spec),
      request_(wave_request(request, spec, std::move(path))), limits_{request.at("most_kept").get<std::uint64_t>(),
                                                                      request.at("most_written").get<std::uint64_t>()},
      only_(request.at("only").get<std::vector<std::string>>()),
      board_object_(request.at("board_object").get<std::string>()),
      inputs_(static_cast<std::size_t>(spec.get<EcbSection>().inputs)),
      catalogue_(read_catalogue(spec.get<InstrumentationParams>().catalogue)), layout_(spec) {
  for (const BoardShape& shape : shapes_of(spec)) boards_.push_back(std::make_unique<Board>(*this, shape, spec));
  for (const auto& board : boards_) board->begin(own_boards(spec));
}

ModuleWaves::~ModuleWaves() = default;

BusWatch& ModuleWaves::bus(std::size_t board) { return *boards_[board]; }
TracedSignals& ModuleWaves::signals(std::size_t board) { return *boards_[board]; }
void ModuleWaves::reader(std::size_t board, const Reader& reader) { boards_[board]->follow(reader); }

void ModuleWaves::start(CaptureChain& chain) {
  std::vector<std::vector<Signal>> own;
  for (const auto& board : boards_) own.push_back(board->own());
  layout_ = ModuleLayout(spec_, own);
  std::vector<bool> wanted(layout_.all.size(), only_.empty());
  for (const std::string& glob : only_) {
    bool any = false;
    for (std::size_t i = 0; i < wanted.size(); ++i)
      if (names_signal(glob, layout_.all[i].path)) wanted[i] = any = true;
    if (!any) throw UserError("--wave-signals " + glob + ": no such signal");
  }
  const std::vector<bool> every(layout_.all.size(), true); // a trigger may be any signal
  nodes_.emplace(spec_, every);
  nodes_->begin(0_ps, Time::never());
  lag_ = std::max(4 * clock_period, nodes_->lead() + 1_ps);
  std::vector<Signal> of_modules;
  for (std::size_t b = 0; b < boards_.size(); ++b) {
    boards_[b]->begin_at(static_cast<std::uint32_t>(module_numbers_.size()));
    const ModuleLayout::Board& numbers = layout_.boards[b];
    for (const auto* part : {&numbers.of_modules, &numbers.own})
      for (const std::uint32_t number : *part) {
        module_numbers_.push_back(number);
        of_modules.push_back(layout_.all[number]);
      }
  }
  values_.emplace(of_modules, every, 0_ps);
  writer_.emplace(request_.path, layout_.all, wanted, limits_);
  if (request_.trigger)
    writer_->around(triggers(), request_.pre, request_.post);
  else
    writer_->window(request_.from, request_.to);
  own_chain_ = dynamic_cast<BoardChain*>(&chain);
  for (const auto& board : boards_) board->read(0_ps);
  for (std::size_t b = 0; own_chain_ != nullptr && b < boards_.size(); ++b) {
    BoardShape shape = shapes_of(spec_)[b];
    shape.is_bus_apart = true;
    boards_[b]->waves = std::make_unique<BoardWaves>(shape, every, 0_ps, Time::never());
    boards_[b]->waves->begin(own_chain_->board(b));
    own_chain_->attach(b, boards_[b]->waves.get());
  }
  start_models();
  chain.tell_also([this](NodeId node, const Loss& loss) { lost(node, loss.cause, loss.time); },
                  [this](NodeId node, const Fault& fault) {
                    if (is_over()) return;
                    Board& board = *boards_[index(node) / inputs_];
                    if (board.waves)
                      board.waves->fault(fault);
                    else
                      board.put(fault.time, board.signals().faults[static_cast<std::size_t>(fault.kind)], 1);
                  },
                  [this](NodeId node) { lost(node, {}, systemc_now()); });
  instants_ = std::make_unique<EachInstant>([this] { at_instant(); });
}

void ModuleWaves::start_models() {
  const std::vector<BoardShape> shapes = shapes_of(spec_);
  for (std::size_t b = 0; has_models(spec_) && b < boards_.size(); ++b) {
    Board& board = *boards_[b];
    const BoardShape shape = model_shape(shapes[b]);
    const std::vector<bool> every(layout_.boards[b].of_model.size(), true);
    board.model_waves = std::make_unique<BoardWaves>(shape, every, 0_ps, Time::never());
    board.model_waves->begin(board.model->model());
    board.model->model().attach(board.model_waves.get());
    board.model->on_model_loss([&board](const Loss& loss) { board.model_waves->lost(loss); });
    board.model->on_model_frame([this, &board](const DeliveredFrame& frame) {
      put_frame(board, board.signals().expected, frame.frame, frame.read_end);
    });
  }
}

// An event of a node or a difference between boards is no trigger in the hardware, so no signal can trigger.
std::vector<WindowWriter::Trigger> ModuleWaves::triggers() const {
  std::vector<WindowWriter::Trigger> all;
  if (request_.trigger->event || request_.trigger->difference) return all;
  const auto& above = request_.trigger->above;
  for (std::size_t b = 0; b < boards_.size(); ++b) {
    const std::string board = "board" + std::to_string(b) + ".";
    for (std::uint32_t i = 0; i < layout_.all.size(); ++i) {
      const std::string& path = layout_.all[i].path;
      const bool is_level = path == board + "ecb.frame_fifo.level";
      const bool is_loss = path.starts_with(board + "loss.") && layout_.all[i].kind == Signal::Kind::event;
      const auto& cause = request_.trigger->cause;
      const bool is_cause =
          !cause || path == board + "loss." + std::string(loss_cause_names[static_cast<std::size_t>(*cause)]);
      if (above ? is_level : is_loss && is_cause) all.push_back({i, above, b});
    }
  }
  return all;
}

void ModuleWaves::add(NodeId node, Time first, Time spacing, std::span<const std::uint8_t> data, std::uint64_t,
                      MessageSide) {
  if (is_over()) return;
  nodes_->burst(index(node), first, spacing, data);
  DecodedRecord record;
  if (!request_.trigger || !request_.trigger->event || event_at_ || index(node) != request_.trigger->event->node)
    return;
  if (decode_burst(data, spec_.get<PortParams>().width_bits, record, catalogue_) &&
      record.event.type == request_.trigger->event->type)
    event_at_ = first;
}

void ModuleWaves::strobe(std::size_t board, std::uint32_t input, Time at, std::uint32_t datum) {
  Board& b = *boards_[board];
  const ModuleSignals::Line& line = b.signals().lines[input];
  b.put(at, line.strobe, 1);
  b.put(at, line.data, datum);
}

void ModuleWaves::frames_waiting(std::size_t board, std::uint64_t frames) {
  boards_[board]->put(systemc_now(), boards_[board]->signals().frames, frames);
}

void ModuleWaves::lockstep(std::size_t board, LockstepModel& model) { boards_[board]->model = &model; }

void ModuleWaves::frame_read(std::size_t board, const EventFrame& frame, Time end) {
  put_frame(*boards_[board], boards_[board]->signals().actual, frame, end);
}

void ModuleWaves::put_frame(const Board& board, const ModuleSignals::Frames& signals, const EventFrame& frame,
                            Time end) {
  put(board, end, signals.read, 1);
  put(board, end, signals.vector, frame.vector);
  put(board, end, signals.timestamp, frame.timestamp);
}

void ModuleWaves::differs(std::size_t board, Time window) {
  const Time now = systemc_now();
  put(*boards_[board], now, boards_[board]->signals().difference, 1);
  if (!difference_) difference_ = {std::min(window, now), now, board};
}

void ModuleWaves::lost(NodeId node, std::optional<LossCause> cause, Time at) {
  if (is_over()) return;
  Board& board = *boards_[index(node) / inputs_];
  const auto input = static_cast<std::uint32_t>(index(node) % inputs_);
  if (board.waves) return board.waves->lost({input, 0, *cause, at});
  const ModuleSignals& signals = board.signals();
  board.put(at, signals.lines[input].lost, 1);
  board.put(at, cause ? signals.losses[static_cast<std::size_t>(*cause)] : signals.unreported, 1);
  board.put(at, signals.data_lost, ++board.data_lost);
}

void ModuleWaves::put(const Board& board, Time time, std::uint32_t signal, std::uint64_t value) {
  if (is_over()) return;
  updates_.push({time, order_++, &board, signal, value});
}

// Changes of the bus alone: faults are reported ahead of SystemC's time, too.
void ModuleWaves::forget_after(const Board& board, Time time) {
  const auto is_of_bus = [&](std::uint32_t signal) {
    return signal >= board.signals().io_node_bus && signal <= board.signals().error;
  };
  std::vector<Update> kept;
  for (; !updates_.empty(); updates_.pop()) {
    const Update& next = updates_.top();
    if (next.board != &board || next.time <= time || !is_of_bus(next.signal)) kept.push_back(next);
  }
  for (const Update& update : kept) updates_.push(update);
}

bool ModuleWaves::is_over() const { return writer_ && writer_->done(); }

void ModuleWaves::at_instant() {
  if (is_over()) return;
  const Time now = systemc_now();
  for (const auto& board : boards_) board->read(now);
  if (now < next_settle_) return;
  settle(now - lag_);
  next_settle_ = now + settles_every;
  if (is_over()) detach();
}

// Stops taking changes from the boards.
void ModuleWaves::detach() {
  for (std::size_t b = 0; b < boards_.size(); ++b) {
    if (boards_[b]->waves) own_chain_->attach(b, nullptr);
    if (boards_[b]->model != nullptr) {
      boards_[b]->model->model().attach(nullptr);
      boards_[b]->model->on_model_loss({});
      boards_[b]->model->on_model_frame({});
    }
    boards_[b]->waves.reset();
    boards_[b]->model_waves.reset();
  }
}

// All changes before `until` are known.
void ModuleWaves::settle(Time until) {
  if (until <= 0_ps) return;
  for (const auto& board : boards_)
    if (board->model != nullptr) board->model->follow(until);
  for (; !updates_.empty() && updates_.top().time < until; updates_.pop()) {
    const Update& update = updates_.top();
    values_->go_to(std::max(update.time, values_->now()));
    const std::uint32_t signal = update.board->base() + update.signal;
    if (layout_.all[module_numbers_[signal]].kind == Signal::Kind::event)
      values_->mark(signal);
    else
      values_->set(signal, update.value);
  }
  values_->go_to(std::max(until, values_->now()));
  merged_.clear();
  nodes_->advance(until);
  take(nodes_->changes(), layout_.of_nodes, until);
  for (std::size_t b = 0; b < boards_.size(); ++b) {
    const ModuleLayout::Board& numbers = layout_.boards[b];
    for (const auto& [waves, of_waves] : {std::pair(boards_[b]->waves.get(), &numbers.of_board),
                                          std::pair(boards_[b]->model_waves.get(), &numbers.of_model)}) {
      if (waves == nullptr) continue;
      waves->advance(until);
      take(waves->changes(), *of_waves, until);
    }
  }
  take(values_->changes(), module_numbers_, until);
  find_trigger(until);
  writer_->add(merged_, until);
}

// A difference is found after its window, up to which the changes must be kept.
void ModuleWaves::find_trigger(Time until) {
  if (event_at_ && *event_at_ < until) writer_->found(*event_at_, *event_at_, request_.trigger->event->node / inputs_);
  if (!request_.trigger || !request_.trigger->difference) return;
  if (difference_) return writer_->found(difference_->window, difference_->seen, difference_->board);
  Time since = until;
  for (const auto& board : boards_) since = std::min(since, board->model->open_since(systemc_now()));
  writer_->hold(since);
}

void ModuleWaves::take(std::vector<Change>& changes, const std::vector<std::uint32_t>& numbers, Time until) {
  const auto middle = std::ssize(merged_);
  const auto later = std::ranges::partition_point(changes, [&](const Change& change) { return change.time < until; });
  std::for_each(changes.begin(), later, [&](Change change) {
    change.signal = numbers[change.signal];
    if (change.signal != ModuleLayout::absent) merged_.push_back(change);
  });
  changes.erase(changes.begin(), later);
  std::inplace_merge(merged_.begin(), merged_.begin() + middle, merged_.end(),
                     [](const Change& x, const Change& y) { return x.time < y.time; });
}

void ModuleWaves::finish() {
  instants_.reset();
  const Time end = systemc_now() + lag_;
  if (!writer_->done()) {
    for (const auto& board : boards_) board->read(systemc_now());
    settle(end);
  }
  writer_->finish(end);
}

Json ModuleWaves::written() const {
  const auto& written = writer_->written();
  if (!written) return nullptr;
  Json signals = Json::array();
  for (const Signal& s : layout_.all)
    signals.push_back(Json::array({s.path, kinds[static_cast<std::size_t>(s.kind)], s.bits, s.names}));
  return {{"from_ps", written->from.ps()},
          {"to_ps", written->to.ps()},
          {"marker_ps", written->trigger ? Json(written->trigger->ps()) : Json()},
          {"board", written->trigger ? Json(written->board) : Json()},
          {"transitions", written->transitions},
          {"is_cut", written->is_cut},
          {"signals", signals},
          {"wanted", writer_->wanted()}};
}

} // namespace hypermon
