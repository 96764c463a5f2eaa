// SPDX-License-Identifier: BSD-3-Clause
// hypermon-sim: one simulation in one process (SystemC elaborates once, SimGrid's engine is a singleton).
#include "base/file_parameter.hpp"
#include "base/json.hpp"
#include "base/json_value.hpp"
#include "base/text_file.hpp"
#include "base/user_error.hpp"
#include "hw/machine/platform_file.hpp"
#include "platforms/worker/describe.hpp"
#include "platforms/worker/mpi_support.hpp"
#include "platforms/worker/plugins.hpp"
#include "platforms/worker/replay.hpp"
#include "platforms/worker/simulation.hpp"

#include <systemc>

#include <fcntl.h>
#include <sys/prctl.h>
#include <unistd.h>

#include <charconv>
#include <chrono>
#include <csignal>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <iostream>

namespace {

using hypermon::UserError;

constexpr const char* usage =
    R"(usage: hypermon-sim SPEC.json --out DIR [--progress] [--watch] [--record] [--waves FILE.json] [--activity PIECES] [--calls] [--platform FILE.xml] [--parent PID] [--plugin FILE.so]...
       hypermon-sim SPEC.json --out DIR --replay FILE.json <ROWS [--plugin FILE.so]...
       hypermon-sim --check SPEC.json [--plugin FILE.so]...
       hypermon-sim --describe [--plugin FILE.so]...
       hypermon-sim --mpi-functions <NAMES

Runs one simulation. SPEC.json: nested parameters; what is missing has its default. DIR must exist; result.json,
host.json, spec.json and the program's answer are written to it.
  --progress         a JSON line on standard error about five times a second
  --watch            with --progress: before each line the samples that have arrived are in DIR/samples.npy, and
                     DIR/samples.json says how many
  --waves FILE.json  also waves of the monitor hardware as DIR/waves.vcd, and what they hold as DIR/waves.json
  --record           also what the nodes wrote to their ports, as NumPy files in DIR/recording
  --calibrate        measures what the user's program's own code takes on this host, into DIR/calibration.json
  --activity PIECES  also when the ranks computed, as DIR/activity.npy and DIR/activity.json, exactly up to so many pieces
                     of time, and what became of the nodes' events, as DIR/events.npy and DIR/events.json
  --script           also what the program did, as NumPy files in DIR/script
  --platform FILE.xml  the platform file of machine.xml as hypermon has checked it and written it anew: SimGrid reads this
  --parent PID       ends with the thread that has started it, of the process PID: no killed caller leaves a worker
  --replay FILE.json replays a recording on hardware that needs SystemC: its rows come on standard input, the rest of it
                     in FILE.json. Only result.json, the hardware's own files and waves are written
  --discard-at-port  benchmarks: events are emitted and charged, but not handed to the hardware models
  --cut SEED         tests: the hardware is advanced in other stretches, drawn from SEED; no result depends on them
  --calls            the monitor is driven from outside: a JSON line a call on standard input, its answer on standard output
  --plugin FILE.so   also the monitor that this shared object brings (docs/design/monitors.md); may be given again
  --check            only reads the specification
  --describe         parameters, counters, result keys and versions as JSON
  --mpi-functions    what becomes of the MPI functions that standard input names (a line each), as JSON
Exit status: 0; 2 for a mistake in the call or the specification; 3 for a program that failed or deadlocked.
)";

struct Arguments {
  std::string spec_file;
  std::string waves_file;
  std::string replay_file;
  std::vector<std::string> plugins;
  hypermon::RunOptions options;
  bool describe = false;
  bool mpi_functions = false;
  bool check = false;
};

std::uint64_t number(const std::string& option, const std::string& text) {
  std::uint64_t value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc{} || end != text.data() + text.size())
    throw UserError(option + " " + text + ": must be a whole number");
  return value;
}

// Ends this process with its parent. The parent's thread waits for this process, so the parent ends first only if it is
// killed.
void end_with(const std::string& parent) {
  prctl(PR_SET_PDEATHSIG, SIGKILL);
  if (std::to_string(getppid()) != parent) std::raise(SIGKILL); // the parent has already ended
}

/// Reserves standard input and output for the caller of the run; all other code finds /dev/null there.
hypermon::Dialogue take_standard_streams() {
  const hypermon::Dialogue dialogue{fcntl(STDIN_FILENO, F_DUPFD_CLOEXEC, 3), fcntl(STDOUT_FILENO, F_DUPFD_CLOEXEC, 3)};
  const int nothing = open("/dev/null", O_RDWR | O_CLOEXEC);
  if (dialogue.in < 0 || dialogue.out < 0 || nothing < 0) throw UserError("--calls: needs standard input and output");
  dup2(nothing, STDIN_FILENO);
  dup2(nothing, STDOUT_FILENO);
  close(nothing);
  return dialogue;
}

Arguments parse(int argc, char** argv) {
  Arguments a;
  for (int i = 1; i < argc; ++i) {
    const std::string word = argv[i];
    if (word == "--describe")
      a.describe = true;
    else if (word == "--mpi-functions")
      a.mpi_functions = true;
    else if (word == "--check")
      a.check = true;
    else if (word == "--calls")
      a.options.monitor.dialogue = take_standard_streams();
    else if (word == "--progress")
      a.options.progress = true;
    else if (word == "--watch")
      a.options.watch = true;
    else if (word == "--record")
      a.options.monitor.record = true;
    else if (word == "--script")
      a.options.script = true;
    else if (word == "--calibrate")
      a.options.calibrate = true;
    else if (word == "--discard-at-port")
      a.options.monitor.discard_at_port = true;
    else if (word == "--activity" && i + 1 < argc)
      a.options.monitor.events = (a.options.activity = number(word, argv[++i])) > 0;
    else if (word == "--cut" && i + 1 < argc)
      a.options.monitor.cut = hypermon::Cut(number(word, argv[++i]));
    else if (word == "--waves" && i + 1 < argc)
      a.waves_file = argv[++i];
    else if (word == "--replay" && i + 1 < argc)
      a.replay_file = argv[++i];
    else if (word == "--platform" && i + 1 < argc)
      a.options.checked_platform = std::filesystem::absolute(argv[++i]);
    else if (word == "--plugin" && i + 1 < argc)
      a.plugins.emplace_back(argv[++i]);
    else if (word == "--parent" && i + 1 < argc)
      end_with(argv[++i]);
    else if (word == "--out" && i + 1 < argc)
      a.options.directory = argv[++i];
    else if (word == "--help" || word == "-h") {
      std::fputs(usage, stdout);
      std::exit(0);
    } else if (word.starts_with("-") || !a.spec_file.empty())
      throw UserError(word + ": not understood; see hypermon-sim --help");
    else
      a.spec_file = word;
  }
  if (!a.describe && !a.mpi_functions && (a.spec_file.empty() || (a.options.directory.empty() && !a.check)))
    throw UserError("SPEC.json and --out DIR are needed; see hypermon-sim --help");
  return a;
}

Json read_json(const std::string& path) {
  std::ifstream file(path);
  if (!file) throw UserError(path + ": cannot be read");
  try {
    return Json::parse(file);
  } catch (const JsonError& e) { // not JSON, or a number out of range
    throw UserError(path + ": " + e.what());
  }
}

void write(const std::filesystem::path& path, const Json& json) {
  hypermon::write_text(path, [&](std::ostream& file) { file << json.dump(1) << '\n'; });
}

/// The process's peak resident memory in bytes; 0 if unknown. getrusage() is not used because its value is at least
/// that of the parent process.
std::int64_t most_memory() {
  std::ifstream status("/proc/self/status");
  std::int64_t kilobytes = 0;
  for (std::string word; status >> word;)
    if (word == "VmHWM:") status >> kilobytes;
  return kilobytes * 1024;
}

void run(const Arguments& a) {
  const auto begin = std::chrono::steady_clock::now();
  if (!std::filesystem::is_directory(a.options.directory)) throw UserError(a.options.directory + ": no such directory");
  const Json json = read_json(a.spec_file);
  const hypermon::Spec spec = hypermon::spec_from_json(json);
  hypermon::check_files(spec);
  hypermon::RunOptions options = a.options;
  options.directory = std::filesystem::absolute(a.options.directory); // the program runs in another directory
  options.scenario = json.value("scenario", std::string());
  if (!a.waves_file.empty()) options.monitor.waves = read_json(a.waves_file);
  const std::filesystem::path out = options.directory;
  if (!a.replay_file.empty()) {
    write(out / "result.json",
          hypermon::replay(spec, options.directory, read_json(a.replay_file), std::cin, options.monitor.waves));
    return;
  }
  write(out / "spec.json", to_json(spec));
  const Json result = hypermon::simulate(spec, options);
  write(out / "result.json", result);
  const std::chrono::duration<double> wall = std::chrono::steady_clock::now() - begin;
  write(out / "host.json", {{"wall_s", wall.count()}, {"max_rss_bytes", most_memory()}});
}

} // namespace

int sc_main(int argc, char** argv) {
  try {
    const Arguments a = parse(argc, argv);
    for (const std::string& plugin : a.plugins) hypermon::load_plugin(plugin);
    if (a.describe)
      std::cout << hypermon::describe().dump(1) << '\n';
    else if (a.mpi_functions)
      std::cout << hypermon::mpi_support(std::cin).dump(1) << '\n';
    else if (a.check)
      hypermon::spec_from_json(read_json(a.spec_file));
    else
      run(a);
    return 0;
  } catch (const UserError& e) {
    std::fprintf(stderr, "error: %s\n", e.what());
    return 2;
  } catch (const sc_core::sc_report& report) { // a process ended with an exception, or SystemC was misused
    std::fprintf(stderr, "error: %s\n", report.get_msg());
    return 3;
  } catch (const std::exception& e) {
    const auto fault = hypermon::platform_fault(e.what());
    std::fprintf(stderr, "error: %s\n", fault ? fault->what() : e.what());
    return fault ? 2 : 3;
  }
}

int main(int argc, char** argv) {
  std::signal(SIGXFSZ, SIG_IGN); // a file that may not grow then gives an error with its name, as a full disk does
  setenv("SC_COPYRIGHT_MESSAGE", "DISABLE", 1);
  return sc_core::sc_elab_and_sim(argc, argv);
}
