// SPDX-License-Identifier: BSD-3-Clause
// Parameters of the shared file system: an NFS server and the clients of its computers.
#pragma once
#include "base/choice.hpp"
#include "base/quantity.hpp"

#include <cstdint>
#include <string>

namespace hypermon {

enum class NfsPlace : std::uint8_t { off, host, beside, node };
constexpr auto words_of(NfsPlace) { return words("off", "host", "beside", "node"); }

/// What the server does one after the other, whatever its threads.
enum class NfsJournal : std::uint8_t {
  nothing,
  metadata, ///< changes of directories: create, mkdir, remove, rename
  changes,  ///< and what is written to stable storage: stable writes, commits
};
constexpr auto words_of(NfsJournal) { return words("nothing", "metadata", "changes"); }

struct NfsParams {
  NfsPlace place = NfsPlace::off;
  std::int64_t number = 0;
  std::string network = "program";
  // the server
  std::int64_t threads = 8;
  NfsJournal journal = NfsJournal::metadata;
  Microseconds getattr_us = 20;
  Microseconds lookup_us = 20;
  Microseconds read_us = 30;
  Microseconds readdir_us = 50;
  Microseconds write_us = 327;
  Microseconds commit_us = 327;
  Microseconds create_us = 247;
  Microseconds mkdir_us = 247;
  Microseconds remove_us = 247;
  Microseconds rename_us = 222;
  double mb_per_s = 100;
  double scale = 1.118;
  double waiting_share = 0;
  std::string outages;
  // its clients
  std::int64_t slots = 16;
  bool directory_lock = true;
  Bytes transfer_bytes = 32768;
  Seconds timeo_s = 0.7;
  std::int64_t retrans = 3;
  Microseconds call_us = 5;
  double copy_mb_per_s = 500;
  Seconds attributes_s = 3;
};

} // namespace hypermon
