// SPDX-License-Identifier: BSD-3-Clause
// The files of a run by name, with their contents and locks.
#pragma once
#include "hw/packets/core/parallel_file_system.hpp"
#include "sw/mpiio/core/contents.hpp"

#include <deque>
#include <functional>
#include <map>
#include <memory>
#include <string>

namespace hypermon::mpiio {

struct SharedFile {
  SharedFile(std::string n, FileId i, std::unique_ptr<FileContents> c)
      : name(std::move(n)), id(i), owned(std::move(c)), contents(*owned) {}

  std::string name;
  FileId id;
  std::unique_ptr<FileContents> owned;
  FileContents& contents;
  int openings = 0;
  std::int64_t opened = 0; // number of openings
  std::int64_t read_bytes = 0;
  std::int64_t written_bytes = 0;

  /// Calls `then` when the lock is free. Requests are served in the order of the calls.
  void lock(std::function<void()> then) {
    waiting_.push_back(std::move(then));
    if (waiting_.size() == 1) waiting_.front()();
  }
  void unlock() {
    waiting_.pop_front();
    if (!waiting_.empty()) waiting_.front()();
  }

private:
  std::deque<std::function<void()>> waiting_; // waiting callers; the first one holds the lock
};

using Files = std::map<std::string, std::shared_ptr<SharedFile>>;

} // namespace hypermon::mpiio
