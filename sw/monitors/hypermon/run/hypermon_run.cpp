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
#include "sw/monitors/hypermon/run/module_waves.hpp"
#include "sw/monitors/hypermon/waves/run_waves.hpp"
#include "sw/monitors/logged_fates.hpp"
#include "sw/monitors/monitor_kind.hpp"

#include <optional>

namespace hypermon {
namespace {

void write_answer(const std::string& directory, const Json& answer) {
  write_text(directory + "/waves.json", [&](std::ostream& file) { file << answer << '\n'; });
}

/// Objects that the monitor's base class needs before the monitor itself is constructed.
struct Surroundings {
  DrainLink link;
  std::optional<BurstRecorder> recorder;
  std::optional<WaveCapture> waves;          // waves of replays beside the run
  std::unique_ptr<ModuleWaves> module_waves; // waves of the run's own modules
  CaptureChain* chain = nullptr;
  std::optional<LoggedFates> fates;

  explicit Surroundings(const MonitorSetting& setting) : link(setting.machine) {
    if (setting.options.record) recorder.emplace(setting.directory + "/recording");
    // With statistics the analyst gets no single events.
    if (setting.options.events && setting.spec.get<DrainParams>().reduction != Reduction::statistics)
      fates.emplace(read_catalogue(setting.spec.get<InstrumentationParams>().catalogue), setting.directory);
    if (setting.options.waves.is_null()) return;
    const std::string file = setting.directory + "/waves.vcd";
    if (has_waves_of_modules(setting.spec))
      module_waves = std::make_unique<ModuleWaves>(setting.spec, setting.options.waves, file);
    else
      waves.emplace(setting.spec, wave_request(setting.options.waves, setting.spec, file));
  }
  FateSink* fate_sink() { return fates ? &*fates : nullptr; }
  std::vector<BurstSink*> sinks() {
    std::vector<BurstSink*> all;
    if (recorder) all.push_back(&*recorder);
    if (waves) all.push_back(&*waves);
    if (module_waves) all.push_back(module_waves.get());
    return all;
  }
  std::unique_ptr<CaptureChain> make_chain(const MonitorSetting& setting) {
    auto made = chain_of(setting);
    chain = made.get();
    return made;
  }

private:
  std::unique_ptr<CaptureChain> chain_of(const MonitorSetting& setting) {
    const ClosedLoop loop{setting.bridge,
                          [this](std::size_t board, std::int64_t bytes, std::function<void(Time)> when_sent) {
                            link.send(board, bytes, std::move(when_sent));
                          },
                          setting.program_end};
    const std::size_t types = catalogue_size(setting.spec);
    if (own_boards(setting.spec)) {
      auto own = std::make_unique<OwnBoardChain>(setting.spec, types, setting.directory,
                                                 OwnBoardChain::Clock::of_machine, module_waves.get());
      if (applies_back_pressure(setting.spec)) own->close_loop(loop);
      return own;
    }
    auto chain = std::make_unique<TlmChain>(setting.spec, types, setting.directory, module_waves.get());
    if (applies_back_pressure(setting.spec) || boards_follow_systemc(setting.spec) || module_waves)
      chain->close_loop(loop);
    return chain;
  }
};

class HypermonRun final : private Surroundings, public HypermonMonitor {
public:
  explicit HypermonRun(const MonitorSetting& setting)
      : Surroundings(setting), HypermonMonitor(setting.spec, node_clocks(setting.spec), make_chain(setting),
                                               {setting.options.discard_at_port, setting.directory, fate_sink(),
                                                sinks(), setting.options.cut}),
        directory_(setting.directory) {
    if (module_waves) module_waves->start(*chain);
  }

  void close(Time begin, Time end) override {
    if (recorder) recorder->measured(begin, end);
    if (module_waves) module_waves->finish();
    if (waves || module_waves) write_answer(directory_, module_waves ? module_waves->written() : waves_written(*waves));
    if (fates) fates->close();
  }

private:
  std::string directory_;
};

/// A replay with the user's boards, which may write waves. Hypermon's own boards are replayed without SystemC, by
/// the Python module.
class OwnBoardRerun final : public Rerun {
public:
  OwnBoardRerun(const Spec& spec, const std::string& directory, const Json& waves)
      : directory_(directory),
        waves_(waves.is_null() ? nullptr : std::make_unique<ModuleWaves>(spec, waves, directory + "/waves.vcd")) {
    auto chain =
        std::make_unique<OwnBoardChain>(spec, catalogue_size(spec), directory, OwnBoardChain::Clock::own, waves_.get());
    CaptureChain& observed = *chain;
    std::vector<BurstSink*> sinks;
    if (waves_) sinks.push_back(waves_.get());
    run_ = std::make_unique<RecordedRun>(spec, directory, nullptr, Cut(), std::move(chain), std::move(sinks));
    if (waves_) waves_->start(observed);
  }

  void program_ends(Time at) override { run_->program_ends(at); }
  void add(NodeId node, Time first, std::span<const std::uint8_t> data, std::uint64_t message,
           MessageSide side) override {
    run_->add(node, first, data, message, side);
  }
  Json finish(const Json& recorded, const std::string& scenario, Time begin, Time end) override {
    Json result = run_->finish(recorded, scenario, begin, end);
    if (waves_) {
      waves_->finish();
      write_answer(directory_, waves_->written());
    }
    return result;
  }
  std::vector<std::pair<std::string, std::string>> places() const override { return run_->places(); }

private:
  std::string directory_;
  std::unique_ptr<ModuleWaves> waves_;
  std::unique_ptr<RecordedRun> run_;
};

std::unique_ptr<Rerun> make_rerun(const Spec& spec, const std::string& directory, const Json& waves) {
  if (!own_boards(spec)) throw UserError("ecb.module or ecb.rtl: must name a board for a replay in SystemC");
  return std::make_unique<OwnBoardRerun>(spec, directory, waves);
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
