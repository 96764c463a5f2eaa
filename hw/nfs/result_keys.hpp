// SPDX-License-Identifier: BSD-3-Clause
// Result keys of the shared file system.
#pragma once
#include "base/result_keys.hpp"

namespace hypermon {

struct NfsKeys {
  struct Procedures {
    ResultList list{"nfs.procedures[]"};
    ResultKey<std::string> procedure{"nfs.procedures[].procedure", "",
                                     "Call of NFS version 3 that a node makes to the shared file system (nfs.place)."};
    ResultKey<int> calls{"nfs.procedures[].calls", "calls", "That the server has done."};
    ResultKey<double> service_s{"nfs.procedures[].service_s", "s", "Its time for them."};
    ResultKey<double> waited_s{"nfs.procedures[].waited_s", "s", "That they waited at the server before."};
    ResultKey<double> longest_ms{"nfs.procedures[].longest_ms", "ms",
                                 "The longest time from a client's call to its answer."};
  } procedures;
  ResultKey<double> journal_s{"nfs.journal_s", "s", "That the server's journal was busy (nfs.journal)."};
  ResultKey<int> longest_queue{"nfs.longest_queue", "calls", "That were at the server at once."};
  ResultKey<int> files{"nfs.files", "files", "In it at the end."};
  ResultKey<int> written_bytes{"nfs.written_bytes", "B", "That processes have written, when they closed their files."};
  ResultKey<int> read_bytes{"nfs.read_bytes", "B", "That processes have read."};
  ResultKey<int> stale_reads{"nfs.stale_reads", "reads", "Of files that another one had replaced meanwhile."};
  ResultKey<int> lost_requests{"nfs.lost_requests", "requests",
                               "That came while the server was down, or were there when it went."};
  ResultKey<int> retransmissions{"nfs.retransmissions", "requests", "That clients sent again."};
  ResultKey<int> duplicates{"nfs.duplicates", "requests", "Of these the server knew already."};
  struct NotResponding {
    ResultKey<int> calls{"nfs.not_responding.calls", "calls",
                         "Of which a client said that the server is not responding."};
    ResultKey<std::optional<double>> first_s{"nfs.not_responding.first_s", "s",
                                             "When the first one did; null if none did."};
    ResultKey<double> longest_s{"nfs.not_responding.longest_s", "s",
                                "The longest that such a call took, once it was answered."};
  } not_responding;
};
inline constexpr NfsKeys nfs_keys{};

} // namespace hypermon
