#include "platforms/worker/rank_end.hpp"
#include "platforms/spec/user_error.hpp"
#include "platforms/worker/mpi_support.hpp"
#include "platforms/worker/rank_output.hpp"
#include "platforms/worker/ranks.hpp"
#include "platforms/worker/stdio.hpp"
#include "sw/nx2/nx2.hpp"

#include <cxxabi.h>
#include <dlfcn.h>
#include <execinfo.h>
#include <simgrid/s4u/Actor.hpp>
#include <sys/syscall.h>
#include <ucontext.h>
#include <unistd.h>

#include <array>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <memory>

namespace hypermon {
namespace {

struct Crash {
  int signal;
  const char* name;
};
constexpr std::array<Crash, 5> crashes{{{SIGSEGV, "SIGSEGV (invalid memory access)"},
                                        {SIGBUS, "SIGBUS (invalid memory access)"},
                                        {SIGFPE, "SIGFPE (division by zero or overflow)"},
                                        {SIGILL, "SIGILL (invalid instruction)"},
                                        {SIGABRT, "SIGABRT (abort)"}}};
constexpr std::uintptr_t near_stack = 1 << 16; // (chosen) an access as near to the stack's end left the stack

const char* name_of_signal(int signal) {
  for (const Crash& crash : crashes)
    if (crash.signal == signal) return crash.name;
  return "a signal";
}

#if defined(__x86_64__)
std::uintptr_t stack_pointer(const ucontext_t& at) {
  return static_cast<std::uintptr_t>(at.uc_mcontext.gregs[REG_RSP]);
}
void* program_counter(const ucontext_t& at) { return reinterpret_cast<void*>(at.uc_mcontext.gregs[REG_RIP]); }
#elif defined(__aarch64__)
std::uintptr_t stack_pointer(const ucontext_t& at) { return at.uc_mcontext.sp; }
void* program_counter(const ucontext_t& at) { return reinterpret_cast<void*>(at.uc_mcontext.pc); }
#endif

bool is_stack_overflow(const siginfo_t& info, const ucontext_t& at) {
  const auto address = reinterpret_cast<std::uintptr_t>(info.si_addr);
  return (info.si_signo == SIGSEGV || info.si_signo == SIGBUS) && address + near_stack > stack_pointer(at) &&
         address < stack_pointer(at) + near_stack;
}

/// "solve+0x12 (offset 0x1234 in the program)"; the offset is one that addr2line knows.
std::string place(const LoadedObject& object, void* address) {
  std::array<char, 64> text{};
  std::string name;
  Dl_info info{};
  if (dladdr(address, &info) != 0 && info.dli_sname != nullptr) {
    int status = 0;
    const std::unique_ptr<char, decltype(&std::free)> plain(
        abi::__cxa_demangle(info.dli_sname, nullptr, nullptr, &status), &std::free);
    std::snprintf(text.data(), text.size(), "+0x%tx ",
                  static_cast<char*>(address) - static_cast<char*>(info.dli_saddr));
    name = std::string(status == 0 ? plain.get() : info.dli_sname) + text.data();
  }
  std::snprintf(text.data(), text.size(), "(offset 0x%zx in the program)", object.offset_of(address));
  return name + text.data();
}

std::string name_of(const Dl_info& library) { return std::filesystem::path(library.dli_fname).filename().string(); }

/// Where the program crashed: in its own code, in a library that it called, or in an MPI call with arguments that this
/// cannot use (or by a mistake of ours: from here both look the same, so both are said).
std::string where(const LoadedObject& object, void* at) {
  if (object.contains(at)) return " in " + place(object, at);
  std::array<void*, 64> frames{};
  const int n = backtrace(frames.data(), static_cast<int>(frames.size()));
  Dl_info worker{};
  dladdr(reinterpret_cast<void*>(&name_of_signal), &worker);
  bool past_handler = false;
  bool in_mpi = false;
  const char* entered = nullptr; // a function of MPI's that is not told to observers
  for (int i = 0; i < n; ++i) {
    void* const frame = frames[static_cast<std::size_t>(i)];
    past_handler |= frame == at;
    Dl_info library{};
    if (object.contains(frame)) {
      const std::string caller = ", called from " + place(object, static_cast<char*>(frame) - 1);
      if (inside_stdio()) return " in a function of the C library" + caller;
      const char* const told = nx2().caller()->in_mpi;
      const char* const function = told != nullptr ? told : entered;
      const auto complaint = in_mpi ? smpi_complaint(rank_output().last(*ranks().current(), RankOutput::error))
                                    : std::optional<std::string>();
      if (complaint && stub_of(*complaint)) return ": it " + calls_absent({*stub_of(*complaint)}) + caller;
      if (in_mpi) {
        const std::string in = std::string(" in ") + (function != nullptr ? function : "hypermon");
        const std::string says = complaint ? ": SMPI says: " + *complaint : "";
        if (told == nullptr && complaint) return in + says + caller; // of a function that is SMPI's alone
        return in + ", by its arguments or by a mistake of hypermon's" + says + caller;
      }
      return (dladdr(at, &library) != 0 ? " in " + name_of(library) : " in a library") + caller;
    }
    if (past_handler && dladdr(frame, &library) != 0) {
      in_mpi |= library.dli_fbase == worker.dli_fbase || name_of(library).starts_with("libsimgrid");
      if (library.dli_sname != nullptr && std::string_view(library.dli_sname).starts_with("MPI_"))
        entered = library.dli_sname;
    }
  }
  return "";
}

/// A signal of the program's code, of a library that it called, or in an MPI call.
void report_crash(int signal, siginfo_t* info, void* context) {
  const auto rank = ranks().current();
  static int reports = 0; // a broken stack can make the search for the place crash as well
  if (!rank || reports > 1) {
    std::signal(signal, SIG_DFL); // ours
    std::raise(signal);
    return;
  }
  const auto& at = *static_cast<const ucontext_t*>(context);
  static std::string what = is_stack_overflow(*info, at) ? "SIGSEGV (stack overflow)" : name_of_signal(signal);
  fail_rank(*rank, "crashed: " + what + (reports++ == 0 ? where(ranks().object_of(*rank), program_counter(at)) : ""));
}

[[noreturn]] void end_rank(int rank, int status) {
  const std::string call = "called exit(" + std::to_string(status) + ")";
  if (status != 0) fail_rank(rank, call);
  if (!nx2().ranks()[static_cast<std::size_t>(rank)].finalized) fail_rank(rank, call + " before MPI_Finalize");
  simgrid::s4u::this_actor::exit();
}

template <class Function> Function* real(const char* name) {
  return reinterpret_cast<Function*>(dlsym(RTLD_NEXT, name));
}

} // namespace

void catch_crashes() {
  constexpr std::size_t bytes = 1 << 18; // (chosen) the report is made there
  static std::array<char, bytes> memory;
  stack_t stack{};
  stack.ss_sp = memory.data();
  stack.ss_size = memory.size();
  sigaltstack(&stack, nullptr);
  std::array<void*, 1> none{};
  backtrace(none.data(), 1); // loads what it needs, which a handler could not
  struct sigaction action {};
  action.sa_sigaction = report_crash;
  action.sa_flags = SA_SIGINFO | SA_ONSTACK | SA_NODEFER;
  for (const Crash& crash : crashes) sigaction(crash.signal, &action, nullptr);
}

// What the program calls: the executable's symbols come first. smpicc makes smpi_exit of exit.
extern "C" {
[[gnu::visibility("default")]] [[noreturn]] void smpi_exit(int status) {
  if (const auto rank = ranks().current()) end_rank(*rank, status);
  real<void(int)>("exit")(status);
  __builtin_unreachable();
}
[[gnu::visibility("default")]] [[noreturn]] void own_exit(int status) __asm__("exit");
[[noreturn]] void own_exit(int status) { smpi_exit(status); }
[[gnu::visibility("default")]] [[noreturn]] void own_quick_exit(int status) __asm__("quick_exit");
[[noreturn]] void own_quick_exit(int status) { smpi_exit(status); }
[[gnu::visibility("default")]] [[noreturn]] void own__exit(int status) __asm__("_exit");
[[noreturn]] void own__exit(int status) {
  if (const auto rank = ranks().current()) end_rank(*rank, status);
  syscall(SYS_exit_group, status);
  __builtin_unreachable();
}
[[gnu::visibility("default")]] [[noreturn]] void own__Exit(int status) __asm__("_Exit");
[[noreturn]] void own__Exit(int status) { own__exit(status); }
}

} // namespace hypermon
