// SPDX-License-Identifier: BSD-3-Clause
// Result keys of the shared file system.
#pragma once
#include "base/result_keys.hpp"

namespace hypermon {

struct NfsKeys {
  struct Procedures {
    ResultList list{"nfs.procedures[]"};
    ResultKey<std::string> procedure{
        "nfs.procedures[].procedure", "",
        "Procedure of NFS version 3 that nodes call on the shared file system (nfs.place)."};
    ResultKey<int> calls{"nfs.procedures[].calls", "calls",
                         "Number of calls of this procedure that the server has served."};
    ResultKey<double> service_s{"nfs.procedures[].service_s", "s",
                                "Service time of all calls of this procedure at the server."};
    ResultKey<double> waited_s{"nfs.procedures[].waited_s", "s",
                               "Time that all calls of this procedure waited at the server before their service."};
    ResultKey<double> longest_ms{"nfs.procedures[].longest_ms", "ms",
                                 "Longest time from a client's call of this procedure to its answer."};
  } procedures;
  ResultKey<double> journal_s{"nfs.journal_s", "s", "Time that the server's journal was busy (nfs.journal)."};
  ResultKey<int> longest_queue{"nfs.longest_queue", "calls",
                               "Largest number of calls that were at the server at the same time."};
  ResultKey<int> files{"nfs.files", "files", "Number of files in the shared file system at the end of the run."};
  ResultKey<int> written_bytes{
      "nfs.written_bytes", "B",
      "Bytes that processes wrote to the shared file system. A file of the monitor counts once it is closed."};
  ResultKey<int> read_bytes{"nfs.read_bytes", "B", "Bytes that processes read from the shared file system."};
  ResultKey<int> stale_reads{
      "nfs.stale_reads", "reads",
      "Number of reads that failed because another process had replaced the file in the meantime (ESTALE)."};
  ResultKey<int> lost_requests{
      "nfs.lost_requests", "requests",
      "Number of requests that arrived while the server was down, or were at the server when it failed."};
  ResultKey<int> retransmissions{"nfs.retransmissions", "requests",
                                 "Number of requests that clients sent again because no answer had arrived."};
  ResultKey<int> duplicates{"nfs.duplicates", "requests",
                            "Number of retransmitted requests that the server had already received."};
  struct NotResponding {
    ResultKey<int> calls{"nfs.not_responding.calls", "calls",
                         "Number of calls for which a client reported that the server is not responding."};
    ResultKey<std::optional<double>> first_s{
        "nfs.not_responding.first_s", "s",
        "Time at which a client first reported that the server is not responding; null if none did."};
    ResultKey<double> longest_s{
        "nfs.not_responding.longest_s", "s",
        "Longest duration of an answered call for which the client had reported that the server is not responding."};
  } not_responding;
};
inline constexpr NfsKeys nfs_keys{};

} // namespace hypermon
