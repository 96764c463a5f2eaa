// SPDX-License-Identifier: BSD-3-Clause
// The consumer that polls the files of profiles, and the fate of each profile that was written into a file.
#pragma once
#include "base/results.hpp"
#include "hw/machine/site.hpp"
#include "hw/nfs/core/shared_files.hpp"
#include "sw/monitors/tau/file_params.hpp"
#include "sw/monitors/tau/profile_log.hpp"

#include <cstdint>
#include <map>
#include <set>
#include <string>
#include <utility>

namespace hypermon::tau {

class FilePoller {
public:
  FilePoller(const TauFilesParams& params, ProfileLog& log) : params_(params), log_(log) {}
  /// Starts its daemon, unless tau_files.consumer is off.
  void start(Site& site);

  /// opened(): a process has opened a file for its profile. is_there(): the file is complete and has the name that
  /// consumers poll, and replaces any earlier file of that name.
  void opened(SharedFiles::FileNumber file, const Dump& dump) { dumps_[file] = dump; }
  void is_there(const std::string& path, SharedFiles::FileNumber file);
  /// The program and the daemons have ended: files that were not read are left behind.
  void finish();
  /// The consumer's keys of the result; null if there is no consumer.
  ResultValues report() const;

private:
  /// The version of a file that was read; it is not read again.
  using Version = std::pair<SharedFiles::FileNumber, Time>;
  void look(Daemon& self, SharedFiles& files);
  void look_at(Daemon& self, SharedFiles& files, const std::string& path);
  void lose(SharedFiles::FileNumber file, const char* cause);

  TauFilesParams params_;
  ProfileLog& log_;
  std::map<SharedFiles::FileNumber, Dump> dumps_; // waiting for a reader
  std::map<std::string, SharedFiles::FileNumber> current_;
  std::map<std::string, Version> seen_;
  std::string reads_;                              // path of the file that is being read
  std::set<SharedFiles::FileNumber> replaced_now_; // replaced during the current read
  std::uint64_t looks_ = 0;
  std::uint64_t late_ = 0;
  std::uint64_t read_ = 0;
  Time longest_look_;
};

} // namespace hypermon::tau
