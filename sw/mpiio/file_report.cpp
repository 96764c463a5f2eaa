// SPDX-License-Identifier: BSD-3-Clause
#include "sw/mpiio/file_report.hpp"
#include "base/run_keys.hpp"
#include "sw/mpiio/result_keys.hpp"

#include <algorithm>

namespace hypermon::mpiio {

void FileReport::call(MpiFunction function, std::int64_t bytes, Time took) {
  Calls& calls = by_function_[index(function)];
  ++calls.calls;
  calls.bytes += bytes;
  calls.time += took;
  calls.longest = std::max(calls.longest, took);
  calls.shortest = std::min(calls.shortest, took);
}

void FileReport::moves(std::size_t rank, std::int64_t bytes) {
  if (moved_.size() <= rank) moved_.resize(rank + 1);
  moved_[rank] += bytes;
}

std::int64_t FileReport::moved(std::size_t rank) { return rank < moved_.size() ? std::exchange(moved_[rank], 0) : 0; }

void FileReport::ignored(const std::string& hint) {
  if (std::find(ignored_.begin(), ignored_.end(), hint) == ignored_.end()) ignored_.push_back(hint);
}

void FileReport::only_of_mpi(const std::string& name) {
  if (std::find(only_of_mpi_.begin(), only_of_mpi_.end(), name) == only_of_mpi_.end()) only_of_mpi_.push_back(name);
}

void FileReport::write(Results& results, const Files& files) const {
  Json functions = Json::object();
  for (std::size_t f = 0; f < by_function_.size(); ++f) {
    const Calls& calls = by_function_[f];
    if (calls.calls == 0) continue;
    functions[std::string(mpi_function_names[f])] = {{"calls", calls.calls},
                                                     {"bytes", calls.bytes},
                                                     {"seconds", calls.time.seconds()},
                                                     {"longest_s", calls.longest.seconds()},
                                                     {"shortest_s", calls.shortest.seconds()}};
  }
  const auto& of_file = mpiio_keys.files;
  ResultRecords all(of_file.list);
  for (const auto& [name, file] : files)
    all.add({of_file.name(name), of_file.bytes(file->contents.size()), of_file.opened(file->opened),
             of_file.read_bytes(file->read_bytes), of_file.written_bytes(file->written_bytes)});
  const auto count = [&](Strategy s) { return requests[static_cast<std::size_t>(s)]; };
  const auto& of_requests = mpiio_keys.requests;
  const auto& two_phase = mpiio_keys.two_phase;
  results.set({mpiio_keys.functions(functions), std::move(all), of_requests.contiguous(count(Strategy::contiguous)),
               of_requests.pieces(count(Strategy::pieces)), of_requests.lists(count(Strategy::lists)),
               of_requests.datatype(count(Strategy::datatype)), of_requests.sieving(count(Strategy::sieving)),
               of_requests.sieving_reads_before(sieved_reads), of_requests.two_phase(collective_requests),
               of_requests.two_phase_reads_before(collective_reads_before), two_phase.calls(two_phase_calls),
               two_phase.rounds(two_phase_rounds), two_phase.messages(exchanged_messages),
               two_phase.bytes(exchanged_bytes), mpiio_keys.ignored_hints(ignored_)});
  for (const std::string& hint : ignored_) results.append(run_keys.warnings, "a hint of MPI-IO was ignored: " + hint);
  for (const std::string& name : only_of_mpi_)
    results.append(run_keys.warnings,
                   "only MPI-IO knows the file " + name +
                       ", which is not in the program's working folder: open and stat do not find it, and "
                       "a file of the host with that path is not used. A relative path works for all");
}

} // namespace hypermon::mpiio
