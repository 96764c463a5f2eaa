// SPDX-License-Identifier: BSD-3-Clause
// Translates one call of the program into actions of the script. Each kind of call has a file of its own:
// script_messages.cpp, script_requests.cpp, script_collectives.cpp, script_communicators.cpp, script_files.cpp.
#pragma once
#include "sw/mpi/script_recorder.hpp"
#include "sw/os/ranks.hpp"

#include <initializer_list>
#include <string>
#include <vector>

namespace hypermon {

class ScriptRecorder::Call {
public:
  Call(ScriptRecorder& script, const RankState& rank, const MpiCall& call)
      : script_(script), rank_(rank), own_(script.entry(rank)), call_(call) {
    ++own_.calls;
  }
  void write();

private:
  /// Number of a request that is not in the script because its call was recorded as a blocking one.
  static constexpr std::int32_t unsaid = -1;

  void add(const Action& action) { script_.add(rank_, action); }
  void simple(Operation operation, std::int64_t size = 0);
  void lost(const std::string& what);
  /// Sets the action's communicator to that of the call; returns false if the script does not have it.
  bool in_comm(Action& a);
  static Action new_action(Operation operation, const MpiPart& part);
  static std::uint8_t element_of(const MpiPart& part) {
    return part.type_bytes > 0 && part.type_bytes <= UINT8_MAX ? static_cast<std::uint8_t>(part.type_bytes) : 1;
  }
  /// A number that was given back, or the next one.
  template <class Number> static Number new_number(std::vector<Number>& free, Number& next) {
    if (free.empty()) return next++;
    const Number number = free.back();
    free.pop_back();
    return number;
  }

  void message(Operation operation, const MpiPart& part);
  void start(Operation operation, const MpiPart& part);
  void buffered(const MpiPart& part);
  void prepare(Operation operation, const MpiPart& part);
  void probed(const MpiPart& part);

  std::int32_t new_request() { return new_number(own_.free_requests, own_.next_request); }
  /// Number of the call's request at that index.
  std::int32_t number(std::size_t index) const;
  void finish(std::size_t index);
  void start_persistent();
  void cancel();
  void free_request();
  void completed_ones(Operation operation);
  /// Calls that complete some of several requests: records waits for the completed ones.
  void waits();

  void made(Operation operation);
  void freed();

  /// `part`: the data of this rank. `other`: the data that replace it under MPI_IN_PLACE, over all ranks.
  void collective(Operation operation, const MpiPart& part, const MpiPart& other);
  void collective(Operation operation, const MpiPart& part) { collective(operation, part, part); }
  /// Like collective(), with a list of blocks. Several lists follow each other.
  void blocks(Operation operation, const MpiPart& part, std::initializer_list<const MpiPart*> lists);
  void as_blocking() { own_.requests[*call_.new_request()] = unsaid; }

  /// Sets the action's file to that of the call; returns false if the script does not have it.
  bool in_file(Action& a);
  void opened();
  void closed();
  void deleted();
  void viewed();
  void of_file(Operation operation);
  void accessed(Operation operation);

  ScriptRecorder& script_;
  const RankState& rank_;
  Rank& own_;
  const MpiCall& call_;
};

} // namespace hypermon
