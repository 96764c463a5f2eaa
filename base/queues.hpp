// SPDX-License-Identifier: BSD-3-Clause
// Two queues that do not allocate in steady state and take at most twice the memory of their items.
#pragma once
#include <algorithm>
#include <cstddef>
#include <memory>
#include <span>
#include <utility>
#include <vector>

namespace hypermon {

/// First in, first out, in a ring of a power-of-two size that doubles when it is full.
template <class T> class Ring {
public:
  bool empty() const { return head_ == tail_; }
  std::size_t size() const { return tail_ - head_; }
  const T& front() const { return slots_[head_ & mask_]; }
  const T& newest() const { return slots_[(tail_ - 1) & mask_]; }
  T& newest() { return slots_[(tail_ - 1) & mask_]; }
  const T& operator[](std::size_t i) const { return slots_[(head_ + i) & mask_]; }
  T& operator[](std::size_t i) { return slots_[(head_ + i) & mask_]; }
  void pop() { ++head_; }
  void pop_back() { --tail_; }
  /// Removes the i-th element; those before it move.
  void erase(std::size_t i) {
    for (; i > 0; --i) (*this)[i] = (*this)[i - 1];
    pop();
  }
  void clear() { head_ = tail_; }
  void push(const T& value) { append() = value; }
  /// Adds an element of unspecified value and returns it.
  T& append() {
    if (full()) grow();
    return slots_[tail_++ & mask_];
  }
  /// True if the next append() moves all elements.
  bool full() const { return size() == slots_.size(); }

private:
  void grow() {
    std::vector<T> slots(std::max<std::size_t>(8, 2 * slots_.size()));
    for (std::size_t i = 0; i < size(); ++i) slots[i] = std::move(slots_[(head_ + i) & mask_]);
    tail_ = size();
    head_ = 0;
    slots_ = std::move(slots);
    mask_ = slots_.size() - 1;
  }

  std::vector<T> slots_;
  std::size_t mask_ = 0;
  std::size_t head_ = 0;
  std::size_t tail_ = 0;
};

/// A first-in-first-out queue in contiguous memory: its elements are always one span. Each move to the front of the
/// memory follows at least as many removals.
template <class T> class SlidingVector {
public:
  T* begin() { return begin_; }
  T* end() { return end_; }
  std::size_t size() const { return static_cast<std::size_t>(end_ - begin_); }
  std::span<const T> first(std::size_t n) const { return {begin_, n}; }
  T& operator[](std::size_t i) { return begin_[i]; }
  const T& operator[](std::size_t i) const { return begin_[i]; }
  void pop_front(std::size_t n) {
    begin_ += n;
    if (begin_ == end_) begin_ = end_ = slots_.get();
  }
  /// True if the next append() moves all elements.
  bool full() const { return end_ == limit_; }
  /// Memory for up to `n` elements after the last one; add() turns the first of them into elements.
  T* room(std::size_t n) {
    if (static_cast<std::size_t>(limit_ - end_) < n) make_room(n);
    return end_;
  }
  void add(std::size_t n) { end_ += n; }
  /// Adds an element at the end and returns its place.
  T& append() {
    if (end_ == limit_) [[unlikely]]
      make_room(1);
    return *end_++;
  }

private:
  void make_room(std::size_t n) {
    const auto live = static_cast<std::ptrdiff_t>(size());
    std::ptrdiff_t capacity = limit_ - slots_.get();
    const std::ptrdiff_t needed = live + static_cast<std::ptrdiff_t>(n);
    if (2 * live <= capacity && needed <= capacity) {
      std::move(begin_, end_, slots_.get());
    } else {
      capacity = std::max({std::ptrdiff_t{64}, 2 * capacity, needed});
      auto slots = std::make_unique<T[]>(static_cast<std::size_t>(capacity));
      std::move(begin_, end_, slots.get());
      slots_ = std::move(slots);
    }
    begin_ = slots_.get();
    end_ = begin_ + live;
    limit_ = begin_ + capacity;
  }

  std::unique_ptr<T[]> slots_;
  T* begin_ = nullptr;
  T* end_ = nullptr;
  T* limit_ = nullptr;
};

} // namespace hypermon
