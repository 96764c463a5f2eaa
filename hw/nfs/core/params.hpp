// SPDX-License-Identifier: BSD-3-Clause
// Parameters of the shared file system: an NFS server and the clients of its computers.
#pragma once
#include "base/choice.hpp"
#include "base/field.hpp"
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

constexpr auto fields_of(const NfsParams*) {
  using P = NfsParams;
  constexpr const char* table = "TAU sec. 4: calibrated by 128 ranks and the shares of Table 1 (docs/design/nfs.md)";
  constexpr const char* beside = "chosen: small beside what changes directories";
  constexpr const char* manual = "nfs(5) of Linux 2.4 and 2.6";
  return fields(
      Field{"place", &P::place,
            "The computer of the server of a file system that all computers share; off: there is none.", "chosen"},
      Field{"number", &P::number, range(0, 4095), "", "Which of these computers, from 0 on.", "chosen"},
      Field{"network", &P::network, any_value(), "", "It is reached over the network of this name.", "chosen"},
      Field{"threads", &P::threads, range(1, 4096), "", "The server serves so many calls at once.",
            "Linux: RPCNFSDCOUNT is 8"},
      Field{"journal", &P::journal,
            "What its disk's journal does one after the other, with a thread that waits for it. metadata: changes of "
            "directories. changes: and writes to stable storage, and commits.",
            "TAU Table 1: close does not wait behind opens (docs/design/nfs.md)"},
      Field{"getattr_us", &P::getattr_us, range(0, 1e7), "The server's time for GETATTR.", beside},
      Field{"lookup_us", &P::lookup_us, range(0, 1e7), "For LOOKUP.", beside},
      Field{"read_us", &P::read_us, range(0, 1e7), "For READ, beside its bytes: from memory.", beside},
      Field{"readdir_us", &P::readdir_us, range(0, 1e7), "For READDIR.", beside},
      Field{"write_us", &P::write_us, range(0, 1e7), "For WRITE, beside its bytes.", table},
      Field{"commit_us", &P::commit_us, range(0, 1e7), "For COMMIT.", "chosen: as a write's"},
      Field{"create_us", &P::create_us, range(0, 1e7), "For CREATE, on stable storage before the answer.", table},
      Field{"mkdir_us", &P::mkdir_us, range(0, 1e7), "For MKDIR, alike.", "chosen: as create"},
      Field{"remove_us", &P::remove_us, range(0, 1e7), "For REMOVE, alike.", "chosen: as create"},
      Field{"rename_us", &P::rename_us, range(0, 1e7), "For RENAME, alike; what had that name before is freed.", table},
      Field{"mb_per_s", &P::mb_per_s, range(0.001, 1e6), "MB/s", "Bytes of a WRITE or READ, while it is served.",
            "chosen: facts (hdtrace) have a disk of 100 MiB/s"},
      Field{"scale", &P::scale, range(0, 1e6), "", "All times of the server are so many times these.",
            "TAU sec. 4: calibrated by 52.71 % at 128 ranks (hypermon study tau --calibrate)"},
      Field{"waiting_share", &P::waiting_share, range(0, 1000), "",
            "A call's service takes this share longer for each call that waits at the server when it begins.",
            "facts (tau): not stated, so constant; TAU sec. 4 calls it an impact of simultaneous operations"},
      Field{"outages", &P::outages, any_value(), "",
            "When the server is down: the date in s and for how many s, several with ; between (10 2; 60 0.5). It "
            "forgets what it was asked then, and hears nothing.",
            "chosen"},
      Field{"slots", &P::slots, range(1, 65536), "", "Calls that a computer has under way at once; others wait.",
            "Linux: RPC_DEF_SLOT_TABLE is 16"},
      Field{"directory_lock", &P::directory_lock, any_value(), "",
            "Processes of one computer change a directory one after the other, each until it is answered.",
            "Linux: the directory's i_sem (i_mutex) is held across lookup and create, and across rename"},
      Field{"transfer_bytes", &P::transfer_bytes, range(512, 1 << 24),
            "Data of one WRITE or READ; a file that fits into one is written with it to stable storage, any other is "
            "committed behind.",
            "Linux 2.6: 32 KiB (wsize, rsize); nfs_flush_one: FLUSH_STABLE"},
      Field{"timeo_s", &P::timeo_s, range(0.001, 60),
            "A client that has no answer after this asks again; the next time it waits twice as long, up to 60 s.",
            manual},
      Field{"retrans", &P::retrans, range(0, 100), "",
            "After so many it says that the server is not responding, still trying, and begins with twice the time.",
            manual},
      Field{"call_us", &P::call_us, range(0, 1e6), "CPU time of a process's system call on a file.", "chosen"},
      Field{"copy_mb_per_s", &P::copy_mb_per_s, range(1, 1e6), "MB/s",
            "At which it copies data to or from its computer's memory.", "chosen: a copy of a Pentium III or Opteron"},
      Field{"attributes_s", &P::attributes_s, range(0, 1e6),
            "A computer believes a file's attributes for so long; who opens a file or a directory always asks.",
            "nfs(5): acregmin is 3 s; close-to-open consistency"});
}
static_assert(all_members_described<NfsParams>());

} // namespace hypermon
