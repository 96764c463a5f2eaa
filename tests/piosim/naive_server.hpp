// SPDX-License-Identifier: BSD-3-Clause
// A server's cache and disk, done nanosecond by nanosecond: lists that are looked through from their beginning.
#pragma once
#include "hw/packets/core/cache.hpp"

#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <list>
#include <optional>
#include <vector>

namespace hypermon::testing {

using piosim::CacheJob;
using piosim::DiskOperation;

class NaiveServer {
public:
  struct Asked {
    CacheJob job;
    std::int64_t when;      ///< arrival in ns; from then on a write waits until there is room
    std::int64_t done = -1; ///< time at which the disk has done it
  };

  NaiveServer(const PfsCacheParams& cache, const PfsDiskParams& disk, std::int64_t granularity)
      : cache_(cache), disk_(disk), granularity_(granularity), free_(std::llround(cache.memory_mib * 1048576)) {}

  /// All operations must be in the order of their dates.
  void run(std::vector<Asked>& asked) {
    asked_ = &asked;
    std::size_t next = 0;
    for (now_ = 0; std::ranges::any_of(asked, [](const Asked& a) { return a.done < 0; }); ++now_) {
      while (next < asked.size() && asked[next].when == now_) offer(next++);
      while (current_ && ends_ == now_) disk_done();
    }
  }
  std::int64_t operations = 0;

private:
  struct Operation {
    DiskOperation what;
    std::vector<std::size_t> jobs;
    std::int64_t added = 0;
  };
  using Kind = DiskOperation::Kind;
  const CacheJob& job(std::size_t number) const { return (*asked_)[number].job; }
  bool fits(std::int64_t bytes) const { return free_ > bytes; }

  void offer(std::size_t number) {
    if (job(number).kind == Kind::write) {
      waiting_for_room_.push_back(number);
      return let_in(waiting_for_room_.size() == 1);
    }
    enter(number);
    hand_on();
  }
  void enter(std::size_t number) {
    queue_.push_back(number);
    std::list<FileId>& turn = turn_[job(number).kind == Kind::read ? 0 : 1];
    if (std::ranges::find(turn, job(number).file) == turn.end()) turn.push_back(job(number).file);
  }
  void leave(const DiskOperation& what) {
    const bool reads = what.kind == Kind::read;
    const auto same = [&](std::size_t n) { return job(n).file == what.file && (job(n).kind == Kind::read) == reads; };
    if (std::ranges::none_of(queue_, same)) turn_[reads ? 0 : 1].remove(what.file);
  }
  void let_in(bool may) {
    while (may && !waiting_for_room_.empty()) {
      const std::size_t first = waiting_for_room_.front();
      if (cache_.model == CacheModel::none ? writes_ > 0 : !fits(job(first).bytes)) return;
      waiting_for_room_.pop_front();
      ++writes_;
      free_ -= job(first).bytes;
      enter(first);
      hand_on();
    }
  }
  void hand_on() {
    while (static_cast<std::int64_t>(at_disk_.size()) + (current_ ? 1 : 0) + finishing_ < cache_.concurrent) {
      Operation next;
      if (!pick(next)) return;
      if (next.what.kind == Kind::read)
        for (const std::size_t j : next.jobs) free_ -= job(j).bytes;
      for (const std::size_t j : next.jobs) queue_.remove(j);
      leave(next.what);
      next.added = now_;
      // The paper's order: an operation at or after the head in its file joins the sweep.
      next.what.number = head_file_ == next.what.file && next.what.offset >= head_ && next.what.kind != Kind::flush;
      at_disk_.push_back(next);
      start();
    }
  }
  Operation alone(std::size_t number) const {
    const CacheJob& j = job(number);
    return {{j.kind, j.file, j.offset, j.bytes, 0}, {number}};
  }
  void join(Operation& operation, std::size_t number) const {
    const std::int64_t end = std::max(operation.what.end(), job(number).end());
    operation.what.offset = std::min(operation.what.offset, job(number).offset);
    operation.what.bytes = end - operation.what.offset;
    operation.jobs.push_back(number);
  }
  bool touches(const Operation& operation, std::size_t number) const {
    const CacheJob& j = job(number);
    return j.kind == operation.what.kind && j.file == operation.what.file && j.end() >= operation.what.offset &&
           j.offset <= operation.what.end();
  }
  bool too_large(Operation operation, std::size_t number) const {
    join(operation, number);
    return operation.what.bytes > granularity_;
  }

  bool pick(Operation& next) {
    if (cache_.model == CacheModel::aggregation_reorder) return pick_reordering(next);
    const auto is_read = [&](std::size_t n) { return job(n).kind == Kind::read; };
    const auto read = std::ranges::find_if(queue_, is_read);
    const bool aggregates = cache_.model == CacheModel::aggregation;
    const bool reads = read != queue_.end() && fits(aggregates ? granularity_ : job(*read).bytes);
    const auto first = reads ? read : std::ranges::find_if_not(queue_, is_read);
    if (first == queue_.end()) return false;
    next = alone(*first);
    if (!aggregates || next.what.kind == Kind::flush) return true;
    std::list<std::size_t> others = queue_;
    others.remove(*first);
    for (bool changed = true; changed;) {
      changed = false;
      for (auto at = others.begin(); at != others.end();) {
        if (!touches(next, *at) || !fits(job(*at).bytes)) {
          ++at;
          continue;
        }
        if (too_large(next, *at)) return true;
        join(next, *at);
        at = others.erase(at);
        changed = true;
      }
    }
    return true;
  }

  /// Picks from the last file, otherwise from the file whose operations have waited longest.
  bool pick_reordering(Operation& next) {
    for (int phase = 0; phase < 3; ++phase, reads_now_ = !reads_now_) {
      if (reads_now_ && !fits(granularity_)) continue;
      std::vector<std::size_t> mine;
      for (const std::size_t n : queue_)
        if ((job(n).kind == Kind::read) == reads_now_) mine.push_back(n);
      if (mine.empty()) continue;
      const auto of_file = [&](FileId file) { return [this, file](std::size_t n) { return job(n).file == file; }; };
      if (!last_file_ || std::ranges::none_of(mine, of_file(*last_file_)))
        last_file_ = turn_[reads_now_ ? 0 : 1].front();
      std::erase_if(mine, [&](std::size_t n) { return job(n).file != *last_file_; });
      std::ranges::stable_sort(mine, {},
                               [&](std::size_t n) { return std::pair(job(n).kind == Kind::flush, job(n).offset); });
      next = alone(mine.front());
      std::int64_t free = free_ - (reads_now_ ? job(mine.front()).bytes : 0);
      for (std::size_t m = 1; m < mine.size(); ++m) {
        if (next.what.kind == Kind::flush) {
          next.jobs.push_back(mine[m]);
          continue;
        }
        if (!touches(next, mine[m]) || too_large(next, mine[m]) || (reads_now_ && free <= job(mine[m]).bytes)) break;
        join(next, mine[m]);
        if (reads_now_) free -= job(mine[m]).bytes;
      }
      return true;
    }
    reads_now_ = true;
    return false;
  }
  // The disk
  void start() {
    if (current_ || at_disk_.empty()) return;
    auto next = pick_at_disk();
    current_ = *next;
    at_disk_.erase(next);
    const DiskOperation& what = current_->what;
    std::int64_t takes = 0;
    if (what.kind != Kind::flush) {
      const std::int64_t rate = std::llround(disk_.mib_per_s * 1048576);
      const std::int64_t turn = 30'000'000'000 / disk_.turns_per_min; // the test's are whole
      const std::int64_t seek = Time(disk_.seek_ms).ps() / 1000;
      const std::int64_t track = Time(disk_.track_to_track_ms).ps() / 1000;
      takes = what.bytes * 1'000'000'000 / rate;
      const bool same = head_file_ == what.file;
      const std::int64_t far = std::abs(what.offset - head_);
      if (disk_.model == DiskModel::simple)
        takes += Time(disk_.access_ms).ps() / 1000;
      else if (disk_.model == DiskModel::ideal)
        takes = 0;
      else if (!same || (far > 0 && far >= std::llround(disk_.close_mib * 1048576)))
        takes += turn + seek;
      else if (far > 0)
        takes += turn + track;
      head_file_ = what.file;
      head_ = what.end();
    }
    ends_ = now_ + takes;
    ++operations;
  }
  std::list<Operation>::iterator pick_at_disk() {
    if (disk_.order == DiskOrder::fifo) return at_disk_.begin();
    if (disk_.order == DiskOrder::position) return by_position();
    if (disk_.order == DiskOrder::deadline) {
      for (const bool reads : {true, false})
        for (auto at = at_disk_.begin(); at != at_disk_.end(); ++at)
          if ((at->what.kind == Kind::read) == reads) {
            const Time patience = reads ? disk_.read_deadline_ms : disk_.write_deadline_ms;
            if (at->added + patience.ps() / 1000 <= now_) return at;
            break;
          }
    }
    const auto key = [&](const Operation& o) { return std::pair(o.what.file, o.what.offset); };
    auto best = at_disk_.end();
    for (auto at = at_disk_.begin(); at != at_disk_.end(); ++at)
      if (!head_file_ || key(*at) >= std::pair(*head_file_, head_))
        if (best == at_disk_.end() || key(*at) < key(*best)) best = at;
    if (best == at_disk_.end()) best = std::ranges::min_element(at_disk_, {}, key);
    return best;
  }
  /// number: 1 for those in the sweep.
  std::list<Operation>::iterator by_position() {
    const auto in_sweep = [](const Operation& o) { return o.what.number == 1; };
    if (std::ranges::none_of(at_disk_, in_sweep)) {
      const FileId file = at_disk_.front().what.file;
      for (Operation& o : at_disk_)
        if (o.what.file == file) o.what.number = 1;
    }
    auto best = at_disk_.end();
    for (auto at = at_disk_.begin(); at != at_disk_.end(); ++at)
      if (in_sweep(*at)) {
        const auto key = [](const Operation& o) { return std::pair(o.what.kind == Kind::flush, o.what.offset); };
        if (best == at_disk_.end() || key(*at) < key(*best)) best = at;
      }
    return best;
  }
  void disk_done() {
    const Operation done = *current_;
    current_.reset();
    finishing_ = 1;
    std::int64_t bytes = 0;
    for (const std::size_t j : done.jobs) {
      bytes += job(j).bytes;
      (*asked_)[j].done = now_;
    }
    const bool write = done.what.kind == Kind::write;
    if (write) writes_ -= static_cast<std::int64_t>(done.jobs.size());
    if (write && done.jobs.size() > 1) free_ += bytes;
    if (done.what.kind == Kind::read) { // it leaves at once
      for (const std::size_t j : done.jobs) {
        free_ += job(j).bytes;
        hand_on();
        let_in(writes_ == 0);
      }
    }
    if (write) let_in(true);
    if (write && done.jobs.size() == 1) free_ += bytes;
    finishing_ = 0;
    hand_on();
    if (write) let_in(writes_ == 0);
    start();
  }

  PfsCacheParams cache_;
  PfsDiskParams disk_;
  std::int64_t granularity_;
  std::int64_t free_;
  std::vector<Asked>* asked_ = nullptr;
  std::int64_t now_ = 0;
  std::list<std::size_t> waiting_for_room_;
  std::list<std::size_t> queue_;
  std::int64_t writes_ = 0;
  std::list<Operation> at_disk_;
  std::optional<Operation> current_;
  std::int64_t ends_ = -1;
  int finishing_ = 0;
  std::optional<FileId> head_file_;
  std::int64_t head_ = 0;
  std::optional<FileId> last_file_;
  bool reads_now_ = true;
  std::list<FileId> turn_[2]; // files with reads, and with other operations, in the order of their first operation
};

} // namespace hypermon::testing
