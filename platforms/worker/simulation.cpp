#include "platforms/worker/simulation.hpp"
#include "hw/hypermon/wiring/boards.hpp"
#include "hw/hypermon/wiring/drain_link.hpp"
#include "hw/hypermon/wiring/tlm_chain.hpp"
#include "platforms/cosim/bridge.hpp"
#include "platforms/cosim/simgrid_compat.hpp"
#include "platforms/machine/cpu_params.hpp"
#include "platforms/machine/machine.hpp"
#include "platforms/machine/machine_params.hpp"
#include "platforms/machine/params.hpp"
#include "platforms/machine/processors.hpp"
#include "platforms/worker/children.hpp"
#include "platforms/worker/cpu_report.hpp"
#include "platforms/worker/endings.hpp"
#include "platforms/worker/host_limit.hpp"
#include "platforms/worker/program_compute.hpp"
#include "platforms/worker/program_object.hpp"
#include "platforms/worker/program_surroundings.hpp"
#include "platforms/worker/program_words.hpp"
#include "platforms/worker/rank_end.hpp"
#include "platforms/worker/rank_exit.hpp"
#include "platforms/worker/rank_loader.hpp"
#include "platforms/worker/rank_output.hpp"
#include "platforms/worker/rank_streams.hpp"
#include "platforms/worker/ranks.hpp"
#include "platforms/worker/run_waves.hpp"
#include "platforms/worker/stdio.hpp"
#include "sw/instrumentation/catalogue_json.hpp"
#include "sw/instrumentation/event_volume.hpp"
#include "sw/instrumentation/params.hpp"
#include "sw/instrumentation/text_file.hpp"
#include "sw/instrumentation/unseen.hpp"
#include "sw/model/file_parameter.hpp"
#include "sw/model/json.hpp"
#include "sw/model/limits_params.hpp"
#include "sw/model/recording.hpp"
#include "sw/model/user_error.hpp"
#include "sw/monitors/hypermon/burst_recorder.hpp"
#include "sw/monitors/hypermon/hypermon_monitor.hpp"
#include "sw/monitors/none/none.hpp"
#include "sw/monitors/software/software.hpp"
#include "sw/nx2/nx2.hpp"
#include "sw/nx2/script_recorder.hpp"
#include "sw/workloads/program_params.hpp"
#include "sw/workloads/script.hpp"
#include "sw/workloads/trace_params.hpp"

#include <smpi/smpi.h>
#include <sys/resource.h>

#include <cerrno>
#include <chrono>
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <optional>

namespace hypermon {
namespace {

namespace sg4 = simgrid::s4u;
using Json = nlohmann::ordered_json;

std::filesystem::path workload_object(const Spec& spec) {
  if (spec.workload == "program") return file_parameter(spec.get<ProgramParams>().file)->path;
  const auto binary = std::filesystem::read_symlink("/proc/self/exe");
  return binary.parent_path().parent_path() / "workloads" / ("lib" + spec.workload + ".so");
}

std::string text_of(const Json& value) { return value.is_string() ? value.get<std::string>() : value.dump(); }

std::vector<std::string> program_arguments(const Spec& spec, const RunOptions& options) {
  if (spec.workload == "program") return words_of("program.arguments", spec.get<ProgramParams>().arguments);
  std::vector<std::string> arguments;
  const Json parameters = to_json(spec)[spec.workload];
  for (const auto& [name, value] : parameters.items()) arguments.push_back("--" + name + "=" + text_of(value));
  arguments.push_back("--seed=" + std::to_string(spec.seed));
  arguments.push_back("--output=" + options.directory + "/answer.txt");
  return arguments;
}

std::unique_ptr<CaptureChain> make_chain(const Spec& spec, Bridge& bridge, DrainLink& link) {
  auto chain = std::make_unique<TlmChain>(spec);
  if (acts_back(spec))
    chain->close_loop({bridge,
                       [&link](std::size_t board, std::int64_t bytes, std::function<void(Time)> when_sent) {
                         link.send(board, bytes, std::move(when_sent));
                       },
                       [] { return nx2().program_end(); }});
  return chain;
}

/// What also sees what the nodes write to their ports.
struct Watchers {
  std::unique_ptr<BurstRecorder> recorder;
  std::unique_ptr<WaveCapture> waves;

  Watchers(const Spec& spec, const RunOptions& options) {
    if (options.record) recorder = std::make_unique<BurstRecorder>(options.directory + "/recording");
    if (!options.waves.is_null())
      waves = std::make_unique<WaveCapture>(spec, wave_request(options.waves, spec, options.directory + "/waves.vcd"));
  }
  std::vector<BurstSink*> all() const {
    std::vector<BurstSink*> sinks;
    if (recorder) sinks.push_back(recorder.get());
    if (waves) sinks.push_back(waves.get());
    return sinks;
  }
};

std::unique_ptr<Monitor> make_monitor(const Spec& spec, const RunOptions& options, const Watchers& watchers,
                                      Bridge& bridge, DrainLink& link) {
  if (spec.monitor == "none") return std::make_unique<NoMonitor>();
  if (spec.monitor == "software")
    return std::make_unique<SoftwareMonitor>(spec.get<SoftwareParams>(), node_clocks(spec),
                                             read_catalogue(spec.get<InstrumentationParams>().catalogue));
  return std::make_unique<HypermonMonitor>(
      spec, node_clocks(spec), make_chain(spec, bridge, link),
      HypermonMonitor::Options{options.discard_at_port, options.directory, nullptr, watchers.all(), options.cut.lag()});
}

class Progress {
public:
  explicit Progress(bool on) : on_(on) {}
  void report(Time now) {
    if (!on_) return;
    const auto wall = std::chrono::steady_clock::now();
    if (wall < next_) return;
    next_ = wall + std::chrono::milliseconds(200);
    std::fprintf(stderr, "{\"progress\": {\"simulated_s\": %.3f}}\n", now.seconds());
  }

private:
  bool on_;
  std::chrono::steady_clock::time_point next_;
};

/// Whether a rank runs on the host: the matrix product's, or that of a program script of a rank more than nodes.
bool has_host(const Spec& spec) {
  if (spec.workload != "trace") return spec.workload == "matmul";
  const auto file = file_parameter(spec.get<TraceParams>().file);
  if (!file) throw UserError("trace.file: must be given with workload = \"trace\"");
  std::int64_t ranks = 0;
  try {
    ranks = ScriptFile(file->path).ranks();
  } catch (const std::runtime_error& error) {
    throw UserError(std::string("trace.file = ") + error.what());
  }
  const std::int64_t places = spec.nodes * spec.get<CpuParams>().ranks_per_node;
  if (ranks != places && ranks != places + 1)
    throw UserError("nodes = " + std::to_string(spec.nodes) + ": must be " + std::to_string(ranks) +
                    ", the ranks of trace.file = " + file->path);
  return ranks == places + 1;
}

/// main() of a rank, to its end or a failure of all.
void run_rank(int rank, const RankProgram& program, const std::vector<std::string>& arguments) {
  try {
    const int status = program.run(arguments);
    end_rank(rank, status == 0 ? "returned" : "returned status " + std::to_string(status), status);
  } catch (const simgrid::ForcefulKillException&) {
    throw; // exit()
  } catch (const std::exception& e) {
    if (in_child()) std::abort();
    fail_rank(rank, std::string("ended with an uncaught exception: ") + e.what());
  } catch (...) {
    if (in_child()) std::abort();
    fail_rank(rank, "ended with an uncaught exception");
  }
}

/// Every rank's copy of the program is an open file (RankProgram).
void allow_many_files() {
  rlimit limit{};
  getrlimit(RLIMIT_NOFILE, &limit);
  limit.rlim_cur = limit.rlim_max;
  setrlimit(RLIMIT_NOFILE, &limit);
}

void open_input(const Spec& spec) {
  const auto input = file_parameter(spec.workload == "program" ? spec.get<ProgramParams>().input : "");
  if (input && !rank_streams().open_input(input->path.c_str()))
    throw UserError("program.input = " + input->path + ": cannot be read: " + std::strerror(errno));
}

RankProgram load(int rank, const std::string& object) {
  ranks().loading(rank);
  try {
    RankProgram program(object);
    ranks().loaded(rank, program.object());
    return program;
  } catch (...) {
    ranks().end(); // what is said now is not the rank's
    throw;
  }
}

void start_ranks(const Spec& spec, const RunOptions& options, Nx2& os) {
  const std::string object = workload_object(spec);
  if (!std::filesystem::exists(object))
    throw UserError("workload = \"" + spec.workload + "\": no program at " + object);
  check_program_object(object);
  allow_many_files();
  const auto arguments = program_arguments(spec, options);
  SMPI_app_instance_register("program", nullptr, os.world_size());
  for (int r = 0; r < os.world_size(); ++r) {
    auto actor = sg4::Actor::init("rank" + std::to_string(r), os.place_of(r));
    actor->set_property("instance_id", "program");
    actor->set_property("rank", std::to_string(r));
    const RankProgram program = load(r, object);
    set_destructors(r, program.destructors());
    actor->start([&os, r, arguments, program] {
      ranks().begin(r);
      os.register_rank(r);
      run_rank(r, program, arguments);
    });
  }
}

/// After all have ended.
void fail_if_ranks_did() {
  if (endings().empty()) return;
  std::fflush(nullptr); // what the ranks wrote to files
  on_failure([] { return rank_output().last_lines(endings().first()); });
  fail_simulation("the program failed: " + endings().text());
}

std::string hex(std::uint64_t value) {
  char text[17];
  std::snprintf(text, sizeof text, "%016llx", static_cast<unsigned long long>(value));
  return text;
}

/// All that the nodes did, in one number: every emission's node, time, type and arguments, and when the ranks ended.
std::uint64_t fingerprint(const Nx2& os) {
  std::uint64_t hash = 0;
  for (const RankState& rank : os.ranks()) {
    hash = mix(hash, rank.kernel->fingerprint());
    hash = mix(hash, static_cast<std::uint64_t>((rank.end - rank.begin).ps()));
  }
  return hash;
}

/// HYPERMON figure 14: the nodes' event data as software records.
Json bursts(const EventVolume& volume, Time elapsed) {
  const auto rate = [](std::uint64_t most, std::size_t intervals) {
    const Time length = EventVolume::interval * static_cast<std::int64_t>(intervals);
    return static_cast<double>(most) / length.seconds();
  };
  return {{"interval_ms", EventVolume::interval.seconds() * 1e3},
          {"bytes", volume.total()},
          {"mean_bytes_per_s", elapsed > 0_ps ? static_cast<double>(volume.total()) / elapsed.seconds() : 0.0},
          {"max_1ms_bytes_per_s", rate(volume.most_in_interval(), 1)},
          {"max_20ms_bytes_per_s", rate(volume.most_in_burst(), EventVolume::burst)}};
}

/// What the monitor cannot see of the run, if that is not what one would expect.
std::string unobserved(const Spec& spec) {
  if (spec.monitor == "none") return "";
  return unseen(read_catalogue(spec.get<InstrumentationParams>().catalogue),
                spec.get<MachineParams>().messages == "nx2");
}

Json report(const Spec& spec, const RunOptions& options, Nx2& os, const Monitor& monitor) {
  Json result;
  result["scenario"] = options.scenario;
  result["spec"] = to_json(spec);
  result["versions"] = versions();
  result["fingerprint"] = hex(fingerprint(os));
  Time elapsed;
  Time begin = Time::never();
  Time end;
  Json ranks = Json::array();
  std::uint64_t events = 0;
  std::uint64_t event_bytes = 0;
  const NodeKernel* counted = nullptr;
  for (const RankState& rank : os.ranks()) {
    if (!rank.instrumented) continue;
    const Time own = rank.end - rank.begin;
    elapsed = std::max(elapsed, own);
    begin = std::min(begin, rank.begin);
    end = std::max(end, rank.end);
    const NodeKernel& k = *rank.kernel;
    ranks.push_back({{"elapsed_s", own.seconds()},
                     {"compute_s", rank.compute_time.seconds()},
                     {"mpi_s", (own - rank.compute_time - rank.emission_time).seconds()},
                     {"monitor_s", rank.emission_time.seconds()},
                     {"events", k.events()}});
    if (std::exchange(counted, &k) == &k) continue; // ranks of one node are neighbours
    events += k.events();
    event_bytes += k.event_bytes();
  }
  result["elapsed_s"] = elapsed.seconds();
  result["ranks"] = std::move(ranks);
  result["events"] = events;
  result["event_bytes"] = event_bytes;
  if (const std::string warning = unobserved(spec); !warning.empty()) result["warnings"] = {warning};
  report_processors(result, os);
  monitor.report(result, begin, end);
  if (options.record) // what a replay's report needs beside the result
    write_text(options.directory + "/recording/measured.json", [&](std::ostream& file) {
      file << Json{{"begin_ps", begin.ps()}, {"end_ps", end.ps()}, {"program_end_ps", os.program_end().ps()}} << '\n';
    });
  result["bursts"] = bursts(os.volume(), elapsed);
  return result;
}

} // namespace

Json simulate(const Spec& spec, const RunOptions& options) {
  if (options.record && spec.monitor != "hypermon")
    throw UserError("monitor = " + spec.monitor + ": only under hypermon do nodes write what can be recorded");
  if (!options.waves.is_null() && spec.monitor != "hypermon")
    throw UserError("monitor = " + spec.monitor + ": only hypermon's hardware has waves");
  const Watchers watchers(spec, options);
  // What SMPI says of wrong arguments is kept for the report of the error (sw/nx2/mpi_errors.cpp).
  std::vector<std::string> arguments{"hypermon-sim", "--log=root.thres:critical", "--log=smpi_pmpi.thres:warning",
                                     "--log=no_loc"};
  for (const auto& option : engine_options(spec)) arguments.push_back("--cfg=" + option);
  arguments.push_back("--cfg=contexts/stack-size:" + std::to_string(spec.get<ProgramParams>().stack_bytes / 1024));
  std::vector<char*> argv;
  for (auto& a : arguments) argv.push_back(a.data());
  int argc = static_cast<int>(argv.size());
  argv.push_back(nullptr);
  smpi_init_options(); // before the Engine, or 3.32 refuses some of its options
  sg4::Engine engine(&argc, argv.data());
  Machine machine(spec, io_nodes(spec));
  Bridge bridge("bridge");
  DrainLink drain_link(machine);
  const auto monitor = make_monitor(spec, options, watchers, bridge, drain_link);
  Processors processors(spec);
  Nx2 os(spec, machine, processors, *monitor, has_host(spec));
  set_nx2(&os);
  if (spec.get<BurstsParams>().keep_series) os.volume().keep_series(options.directory + "/bursts.csv");
  SMPI_init();
  os.start();
  std::optional<ScriptRecorder> script;
  if (options.script) {
    std::filesystem::create_directory(options.directory + "/script");
    os.observe_mpi(script.emplace(options.directory + "/script", os.world_size()));
  }
  const ProgramCompute compute(spec, options, os);
  rank_output().open(options.directory);
  on_failure([] {
    const auto rank = ranks().current();
    ranks().end();
    rank_output().flush();
    return (endings().empty() ? "" : "\n  " + endings().text()) + (rank ? rank_output().last_lines(*rank) : "");
  });
  keep_stdio();
  open_input(spec);
  catch_crashes();
  limit_host_time(spec.get<LimitsParams>().host_s);
  bridge.watch(spec.get<LimitsParams>().steps_at_once, [](Time now, const std::string& where) {
    fail_simulation("simulated time stands still at " + std::to_string(now.seconds()) +
                    " s: SystemC does more steps than limits.steps_at_once allows there, the last: " + where);
  });
  if (spec.workload == "program") enter_surroundings(spec.get<ProgramParams>(), options.directory);
  start_ranks(spec, options, os);

  sc_core::sc_start(sc_core::SC_ZERO_TIME);
  if (spec.monitor == "hypermon") bridge.attach(); // nothing else is in SystemC
  Progress progress(options.progress);
  Cut cut = options.cut;
  Time next_advance = cut.next({});
  const Time last = spec.get<LimitsParams>().simulated_s > 0
                        ? Time::from_seconds_rounded(spec.get<LimitsParams>().simulated_s)
                        : Time::never();
  sg4::Engine::on_time_advance_cb([&](double) {
    os.check_reach(0);
    const Time now = Nx2::now();
    if (in_child()) fail_simulation("MPI in a child of fork: only its parent is a rank");
    if (now > last && engine.get_actor_count() > 0)
      fail_simulation("limits.simulated_s = " + to_json(spec)["limits"]["simulated_s"].dump() +
                      ": the program has not ended by then" + os.doing());
    if (now < next_advance) return;
    next_advance = cut.next(now);
    monitor->advance(std::min(now, os.program_end()));
    os.volume().advance(now);
    progress.report(now);
  });
  engine.run();
  if (in_child()) fail_simulation("MPI in a child of fork: only its parent is a rank");
  ranks().end();
  rank_output().flush();
  fail_if_ranks_did();
  monitor->finish(os.program_end());
  os.volume().finish();
  if (script) script->close();
  Json result = report(spec, options, os, *monitor);
  compute.report(result);
  if (watchers.waves)
    write_text(options.directory + "/waves.json",
               [&](std::ostream& file) { file << waves_written(*watchers.waves) << '\n'; });
  SMPI_finalize();
  return result;
}

} // namespace hypermon
