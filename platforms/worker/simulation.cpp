// SPDX-License-Identifier: BSD-3-Clause
#include "platforms/worker/simulation.hpp"
#include "base/file_parameter.hpp"
#include "base/json.hpp"
#include "base/limits_params.hpp"
#include "base/plain_number.hpp"
#include "base/run_keys.hpp"
#include "base/text_file.hpp"
#include "base/user_error.hpp"
#include "hw/cosim/bridge.hpp"
#include "hw/cosim/simgrid_compat.hpp"
#include "hw/cosim/sleep.hpp"
#include "hw/machine/machine.hpp"
#include "hw/machine/machine_params.hpp"
#include "hw/machine/neighbour_spec.hpp"
#include "hw/machine/processors.hpp"
#include "hw/machine/rank_times.hpp"
#include "hw/packets/piosim_run.hpp"
#include "platforms/site/run_site.hpp"
#include "platforms/worker/children.hpp"
#include "platforms/worker/cpu_report.hpp"
#include "platforms/worker/describe.hpp"
#include "platforms/worker/endings.hpp"
#include "platforms/worker/host_limit.hpp"
#include "platforms/worker/program_object.hpp"
#include "platforms/worker/programs.hpp"
#include "platforms/worker/rank_end.hpp"
#include "platforms/worker/rank_output.hpp"
#include "platforms/worker/rank_streams.hpp"
#include "platforms/worker/ranks.hpp"
#include "platforms/worker/registry.hpp"
#include "platforms/worker/stdio.hpp"
#include "sw/instrumentation/catalogue_json.hpp"
#include "sw/instrumentation/event_volume.hpp"
#include "sw/instrumentation/event_volume_keys.hpp"
#include "sw/instrumentation/params.hpp"
#include "sw/instrumentation/unseen.hpp"
#include "sw/messages/packets_mpi.hpp"
#include "sw/mpi/script_recorder.hpp"
#include "sw/mpi/unmodelled_calls.hpp"
#include "sw/mpiio/library.hpp"
#include "sw/nx2/protocol.hpp"
#include "sw/os/activity.hpp"
#include "sw/os/operating_system.hpp"

#include <smpi/smpi.h>
#include <sys/resource.h>

#include <cerrno>
#include <chrono>
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <optional>
#include <utility>

namespace hypermon {
namespace {

namespace sg4 = simgrid::s4u;

std::filesystem::path workload_object(const Spec& spec) {
  if (const auto object = workload_kind(spec).object) return object(spec);
  const auto binary = std::filesystem::read_symlink("/proc/self/exe");
  return binary.parent_path().parent_path() / "workloads" / ("lib" + spec.workload + ".so");
}

/// The value as text for a program; a `~` in the path of a file is expanded.
std::string text_of(const Json& value) {
  if (!value.is_string()) return value.dump();
  const auto text = value.get<std::string>();
  return file_parameter(text) ? expanded_home(text) : text;
}

std::vector<std::string> program_arguments(const Spec& spec, const RunOptions& options) {
  if (const auto own = workload_kind(spec).arguments) return own(spec);
  std::vector<std::string> arguments;
  const Json parameters = to_json(spec)[spec.workload];
  for (const auto& [name, value] : parameters.items()) arguments.push_back("--" + name + "=" + text_of(value));
  arguments.push_back("--seed=" + std::to_string(spec.seed));
  arguments.push_back("--output=" + options.directory + "/answer.txt");
  return arguments;
}

class Progress {
public:
  explicit Progress(bool on) : on_(on) {}
  /// `before` is called before a line is written.
  template <class Before> void report(Time now, Before&& before) {
    if (!on_) return;
    const auto wall = std::chrono::steady_clock::now();
    if (wall < next_) return;
    next_ = wall + std::chrono::milliseconds(200);
    before();
    rank_output().flush(); // a terminal shows the ranks' output while the run goes on
    std::fprintf(stderr, "{\"progress\": {\"simulated_s\": %.3f}}\n", now.seconds());
  }

private:
  bool on_;
  std::chrono::steady_clock::time_point next_;
};

/// Raises the limit of open files: every rank's copy of the program is an open file (RankProgram).
void allow_many_files() {
  rlimit limit{};
  getrlimit(RLIMIT_NOFILE, &limit);
  limit.rlim_cur = limit.rlim_max;
  setrlimit(RLIMIT_NOFILE, &limit);
}

void open_input(const Spec& spec) {
  const auto input = workload_kind(spec).input;
  const std::string file = input != nullptr ? input(spec) : "";
  if (!file.empty() && !rank_streams().open_input(file.c_str()))
    throw UserError(spec.workload + ".input = " + file + ": cannot be read: " + std::strerror(errno));
}

void start_programs(const Spec& spec, const RunOptions& options, OperatingSystem& os) {
  allow_many_files();
  const auto start = [&](std::size_t number, const Spec& seen, const RunOptions& own, const std::string& object) {
    if (!std::filesystem::exists(object))
      throw UserError("workload = \"" + seen.workload + "\": no program at " + object);
    check_program_object(object);
    start_program({number, object, program_arguments(seen, own)}, spec, os);
  };
  start(0, spec, options, workload_object(spec));
  for (std::size_t p = 0; p + 1 < os.ranks.programs(); ++p) {
    const Spec seen = neighbour_spec(spec, p, "neighbour");
    RunOptions beside = options;
    beside.directory += "/neighbour" + std::to_string(p);
    std::filesystem::create_directory(beside.directory);
    start(p + 1, seen, beside, workload_object(seen));
  }
}

/// Call this after all ranks have ended.
void fail_if_ranks_did() {
  if (endings().empty()) return;
  std::fflush(nullptr); // output of the ranks to files
  on_failure([] { return rank_output().last_lines(endings().first()); });
  fail_simulation("the program failed: " + endings().text());
}

std::string hex(std::uint64_t value) {
  char text[17];
  std::snprintf(text, sizeof text, "%016llx", static_cast<unsigned long long>(value));
  return text;
}

NodeId node_of(int number) { return NodeId{static_cast<std::uint32_t>(number)}; }

/// A hash of everything that the nodes did: every emission's node, time, type and arguments, and the ends of the ranks.
std::uint64_t fingerprint(OperatingSystem& os) {
  std::uint64_t hash = 0;
  for (const RankState& rank : os.ranks.all()) {
    if (rank.program > 0) continue;
    hash = mix(hash, rank.kernel->fingerprint());
    hash = mix(hash, static_cast<std::uint64_t>((rank.section.end - rank.section.begin).ps()));
  }
  if (os.ranks.all().empty())
    for (int n = 0; n < os.kernels.nodes(); ++n) hash = mix(hash, os.kernels.at(node_of(n)).fingerprint());
  return hash;
}

/// HYPERMON figure 14: the volume of the nodes' event data, as software would record them.
ResultValues bursts(const EventVolume& volume, Time elapsed) {
  const auto rate = [](std::uint64_t most, std::size_t intervals) {
    const Time length = EventVolume::interval * static_cast<std::int64_t>(intervals);
    return static_cast<double>(most) / length.seconds();
  };
  return {burst_keys.interval_ms(EventVolume::interval), burst_keys.bytes(volume.total()),
          burst_keys.mean_bytes_per_s(elapsed > 0_ps ? static_cast<double>(volume.total()) / elapsed.seconds() : 0.0),
          burst_keys.max_1ms_bytes_per_s(rate(volume.most_in_interval(), 1)),
          burst_keys.max_20ms_bytes_per_s(rate(volume.most_in_burst(), EventVolume::burst))};
}

/// Parts of the run that the monitor cannot observe, if that may surprise; otherwise empty.
std::string unobserved(const Spec& spec, const Monitor& monitor) {
  if (!monitor.records()) return "";
  return unseen(read_catalogue(spec.get<InstrumentationParams>().catalogue), word(spec.get<MachineParams>().messages));
}

/// Why no counter can have two samples, which its growth requires; empty if counters may have them.
std::string too_rarely_sampled(const Spec& spec, Time elapsed) {
  const MonitorTraits& monitor = monitor_of(spec).monitor;
  if (monitor.sampling_interval == nullptr) return "";
  const auto interval = monitor.sampling_interval(spec);
  if (!interval || interval->length <= elapsed) return "";
  return "too few samples: " + interval->parameter + " asks for one every " + plain_number(interval->length.seconds()) +
         " s, and the run took " + plain_number(elapsed.seconds()) + " s";
}

/// Checks that the monitor reports a ledger as its Part declares it.
void check_ledger(const Spec& spec, const Json& ledger) {
  const MonitorTraits& declared = monitor_of(spec).monitor;
  const auto is_declared = [&](const Json& loss) {
    return std::ranges::any_of(declared.losses, [&](const MonitorTraits::Place& place) {
      return loss.at("stage") == place.stage && loss.at("cause") == place.cause;
    });
  };
  if (ledger.at("unit") != declared.ledger_unit || !std::ranges::all_of(ledger.at("lost"), is_declared))
    throw std::logic_error("internal error: a ledger that the monitor " + spec.monitor +
                           " has not declared: " + ledger.dump());
}

/// Checks that the monitor and the workload support the requested options.
void check_options(const Spec& spec, const RunOptions& options) {
  const MonitorTraits& monitor = monitor_of(spec).monitor;
  if (options.monitor.record && !monitor.records)
    throw UserError("monitor = " + spec.monitor + ": only under " + monitors_that(&MonitorTraits::records) +
                    " can runs be recorded");
  if (!options.monitor.waves.is_null() && !monitor.has_waves)
    throw UserError("monitor = " + spec.monitor + ": only " + monitors_that(&MonitorTraits::has_waves) +
                    "'s hardware has waves");
  if (options.watch && !monitor.takes_samples)
    throw UserError("monitor = " + spec.monitor + ": takes no samples that could be watched; " +
                    monitors_that(&MonitorTraits::takes_samples) + " does");
  if (options.calibrate && workload_kind(spec).observe == nullptr)
    throw UserError("workload = " + spec.workload + ": only the user's own program is measured");
}

/// Stack size in KiB.
std::int64_t stack_size(const Spec& spec) {
  constexpr std::int64_t simgrids = 8192;
  const auto own = workload_kind(spec).stack_bytes;
  return own != nullptr ? own(spec) / 1024 : simgrids;
}

Json report(const Spec& spec, const RunOptions& options, OperatingSystem& os, Monitor& monitor) {
  Json result;
  Results results(result);
  results.set({run_keys.scenario(options.scenario), run_keys.spec(to_json(spec)), run_keys.versions(versions()),
               run_keys.fingerprint(hex(fingerprint(os)))});
  Time elapsed;
  Time begin = Time::never();
  Time end;
  ResultRecords ranks(run_keys.ranks.list);
  std::uint64_t events = 0;
  std::uint64_t event_bytes = 0;
  const NodeKernel* counted = nullptr;
  for (const RankState& rank : os.ranks.all()) {
    if (!rank.instrumented) continue;
    const Time own = rank.section.end - rank.section.begin;
    elapsed = std::max(elapsed, own);
    begin = std::min(begin, rank.section.begin);
    end = std::max(end, rank.section.end);
    const NodeKernel& k = *rank.kernel;
    const RankTimes times = rank_times(own, rank.section.emission_time, rank.section.compute_time);
    ranks.add({run_keys.ranks.elapsed_s(own), run_keys.ranks.compute_s(times.compute),
               run_keys.ranks.mpi_s(times.messages), run_keys.ranks.monitor_s(times.emission),
               run_keys.ranks.events(k.events())});
    if (std::exchange(counted, &k) == &k) continue; // ranks of one node are adjacent
    events += k.events();
    event_bytes += k.event_bytes();
  }
  if (os.ranks.all().empty()) { // no program ran, so the whole run was measured
    begin = {};
    end = elapsed = os.program.program_end();
    for (int n = 0; n < os.kernels.nodes(); ++n) {
      events += os.kernels.at(node_of(n)).events();
      event_bytes += os.kernels.at(node_of(n)).event_bytes();
    }
  }
  results.set({run_keys.elapsed_s(elapsed), std::move(ranks)});
  if (os.ranks.programs() > 1) results.set(report_neighbours(spec, os));
  results.set({run_keys.events(events), run_keys.event_bytes(event_bytes)});
  for (const std::string& warning : {unobserved(spec, monitor), too_rarely_sampled(spec, os.program.program_end())})
    if (!warning.empty()) results.append(run_keys.warnings, warning);
  for (const std::string& warning : warnings_of_calls(std::string(word(spec.get<MachineParams>().messages))))
    results.append(run_keys.warnings, warning);
  report_unmodelled_calls(results);
  report_processors(results, os);
  report_memory(results, os);
  monitor.report(results, begin, end);
  check_ledger(spec, result.at("ledger"));
  monitor.close(begin, end);
  results.set(bursts(os.kernels.volume(), elapsed));
  return result;
}

} // namespace

Json simulate(const Spec& spec, const RunOptions& options) {
  check_options(spec, options);
  const MonitorKind& kind = monitor_kind(spec);
  if (options.monitor.dialogue && !kind.takes_calls)
    throw UserError("monitor = " + spec.monitor + ": takes no calls from outside");
  const WorkloadKind& workload = workload_kind(spec);
  // SMPI's messages about wrong arguments are kept for the error report (sw/mpi/errors.cpp).
  std::vector<std::string> arguments{"hypermon-sim", "--log=root.thres:critical", "--log=smpi_pmpi.thres:warning",
                                     "--log=no_loc"};
  for (const auto& option : engine_options(spec)) arguments.push_back("--cfg=" + option);
  arguments.push_back("--cfg=contexts/stack-size:" + std::to_string(stack_size(spec)));
  std::vector<char*> argv;
  for (auto& a : arguments) argv.push_back(a.data());
  int argc = static_cast<int>(argv.size());
  argv.push_back(nullptr);
  smpi_init_options(); // must precede the Engine, or 3.32 refuses some of its options
  sg4::Engine engine(&argc, argv.data());
  Machine machine(spec, kind.io_nodes != nullptr ? kind.io_nodes(spec) : std::vector<NodeId>(),
                  options.checked_platform);
  Bridge bridge("bridge");
  const auto monitor = kind.make(
      {spec, options.monitor, options.directory, machine, bridge, [] { return program_run().program_end(); }});
  Processors processors(spec);
  OperatingSystem os(spec, machine, processors, *monitor, workload.has_host != nullptr && workload.has_host(spec));
  MpiLayer mpi(os);
  std::optional<MessageProtocol> nx2_messages;
  if (os.models_messages) nx2_messages.emplace(os, machine, mpi);
  const auto piosim = make_piosim(spec, os.kernels.places(), mpi.io_observers);
  if (piosim) {
    mpi.packet_network = &piosim->network();
    mpi.counts.add(piosim->network());
    mpi.file_system = piosim->files();
    os.wake_ups.also([&] { return piosim->under_way(); });
  }
  const auto packet_messages = make_packet_messages(spec, os, mpi, options.directory);
  const bool is_idle = workload.idle_until != nullptr;
  if (is_idle && os.ranks.programs() > 1)
    throw UserError("neighbour.count = " + std::to_string(os.ranks.programs() - 1) +
                    ": must be 0 with workload = " + spec.workload + ", whose end is unknown");
  if (is_idle) os.program.run_idle(workload.idle_until(spec));
  if (spec.get<BurstsParams>().keep_series) os.kernels.volume().keep_series(options.directory + "/bursts.csv");
  SMPI_init();
  os.start();
  if (nx2_messages) nx2_messages->start();
  std::optional<ActivityRecorder> activity;
  if (options.activity > 0) activity.emplace(os, options.activity);
  std::optional<ScriptRecorder> script;
  if (options.script) {
    std::filesystem::create_directory(options.directory + "/script");
    mpi.observers.add(script.emplace(options.directory + "/script", os.ranks.world_size()));
  }
  std::unique_ptr<WorkloadObserver> observer;
  if (workload.observe != nullptr)
    observer = workload.observe({spec, options.directory, options.calibrate, os,
                                 [](int rank) -> const LoadedObject& { return ranks().object_of(rank); }});
  rank_output().open(options.directory);
  on_failure([] {
    const auto rank = ranks().current();
    ranks().end();
    rank_output().flush();
    if (endings().empty()) return rank ? rank_output().last_lines(*rank) : "";
    return "\n  " + endings().text() + rank_output().last_lines(rank.value_or(endings().first()));
  });
  keep_stdio();
  open_input(spec);
  catch_crashes();
  limit_host_time(spec.get<LimitsParams>().host_s.number);
  bridge.watch(spec.get<LimitsParams>().steps_at_once, [](Time now, const std::string& where) {
    fail_simulation("simulated time stands still at " + std::to_string(now.seconds()) +
                    " s: SystemC does more steps than limits.steps_at_once allows there, the last: " + where);
  });
  if (workload.enter != nullptr) workload.enter(spec, options.directory);
  if (!is_idle) start_programs(spec, options, os);
  RunSite site(spec, machine, os, mpi, options.directory);
  if (spec.get<MpiioParams>().file_system == FilesOf::nfs) site.offer_files();
  std::optional<mpiio::Library> files;
  if (spec.get<MpiioParams>().file_system != FilesOf::smpi)
    set_file_library(&files.emplace(
        spec, os, mpi, workload.enter != nullptr ? std::optional(std::filesystem::current_path()) : std::nullopt));
  monitor->start(site.site());

  sc_core::sc_start(sc_core::SC_ZERO_TIME);
  if (kind.is_hardware) bridge.attach(); // otherwise SystemC has nothing to simulate
  Progress progress(options.progress);
  Cut cut = options.monitor.cut;
  Time next_advance = cut.next({});
  const Time last =
      spec.get<LimitsParams>().simulated_s > 0 ? Time{spec.get<LimitsParams>().simulated_s} : Time::never();
  sg4::Engine::on_time_advance_cb([&](double) {
    os.execution.check_reach(0);
    const Time now = simgrid_now();
    if (in_child()) fail_simulation("MPI in a child of fork: only its parent is a rank");
    if (now > last && engine.get_actor_count() > 0)
      fail_simulation("limits.simulated_s = " + to_json(spec)["limits"]["simulated_s"].dump() +
                      ": the program has not ended by then" + os.ranks.doing());
    if (now < next_advance) return;
    next_advance = cut.next(now);
    monitor->advance(std::min(now, os.program.program_end()));
    os.kernels.volume().advance(now);
    progress.report(now, [&] {
      if (options.watch) site.samples().publish();
    });
  });
  // SMPI's costs are SimGrid's own sleeps. With shared processors the operating system observes sleeps through SimGrid.
  if (os.has_own_library && !processors.is_any_shared()) actors_sleep_quickly();
  engine.run();
  if (in_child()) fail_simulation("MPI in a child of fork: only its parent is a rank");
  ranks().end();
  rank_output().flush();
  fail_if_ranks_did();
  rank_output().require_written();
  monitor->finish(os.program.program_end());
  os.kernels.volume().finish();
  if (script) script->close();
  packet_messages->close();
  Json result = report(spec, options, os, *monitor);
  Results results(result);
  site.report(results);
  if (piosim) piosim->report(results);
  if (files) {
    files->report(results);
    files->keep_files(options.directory);
  }
  if (observer) observer->report(results);
  if (activity) activity->write(options.directory);
  SMPI_finalize();
  return result;
}

} // namespace hypermon
