// SPDX-License-Identifier: BSD-3-Clause
// A first-in-first-out queue whose memory does not grow with its length. A long queue keeps its oldest and its newest
// items in memory and packs the items between them into a file.
#pragma once
#include "base/packing.hpp"
#include "base/queues.hpp"
#include "base/spill_file.hpp"
#include <algorithm>
#include <array>
#include <cstddef>
#include <memory>
#include <stdexcept>
#include <utility>
#include <vector>

namespace hypermon {

/// `T` has a code() (packing.hpp). No result depends on which items are in memory and which are in the file.
template <class T> class DeepQueue {
public:
  /// About `most` items (at least two) stay in memory at either end. Queues may share a file; a queue without a file
  /// opens its own when it needs one.
  explicit DeepQueue(std::size_t most = 1 << 15, std::shared_ptr<SpillFile> file = nullptr)
      : most_(most), file_(std::move(file)) {}
  DeepQueue(DeepQueue&&) noexcept = default;
  DeepQueue& operator=(DeepQueue&&) = delete;
  ~DeepQueue() { clear(); }

  /// Sets the approximate number of items that are kept in memory at either end from now on.
  void keep_in_memory(std::size_t most) { most_ = most; }

  bool empty() const { return front_.empty(); } // front_ has the oldest item
  std::size_t size() const { return front_.size() + (deep_ ? deep_->items + deep_->back.size() : 0); }
  const T& front() const { return front_.front(); }
  T& front() { return front_[0]; }
  const T& newest() const { return deep_ ? deep_->back.newest() : front_.newest(); }
  /// Reads all items before the i-th into memory if the i-th is in the file.
  const T& operator[](std::size_t i) const {
    if (i >= front_.size()) [[unlikely]]
      bring(i);
    return front_[i];
  }
  T& operator[](std::size_t i) {
    if (i >= front_.size()) [[unlikely]]
      bring(i);
    return front_[i];
  }

  void push(const T& item) { append() = item; }
  /// Adds an item of unspecified value and returns it. Valid until the next call.
  T& append() {
    if (!deep_ && front_.size() < most_) [[likely]]
      return front_.append();
    return append_deep();
  }
  void pop() {
    front_.pop();
    if (deep_ && front_.empty()) [[unlikely]]
      refill();
  }
  void pop_back() {
    if (!deep_) return front_.pop_back();
    deep_->back.pop_back();
    if (deep_->back.empty()) take_newest_part();
  }
  /// Removes the i-th oldest item.
  void erase(std::size_t i) {
    if (i >= front_.size()) bring(i);
    front_.erase(i);
    if (deep_ && front_.empty()) refill();
  }
  void clear() {
    front_.clear();
    if (!deep_) return;
    for (std::size_t i = 0; i < deep_->parts.size(); ++i) file_->free(deep_->parts[i].block);
    deep_.reset();
  }

  /// True if the next append() moves items.
  bool full() const {
    const Ring<T>& items = deep_ ? deep_->back : front_;
    return items.full() || items.size() >= most_;
  }
  /// Among the newest items, which are in memory: removes each for which `is_over` is true and calls f(item) for it.
  template <class Is, class F> void remove_newest(Is&& is_over, F&& f) {
    Ring<T>& items = deep_ ? deep_->back : front_;
    std::size_t kept = 0;
    for (std::size_t i = 0; i < items.size(); ++i)
      if (is_over(items[i]))
        f(items[i]);
      else if (kept++ != i)
        items[kept - 1] = items[i];
    while (items.size() > kept) items.pop_back();
    if (!deep_) return;
    if (deep_->back.empty()) take_newest_part();
    if (deep_ && front_.empty()) refill();
  }
  /// The last item for which `holds` is true; null if there is none. `holds` must be true for the first items and false
  /// for the rest. Valid until the next call. The caller may change the item's fixed() fields (packing.hpp), no others.
  template <class F> T* last_of(F&& holds) {
    if (deep_) {
      if (!deep_->back.empty() && holds(deep_->back[0])) return &last_in(deep_->back, holds);
      if (!deep_->parts.empty() && holds(deep_->parts[0].first)) {
        const auto part = last_index(deep_->parts, [&](const Part& p) { return holds(p.first); });
        open(part);
        return &last_in(deep_->opened, holds);
      }
    }
    return front_.empty() || !holds(front_[0]) ? nullptr : &last_in(front_, holds);
  }

private:
  static constexpr std::size_t most_packed = Packer::most_bytes * sizeof(T); // a field has at least one byte
  static_assert(most_packed <= SpillFile::block_bytes / 4);
  struct Part {
    SpillFile::Block block;
    std::size_t bytes;
    std::size_t items;
    T first;
  };
  struct Deep {
    Ring<Part> parts; // oldest first
    std::size_t items = 0;
    Ring<T> back;          // the newest items
    std::vector<T> opened; // items of one part, which last_of() may have changed
    std::size_t opened_part = none;
    std::uint64_t parts_gone = 0; // number of parts removed at the front; opened_part includes them
    std::array<std::byte, SpillFile::block_bytes> bytes;
  };
  static constexpr std::size_t none = ~std::size_t{0};

  template <class Items, class F> static std::size_t last_index(const Items& items, F&& holds) {
    std::size_t first = 0; // an item for which `holds` is true
    for (std::size_t beyond = items.size(); beyond - first > 1;) {
      const std::size_t middle = first + (beyond - first) / 2;
      (holds(items[middle]) ? first : beyond) = middle;
    }
    return first;
  }
  template <class Items, class F> static T& last_in(Items& items, F&& holds) { return items[last_index(items, holds)]; }

  [[gnu::noinline]] T& append_deep() {
    if (!file_) file_ = std::make_shared<SpillFile>();
    if (!deep_) deep_ = std::make_unique<Deep>();
    if (deep_->back.size() >= most_)
      while (deep_->back.size() > most_ / 2) store_part();
    return deep_->back.append();
  }
  // Moves the oldest items of `back` to the file, as many as fit into one block.
  void store_part() {
    Deep& deep = *deep_;
    close();
    Part part{0, 0, 0, deep.back[0]};
    Packer packer(deep.bytes.data());
    T before{};
    for (; deep.back.size() > most_ / 2 && packer.size() + most_packed <= deep.bytes.size(); ++part.items) {
      deep.back[0].code(packer, before);
      deep.back.pop();
    }
    part.bytes = packer.size();
    part.block = file_->write(std::span(deep.bytes).first(part.bytes));
    deep.items += part.items;
    deep.parts.push(part);
  }
  template <class F> void each_in(const Part& part, F&& f) const {
    file_->read(part.block, std::span(deep_->bytes).first(part.bytes));
    Unpacker unpacker(deep_->bytes.data());
    T before{};
    for (std::size_t n = part.items; n > 0; --n) {
      T item{};
      item.code(unpacker, before);
      f(item);
    }
  }
  void open(std::size_t part) {
    Deep& deep = *deep_;
    if (deep.opened_part == part + deep.parts_gone) return;
    close();
    deep.opened.clear();
    each_in(deep.parts[part], [&deep](const T& item) { deep.opened.push_back(item); });
    deep.opened_part = part + deep.parts_gone;
  }
  void close() const {
    Deep& deep = *deep_;
    if (deep.opened_part == none) return;
    const Part& part = deep.parts[deep.opened_part - deep.parts_gone];
    Packer packer(deep.bytes.data());
    T before{};
    for (T& item : deep.opened) item.code(packer, before);
    if (packer.size() != part.bytes) throw std::logic_error("internal: items in a file changed their packed length");
    file_->rewrite(part.block, std::span(deep.bytes).first(part.bytes));
    deep.opened_part = none;
  }
  // Appends the oldest items that are not in memory to front_.
  void bring_part() const {
    Deep& deep = *deep_;
    if (deep.parts.empty()) {
      for (; !deep.back.empty(); deep.back.pop()) front_.push(deep.back.front());
      deep_.reset();
      return;
    }
    close();
    const Part part = deep.parts.front();
    each_in(part, [this](const T& item) { front_.push(item); });
    file_->free(part.block);
    deep.items -= part.items;
    deep.parts.pop();
    ++deep.parts_gone;
  }
  [[gnu::noinline]] void refill() {
    if (deep_->parts.empty()) {
      std::swap(front_, deep_->back);
      deep_.reset();
    } else {
      bring_part();
    }
  }
  [[gnu::noinline]] void bring(std::size_t i) const {
    while (i >= front_.size()) bring_part();
  }
  // Reads the newest part into memory.
  void take_newest_part() {
    Deep& deep = *deep_;
    if (deep.parts.empty()) {
      deep_.reset();
      return;
    }
    close();
    const Part part = deep.parts[deep.parts.size() - 1];
    each_in(part, [&deep](const T& item) { deep.back.push(item); });
    file_->free(part.block);
    deep.items -= part.items;
    deep.parts.pop_back();
  }

  std::size_t most_;
  std::shared_ptr<SpillFile> file_;
  mutable Ring<T> front_;              // the oldest items; empty only if the queue is empty
  mutable std::unique_ptr<Deep> deep_; // all other items; null in a short queue
};

} // namespace hypermon
