// SPDX-License-Identifier: BSD-3-Clause
#include "sw/monitors/hypermon/waves/module_signals.hpp"
#include "hw/hypermon/core/second_master.hpp"
#include "hw/hypermon/wiring/boards.hpp"
#include "sw/monitors/hypermon/waves/node_waves.hpp"

namespace hypermon {

namespace {

/// True for signals of hypermon's board that depend on a shared bus; the modules report them instead.
bool is_of_bus(const std::string& path, const std::string& board) {
  return path.starts_with(board + ".pbx.") || path == board + ".io_node.word";
}

} // namespace

bool has_waves_of_modules(const Spec& spec) { return !has_waves_of_replays(spec) || boards_follow_systemc(spec); }
bool has_waves_of_replays(const Spec& spec) { return !own_boards(spec) && !contends(spec); }

std::vector<BoardShape> shapes_of(const Spec& spec) {
  std::vector<BoardShape> shapes;
  const auto nodes = static_cast<std::size_t>(spec.nodes);
  for (std::size_t b = 0; b < boards_of(spec); ++b) {
    const EcbParams ecb = ecb_of(spec, b);
    const auto inputs = static_cast<std::size_t>(ecb.inputs);
    shapes.push_back({"board" + std::to_string(b), std::min(inputs, nodes - b * inputs),
                      static_cast<std::uint32_t>(spec.get<PortParams>().width_bits), ecb, spec.get<PbxParams>()});
  }
  return shapes;
}

BoardShape model_shape(BoardShape board) {
  board.name += ".model";
  return board;
}

bool has_models(const Spec& spec) { return spec.get<EcbSection>().lockstep != Lockstep::none; }

ModuleSignals::ModuleSignals(const BoardShape& shape, const Spec& spec) : scope_(shape.name) {
  using enum Signal::Kind;
  if (has_models(spec)) {
    difference = add("lockstep.difference", event);
    actual = add_frames("lockstep.actual", shape);
    expected = add_frames("lockstep.expected", shape);
  }
  if (own_boards(spec)) add_board(shape);
  const std::vector<std::string> has{"idle", "waiting", "transferring"};
  io_node_bus = add("io_node.bus", state, 2, has);
  has_second_master = spec.get<SecondMasterParams>().words > 0;
  if (has_second_master) second_master_bus = add("second_master.bus", state, 2, has);
  std::vector<std::string> registers{"none"};
  for (const RegisterInfo& r : pbx_registers) registers.emplace_back(r.name);
  registers.emplace_back("other");
  master = add("pbx.master", state, 2, {"none", "io_node", "second_master", "module"});
  bus_register = add("pbx.register", state, 3, registers);
  address = add("pbx.address", value, 32);
  word = add("pbx.word", value, 32);
  word_end = add("pbx.word_end", event);
  status_read = add("pbx.status_read", event);
  count_read = add("pbx.frame_count_read", event);
  control_written = add("pbx.control_written", event);
  error = add("pbx.error", event);
}

void ModuleSignals::add_board(const BoardShape& shape) {
  using enum Signal::Kind;
  lines.resize(shape.inputs);
  for (std::size_t i = 0; i < shape.inputs; ++i) {
    const std::string line = "erb.line[" + std::to_string(i) + "]";
    lines[i].strobe = add(line + ".strobe", event);
    lines[i].data = add(line + ".data", value, shape.width);
  }
  for (std::size_t i = 0; i < fault_kinds; ++i) faults[i] = add("erb.fault." + std::string(fault_names[i]), event);
  for (std::size_t i = 0; i < shape.inputs; ++i)
    lines[i].lost = add("ecb.input[" + std::to_string(i) + "].lost", event);
  frames = add("ecb.frame_fifo.level", level, 32);
  for (std::size_t i = 0; i < loss_causes; ++i) losses[i] = add("loss." + std::string(loss_cause_names[i]), event);
  unreported = add("loss.unreported", event);
  data_lost = add("loss.data", level, 64);
  reader = add("io_node.state", state, 3, {"idle", "reading", "busy", "stalled", "stopped", "held"});
  reader_group = add("io_node.group", level, 12);
}

ModuleSignals::Frames ModuleSignals::add_frames(const std::string& scope, const BoardShape& shape) {
  using enum Signal::Kind;
  return {add(scope + ".frame_read", event), add(scope + ".vector", value, static_cast<unsigned>(shape.ecb.inputs)),
          add(scope + ".timestamp", value, static_cast<unsigned>(shape.ecb.timestamp_bits))};
}

std::uint32_t ModuleSignals::add(std::string path, Signal::Kind kind, unsigned bits, std::vector<std::string> names) {
  all_.push_back({scope_ + "." + std::move(path), kind, bits, std::move(names)});
  return static_cast<std::uint32_t>(all_.size() - 1);
}

ModuleLayout::ModuleLayout(const Spec& spec, const std::vector<std::vector<Signal>>& own) {
  const std::vector<Signal> nodes = NodeWaves::signals(spec);
  std::size_t port = 2 * static_cast<std::size_t>(spec.nodes);
  for (std::size_t i = 0; i < port; ++i) of_nodes.push_back(add(nodes[i]));
  for (const BoardShape& shape : shapes_of(spec)) {
    Board& board = boards.emplace_back();
    for (const std::size_t end = port + NodeWaves::board_signals_per_node * shape.inputs; port < end; ++port)
      of_nodes.push_back(add(nodes[port]));
    if (!own_boards(spec)) {
      const BoardSignals signals(shape);
      for (const Signal& s : signals.all()) board.of_board.push_back(is_of_bus(s.path, shape.name) ? absent : add(s));
    }
    const ModuleSignals modules(shape, spec);
    for (const Signal& s : modules.all()) board.of_modules.push_back(add(s));
    if (has_models(spec)) {
      const BoardShape model = model_shape(shape);
      const BoardSignals signals(model);
      for (const Signal& s : signals.all())
        board.of_model.push_back(s.path.starts_with(model.name + ".erb.") ? absent : add(s));
    }
    if (boards.size() > own.size()) continue;
    for (Signal s : own[boards.size() - 1]) {
      s.path = shape.name + ".own_board." + s.path;
      board.own.push_back(add(s));
    }
  }
}

std::uint32_t ModuleLayout::add(const Signal& signal) {
  all.push_back(signal);
  return static_cast<std::uint32_t>(all.size() - 1);
}

bool names_signal(std::string_view glob, std::string_view path) {
  if (glob.empty()) return path.empty() || path.front() == '.';
  if (glob.front() == '*')
    return names_signal(glob.substr(1), path) || (!path.empty() && names_signal(glob, path.substr(1)));
  return !path.empty() && (glob.front() == '?' || glob.front() == path.front()) &&
         names_signal(glob.substr(1), path.substr(1));
}

} // namespace hypermon
