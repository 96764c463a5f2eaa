// SPDX-License-Identifier: BSD-3-Clause
// Functions of a program compiled with -finstrument-functions, as routines (sw/include/hypermon.h). The compiler calls
// the two functions below at the begin and end of each function. Only calls from the rank's own object count, and only
// if an observer keeps routine times.
//
// A function that longjmp() leaves has no end, and neither has one that an exception leaves in C. Its routine ends when
// a function begins whose frame cannot be below it, at the latest when its caller ends: the end of a function ends
// everything inside it.
#include "platforms/worker/children.hpp"
#include "platforms/worker/object_file.hpp"
#include "platforms/worker/ranks.hpp"
#include "sw/mpi/program_counters.hpp"
#include "sw/os/place.hpp"
#include "sw/os/ranks.hpp"

#include <dlfcn.h>
#include <fcntl.h>
#include <link.h>
#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <functional>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

namespace hypermon {
namespace {

/// Names of functions by offset in the program's object, which is equal for all ranks' copies.
class FunctionNames {
public:
  /// The name is valid as long as the program. A function without a symbol is named by its offset.
  const char* name(std::uintptr_t offset, const void* function) {
    if (!std::exchange(is_read_, true)) read(function);
    const auto [found, is_new] = names_.try_emplace(offset);
    if (is_new) {
      char text[20];
      std::snprintf(text, sizeof text, "0x%zx", static_cast<std::size_t>(offset));
      found->second = text;
    }
    return found->second.c_str();
  }

private:
  void read(const void* function) {
    dl_find_object object{};
    if (_dl_find_object(const_cast<void*>(function), &object) != 0) return;
    const int file = open(object.dlfo_link_map->l_name, O_RDONLY | O_CLOEXEC);
    if (file < 0) return;
    const ObjectFile tables(file);
    for (const Elf64_Word table : {SHT_SYMTAB, SHT_DYNSYM}) // static functions are only in SHT_SYMTAB, if it exists
      tables.for_each_symbol(table, [this](std::string_view name, const Elf64_Sym& symbol) {
        if (symbol.st_shndx == SHN_UNDEF || ELF64_ST_TYPE(symbol.st_info) != STT_FUNC) return;
        const auto [known, is_new] = names_.try_emplace(symbol.st_value, plain_name(std::string(name)));
        // Aliases made by the compiler contain a dot: sweep_.localalias.
        if (!is_new && known->second.find('.') != std::string::npos && name.find('.') == std::string_view::npos)
          known->second = plain_name(std::string(name));
      });
    close(file);
  }
  bool is_read_ = false;
  std::unordered_map<std::uintptr_t, std::string> names_;
};

struct Begun {
  const char* name;
  const void* frame; // frame of the compiler's call; stacks grow downwards
  const void* site;  // return address of the function
};

/// Whether `begun` has been left: `next` begins and is not within it. Inlined functions have the frame and the return
/// address of the function that contains them. A function inlined into itself is taken for one that was left and begins
/// again.
bool is_left(const Begun& begun, const Begun& next) {
  if (begun.frame != next.frame) return std::less<>()(begun.frame, next.frame);
  return begun.site != next.site || begun.name == next.name;
}

FunctionNames& function_names() {
  static FunctionNames all;
  return all;
}

/// The rank's functions that have begun and not ended, the innermost last.
std::vector<Begun>& begun_of(int rank) {
  static std::vector<std::vector<Begun>> all;
  if (all.size() <= static_cast<std::size_t>(rank)) all.resize(static_cast<std::size_t>(rank) + 1);
  return all[static_cast<std::size_t>(rank)];
}

/// The program's main is called through this address, because the loader resolves `main` to the worker's.
bool is_main(const void* function) {
  static const void* const first = dlsym(RTLD_DEFAULT, "main");
  return function == first;
}

/// The state of the rank, for functions of its own object that it calls itself; null for all other functions.
RankState* timed_caller(const void* function) {
  const auto rank = ranks().current();
  if (!rank || ranks().is_loading() || in_child()) return nullptr;
  RankState* const self = rank_table().caller();
  if (self == nullptr || self->program > 0 || self->call.function != nullptr || !times_routines(*self)) return nullptr;
  return ranks().object_of(*rank).contains(function) || is_main(function) ? self : nullptr;
}

void end_innermost(std::vector<Begun>& begun) {
  hypermon_stop_timer(begun.back().name);
  begun.pop_back();
}

const char* name_of(int rank, const void* function) {
  if (is_main(function)) return "main";
  return function_names().name(ranks().object_of(rank).offset_of(function), function);
}

} // namespace
} // namespace hypermon

using namespace hypermon;

extern "C" {

void __cyg_profile_func_enter(void* function, void* site) {
  RankState* const self = timed_caller(function);
  if (self == nullptr) return;
  const Begun next{name_of(self->rank, function), __builtin_frame_address(0), site};
  auto& begun = begun_of(self->rank);
  while (!begun.empty() && is_left(begun.back(), next)) end_innermost(begun);
  hypermon_start_timer(next.name);
  begun.push_back(next);
}

void __cyg_profile_func_exit(void* function, void*) {
  RankState* const self = timed_caller(function);
  if (self == nullptr) return;
  const char* const name = name_of(self->rank, function);
  auto& begun = begun_of(self->rank);
  const auto of_it = [name](const Begun& one) { return one.name == name; };
  if (std::none_of(begun.begin(), begun.end(), of_it)) return; // the function began when no routine times were kept
  while (!of_it(begun.back())) end_innermost(begun);
  end_innermost(begun);
}
}
