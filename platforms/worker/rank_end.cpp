// SPDX-License-Identifier: BSD-3-Clause
#include "platforms/worker/rank_end.hpp"
#include "base/user_error.hpp"
#include "hw/machine/platform_file.hpp"
#include "platforms/worker/children.hpp"
#include "platforms/worker/mpi_support.hpp"
#include "platforms/worker/rank_output.hpp"
#include "platforms/worker/rank_signals.hpp"
#include "platforms/worker/ranks.hpp"
#include "platforms/worker/stdio.hpp"
#include "sw/os/place.hpp"
#include "sw/os/ranks.hpp"

#include <dlfcn.h>
#include <execinfo.h>
#include <ucontext.h>

#include <array>
#include <csignal>
#include <cstdio>
#include <exception>
#include <filesystem>

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
constexpr std::uintptr_t near_stack = 1 << 16; // (chosen) an access this close to the stack's end is a stack overflow

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

std::string name_of(const Dl_info& library) { return std::filesystem::path(library.dli_fname).filename().string(); }

/// SMPI aborts if a rank sends to an actor that has ended.
bool tells_of_ended_rank(std::string_view complaint) {
  return complaint.starts_with("Actor pid=") && complaint.find("is gone") != std::string_view::npos;
}

std::optional<std::string> complaint_of(int rank) {
  return smpi_complaint(rank_output().last(rank, RankOutput::error));
}

/// Place of the program's crash: in its own code, in a library that it called, or in an MPI call with unusable
/// arguments. The last case may also be a fault of hypermon; the two cannot be told apart here, so that the message
/// names both.
std::string where(const LoadedObject& object, void* at) {
  if (object.contains(at)) return " in " + place_in_program(at);
  std::array<void*, 64> frames{};
  const int n = backtrace(frames.data(), static_cast<int>(frames.size()));
  Dl_info worker{};
  dladdr(reinterpret_cast<void*>(&name_of_signal), &worker);
  bool past_handler = false;
  bool in_mpi = false;
  const char* entered = nullptr; // an MPI function that is not reported to observers
  for (int i = 0; i < n; ++i) {
    void* const frame = frames[static_cast<std::size_t>(i)];
    past_handler |= frame == at;
    Dl_info library{};
    if (object.contains(frame)) {
      const std::string caller = ", called from " + place_in_program(static_cast<char*>(frame) - 1);
      if (inside_stdio()) return " in a function of the C library" + caller;
      const char* const told = rank_table().caller()->call.function;
      const char* const function = told != nullptr ? told : entered;
      const auto complaint = in_mpi ? complaint_of(*ranks().current()) : std::nullopt;
      if (complaint && stub_of(*complaint)) return ": it " + calls_absent({*stub_of(*complaint)}) + caller;
      if (in_mpi) {
        const std::string in = std::string(" in ") + (function != nullptr ? function : "hypermon");
        if (complaint && tells_of_ended_rank(*complaint)) return in + caller;
        const std::string says = complaint ? ": SMPI says: " + *complaint : "";
        const bool is_smpis = told == nullptr || std::string_view(told).starts_with("MPI_File_"); // no code of ours
        if (is_smpis && complaint) return in + says + caller;
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

/// Reports a signal from the program's code, from a library that it called, or from within an MPI call.
void report_crash(int signal, siginfo_t* info, void* context) {
  if (signal == SIGABRT && !in_child())
    if (const auto fault = logged_platform_fault()) fail_user(*fault);
  const auto rank = ranks().current();
  static int reports = 0; // with a broken stack the search for the place can crash as well
  if (!rank || reports > 1 || in_child()) {
    struct sigaction ends {};
    ends.sa_handler = SIG_DFL;
    set_process_handler(signal, ends); // the simulator's own code, or a process of its own
    std::raise(signal);
    return;
  }
  if (run_own_handler(*rank, signal, info, context)) return;
  const auto& at = *static_cast<const ucontext_t*>(context);
  const auto complaint = complaint_of(*rank);
  static std::string what = signal == SIGABRT && complaint && tells_of_ended_rank(*complaint)
                                ? "sent a message to a rank that had ended"
                            : is_stack_overflow(*info, at) ? "crashed: SIGSEGV (stack overflow)"
                                                           : std::string("crashed: ") + name_of_signal(signal);
  fail_rank(*rank, what + (reports++ == 0 ? where(ranks().object_of(*rank), program_counter(at)) : ""));
}

/// The terminate handler of a rank's program. SimGrid's own handler would report that SMPI ended the process.
[[noreturn]] void report_terminate() {
  std::string what = "std::terminate";
  if (const std::exception_ptr thrown = std::current_exception()) {
    what = "an uncaught exception";
    try {
      std::rethrow_exception(thrown);
    } catch (const std::exception& e) {
      what += std::string(": ") + e.what();
    } catch (...) {
    }
  }
  if (const auto rank = ranks().current(); rank && !in_child()) fail_rank(*rank, "ended with " + what);
  std::abort();
}

} // namespace

void catch_crashes() {
  std::set_terminate(report_terminate);
  constexpr std::size_t bytes = 1 << 18; // (chosen) the report runs on this stack
  static std::array<char, bytes> memory;
  stack_t stack{};
  stack.ss_sp = memory.data();
  stack.ss_size = memory.size();
  sigaltstack(&stack, nullptr);
  std::array<void*, 1> none{};
  backtrace(none.data(), 1); // loads libraries that a signal handler could not load
  struct sigaction action {};
  action.sa_sigaction = report_crash;
  action.sa_flags = SA_SIGINFO | SA_ONSTACK | SA_NODEFER;
  for (const Crash& crash : crashes) set_process_handler(crash.signal, action);
}

} // namespace hypermon
