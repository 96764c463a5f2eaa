// SPDX-License-Identifier: BSD-3-Clause
// Orders in which a disk performs the waiting operations.
#include "hw/packets/core/disk.hpp"

#include <algorithm>
#include <deque>
#include <map>
#include <utility>

namespace hypermon::piosim {
namespace {

using DiskKind = DiskOperation::Kind;

/// The oldest operation first.
class Fifo : public DiskQueue {
public:
  void add(Time /*now*/, const DiskOperation& operation, const DiskHead& /*head*/) override {
    waiting_.push_back(operation);
  }
  bool empty() const override { return waiting_.empty(); }
  DiskOperation take(Time /*now*/, const DiskHead& /*head*/) override {
    const DiskOperation next = waiting_.front();
    waiting_.pop_front();
    return next;
  }

private:
  std::deque<DiskOperation> waiting_;
};

/// The paper's simulator: operations of the current file at or after the head, by offset; then the file whose first
/// waiting operation is the oldest. A flush comes after the operations of its file that were waiting.
class ByPosition : public DiskQueue {
public:
  void add(Time /*now*/, const DiskOperation& operation, const DiskHead& head) override {
    ++count_;
    if (operation.kind != DiskKind::flush && head.file == operation.file && operation.offset >= head.offset)
      return put(sweep_, operation);
    const auto [found, is_new] = files_.try_emplace(operation.file);
    if (is_new) turn_.push_back(operation.file);
    put(found->second, operation);
  }
  bool empty() const override { return count_ == 0; }
  DiskOperation take(Time /*now*/, const DiskHead& /*head*/) override {
    --count_;
    if (sweep_.by_offset.empty() && sweep_.flushes.empty()) {
      sweep_ = std::move(files_.extract(turn_.front()).mapped());
      turn_.pop_front();
    }
    if (!sweep_.by_offset.empty()) return sweep_.by_offset.extract(sweep_.by_offset.begin()).mapped();
    const DiskOperation next = sweep_.flushes.front();
    sweep_.flushes.pop_front();
    return next;
  }

private:
  struct Waiting {
    std::multimap<std::int64_t, DiskOperation> by_offset{}; // equal offsets in the order of arrival
    std::deque<DiskOperation> flushes{};
  };
  static void put(Waiting& waiting, const DiskOperation& operation) {
    if (operation.kind == DiskKind::flush)
      waiting.flushes.push_back(operation);
    else
      waiting.by_offset.emplace(operation.offset, operation);
  }
  Waiting sweep_;
  std::map<FileId, Waiting> files_;
  std::deque<FileId> turn_;
  std::size_t count_ = 0;
};

/// Upwards through files and offsets, then from the lowest again. With deadlines, an operation that has waited too long
/// comes first: reads before writes, the oldest of each. The sweep continues from there.
class Elevator : public DiskQueue {
public:
  Elevator(bool has_deadlines, Time read, Time write) : has_deadlines_(has_deadlines), patience_{read, write} {}

  void add(Time now, const DiskOperation& operation, const DiskHead& /*head*/) override {
    const auto at = waiting_.emplace(Key{operation.file, operation.offset, ++number_}, operation).first;
    if (has_deadlines_) ages_[index(operation)].push_back({now + patience_[index(operation)], at->first});
  }
  bool empty() const override { return waiting_.empty(); }
  DiskOperation take(Time now, const DiskHead& head) override {
    for (auto& ages : ages_) {
      while (!ages.empty() && !waiting_.contains(ages.front().second)) ages.pop_front();
      if (!ages.empty() && ages.front().first <= now) return remove(waiting_.find(ages.front().second));
    }
    auto next = head.file ? waiting_.lower_bound(Key{*head.file, head.offset, 0}) : waiting_.begin();
    return remove(next == waiting_.end() ? waiting_.begin() : next);
  }

private:
  struct Key {
    FileId file;
    std::int64_t offset;
    std::uint64_t number;
    auto operator<=>(const Key&) const = default;
  };
  using Waiting = std::map<Key, DiskOperation>;
  static std::size_t index(const DiskOperation& operation) { return operation.kind == DiskKind::read ? 0 : 1; }
  DiskOperation remove(Waiting::iterator which) { return waiting_.extract(which).mapped(); }

  bool has_deadlines_;
  Time patience_[2];
  Waiting waiting_;
  std::deque<std::pair<Time, Key>> ages_[2]; // operations in the order of arrival, including removed ones
  std::uint64_t number_ = 0;
};

} // namespace

std::unique_ptr<DiskQueue> make_disk_queue(const PfsDiskParams& params) {
  switch (params.order) {
  case DiskOrder::fifo:
    return std::make_unique<Fifo>();
  case DiskOrder::elevator:
    return std::make_unique<Elevator>(false, Time{}, Time{});
  case DiskOrder::deadline:
    return std::make_unique<Elevator>(true, params.read_deadline_ms, params.write_deadline_ms);
  case DiskOrder::position:
    break;
  }
  return std::make_unique<ByPosition>();
}

} // namespace hypermon::piosim
