// SPDX-License-Identifier: BSD-3-Clause
// Signals of the modules of a run that writes its waves itself: where the boards follow SystemC's time, or where the
// I/O node shares the bus.
#pragma once
#include "base/spec.hpp"
#include "sw/monitors/hypermon/waves/board_waves.hpp"

namespace hypermon {

/// Whether the waves of a run come from its own modules. Otherwise they are those of a replay beside it.
bool has_waves_of_modules(const Spec& spec);
/// Whether a replay of hypermon's boards, without SystemC, has the waves of such hardware.
bool has_waves_of_replays(const Spec& spec);

/// Shapes of all boards, in order.
std::vector<BoardShape> shapes_of(const Spec& spec);

/// The model beside a board (ecb.lockstep), whose signals are in a scope of the board's.
BoardShape model_shape(BoardShape board);
bool has_models(const Spec& spec);

/// Numbers of the signals of one board's modules in the order of all().
class ModuleSignals {
public:
  ModuleSignals(const BoardShape& shape, const Spec& spec);
  const std::vector<Signal>& all() const { return all_; }

  struct Line { // signals of one input; only with a user's board
    std::uint32_t strobe, data, lost;
  };
  std::vector<Line> lines;
  std::array<std::uint32_t, fault_kinds> faults{};
  std::uint32_t frames{};
  std::array<std::uint32_t, loss_causes> losses{};
  std::uint32_t unreported{}, data_lost{};
  std::uint32_t reader{}, reader_group{};
  struct Frames { // frames that a drain program has read and kept
    std::uint32_t read, vector, timestamp;
  };
  std::uint32_t difference{}; // only with ecb.lockstep, as are the next two:
  Frames actual{}, expected{};
  // Bus.
  std::uint32_t master, address, bus_register, word, word_end, status_read, count_read, control_written, error;
  std::uint32_t io_node_bus, second_master_bus{};
  bool has_second_master = false;
  static constexpr std::uint32_t other_register = 5; ///< value of bus_register at an address that is not the board's

private:
  void add_board(const BoardShape& shape);
  Frames add_frames(const std::string& scope, const BoardShape& shape);
  std::uint32_t add(std::string path, Signal::Kind kind, unsigned bits = 1, std::vector<std::string> names = {});
  std::string scope_;
  std::vector<Signal> all_;
};

/// All signals of such a run, in the order of its file.
struct ModuleLayout {
  /// `own`: signals that each user's board names, below its scope.
  explicit ModuleLayout(const Spec& spec, const std::vector<std::vector<Signal>>& own = {});

  static constexpr std::uint32_t absent = ~std::uint32_t{0};
  struct Board {                           // numbers in the file
    std::vector<std::uint32_t> of_board;   ///< of BoardSignals; absent: taken from the modules. Empty: an own board
    std::vector<std::uint32_t> of_modules; ///< by signal of ModuleSignals
    std::vector<std::uint32_t> own;
    std::vector<std::uint32_t> of_model; ///< of model_shape(); absent: strobes, which both boards receive
  };
  std::vector<Signal> all;
  std::vector<std::uint32_t> of_nodes; ///< by signal of NodeWaves::signals()
  std::vector<Board> boards;

private:
  std::uint32_t add(const Signal& signal);
};

/// Whether a glob names a signal. `*` and `?` also match dots. A scope names all signals in it.
bool names_signal(std::string_view glob, std::string_view path);

} // namespace hypermon
