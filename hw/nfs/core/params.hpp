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

/// Work that the server serialises, whatever the number of its threads.
enum class NfsJournal : std::uint8_t {
  nothing,
  metadata, ///< changes of directories: create, mkdir, remove, rename
  changes,  ///< also data that are written to stable storage: stable writes, commits
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
  constexpr const char* beside = "chosen: small compared with changes of directories";
  constexpr const char* manual = "nfs(5) of Linux 2.4 and 2.6";
  return fields(
      Field{"place", &P::place,
            "Computer that runs the NFS server of the shared file system. off: there is no such server. host: the "
            "machine's host. beside: a computer beside the machine. node: a compute node.",
            "chosen"},
      Field{"number", &P::number, range(0, 4095), "",
            "Number, from 0 on, of the node or of the computer beside the machine that runs the NFS server.", "chosen"},
      Field{"network", &P::network, any_value(), "", "Name of the network over which the NFS server is reached.",
            "chosen"},
      Field{"threads", &P::threads, range(1, 4096), "", "Number of calls that the NFS server serves at once.",
            "Linux: RPCNFSDCOUNT is 8"},
      Field{"journal", &P::journal,
            "Operations that the journal of the NFS server's disk serialises, each with a server thread that waits for "
            "it. nothing: none. metadata: changes of directories. changes: these, and writes and commits to stable "
            "storage.",
            "TAU Table 1: close does not wait behind opens (docs/design/nfs.md)"},
      Field{"getattr_us", &P::getattr_us, range(0, 1e7), "Server time of one NFS GETATTR request.", beside},
      Field{"lookup_us", &P::lookup_us, range(0, 1e7), "Server time of one NFS LOOKUP request.", beside},
      Field{"read_us", &P::read_us, range(0, 1e7),
            "Server time of one NFS READ request from memory, in addition to its data.", beside},
      Field{"readdir_us", &P::readdir_us, range(0, 1e7), "Server time of one NFS READDIR request.", beside},
      Field{"write_us", &P::write_us, range(0, 1e7), "Server time of one NFS WRITE request, in addition to its data.",
            table},
      Field{"commit_us", &P::commit_us, range(0, 1e7), "Server time of one NFS COMMIT request.",
            "chosen: as a write's"},
      Field{"create_us", &P::create_us, range(0, 1e7),
            "Server time of one NFS CREATE request. The new file is on stable storage before the reply.", table},
      Field{"mkdir_us", &P::mkdir_us, range(0, 1e7),
            "Server time of one NFS MKDIR request. The new directory is on stable storage before the reply.",
            "chosen: as create"},
      Field{"remove_us", &P::remove_us, range(0, 1e7),
            "Server time of one NFS REMOVE request. The change is on stable storage before the reply.",
            "chosen: as create"},
      Field{"rename_us", &P::rename_us, range(0, 1e7),
            "Server time of one NFS RENAME request. It frees the file that had the new name before, and is on stable "
            "storage before the reply.",
            table},
      Field{"mb_per_s", &P::mb_per_s, range(0.001, 1e6), "MB/s",
            "Rate at which the NFS server handles the data of a WRITE or READ request.",
            "chosen: facts (hdtrace) have a disk of 100 MiB/s"},
      Field{"scale", &P::scale, range(0, 1e6), "", "Factor on all service times of the NFS server.",
            "TAU sec. 4: calibrated by 52.71 % at 128 ranks (hypermon study tau --calibrate)"},
      Field{"waiting_share", &P::waiting_share, range(0, 1000), "",
            "Relative growth of a call's service time for each call that waits at the NFS server when the service "
            "begins.",
            "facts (tau): not stated, so constant; TAU sec. 4 calls it an impact of simultaneous operations"},
      Field{"outages", &P::outages, any_value(), "",
            "Outages of the NFS server, each as time and length in s, separated by semicolons (10 2; 60 0.5). The "
            "server then forgets unfinished calls and receives none.",
            "chosen"},
      Field{"slots", &P::slots, range(1, 65536), "",
            "Number of NFS calls that one computer has under way at once. Further calls wait.",
            "Linux: RPC_DEF_SLOT_TABLE is 16"},
      Field{"directory_lock", &P::directory_lock, any_value(), "",
            "Serialise changes of one directory by the processes of one computer. Each change holds the directory "
            "until the server has replied.",
            "Linux: the directory's i_sem (i_mutex) is held across lookup and create, and across rename"},
      Field{"transfer_bytes", &P::transfer_bytes, range(512, 1 << 24),
            "Largest amount of data in one NFS WRITE or READ. A file that fits into one WRITE goes to stable storage "
            "with it; larger files need a COMMIT.",
            "Linux 2.6: 32 KiB (wsize, rsize); nfs_flush_one: FLUSH_STABLE"},
      Field{"timeo_s", &P::timeo_s, range(0.001, 60),
            "Time after which an NFS client without a reply sends its request again. The time doubles with each "
            "repetition, up to 60 s.",
            manual},
      Field{"retrans", &P::retrans, range(0, 100), "",
            "Number of repetitions after which an NFS client reports that the server is not responding. It then starts "
            "again with twice the first timeout.",
            manual},
      Field{"call_us", &P::call_us, range(0, 1e6),
            "CPU time of a process's system call on a file of the shared file system.", "chosen"},
      Field{"copy_mb_per_s", &P::copy_mb_per_s, range(1, 1e6), "MB/s",
            "Rate at which a process copies file data to or from its computer's memory.",
            "chosen: a copy of a Pentium III or Opteron"},
      Field{"attributes_s", &P::attributes_s, range(0, 1e6),
            "Time for which an NFS client trusts the cached attributes of a file. Opening a file or directory always "
            "queries the server.",
            "nfs(5): acregmin is 3 s; close-to-open consistency"});
}
static_assert(all_members_described<NfsParams>());

} // namespace hypermon
