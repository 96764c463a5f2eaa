// SPDX-License-Identifier: BSD-3-Clause
#include "sw/monitors/hpvm/objects.hpp"
#include "base/edit_distance.hpp"
#include "base/parts.hpp"
#include "base/user_error.hpp"

#include <algorithm>
#include <array>
#include <sstream>
#include <utility>

namespace hypermon::hpvm {
namespace {

struct Prefix {
  std::string_view prefix;
  std::string_view object;
};
// The first matching prefix determines the object.
constexpr std::array objects{Prefix{"os.", "System"},
                             Prefix{"network.", "System"},
                             Prefix{"cpu.user", "Process"},
                             Prefix{"process.", "Process"},
                             Prefix{"cpu.", "Processor"},
                             Prefix{"memory.", "Memory"},
                             Prefix{"messages.", "FM"},
                             Prefix{"interface.", "FM"},
                             Prefix{"queue.", "MPID"},
                             Prefix{"mpi.sizes", "MPID"},
                             Prefix{"", "MPI"}}; // includes the program's own counters: DebugCounter

struct Set {
  std::string_view name;
  std::string_view words;
};
constexpr std::array sets{
    Set{"host", "cpu.user cpu.kernel cpu.busy os.context_switches os.interrupts"},
    Set{"debug", "user"},
    Set{"fm_data_transfer",
        "messages.bytes_sent messages.bytes_received interface.bytes_sent interface.bytes_received"},
    Set{"mpi_collectives", // their sum is TimeInColl
        "mpi.time:MPI_Allgather mpi.time:MPI_Allreduce mpi.time:MPI_Alltoall mpi.time:MPI_Barrier mpi.time:MPI_Bcast "
        "mpi.time:MPI_Gather mpi.time:MPI_Reduce mpi.time:MPI_Scatter"},
    Set{"mpi_messages", "mpi.time:MPI_Send mpi.time:MPI_Recv mpi.time:MPI_Wait mpi.sizes"},
    Set{"queues", "queue.posted queue.unexpected"},
    Set{"processes", "process.cpu"},
    Set{"memory", "memory.working_set memory.page_faults memory.pages_read memory.available process.working_set"}};

std::vector<std::string> all_counters() {
  std::vector<std::string> names;
  for (const Part& part : parts())
    for (const auto& list : part.counters)
      for (const CounterInfo& info : list) names.emplace_back(info.name);
  return names;
}

Named split(const std::string& word) {
  const auto colon = word.find(':');
  return {word.substr(0, colon), colon == std::string::npos ? "" : word.substr(colon + 1)};
}

[[noreturn]] void refuse(const std::string& word, const std::string& what, const std::string& near,
                         const std::string& path) {
  throw UserError(path + " = " + word + ": no such " + what + "; did you mean " + near + "?");
}

void add(std::vector<Named>& found, const std::string& words, const std::vector<std::string>& known,
         const std::string& path) {
  std::string blanks = words;
  std::replace(blanks.begin(), blanks.end(), ',', ' ');
  std::istringstream stream(blanks);
  for (std::string word; stream >> word;) {
    const auto* const set = std::find_if(sets.begin(), sets.end(), [&](const Set& s) { return s.name == word; });
    if (set != sets.end()) {
      add(found, std::string(set->words), known, path);
      continue;
    }
    Named named = split(word);
    if (std::find(known.begin(), known.end(), named.counter) == known.end()) {
      std::vector<std::string> names = known;
      for (const Set& s : sets) names.emplace_back(s.name);
      refuse(word, "counter or set", nearest_word(named.counter, names), path);
    }
    const auto same = [&](const Named& n) { return n.counter == named.counter && n.item == named.item; };
    if (std::none_of(found.begin(), found.end(), same)) found.push_back(named);
  }
}

} // namespace

std::string_view object_of(std::string_view counter) {
  return std::find_if(objects.begin(), objects.end(), [&](const Prefix& p) { return counter.starts_with(p.prefix); })
      ->object;
}

Named named_counter(const std::string& word, const std::string& path) {
  Named named = split(word);
  const std::vector<std::string> known = all_counters();
  if (std::find(known.begin(), known.end(), named.counter) == known.end())
    refuse(word, "counter", nearest_word(named.counter, known), path);
  return named;
}

std::vector<Named> named_counters(const std::string& words, const std::string& path) {
  std::vector<Named> found;
  add(found, words, all_counters(), path);
  if (found.empty()) throw UserError(path + " = \"\": must name a counter or a set");
  return found;
}

} // namespace hypermon::hpvm
