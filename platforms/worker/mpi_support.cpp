// SPDX-License-Identifier: BSD-3-Clause
#include "platforms/worker/mpi_support.hpp"
#include "base/user_error.hpp"
#include "platforms/worker/object_file.hpp"
#include "sw/mpi/interface.hpp"
#include "sw/mpi/script_recorder.hpp"
#include "sw/nx2/calls.hpp"

#include <simgrid/version.h>

#include <dlfcn.h>
#include <fcntl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <csignal>
#include <cstring>
#include <map>

namespace hypermon {
namespace {

constexpr std::string_view stub_says = "Not yet implemented: "; // SMPI (3.32), in functions that it only declares
constexpr rlim_t seconds = 1;                                   // (chosen) a stub needs a thousandth of this

struct Known {
  MpiFunction function;
  bool own; // implemented by hypermon under either model
  bool nx2;
};

/// The functions that the interface layer defines, by name.
std::map<std::string, Known, std::less<>> told() {
  const MpiTable nx2 = nx2_mpi();
  const MpiTable passed = smpi_mpi();
  return {
#define KNOWN(result, name, ...)                                                                                       \
  {"MPI_" #name, {MpiFunction::name, passed.name != smpi().name, nx2.name != passed.name}},
#define F(...) KNOWN(__VA_ARGS__)
#include "sw/instrumentation/mpi_functions.inc"
#undef F
#undef KNOWN
  };
}

/// Calls a function without arguments through SMPI's own name for it, so that no wrapper is called, and observes how
/// far it gets.
[[noreturn]] void call_it(void* function, int out) {
  for (const int signal : {SIGSEGV, SIGBUS, SIGFPE, SIGABRT}) std::signal(signal, SIG_DFL);
  const rlimit no_core{0, 0};
  setrlimit(RLIMIT_CORE, &no_core);
  const rlimit time{seconds, seconds};
  setrlimit(RLIMIT_CPU, &time);
  alarm(seconds);
  dup2(out, STDOUT_FILENO);
  dup2(out, STDERR_FILENO);
  constexpr std::array<void*, 12> a{}; // the largest number of arguments of an MPI function
  using Call = int (*)(void*, void*, void*, void*, void*, void*, void*, void*, void*, void*, void*, void*);
  reinterpret_cast<Call>(function)(a[0], a[1], a[2], a[3], a[4], a[5], a[6], a[7], a[8], a[9], a[10], a[11]);
  std::raise(SIGKILL); // the call has returned
  __builtin_unreachable();
}

/// Classifies a function: "there", unless it reports that it is not implemented; then "stub" if that ends the process,
/// or "empty".
const char* tried(void* function) {
  std::array<int, 2> ends{};
  if (pipe2(ends.data(), O_CLOEXEC) != 0) fail_simulation("no more pipes");
  const pid_t child = fork();
  if (child == 0) call_it(function, ends[1]);
  close(ends[1]);
  std::string output;
  std::array<char, 4096> block{};
  for (ssize_t n = 0; output.size() < block.size() && (n = read(ends[0], block.data(), block.size())) > 0;)
    output.append(block.data(), static_cast<std::size_t>(n));
  close(ends[0]);
  int status = 0;
  if (child < 0 || waitpid(child, &status, 0) < 0) fail_simulation("no more processes");
  if (output.find(stub_says) == std::string::npos) return "there";
  return WIFSIGNALED(status) && WTERMSIG(status) == SIGKILL ? "empty" : "stub";
}

/// Whether this executable defines the function without notifying observers (sw/mpi/arrays.cpp and others).
bool is_defined_here(const std::string& name) {
  void* const function = dlsym(RTLD_DEFAULT, name.c_str());
  Dl_info own{};
  Dl_info its{};
  return function != nullptr && dladdr(reinterpret_cast<void*>(&tried), &own) != 0 && dladdr(function, &its) != 0 &&
         own.dli_fbase == its.dli_fbase;
}

const char* state(const std::string& name) {
  void* const function = dlsym(RTLD_NEXT, ("P" + name).c_str());
  return function == nullptr ? "absent" : tried(function);
}

/// The functions that the object in `path` needs from other objects.
std::vector<std::string> undefined_functions(const std::string& path) {
  const int file = open(path.c_str(), O_RDONLY | O_CLOEXEC);
  if (file < 0) return {};
  const ObjectFile object(file);
  close(file);
  std::vector<std::string> names;
  object.for_each_symbol([&](std::string_view name, const Elf64_Sym& symbol) {
    if (symbol.st_shndx == SHN_UNDEF && ELF64_ST_BIND(symbol.st_info) != STB_WEAK) names.emplace_back(name);
  });
  return names;
}

bool is_mpi(std::string_view name) { return name.starts_with("MPI_") || name.starts_with("PMPI_"); }

} // namespace

std::string name_of_smpi() {
  return "SMPI " + std::to_string(SIMGRID_VERSION_MAJOR) + "." + std::to_string(SIMGRID_VERSION_MINOR);
}

Json mpi_support(std::istream& names) {
  const auto known = told();
  auto result = Json::object();
  for (std::string name; std::getline(names, name);) {
    const auto found = known.find(name);
    const bool ours = found != known.end();
    result[name] = {{"smpi", state(name)},
                    {"told", ours},
                    {"own", ours ? found->second.own : is_defined_here(name)},
                    {"nx2", ours && found->second.nx2},
                    {"script", ours ? script_use(found->second.function).says : ""}};
  }
  return result;
}

std::vector<std::string> absent_mpi(const std::string& file) {
  std::vector<std::string> absent;
  for (const std::string& name : undefined_functions(file))
    if (is_mpi(name) && dlsym(RTLD_DEFAULT, name.c_str()) == nullptr) absent.push_back(name);
  std::sort(absent.begin(), absent.end());
  return absent;
}

std::string calls_absent(const std::vector<std::string>& functions) {
  std::string all;
  for (std::size_t i = 0; i < functions.size(); ++i)
    all += (i == 0 ? "" : i + 1 == functions.size() ? " and " : ", ") + functions[i];
  return "calls " + all + ", which " + name_of_smpi() + " does not have (docs/reference/mpi-functions.md)";
}

std::optional<std::string> smpi_complaint(std::string_view written) {
  constexpr std::string_view mark = "/CRITICAL] ";
  const auto begin = written.rfind(mark);
  if (begin == std::string_view::npos) return std::nullopt;
  const auto text = written.substr(begin + mark.size());
  return std::string(text.substr(0, text.find('\n')));
}

std::optional<std::string> stub_of(std::string_view complaint) {
  if (!complaint.starts_with(stub_says)) return std::nullopt;
  auto name = complaint.substr(stub_says.size());
  if (name.starts_with("PMPI_")) name.remove_prefix(1);
  const auto end = std::find_if(name.begin(), name.end(), [](unsigned char c) { return !std::isalnum(c) && c != '_'; });
  return std::string(name.begin(), end);
}

} // namespace hypermon
