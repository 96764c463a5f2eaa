// SPDX-License-Identifier: BSD-3-Clause
// HYPERMON in a run on the machine: its SystemC modules, and the recording of its input.
#include "base/text_file.hpp"
#include "base/user_error.hpp"
#include "hw/hypermon/wiring/boards.hpp"
#include "hw/hypermon/wiring/drain_link.hpp"
#include "hw/hypermon/wiring/own_board_chain.hpp"
#include "hw/hypermon/wiring/tlm_chain.hpp"
#include "hw/machine/node_seeds.hpp"
#include "sw/instrumentation/catalogue_json.hpp"
#include "sw/instrumentation/params.hpp"
#include "sw/monitors/hypermon/burst_recorder.hpp"
#include "sw/monitors/hypermon/hypermon_monitor.hpp"
#include "sw/monitors/hypermon/recorded_run.hpp"
#include "sw/monitors/hypermon/waves/run_waves.hpp"
#include "sw/monitors/logged_fates.hpp"
#include "sw/monitors/monitor_kind.hpp"

#include <optional>

namespace hypermon {
namespace {

/// Objects that the monitor's base class needs before the monitor itself is constructed.
struct Surroundings {
  DrainLink link;
  std::optional<BurstRecorder> recorder;
  std::optional<WaveCapture> waves;
  std::optional<LoggedFates> fates;

  explicit Surroundings(const MonitorSetting& setting) : link(setting.machine) {
    if (!setting.options.waves.is_null() && own_boards(setting.spec))
      throw UserError(std::string(parameter_of_own_boards(setting.spec)) +
                      ": no waves, which are those of hypermon's own board");
    if (!setting.options.waves.is_null() && contends(setting.spec))
      throw UserError(
          "drain.level = words: no waves where others on the PBX (dma.words, pbx.module) may delay the drain");
    if (setting.options.record) recorder.emplace(setting.directory + "/recording");
    // With statistics the analyst gets no single events.
    if (setting.options.events && setting.spec.get<DrainParams>().reduction != Reduction::statistics)
      fates.emplace(read_catalogue(setting.spec.get<InstrumentationParams>().catalogue), setting.directory);
    if (!setting.options.waves.is_null())
      waves.emplace(setting.spec, wave_request(setting.options.waves, setting.spec, setting.directory + "/waves.vcd"));
  }
  FateSink* told() { return fates ? &*fates : nullptr; }
  std::vector<BurstSink*> sinks() {
    std::vector<BurstSink*> all;
    if (recorder) all.push_back(&*recorder);
    if (waves) all.push_back(&*waves);
    return all;
  }
  std::unique_ptr<CaptureChain> make_chain(const MonitorSetting& setting) {
    const ClosedLoop loop{setting.bridge,
                          [this](std::size_t board, std::int64_t bytes, std::function<void(Time)> when_sent) {
                            link.send(board, bytes, std::move(when_sent));
                          },
                          setting.program_end};
    if (own_boards(setting.spec)) {
      auto chain = std::make_unique<OwnBoardChain>(setting.spec, catalogue_size(setting.spec), setting.directory);
      if (acts_back(setting.spec)) chain->close_loop(loop);
      return chain;
    }
    auto chain = std::make_unique<TlmChain>(setting.spec, catalogue_size(setting.spec), setting.directory);
    if (acts_back(setting.spec) || by_words(setting.spec)) chain->close_loop(loop);
    return chain;
  }
};

class HypermonRun final : private Surroundings, public HypermonMonitor {
public:
  explicit HypermonRun(const MonitorSetting& setting)
      : Surroundings(setting),
        HypermonMonitor(setting.spec, node_clocks(setting.spec), make_chain(setting),
                        {setting.options.discard_at_port, setting.directory, told(), sinks(), setting.options.cut}),
        directory_(setting.directory) {}

  void close(Time begin, Time end) override {
    if (recorder) recorder->measured(begin, end);
    if (waves)
      write_text(directory_ + "/waves.json", [&](std::ostream& file) { file << waves_written(*waves) << '\n'; });
    if (fates) fates->close();
  }

private:
  std::string directory_;
};

} // namespace

namespace {

/// Hypermon's own boards are replayed without SystemC, by the Python module.
std::unique_ptr<Rerun> make_rerun(const Spec& spec, const std::string& directory, FateSink* fates, const Cut& cut) {
  if (!own_boards(spec)) throw UserError("ecb.module or ecb.rtl: must name a board for a replay in SystemC");
  return std::make_unique<RecordedRun>(
      spec, directory, fates, cut,
      std::make_unique<OwnBoardChain>(spec, catalogue_size(spec), directory, OwnBoardChain::Clock::own));
}

} // namespace

MonitorKind hypermon_monitor();
MonitorKind hypermon_monitor() {
  return {.name = "hypermon",
          .make = [](const MonitorSetting& setting) -> std::unique_ptr<Monitor> {
            return std::make_unique<HypermonRun>(setting);
          },
          .io_nodes = io_nodes,
          .make_rerun = make_rerun,
          .is_hardware = true};
}

} // namespace hypermon
