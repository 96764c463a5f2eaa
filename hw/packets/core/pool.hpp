// SPDX-License-Identifier: BSD-3-Clause
// A pool of objects with numbers; the number of a removed object is used again.
#pragma once
#include <cstdint>
#include <deque>
#include <utility>
#include <vector>

namespace hypermon::piosim {

template <class T> class Pool {
public:
  /// Adds an object, whose number and address stay valid until it is removed.
  std::uint32_t add(T value) {
    ++there_;
    if (free_.empty()) {
      all_.push_back(std::move(value));
      return static_cast<std::uint32_t>(all_.size() - 1);
    }
    const std::uint32_t number = free_.back();
    free_.pop_back();
    all_[number] = std::move(value);
    return number;
  }
  void remove(std::uint32_t number) {
    all_[number] = T();
    free_.push_back(number);
    --there_;
  }
  T& operator[](std::uint32_t number) { return all_[number]; }
  const T& operator[](std::uint32_t number) const { return all_[number]; }
  std::size_t size() const { return there_; }

private:
  std::deque<T> all_;
  std::vector<std::uint32_t> free_;
  std::size_t there_ = 0;
};

} // namespace hypermon::piosim
