// SPDX-License-Identifier: BSD-3-Clause
#include "platforms/worker/rank_exit.hpp"
#include "platforms/worker/c_library.hpp"
#include "platforms/worker/children.hpp"
#include "platforms/worker/endings.hpp"
#include "platforms/worker/ranks.hpp"
#include "sw/mpi/repeated_clock_reads.hpp"
#include "sw/os/program_run.hpp"

#include <dlfcn.h>
#include <link.h>
#include <simgrid/s4u/Actor.hpp>
#include <sys/syscall.h>
#include <unistd.h>

#include <functional>
#include <string_view>

namespace hypermon {
namespace {

using Handlers = std::vector<std::function<void(int)>>;

/// Registered functions of one rank. Each list runs from its end and may grow meanwhile.
struct ExitWork {
  Handlers thread_locals;
  Handlers handlers;
  std::vector<void (*)()> destructors;
  bool is_running = false;
};

ExitWork& work_of(int rank) {
  static std::vector<ExitWork> all;
  if (all.size() <= static_cast<std::size_t>(rank)) all.resize(static_cast<std::size_t>(rank) + 1);
  return all[static_cast<std::size_t>(rank)];
}

void run(int rank, Handlers ExitWork::*list, int status) {
  while (!(work_of(rank).*list).empty()) {
    const auto next = std::move((work_of(rank).*list).back());
    (work_of(rank).*list).pop_back();
    next(status);
  }
}

void run_exit_work(int rank, int status) {
  if (std::exchange(work_of(rank).is_running, true)) return; // exit() was called by one of these functions
  run(rank, &ExitWork::thread_locals, status);
  run(rank, &ExitWork::handlers, status);
  for (void (*destructor)() : std::exchange(work_of(rank).destructors, {})) destructor();
}

/// Whether the object is a rank's copy of the program (RankProgram). Queries only the loader, because this is called
/// before anything is set up and for each static object of all libraries; dladdr() would search symbols.
bool is_copy(void* in_object) {
  dl_find_object object{};
  return _dl_find_object(in_object, &object) == 0 &&
         std::string_view(object.dlfo_link_map->l_name).starts_with("/proc/self/fd/");
}

[[noreturn]] void exit_rank(int rank, int status, bool runs_handlers) {
  end_rank(rank, "called exit(" + std::to_string(status) + ")", status, runs_handlers);
  simgrid::s4u::this_actor::exit();
}

} // namespace

void set_destructors(int rank, std::vector<void (*)()> functions) { work_of(rank).destructors = std::move(functions); }

void end_rank(int rank, const std::string& did, int status, bool runs_handlers) {
  if (runs_handlers) run_exit_work(rank, status);
  if (in_child()) end_child(status);
  RankState& self = rank_table().self();
  catch_up(self);
  program_run().rank_ended(self);
  const std::string whose = self.program == 0 ? "" : " (" + name_of(self) + ")";
  if (!self.lifetime.is_finalized)
    endings().add(rank, did + " before MPI_Finalize" + whose);
  else if (status != 0)
    endings().add(rank, did + whose);
}

using Function = void(void*);

LIBC(int, __cxa_atexit, Function* function, void* argument, void* object) {
  if (object != nullptr && is_copy(object))
    if (const auto rank = ranks().current())
      return work_of(*rank).handlers.emplace_back([=](int) { function(argument); }), 0;
  static auto* const next = real<int(Function*, void*, void*)>("__cxa_atexit");
  return next(function, argument, object);
}
LIBC(int, __cxa_thread_atexit_impl, Function* function, void* argument, void* object) {
  if (object != nullptr && is_copy(object))
    if (const auto rank = ranks().current())
      return work_of(*rank).thread_locals.emplace_back([=](int) { function(argument); }), 0;
  static auto* const next = real<int(Function*, void*, void*)>("__cxa_thread_atexit_impl");
  return next(function, argument, object);
}
using StatusFunction = void(int, void*);
LIBC(int, on_exit, StatusFunction* function, void* argument) {
  if (const auto rank = ranks().current())
    return work_of(*rank).handlers.emplace_back([=](int status) { function(status, argument); }), 0;
  static auto* const next = real<int(StatusFunction*, void*)>("on_exit");
  return next(function, argument);
}

// smpicc renames exit to smpi_exit.
extern "C" {
[[gnu::visibility("default")]] [[noreturn]] void smpi_exit(int status) {
  if (const auto rank = ranks().current()) exit_rank(*rank, status, true);
  real<void(int)>("exit")(status);
  __builtin_unreachable();
}
[[gnu::visibility("default")]] [[noreturn]] void own_exit(int status) __asm__("exit");
[[noreturn]] void own_exit(int status) { smpi_exit(status); }
[[gnu::visibility("default")]] [[noreturn]] void own__exit(int status) __asm__("_exit");
[[noreturn]] void own__exit(int status) {
  if (const auto rank = ranks().current()) exit_rank(*rank, status, false);
  syscall(SYS_exit_group, status);
  __builtin_unreachable();
}
[[gnu::visibility("default")]] [[noreturn]] void own__Exit(int status) __asm__("_Exit");
[[noreturn]] void own__Exit(int status) { own__exit(status); }
[[gnu::visibility("default")]] [[noreturn]] void own_quick_exit(int status) __asm__("quick_exit");
[[noreturn]] void own_quick_exit(int status) { own__exit(status); }
}

} // namespace hypermon
