// SPDX-License-Identifier: BSD-3-Clause
// A list of items that is written once and read in order any number of times. Its memory does not grow with the number
// of items: items are packed, and full blocks go to a file.
#pragma once
#include "base/packing.hpp"
#include "base/spill_file.hpp"
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <stdexcept>
#include <utility>
#include <vector>

namespace hypermon {

/// `T` has a code() (packing.hpp).
template <class T> class PackedLog {
public:
  /// Logs may share a file. Each log keeps one block of at most `bytes` in memory.
  PackedLog(std::shared_ptr<SpillFile> file, std::size_t bytes)
      : most_(std::clamp(bytes, 2 * most_packed, SpillFile::block_bytes)), file_(std::move(file)) {}

  void append(T item) {
    if (open_.size() + most_packed > most_) store();
    const std::size_t size = open_.size();
    open_.resize(size + most_packed);
    Packer packer(open_.data() + size);
    item.code(packer, before_);
    open_.resize(size + packer.size());
    ++items_in_open_;
    ++size_;
  }
  std::uint64_t size() const { return size_; }

  /// A position in a log. The log must outlive it and must not be written to in the meantime.
  class Cursor {
  public:
    explicit Cursor(const PackedLog& log) : log_(&log) {}
    /// Throws std::out_of_range after the last item.
    const T& next() {
      if (at_ == items_.size()) log_->read(part_++, items_), at_ = 0;
      return items_[at_++];
    }

  private:
    const PackedLog* log_;
    std::size_t part_ = 0;
    std::vector<T> items_; // items of part number part_ - 1
    std::size_t at_ = 0;
  };

private:
  static constexpr std::size_t most_packed = Packer::most_bytes * sizeof(T); // a field has at least one byte
  struct Part {
    SpillFile::Block block;
    std::uint32_t bytes;
    std::uint32_t items;
  };

  void store() {
    parts_.push_back({file_->write(open_), static_cast<std::uint32_t>(open_.size()), items_in_open_});
    open_.clear();
    items_in_open_ = 0;
    before_ = T{};
  }
  void read(std::size_t part, std::vector<T>& items) const {
    std::vector<std::byte> bytes;
    std::uint32_t n = items_in_open_;
    if (part < parts_.size()) {
      bytes.resize(parts_[part].bytes);
      file_->read(parts_[part].block, bytes);
      n = parts_[part].items;
    } else if (part > parts_.size() || n == 0) {
      throw std::out_of_range("internal: a log is read beyond its end");
    }
    Unpacker unpacker(part < parts_.size() ? bytes.data() : open_.data());
    T before{};
    items.assign(n, T{});
    for (T& item : items) item.code(unpacker, before);
  }

  std::size_t most_;
  std::shared_ptr<SpillFile> file_;
  std::vector<Part> parts_;
  std::vector<std::byte> open_; // the block that is being written
  std::uint32_t items_in_open_ = 0;
  T before_{};
  std::uint64_t size_ = 0;
};

} // namespace hypermon
