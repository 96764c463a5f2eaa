// HYPERMON in a run on the machine: its SystemC modules, and what is recorded of it.
#include "hw/hypermon/wiring/boards.hpp"
#include "hw/hypermon/wiring/drain_link.hpp"
#include "hw/hypermon/wiring/tlm_chain.hpp"
#include "platforms/machine/node_seeds.hpp"
#include "sw/instrumentation/catalogue_json.hpp"
#include "sw/instrumentation/params.hpp"
#include "sw/instrumentation/text_file.hpp"
#include "sw/model/user_error.hpp"
#include "sw/monitors/event_log.hpp"
#include "sw/monitors/hypermon/burst_recorder.hpp"
#include "sw/monitors/hypermon/hypermon_monitor.hpp"
#include "sw/monitors/monitor_kind.hpp"
#include "waves/run_waves.hpp"

#include <optional>

namespace hypermon {
namespace {

/// Tells the log of events what became of them.
class LoggedFates final : public FateSink {
public:
  LoggedFates(const Spec& spec, const std::string& folder)
      : log_(read_catalogue(spec.get<InstrumentationParams>().catalogue), folder) {}
  void delivered(const EmittedEvent& event, Time stamp, Time read_end) override {
    log_.delivered(event.node, event.event.type, event.start, stamp, read_end);
  }
  void lost(const EmittedEvent& event, CauseId) override { log_.lost(event.node, event.event.type, event.start); }
  void spurious(const DecodedEvent& event, Time stamp, Time read_end) override {
    log_.delivered(event.node, event.event.type, stamp, stamp, read_end); // the analyst cannot know
  }
  void close() { log_.close(); }

private:
  EventLog log_;
};

/// What the monitor's base needs before it is there itself.
struct Surroundings {
  DrainLink link;
  std::optional<BurstRecorder> recorder;
  std::optional<WaveCapture> waves;
  std::optional<LoggedFates> fates;

  explicit Surroundings(const MonitorSetting& setting) : link(setting.machine) {
    if (!setting.options.waves.is_null() && contends(setting.spec))
      throw UserError(
          "drain.level = words: no waves where others on the PBX (dma.words, pbx.module) may delay the drain");
    if (setting.options.record) recorder.emplace(setting.directory + "/recording");
    // Of statistics an analyst has no event.
    if (setting.options.events && setting.spec.get<DrainParams>().reduction != Reduction::statistics)
      fates.emplace(setting.spec, setting.directory);
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
    auto chain = std::make_unique<TlmChain>(setting.spec, setting.directory);
    if (acts_back(setting.spec) || by_words(setting.spec))
      chain->close_loop({setting.bridge,
                         [this](std::size_t board, std::int64_t bytes, std::function<void(Time)> when_sent) {
                           link.send(board, bytes, std::move(when_sent));
                         },
                         setting.program_end});
    return chain;
  }
};

class HypermonRun final : private Surroundings, public HypermonMonitor {
public:
  explicit HypermonRun(const MonitorSetting& setting)
      : Surroundings(setting), HypermonMonitor(setting.spec, node_clocks(setting.spec), make_chain(setting),
                                               {setting.options.discard_at_port, setting.directory, told(), sinks(),
                                                setting.options.cut.lag()}),
        directory_(setting.directory) {}

  void finish(Time program_end) override {
    HypermonMonitor::finish(program_end);
    program_end_ = program_end;
  }
  void close(Time begin, Time end) override {
    if (recorder) // what a replay's report needs beside the result
      write("/recording/measured.json",
            {{"begin_ps", begin.ps()}, {"end_ps", end.ps()}, {"program_end_ps", program_end_.ps()}});
    if (waves) write("/waves.json", waves_written(*waves));
    if (fates) fates->close();
  }

private:
  void write(const std::string& name, const nlohmann::ordered_json& json) const {
    write_text(directory_ + name, [&](std::ostream& file) { file << json << '\n'; });
  }

  std::string directory_;
  Time program_end_;
};

} // namespace

MonitorKind hypermon_monitor();
MonitorKind hypermon_monitor() {
  return {.name = "hypermon",
          .make = [](const MonitorSetting& setting) -> std::unique_ptr<Monitor> {
            return std::make_unique<HypermonRun>(setting);
          },
          .io_nodes = io_nodes,
          .is_hardware = true};
}

} // namespace hypermon
